//! Settings, checked once, and the four stages in order.

use crate::data::{Dataset, MissingValues};
use crate::decimal::{Decimal, Fraction};
use crate::encode::{
    ClassWeight, Costs, Encoded, Encoder, Encoding, Missing, Offer, Reduction, Thresholds, encode,
};
use crate::error::{Error, Result, Unfinished};
use crate::limits::{Limits, Pulse, StopFlag, StopReason, Watch};
use crate::memory;
use crate::model::{Model, Settings, Summary};
use crate::objective::{Objective, Price};
use crate::problem::Problem;
use crate::report::{Report, Solution, Status};
use crate::search::{
    self, Bounds, Constraints, Counters, Engine, Journal, Observer, Outcome, Start, Task,
    complexity_bound,
};
use crate::stakes::Stakes;
use crate::tree::Tree;
use crate::warm::policy_of;
use std::num::NonZeroUsize;
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
    pub(crate) split_penalty: Decimal,
    pub(crate) price: Price,
    pub(crate) offer: Offer,
    pub(crate) missing_values: MissingValues,
    pub(crate) class_weight: ClassWeight,
    pub(crate) costs: Option<Costs>,
    pub(crate) engine: Engine,
    pub(crate) constraints: Constraints,
    pub(crate) bounds: Bounds,
    pub(crate) limits: Limits,
    start: Option<Model>,
}

impl Default for Solver {
    fn default() -> Self {
        Solver {
            split_penalty: Decimal::from(0.01),
            price: Price::default(),
            offer: Offer::default(),
            missing_values: MissingValues::default(),
            class_weight: ClassWeight::default(),
            costs: None,
            engine: Engine::default(),
            constraints: Constraints::default(),
            bounds: Bounds::default(),
            limits: Limits::default(),
            start: None,
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
        self.offer.encoding = encoding;
        self
    }

    /// Which splits columns offer, in every detail.
    #[must_use]
    pub fn offer(mut self, offer: Offer) -> Self {
        self.offer = offer;
        self
    }

    /// How many thresholds a column of numbers, dates or ordered values offers.
    #[must_use]
    pub fn thresholds(mut self, thresholds: Thresholds) -> Self {
        self.offer.thresholds = thresholds;
        self
    }

    /// Take the rarest values of a column as one, so that it has at most so many.
    #[must_use]
    pub fn max_categories(mut self, most: usize) -> Self {
        self.offer.max_categories = Some(most);
        self
    }

    /// What becomes of rows that have no value in some column.
    #[must_use]
    pub fn missing(mut self, missing: Missing) -> Self {
        self.offer.missing = missing;
        self
    }

    /// The spellings of missing values with which the table was read. The model keeps them, so that
    /// new rows are read alike.
    #[must_use]
    pub fn missing_values(mut self, missing_values: MissingValues) -> Self {
        self.missing_values = missing_values;
        self
    }

    /// What the rows of each class weigh.
    #[must_use]
    pub fn class_weight(mut self, class_weight: ClassWeight) -> Self {
        self.class_weight = class_weight;
        self
    }

    /// What answers cost: then the best tree is one that maximises 1 − cost / worst − λ · splits, where
    /// `worst` is what the worst answer for each row would cost, and a leaf answers with the class of
    /// least cost.
    #[must_use]
    pub fn costs(mut self, costs: Costs) -> Self {
        self.costs = Some(costs);
        self
    }

    /// Which search to run.
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.engine = engine;
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
        self.constraints.max_depth = Some(depth);
        self
    }

    /// The fewest rows in a leaf.
    #[must_use]
    pub fn min_leaf(mut self, rows: u64) -> Self {
        self.constraints.min_leaf = Some(rows);
        self
    }

    /// The fewest rows in a leaf, as a share of the rows that are learnt from, rounded up.
    #[must_use]
    pub fn min_leaf_share(mut self, share: impl Into<Decimal>) -> Self {
        self.constraints.min_leaf_share = Some(share.into());
        self
    }

    /// The column that the first split must ask about: the best tree is one of those.
    #[must_use]
    pub fn first_column(mut self, column: impl Into<String>) -> Self {
        self.offer.first_column = Some(column.into());
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

    /// Let the memo of the engine `fast` hold at most so many bytes; it only takes longer.
    #[must_use]
    pub fn memo_limit(mut self, bytes: u64) -> Self {
        self.limits.memo = Some(bytes);
        self
    }

    /// Let the engine `fast` use so many threads; the proven answer does not depend on it. Without
    /// this it runs on the caller's thread alone.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.limits.threads = Some(threads);
        self
    }

    /// Stop when this flag is raised, by another thread or a signal.
    #[must_use]
    pub fn stop_flag(mut self, flag: StopFlag) -> Self {
        self.limits.stop = flag;
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
        self.checked().map(drop)
    }

