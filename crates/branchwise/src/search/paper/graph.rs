//! The AND/OR search graph: branches (OR), their splits (AND), and how values flow between them.
//!
//! # Invariants, recomputed by [`SearchGraph::check`]
//! * `upper` never rises, `greedy` never falls, and upper ≥ greedy ≥ terminal;
//! * a solved branch has upper = greedy, and keeps them;
//! * a split's stored value is at least what its children now give it: children shared with other
//!   parents may have sunk since, so it is an older bound and still valid.

use super::arena::{Pool, Run};
use super::memo::{BranchKey, Memo};
use super::share::Share;
use crate::objective::Value;
use crate::problem::{Clause, FeatureId};

/// A branch, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BranchId(u32);

/// A branch: a conjunction of clauses, and what is known of the best tree rooted in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    clauses: Run,
    /// The hash of the clauses, and how much the tree below may grow, where that is limited.
    pub(super) key: BranchKey,
    /// The value of the terminal action, H(l): no split, answer with the majority.
    pub(super) terminal: Value,
    /// No tree rooted here is worth more: V(l).
    pub(super) upper: Value,
    /// The value of the best tree found so far: V̂(l).
    pub(super) greedy: Value,
    /// That tree's first split; `None` is the terminal action.
    pub(super) greedy_split: Option<FeatureId>,
    /// Whether the best tree is known.
    pub(super) solved: bool,
    /// The split actions, best first (a heap), once the branch is expanded.
    splits: Option<Run>,
}

impl Branch {
    pub(super) fn is_expanded(&self) -> bool {
        self.splits.is_some()
    }
}

/// A split action of a branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    pub(super) feature: FeatureId,
    /// The value of the children that were solved at birth, less the price of the split.
    pub(super) base: Value,
    /// Q(l, a) when it was last computed.
    pub(super) upper: Value,
    /// The part of it that is certain (the paper's `value_complete`).
    complete: Value,
    /// The other children. Where room is limited: each with 1, 2, … up to all of it.
    pub(super) children: Run,
    /// The room for the children together.
    pub(super) room: Option<u32>,
}

impl Split {
    /// The order of the queue: highest value, then most of it certain, then the first feature.
    fn precedes(&self, other: &Split) -> bool {
        (self.upper, self.complete, other.feature) > (other.upper, other.complete, self.feature)
    }
}

/// A child that may have to be added: what identifies it, and its values at birth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draft {
    /// The clause that it adds to its parent's.
    pub(super) clause: Clause,
    pub(super) key: BranchKey,
    pub(super) terminal: Value,
    pub(super) upper: Value,
}

/// What a split's children come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) upper: Value,
    pub(super) complete: Value,
    pub(super) greedy: Value,
}

/// The graph.
#[derive(Debug)]
pub(super) struct SearchGraph {
    branches: Pool<Branch>,
    splits: Pool<Split>,
    children: Pool<BranchId>,
    clauses: Pool<Clause>,
    memo: Memo,
}

impl SearchGraph {
    pub(super) const ROOT: BranchId = BranchId(0);

    /// An empty graph for expansions that add at most `growth` children.
    pub(super) fn new(growth: usize) -> Self {
        SearchGraph {
            branches: Pool::new(1),
            splits: Pool::new(growth),
            children: Pool::new(growth),
            clauses: Pool::new(growth),
            memo: Memo::default(),
        }
    }

    pub(super) fn branch(&self, id: BranchId) -> &Branch {
        self.branches.at(id.0)
    }

    pub(super) fn root(&self) -> &Branch {
        self.branch(Self::ROOT)
    }

    pub(super) fn n_branches(&self) -> usize {
        self.branches.len()
    }

    pub(super) fn clauses(&self, id: BranchId) -> &[Clause] {
        self.clauses.run(self.branch(id).clauses)
    }

    /// The split actions, best first; none before the expansion.
    pub(super) fn splits(&self, id: BranchId) -> &[Split] {
        self.branch(id).splits.map_or(&[], |run| self.splits.run(run))
    }

