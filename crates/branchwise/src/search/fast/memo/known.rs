//! What is known of a row set.

use crate::search::bounds::Cost;

/// What is known of a row set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) lower: Cost,
    pub(crate) upper: Cost,
    /// The first split of a tree that costs `upper`; `None`: no split.
    pub(crate) best: Option<u32>,
}

impl Known {
    pub(crate) fn is_solved(self) -> bool {
        self.lower >= self.upper
    }

    /// Two things that are known of the same row set.
    pub(crate) fn and(self, other: Known) -> Known {
        let cheaper = if other.upper < self.upper { other } else { self };
        Known { lower: self.lower.max(other.lower), ..cheaper }
    }
}
