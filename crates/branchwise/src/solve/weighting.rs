//! How much each row counts: class weights and costs, applied before the search.
//!
//! The search maximises the total weight of the rows that are answered correctly. Class weights multiply
//! the weight of each row. Costs are turned into votes: a row votes for each answer in proportion to what
//! that answer saves, and the search finds the tree with the most votes. The tree that is returned counts
//! rows by their true classes again.
//!
//! Rows of weight 0 are searched as votes too: they vote for every answer alike.

use crate::encode::{ClassWeights, CostMatrix};
use crate::error::Unfinished;
use crate::limits::Pulse;
use crate::objective::{Score, Whole};
use crate::problem::Problem;
use crate::report::{AnswerCost, CostScale};
use crate::search::Policy;
use crate::settings::Goal;
use crate::tree::{self, Tree};

/// A problem whose rows are weighted by class and, where answers have costs, the votes of the rows.
pub(crate) struct Weighting {
    /// The rows with their true classes, which the tree counts.
    problem: Problem,
    class_weights: Option<ClassWeights>,
    votes: Option<Votes>,
}

/// The problem in which rows vote for answers by what these save.
struct Votes {
    /// What answers cost. Every error costs 1 where rows of weight 0 are the only reason for votes.
    costs: CostMatrix,
    /// Whether the user gave costs.
    has_costs: bool,
    problem: Problem,
    whole: Whole,
}

impl Weighting {
    /// Apply class weights and costs to a problem with these classes.
    pub(crate) fn new(
        goal: &Goal,
        problem: Problem,
        classes: &[String],
        pulse: &mut Pulse,
    ) -> Result<Self, Unfinished> {
        let class_weights = goal.class_weight.weights(classes, &problem)?;
        let problem = match &class_weights {
            Some(units) => units.weigh(&problem, pulse)?,
            None => problem,
        };
        let has_costs = goal.costs.is_some();
        let costs = match &goal.costs {
            Some(costs) => Some(costs.matrix(classes)?),
            None => problem.has_weightless().then(|| CostMatrix::of_errors(classes.len())),
        };
        let hold = |costs: CostMatrix| -> Result<Votes, Unfinished> {
            let (problem, whole) = costs.votes(&problem, pulse)?;
            Ok(Votes { costs, has_costs, problem, whole })
        };
        let votes = costs.map(hold).transpose()?;
        Ok(Weighting { problem, class_weights, votes })
    }

    /// The problem that the search works on.
    pub(crate) fn searched(&self) -> &Problem {
        self.votes.as_ref().map_or(&self.problem, |votes| &votes.problem)
    }

    /// The total by which the objective is divided.
    pub(crate) fn whole(&self) -> Whole {
        let total = || Whole::from(self.problem.total_weight());
        self.votes.as_ref().map_or_else(total, |votes| votes.whole)
    }

    /// The tree that the search found, with the counts of the true classes.
    pub(crate) fn tree(&self, policy: &Policy) -> Tree {
        let tree = tree::extract(policy, &self.problem);
        match &self.votes {
            Some(Votes { costs, has_costs: true, .. }) => {
                tree.with_saved(|weights| costs.saved(weights))
            }
            _ => tree,
        }
    }

    /// What the answers of a tree cost.
    pub(crate) fn cost(&self, score: Score, weight_scale: u64) -> Option<AnswerCost> {
        let votes = self.votes.as_ref().filter(|votes| votes.has_costs);
        let Votes { costs, whole, .. } = votes?;
        let class_scale = self.class_weights.as_ref().map_or(1, |weights| weights.scale);
        let weight = weight_scale as f64 * class_scale as f64;
        let scale = CostScale { unit: costs.unit.to_f64(), weight };
        let total = whole.worth - score.correct;
        Some(AnswerCost::new(total.into(), whole.worth.into(), scale))
    }

    /// The weight of each class, which the model stores.
    pub(crate) fn class_weights(&self) -> Option<ClassWeights> {
        self.class_weights.clone()
    }
}
