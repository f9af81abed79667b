//! The solver: it takes the settings and runs the four stages in order.
//!
//! [`Solver::fit`] encodes the table ([`crate::encode`]), weights its rows (`weighting`), searches
//! ([`crate::search`]) and returns the tree as a [`Model`] with its proof or its gap. A search can start from
//! the tree of an earlier model (`warm`).

mod warm;
mod weighting;

use crate::data::{Dataset, MissingValues};
use crate::decimal::{Decimal, Fraction};
use crate::encode::{
    ClassWeight, Costs, Encoded, Encoder, Encoding, Missing, Offer, Reduction, Thresholds, encode,
};
use crate::error::{Error, Result, Unfinished};
use crate::limits::{Limits, Pulse, StopFlag, StopReason, Watch};
use crate::memory;
use crate::model::{Model, Summary};
use crate::objective::{Objective, Price};
use crate::problem::Problem;
use crate::report::{Report, Status};
use crate::search::{
    self, Bounds, Constraints, Counters, Engine, Journal, Observer, Outcome, Start, Task,
    complexity_bound,
};
use crate::settings::{Goal, Settings};
use crate::tree::Tree;
use std::num::NonZeroUsize;
use std::time::Duration;
use warm::policy_of;
use weighting::Weighting;

/// Finds the best tree for a table.
///
/// ```
/// use branchwise::{Builtin, Price, Solver};
/// let solver = Solver::new().split_penalty(0.02).price(Price::Leaf).max_depth(4);
/// let solution = solver.fit(&Builtin::Monk3.dataset()?)?;
/// assert!(solution.model.tree().depth() <= 4);
/// # Ok::<(), branchwise::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Solver {
    settings: Settings,
    bounds: Bounds,
    /// The part of the time limit that was used before the solver was called.
    time_spent: Duration,
    start: Option<Model>,
}

/// The tree that was found.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The tree, with everything that is needed to apply it.
    pub model: Model,
    /// Whether it is proven optimal.
    pub status: Status,
    /// How good it is, and how much work it took to find.
    pub report: Report,
}

impl Solver {
    /// A solver with λ = 0.01 and no limits.
    pub fn new() -> Self {
        Solver::default()
    }

    /// Take all settings at once.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The part of the time limit that was used before the solver is called, for example to read the table.
    #[must_use]
    pub fn time_spent(mut self, time: Duration) -> Self {
        self.time_spent = time;
        self
    }

    /// λ: how much accuracy a split must bring, at least 0 and less than 1. A float means its
    /// shortest decimal form.
    #[must_use]
    pub fn split_penalty(mut self, penalty: impl Into<Decimal>) -> Self {
        self.settings.goal.split_penalty = penalty.into();
        self
    }

    /// What a multi-way split costs.
    #[must_use]
    pub fn price(mut self, price: Price) -> Self {
        self.settings.goal.price = price;
        self
    }

    /// Which splits columns offer.
    #[must_use]
    pub fn encoding(mut self, encoding: Encoding) -> Self {
        self.settings.offer.encoding = encoding;
        self
    }

    /// Which splits columns offer, in every detail.
    #[must_use]
    pub fn offer(mut self, offer: Offer) -> Self {
        self.settings.offer = offer;
        self
    }

    /// How many thresholds a column of numbers, dates or ordered values offers.
    #[must_use]
    pub fn thresholds(mut self, thresholds: Thresholds) -> Self {
        self.settings.offer.thresholds = thresholds;
        self
    }

    /// Take the rarest values of a column as one, so that it has at most this many.
    #[must_use]
    pub fn max_categories(mut self, most: usize) -> Self {
        self.settings.offer.max_categories = Some(most);
        self
    }

    /// How to treat rows with missing values.
    #[must_use]
    pub fn missing(mut self, missing: Missing) -> Self {
        self.settings.offer.missing = missing;
        self
    }

    /// The spellings of missing values with which the table was read. The model keeps them, so that
    /// new rows are read in the same way.
    #[must_use]
    pub fn missing_values(mut self, missing_values: MissingValues) -> Self {
        self.settings.missing_values = missing_values;
        self
    }

    /// How much the rows of each class weigh.
    #[must_use]
    pub fn class_weight(mut self, class_weight: ClassWeight) -> Self {
        self.settings.goal.class_weight = class_weight;
        self
    }

    /// What answers cost: then the best tree is one that maximises 1 − cost / worst − λ · splits, where
    /// `worst` is what the worst answer for each row would cost, and a leaf answers with the class of
    /// least cost.
    #[must_use]
    pub fn costs(mut self, costs: Costs) -> Self {
        self.settings.goal.costs = Some(costs);
        self
    }

