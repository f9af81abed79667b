//! The fitted model: the encoder, the tree, and the names of columns, values and classes.

mod apply;
mod claims;
mod evaluate;
mod exact;
mod export;
mod file;
mod importance;
mod page;
mod summary;
mod tally;
mod verify;

pub use apply::{Prediction, Predictor};
pub use evaluate::Evaluation;
pub use export::SqlOptions;
pub(crate) use page::accuracy_against_splits;
pub use page::{Candidate, HtmlOptions};
pub use summary::Summary;
pub use verify::Verification;

use crate::data::{Dataset, Header, ReadOptions, Roles};
use crate::decimal::Fraction;
use crate::encode::{ClassWeights, CostMatrix, Encoder, Feature, Input};
use crate::error::{Error, Result};
use crate::settings::Settings;
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

/// A fitted tree with all that is needed to read it and to apply it to new rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    encoder: Encoder,
    target: Target,
    tree: Tree,
    /// How many units of weight in the tree's counts make a weight of 1.
    weight_scale: u64,
    /// What each class weighs, where that differs.
    class_weights: Option<ClassWeights>,
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
            class_weights: None,
            named: dataset.is_named(),
            width: dataset.width(),
            count: dataset.roles().count.clone(),
            weight: dataset.roles().weight.clone(),
            settings,
            summary,
        }
    }

    /// The same model for rows that are weighed by class.
    pub(crate) fn weighed_by(self, class_weights: Option<ClassWeights>) -> Result<Self> {
        let class_scale = class_weights.as_ref().map_or(1, |weights| weights.scale);
        let scale = self.weight_scale.checked_mul(class_scale);
        let total = u128::from(self.weight_scale) * u128::from(class_scale);
        let weight_scale = scale.ok_or(Error::Overflow { total, rows: 1 })?;
        Ok(Model { weight_scale, class_weights, ..self })
    }

    /// What the rows of each class weigh, in the order of the classes; `None`: all alike.
    pub fn class_weights(&self) -> Option<Vec<Fraction>> {
        let ClassWeights { weights, scale } = self.class_weights.as_ref()?;
        let reduced = |&numerator: &u64| Fraction::reduced(numerator, *scale);
        Some(weights.iter().map(reduced).collect())
    }

    /// A row's weight multiplied by that of its class; a class that training did not see weighs 1.
    fn class_weighted(&self, class: Option<usize>, weight: u64) -> u64 {
        let of_class =
            |weights: &ClassWeights| class.map_or(weights.scale, |class| weights.weights[class]);
        weight.saturating_mul(self.class_weights.as_ref().map_or(1, of_class))
    }

    /// What answers cost, in integers.
    fn cost_matrix(&self) -> Result<Option<CostMatrix>> {
        let costs = self.settings.goal.costs.as_ref();
        costs.map(|costs| costs.matrix(&self.target.classes)).transpose()
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

    /// How many units of weight in the tree's counts make a weight of 1.
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

    /// How to read a table that the model is applied to. It has a header if that names the columns that
    /// the tree asks about, or half of it are names of the model's columns.
    pub fn read_options(&self) -> ReadOptions {
        let known = self.column_names();
        let needed = self.asked_columns().into_iter().map(|number| known[number].clone()).collect();
        let header = if self.named { Header::Naming { needed, known } } else { Header::Absent };
        let missing = self.settings.missing_values.clone();
        ReadOptions { header, missing, ..ReadOptions::default() }
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
        let mut model = Model { encoder: self.encoder.with_names(names), ..self.clone() };
        if let Some(first) = self.first_column() {
            model.settings.offer.first_column = Some(names[first].clone());
        }
        Ok(model)
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
