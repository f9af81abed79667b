//! How room is divided among children.
//!
//! Where the size of a tree is limited, a branch comes in several versions: the same clauses with
//! room for 1, 2, … more splits (or leaves). A split lists every version of each open child, and its
//! value is that of the best division of its room:
//!
//! > Q = base + max { Σ value(child, r_child) : Σ r_child ≤ room },
//!
//! where a child with no room is worth its terminal value ([`divide`]).

use super::graph::{Branch, BranchId, SearchGraph, Split, Sum};
use crate::objective::Value;
use crate::search::divide::divide;
use std::borrow::Cow;

/// The open children of a split, in versions with room 1 to `room` each.
pub(super) struct Share<'a> {
    pub(super) graph: &'a SearchGraph,
    pub(super) children: &'a [BranchId],
    pub(super) room: u32,
}

/// By what to divide: the first decides, the second breaks ties.
type Worth = (Value, Value);

impl Share<'_> {
    /// The split's values, each by its own best division.
    pub(super) fn sum(&self, base: Value) -> Sum {
        let (upper, complete) = self.divide(by_upper).0;
        let (greedy, _) = self.divide(by_greedy).0;
        Sum { upper: base + upper, complete: base + complete, greedy: base + greedy }
    }

    /// The best division: what it is worth, and the version of each child that gets room.
    fn divide(&self, worth: fn(&Branch) -> Worth) -> (Worth, Vec<BranchId>) {
        let room = self.room as usize;
        let versions: Vec<&[BranchId]> = self.children.chunks_exact(room.max(1)).collect();
        let (most, given) = divide(versions.len(), room, |child, r| match r.checked_sub(1) {
            None => {
                let terminal = self.graph.branch(versions[child][0]).terminal;
                (terminal, terminal)
            }
            Some(version) => worth(self.graph.branch(versions[child][version])),
        });
        let chosen = versions.iter().zip(given);
        (most, chosen.filter_map(|(of_child, r)| Some(of_child[r.checked_sub(1)?])).collect())
    }
}

fn by_upper(branch: &Branch) -> Worth {
    (branch.upper, if branch.solved { branch.upper } else { Value::default() })
}

fn by_greedy(branch: &Branch) -> Worth {
    (branch.greedy, Value::default())
}

impl SearchGraph {
    /// The open children that a split stands on: all, or those that the best division gives room.
    pub(super) fn selected(&self, split: &Split) -> Cow<'_, [BranchId]> {
        self.versions(split, by_upper)
    }

    /// The same for the best tree found so far.
    pub(super) fn greedily_selected(&self, split: &Split) -> Cow<'_, [BranchId]> {
        self.versions(split, by_greedy)
    }

    fn versions(&self, split: &Split, worth: fn(&Branch) -> Worth) -> Cow<'_, [BranchId]> {
        let children = self.children(split);
        match split.room {
            None => Cow::Borrowed(children),
            Some(room) => Cow::Owned(Share { graph: self, children, room }.divide(worth).1),
        }
    }
}
