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

pub use class_weight::ClassWeight;
pub(crate) use class_weight::ClassWeights;
pub(crate) use costs::CostMatrix;
pub use costs::Costs;
pub use feature::Feature;
pub(crate) use input::Coder;
pub use input::{Input, Levels};
pub(crate) use levels::{features_of, input_of};
pub use offer::{Encoding, Missing, Offer, Thresholds};
pub(crate) use truth::place_of;

use crate::data::{Column, Dataset, LeftOut};
use crate::error::{Error, Result, Unfinished};
use crate::limits::{Pulse, StopReason, Watch};
use crate::problem::Problem;
use merge::{Chosen, Merged};
use serde::{Deserialize, Serialize};

/// How columns were turned into features.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Encoder {
    inputs: Vec<Input>,
    features: Vec<Feature>,
}

impl Encoder {
    /// What columns offer, before any row is merged. `rows` are those that count.
    fn new(
        dataset: &Dataset,
        offer: &Offer,
        rows: &[usize],
        pulse: &mut Pulse,
    ) -> Result<Self, StopReason> {
        let input = |(column, left_out): (&Column, &Option<LeftOut>)| {
            if let Some(why) = left_out {
                return Ok(Input::left_out(column, *why));
            }
            let frequency = || {
                let mut frequency = vec![0; column.values().len() + 1];
                for &row in rows {
                    frequency[column.codes().at(row) as usize] += dataset.count(row);
                }
                frequency
            };
            levels::input_of(column, offer, &frequency, pulse)
        };
        let inputs: Vec<Input> = (dataset.features().iter().zip(dataset.left_out()).map(input))
            .collect::<Result<_, StopReason>>()?;
        let features = (inputs.iter().enumerate())
            .flat_map(|(number, input)| levels::features_of(offer.encoding, number, input))
            .collect();
        Ok(Encoder { inputs, features })
    }

