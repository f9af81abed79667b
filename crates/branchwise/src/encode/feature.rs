//! A question that can be asked of a row.

use serde::{Deserialize, Serialize};

/// A question that can be asked of a row, with its answers as categories.
///
/// It is about the numbered *cells* into which a column's values are sorted (see [`Input`](super::Input)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Feature {
    /// Which cell does the value lie in? Category = the cell's number.
    Values {
        /// The column asked about.
        column: usize,
    },
    /// Does it lie in this cell? Category 0 = no, 1 = yes.
    Is {
        /// The column asked about.
        column: usize,
        /// The cell asked for.
        value: u32,
    },
    /// Is it at most the threshold of this number? Category 0 = no, 1 = yes, 2 = it is missing.
    AtMost {
        /// The column asked about.
        column: usize,
        /// The threshold's number.
        cut: u32,
    },
}

impl Feature {
    /// The answer "no".
    pub const NO: u32 = 0;
    /// The answer "yes".
    pub const YES: u32 = 1;
    /// The answer "there is no value" to the question whether it is at most a threshold.
    pub const MISSING: u32 = 2;

    /// The column asked about.
    pub fn column(self) -> usize {
        match self {
            Feature::Values { column }
            | Feature::Is { column, .. }
            | Feature::AtMost { column, .. } => column,
        }
    }

    /// The answer for a value in this cell, given the cell of missing values. A value without a cell has
    /// no category and is on no side of a threshold, but its answer to "is it this one?" is "no".
    pub(super) fn category(self, cell: Option<u32>, missing: Option<u32>) -> Option<u32> {
        match self {
            Feature::Values { .. } => cell,
            Feature::Is { value, .. } => Some(u32::from(cell == Some(value))),
            Feature::AtMost { .. } if cell.is_some() && cell == missing => Some(Feature::MISSING),
            Feature::AtMost { cut, .. } => cell.map(|cell| u32::from(cell <= cut)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_values_are_a_plain_no_or_no_category() {
        let values = Feature::Values { column: 0 };
        let is = Feature::Is { column: 0, value: 1 };
        let at_most = Feature::AtMost { column: 0, cut: 1 };
        for (feature, cell, category) in [
            (values, None, None),
            (values, Some(2), Some(2)),
            (is, None, Some(Feature::NO)),
            (is, Some(1), Some(Feature::YES)),
            (at_most, None, None),
            (at_most, Some(0), Some(Feature::YES)),
            (at_most, Some(1), Some(Feature::YES)),
            (at_most, Some(2), Some(Feature::NO)),
            (at_most, Some(3), Some(Feature::MISSING)),
        ] {
            assert_eq!(feature.category(cell, Some(3)), category, "{feature:?} {cell:?}");
        }
    }
}