    /// Which search to run.
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.settings.engine = engine;
        self
    }

    /// Which bounds the engine `fast` uses: for tests and experiments.
    #[must_use]
    pub fn bounds(mut self, bounds: Bounds) -> Self {
        self.bounds = bounds;
        self
    }

    /// The most splits between the root and a leaf.
    #[must_use]
    pub fn max_depth(mut self, depth: u32) -> Self {
        self.settings.constraints.max_depth = Some(depth);
        self
    }

    /// The fewest rows in a leaf.
    #[must_use]
    pub fn min_leaf(mut self, rows: u64) -> Self {
        self.settings.constraints.min_leaf = Some(rows);
        self
    }

    /// The fewest rows in a leaf, as a share of the rows that are learnt from, rounded up.
    #[must_use]
    pub fn min_leaf_share(mut self, share: impl Into<Decimal>) -> Self {
        self.settings.constraints.min_leaf_share = Some(share.into());
        self
    }

    /// The column that the first split must ask about: the best tree is one of those.
    #[must_use]
    pub fn first_column(mut self, column: impl Into<String>) -> Self {
        self.settings.offer.first_column = Some(column.into());
        self
    }

    /// The most leaves.
    #[must_use]
    pub fn max_leaves(mut self, leaves: u32) -> Self {
        self.settings.constraints.max_leaves = Some(leaves);
        self
    }

    /// The most splits.
    #[must_use]
    pub fn max_splits(mut self, splits: u32) -> Self {
        self.settings.constraints.max_splits = Some(splits);
        self
    }

    /// Stop after this time, with the best tree found and its gap.
    #[must_use]
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.settings.limits.time = Some(time);
        self
    }

    /// Stop after this many iterations.
    #[must_use]
    pub fn iteration_limit(mut self, iterations: u64) -> Self {
        self.settings.limits.iterations = Some(iterations);
        self
    }

    /// Stop before holding more bytes than this.
    #[must_use]
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.settings.limits.memory = Some(bytes);
        self
    }

    /// Let the memo of the engine `fast` hold at most this many bytes; the search only takes longer.
    #[must_use]
    pub fn memo_limit(mut self, bytes: u64) -> Self {
        self.settings.limits.memo = Some(bytes);
        self
    }

    /// Let the engine `fast` use this many threads; the proven answer does not depend on it. Without
    /// this it runs on the caller's thread alone.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.settings.limits.threads = Some(threads);
        self
    }

    /// Stop when this flag is raised, by another thread or a signal.
    #[must_use]
    pub fn stop_flag(mut self, flag: StopFlag) -> Self {
        self.settings.limits.stop = flag;
        self
    }

    /// Start from the tree of an earlier model of the same columns, as far as their splits are still
    /// offered: what is found is then at least as good. (The engine `paper` takes no notice.)
    #[must_use]
    pub fn start_from(mut self, model: Model) -> Self {
        self.start = Some(model);
        self
    }

    /// Find the best tree.
    pub fn fit(&self, dataset: &Dataset) -> Result<Solution> {
        self.fit_observed(dataset, &mut ())
    }

    /// Refuse settings that cannot be met, before there is a table to try them on.
    pub fn check(&self) -> Result<()> {
        self.settings.check()
    }

    /// The largest total weight, in integers, for which exact arithmetic is certain to suffice on a table with
    /// this many rows: the argument of [`Dataset::with_weights_up_to`].
    pub fn most_weight(&self, n_rows: usize) -> Result<u64> {
        Ok(Objective::most_weight(self.settings.goal.penalty()?, n_rows))
    }

    /// The bounds that the engine `fast` uses.
    pub(crate) fn bounds_used(&self) -> Bounds {
        self.bounds
    }

    /// A watch that starts now and ends when the limits are reached.
    pub(crate) fn watch(&self) -> Watch {
        self.watch_after(Duration::ZERO)
    }

    /// The same, where this much more of the time is used up.
    pub(crate) fn watch_after(&self, spent: Duration) -> Watch {
        let limits = &self.settings.limits;
        let spent = self.time_spent.saturating_add(spent);
        let time = limits.time.map(|time| time.saturating_sub(spent));
        Watch::start(&Limits { time, ..limits.clone() })
    }

    /// Find the best tree, and report progress to an observer.
    pub fn fit_observed(&self, dataset: &Dataset, observer: &mut dyn Observer) -> Result<Solution> {
        self.check()?;
        let watch = self.watch();
        let ground = self.ground(dataset, &watch, observer)?;
        let objective = ground.objective(&self.settings.goal)?;
        let problem = ground.weighting.searched();
        let start = self.start.as_ref().map(|model| policy_of(model, &ground.encoder, problem));
        let start = start.as_ref().map(|policy| Start { policy, until_better: false });
        let task = Task { start, ..ground.task(&objective, self.bounds) };
        let mut journal = Journal::new(&objective, observer);
        let outcome = match ground.stopped {
            Some(reason) => Outcome::nothing_tried(task, reason),
            None => search::run(self.settings.engine.resolve(), task, &watch, &mut journal),
        };
        let tree = ground.weighting.tree(&outcome.policy);
        let Assessed { status, mut report } = assess(task, &tree, &outcome);
        if let Some(bytes) = memory::peak() {
            report.counters.peak_bytes = bytes as u64;
        }
        report.seconds = watch.elapsed().as_secs_f64();
        report.trace = journal.close(report.progress());
        self.solution(dataset, &ground, tree, Assessed { status, report })
    }

    /// Encode a table and weigh its rows.
    pub(crate) fn ground(
        &self,
        dataset: &Dataset,
        watch: &Watch,
        observer: &mut dyn Observer,
    ) -> Result<Ground> {
        observer.encoding(0);
        let pulse = &mut watch.pulse();
        let Encoded { encoder, problem, reduction, mut stopped } =
            encode(dataset, &self.settings.offer, pulse, &mut |features| {
                observer.encoding(features)
            })?;
        let weighed = |problem, pulse: &mut Pulse| {
            Weighting::new(&self.settings.goal, problem, dataset.target().values(), pulse)
        };
        let weighting = match weighed(problem, pulse) {
            Err(Unfinished::Stopped(reason)) => {
                stopped = Some(reason);
                let unsplit = Encoded::unsplit(dataset, &self.settings.offer, reason)?.problem;
                weighed(unsplit, &mut Watch::endless().pulse())?
            }
            weighting => weighting?,
        };
        let constraints = self.settings.constraints.for_rows(reduction.rows)?;
        let ground = Ground { encoder, reduction, weighting, constraints, stopped };
        if let Some(column) = &self.settings.offer.first_column {
            let objective = ground.objective(&self.settings.goal)?;
            if search::first_tree(ground.task(&objective, self.bounds)).is_none() {
                let problem =
                    "the limits on depth, leaves, splits or rows per leaf allow none".into();
                return Err(Error::FirstColumn { column: column.clone(), problem });
            }
        }
        Ok(ground)
    }

    /// A tree with all that is needed to apply it, and what it achieves.
    pub(crate) fn solution(
        &self,
        dataset: &Dataset,
        ground: &Ground,
        tree: Tree,
        assessed: Assessed,
    ) -> Result<Solution> {
        let Assessed { status, mut report } = assessed;
        report.reduction = ground.reduction;
        report.cost = ground.weighting.cost(report.score, dataset.weight_scale());
        let summary = Summary::new(status, &report);
        let settings = Settings {
            constraints: ground.constraints.clone(),
            engine: self.settings.engine.resolve(),
            ..self.settings.clone()
        };
        let model = Model::new(dataset, ground.encoder.clone(), tree, settings, summary);
        Ok(Solution { model: model.weighed_by(ground.weighting.class_units())?, status, report })
    }
}

