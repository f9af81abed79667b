//! How good a tree is, and how much work it took to find.

use crate::encode::Reduction;
use crate::objective::Score;
use crate::search::{Counters, Progress, StopReason, TracePoint};
use serde::{Deserialize, Serialize};

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// No tree is better: proven.
    Optimal,
    /// A limit was reached. The tree is the best found; no tree is better by more than the report's gap.
    Stopped(StopReason),
}

impl Status {
    /// Whether the tree is proven to be optimal.
    pub fn is_optimal(self) -> bool {
        self == Status::Optimal
    }
}

/// What the answers of a tree cost, in the user's unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerCost {
    /// The total cost.
    pub total: f64,
    /// The largest possible total: every row gets its most expensive answer.
    pub worst: f64,
}

/// The units in which the library adds up costs: whole numbers of weight · cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostScale {
    /// What a unit of the cost matrix is worth in the user's numbers.
    pub(crate) unit: f64,
    /// How many units of weight a row of weight 1 has.
    pub(crate) weight: f64,
}

impl AnswerCost {
    /// Sums of weight · cost in the user's numbers.
    pub(crate) fn new(total: u128, worst: u128, scale: CostScale) -> Self {
        let in_user_numbers = |units: u128| units as f64 * scale.unit / scale.weight;
        AnswerCost { total: in_user_numbers(total), worst: in_user_numbers(worst) }
    }
}

/// What a tree achieves, and what it took to find.
#[derive(Clone, Debug)]
pub struct Report {
    /// accuracy − λ · splits or, where answers have costs, 1 − cost / worst − λ · splits.
    pub objective: f64,
    /// No tree has a larger objective.
    pub upper_bound: f64,
    /// The share of weight classified correctly.
    pub accuracy: f64,
    /// The weight classified correctly, in the table's integer unit.
    pub correct_weight: u64,
    /// What the answers cost, where they have costs.
    pub cost: Option<AnswerCost>,
    /// What the objective is made of, in exact numbers.
    pub score: Score,
    /// Leaves of the tree.
    pub leaves: usize,
    /// The largest number of splits between the root and a leaf.
    pub depth: usize,
    /// What the search did.
    pub counters: Counters,
    /// The paper's bound on the number of evaluations, for this table and λ.
    pub complexity_bound: f64,
    /// How many rows and features were merged or left out before the search.
    pub reduction: Reduction,
    /// Seconds that encoding and search took.
    pub seconds: f64,
    /// Objective and bound, each time that one of them changed.
    pub trace: Vec<TracePoint>,
}

impl Report {
    /// No tree is better by more than this.
    pub fn gap(&self) -> f64 {
        self.upper_bound - self.objective
    }

    /// The gap divided by the bound.
    pub fn relative_gap(&self) -> f64 {
        if self.upper_bound > 0.0 { self.gap() / self.upper_bound } else { 0.0 }
    }

    /// The number of splits.
    pub fn splits(&self) -> u64 {
        self.score.splits
    }

    /// The final state of the search, as progress.
    pub(crate) fn progress(&self) -> Progress {
        Progress {
            seconds: self.seconds,
            objective: self.objective,
            upper_bound: self.upper_bound,
            iterations: self.counters.iterations,
            branches: self.counters.memo_size,
            bytes: self.counters.peak_bytes,
        }
    }
}
