//! Selection: from the root down the best splits to a branch that is not expanded yet.

use super::graph::{BranchId, SearchGraph, Split};

/// The way that selection took.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// The expanded branches passed, from the root on.
    pub(super) passed: Vec<BranchId>,
    /// The branch to expand. There is none where the children of the last split on the way have all
    /// been solved meanwhile, by way of other parents: then the path only carries that news up.
    pub(super) tip: Option<BranchId>,
}

/// Follow the selection policy, the split of largest Q, and in it the unsolved child whose best tree
/// so far is worth least (the paper's appendix B): it has the most to gain, or to give away.
pub(super) fn select(graph: &SearchGraph, path: &mut Path) {
    path.passed.clear();
    path.tip = None;
    let mut next = Some(SearchGraph::ROOT);
    while let Some(id) = next {
        if !graph.branch(id).is_expanded() {
            path.tip = Some(id);
            return;
        }
        path.passed.push(id);
        next = graph.splits(id).first().and_then(|split| least_unsolved(graph, split));
    }
}

fn least_unsolved(graph: &SearchGraph, split: &Split) -> Option<BranchId> {
    let selected = graph.selected(split);
    let unsolved = selected.iter().map(|&id| (id, graph.branch(id))).filter(|(_, b)| !b.solved);
    unsolved.min_by_key(|(_, branch)| branch.greedy).map(|(id, _)| id)
}
