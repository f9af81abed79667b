//! What is left at the end: the encoder, the tree, and the names to speak of them.

mod apply;
mod evaluate;
mod export;
mod file;
mod importance;
mod page;
mod tally;
mod verify;

pub use apply::{Prediction, Predictor};
pub use evaluate::Evaluation;
pub use export::SqlOptions;
pub(crate) use page::accuracy_against_splits;
pub use page::{Candidate, HtmlOptions};
pub use verify::Verification;

use crate::data::{Dataset, Header, MissingValues, ReadOptions, Roles};
use crate::decimal::Fraction;
use crate::encode::{ClassUnits, ClassWeight, CostUnits, Costs, Encoder, Feature, Input, Offer};
use crate::error::{Error, Result};
use crate::objective::Price;
use crate::report::{Cost, Report, Status};
use crate::search::{Constraints, Counters, Engine, StopReason, TracePoint};
use crate::tree::Tree;
use crate::tree::export::{Picture, Question, Words};
use serde::{Deserialize, Serialize};

/// The column that is predicted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// Its position in the training table.
    pub position: usize,
    /// The classes, in their order.
    pub classes: Vec<String>,
}

/// How a model was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// λ, as it was written.
    pub split_penalty: String,
    /// What multi-way splits cost.
    pub price: Price,
    /// Which splits columns offered.
    #[serde(flatten)]
    pub offer: Offer,
    /// Which values mean that there is none.
    pub missing_values: MissingValues,
    /// What the rows of each class weigh.
    #[serde(default, skip_serializing_if = "is_default")]
    pub class_weight: ClassWeight,
    /// What answers cost, if they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<Costs>,
    /// Which search ran.
    pub engine: Engine,
    /// Which trees were allowed.
    #[serde(default)]
    pub constraints: Constraints,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// What was found, as it is kept with the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Whether the tree is proven to be optimal.
    pub optimal: bool,
    /// Which limit ended the search, if it was ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<StopReason>,
    /// accuracy − λ · splits or, where answers have costs, 1 − cost / worst − λ · splits.
    pub objective: f64,
    /// No tree has a larger objective.
    pub upper_bound: f64,
    /// The share of weight classified correctly.
    pub accuracy: f64,
    /// What the answers cost, where they have costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// The number of splits.
    pub splits: u64,
    /// Seconds that encoding and search took.
    pub seconds: f64,
    /// Iterations that it took.
    pub iterations: u64,
    /// Objective and bound over time, thinned out to at most a few hundred points.
    #[serde(default)]
    pub trace: Vec<TracePoint>,
}

impl Summary {
    const MOST_POINTS: usize = 200;

    pub(crate) fn new(status: Status, report: &Report) -> Self {
        let Counters { iterations, .. } = report.counters;
        Summary {
            optimal: status.is_optimal(),
            stopped_by: match status {
                Status::Optimal => None,
                Status::Stopped(reason) => Some(reason),
            },
            objective: report.objective,
            upper_bound: report.upper_bound,
            accuracy: report.accuracy,
            cost: report.cost,
            splits: report.splits(),
            seconds: report.seconds,
            iterations,
            trace: thinned(&report.trace, Self::MOST_POINTS),
        }
    }
}

/// At most `most` points: the last one, and before it those first in equal parts of the range that
/// objective and bound passed through.
fn thinned(trace: &[TracePoint], most: usize) -> Vec<TracePoint> {
    let stride = trace.len().div_ceil(most).max(1);
    let mut kept: Vec<TracePoint> = trace.iter().step_by(stride).copied().collect();
    if let Some(&last) = trace.last()
        && kept.last() != Some(&last)
    {
        kept.push(last);
    }
    kept
}

/// A fitted tree with all that is needed to read it and to apply it to new rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    encoder: Encoder,
    target: Target,
    tree: Tree,
    /// The weights in the tree's counts are so many to one.
    weight_scale: u64,
    /// What each class weighs, where that differs.
    class_units: Option<ClassUnits>,
    /// Whether the training table named its columns.
    named: bool,
    /// How many columns the training table had, those that were ignored too.
    width: usize,
    /// Its column of row counts.
    count: Option<String>,
    /// Its column of weights.
    weight: Option<String>,
    settings: Settings,
    summary: Summary,
}

impl Model {
    pub(crate) fn new(
        dataset: &Dataset,
        encoder: Encoder,
        tree: Tree,
        settings: Settings,
        summary: Summary,
    ) -> Self {
        let target = Target {
            name: dataset.target().name().to_string(),
            position: dataset.target().position(),
            classes: dataset.target().values().to_vec(),
        };
        Model {
            encoder,
            target,
            tree,
            weight_scale: dataset.weight_scale(),
            class_units: None,
            named: dataset.is_named(),
            width: dataset.width(),
            count: dataset.roles().count.clone(),
            weight: dataset.roles().weight.clone(),
            settings,
            summary,
        }
    }

