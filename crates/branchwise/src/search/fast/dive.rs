//! The first trees: dives that follow the best upper bounds.

use super::weight::Weight;
use super::worker::Worker;
use crate::search::bounds::Cost;

/// No deeper than this: it would be a chain, and a dive is recursive.
const MOST_DEPTH: usize = 64;

impl<T: Weight> Worker<'_, T> {
    /// Improve the branch on top by its `width` most promising actions, those by half as many, and so
    /// on, until so much work is done. What is found is remembered, and the proof starts from it.
    ///
    /// "Promising" is the cost of the best tree that looking two steps ahead finds for each action.
    pub(super) fn dive(&mut self, width: usize, end: u64) {
        let top = self.depth - 1;
        let order = self.frames[top].actions.by_promise();
        for &action in order.iter().take(width) {
            for child in self.frames[top].children_of(action) {
                self.poll();
                if self.shared.end().is_some() || self.work >= end {
                    return;
                }
                if self.frames[top].children.is_solved(child) || top >= MOST_DEPTH {
                    continue;
                }
                self.visit(action, child, Cost::MAX);
                if self.depth > top + 1 {
                    self.dive((width / 2).max(1), end);
                    self.update_top();
                    self.finish();
                }
            }
        }
    }
}
