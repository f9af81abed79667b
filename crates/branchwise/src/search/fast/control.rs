//! Search control: which branch next, how far, and when to turn back.
//!
//! ```text
//! step, at the branch on top of the stack:
//!     lower = max(min over actions of (price + Σ lower(children)), max lower(child))
//!     if lower > min(budget, upper − 1): remember, and return to the parent
//!     take an action of lower ≤ that, and its unsolved child of least lower bound
//!     visit the child with the budget that is left when the other children cost their lower bounds
//! ```
//!
//! At the root the action is the one of least lower bound, and its budget goes only so far beyond
//! that of the runner-up: so the proven bound rises steadily. Elsewhere it is the most balanced one:
//! a refutation must close all of them anyway, balanced ones are cheaper to close, and what they
//! bring spreads to the others.

use super::expand::Expander;
use super::frame::{Child, Frame};
use super::matrix::Matrix;
use super::memo::{Known, Memo};
use super::weight::Weight;
use crate::objective::Value;
use crate::search::bounds::{self, Cost};
use crate::search::{Counters, Journal, Outcome, StopReason, Task, Watch};

/// A running search.
pub(super) struct Search<'a, T> {
    pub(super) task: Task<'a>,
    pub(super) matrix: &'a Matrix,
    pub(super) watch: &'a Watch,
    pub(super) expander: Expander<'a, T>,
    pub(super) memo: Memo,
    /// The stack; frames above `depth` are kept for their memory.
    pub(super) frames: Vec<Frame<T>>,
    pub(super) depth: usize,
    pub(super) counters: Counters,
    pub(super) stopped: Option<StopReason>,
    /// Bytes of the table, and of the frames.
    fixed_bytes: usize,
    frame_bytes: usize,
}

impl<'a, T: Weight> Search<'a, T> {
    pub(super) fn new(task: Task<'a>, matrix: &'a Matrix, watch: &'a Watch) -> Self {
        let fixed_bytes = task.problem.bytes() + matrix.bytes();
        Search {
            task,
            matrix,
            watch,
            expander: Expander::new(task, matrix),
            memo: Memo::new(watch.memo_limit(fixed_bytes).unwrap_or(MOST_MEMO)),
            frames: Vec::new(),
            depth: 0,
            counters: Counters::default(),
            stopped: None,
            fixed_bytes,
            frame_bytes: 0,
        }
    }

    pub(super) fn run(mut self, journal: &mut Journal) -> Outcome {
        self.plant(self.matrix.all_units(), self.task.constraints.max_depth);
        self.update_top();
        for width in [1, 2, 4] {
            self.note(journal);
            self.dive(width, MOST_DIVE_DEPTH);
            self.update_top();
        }
        while self.depth > 0 && self.stopped.is_none() {
            self.step();
            self.note(journal);
            self.poll();
        }
        let root = &self.frames[0];
        let (lower, cost) = (root.lower.min(root.upper), root.upper);
        let counters = Counters {
            memo_size: self.memo.len() as u64,
            memo_hits: self.memo.hits,
            ..self.counters
        };
        let policy = match self.stopped {
            None => self.extract_optimal(cost),
            Some(_) => self.extract_best(),
        };
        Outcome { policy, upper: self.value(lower), stopped: self.stopped, counters }
    }

    /// A cost as a value of the root.
    fn value(&self, cost: Cost) -> Value {
        let all = self.task.objective.correct(self.task.problem.total_weight());
        all - Value::from_units(cost)
    }

    fn note(&mut self, journal: &mut Journal) {
        let root = &self.frames[0];
        let values = (self.value(root.upper), self.value(root.lower.min(root.upper)));
        let bytes = (self.fixed_bytes + self.frame_bytes + self.memo.bytes()) as u64;
        self.counters.peak_bytes = self.counters.peak_bytes.max(bytes);
        let sizes = (self.counters.iterations, self.memo.len() as u64, bytes);
        journal.note(self.watch, values, sizes);
    }

    /// Find out whether to stop.
    pub(super) fn poll(&mut self) {
        // A step adds a frame at most, and none is larger than the root's.
        let next = self.frames[0].bytes();
        let bytes = self.fixed_bytes + self.frame_bytes + self.memo.bytes() + next;
        self.stopped = self.watch.poll(self.counters.iterations, bytes);
    }

