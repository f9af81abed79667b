//! How room is divided among children.
//!
//! Where the size of a tree is limited, a branch comes in several versions: the same clauses with
//! room for 1, 2, … more splits (or leaves). A split lists every version of each open child, and its
//! value is that of the best division of its room:
//!
//! > Q = base + max { Σ value(child, r_child) : Σ r_child ≤ room },
//!
//! where a child with no room is worth its terminal value. The maximum is found child by child, in
//! the manner of a knapsack: room² steps for each.

use super::graph::{Branch, BranchId, SearchGraph, Split, Sum};
use crate::objective::Value;
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
        // best[r]: the most that the children so far are worth with room r among them.
        let mut best = vec![Worth::default(); room + 1];
        let mut given = Vec::new();
        for versions in self.children.chunks_exact(room.max(1)) {
            let worth_with = |r: usize| match r {
                0 => {
                    let terminal = self.graph.branch(versions[0]).terminal;
                    (terminal, terminal)
                }
                _ => worth(self.graph.branch(versions[r - 1])),
            };
            let with = |total: usize, r: usize| {
                let (child, others) = (worth_with(r), best[total - r]);
                (child.0 + others.0, child.1 + others.1)
            };
            let choose = |total: usize| {
                (1..=total).fold(0, |r, s| if with(total, s) > with(total, r) { s } else { r })
            };
            let choices: Vec<usize> = (0..=room).map(choose).collect();
            best = choices.iter().enumerate().map(|(total, &r)| with(total, r)).collect();
            given.push(choices);
        }
        let mut left = room;
        let mut chosen = Vec::new();
        for (versions, choices) in self.children.chunks_exact(room.max(1)).zip(&given).rev() {
            let r = choices[left];
            left -= r;
            chosen.extend(r.checked_sub(1).map(|version| versions[version]));
        }
        chosen.reverse();
        (best[room], chosen)
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
