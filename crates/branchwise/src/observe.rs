//! Who is told how the work goes, while it goes: tables being read, columns encoded, trees searched.
//!
//! The library writes to no terminal. Whoever wants to show progress is an [`Observer`].

use crate::format::{bytes, grouped};
use std::fmt;

/// How far reading is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Bytes read; 0 where a format is not read from its beginning to its end.
    pub bytes: u64,
    /// The bytes of all files together, where that is known.
    pub size: Option<u64>,
    /// Rows read.
    pub rows: u64,
    /// Rows kept: where equal ones are merged, the distinct ones.
    pub kept: u64,
}

/// The state of a search at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Seconds since the search began.
    pub seconds: f64,
    /// The objective of the best tree so far.
    pub objective: f64,
    /// No tree has a larger one.
    pub upper_bound: f64,
    /// Iterations done.
    pub iterations: u64,
    /// Branches held.
    pub branches: u64,
    /// Bytes held.
    pub bytes: u64,
}

impl Progress {
    /// By how much another tree could be better at most.
    pub fn gap(&self) -> f64 {
        self.upper_bound - self.objective
    }
}

/// `objective 0.5000  bound 0.7500  gap 0.2500  2,000 branches/s  2.0 KiB`
impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let speed = self.branches as f64 / self.seconds.max(1e-9);
        write!(
            f,
            "objective {:.4}  bound {:.4}  gap {:.4}  {} branches/s  {}",
            self.objective,
            self.upper_bound,
            self.gap(),
            grouped(speed as u64),
            bytes(self.bytes),
        )
    }
}

/// Somebody who wants to be told while the work goes on. All calls should return quickly.
pub trait Observer {
    /// About a tenth of a second of reading has passed.
    fn reading(&mut self, _reading: &Reading) {}

    /// Rows are being merged, and this many features are encoded.
    fn encoding(&mut self, _features: usize) {}

    /// Cross-validation begins a fold, counted from 1, of `folds`.
    fn fold(&mut self, _fold: usize, _folds: usize) {}

    /// Objective or bound has moved.
    fn moved(&mut self, _progress: &Progress) {}

    /// About a tenth of a second of searching has passed.
    fn tick(&mut self, _progress: &Progress) {}
}

/// An observer that looks away.
impl Observer for () {}
