//! The canonical tree: of all optimal trees always the same one.
//!
//! Many trees can share the least cost and the number of splits. Which of them a search comes by
//! depends on its order, on what the memo has kept, and with several workers on chance. So once the
//! least cost is proven, the answer is built anew from the top by a written rule: no split if that will
//! do; else the first split that reaches the least cost, in the order of what looking two steps ahead
//! promises (its upper bound, its lower bound, then the order of features). That order depends on the
//! branch's rows alone. Promising splits come first, so few others have to be refuted on the way,
//! and the memo knows most of it.

use super::weight::Weight;
use super::worker::Worker;
use crate::problem::Clause;
use crate::search::bounds::Cost;
use crate::search::{Policy, PolicyId, StopReason};

/// A branch whose tree is still to be built.
struct Pending {
    units: Vec<u32>,
    depth_left: Option<u32>,
    /// The least cost of a tree there.
    cost: Cost,
    parent: Option<(PolicyId, Clause)>,
}

impl<T: Weight> Worker<'_, T> {
    /// The canonical optimal tree, given what it costs; or why it could not be read off in time.
    pub(super) fn extract_optimal(&mut self, cost: Cost) -> Result<Policy, StopReason> {
        let mut policy = Policy::default();
        let depth_left = self.task.constraints.max_depth;
        let units = self.matrix.all_units();
        let mut pending = vec![Pending { units, depth_left, cost, parent: None }];
        while let Some(Pending { units, depth_left, cost, parent }) = pending.pop() {
            self.plant(units, depth_left);
            let Some(action) = self.first_of_cost(cost)? else { continue };
            let frame = &self.frames[0];
            let feature = frame.features[action];
            let split = policy.push(self.matrix.features[feature as usize].id, parent);
            let costs = frame.children_of(action).filter_map(|child| {
                frame.children.is_occupied(child).then_some(frame.children.upper[child])
            });
            let parts = self.matrix.parts(&frame.units, feature);
            pending.extend(parts.into_iter().zip(costs).map(|((clause, units), cost)| Pending {
                units,
                depth_left: depth_left.map(|left| left - 1),
                cost,
                parent: Some((split, clause)),
            }));
        }
        Ok(policy)
    }

    /// The first action that reaches a cost; none if no split will do.
    fn first_of_cost(&mut self, cost: Cost) -> Result<Option<usize>, StopReason> {
        let frame = &self.frames[0];
        if frame.leaf <= cost {
            return Ok(None);
        }
        let order = frame.actions.by_promise();
        self.look_up_children();
        for action in order {
            if self.reaches(action, cost)? {
                return Ok(Some(action));
            }
        }
        debug_assert!(false, "some action reaches the least cost");
        Ok(None)
    }

    /// Whether an action's children can be solved within a cost; they are then.
    fn reaches(&mut self, action: usize, cost: Cost) -> Result<bool, StopReason> {
        loop {
            let frame = &self.frames[0];
            if frame.actions.lower[action] > cost {
                return Ok(false);
            }
            let Some(child) = frame.children_of(action).find(|&c| !frame.children.is_solved(c))
            else {
                return Ok(true);
            };
            let budget = cost - (frame.actions.lower[action] - frame.children.lower[child]);
            self.visit(action, child, budget);
            while self.depth > 1 {
                self.step();
                // Iterations and memory were the search's: the answer is read off all the same.
                if let Some(reason) = self.watch.poll(0, 0) {
                    return Err(reason);
                }
            }
        }
    }
}