    /// The same model for rows that are weighed by class.
    pub(crate) fn weighed_by(self, class_units: Option<ClassUnits>) -> Result<Self> {
        let class_scale = class_units.as_ref().map_or(1, |units| units.scale);
        let scale = self.weight_scale.checked_mul(class_scale);
        let total = u128::from(self.weight_scale) * u128::from(class_scale);
        let weight_scale = scale.ok_or(Error::Overflow { total, rows: 1 })?;
        Ok(Model { weight_scale, class_units, ..self })
    }

    /// What the rows of each class weigh, in the order of the classes; `None`: all alike.
    pub fn class_weights(&self) -> Option<Vec<Fraction>> {
        let ClassUnits { units, scale } = self.class_units.as_ref()?;
        let reduced = |&numerator: &u64| Fraction::reduced(numerator, *scale);
        Some(units.iter().map(reduced).collect())
    }

    /// What a row of a class weighs for being of it, in integers; one that training did not see weighs 1.
    fn class_units(&self, class: Option<usize>) -> u64 {
        let units =
            |weights: &ClassUnits| class.map_or(weights.scale, |class| weights.units[class]);
        self.class_units.as_ref().map_or(1, units)
    }

    /// What answers cost, in integers.
    fn cost_units(&self) -> Result<Option<CostUnits>> {
        let costs = self.settings.costs.as_ref();
        costs.map(|costs| costs.units(&self.target.classes)).transpose()
    }

    /// How columns become features.
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// The column that is predicted.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The weights in the tree's counts are so many to one.
    pub fn weight_scale(&self) -> u64 {
        self.weight_scale
    }

    /// How it was asked for.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What was found.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// How to read a table that the model is applied to. It has a header if that names the model's
    /// columns.
    pub fn read_options(&self) -> ReadOptions {
        let header = if self.named { Header::Naming(self.needed_names()) } else { Header::Absent };
        let missing = self.settings.missing_values.clone();
        ReadOptions { header, missing, ..ReadOptions::default() }
    }

    /// The names of the columns that a table needs: all but those that are left out, if there are others.
    fn needed_names(&self) -> Vec<String> {
        let kept = self.encoder.inputs().iter().filter(|input| input.left_out.is_none());
        let names: Vec<String> = kept.map(|input| input.name.clone()).collect();
        if names.is_empty() { self.column_names() } else { names }
    }

    /// What the columns of a table like the training table are for.
    pub fn roles(&self) -> Roles {
        let target = crate::data::Target::Named(match self.named {
            true => self.target.name.clone(),
            false => (self.target.position + 1).to_string(),
        });
        let (count, weight) = (self.count.clone(), self.weight.clone());
        Roles { target, count, weight, ignored: Vec::new() }
    }

    /// The same model with equal sibling subtrees shared.
    #[must_use]
    pub fn collapse(&self) -> Model {
        Model { tree: self.tree.collapse(), ..self.clone() }
    }

    /// The same model with other names for the columns of [`Model::column_names`]: to be shown, not to
    /// be applied to tables with the old ones.
    pub fn with_column_names(&self, names: &[String]) -> Result<Model> {
        let expected = self.encoder.inputs().len();
        if names.len() != expected {
            return Err(Error::NameCount { what: "columns", found: names.len(), expected });
        }
        Ok(Model { encoder: self.encoder.with_names(names), ..self.clone() })
    }

    /// The same model with other names for its classes, in their order.
    pub fn with_class_names(&self, names: &[String]) -> Result<Model> {
        let expected = self.target.classes.len();
        if names.len() != expected {
            return Err(Error::NameCount { what: "classes", found: names.len(), expected });
        }
        let target = Target { classes: names.to_vec(), ..self.target.clone() };
        Ok(Model { target, ..self.clone() })
    }

    /// The user's words for the tree's numbers.
    pub fn words(&self) -> Words {
        let inputs = self.encoder.inputs();
        let labels: Vec<Vec<String>> = inputs.iter().map(Input::labels).collect();
        let question = |feature: &Feature| {
            let (input, labels) = (&inputs[feature.column()], &labels[feature.column()]);
            match *feature {
                Feature::Values { .. } => Question::values(&input.name, labels),
                Feature::Is { value, .. } => Question::is(&input.name, &labels[value as usize]),
                Feature::AtMost { cut, .. } => Question::at_most(
                    &input.name,
                    &input.cuts()[cut as usize],
                    input.missing.as_deref(),
                ),
            }
        };
        let questions = self.encoder.features().iter().map(question).collect();
        Words::new(questions, self.target.classes.clone())
    }

    /// The tree as lines of text.
    pub fn text(&self) -> String {
        self.tree.text(&self.words()).to_string()
    }

    /// The tree in Graphviz's language.
    pub fn dot(&self) -> String {
        self.tree.dot(&self.words()).to_string()
    }

    /// The tree as a picture that is not yet drawn: boxes, lines and texts with their places.
    pub fn picture(&self) -> Picture {
        self.tree.picture(&self.words())
    }

    /// The tree as a picture.
    pub fn svg(&self) -> String {
        self.tree.svg(&self.words()).to_string()
    }
}