    pub(super) fn children(&self, split: &Split) -> &[BranchId] {
        self.children.run(split.children)
    }

    /// Look up a branch's children by one more clause each; they are found in the same order.
    pub(super) fn find_children(
        &self,
        clauses: &[Clause],
        children: &[Draft],
        found: &mut Vec<Option<BranchId>>,
    ) {
        found.clear();
        found.extend(children.iter().map(|child| self.memo.guess(child.key)));
        for (child, found) in children.iter().zip(found) {
            let is_it = |id| self.is_child(id, clauses, child);
            if found.is_some_and(|guess| !is_it(guess)) {
                *found = self.memo.find(child.key, is_it);
            }
        }
    }

    /// Whether a branch has these clauses and the child's one more.
    fn is_child(&self, id: BranchId, clauses: &[Clause], child: &Draft) -> bool {
        let others = || self.clauses(id).iter().filter(|&&clause| clause != child.clause);
        self.branch(id).key == child.key
            && self.clauses(id).len() == clauses.len() + 1
            && others().count() == clauses.len()
            && others().eq(clauses)
    }

    /// Add a branch that is not in the memo; its clauses are sorted.
    pub(super) fn insert(&mut self, clauses: &[Clause], draft: &Draft) -> BranchId {
        let Draft { key, terminal, upper, .. } = *draft;
        let clauses = self.clauses.push_run(clauses);
        let id = BranchId(self.branches.push(Branch {
            clauses,
            key,
            terminal,
            upper,
            greedy: terminal,
            greedy_split: None,
            solved: upper == terminal,
            splits: None,
        }));
        let branches = &self.branches;
        self.memo.insert(key, id, |id| branches.at(id.0).key);
        id
    }

    /// A split action with these children, valued.
    pub(super) fn make_split(
        &mut self,
        feature: FeatureId,
        base: Value,
        children: &[BranchId],
        room: Option<u32>,
    ) -> (Split, Sum) {
        let sum = self.sum(base, children, room);
        let children = self.children.push_run(children);
        let Sum { upper, complete, .. } = sum;
        (Split { feature, base, upper, complete, children, room }, sum)
    }

    /// Give a branch its split actions.
    pub(super) fn expand(&mut self, id: BranchId, splits: &mut [Split]) {
        for start in (0..splits.len() / 2).rev() {
            sift_down(splits, start);
        }
        let run = self.splits.push_run(splits);
        self.branches.at_mut(id.0).splits = Some(run);
    }

    /// What a split's children come to now.
    pub(super) fn sum(&self, base: Value, children: &[BranchId], room: Option<u32>) -> Sum {
        if let Some(room) = room {
            return Share { graph: self, children, room }.sum(base);
        }
        let mut sum = Sum { upper: base, complete: base, greedy: base };
        for &child in children {
            let child = self.branch(child);
            sum.upper += child.upper;
            sum.greedy += child.greedy;
            if child.solved {
                sum.complete += child.upper;
            }
        }
        sum
    }

    /// A better tree was found for a branch, or not.
    ///
    /// The tree that the branch has may have improved further down since its value was noted; so it
    /// is valued anew before it gives way, and the best tree never becomes worse.
    pub(super) fn propose(&mut self, id: BranchId, greedy: Value, feature: FeatureId) {
        if greedy <= self.branch(id).greedy {
            return;
        }
        let present = self.policy_value(id);
        let branch = self.branches.at_mut(id.0);
        branch.greedy = greedy.max(present);
        if greedy > present {
            branch.greedy_split = Some(feature);
        }
    }

    /// The value of the tree that the greedy actions now make below a branch.
    fn policy_value(&self, id: BranchId) -> Value {
        let branch = self.branch(id);
        let Some(feature) = branch.greedy_split else { return branch.terminal };
        match self.splits(id).iter().find(|split| split.feature == feature) {
            // Where room is limited, how it is divided may have changed too: keep to what was noted.
            Some(Split { room: Some(_), .. }) | None => branch.greedy,
            Some(split) => {
                let children = self.children(split).iter();
                children.fold(split.base, |sum, &child| sum + self.policy_value(child))
            }
        }
    }

