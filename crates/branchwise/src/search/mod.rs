//! Stage 3: the search for the best tree.
//!
//! What every engine shares stands here: the [`bounds`] on what a branch can be worth, the
//! [`Constraints`] on the trees that count, the [`Limits`] that end a search early, the `journal`
//! of how objective and bound moved, and the `Policy` in which an engine hands over its answer.
//! Each engine has a folder: `paper` is the AO* search of the BRANCHES paper, step by step, `fast`
//! the one for every day.

pub mod bounds;
mod complexity;
mod constraints;
mod divide;
pub(crate) mod fast;
mod first;
mod journal;
pub(crate) mod paper;
mod policy;

pub use bounds::Bounds;
pub use complexity::complexity_bound;
pub use constraints::Constraints;
pub(crate) use constraints::Room;
#[cfg(feature = "bench")]
pub use fast::bench;
pub(crate) use fast::{Past, Pasts};
pub(crate) use first::first_tree;
pub(crate) use journal::Journal;
pub use journal::TracePoint;
pub(crate) use policy::{Policy, PolicyId};

pub use crate::limits::{Limits, StopFlag, StopReason, usable_threads};
pub use crate::observe::{Observer, Progress};

use crate::limits::Watch;
use crate::objective::{Objective, Value};
use crate::problem::Problem;
use crate::rowset::Support;
use serde::{Deserialize, Serialize};

/// Which search to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Engine {
    /// The one that suits: `fast`.
    #[default]
    Auto,
    /// AO* with the purification bound, as the paper states it.
    Paper,
    /// Depth-first search over row sets with two-step bounds.
    Fast,
}

impl Engine {
    /// The engine's name.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Paper => "paper",
            Engine::Fast => "fast",
        }
    }
}

impl Engine {
    /// The engine that will run.
    pub(crate) fn resolve(self) -> Engine {
        match self {
            Engine::Auto => Engine::Fast,
            engine => engine,
        }
    }
}

/// What is to be solved: the same for every engine.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) objective: &'a Objective,
    pub(crate) constraints: &'a Constraints,
    pub(crate) bounds: Bounds,
    /// A tree to start from, if one is known. (The engine `paper` takes no notice.)
    pub(crate) start: Option<Start<'a>>,
}

/// A tree to start from.
#[derive(Clone, Copy)]
pub(crate) struct Start<'a> {
    pub(crate) policy: &'a Policy,
    /// Whether a tree of a larger objective will do, without a proof that it is the best.
    pub(crate) until_better: bool,
}

/// What a search brings back.
pub(crate) struct Outcome {
    /// The best tree found.
    pub(crate) policy: Policy,
    /// No tree is worth more than this.
    pub(crate) upper: Value,
    /// What ended the search, unless it proved its answer.
    pub(crate) stopped: Option<StopReason>,
    pub(crate) counters: Counters,
}

impl Outcome {
    /// The outcome of stopping before the search: the tree to begin with, and the bound of a branch unseen.
    pub(crate) fn nothing_tried(task: Task, reason: StopReason) -> Self {
        let peak_bytes = task.problem.bytes() as u64;
        Outcome {
            policy: first_tree(task).map_or_else(Policy::default, |(policy, _)| policy),
            upper: Outcome::bound_unseen(task),
            stopped: Some(reason),
            counters: Counters { peak_bytes, threads: 1, ..Counters::default() },
        }
    }

    /// No tree is worth more than this: the bound of a branch that was not expanded.
    pub(crate) fn bound_unseen(Task { problem, objective, .. }: Task) -> Value {
        let largest = problem.class_totals().into_iter().max().unwrap_or(0);
        let mut support = Support::default();
        support.fill(problem.all_rows(), problem.class_ends());
        let reachable = problem.reachable(&support, None, &mut vec![0; problem.n_classes()]);
        let weight = reachable.unwrap_or(problem.total_weight());
        bounds::purification(objective, weight, largest)
    }
}

/// What a search did, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Rounds of select, expand, backpropagate.
    pub iterations: u64,
    /// Branches expanded.
    pub expansions: u64,
    /// Branches valued from their class counts (the paper's "branch evaluations").
    pub evaluations: u64,
    /// Branches kept in the memo.
    pub memo_size: u64,
    /// Times that a branch was found in the memo instead of being valued.
    pub memo_hits: u64,
    /// The most bytes held: by the process, where it counts them ([`crate::memory`]), otherwise by the
    /// problem and the search.
    pub peak_bytes: u64,
    /// The threads that searched.
    pub threads: usize,
}

impl Counters {
    /// The work of two workers together; the memo is the same.
    pub(crate) fn plus(self, other: Counters) -> Counters {
        Counters {
            iterations: self.iterations + other.iterations,
            expansions: self.expansions + other.expansions,
            evaluations: self.evaluations + other.evaluations,
            memo_size: self.memo_size.max(other.memo_size),
            memo_hits: self.memo_hits + other.memo_hits,
            peak_bytes: self.peak_bytes.max(other.peak_bytes),
            threads: self.threads.max(other.threads),
        }
    }
}

/// What an engine makes of a problem before it searches.
pub(crate) enum Prepared {
    Paper,
    Fast(fast::Matrix),
    /// Nothing: a limit was reached.
    Stopped(StopReason),
}

impl Prepared {
    pub(crate) fn new(engine: Engine, problem: &Problem, watch: &Watch) -> Self {
        match engine {
            Engine::Paper => Prepared::Paper,
            Engine::Auto | Engine::Fast => fast::Matrix::new(problem, &mut watch.pulse())
                .map_or_else(Prepared::Stopped, Prepared::Fast),
        }
    }
}

/// Run an engine.
pub(crate) fn run(engine: Engine, task: Task, watch: &Watch, journal: &mut Journal) -> Outcome {
    let prepared = Prepared::new(engine, task.problem, watch);
    run_knowing(&prepared, task, watch, journal, Pasts::default()).0
}

/// Run an engine with what searches of the same problem with other λ have learnt, and keep what this
/// one learns. (The engine `paper` neither knows nor keeps anything.)
pub(crate) fn run_knowing(
    prepared: &Prepared,
    task: Task,
    watch: &Watch,
    journal: &mut Journal,
    pasts: Pasts,
) -> (Outcome, Option<Past>) {
    match prepared {
        Prepared::Stopped(reason) => (Outcome::nothing_tried(task, *reason), None),
        Prepared::Paper => (paper::run(task, watch, journal), None),
        Prepared::Fast(matrix) => {
            let (outcome, past) = fast::run(task, matrix, watch, journal, pasts);
            (outcome, Some(past))
        }
    }
}