    /// The largest total weight, in integer units, for which exact arithmetic is sure to do on a table
    /// of so many rows: what [`Dataset::with_weights_up_to`] asks for.
    pub fn most_weight(&self, n_rows: usize) -> Result<u64> {
        Ok(Objective::most_weight(self.penalty()?, n_rows))
    }

    /// λ and the engine that will run.
    pub(crate) fn checked(&self) -> Result<(Fraction, Engine)> {
        self.constraints.check()?;
        self.offer.check()?;
        Ok((self.penalty()?, self.engine.resolve()))
    }

    fn penalty(&self) -> Result<Fraction> {
        let found = || Error::BadPenalty { found: self.split_penalty.as_str().to_string() };
        if self.split_penalty.is_negative() {
            return Err(found());
        }
        let penalty = self.split_penalty.fraction()?;
        if penalty.numerator >= penalty.denominator { Err(found()) } else { Ok(penalty) }
    }

    /// Find the best tree, telling somebody how it goes.
    pub fn fit_observed(&self, dataset: &Dataset, observer: &mut dyn Observer) -> Result<Solution> {
        let (penalty, engine) = self.checked()?;
        let watch = Watch::start(&self.limits);
        let ground = self.ground(dataset, &watch, observer)?;
        let objective = ground.objective(penalty, self.price)?;
        let problem = ground.stakes.searched();
        let start = self.start.as_ref().map(|model| policy_of(model, &ground.encoder, problem));
        let start = start.as_ref().map(|policy| Start { policy, until_better: false });
        let task = Task { start, ..ground.task(&objective, self.bounds) };
        let mut journal = Journal::new(&objective, observer);
        let outcome = match ground.stopped {
            Some(reason) => Outcome::nothing_tried(task, reason),
            None => search::run(engine, task, &watch, &mut journal),
        };
        let tree = ground.stakes.tree(&outcome.policy);
        let (status, mut report) = assess(task, &tree, &outcome);
        if let Some(bytes) = memory::peak() {
            report.counters.peak_bytes = bytes as u64;
        }
        report.seconds = watch.elapsed().as_secs_f64();
        report.trace = journal.close(report.progress());
        self.solution(dataset, &ground, tree, (status, report))
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
            encode(dataset, &self.offer, pulse, &mut |features| observer.encoding(features))?;
        let weighed = |problem, pulse: &mut Pulse| {
            let settings = (&self.class_weight, self.costs.as_ref());
            Stakes::new(settings, problem, dataset.target().values(), pulse)
        };
        let stakes = match weighed(problem, pulse) {
            Err(Unfinished::Stopped(reason)) => {
                stopped = Some(reason);
                let unsplit = Encoded::unsplit(dataset, &self.offer, reason)?.problem;
                weighed(unsplit, &mut Watch::endless().pulse())?
            }
            stakes => stakes?,
        };
        let constraints = self.constraints.for_rows(reduction.rows)?;
        let ground = Ground { encoder, reduction, stakes, constraints, stopped };
        if let Some(column) = &self.offer.first_column {
            let objective = ground.objective(self.penalty()?, self.price)?;
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
        (status, mut report): (Status, Report),
    ) -> Result<Solution> {
        report.reduction = ground.reduction;
        report.cost = ground.stakes.cost(report.score, dataset.weight_scale());
        let summary = Summary::new(status, &report);
        let settings = self.settings(ground.constraints.clone());
        let model = Model::new(dataset, ground.encoder.clone(), tree, settings, summary);
        Ok(Solution { model: model.weighed_by(ground.stakes.class_units())?, status, report })
    }

    fn settings(&self, constraints: Constraints) -> Settings {
        Settings {
            split_penalty: self.split_penalty.as_str().to_string(),
            price: self.price,
            offer: self.offer.clone(),
            missing_values: self.missing_values.clone(),
            class_weight: self.class_weight.clone(),
            costs: self.costs.clone(),
            engine: self.engine.resolve(),
            constraints,
        }
    }
}

/// A table, encoded and weighed: what a search with any λ begins with.
pub(crate) struct Ground {
    encoder: Encoder,
    reduction: Reduction,
    pub(crate) stakes: Stakes,
    constraints: Constraints,
    /// What ended the encoding early, if anything did.
    pub(crate) stopped: Option<StopReason>,
}

impl Ground {
    pub(crate) fn objective(&self, penalty: Fraction, price: Price) -> Result<Objective> {
        Objective::new(penalty, price, self.stakes.whole(), self.stakes.searched().n_units())
    }

    pub(crate) fn task<'a>(&'a self, objective: &'a Objective, bounds: Bounds) -> Task<'a> {
        let problem = self.stakes.searched();
        Task { problem, objective, constraints: &self.constraints, bounds, start: None }
    }
}

/// What a tree achieves, and whether it is proven to be the best.
fn assess(task: Task, tree: &Tree, outcome: &Outcome) -> (Status, Report) {
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
    (status, report)
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