    /// Bring an expanded branch up to date with its children: values, order of splits, solved.
    ///
    /// Only the best split is computed anew, again and again until it stays the best: the others
    /// hold older, larger bounds, and it precedes them all the same.
    pub(super) fn refresh(&mut self, id: BranchId) {
        let Some(run) = self.branch(id).splits else { return };
        let best = loop {
            let Some(&split) = self.splits.run(run).first() else { break None };
            let sum = self.sum(split.base, self.children(&split), split.room);
            self.propose(id, sum.greedy, split.feature);
            if (sum.upper, sum.complete) == (split.upper, split.complete) {
                break Some(sum);
            }
            debug_assert!(sum.upper <= split.upper, "bounds never rise");
            let splits = self.splits.run_mut(run);
            splits[0] = Split { upper: sum.upper, complete: sum.complete, ..split };
            sift_down(splits, 0);
        };
        let branch = self.branches.at_mut(id.0);
        let (upper, solved) = match best {
            Some(best) if best.upper > branch.terminal => (best.upper, best.complete == best.upper),
            _ => (branch.terminal, true),
        };
        debug_assert!(upper <= branch.upper, "bounds never rise");
        debug_assert!(!solved || upper == branch.greedy, "a solved branch has its tree");
        branch.upper = upper;
        branch.solved = solved;
    }

    /// Bytes in use, or needed at once if an expansion adds so many children.
    pub(super) fn bytes_with(&self, growth: usize, depth: usize) -> usize {
        let used = self.branches.bytes()
            + self.splits.bytes()
            + self.children.bytes()
            + self.clauses.bytes();
        let child = size_of::<Branch>() + size_of::<BranchId>() + (depth + 1) * size_of::<Clause>();
        used + growth * (child + size_of::<Split>()) + self.memo.bytes_with(growth)
    }

    /// Whether the numbers for branches are running out.
    pub(super) fn is_full(&self) -> bool {
        self.branches.is_full()
            || self.splits.is_full()
            || self.children.is_full()
            || self.clauses.is_full()
    }

    /// Recompute the invariants.
    ///
    /// # Panics
    /// If one of them does not hold.
    pub(super) fn check(&self) {
        assert_eq!(self.memo.len(), self.n_branches(), "every branch is in the memo once");
        for id in self.ids() {
            let branch = self.branch(id);
            assert!(branch.upper >= branch.greedy && branch.greedy >= branch.terminal);
            assert!(!branch.solved || branch.upper == branch.greedy, "solved means equal");
            let clauses = self.clauses(id);
            assert!(clauses.is_sorted(), "clauses are sorted");
            let same =
                |other| self.clauses(other) == clauses && self.branch(other).key == branch.key;
            assert_eq!(self.memo.find(branch.key, same), Some(id));
            let splits = self.splits(id);
            for (place, split) in splits.iter().enumerate() {
                let now = self.sum(split.base, self.children(split), split.room);
                assert!(now.upper <= split.upper, "older bounds are larger");
                assert!(
                    !split.precedes(&splits[place.saturating_sub(1) / 2]),
                    "the best split is first"
                );
                assert!(branch.upper >= now.greedy, "no tree is above the bound");
            }
        }
    }

    fn ids(&self) -> impl Iterator<Item = BranchId> {
        // Runs of one element fill their chunks, so branches are numbered without gaps.
        (0..self.n_branches() as u32).map(BranchId)
    }
}

/// Restore the heap below a place whose split may have lost its rank.
fn sift_down(splits: &mut [Split], mut place: usize) {
    loop {
        let mut first = place;
        for child in [2 * place + 1, 2 * place + 2] {
            if child < splits.len() && splits[child].precedes(&splits[first]) {
                first = child;
            }
        }
        if first == place {
            return;
        }
        splits.swap(place, first);
        place = first;
    }
}
