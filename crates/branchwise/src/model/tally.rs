//! Adds up the accuracy and the cost of a model's answers on rows whose classes are known, directly from
//! the definition.

use super::Model;
use crate::encode::CostMatrix;
use crate::error::{Error, Result};
use crate::objective::{Score, objective_of};
use crate::report::{AnswerCost, CostScale};
use crate::tree::NodeId;

/// Answers compared with the truth. Sums are wide: no table overflows them.
pub(super) struct Tally<'m> {
    model: &'m Model,
    costs: Option<CostMatrix>,
    /// How many units of weight a row of weight 1 has.
    scale: f64,
    correct: u128,
    total: u128,
    cost: u128,
    worst: u128,
}

impl<'m> Tally<'m> {
    /// For rows with this many units of weight to one, before classes are weighted.
    pub(super) fn new(model: &'m Model, weight_scale: u64) -> Result<Self> {
        let costs = model.cost_matrix()?;
        let class_scale = model.class_weights.as_ref().map_or(1, |weights| weights.scale);
        let scale = weight_scale as f64 * class_scale as f64;
        Ok(Tally { model, costs, scale, correct: 0, total: 0, cost: 0, worst: 0 })
    }

    /// Count the answer of the node where a row ends, and return it. The weight is the row's own, before
    /// classes are weighted. A class that training did not see is always answered wrongly, and has no costs.
    pub(super) fn add(&mut self, class: Option<usize>, end: NodeId, weight: u64) -> usize {
        let answer = self.model.tree.node(end).counts().answer() as usize;
        let weight = u128::from(self.model.class_weighted(class, weight));
        self.total += weight;
        self.correct += if class == Some(answer) { weight } else { 0 };
        if let (Some(costs), Some(class)) = (&self.costs, class) {
            self.cost += weight * u128::from(costs.cost(class, answer));
            self.worst += weight * u128::from(costs.worst(class));
        }
        answer
    }

    pub(super) fn accuracy(&self) -> f64 {
        self.correct as f64 / self.total.max(1) as f64
    }

    /// What the answers cost in the user's unit, where they have costs.
    pub(super) fn cost(&self) -> Option<AnswerCost> {
        let unit = self.costs.as_ref()?.unit.to_f64();
        let scale = CostScale { unit, weight: self.scale };
        Some(AnswerCost::new(self.cost, self.worst, scale))
    }

    /// The objective of a tree for which λ is paid this often.
    pub(super) fn objective(&self, paid: u64) -> Result<f64> {
        let (gained, whole) = match self.costs {
            Some(_) => (self.worst - self.cost, self.worst),
            None => (self.correct, self.total),
        };
        let narrow = |number: u128| {
            u64::try_from(number).map_err(|_| Error::Overflow { total: number, rows: 1 })
        };
        let (correct, worth) = (narrow(gained)?, narrow(whole.max(1))?);
        let penalty = self.model.settings.goal.split_penalty.fraction()?;
        Ok(objective_of(penalty, worth, Score { correct, paid, splits: 0 }))
    }
}
