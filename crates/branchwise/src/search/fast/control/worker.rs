//! A worker: a stack of branches, and what it takes to expand them.

use super::effort::Effort;
use super::patience::Patience;
use super::shared::{End, Incumbent, Shared};
use crate::limits::{StopReason, Watch};
use crate::objective::Value;
use crate::search::bounds::Cost;
use crate::search::fast::bounding::Expander;
use crate::search::fast::branch::Frame;
use crate::search::fast::branch::Remaining;
use crate::search::fast::layout::Matrix;
use crate::search::fast::layout::Weight;
use crate::search::fast::memo::{Handle, Known};
use crate::search::{Counters, Journal, Outcome, Start, Task};

/// What all workers of a search are given.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    pub(crate) task: Task<'a>,
    pub(crate) matrix: &'a Matrix,
    pub(crate) watch: &'a Watch,
    pub(crate) tuning: Tuning,
}

/// What large tables need and small ones never reach: tests turn it down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tuning {
    /// When better trees are looked for, and how hard.
    pub(crate) effort: Effort,
    /// Pair counts of more words than this are not worth their time: the branch's children get the
    /// purification bound, and only the most promising are looked at further, with half as many.
    pub(crate) most_pair_words: usize,
}

impl Default for Tuning {
    fn default() -> Self {
        Tuning { effort: Effort::default(), most_pair_words: 1 << 29 }
    }
}

/// One of the workers of a search.
pub(crate) struct Worker<'a, T> {
    pub(crate) task: Task<'a>,
    pub(crate) matrix: &'a Matrix,
    pub(crate) watch: &'a Watch,
    pub(crate) shared: &'a Shared,
    /// Its number among the workers; the leader is 0.
    pub(crate) number: usize,
    pub(crate) expander: Expander<'a, T>,
    pub(crate) memo: Handle<'a>,
    /// Children to be looked up: key, action, child.
    pub(crate) asked: Vec<(u128, (usize, usize))>,
    /// The stack; frames above `depth` are kept for their memory.
    pub(crate) frames: Vec<Frame<T>>,
    pub(crate) depth: usize,
    /// A branch that is being read off the memo.
    pub(crate) reading: Frame<T>,
    pub(crate) counters: Counters,
    /// Words of bits read in expansions.
    pub(crate) work: u64,
    /// The clock is read again when the work reaches this.
    clock_due: u64,
    pub(crate) stack_bytes: usize,
    pub(crate) patience: Patience,
    /// The root's upper bound when its tree was last read off.
    read_off: Cost,
    /// Whether the root has been expanded, so that something is known of it.
    knows_root: bool,
    /// When it is to improve, and how hard.
    pub(crate) effort: Effort,
    /// A tree of at most this cost will do, without a proof.
    enough: Option<Cost>,
}

impl<'a, T: Weight> Worker<'a, T> {
    pub(crate) fn new(number: usize, search: Search<'a>, shared: &'a Shared) -> Self {
        let Search { task, matrix, watch, tuning } = search;
        Worker {
            task,
            matrix,
            watch,
            shared,
            number,
            expander: Expander::new(task, matrix, watch, tuning.most_pair_words),
            memo: shared.memo().handle(watch),
            asked: Vec::new(),
            frames: Vec::new(),
            depth: 0,
            reading: Frame::default(),
            counters: Counters::default(),
            work: 0,
            clock_due: 0,
            stack_bytes: 0,
            patience: Patience::new(task.objective.cheapest_split().get()),
            read_off: Cost::MAX,
            knows_root: false,
            effort: tuning.effort,
            enough: None,
        }
    }

    /// A search that was stopped: keep the best tree that is known by now, back at the root.
    pub(crate) fn keep_last(&mut self) {
        if self.knows_root {
            self.expander.pulse().grant(TO_READ_OFF);
            // What cannot be read off in time is lost; the tree before it is kept.
            let _ = self.meet();
        }
    }

    /// Tell all workers if a limit was reached.
    pub(crate) fn end(&self, searched: Result<(), StopReason>) {
        searched.unwrap_or_else(|reason| self.shared.finish(End::Stopped(reason)));
    }

