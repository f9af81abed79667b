//! Read a tree off the memo.

use super::control::Search;
use super::weight::Weight;
use crate::problem::Clause;
use crate::search::bounds::Cost;
use crate::search::{Policy, PolicyId};

/// A branch whose tree is still to be read off.
struct Pending {
    units: Vec<u32>,
    depth_left: Option<u32>,
    /// The least cost of a tree there, where it is known.
    cost: Option<Cost>,
    parent: Option<(PolicyId, Clause)>,
}

impl<T: Weight> Search<'_, T> {
    /// The optimal tree, given what it costs.
    ///
    /// At each branch: no split if that will do, else the remembered split, else the first that
    /// reaches the least cost. Children that have not been solved exactly, or were forgotten, are
    /// solved now; if time runs out meanwhile, or the stop flag is raised, the rest is the best known.
    pub(super) fn extract_optimal(&mut self, cost: Cost) -> Policy {
        self.extract(Some(cost))
    }

    /// The best tree known, after a search that was stopped.
    pub(super) fn extract_best(&mut self) -> Policy {
        self.remember_stack();
        self.extract(None)
    }

    fn extract(&mut self, cost: Option<Cost>) -> Policy {
        let mut policy = Policy::default();
        let units = self.matrix.all_units();
        let depth_left = self.task.constraints.max_depth;
        let mut pending = vec![Pending { units, depth_left, cost, parent: None }];
        while let Some(branch) = pending.pop() {
            if branch.depth_left == Some(0) {
                continue;
            }
            self.plant(branch.units, branch.depth_left);
            let mut chosen = None;
            if let Some(cost) = branch.cost.filter(|_| self.stopped.is_none()) {
                chosen = self.first_of_cost(cost);
            }
            if self.stopped.is_some() {
                chosen = self.best_known();
            }
            let Some(action) = chosen else { continue };
            let frame = &self.frames[0];
            let feature = self.matrix.features[frame.features[action] as usize];
            let id = policy.push(feature.id, branch.parent);
            for child in frame.children_of(action).filter(|&c| frame.children[c].weight > 0) {
                let mut units = Vec::new();
                frame.child_units(self.matrix, child, &mut units);
                let column = frame.columns.get(child).copied().flatten();
                let clause = column.map_or(feature.rest, |c| self.matrix.clauses[c as usize]);
                pending.push(Pending {
                    units,
                    depth_left: branch.depth_left.map(|left| left - 1),
                    cost: branch.cost.map(|_| frame.children[child].upper),
                    parent: Some((id, clause)),
                });
            }
        }
        policy
    }

    /// The first action that reaches a cost; none if no split does.
    fn first_of_cost(&mut self, cost: Cost) -> Option<usize> {
        if self.frames[0].leaf <= cost {
            return None;
        }
        let known = self.best_known();
        let others = (0..self.frames[0].actions.len()).filter(|&action| Some(action) != known);
        known.into_iter().chain(others).find(|&action| self.reaches(action, cost))
    }

    /// Whether an action's children can be solved within a cost, and in time; they are then.
    fn reaches(&mut self, action: usize, cost: Cost) -> bool {
        while self.stopped.is_none() {
            let frame = &self.frames[0];
            if frame.actions[action].lower > cost {
                return false;
            }
            let Some(child) = frame.children_of(action).find(|&c| !frame.children[c].is_solved())
            else {
                return true;
            };
            let budget = cost - (frame.actions[action].lower - frame.children[child].lower);
            self.visit(action, child, budget);
            while self.depth > 1 && self.stopped.is_none() {
                self.step();
                // Iterations and memory were the search's: the answer is to be read off all the same.
                self.stopped = self.watch.poll(0, 0);
            }
        }
        self.remember_stack();
        self.depth = 1;
        false
    }

    /// The first split of the best tree that is remembered, or that looking ahead finds.
    fn best_known(&mut self) -> Option<usize> {
        let frame = &self.frames[0];
        let key = Self::memo_key(frame.key, frame.depth_left);
        let known = self.memo.find(key);
        let frame = &self.frames[0];
        match known {
            Some(known) if known.upper < frame.upper => {
                let best = known.best?;
                frame.features.iter().position(|&feature| feature == best)
            }
            _ => frame.best.and_then(|best| frame.features.iter().position(|&f| f == best)),
        }
    }
}
