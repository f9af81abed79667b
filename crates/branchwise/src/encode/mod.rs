//! Stage 2: columns become features with few categories.
//!
//! An [`Encoding`] says which features a column offers; an [`Encoder`] remembers what was offered
//! and codes new rows the same way; `encode` turns a [`Dataset`] into a `Problem`: rows that
//! agree on every feature merged, constant features dropped, and of features that part the rows
//! alike (identical columns, complementary yes/no columns, renamed categories) only the first kept.
//! None of this changes the best tree's objective: a feature that parts the rows as another does
//! can stand in for it anywhere.

mod merge;

use crate::data::Dataset;
use crate::problem::Problem;
use serde::{Deserialize, Serialize};

/// Which splits a column offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// One split per column, with a child for each value (the paper's ordinal encoding, -o).
    #[default]
    Multiway,
    /// A yes/no split for each value.
    OneHot,
    /// A yes/no split for each value but the first (the paper's -f).
    OneHotDropFirst,
    /// A yes/no split for each value but the last (the paper's -l).
    OneHotDropLast,
}

impl Encoding {
    /// Every encoding.
    pub const ALL: [Encoding; 4] =
        [Encoding::Multiway, Encoding::OneHot, Encoding::OneHotDropFirst, Encoding::OneHotDropLast];

    /// The encoding's name.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Multiway => "multiway",
            Encoding::OneHot => "one-hot",
            Encoding::OneHotDropFirst => "one-hot-drop-first",
            Encoding::OneHotDropLast => "one-hot-drop-last",
        }
    }

    /// The features of a column with so many values.
    fn features(self, column: usize, n_values: usize) -> Vec<Feature> {
        let range = match self {
            Encoding::Multiway => return vec![Feature::Values { column }],
            Encoding::OneHot => 0..n_values,
            Encoding::OneHotDropFirst => 1..n_values,
            Encoding::OneHotDropLast => 0..n_values.saturating_sub(1),
        };
        range.map(|value| Feature::Is { column, value: value as u32 }).collect()
    }
}

/// A question that can be asked of a row, with its answers as categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Feature {
    /// Which value does the column have? Category = the value's number.
    Values {
        /// The column asked about.
        column: usize,
    },
    /// Is it this value? Category 0 = no, 1 = yes.
    Is {
        /// The column asked about.
        column: usize,
        /// The value asked for.
        value: u32,
    },
}

impl Feature {
    /// The column asked about.
    pub fn column(self) -> usize {
        match self {
            Feature::Values { column } | Feature::Is { column, .. } => column,
        }
    }

    /// The answer for a value of the column; `None` is a value unknown to the encoder, which has no
    /// category among many, but is a plain "no" to "is it this value?".
    pub fn category(self, value: Option<u32>) -> Option<u32> {
        match self {
            Feature::Values { .. } => value,
            Feature::Is { value: wanted, .. } => Some(u32::from(value == Some(wanted))),
        }
    }
}

/// A column as the encoder remembers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its position in the training table.
    pub position: usize,
    /// Its values, in their order.
    pub values: Vec<String>,
}

/// How columns were turned into features.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Encoder {
    inputs: Vec<Input>,
    features: Vec<Feature>,
}

impl Encoder {
    /// The columns that are asked about.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The features that were offered to the search.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// The number of categories of a feature.
    pub fn n_categories(&self, feature: usize) -> usize {
        match self.features[feature] {
            Feature::Values { column } => self.inputs[column].values.len(),
            Feature::Is { .. } => 2,
        }
    }

    /// What is wrong with an encoder that was read from a file, if anything.
    pub(crate) fn fault(&self) -> Option<String> {
        let bad = self.features.iter().find(|feature| {
            let input = self.inputs.get(feature.column());
            match feature {
                Feature::Values { .. } => input.is_none(),
                Feature::Is { value, .. } => {
                    input.is_none_or(|i| *value as usize >= i.values.len())
                }
            }
        });
        bad.map(|feature| format!("there is no column or value for the feature {feature:?}"))
    }
}

/// What became of the features offered, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reduction {
    /// Features offered by the columns.
    pub offered: usize,
    /// Features that are the same for every row.
    pub constant: usize,
    /// Features that part the rows as an earlier one does.
    pub repeated: usize,
    /// Rows of the table that count.
    pub rows: u64,
    /// Rows that differ in some feature.
    pub distinct_rows: usize,
}

/// Turn a table into a problem.
///
/// `go_on` is asked, with the bytes held so far, before each feature; if the answer is no, the problem
/// is left without features.
pub(crate) fn encode(
    dataset: &Dataset,
    encoding: Encoding,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> (Encoder, Problem, Reduction) {
    let columns = dataset.features();
    let inputs = columns
        .iter()
        .map(|column| Input {
            name: column.name().to_string(),
            position: column.position(),
            values: column.values().to_vec(),
        })
        .collect();
    let features: Vec<Feature> = (columns.iter().enumerate())
        .flat_map(|(number, column)| encoding.features(number, column.values().len()))
        .collect();
    let (problem, reduction) = merge::merge(dataset, &features, go_on);
    (Encoder { inputs, features }, problem, reduction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Table, Target};

    fn dataset() -> Dataset {
        Table::from_columns(vec![
            Column::from_values("colour", &["red", "green", "blue", "red", "red"]),
            Column::from_values("tint", &["r", "g", "b", "r", "r"]),
            Column::from_values("planet", &["earth"; 5]),
            Column::from_values("class", &["a", "b", "a", "b", "a"]),
        ])
        .dataset(&Target::Last)
        .unwrap()
    }

    #[test]
    fn multiway_offers_a_feature_per_column() {
        let (encoder, problem, reduction) = encode(&dataset(), Encoding::Multiway, &mut |_| true);
        assert_eq!(encoder.features().len(), 3);
        assert_eq!((reduction.constant, reduction.repeated), (1, 1));
        assert_eq!((problem.n_features(), problem.n_clauses()), (1, 3));
        assert_eq!((reduction.rows, reduction.distinct_rows), (5, 3));
        // red occurs with both classes: 3 distinct rows, 4 units.
        assert_eq!((problem.n_units(), problem.total_weight()), (4, 5));
    }

    #[test]
    fn one_hot_offers_a_feature_per_value() {
        let offered = |encoding| {
            let (_, problem, reduction) = encode(&dataset(), encoding, &mut |_| true);
            (reduction.offered, problem.n_features())
        };
        assert_eq!(offered(Encoding::OneHot), (7, 3));
        assert_eq!(offered(Encoding::OneHotDropFirst), (4, 2));
        assert_eq!(offered(Encoding::OneHotDropLast), (4, 2));
    }

    #[test]
    fn complementary_features_are_found_once() {
        let two = Table::from_columns(vec![
            Column::from_values("coin", &["heads", "tails", "heads"]),
            Column::from_values("class", &["a", "b", "a"]),
        ]);
        let (_, problem, reduction) =
            encode(&two.dataset(&Target::Last).unwrap(), Encoding::OneHot, &mut |_| true);
        assert_eq!((problem.n_features(), reduction.repeated), (1, 1));
    }

    #[test]
    fn unknown_values_are_a_plain_no_or_no_category() {
        assert_eq!(Feature::Values { column: 0 }.category(None), None);
        assert_eq!(Feature::Values { column: 0 }.category(Some(2)), Some(2));
        assert_eq!(Feature::Is { column: 0, value: 1 }.category(None), Some(0));
        assert_eq!(Feature::Is { column: 0, value: 1 }.category(Some(1)), Some(1));
    }
}
