//! The solver: it takes the settings and runs the four stages in order.
//!
//! [`Solver::fit`] encodes the table ([`crate::encode`]), weights its rows (`weighting`), searches
//! ([`crate::search`]) and returns the tree as a [`Model`] with its proof or its gap. A search can start from
//! the tree of an earlier model (`warm`).

mod builder;
mod warm;
mod weighting;

use crate::data::Dataset;
use crate::decimal::Fraction;
use crate::encode::{Encoded, Encoder, Reduction, encode};
use crate::error::{Error, Result, Unfinished};
use crate::limits::{Limits, Pulse, StopReason, Watch};
use crate::memory;
use crate::model::{Model, Summary};
use crate::objective::{Objective, Price};
use crate::problem::Problem;
use crate::report::{Report, Status};
use crate::search::{
    self, Bounds, Constraints, Counters, Journal, Observer, Outcome, Start, Task, complexity_bound,
};
use crate::settings::{Goal, Settings};
use crate::tree::Tree;
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
            // The machine decides on threads, and they change no answer: a model does not depend on them.
            limits: Limits { threads: None, ..self.settings.limits.clone() },
            ..self.settings.clone()
        };
        let model = Model::new(dataset, ground.encoder.clone(), tree, settings, summary);
        Ok(Solution { model: model.weighed_by(ground.weighting.class_weights())?, status, report })
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
