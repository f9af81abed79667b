//! Read the best tree found so far off the graph: follow every branch's greedy action.

use super::graph::SearchGraph;
use crate::problem::Problem;
use crate::search::Policy;

impl SearchGraph {
    /// The policy of the greedy values; once the root is solved, an optimal one.
    ///
    /// Children may have found better trees since their parent's greedy value was computed, so the
    /// tree can be worth more than that value, never less.
    pub(super) fn unroll(&self, problem: &Problem) -> Policy {
        let mut policy = Policy::default();
        let mut pending = vec![(SearchGraph::ROOT, None)];
        while let Some((id, parent)) = pending.pop() {
            let Some(feature) = self.branch(id).greedy_split else { continue };
            let Some(split) = self.splits(id).iter().find(|split| split.feature == feature) else {
                continue;
            };
            let number = policy.push(feature, parent);
            for &child in self.greedily_selected(split).iter() {
                let mut clauses = self.clauses(child).iter();
                let clause = clauses.find(|&&clause| problem.feature_of(clause) == feature);
                pending.extend(clause.map(|&clause| (child, Some((number, clause)))));
            }
        }
        policy
    }
}
