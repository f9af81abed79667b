//! Which splits columns offer: what the user can choose.

use crate::data::{Column, Comparison, Kind};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// How the values of a column are asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// By what the column is: numbers and dates by thresholds, everything else with a child for
    /// each value.
    #[default]
    Auto,
    /// One split per column, with a child for each value (the paper's ordinal encoding, -o).
    Multiway,
    /// A yes/no split for each value.
    OneHot,
    /// A yes/no split for each value but the first (the paper's -f).
    OneHotDropFirst,
    /// A yes/no split for each value but the last (the paper's -l).
    OneHotDropLast,
    /// Both: a split with a child for each value, and a yes/no split for each value.
    Mixed,
}

impl Encoding {
    /// Every encoding.
    pub const ALL: [Encoding; 6] = [
        Encoding::Auto,
        Encoding::Multiway,
        Encoding::OneHot,
        Encoding::OneHotDropFirst,
        Encoding::OneHotDropLast,
        Encoding::Mixed,
    ];

    /// The encoding's name.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Auto => "auto",
            Encoding::Multiway => "multiway",
            Encoding::OneHot => "one-hot",
            Encoding::OneHotDropFirst => "one-hot-drop-first",
            Encoding::OneHotDropLast => "one-hot-drop-last",
            Encoding::Mixed => "mixed",
        }
    }

    /// Whether a column's values are compared by their order, with thresholds, rather than one by
    /// one.
    ///
    /// What the user says about the column comes first. Otherwise dates and numbers with fractions are
    /// ordered, and so are whole numbers, unless the encoding asks about single values: then they are the
    /// codes of categories, as in the paper's tables.
    pub fn takes_in_order(self, column: &Column) -> bool {
        match (column.comparison(), column.kind()) {
            (Some(Comparison::Categories | Comparison::Text), _) => false,
            (Some(Comparison::Numbers | Comparison::Ordered(_)), _) => true,
            (None, Kind::Real | Kind::Date) => true,
            (None, Kind::Integer) => self == Encoding::Auto,
            (None, Kind::Boolean | Kind::Text) => false,
        }
    }
}

/// How many thresholds an ordered column offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Thresholds {
    /// At most this many, chosen so that they divide the rows as evenly as possible.
    Quantiles(usize),
    /// One between each two neighbouring values.
    All,
}

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds::Quantiles(8)
    }
}

/// What happens to rows that have no value in some column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Missing {
    /// "Missing" is a value of its own.
    #[default]
    Category,
    /// Such rows are left out.
    Drop,
    /// The table is refused.
    Refuse,
}

/// Which splits columns offer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// How values are asked about.
    pub encoding: Encoding,
    /// How many thresholds an ordered column offers.
    pub thresholds: Thresholds,
    /// In a column with more values than this, the rarest ones share one category.
    #[serde(default)]
    pub max_categories: Option<usize>,
    /// What happens to rows with missing values.
    pub missing: Missing,
    /// The column that the first split must ask about, by name or by position counted from 1.
    #[serde(default)]
    pub first_column: Option<String>,
}

impl Offer {
    /// Refuse settings that make no sense for any table.
    pub(crate) fn check(&self) -> Result<()> {
        let wrong = |name, found: usize, allowed| {
            Err(Error::BadLimit { name, found: found.to_string(), allowed })
        };
        match (self.thresholds, self.max_categories) {
            (Thresholds::Quantiles(0), _) => wrong(
                "the number of thresholds",
                0,
                "give 1 or more, or \"all\"; a column can be left out by ignoring it",
            ),
            (_, Some(most @ 0..2)) => wrong(
                "the most categories",
                most,
                "give 2 or more: the rarest values become one, beside the others",
            ),
            _ => Ok(()),
        }
    }
}
