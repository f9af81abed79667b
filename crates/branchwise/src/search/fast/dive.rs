//! The first trees: dives that follow the best upper bounds.

use super::weight::Weight;
use super::worker::Worker;
use crate::search::bounds::Cost;

impl<T: Weight> Worker<'_, T> {
    /// Improve the branch on top by its `width` most promising actions, those by half as many, and so
    /// on. What is found is remembered, and the proof starts from it.
    ///
    /// "Promising" is the cost of the best tree that looking two steps ahead finds for each action.
    pub(super) fn dive(&mut self, width: usize, depth_left: usize) {
        let top = self.depth - 1;
        let frame = &self.frames[top];
        let allowed = |action: &usize| frame.actions[*action].upper < Cost::MAX;
        let mut order: Vec<usize> = (0..frame.actions.len()).filter(allowed).collect();
        order.sort_by_key(|&action| (frame.actions[action].upper, frame.actions[action].lower));
        for &action in order.iter().take(width) {
            for child in self.frames[top].children_of(action) {
                self.poll();
                if self.shared.end().is_some() {
                    return;
                }
                if self.frames[top].children[child].is_solved() || depth_left == 0 {
                    continue;
                }
                self.visit(action, child, Cost::MAX);
                if self.depth > top + 1 {
                    self.dive((width / 2).max(1), depth_left - 1);
                    self.update_top();
                    self.finish();
                }
            }
        }
    }
}
