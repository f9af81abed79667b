//! Stage 2: columns become features with few categories.
//!
//! An [`Offer`] says which splits columns offer to the search. Each column's values are sorted into cells
//! (an [`Input`]): one for each value, or one for each interval between thresholds. [`Feature`]s
//! are questions about cells. An [`Encoder`] remembers both and codes new rows the same way.
//!
//! `encode` turns a [`Dataset`] into a `Problem`. Rows that lie in the same cells are merged, constant
//! features are dropped, and of features that divide the rows into the same parts (identical columns,
//! complementary yes/no columns, renamed categories) only the first is kept. None of this changes the best
//! objective: of two features with the same parts, either can replace the other in any tree.
//!
//! Then rows may be weighted by class ([`ClassWeight`]), and vote for the answers that cost least
//! ([`Costs`]): the search only sees weights.

mod celled;
mod class_weight;
mod costs;
mod encoder;
mod feature;
mod input;
mod levels;
mod merge;
mod offer;
mod pack;
mod row_choice;
mod truth;

pub use class_weight::ClassWeight;
pub(crate) use class_weight::ClassWeights;
pub(crate) use costs::CostMatrix;
pub use costs::Costs;
pub use encoder::Encoder;
pub use feature::Feature;
pub(crate) use input::Coder;
pub use input::{Input, Levels};
pub(crate) use levels::{features_of, input_of};
pub use offer::{Encoding, Missing, Offer, Thresholds};
pub(crate) use row_choice::rows_that_count;
pub(crate) use truth::place_of;

use crate::data::{Column, Dataset, LeftOut};
use crate::error::{Error, Result, Unfinished};
use crate::limits::{Pulse, StopReason};
use crate::problem::Problem;
use merge::{Chosen, Merged};

/// How many of the offered features and rows are left for the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reduction {
    /// Features offered by the columns.
    pub offered: usize,
    /// Features that are the same for every row.
    pub constant: usize,
    /// Features that divide the rows into the same parts as an earlier one.
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
    /// The limit that was reached during encoding, if any. Then the problem has only the features of the
    /// column that must be asked first, if there is one.
    pub(crate) stopped: Option<StopReason>,
}

impl Encoded {
    /// The rows as one leaf: used when a limit is reached before the rows are laid out.
    pub(crate) fn unsplit(dataset: &Dataset, offer: &Offer, reason: StopReason) -> Result<Self> {
        if offer.first_column.is_some() {
            // There is no tree yet that begins with this column.
            return Err(Unfinished::Stopped(reason).into());
        }
        let (rows, dropped_rows) =
            rows_that_count(dataset, dataset.kept().collect(), offer.missing)?;
        let (problem, reduction) = merge::unsplit(dataset, &rows);
        let unseen = |column: &Column| Input::left_out(column, LeftOut::NotReached);
        let inputs = dataset.features().iter().map(unseen).collect();
        let encoder = Encoder::without_features(inputs);
        let reduction = Reduction { dropped_rows, ..reduction };
        Ok(Encoded { encoder, problem, reduction, stopped: Some(reason) })
    }
}

/// Turn a table into a problem; `tell` is called with the number of features so far.
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

#[cfg(test)]
mod tests;
