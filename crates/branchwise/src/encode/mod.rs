//! Stage 2: columns become features with few categories.
//!
//! An [`Offer`] says which splits columns are to offer. Each column's values are sorted into cells
//! (an [`Input`]): one for each value, or one for each interval between thresholds. [`Feature`]s
//! are questions about cells. An [`Encoder`] remembers both and codes new rows the same way.
//!
//! `encode` turns a [`Dataset`] into a `Problem`: rows that lie in the same cells merged, constant
//! features dropped, and of features that part the rows alike (identical columns, complementary
//! yes/no columns, renamed categories) only the first kept. None of this changes the best tree's
//! objective: a feature that parts the rows as another does can stand in for it anywhere.
//!
//! Then rows may be weighed by class ([`ClassWeight`]), and vote for the answers that cost them least
//! ([`Costs`]): the search sees weights, whatever they come from.

mod class_weight;
mod costs;
mod feature;
mod input;
mod levels;
mod merge;
mod offer;
mod pack;
mod truth;

pub(crate) use class_weight::ClassUnits;
pub use class_weight::ClassWeight;
pub(crate) use costs::CostUnits;
pub use costs::Costs;
pub use feature::Feature;
pub(crate) use input::Coder;
pub use input::{Input, Levels};
pub(crate) use levels::{features_of, input_of};
pub use offer::{Encoding, Missing, Offer, Thresholds};
pub(crate) use truth::place_of;

use crate::data::{Column, Dataset};
use crate::error::{Error, Result};
use crate::problem::Problem;
use serde::{Deserialize, Serialize};

/// How columns were turned into features.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Encoder {
    inputs: Vec<Input>,
    features: Vec<Feature>,
}

impl Encoder {
    /// What columns offer, before any row is merged. `rows` are those that count.
    fn new(dataset: &Dataset, offer: &Offer, rows: &[usize]) -> Self {
        let input = |column: &Column| {
            let frequency = || {
                let mut frequency = vec![0; column.values().len() + 1];
                for &row in rows {
                    frequency[column.codes().at(row) as usize] += dataset.count(row);
                }
                frequency
            };
            levels::input_of(column, offer, &frequency)
        };
        let inputs: Vec<Input> = dataset.features().iter().map(input).collect();
        let features = (inputs.iter().enumerate())
            .flat_map(|(number, input)| levels::features_of(offer.encoding, number, input))
            .collect();
        Encoder { inputs, features }
    }

    /// What the columns of a table offer, without a search.
    pub fn survey(dataset: &Dataset, offer: &Offer) -> Result<Self> {
        offer.check()?;
        let (rows, _) = rows_that_count(dataset, offer.missing)?;
        Ok(Encoder::new(dataset, offer, &rows))
    }

    /// The columns that are asked about.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The same with other names for the columns.
    pub(crate) fn with_names(&self, names: &[String]) -> Encoder {
        let mut renamed = self.clone();
        for (input, name) in renamed.inputs.iter_mut().zip(names) {
            input.name = name.clone();
        }
        renamed
    }

    /// The features that were offered to the search.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// The category of a value in this cell for a feature; `None`: it has none.
    pub fn category(&self, feature: usize, cell: Option<u32>) -> Option<u32> {
        let feature = self.features[feature];
        feature.category(cell, self.inputs[feature.column()].missing_cell())
    }

    /// The number of categories of a feature.
    pub fn n_categories(&self, feature: usize) -> usize {
        let feature = self.features[feature];
        let input = &self.inputs[feature.column()];
        match feature {
            Feature::Values { .. } => input.n_cells(),
            Feature::Is { .. } => 2,
            Feature::AtMost { .. } => 2 + usize::from(input.missing.is_some()),
        }
    }

