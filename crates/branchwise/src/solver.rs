//! Settings, checked once, and the four stages in order.

use crate::data::Dataset;
use crate::decimal::Decimal;
use crate::encode::{Encoding, Reduction, encode};
use crate::error::Result;
use crate::model::{Model, Settings, Summary};
use crate::objective::{Objective, Price, Score};
use crate::search::{
    self, Constraints, Counters, Engine, Journal, Limits, Observer, StopFlag, StopReason, Task,
    TracePoint, Watch, complexity_bound,
};
use crate::tree;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Finds the best tree for a table.
///
/// ```
/// use branchwise::{Builtin, Price, Solver};
/// let solver = Solver::new().split_penalty(0.02).price(Price::Leaf).max_depth(4);
/// let solution = solver.fit(&Builtin::Monk3.dataset()?)?;
/// assert!(solution.model.tree().depth() <= 4);
/// # Ok::<(), branchwise::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solver {
    split_penalty: Decimal,
    price: Price,
    encoding: Encoding,
    engine: Engine,
    constraints: Constraints,
    limits: Limits,
}

impl Default for Solver {
    fn default() -> Self {
        Solver {
            split_penalty: Decimal::from(0.01),
            price: Price::default(),
            encoding: Encoding::default(),
            engine: Engine::default(),
            constraints: Constraints::default(),
            limits: Limits::default(),
        }
    }
}

impl Solver {
    /// A solver with λ = 0.01 and no limits.
    pub fn new() -> Self {
        Solver::default()
    }

    /// λ: how much accuracy a split must bring, at least 0 and less than 1. A float means its
    /// shortest decimal form.
    #[must_use]
    pub fn split_penalty(mut self, penalty: impl Into<Decimal>) -> Self {
        self.split_penalty = penalty.into();
        self
    }

    /// What a multi-way split costs.
    #[must_use]
    pub fn price(mut self, price: Price) -> Self {
        self.price = price;
        self
    }

    /// Which splits columns offer.
    #[must_use]
    pub fn encoding(mut self, encoding: Encoding) -> Self {
        self.encoding = encoding;
        self
    }

    /// Which search to run.
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
        self
    }

    /// The most splits between the root and a leaf.
    #[must_use]
    pub fn max_depth(mut self, depth: u32) -> Self {
        self.constraints.max_depth = Some(depth);
        self
    }

    /// The fewest rows in a leaf.
    #[must_use]
    pub fn min_leaf(mut self, rows: u64) -> Self {
        self.constraints.min_leaf = Some(rows);
        self
    }

    /// The most leaves.
    #[must_use]
    pub fn max_leaves(mut self, leaves: u32) -> Self {
        self.constraints.max_leaves = Some(leaves);
        self
    }

    /// The most splits.
    #[must_use]
    pub fn max_splits(mut self, splits: u32) -> Self {
        self.constraints.max_splits = Some(splits);
        self
    }

    /// Stop after this time, with the best tree found and its gap.
    #[must_use]
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.limits.time = Some(time);
        self
    }

    /// Stop after so many iterations.
    #[must_use]
    pub fn iteration_limit(mut self, iterations: u64) -> Self {
        self.limits.iterations = Some(iterations);
        self
    }

    /// Stop before holding more bytes than this.
    #[must_use]
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.limits.memory = Some(bytes);
        self
    }

    /// Stop when this flag is raised, by another thread or a signal.
    #[must_use]
    pub fn stop_flag(mut self, flag: StopFlag) -> Self {
        self.limits.stop = flag;
        self
    }

    /// Find the best tree.
    pub fn fit(&self, dataset: &Dataset) -> Result<Solution> {
        self.fit_observed(dataset, &mut ())
    }

    /// Find the best tree, telling somebody how it goes.
    pub fn fit_observed(&self, dataset: &Dataset, observer: &mut dyn Observer) -> Result<Solution> {
        let penalty = self.split_penalty.fraction()?;
        self.constraints.check()?;

        let (encoder, problem, reduction) = encode(dataset, self.encoding);
        let objective =
            Objective::new(penalty, self.price, problem.total_weight(), problem.n_units())?;
        let task =
            Task { problem: &problem, objective: &objective, constraints: &self.constraints };
        let watch = Watch::start(&self.limits);
        let mut journal = Journal::new(&objective, observer);
        let outcome = search::run(self.engine, task, &watch, &mut journal);
        let tree = tree::extract(&outcome.policy, &problem);

        let score = tree.score(self.price);
        let value = objective.value(score);
        debug_assert!(value <= outcome.upper, "the bound bounds the tree");
        // A tree that reaches the bound is optimal, even if the search was stopped before it knew.
        let status = match outcome.stopped {
            Some(reason) if value < outcome.upper => Status::Stopped(reason),
            _ => Status::Optimal,
        };
        let objective_found = objective.of(score);
        let upper_bound = match status {
            Status::Optimal => objective_found,
            Status::Stopped(_) => objective.bound(outcome.upper).max(objective_found),
        };
        let n_categories = problem.features().map(|(_, f)| f.categories.len()).max().unwrap_or(0);
        let report = Report {
            objective: objective_found,
            upper_bound,
            accuracy: objective.accuracy(score),
            score,
            leaves: tree.n_leaves(),
            depth: tree.depth(),
            counters: outcome.counters,
            complexity_bound: complexity_bound(
                problem.n_features(),
                n_categories,
                problem.n_classes(),
                penalty,
            ),
            reduction,
            seconds: watch.elapsed().as_secs_f64(),
            trace: journal.into_trace(),
        };
        let settings = Settings {
            split_penalty: self.split_penalty.as_str().to_string(),
            price: self.price,
            encoding: self.encoding,
            engine: self.engine,
            constraints: self.constraints.clone(),
        };
        let summary = Summary::new(status, &report);
        let model = Model::new(dataset, encoder, tree, settings, summary);
        Ok(Solution { model, status, report })
    }
}

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

/// What a tree achieves, and what it took to find.
#[derive(Clone, Debug)]
pub struct Report {
    /// accuracy − λ · splits.
    pub objective: f64,
    /// No tree has a larger objective.
    pub upper_bound: f64,
    /// The share of weight classified correctly.
    pub accuracy: f64,
    /// The same in exact numbers.
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
    /// Seconds that the search took.
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
}
