//! Read the best tree known off the memo.
//!
//! It is read as soon as it is found, while its branches are remembered, and kept: so what a search
//! that is stopped brings back is the best tree it has found, however little the memo can hold.

use super::frame::Frame;
use super::matrix::Feature;
use super::shared::Incumbent;
use super::weight::Weight;
use super::worker::Worker;
use crate::problem::Clause;
use crate::search::{Policy, PolicyId};

/// A branch whose tree is still to be read off.
pub(super) struct Pending {
    pub(super) units: Vec<u32>,
    pub(super) depth_left: Option<u32>,
    pub(super) parent: Option<(PolicyId, Clause)>,
}

impl<T: Weight> Worker<'_, T> {
    /// The whole table.
    pub(super) fn whole(&self) -> Pending {
        let depth_left = self.task.constraints.max_depth;
        Pending { units: self.matrix.all_units(), depth_left, parent: None }
    }

    /// The feature that an action splits on.
    pub(super) fn feature_of(&self, frame: &Frame<T>, action: usize) -> Feature {
        self.matrix.features[frame.features[action] as usize]
    }

    /// The root's best tree: what is remembered of its branches or, where nothing is, what looking two
    /// steps ahead finds.
    pub(super) fn best_known(&mut self) -> Incumbent {
        let root = &self.frames[0];
        let Some(action) = root.best.and_then(|best| root.action_of(best)) else {
            return Incumbent { cost: root.leaf, policy: Policy::default() };
        };
        let mut policy = Policy::default();
        let mut cost = root.actions[action].price;
        let split = policy.push(self.feature_of(root, action).id, None);
        let mut pending = self.parts(root, action, split);
        while let Some(Pending { units, depth_left, parent }) = pending.pop() {
            let mut frame = std::mem::take(&mut self.reading);
            frame.begin(self.matrix, units, depth_left);
            self.expander.expand(&mut frame, None);
            let known = self.memo.find(Self::memo_key(frame.key, depth_left));
            let best =
                known.filter(|known| known.upper < frame.upper).map_or(frame.best, |k| k.best);
            let action = best.and_then(|best| frame.action_of(best));
            match action.filter(|_| depth_left != Some(0)) {
                None => cost += frame.leaf,
                Some(action) => {
                    cost += frame.actions[action].price;
                    let split = policy.push(self.feature_of(&frame, action).id, parent);
                    pending.extend(self.parts(&frame, action, split));
                }
            }
            self.reading = frame;
        }
        Incumbent { cost, policy }
    }

    /// The children of an action that have rows.
    pub(super) fn parts(&self, frame: &Frame<T>, action: usize, split: PolicyId) -> Vec<Pending> {
        let feature = self.feature_of(frame, action);
        let occupied = frame.children_of(action).filter(|&child| frame.children[child].weight > 0);
        let part = |child: usize| {
            let mut units = Vec::new();
            frame.child_units(self.matrix, child, &mut units);
            let column = frame.columns.get(child).copied().flatten();
            let clause = column.map_or(feature.rest, |c| self.matrix.clauses[c as usize]);
            let depth_left = frame.depth_left.map(|left| left.saturating_sub(1));
            Pending { units, depth_left, parent: Some((split, clause)) }
        };
        occupied.map(part).collect()
    }
}