    /// Begin: adopt the tree to start from, if there is one, and expand the root.
    pub(crate) fn begin(&mut self) -> Result<(), StopReason> {
        self.watch.poll_but_clock(0, 0, 0).map_or(Ok(()), Err)?;
        if let Some(Start { policy, until_better }) = self.task.start {
            let cost = self.adopt(policy)?;
            // The tie-break by splits does not count: a larger objective is asked for.
            let ties = self.task.objective.prices().ties;
            self.enough = until_better.then_some(cost - cost.rem_euclid(ties) - 1);
        }
        self.begin_beside()?;
        self.knows_root = true;
        self.recall_root();
        Ok(())
    }

    /// Begin beside another worker: expand the root.
    pub(crate) fn begin_beside(&mut self) -> Result<(), StopReason> {
        self.watch.poll_but_clock(0, 0, 0).map_or(Ok(()), Err)?;
        self.plant(self.matrix.all_units(), self.remaining_for_all())
    }

    /// Find the first trees by dives from the root.
    pub(crate) fn dive_from_root(&mut self, journal: &mut Journal) -> Result<(), StopReason> {
        for width in DIVES {
            self.update_top();
            self.meet()?;
            self.note(journal);
            self.dive(width, u64::MAX)?;
        }
        self.update_top();
        self.meet()
    }

    /// Whether the search is not over.
    pub(crate) fn is_searching(&self) -> bool {
        self.shared.end().is_none()
    }

    /// The work done so far, in words of bits read.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// Note how objective and bound stand, now and then: the root's bounds move when it is on top, and a
    /// clock is slow to read.
    pub(crate) fn note_progress(&mut self, journal: &mut Journal) {
        if self.depth <= 1 || self.counters.expansions.is_multiple_of(ROUND) {
            self.note(journal);
        }
    }

    /// Take over what is known of the root.
    fn recall_root(&mut self) {
        let root = &mut self.frames[0];
        if let Some(known) = self.memo.find(root.remaining.key(root.key)) {
            root.learn(known);
        }
    }

    /// Note the number of threads that search.
    pub(crate) fn count_threads(&mut self, threads: usize) {
        self.counters.threads = threads;
    }

    /// The answer, once the search is over.
    pub(crate) fn outcome(self, of_helpers: Counters) -> Outcome {
        let iterations = self.shared.iterations();
        let (lower, _) = self.shared.tighten(0, Cost::MAX);
        let Incumbent { policy, .. } = self.shared.incumbent();
        let (policy, stopped) = match (self.shared.answer(), self.shared.end()) {
            (Some(Ok(canonical)), _) => (canonical.clone(), None),
            (Some(&Err(reason)), _) | (None, Some(End::Stopped(reason))) => (policy, Some(reason)),
            (None, _) => (policy, None),
        };
        let counters = Counters { iterations, ..self.counters().plus(of_helpers) };
        // If not even the root could be expanded, more is known without it.
        let upper = self.value(lower).min(Outcome::bound_unseen(self.task));
        Outcome { policy, upper, stopped, counters }
    }

    pub(crate) fn counters(&self) -> Counters {
        Counters { memo_size: self.memo.len() as u64, memo_hits: self.memo.hits, ..self.counters }
    }

    /// A cost as a value of the root.
    fn value(&self, cost: Cost) -> Value {
        let all = self.task.objective.correct(self.task.problem.total_weight());
        all - Value::new(cost)
    }

    /// With the root on top, or closed: tell the others of its bounds, and hear of theirs; keep a
    /// better tree.
    pub(crate) fn meet(&mut self) -> Result<(), StopReason> {
        if self.depth > 1 {
            return Ok(());
        }
        let root = &mut self.frames[0];
        let (lower, upper) = self.shared.tighten(root.lower, root.upper);
        (root.lower, root.known_upper) = (root.lower.max(lower), upper);
        if root.upper < self.read_off {
            self.read_off = root.upper;
            self.remember(0);
            self.keep_best()?;
        }
        if self.depth == 0 || lower >= upper {
            self.shared.finish(End::Solved);
        } else if self.enough.is_some_and(|enough| self.shared.incumbent_cost() <= enough) {
            self.shared.finish(End::Better);
        }
        Ok(())
    }