    /// What the columns of a table offer, without a search.
    pub fn survey(dataset: &Dataset, offer: &Offer) -> Result<Self> {
        offer.check()?;
        let (rows, _) = rows_that_count(dataset, dataset.kept().collect(), offer.missing)?;
        let surveyed = Encoder::new(dataset, offer, &rows, &mut Watch::endless().pulse());
        surveyed.map_err(|reason| Unfinished::Stopped(reason).into())
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

/// A table, encoded.
pub(crate) struct Encoded {
    pub(crate) encoder: Encoder,
    pub(crate) problem: Problem,
    pub(crate) reduction: Reduction,
    /// Which limit was reached on the way, if any was. Then the problem has no features but those of the
    /// column that must be asked first.
    pub(crate) stopped: Option<StopReason>,
}

impl Encoded {
    /// What is left where a limit was reached before the rows were laid out: one leaf.
    pub(crate) fn unsplit(dataset: &Dataset, offer: &Offer, reason: StopReason) -> Result<Self> {
        if offer.first_column.is_some() {
            // Not even one tree is there that begins with it.
            return Err(Unfinished::Stopped(reason).into());
        }
        let (rows, dropped_rows) =
            rows_that_count(dataset, dataset.kept().collect(), offer.missing)?;
        let (problem, reduction) = merge::unsplit(dataset, &rows);
        let unseen = |column: &Column| Input::left_out(column, LeftOut::NotReached);
        let inputs = dataset.features().iter().map(unseen).collect();
        let encoder = Encoder { inputs, features: Vec::new() };
        let reduction = Reduction { dropped_rows, ..reduction };
        Ok(Encoded { encoder, problem, reduction, stopped: Some(reason) })
    }
}

/// Turn a table into a problem, telling how many features there are so far.
pub(crate) fn encode(
    dataset: &Dataset,
    offer: &Offer,
    pulse: &mut Pulse,
    tell: &mut dyn FnMut(usize),
) -> Result<Encoded> {
    match encode_all(dataset, offer, pulse, tell) {
        Err(Unfinished::Stopped(reason)) => Encoded::unsplit(dataset, offer, reason),
        Err(Unfinished::Failed(error)) => Err(error),
        Ok(encoded) => Ok(encoded),
    }
}

fn encode_all(
    dataset: &Dataset,
    offer: &Offer,
    pulse: &mut Pulse,
    tell: &mut dyn FnMut(usize),
) -> Result<Encoded, Unfinished> {
    let (rows, dropped_rows) = rows_that_count(dataset, dataset.kept().collect(), offer.missing)?;
    let first = offer.first_column.as_ref().map(|name| dataset.find_feature(name, "to ask first"));
    let first_column = first.transpose()?;
    let encoder = Encoder::new(dataset, offer, &rows, pulse)?;
    let chosen = Chosen { rows: &rows, first_column };
    let Merged { problem, reduction, stopped } =
        merge::merge(dataset, &encoder, chosen, pulse, tell)?;
    let may_split = |(id, _)| problem.may_be_first(id);
    if let Some(column) = first_column
        && !problem.features().any(may_split)
    {
        let problem = match dataset.left_out()[column] {
            None => "it is the same for every row".to_string(),
            Some(why) => format!("it is left out, unless it is asked for as categories ({why})"),
        };
        let column = dataset.features()[column].name().to_string();
        return Err(Error::FirstColumn { column, problem }.into());
    }
    let reduction = Reduction { dropped_rows, ..reduction };
    Ok(Encoded { encoder, problem, reduction, stopped })
}

/// The rows that have the values that they must have in the columns that are asked about, and how many
/// do not. Rows of weight 0 are among them; rows that stand for none are not.
pub(crate) fn rows_that_count(
    dataset: &Dataset,
    asked: Vec<&Column>,
    missing: Missing,
) -> Result<(Vec<usize>, u64)> {
    let counted = (0..dataset.n_rows()).filter(|&row| dataset.count(row) > 0);
    let mut required = asked;
    required.retain(|column| column.has_missing() && missing != Missing::Category);
    required.extend(Some(dataset.target()).filter(|target| target.has_missing()));
    let complete = |row: usize| required.iter().all(|column| column.value(row).is_some());
    let (rows, incomplete): (Vec<usize>, Vec<usize>) = counted.partition(|&row| complete(row));
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
    if rows.iter().all(|&row| dataset.weight(row) == 0) {
        return Err(Error::NoWeight);
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

    fn encoded_as(dataset: &Dataset, offer: &Offer) -> Result<Encoded> {
        let endless = Watch::endless();
        encode(dataset, offer, &mut endless.pulse(), &mut |_| {})
    }

    fn encoded(dataset: &Dataset, encoding: Encoding) -> (Encoder, Problem, Reduction) {
        let offer = Offer { encoding, ..Offer::default() };
        let Encoded { encoder, problem, reduction, .. } = encoded_as(dataset, &offer).unwrap();
        (encoder, problem, reduction)
    }

    #[test]
    fn a_limit_leaves_one_leaf() {
        let limits = crate::limits::Limits { memory: Some(1), ..Default::default() };
        let watch = Watch::start(&limits);
        let dataset = dataset();
        let stopped = encode(&dataset, &Offer::default(), &mut watch.pulse(), &mut |_| {}).unwrap();
        assert_eq!(stopped.stopped, Some(StopReason::Memory));
        assert_eq!((stopped.problem.n_features(), stopped.problem.total_weight()), (0, 5));
        assert_eq!(stopped.problem.class_totals(), [3, 2]);
        assert_eq!(stopped.reduction.rows, 5);
        let first = Offer { first_column: Some("colour".into()), ..Offer::default() };
        let refused = encode(&dataset, &first, &mut watch.pulse(), &mut |_| {}).err().unwrap();
        assert_eq!(refused.stopped_by(), Some(StopReason::Memory));
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

    /// 150 patients, of whom one has no name, two heights and a class.
    fn patients(categorical: &[&str]) -> Dataset {
        let name = |n: usize| if n == 7 { String::new() } else { format!("p{n}") };
        let names: Vec<String> = (0..150).map(name).collect();
        let column = |a, b| (0..150).map(|n| if n % 2 == 0 { a } else { b }).collect::<Vec<&str>>();
        let table = Table::from_columns(vec![
            Column::from_values("patient", &names),
            Column::from_values("height", &column("tall", "short")),
            Column::from_values("class", &column("a", "b")),
        ]);
        let categorical = categorical.iter().map(|name| name.to_string()).collect();
        let categorical = crate::data::Selection::Named(categorical);
        let types = crate::data::Types { categorical, ..Default::default() };
        table.with_types(&types).unwrap().dataset(Target::Last).unwrap()
    }

    #[test]
    fn a_column_that_names_rows_is_left_out() {
        for encoding in Encoding::ALL {
            let (encoder, problem, reduction) = encoded(&patients(&[]), encoding);
            let input = &encoder.inputs()[0];
            assert_eq!(input.left_out, Some(LeftOut::NamesRows { once: 149, of: 149 }));
            assert_eq!((input.distinct, encoder.inputs()[1].left_out), (149, None));
            assert!(encoder.features().iter().all(|feature| feature.column() == 1));
            assert_eq!((reduction.distinct_rows, problem.n_features()), (2, 1), "{encoding:?}");
        }
        let (encoder, ..) = encoded(&patients(&["patient"]), Encoding::Auto);
        assert_eq!((encoder.inputs()[0].left_out, encoder.features().len()), (None, 2));
    }

    #[test]
    fn a_column_that_is_left_out_needs_no_values_and_is_not_asked_first() {
        let with = |dataset: &Dataset, offer: Offer| {
            encoded_as(dataset, &offer).map(|encoded| encoded.reduction.rows)
        };
        let dropping = || Offer { missing: Missing::Drop, ..Offer::default() };
        assert_eq!(with(&patients(&[]), dropping()).unwrap(), 150);
        assert_eq!(with(&patients(&["patient"]), dropping()).unwrap(), 149);
        let first = Offer { first_column: Some("patient".into()), ..Offer::default() };
        let message = with(&patients(&[]), first).unwrap_err().to_string();
        assert!(message.contains("\"patient\": it is left out, unless"), "{message}");
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
            encoded_as(&dataset, &offer).map(|Encoded { encoder, reduction, .. }| {
                (encoder.features().len(), reduction.rows, reduction.dropped_rows)
            })
        };
        assert_eq!(with(Missing::Category).unwrap(), (4, 4, 0));
        assert_eq!(with(Missing::Drop).unwrap(), (2, 2, 2));
        let message = with(Missing::Refuse).unwrap_err().to_string();
        assert!(message.contains("\"age\" has no value in 1 row"), "{message}");
    }
}
