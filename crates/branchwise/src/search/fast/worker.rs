//! A worker: a stack of branches, and what it takes to expand them.

use super::Tuning;
use super::expand::Expander;
use super::frame::Frame;
use super::improve::Effort;
use super::left::Left;
use super::matrix::Matrix;
use super::memo::{Handle, Known};
use super::patience::Patience;
use super::shared::{End, Incumbent, Shared};
use super::weight::Weight;
use crate::limits::{StopReason, Watch};
use crate::objective::Value;
use crate::search::bounds::Cost;
use crate::search::{Counters, Journal, Outcome, Start, Task};

/// One of the workers of a search.
pub(super) struct Worker<'a, T> {
    pub(super) task: Task<'a>,
    pub(super) matrix: &'a Matrix,
    pub(super) watch: &'a Watch,
    pub(super) shared: &'a Shared,
    /// Its number among the workers; the leader is 0.
    pub(super) number: usize,
    pub(super) expander: Expander<'a, T>,
    pub(super) memo: Handle<'a>,
    /// Children to be looked up: key, action, child.
    pub(super) asked: Vec<(u128, (usize, usize))>,
    /// The stack; frames above `depth` are kept for their memory.
    pub(super) frames: Vec<Frame<T>>,
    pub(super) depth: usize,
    /// A branch that is being read off the memo.
    pub(super) reading: Frame<T>,
    pub(super) counters: Counters,
    /// Words of bits read in expansions.
    pub(super) work: u64,
    /// The clock is read again when so much work is done.
    clock_due: u64,
    pub(super) stack_bytes: usize,
    pub(super) patience: Patience,
    /// The root's upper bound when its tree was last read off.
    read_off: Cost,
    /// Whether the root has been expanded, so that something is known of it.
    knows_root: bool,
    /// When it is to improve, and how hard.
    pub(super) effort: Effort,
    /// A tree of at most this cost will do, without a proof.
    enough: Option<Cost>,
}

