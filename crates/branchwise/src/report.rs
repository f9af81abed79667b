//! The answer, and what it took to find.

use crate::encode::Reduction;
use crate::model::Model;
use crate::objective::Score;
use crate::search::{Counters, Progress, StopReason, TracePoint};
use serde::{Deserialize, Serialize};

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// No tree is better: proven.
    Optimal,
    /// A limit was reached; the tree is the best found, and the report's gap bounds what is missing.
    Stopped(StopReason),
}

impl Status {
    /// Whether the tree is proven to be optimal.
    pub fn is_optimal(self) -> bool {
        self == Status::Optimal
    }
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The tree, with all that is needed to apply it.
    pub model: Model,
    /// Whether it is proven.
    pub status: Status,
    /// What it achieves, and what it took to find.
    pub report: Report,
}

/// What answers cost, in the user's unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// What they cost together.
    pub total: f64,
    /// The most that answers could have cost: for each row that of its worst one.
    pub worst: f64,
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
    pub cost: Option<Cost>,
    /// What the objective is made of, in exact numbers.
    pub score: Score,
    /// Leaves of the tree.
    pub leaves: usize,
    /// The most splits on the way to a leaf.
    pub depth: usize,
    /// What the search did.
    pub counters: Counters,
    /// The paper's bound on the number of evaluations, for this table and λ.
    pub complexity_bound: f64,
    /// What became of rows and features before the search.
    pub reduction: Reduction,
    /// Seconds that encoding and search took.
    pub seconds: f64,
    /// Objective and bound each time one of them moved.
    pub trace: Vec<TracePoint>,
}

impl Report {
    /// By how much another tree could be better at most.
    pub fn gap(&self) -> f64 {
        self.upper_bound - self.objective
    }

    /// The gap in relation to the bound.
    pub fn relative_gap(&self) -> f64 {
        if self.upper_bound > 0.0 { self.gap() / self.upper_bound } else { 0.0 }
    }

    /// The number of splits.
    pub fn splits(&self) -> u64 {
        self.score.splits
    }

    /// The end as a moment of the search.
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
