//! What the workers of one search share: the memo, the root's bounds, the best tree, and who is where.
//!
//! Every worker searches the whole problem, on a stack of its own. They keep out of each other's way:
//! a worker that has the choice takes a child that nobody is searching, and finds what the others
//! have closed in the memo. So the work is shared between the children of a branch and between its
//! split actions, at every level, and a worker that has nothing else to do helps another one
//! inside the branch where it is. The least cost is what it is, whoever finds it.

use crate::search::bounds::Cost;
use crate::search::fast::memo::Memo;
use crate::search::{Policy, StopReason};
use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicI64, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The state of a search.
pub(crate) struct Shared {
    memo: Memo,
    /// The bytes of the table.
    fixed_bytes: usize,
    workers: Vec<CachePadded<Presence>>,
    /// The root's bounds.
    lower: AtomicI64,
    upper: AtomicI64,
    incumbent: Mutex<Incumbent>,
    /// Set when the search is over.
    end: OnceLock<End>,
    /// Set when the tree of a search that was not stopped is built, or could not be in time.
    answer: OnceLock<Result<Policy, StopReason>>,
}

/// Why a search is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The root is solved.
    Solved,
    /// There is a tree better than the one to start from, and no more was asked for.
    Better,
    /// By a limit.
    Stopped(StopReason),
}

/// The best tree that was read off, and its cost.
#[derive(Clone, Debug)]
pub(crate) struct Incumbent {
    pub(crate) cost: Cost,
    pub(crate) policy: Policy,
}

impl Shared {
    /// For a tree to begin with; the last worker does not search beside the others.
    pub(crate) fn new(n_workers: usize, memo: Memo, fixed_bytes: usize, first: Incumbent) -> Self {
        Shared {
            memo,
            fixed_bytes,
            workers: (0..n_workers)
                .map(|_| CachePadded::new(Presence::new(n_workers > 2)))
                .collect(),
            lower: AtomicI64::new(0),
            upper: AtomicI64::new(first.cost),
            incumbent: Mutex::new(first),
            end: OnceLock::new(),
            answer: OnceLock::new(),
        }
    }

    /// What is known of row sets.
    pub(crate) fn memo(&self) -> &Memo {
        &self.memo
    }

    /// Tighten the root's bounds by those that a worker knows; what all of them know.
    pub(crate) fn tighten(&self, lower: Cost, upper: Cost) -> (Cost, Cost) {
        let lower = self.lower.fetch_max(lower, Relaxed).max(lower);
        let upper = self.upper.fetch_min(upper, Relaxed).min(upper);
        (lower.min(upper), upper)
    }

    /// Keep a tree, if it is the best so far.
    pub(crate) fn offer(&self, offered: Incumbent) {
        let mut incumbent = self.incumbent.lock().unwrap_or_else(PoisonError::into_inner);
        if offered.cost < incumbent.cost {
            *incumbent = offered;
        }
    }

    pub(crate) fn incumbent_cost(&self) -> Cost {
        self.incumbent.lock().unwrap_or_else(PoisonError::into_inner).cost
    }

    pub(crate) fn incumbent(&self) -> Incumbent {
        self.incumbent.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tell all workers that it is over.
    pub(crate) fn finish(&self, end: End) {
        self.end.get_or_init(|| end);
    }

    /// Whether it is over, and why.
    pub(crate) fn end(&self) -> Option<End> {
        self.end.get().copied()
    }

    /// Give the answer, unless another worker has.
    pub(crate) fn settle(&self, answer: Result<Policy, StopReason>) {
        self.answer.get_or_init(|| answer);
    }

    pub(crate) fn answer(&self) -> Option<&Result<Policy, StopReason>> {
        self.answer.get()
    }

    /// One more iteration of a worker.
    pub(crate) fn count_iteration(&self, worker: usize) {
        let own = &self.workers[worker].iterations;
        own.store(own.load(Relaxed) + 1, Relaxed);
    }

    /// How many iterations there were.
    pub(crate) fn iterations(&self) -> u64 {
        self.workers.iter().map(|worker| worker.iterations.load(Relaxed)).sum()
    }

    /// The bytes of table and stacks, given those of one worker's.
    pub(crate) fn bytes(&self, worker: usize, stack_bytes: usize) -> usize {
        self.workers[worker].stack_bytes.store(stack_bytes, Relaxed);
        let all = self.workers.iter().map(|worker| worker.stack_bytes.load(Relaxed));
        self.fixed_bytes + all.sum::<usize>()
    }

    /// Whether several workers search, so that there is anybody to meet.
    pub(crate) fn is_shared(&self) -> bool {
        !self.workers[0].busy.is_empty()
    }

    /// A worker begins to search a row set.
    pub(crate) fn enter(&self, worker: usize, key: u128) {
        self.workers[worker].count(key).map(|count| count.fetch_add(1, Relaxed));
    }

    /// A worker is done with a row set.
    pub(crate) fn leave(&self, worker: usize, key: u128) {
        self.workers[worker].count(key).map(|count| count.fetch_sub(1, Relaxed));
    }

    /// Whether somebody else searches a row set.
    pub(crate) fn is_busy(&self, worker: usize, key: u128) -> bool {
        let others = self.workers.iter().enumerate().filter(|&(other, _)| other != worker);
        let mut counts = others.filter_map(|(_, other)| other.count(key));
        counts.any(|count| count.load(Relaxed) > 0)
    }
}

/// What the others see of a worker.
#[derive(Debug)]
struct Presence {
    iterations: AtomicU64,
    stack_bytes: AtomicUsize,
    /// The row sets on its stack, counted by a few bits of their keys, so that one may seem busy for
    /// another's sake. That does no harm.
    busy: Vec<AtomicU8>,
}

impl Presence {
    const SIZE: usize = 1 << 12;

    /// Where nobody else searches, nobody is to be told.
    fn new(has_others: bool) -> Self {
        let size = if has_others { Self::SIZE } else { 0 };
        Presence {
            iterations: AtomicU64::new(0),
            stack_bytes: AtomicUsize::new(0),
            busy: (0..size).map(|_| AtomicU8::new(0)).collect(),
        }
    }

    fn count(&self, key: u128) -> Option<&AtomicU8> {
        self.busy.get(key as usize % Self::SIZE)
    }
}
