//! How columns become features, kept with a model so that new rows are coded the same way.

use super::levels::{features_of, input_of};
use super::row_choice::rows_that_count;
use super::{Feature, Input, Levels, Offer};
use crate::data::{Column, Dataset, LeftOut};
use crate::error::{Result, Unfinished};
use crate::limits::{Pulse, StopReason, Watch};
use serde::{Deserialize, Serialize};

/// How columns were turned into features.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Encoder {
    inputs: Vec<Input>,
    features: Vec<Feature>,
}

impl Encoder {
    /// What columns offer, before rows are merged; `rows` are those to learn from.
    pub(super) fn new(
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
            input_of(column, offer, &frequency, pulse)
        };
        let inputs: Vec<Input> = (dataset.features().iter().zip(dataset.left_out()).map(input))
            .collect::<Result<_, StopReason>>()?;
        let features = (inputs.iter().enumerate())
            .flat_map(|(number, input)| features_of(offer.encoding, number, input))
            .collect();
        Ok(Encoder { inputs, features })
    }

    /// Columns that offer nothing.
    pub(super) fn without_features(inputs: Vec<Input>) -> Self {
        Encoder { inputs, features: Vec::new() }
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
