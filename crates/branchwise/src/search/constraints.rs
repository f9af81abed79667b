//! Which trees count.
//!
//! [`Constraints`] change the problem: the best tree *of depth at most 3* is another question, and
//! its answer is proven like any other. [`Limits`](crate::limits::Limits) only end the search.

use crate::decimal::{Decimal, Fraction};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// Which trees are allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Constraints {
    /// The most splits between the root and a leaf.
    pub max_depth: Option<u32>,
    /// The fewest rows in a leaf (1 by default). Rows are counted as they are in the table,
    /// whatever they weigh. A table with fewer rows still has its one leaf.
    pub min_leaf: Option<u64>,
    /// The same as a share of the table's rows, rounded up to whole rows.
    pub min_leaf_share: Option<Decimal>,
    /// The most leaves.
    pub max_leaves: Option<u32>,
    /// The most splits.
    pub max_splits: Option<u32>,
}

impl Constraints {
    /// Refuse what no tree can meet.
    pub(crate) fn check(&self) -> Result<()> {
        let bad = |name, found: String, allowed| Err(Error::BadLimit { name, found, allowed });
        if self.max_leaves == Some(0) {
            return bad("the maximum of leaves", "0".into(), "a tree has at least one leaf");
        }
        if self.min_leaf == Some(0) {
            return bad(
                "the minimum of rows per leaf",
                "0".into(),
                "every leaf has at least one row",
            );
        }
        if let Some(share) = &self.min_leaf_share {
            let fraction = share.fraction()?;
            if fraction.numerator == 0 || fraction.numerator > fraction.denominator {
                let found = share.as_str().to_string();
                return bad(
                    "the least share of rows per leaf",
                    found,
                    "give more than 0, at most 1",
                );
            }
        }
        if let (Some(rows), Some(share)) = (self.min_leaf, &self.min_leaf_share) {
            let found = format!("{rows}, and the least share {}", share.as_str());
            return bad("the minimum of rows per leaf", found, "give one of the two");
        }
        if let (Some(leaves), Some(splits)) = (self.max_leaves, self.max_splits) {
            let found = format!("{leaves}, and the maximum of splits {splits}");
            return bad("the maximum of leaves", found, "give one of the two");
        }
        Ok(())
    }

    /// The same for a table with this many rows: a share of them becomes a number.
    pub(crate) fn for_rows(&self, rows: u64) -> Result<Constraints> {
        let Some(share) = &self.min_leaf_share else { return Ok(self.clone()) };
        let Fraction { numerator, denominator } = share.fraction()?;
        let least = (u128::from(numerator) * u128::from(rows)).div_ceil(denominator.into());
        // A share of at most 1: no more than there are rows.
        Ok(Constraints { min_leaf: Some((least as u64).max(1)), ..self.clone() })
    }

    /// The fewest rows in a leaf.
    pub(crate) fn least_rows(&self) -> u64 {
        self.min_leaf.unwrap_or(1)
    }

    /// The room that a whole tree has.
    pub(crate) fn room(&self) -> Option<Room> {
        let leaves =
            self.max_leaves.map(|leaves| Room { counted: Counted::ExtraLeaf, left: leaves - 1 });
        leaves.or(self.max_splits.map(|splits| Room { counted: Counted::Split, left: splits }))
    }
}

/// How much a subtree may still grow: by a number of splits, or of leaves beyond its first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    counted: Counted,
    pub(crate) left: u32,
}

/// What the room of a tree counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    Split,
    ExtraLeaf,
}

impl Room {
    /// What is left for the children together after a split into `n_children`; `None`: too little.
    pub(crate) fn after_split(self, n_children: usize) -> Option<u32> {
        let used = match self.counted {
            Counted::Split => 1,
            Counted::ExtraLeaf => u32::try_from(n_children).ok()?.checked_sub(1)?,
        };
        self.left.checked_sub(used)
    }

    /// Whether every split takes 1, whatever its number of children.
    pub(crate) fn counts_splits(self) -> bool {
        self.counted == Counted::Split
    }

    pub(crate) fn with(self, left: u32) -> Room {
        Room { left, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_used_by_splits_or_extra_leaves() {
        let leaves = Constraints { max_leaves: Some(4), ..Constraints::default() }.room().unwrap();
        assert_eq!((leaves.after_split(3), leaves.after_split(5)), (Some(1), None));
        let splits = Constraints { max_splits: Some(1), ..Constraints::default() }.room().unwrap();
        assert_eq!((splits.after_split(9), splits.with(0).after_split(2)), (Some(0), None));
        assert_eq!(Constraints::default().room(), None);
    }

    #[test]
    fn impossible_constraints_are_refused() {
        let refused = |c: Constraints| c.check().unwrap_err().to_string();
        assert!(
            refused(Constraints { max_leaves: Some(0), ..Default::default() })
                .contains("at least one leaf")
        );
        assert!(
            refused(Constraints { min_leaf: Some(0), ..Default::default() })
                .contains("at least one row")
        );
        let both = Constraints { max_leaves: Some(3), max_splits: Some(2), ..Default::default() };
        assert!(refused(both).contains("give one of the two"));
        let share = |share: &str| Constraints {
            min_leaf_share: Some(share.into()),
            ..Constraints::default()
        };
        assert!(refused(share("1.5")).contains("more than 0, at most 1"));
        assert!(refused(share("0")).contains("more than 0, at most 1"));
        let both = Constraints { min_leaf: Some(3), ..share("0.5") };
        assert!(refused(both).contains("give one of the two"));
    }

    #[test]
    fn a_share_of_rows_is_rounded_up_exactly() {
        let least = |share: &str, rows| {
            let share = Some(share.into());
            let constraints = Constraints { min_leaf_share: share, ..Constraints::default() };
            constraints.for_rows(rows).unwrap().least_rows()
        };
        assert_eq!((least("0.05", 240), least("0.05", 241)), (12, 13));
        assert_eq!((least("0.1", 30), least("1e-9", 7), least("1", 7)), (3, 1, 7));
    }
}
