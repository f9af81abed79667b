//! The engine `paper`: BRANCHES as the paper states it (its section 4 and appendices B, C, D).
//!
//! ```text
//! until the root is solved:
//!     select       follow the split of largest Q(l, a), into its unsolved child of least greedy
//!                  value, down to a branch that is not expanded
//!     expand       value its children by the purification bound, or find them in the memo
//!     backpropagate  along the path only: Q(l, a) = Σ V(children) − λ,  V(l) = max over actions
//! ```
//!
//! A branch is *solved* when its best action is the terminal one, or a split whose children are all
//! solved. Beside its bound every branch carries its *greedy* value, that of the best tree found so
//! far, so that the search can be stopped at any time and answer.
//!
//! **Bibliography.** A. Chaouki, J. Read, A. Bifet: *Branches: Efficiently Seeking Optimal Sparse
//! Decision Trees via AO\**, ICML 2025. N. J. Nilsson: *Principles of Artificial Intelligence*, 1980,
//! section 3.2 (AO*). A. Martelli, U. Montanari: *Optimizing decision trees through heuristically
//! guided search*, 1978.

mod arena;
mod backpropagate;
mod expand;
mod graph;
mod memo;
mod select;
mod share;
mod unroll;

use super::{Counters, Journal, Outcome, Task};
use crate::limits::{StopReason, Watch};
use backpropagate::backpropagate;
use expand::Expander;
use graph::SearchGraph;
use select::{Path, select};

/// Search until the root is solved or a limit is reached.
pub(super) fn run(task: Task, watch: &Watch, journal: &mut Journal) -> Outcome {
    match Search::new(task, watch) {
        Err(reason) => Outcome::nothing_tried(task, reason),
        Ok(mut search) => {
            let stopped = search.run(watch, journal).err();
            search.check();
            search.finish(stopped)
        }
    }
}

struct Search<'a> {
    task: Task<'a>,
    graph: SearchGraph,
    expander: Expander<'a>,
    counters: Counters,
    /// The most children that one expansion can add.
    growth: usize,
}

impl<'a> Search<'a> {
    fn new(task: Task<'a>, watch: &'a Watch) -> Result<Self, StopReason> {
        let versions = task.constraints.room().map_or(1, |room| room.left.max(1) as usize);
        let growth = task.problem.n_clauses().saturating_mul(versions).max(1);
        let mut search = Search {
            task,
            graph: SearchGraph::new(growth),
            expander: Expander::new(task, watch.pulse()),
            counters: Counters { evaluations: 1, threads: 1, ..Counters::default() },
            growth,
        };
        search.expander.plant(&mut search.graph);
        if task.problem.requires_split() {
            // One leaf is no answer: the first trees are there from the start.
            let Search { graph, expander, counters, .. } = &mut search;
            expander.expand(graph, SearchGraph::ROOT, counters)?;
            graph.refresh(SearchGraph::ROOT);
        }
        Ok(search)
    }

    fn run(&mut self, watch: &Watch, journal: &mut Journal) -> Result<(), StopReason> {
        let mut path = Path::default();
        self.note(watch, journal);
        while !self.graph.root().solved {
            self.poll(watch)?;
            select(&self.graph, &mut path);
            if let Some(tip) = path.tip {
                self.expander.expand(&mut self.graph, tip, &mut self.counters)?;
                self.graph.refresh(tip);
            }
            backpropagate(&mut self.graph, &path);
            self.counters.iterations += 1;
            self.note(watch, journal);
        }
        Ok(())
    }

    fn poll(&self, watch: &Watch) -> Result<(), StopReason> {
        let depth = self.task.problem.n_features().min(32);
        let (held, next) = (self.graph.bytes_with(0, 0), self.graph.bytes_with(self.growth, depth));
        let held = self.task.problem.bytes() + held;
        let more = (self.task.problem.bytes() + next).saturating_sub(held);
        let reason = watch.poll_but_clock(self.counters.iterations, held, more);
        let reason = reason.or_else(|| watch.poll_clock());
        let reason = reason.or_else(|| self.graph.is_full().then_some(StopReason::Memory));
        reason.map_or(Ok(()), Err)
    }

    fn note(&mut self, watch: &Watch, journal: &mut Journal) {
        if cfg!(debug_assertions) && self.counters.iterations.is_power_of_two() {
            self.check();
        }
        let root = self.graph.root();
        let sizes = (self.counters.iterations, self.graph.n_branches() as u64, self.bytes());
        journal.note(watch, (root.greedy, root.upper), sizes);
    }

    fn bytes(&self) -> u64 {
        (self.task.problem.bytes() + self.graph.bytes_with(0, 0)) as u64
    }

    fn check(&self) {
        if cfg!(debug_assertions) {
            self.graph.check();
        }
    }

    fn finish(mut self, stopped: Option<StopReason>) -> Outcome {
        self.counters.memo_size = self.graph.n_branches() as u64;
        self.counters.peak_bytes = self.bytes();
        Outcome {
            policy: self.graph.unroll(self.task.problem),
            upper: self.graph.root().upper,
            stopped,
            counters: self.counters,
        }
    }
}
