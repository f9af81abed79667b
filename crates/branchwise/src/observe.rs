//! Who is told how the work goes, while it goes: tables being read, columns encoded, trees searched.
//!
//! The library writes to no terminal. Whoever wants to show progress is an [`Observer`].

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

/// Somebody who wants to be told while the work goes on. All calls should return quickly.
pub trait Observer {
    /// About a tenth of a second of reading has passed.
    fn reading(&mut self, _reading: &Reading) {}

    /// Rows are being merged, and so many features are encoded.
    fn encoding(&mut self, _features: usize) {}

    /// Cross-validation comes to a fold, of so many; the first is 1.
    fn fold(&mut self, _fold: usize, _folds: usize) {}

    /// Objective or bound has moved.
    fn moved(&mut self, _progress: &Progress) {}

    /// About a tenth of a second of searching has passed.
    fn tick(&mut self, _progress: &Progress) {}
}

/// An observer that looks away.
impl Observer for () {}
