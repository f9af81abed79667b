//! What a model's answers are worth on rows whose classes are known, added up from the definition: right or
//! wrong, and what each answer costs.

use super::Model;
use crate::encode::CostMatrix;
use crate::error::{Error, Result};
use crate::objective::{Score, objective_of};
use crate::report::AnswerCost;

/// Answers compared with the truth. Sums are wide: no table overflows them.
pub(super) struct Tally<'m> {
    model: &'m Model,
    costs: Option<CostMatrix>,
    /// Weights are so many to one.
    scale: f64,
    correct: u128,
    total: u128,
    cost: u128,
    worst: u128,
}

impl<'m> Tally<'m> {
    /// For rows whose weights are so many to one before they are weighed by class.
    pub(super) fn new(model: &'m Model, weight_scale: u64) -> Result<Self> {
        let costs = model.cost_matrix()?;
        let class_scale = model.class_weights.as_ref().map_or(1, |weights| weights.scale);
        let scale = weight_scale as f64 * class_scale as f64;
        Ok(Tally { model, costs, scale, correct: 0, total: 0, cost: 0, worst: 0 })
    }

    /// A row of this class and weight got this answer. A class that training did not see is always
    /// answered wrongly, and has no costs.
    pub(super) fn add(&mut self, class: Option<usize>, answer: usize, weight: u64) {
        let weight = u128::from(weight);
        self.total += weight;
        self.correct += if class == Some(answer) { weight } else { 0 };
        if let (Some(costs), Some(class)) = (&self.costs, class) {
            self.cost += weight * u128::from(costs.cost(class, answer));
            self.worst += weight * u128::from(costs.worst(class));
        }
    }

    pub(super) fn accuracy(&self) -> f64 {
        self.correct as f64 / self.total.max(1) as f64
    }

    /// What the answers cost in the user's unit, where they have costs.
    pub(super) fn cost(&self) -> Option<AnswerCost> {
        let unit = self.costs.as_ref()?.unit.to_f64();
        let in_words = |units: u128| units as f64 * unit / self.scale;
        Some(AnswerCost { total: in_words(self.cost), worst: in_words(self.worst) })
    }

    /// The objective of a tree for which λ is paid so many times.
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
