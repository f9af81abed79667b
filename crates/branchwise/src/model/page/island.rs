//! The JSON object with the model that the script of the page reads.

use crate::data::ValueOrder;
use crate::encode::{Feature, Input, Levels};
use crate::model::Model;
use crate::text::visible;
use crate::tree::export::{Area, Direction, Picture, Spacing};
use crate::tree::{Node, NodeId};
use serde::Serialize;

/// The model in the form of its file, and in words.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Island<'m> {
    title: &'m str,
    nodes: &'m [Node],
    /// Features and columns that the tree does not ask about are left out.
    features: Vec<Option<&'m Feature>>,
    inputs: Vec<Option<&'m Input>>,
    missing_values: &'m [String],
    /// For each node: the class that it answers, by number, and each class's share.
    answers: Vec<u32>,
    shares: Vec<Vec<f64>>,
    /// For each node: what it asks or answers, and what is known of a row that comes here from the
    /// parent.
    names: Vec<String>,
    clauses: Vec<Option<String>>,
    shown_classes: Vec<String>,
    shown_columns: Vec<String>,
    shown_values: Vec<Vec<String>>,
    direction: Direction,
    spacing: Spacing,
    blocks: Vec<Block>,
}

/// A node's room in the picture.
#[derive(Serialize)]
struct Block {
    node: NodeId,
    parent: Option<usize>,
    depth: usize,
    #[serde(rename = "box")]
    shape: Area,
    label: Area,
}

impl Model {
    /// The island, safe inside a `script` element: no `<` is left in it.
    pub(super) fn island(&self, picture: &Picture) -> String {
        let words = self.words();
        let nodes = self.tree().nodes();
        let mut clauses: Vec<Option<String>> = vec![None; nodes.len()];
        for block in &picture.blocks {
            clauses[block.node.0 as usize] = block.edge.as_ref().map(|edge| edge.title.clone());
        }
        let features = self.features_in_tree();
        let inputs = self.inputs_in_tree(&features);
        let visible_all =
            |texts: &[String]| -> Vec<String> { texts.iter().map(|text| visible(text)).collect() };
        let name = |input: &Input| visible(&input.name);
        let values = |input: &Input| visible_all(listed(input));
        let nothing = Area { x: 0, y: 0, width: 0, height: 0 };
        let block = |block: &crate::tree::export::Block| Block {
            node: block.node,
            parent: block.parent,
            depth: block.depth,
            shape: block.area,
            label: block.edge.as_ref().map_or(nothing, |edge| edge.area),
        };
        let island = Island {
            title: &picture.title,
            nodes,
            features,
            missing_values: self.settings().missing_values.spellings(),
            answers: nodes.iter().map(|node| node.counts().answer()).collect(),
            shares: nodes.iter().map(|node| node.counts().shares()).collect(),
            names: nodes.iter().map(|node| words.name(node)).collect(),
            clauses,
            shown_classes: visible_all(&self.target().classes),
            shown_columns: inputs.iter().map(|i| i.map_or(String::new(), name)).collect(),
            shown_values: inputs.iter().map(|i| i.map_or(Vec::new(), values)).collect(),
            inputs,
            direction: picture.direction,
            spacing: picture.spacing,
            blocks: picture.blocks.iter().map(block).collect(),
        };
        // Plain structs with string keys and finite numbers always serialise.
        serde_json::to_string(&island).unwrap_or_default().replace('<', "\\u003c")
    }

    /// The features, without those that the tree does not ask.
    fn features_in_tree(&self) -> Vec<Option<&Feature>> {
        let all = self.encoder().features();
        let mut asked = vec![None; all.len()];
        for node in self.tree().nodes() {
            if let Node::Split { feature, .. } = node {
                asked[*feature] = Some(&all[*feature]);
            }
        }
        asked
    }

    /// The columns, without those that no feature is about.
    fn inputs_in_tree(&self, features: &[Option<&Feature>]) -> Vec<Option<&Input>> {
        let all = self.encoder().inputs();
        let mut asked = vec![None; all.len()];
        for feature in features.iter().flatten() {
            asked[feature.column()] = Some(&all[feature.column()]);
        }
        asked
    }
}

/// The values of a column that can be listed: categories, or values in a given order.
fn listed(input: &Input) -> &[String] {
    match &input.levels {
        Levels::Categories { values, .. } => values,
        Levels::Order { order: ValueOrder::Ranks(values), .. } => values,
        Levels::Order { .. } => &[],
    }
}
