//! What the page's script knows of the model: one JSON object.

use crate::data::Line;
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
    features: &'m [Feature],
    inputs: &'m [Input],
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
        let inputs = self.encoder().inputs();
        let visible_all = |texts: &[String]| texts.iter().map(|text| visible(text)).collect();
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
            features: self.encoder().features(),
            inputs,
            missing_values: self.settings().missing_values.spellings(),
            answers: nodes.iter().map(|node| node.counts().majority()).collect(),
            shares: nodes.iter().map(|node| node.counts().shares()).collect(),
            names: nodes.iter().map(|node| words.name(node)).collect(),
            clauses,
            shown_classes: visible_all(&self.target().classes),
            shown_columns: inputs.iter().map(|input| visible(&input.name)).collect(),
            shown_values: inputs.iter().map(|input| visible_all(listed(input))).collect(),
            direction: picture.direction,
            spacing: picture.spacing,
            blocks: picture.blocks.iter().map(block).collect(),
        };
        // Plain structs with string keys and finite numbers always serialise.
        serde_json::to_string(&island).unwrap_or_default().replace('<', "\\u003c")
    }
}

/// The values of a column that can be listed: categories, or values in a given order.
fn listed(input: &Input) -> &[String] {
    match &input.levels {
        Levels::Categories { values, .. } => values,
        Levels::Order { line: Line::Ranks(values), .. } => values,
        Levels::Order { .. } => &[],
    }
}
