//! The model file: JSON with a schema number, checked when it is read.

use super::{Model, Summary, Target};
use crate::encode::{ClassWeights, Encoder};
use crate::error::{ModelError, Result};
use crate::settings::Settings;
use crate::tree::{Node, Tree};
use serde::{Deserialize, Serialize};

/// The newest form of the file that this program knows.
const SCHEMA: u64 = 2;
const FORMAT: &str = "branchwise-model";

/// The file's contents. A change that older programs would misread raises the schema.
#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    schema: u64,
    /// The version of the program that wrote it, for people.
    written_by: String,
    named: bool,
    width: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weight: Option<String>,
    target: Target,
    encoder: Encoder,
    tree: Tree,
    #[serde(default = "one")]
    weight_scale: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    class_weights: Option<ClassWeights>,
    settings: Settings,
    summary: Summary,
}

fn one() -> u64 {
    1
}

impl Model {
    /// The model as JSON.
    pub fn to_json(&self) -> String {
        let model = self.clone();
        let file = File {
            format: FORMAT.to_string(),
            schema: SCHEMA,
            written_by: format!("branchwise {}", env!("CARGO_PKG_VERSION")),
            named: model.named,
            width: model.width,
            count: model.count,
            weight: model.weight,
            target: model.target,
            encoder: model.encoder,
            tree: model.tree,
            weight_scale: model.weight_scale,
            class_weights: model.class_weights,
            settings: model.settings,
            summary: model.summary,
        };
        // Plain structs with string keys and finite numbers always serialise.
        serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
    }

    /// The model in a JSON text.
    pub fn from_json(text: &str) -> Result<Model> {
        let not = |reason: String| ModelError::NotAModel { reason }.into();
        if text.trim().is_empty() {
            return Err(not("the file is empty".into()));
        }
        let value: serde_json::Value =
            serde_json::from_str(text).map_err(|error| not(format!("it is not JSON ({error})")))?;
        if value.get("format").and_then(|f| f.as_str()) != Some(FORMAT) {
            return Err(not(format!("it lacks \"format\": \"{FORMAT}\"")));
        }
        let schema = value.get("schema").and_then(serde_json::Value::as_u64);
        let schema = schema.ok_or_else(|| not("it has no schema number".into()))?;
        if schema == 0 {
            return Err(not("it has schema 0, which no program writes".into()));
        }
        if schema < SCHEMA {
            return Err(ModelError::OlderModel { found: schema, supported: SCHEMA }.into());
        }
        if schema > SCHEMA {
            return Err(ModelError::NewerModel { found: schema, supported: SCHEMA }.into());
        }
        let file: File = serde_json::from_value(value).map_err(|error| not(error.to_string()))?;
        let model = Model {
            encoder: file.encoder,
            target: file.target,
            tree: file.tree,
            weight_scale: file.weight_scale,
            class_weights: file.class_weights,
            named: file.named,
            width: file.width,
            count: file.count,
            weight: file.weight,
            settings: file.settings,
            summary: file.summary,
        };
        if let Some(reason) = model.fault() {
            return Err(not(reason));
        }
        match model.contradiction() {
            Some(reason) => Err(ModelError::Contradiction { reason }.into()),
            None => Ok(model),
        }
    }

    fn fault(&self) -> Option<String> {
        let n_categories = || -> Vec<usize> {
            (0..self.encoder.features().len()).map(|f| self.encoder.n_categories(f)).collect()
        };
        self.names_fault()
            .or_else(|| self.encoder.fault())
            .or_else(|| self.tree.fault(&n_categories(), self.target.classes.len()))
            .or_else(|| self.stakes_fault())
    }

    /// What is wrong with class weights and costs, if anything.
    fn stakes_fault(&self) -> Option<String> {
        let n_classes = self.target.classes.len();
        let bad = |ClassWeights { weights, scale }: &ClassWeights| {
            weights.len() != n_classes || *scale == 0 || weights.iter().all(|&weight| weight == 0)
        };
        if self.class_weights.as_ref().is_some_and(bad) {
            return Some(format!(
                "its class weights are not {n_classes} numbers of 0 or more, one above 0"
            ));
        }
        let saves = |node: &Node| !node.counts().saved.is_empty();
        if !self.tree.nodes().iter().all(|node| saves(node) == self.settings.goal.costs.is_some()) {
            return Some("its nodes and its settings differ in whether answers have costs".into());
        }
        let costs = self.settings.goal.costs.as_ref()?;
        costs.matrix(&self.target.classes).err().map(|error| error.to_string())
    }

    /// What is wrong with columns, values, classes and λ, if anything.
    fn names_fault(&self) -> Option<String> {
        let inputs = self.encoder.inputs();
        let mut positions: Vec<usize> = inputs.iter().map(|input| input.position).collect();
        let in_order = positions.is_sorted();
        positions.push(self.target.position);
        positions.sort_unstable();
        let side_by_side = positions.windows(2).all(|pair| pair[0] < pair[1]);
        let is_inside = positions.last() < Some(&self.width);
        if inputs.is_empty() || !in_order || !side_by_side || !is_inside {
            return Some("its columns do not stand side by side in a table".into());
        }
        if self.target.classes.is_empty() {
            return Some("it has no classes".into());
        }
        let mut classes: Vec<&String> = self.target.classes.iter().collect();
        classes.sort();
        if classes.windows(2).any(|pair| pair[0] == pair[1]) {
            return Some("a class comes twice".into());
        }
        if self.weight_scale == 0 {
            return Some("its \"weight_scale\" is 0: weights are at least 1 to one".into());
        }
        let penalty = &self.settings.goal.split_penalty;
        match penalty.fraction() {
            Ok(fraction) if fraction.numerator < fraction.denominator => None,
            Ok(_) => Some(format!("its split penalty, {}, is not below 1", penalty.as_str())),
            Err(error) => Some(format!("its split penalty: {error}")),
        }
    }
}