    /// Make a branch the only one on the stack, and expand it.
    pub(super) fn plant(&mut self, units: Vec<u32>, depth_left: Option<u32>) {
        if self.frames.is_empty() {
            self.frames.push(Frame::default());
        }
        let frame = &mut self.frames[0];
        frame.key = units.iter().fold(0, |key, &unit| key ^ self.matrix.key(unit));
        self.frame_bytes -= frame.bytes();
        frame.units = units;
        frame.depth_left = depth_left;
        frame.budget = Cost::MAX;
        frame.known_upper = Cost::MAX;
        self.depth = 1;
        self.expand_top();
    }

    /// Expand the frame on top, whose bytes have been taken off the count.
    fn expand_top(&mut self) {
        let (below, above) = self.frames.split_at_mut(self.depth - 1);
        let frame = &mut above[0];
        let parent = below.last();
        frame.lower = 0;
        frame.best = None;
        frame.visiting = None;
        frame.work = 1;
        self.expander.expand(frame, parent);
        self.frame_bytes += frame.bytes();
        self.counters.expansions += 1;
        self.counters.iterations += 1;
        self.counters.evaluations += frame.n_children() as u64;
    }

    /// One step at the branch on top of the stack.
    pub(super) fn step(&mut self) {
        let top = self.depth - 1;
        let limit = self.update_top();
        let frame = &self.frames[top];
        if frame.lower > limit {
            return self.finish();
        }
        let open = frame.actions.iter().enumerate().filter(|(_, action)| action.lower <= limit);
        let chosen = match top {
            0 => open.min_by_key(|(_, action)| (action.lower, action.upper)),
            _ => open.min_by_key(|(_, action)| (action.heaviest, action.lower)),
        };
        let Some((action, _)) = chosen else { return self.finish() };
        let limit = if top == 0 { self.patient_limit(action, limit) } else { limit };
        let frame = &self.frames[top];
        let unsolved = frame.children_of(action).filter(|&c| !frame.children[c].is_solved());
        let Some(child) =
            unsolved.min_by_key(|&c| (frame.children[c].lower, frame.children[c].weight))
        else {
            return self.finish();
        };
        let budget = limit - (frame.actions[action].lower - frame.children[child].lower);
        self.visit(action, child, budget);
    }

    /// Bring the lower bound of the branch on top up to date; what a tree must cost to be wanted.
    pub(super) fn update_top(&mut self) -> Cost {
        let monotone = self.expander.similarity().monotone;
        let frame = &mut self.frames[self.depth - 1];
        let mut lower = frame.actions.iter().map(|action| action.lower).min().unwrap_or(Cost::MAX);
        if monotone {
            let highest = frame.children.iter().map(|child| child.lower).max();
            lower = bounds::monotone(lower, highest.unwrap_or(0));
        }
        frame.lower = frame.lower.max(lower.min(frame.upper));
        frame.budget.min(frame.upper - 1)
    }

    /// At the root: not much further than where another action is better.
    fn patient_limit(&self, action: usize, limit: Cost) -> Cost {
        let actions = self.frames[0].actions.iter().enumerate();
        let second = actions.filter(|&(other, _)| other != action).map(|(_, a)| a.lower).min();
        let beyond = PATIENCE * self.task.objective.cheapest_split().units();
        second.map_or(limit, |second| limit.min(second.saturating_add(beyond)))
    }

    /// What a branch is remembered by.
    pub(super) fn memo_key(key: u128, depth_left: Option<u32>) -> u128 {
        const SPREAD: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
        depth_left.map_or(key, |left| key ^ (u128::from(left) + 1).wrapping_mul(SPREAD))
    }

