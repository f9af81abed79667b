//! Backpropagation: bring the branches on the path up to date, from the tip up.
//!
//! Other parents of these branches keep their older bounds, which are larger and still valid; they
//! are brought up to date when a path next leads through them.

use super::graph::SearchGraph;
use super::select::Path;

pub(super) fn backpropagate(graph: &mut SearchGraph, path: &Path) {
    for &branch in path.passed.iter().rev() {
        graph.refresh(branch);
    }
}
