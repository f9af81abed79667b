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
        let encoder = Encoder::without_features(inputs);
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

#[cfg(test)]
mod tests;
