//! The first trees: dives that follow the best upper bounds.

use super::control::look_up_rooms;
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
            let mut sharing = self.frames[top].sharing(action);
            while let Some(visit) = sharing.next(&self.frames[top]) {
                self.poll();
                if self.shared.end().is_some() || self.work >= end {
                    return;
                }
                if self.frames[top].is_solved(visit) || top >= MOST_DEPTH {
                    continue;
                }
                let frame = &mut self.frames[top];
                if frame.is_limited() {
                    look_up_rooms(&mut self.memo, &self.expander, frame, action);
                }
                self.visit(visit, Cost::MAX);
                if self.depth > top + 1 {
                    self.dive((width / 2).max(1), end);
                    self.update_top();
                    self.finish();
                }
            }
        }
    }
}