    /// Take over what the memo knows of a child, or put it on the stack.
    pub(super) fn visit(&mut self, action: usize, child: usize, budget: Cost) {
        let top = self.depth - 1;
        let frame = &mut self.frames[top];
        if frame.children[child].key == 0 {
            self.expander.find_keys(frame, action);
        }
        let depth_left = frame.depth_left.map(|left| left - 1);
        let key = frame.children[child].key;
        let known = self.memo.find(Self::memo_key(key, depth_left));
        if known.is_some_and(|known| self.learn(top, (action, child), known)) {
            return;
        }
        if self.frames.len() == self.depth {
            self.frames.push(Frame::default());
        }
        let (below, above) = self.frames.split_at_mut(self.depth);
        let (parent, next) = (&mut below[top], &mut above[0]);
        parent.visiting = Some((action, child));
        let Child { lower, .. } = parent.children[child];
        self.frame_bytes -= next.bytes();
        parent.child_units(self.matrix, child, &mut next.units);
        next.key = key;
        next.depth_left = depth_left;
        next.budget = budget;
        next.known_upper = known.map_or(Cost::MAX, |known| known.upper);
        self.depth += 1;
        self.expand_top();
        let frame = &mut self.frames[self.depth - 1];
        if let Some(known) = known.filter(|known| known.upper < frame.upper) {
            frame.upper = known.upper;
            frame.best = known.best;
        }
        frame.lower = lower.min(frame.upper);
        let limit = self.update_top();
        if self.frames[self.depth - 1].lower <= limit {
            self.look_up_children();
            self.spread_highest();
        }
    }

    /// Tighten a child's bounds, and what follows from it. Whether anything changed.
    fn learn(&mut self, place: usize, (action, child): (usize, usize), known: Known) -> bool {
        let frame = &mut self.frames[place];
        let Child { lower, .. } = frame.children[child];
        if !frame.children[child].tighten(known) {
            return false;
        }
        frame.sum(action);
        if known.lower > lower && self.expander.similarity().similar {
            self.expander.spread(frame, child);
        }
        true
    }

    /// Take over what the memo knows of the new branch's children, where it can matter.
    fn look_up_children(&mut self) {
        let frame = &mut self.frames[self.depth - 1];
        let depth_left = frame.depth_left.map(|left| left.saturating_sub(1));
        let limit = frame.budget.min(frame.upper - 1);
        for action in 0..frame.actions.len() {
            if frame.actions[action].lower > limit {
                continue;
            }
            self.expander.find_keys(frame, action);
            let mut changed = false;
            for number in frame.children_of(action) {
                let child = &mut frame.children[number];
                if child.is_solved() {
                    continue;
                }
                let known = self.memo.find(Self::memo_key(child.key, depth_left));
                changed |= known.is_some_and(|known| child.tighten(known));
            }
            if changed {
                frame.sum(action);
            }
        }
    }

    /// Spread the highest bound among the new branch's children. (More of them bring as much as they
    /// cost: on lymph 0, 1, 4, 8 leave 402, 328, 283, 284 thousand expansions in 3.2, 2.8, 2.6, 2.8 s.)
    fn spread_highest(&mut self) {
        if !self.expander.similarity().similar {
            return;
        }
        let frame = &mut self.frames[self.depth - 1];
        let costs = |&c: &usize| frame.children[c].lower > 0;
        let highest =
            (0..frame.children.len()).filter(costs).max_by_key(|&c| frame.children[c].lower);
        if let Some(child) = highest {
            self.expander.spread(frame, child);
        }
    }

    /// Note in the memo what the branches on the stack know.
    pub(super) fn remember_stack(&mut self) {
        for place in 0..self.depth {
            self.remember(place);
        }
    }

    fn remember(&mut self, place: usize) -> Known {
        let frame = &self.frames[place];
        let lower = frame.lower.min(frame.upper);
        let known = Known { lower, upper: frame.upper, best: frame.best };
        self.memo.insert(Self::memo_key(frame.key, frame.depth_left), known, frame.work);
        known
    }

    /// Leave the branch on top.
    pub(super) fn finish(&mut self) {
        let top = self.depth - 1;
        let known = self.remember(top);
        let work = self.frames[top].work;
        self.depth -= 1;
        if top > 0 {
            let parent = &mut self.frames[top - 1];
            parent.work += work;
            if let Some(visited) = parent.visiting.take() {
                self.learn(top - 1, visited, known);
            }
        }
    }
}

/// How many L the root goes beyond the runner-up. With 0 and 1 branches are visited again and again
/// (lymph: 1,148 and 420 thousand expansions; 295 with 2), with 16 and more the root's bound rises late,
/// and what it would have closed is searched (2,000 noisy rows: 154 thousand with 2, 1,351 with 16).
const PATIENCE: Cost = 2;

/// The memo's size where no limit is given.
const MOST_MEMO: usize = 2 << 30;

/// Dives do not go deeper than this.
const MOST_DIVE_DEPTH: usize = 64;