/// How a search ended, and what its tree achieves.
pub(crate) struct Assessed {
    pub(crate) status: Status,
    pub(crate) report: Report,
}

/// A table, encoded and weighed: what a search with any λ begins with.
pub(crate) struct Ground {
    encoder: Encoder,
    reduction: Reduction,
    pub(crate) weighting: Weighting,
    constraints: Constraints,
    /// What ended the encoding early, if anything did.
    pub(crate) stopped: Option<StopReason>,
}

impl Ground {
    pub(crate) fn objective(&self, goal: &Goal) -> Result<Objective> {
        let (penalty, price) = (goal.penalty()?, goal.price);
        self.objective_at(penalty, price)
    }

    pub(crate) fn objective_at(&self, penalty: Fraction, price: Price) -> Result<Objective> {
        Objective::new(penalty, price, self.weighting.whole(), self.weighting.searched().n_units())
    }

    pub(crate) fn task<'a>(&'a self, objective: &'a Objective, bounds: Bounds) -> Task<'a> {
        let problem = self.weighting.searched();
        Task { problem, objective, constraints: &self.constraints, bounds, start: None }
    }
}

/// What a tree achieves, and whether it is proven to be the best.
fn assess(task: Task, tree: &Tree, outcome: &Outcome) -> Assessed {
    let Task { problem, objective, .. } = task;
    let mut report = achieved(problem, objective, tree);
    let value = objective.value(report.score);
    debug_assert!(value <= outcome.upper, "the bound bounds the tree");
    // A tree that reaches the bound is optimal, even if the search was stopped before it knew.
    let status = match outcome.stopped {
        Some(reason) if value < outcome.upper => Status::Stopped(reason),
        _ => Status::Optimal,
    };
    if !status.is_optimal() {
        report.upper_bound = objective.bound(outcome.upper).min(1.0).max(report.objective);
    }
    report.counters = outcome.counters;
    Assessed { status, report }
}

/// What a tree achieves, as if it were proven to be the best.
pub(crate) fn achieved(problem: &Problem, objective: &Objective, tree: &Tree) -> Report {
    let score = tree.score(objective.price());
    let found = objective.of(score);
    let n_categories = problem.features().map(|(_, f)| f.categories.len()).max().unwrap_or(0);
    let n_classes = tree.node(Tree::ROOT).counts().saved.is_empty().then_some(problem.n_classes());
    Report {
        objective: found,
        upper_bound: found,
        accuracy: tree.correct_weight() as f64 / tree.total_weight() as f64,
        correct_weight: tree.correct_weight(),
        cost: None,
        score,
        leaves: tree.n_leaves(),
        depth: tree.depth(),
        counters: Counters::default(),
        complexity_bound: complexity_bound(
            problem.n_features(),
            n_categories,
            n_classes,
            objective.penalty(),
        ),
        reduction: Reduction::default(),
        seconds: 0.0,
        trace: Vec::new(),
    }
}