impl<'a, T: Weight> Worker<'a, T> {
    pub(super) fn new(
        number: usize,
        (task, matrix): (Task<'a>, &'a Matrix),
        (watch, tuning): (&'a Watch, Tuning),
        shared: &'a Shared,
    ) -> Self {
        Worker {
            task,
            matrix,
            watch,
            shared,
            number,
            expander: Expander::new(task, matrix, watch, tuning.most_pair_words),
            memo: shared.memo.handle(watch),
            asked: Vec::new(),
            frames: Vec::new(),
            depth: 0,
            reading: Frame::default(),
            counters: Counters::default(),
            work: 0,
            clock_due: 0,
            stack_bytes: 0,
            patience: Patience::new(task.objective.cheapest_split().units()),
            read_off: Cost::MAX,
            knows_root: false,
            effort: tuning.effort,
            enough: None,
        }
    }

    /// Search, tell how it goes, and look for better trees on the way.
    pub(super) fn lead(&mut self, improver: &mut Self, journal: &mut Journal) {
        let searched = self.search(improver, journal);
        self.end(searched);
        self.answer();
    }

    /// A search that was stopped: keep the best tree that is known by now, back at the root.
    pub(super) fn keep_last(&mut self) {
        if self.knows_root {
            self.expander.pulse.grant(TO_READ_OFF);
            // What cannot be read off in time is lost; the tree before it is kept.
            let _ = self.meet();
        }
    }

    /// Tell all workers if a limit was reached.
    fn end(&self, searched: Result<(), StopReason>) {
        searched.unwrap_or_else(|reason| self.shared.finish(End::Stopped(reason)));
    }

    /// Search until it is over.
    fn search(&mut self, improver: &mut Self, journal: &mut Journal) -> Result<(), StopReason> {
        self.watch.poll_but_clock(0, 0, 0).map_or(Ok(()), Err)?;
        if let Some(Start { policy, until_better }) = self.task.start {
            let cost = self.adopt(policy)?;
            // The tie-break by splits does not count: a larger objective is asked for.
            let ties = self.task.objective.scale().ties;
            self.enough = until_better.then_some(cost - cost.rem_euclid(ties) - 1);
        }
        self.plant(self.matrix.all_units(), self.left_to_all())?;
        self.knows_root = true;
        self.recall_root();
        for width in DIVES {
            self.update_top();
            self.meet()?;
            self.note(journal);
            self.dive(width, u64::MAX)?;
        }
        self.update_top();
        self.meet()?;
        while self.shared.end().is_none() {
            self.step()?;
            self.look_around()?;
            self.meet()?;
            improver.improve(self.work)?;
            // The root's bounds move when it is on top, and a clock is slow to read.
            if self.depth <= 1 || self.counters.expansions.is_multiple_of(ROUND) {
                self.note(journal);
            }
            self.poll()?;
        }
        Ok(())
    }

    /// Take over what is known of the root.
    fn recall_root(&mut self) {
        let root = &mut self.frames[0];
        if let Some(known) = self.memo.find(root.left.key(root.key)) {
            root.learn(known);
        }
    }

    /// Search beside the leader.
    pub(super) fn help(mut self) -> Counters {
        let searched = self.search_beside();
        self.end(searched);
        self.answer();
        self.counters()
    }

    fn search_beside(&mut self) -> Result<(), StopReason> {
        self.watch.poll_but_clock(0, 0, 0).map_or(Ok(()), Err)?;
        self.plant(self.matrix.all_units(), self.left_to_all())?;
        while self.shared.end().is_none() {
            self.step()?;
            self.look_around()?;
            self.meet()?;
            self.poll()?;
        }
        Ok(())
    }

    /// So many threads search.
    pub(super) fn count_threads(&mut self, threads: usize) {
        self.counters.threads = threads;
    }

    /// The answer, once the search is over.
    pub(super) fn outcome(self, of_helpers: Counters) -> Outcome {
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

    pub(super) fn counters(&self) -> Counters {
        Counters { memo_size: self.memo.len() as u64, memo_hits: self.memo.hits, ..self.counters }
    }

    /// A cost as a value of the root.
    fn value(&self, cost: Cost) -> Value {
        let all = self.task.objective.correct(self.task.problem.total_weight());
        all - Value::from_units(cost)
    }

    /// With the root on top, or closed: tell the others of its bounds, and hear of theirs; keep a
    /// better tree.
    fn meet(&mut self) -> Result<(), StopReason> {
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
    pub(super) fn look_around(&mut self) -> Result<(), StopReason> {
        if self.shared.is_shared() && self.counters.expansions.is_multiple_of(ROUND) {
            self.leave_closed()?;
        }
        Ok(())
    }

    /// Whether the search may go on.
    pub(super) fn poll(&mut self) -> Result<(), StopReason> {
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
    pub(super) fn plant(&mut self, units: Vec<u32>, left: Left) -> Result<(), StopReason> {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        self.frames[0].begin(self.matrix, units, left);
        self.depth = 1;
        self.expand_top().inspect_err(|_| self.depth = 0)
    }

    /// Count the bytes of a frame that may have grown.
    pub(super) fn count_bytes(&mut self, place: usize) {
        let frame = &mut self.frames[place];
        let bytes = frame.bytes();
        self.stack_bytes = self.stack_bytes - frame.counted_bytes + bytes;
        frame.counted_bytes = bytes;
    }

    /// Expand the frame on top.
    pub(super) fn expand_top(&mut self) -> Result<(), StopReason> {
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

    /// What is left to the whole table.
    pub(super) fn left_to_all(&self) -> Left {
        let Task { constraints, problem, .. } = self.task;
        let units = self.matrix.all_units();
        // No more splits, and no more leaves, than units.
        let most = u32::try_from(units.len()).unwrap_or(u32::MAX);
        let room = constraints.room().map(|room| room.with(room.left.min(most)));
        let left = Left { depth: constraints.max_depth, room };
        // A root that must be split may have a tree that costs more than one leaf.
        if problem.requires_split() { left } else { self.expander.left_to(&units, left) }
    }

    /// Note in the memo what a branch on the stack knows.
    pub(super) fn remember(&mut self, place: usize) -> Known {
        let frame = &self.frames[place];
        let lower = frame.lower.min(frame.upper);
        let known = Known { lower, upper: frame.upper, best: frame.best };
        self.memo.insert(frame.left.key(frame.key), known, frame.work);
        if let Some(left) = frame.left_to_best() {
            self.memo.insert(left.key(frame.key), known, frame.work);
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
