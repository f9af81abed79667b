//! What the workers of one search share: the memo, the root's bounds, the best tree, and who is where.
//!
//! Every worker searches the whole problem, on a stack of its own. They keep out of each other's way:
//! a worker that has the choice takes a child that nobody is searching, and finds what the others
//! have closed in the memo. So the work is shared between the children of a branch and between its
//! split actions, at every level, and a worker that has nothing else to do helps another one
//! inside the branch where it is. The least cost is what it is, whoever finds it.

use super::memo::Memo;
use crate::search::bounds::Cost;
use crate::search::{Policy, StopReason};
use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The state of a search.
pub(super) struct Shared {
    pub(super) memo: Memo,
    pub(super) busy: Busy,
    /// The bytes of the table, and of each worker's stack.
    fixed_bytes: usize,
    stack_bytes: Vec<AtomicUsize>,
    iterations: AtomicU64,
    /// The root's bounds.
    lower: AtomicI64,
    upper: AtomicI64,
    incumbent: Mutex<Incumbent>,
    /// Set when the search is over.
    end: OnceLock<End>,
}

/// Why a search is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The root is solved.
    Solved,
    /// There is a tree better than the one to start from, and no more was asked for.
    Better,
    /// By a limit.
    Stopped(StopReason),
}

/// The best tree that was read off, and its cost.
#[derive(Clone, Debug)]
pub(super) struct Incumbent {
    pub(super) cost: Cost,
    pub(super) policy: Policy,
}

impl Shared {
    /// For a tree to begin with; the last worker does not search beside the others.
    pub(super) fn new(n_workers: usize, memo: Memo, fixed_bytes: usize, first: Incumbent) -> Self {
        Shared {
            memo,
            busy: Busy::new(n_workers - 1),
            fixed_bytes,
            stack_bytes: (0..n_workers).map(|_| AtomicUsize::new(0)).collect(),
            iterations: AtomicU64::new(0),
            lower: AtomicI64::new(0),
            upper: AtomicI64::new(first.cost),
            incumbent: Mutex::new(first),
            end: OnceLock::new(),
        }
    }

    /// Tighten the root's bounds by those that a worker knows; what all of them know.
    pub(super) fn tighten(&self, lower: Cost, upper: Cost) -> (Cost, Cost) {
        let lower = self.lower.fetch_max(lower, Relaxed).max(lower);
        let upper = self.upper.fetch_min(upper, Relaxed).min(upper);
        (lower.min(upper), upper)
    }

    /// Keep a tree, if it is the best so far.
    pub(super) fn offer(&self, offered: Incumbent) {
        let mut incumbent = self.incumbent.lock().unwrap_or_else(PoisonError::into_inner);
        if offered.cost < incumbent.cost {
            *incumbent = offered;
        }
    }

    pub(super) fn incumbent_cost(&self) -> Cost {
        self.incumbent.lock().unwrap_or_else(PoisonError::into_inner).cost
    }

    pub(super) fn incumbent(&self) -> Incumbent {
        self.incumbent.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tell all workers that it is over.
    pub(super) fn finish(&self, end: End) {
        self.end.get_or_init(|| end);
    }

    /// Whether it is over, and why.
    pub(super) fn end(&self) -> Option<End> {
        self.end.get().copied()
    }

    /// One more iteration; how many there were.
    pub(super) fn count_iteration(&self) -> u64 {
        self.iterations.fetch_add(1, Relaxed) + 1
    }

    pub(super) fn iterations(&self) -> u64 {
        self.iterations.load(Relaxed)
    }

    /// The bytes of table and stacks, given those of one worker's.
    pub(super) fn bytes(&self, worker: usize, stack_bytes: usize) -> usize {
        self.stack_bytes[worker].store(stack_bytes, Relaxed);
        let all = self.stack_bytes.iter().map(|bytes| bytes.load(Relaxed));
        self.fixed_bytes + all.sum::<usize>()
    }
}

/// Which row sets are being searched: counted by a few bits of their keys, so a row set may seem
/// busy for another's sake. That does no harm.
#[derive(Debug)]
pub(super) struct Busy {
    counts: Vec<AtomicU8>,
}

impl Busy {
    const SIZE: usize = 1 << 12;

    /// One worker never meets another.
    fn new(n_workers: usize) -> Self {
        let size = if n_workers > 1 { Self::SIZE } else { 0 };
        Busy { counts: (0..size).map(|_| AtomicU8::new(0)).collect() }
    }

    /// Whether there is anybody to meet.
    pub(super) fn is_shared(&self) -> bool {
        !self.counts.is_empty()
    }

    fn count(&self, key: u128) -> Option<&AtomicU8> {
        self.counts.get(key as usize % Self::SIZE)
    }

    pub(super) fn enter(&self, key: u128) {
        self.count(key).map(|count| count.fetch_add(1, Relaxed));
    }

    pub(super) fn leave(&self, key: u128) {
        self.count(key).map(|count| count.fetch_sub(1, Relaxed));
    }

    pub(super) fn contains(&self, key: u128) -> bool {
        self.count(key).is_some_and(|count| count.load(Relaxed) > 0)
    }
}
