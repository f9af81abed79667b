//! The model as a file: JSON with a version, checked when it is read.

use super::{Model, Settings, Summary, Target};
use crate::encode::Encoder;
use crate::error::{Error, Result};
use crate::tree::Tree;
use serde::{Deserialize, Serialize};

/// The newest form of the file that this program knows.
const SCHEMA: u64 = 1;
const FORMAT: &str = "branchwise-model";

/// The file's contents. A change that older programs would misread raises the schema.
#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    schema: u64,
    /// The version of the program that wrote it, for people.
    written_by: String,
    named: bool,
    target: Target,
    encoder: Encoder,
    tree: Tree,
    #[serde(default = "one")]
    weight_scale: u64,
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
            target: model.target,
            encoder: model.encoder,
            tree: model.tree,
            weight_scale: model.weight_scale,
            settings: model.settings,
            summary: model.summary,
        };
        // Plain structs with string keys and finite numbers always serialise.
        serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
    }

    /// The model in a JSON text.
    pub fn from_json(text: &str) -> Result<Model> {
        let not = |reason: String| Error::NotAModel { reason };
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
        if schema > SCHEMA {
            return Err(Error::NewerModel { found: schema, supported: SCHEMA });
        }
        let file: File = serde_json::from_value(value).map_err(|error| not(error.to_string()))?;
        let model = Model {
            encoder: file.encoder,
            target: file.target,
            tree: file.tree,
            weight_scale: file.weight_scale.max(1),
            named: file.named,
            settings: file.settings,
            summary: file.summary,
        };
        match model.fault() {
            Some(reason) => Err(not(reason)),
            None => Ok(model),
        }
    }

    fn fault(&self) -> Option<String> {
        let n_categories = || -> Vec<usize> {
            (0..self.encoder.features().len()).map(|f| self.encoder.n_categories(f)).collect()
        };
        self.encoder.fault().or_else(|| self.tree.fault(&n_categories(), self.target.classes.len()))
    }
}