    fn note(&mut self, journal: &mut Journal) {
        let (lower, _) = self.shared.tighten(0, Cost::MAX);
        let values = (self.value(self.shared.incumbent_cost()), self.value(lower));
        let bytes = (self.shared.bytes(self.number, self.stack_bytes) + self.memo.bytes()) as u64;
        self.counters.peak_bytes = self.counters.peak_bytes.max(bytes);
        journal.note(self.watch, values, (self.shared.iterations(), self.memo.len() as u64, bytes));
    }

    /// From time to time, see what the others have closed.
    pub(crate) fn look_around(&mut self) -> Result<(), StopReason> {
        if self.shared.is_shared() && self.counters.expansions.is_multiple_of(ROUND) {
            self.leave_closed()?;
        }
        Ok(())
    }

    /// Whether the search may go on.
    pub(crate) fn poll(&mut self) -> Result<(), StopReason> {
        // A step adds a frame at most, and none is larger than the root's.
        let next = self.frames[0].bytes();
        let bytes = self.shared.bytes(self.number, self.stack_bytes) + self.memo.bytes();
        let mut reason = self.watch.poll_but_clock(self.shared.iterations(), bytes, next);
        if self.work >= self.clock_due {
            self.clock_due = self.work + CLOCK;
            reason = reason.or_else(|| self.watch.poll_clock());
        }
        reason.map_or(Ok(()), Err)
    }

    /// Make a branch the only one on the stack, and expand it. If a limit is reached, there is none.
    pub(crate) fn plant(
        &mut self,
        units: Vec<u32>,
        remaining: Remaining,
    ) -> Result<(), StopReason> {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        self.frames[0].begin(self.matrix, units, remaining);
        self.depth = 1;
        self.expand_top().inspect_err(|_| self.depth = 0)
    }

    /// Count the bytes of a frame that may have grown.
    pub(crate) fn count_bytes(&mut self, place: usize) {
        let frame = &mut self.frames[place];
        let bytes = frame.bytes();
        self.stack_bytes = self.stack_bytes - frame.counted_bytes + bytes;
        frame.counted_bytes = bytes;
    }

    /// Expand the frame on top.
    pub(crate) fn expand_top(&mut self) -> Result<(), StopReason> {
        let (below, above) = self.frames.split_at_mut(self.depth - 1);
        let frame = &mut above[0];
        self.expander.expand(frame, below.last())?;
        self.work += frame.bits.words.len() as u64 + LEAST_WORK;
        self.counters.expansions += 1;
        self.counters.evaluations += frame.n_children() as u64;
        self.count_bytes(self.depth - 1);
        // To build the answer is none of the search's iterations.
        if self.shared.end().is_none() {
            self.shared.count_iteration(self.number);
        }
        Ok(())
    }

    /// What remains to the whole table: all of its limits.
    pub(crate) fn remaining_for_all(&self) -> Remaining {
        let Task { constraints, problem, .. } = self.task;
        let units = self.matrix.all_units();
        // No more splits, and no more leaves, than units.
        let most = u32::try_from(units.len()).unwrap_or(u32::MAX);
        let room = constraints.room().map(|room| room.with(room.left.min(most)));
        let remaining = Remaining { depth: constraints.max_depth, room };
        // A root that must be split may have a tree that costs more than one leaf.
        if problem.requires_split() {
            remaining
        } else {
            self.expander.remaining_for(&units, remaining)
        }
    }

    /// Note in the memo what a branch on the stack knows.
    pub(crate) fn remember(&mut self, place: usize) -> Known {
        let frame = &self.frames[place];
        let lower = frame.lower.min(frame.upper);
        let known = Known { lower, upper: frame.upper, best: frame.best };
        self.memo.insert(frame.remaining.key(frame.key), known, frame.work);
        if let Some(remaining) = frame.remaining_for_best() {
            self.memo.insert(remaining.key(frame.key), known, frame.work);
        }
        known
    }
}

/// The work between two looks at the clock: less than a millisecond.
const CLOCK: u64 = 1 << 13;

/// The work to read off a tree after a limit was reached: some hundredths of a second at most.
const TO_READ_OFF: u64 = 1 << 24;

/// How many expansions a worker makes before it looks around.
const ROUND: u64 = 32;

/// What an expansion takes at least, in words of bits read.
const LEAST_WORK: u64 = 64;

/// The widths of the first dives.
const DIVES: [usize; 3] = [1, 2, 4];