    /// What is wrong with an encoder that was read from a file, if anything.
    pub(crate) fn fault(&self) -> Option<String> {
        let bad = self.features.iter().find(|feature| {
            let Some(input) = self.inputs.get(feature.column()) else { return true };
            match feature {
                Feature::Values { .. } => matches!(input.levels, Levels::Order { .. }),
                Feature::Is { value, .. } => *value as usize >= input.n_cells(),
                Feature::AtMost { cut, .. } => *cut as usize >= input.cuts().len(),
            }
        });
        let no_place = |feature| format!("there is no column or value for the feature {feature:?}");
        bad.map(no_place).or_else(|| self.inputs.iter().find_map(Input::fault))
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
    /// Rows that were left out because a value is missing.
    pub dropped_rows: u64,
    /// Rows that differ in some feature.
    pub distinct_rows: usize,
}

/// Turn a table into a problem.
///
/// `go_on` is asked, with the bytes held so far, before each feature; if the answer is no, the problem
/// is left without features.
pub(crate) fn encode(
    dataset: &Dataset,
    offer: &Offer,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Result<(Encoder, Problem, Reduction)> {
    let (rows, dropped_rows) = rows_that_count(dataset, offer.missing)?;
    let encoder = Encoder::new(dataset, offer, &rows);
    let first = offer.first_column.as_ref().map(|name| dataset.find_feature(name, "to ask first"));
    let first = first.transpose()?;
    let (problem, reduction) = merge::merge(dataset, &encoder, (&rows, first), go_on);
    let may_split = |(id, _)| problem.may_be_first(id);
    if let Some(column) = first
        && !problem.features().any(may_split)
    {
        let column = dataset.features()[column].name().to_string();
        return Err(Error::FirstColumn { column, problem: "it is the same for every row" });
    }
    Ok((encoder, problem, Reduction { dropped_rows, ..reduction }))
}

/// The rows that weigh something and have the values that they must have; how many do not have them.
pub(crate) fn rows_that_count(dataset: &Dataset, missing: Missing) -> Result<(Vec<usize>, u64)> {
    let weighed = (0..dataset.n_rows()).filter(|&row| dataset.weight(row) > 0);
    let required = |column: &&Column| column.has_missing() && missing != Missing::Category;
    let mut required: Vec<&Column> = dataset.features().iter().filter(required).collect();
    required.extend(Some(dataset.target()).filter(|target| target.has_missing()));
    let complete = |row: usize| required.iter().all(|column| column.value(row).is_some());
    let (rows, incomplete): (Vec<usize>, Vec<usize>) = weighed.partition(|&row| complete(row));
    let lacks = |column: &Column, row: usize| column.value(row).is_none();
    let lacking = required.iter().find(|column| incomplete.iter().any(|&row| lacks(column, row)));
    if let Some(column) = lacking.filter(|_| missing != Missing::Drop) {
        let without = incomplete.iter().filter(|&&row| lacks(column, row));
        return Err(Error::MissingValues {
            column: column.name().to_string(),
            rows: without.map(|&row| dataset.count(row)).sum(),
            place: column.place_of(column.values().len()),
            to_predict: column.position() == dataset.target().position(),
        });
    }
    if rows.is_empty() && !incomplete.is_empty() {
        return Err(Error::NoCompleteRow);
    }
    let dropped = incomplete.iter().map(|&row| dataset.count(row)).sum();
    Ok((rows, dropped))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Table, Target};

    fn dataset() -> Dataset {
        Table::from_columns(vec![
            Column::from_values("colour", &["red", "green", "blue", "red", "red"]),
            Column::from_values("tint", &["r", "g", "b", "r", "r"]),
            Column::from_values("planet", &["earth"; 5]),
            Column::from_values("class", &["a", "b", "a", "b", "a"]),
        ])
        .dataset(Target::Last)
        .unwrap()
    }

    fn encoded(dataset: &Dataset, encoding: Encoding) -> (Encoder, Problem, Reduction) {
        encode(dataset, &Offer { encoding, ..Offer::default() }, &mut |_| true).unwrap()
    }

    #[test]
    fn multiway_offers_a_feature_per_column() {
        let (encoder, problem, reduction) = encoded(&dataset(), Encoding::Multiway);
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
            let (_, problem, reduction) = encoded(&dataset(), encoding);
            (reduction.offered, problem.n_features())
        };
        assert_eq!(offered(Encoding::OneHot), (7, 3));
        assert_eq!(offered(Encoding::OneHotDropFirst), (4, 2));
        assert_eq!(offered(Encoding::OneHotDropLast), (4, 2));
        assert_eq!(offered(Encoding::Mixed), (9, 4));
    }

    #[test]
    fn complementary_features_are_found_once() {
        let two = Table::from_columns(vec![
            Column::from_values("coin", &["heads", "tails", "heads"]),
            Column::from_values("class", &["a", "b", "a"]),
        ]);
        let (_, problem, reduction) =
            encoded(&two.dataset(Target::Last).unwrap(), Encoding::OneHot);
        assert_eq!((problem.n_features(), reduction.repeated), (1, 1));
    }

    #[test]
    fn rows_between_the_same_thresholds_are_merged() {
        let ages: Vec<String> = (0..100).map(|age| age.to_string()).collect();
        let class: Vec<&str> = (0..100).map(|age| if age < 50 { "young" } else { "old" }).collect();
        let table = Table::from_columns(vec![
            Column::from_values("age", &ages),
            Column::from_values("class", &class),
        ]);
        let (encoder, problem, reduction) =
            encoded(&table.dataset(Target::Last).unwrap(), Encoding::Auto);
        assert_eq!((encoder.inputs()[0].distinct, encoder.features().len()), (100, 8));
        assert_eq!((reduction.rows, reduction.distinct_rows), (100, 9));
        assert_eq!((problem.n_features(), problem.total_weight()), (8, 100));
    }

    #[test]
    fn missing_values_are_kept_dropped_or_refused() {
        let table = Table::from_columns(vec![
            Column::from_values("age", &["1", "", "3", "4"]),
            Column::from_values("colour", &["red", "red", "?", "blue"]),
            Column::from_values("class", &["a", "b", "a", "b"]),
        ]);
        let dataset = table.dataset(Target::Last).unwrap();
        let with = |missing| {
            let offer = Offer { missing, ..Offer::default() };
            encode(&dataset, &offer, &mut |_| true).map(|(encoder, _, reduction)| {
                (encoder.features().len(), reduction.rows, reduction.dropped_rows)
            })
        };
        assert_eq!(with(Missing::Category).unwrap(), (4, 4, 0));
        assert_eq!(with(Missing::Drop).unwrap(), (2, 2, 2));
        let message = with(Missing::Refuse).unwrap_err().to_string();
        assert!(message.contains("\"age\" has no value in 1 row"), "{message}");
    }
}
