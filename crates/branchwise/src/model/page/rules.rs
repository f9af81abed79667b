//! The section of the report with a table of rules, one for each leaf, and the columns they use.

use super::{chip, rows_of};
use crate::data::Kind;
use crate::encode::Feature;
use crate::model::Model;
use crate::text::visible;
use crate::tree::export::{Escaped, Picture, percent};
use crate::tree::{Node, Tree};
use std::fmt::Write;

impl Model {
    /// A row for each leaf, in the order of the picture.
    pub(super) fn rules(&self, picture: &Picture) -> String {
        let classes = &self.target().classes;
        let mut html = String::from(
            "<div class=\"wide\"><table>\n<thead><tr><th>leaf</th><th>if</th><th>then</th>\
             <th class=\"number\">rows</th><th class=\"number\">right</th></tr></thead>\n<tbody>\n",
        );
        for (place, block) in picture.blocks.iter().enumerate().filter(|(_, block)| block.leaf) {
            let (id, counts) = (block.node.0, self.tree().node(block.node).counts());
            let class = counts.answer() as usize;
            let _ = writeln!(
                html,
                "<tr data-node=\"{id}\"><td><button type=\"button\" data-node=\"{id}\" \
                 aria-label=\"Show leaf {id} in the tree\">{id}</button></td>\
                 <td class=\"words\">{}</td><td>{}</td><td class=\"number\">{}</td>\
                 <td class=\"number\">{}</td></tr>",
                Escaped(&rule(picture, place)),
                chip(class, &visible(&classes[class])),
                counts.n_rows(),
                Escaped(&percent(counts)),
            );
        }
        html + "</tbody></table></div>\n"
    }

    /// Rows, classes and columns.
    pub(super) fn data(&self) -> String {
        let counts = self.tree().node(Tree::ROOT).counts();
        let shares = counts.shares();
        let mut html = format!(
            "<p>The tree was learnt from {}. What it predicts is “{}”:</p>\n<div class=\"wide\">\
             <table>\n<thead><tr><th>class</th><th class=\"number\">rows</th>\
             <th class=\"number\">share by weight</th></tr></thead>\n<tbody>\n",
            rows_of(counts.n_rows()),
            Escaped(&visible(&self.target().name)),
        );
        for (class, name) in self.target().classes.iter().enumerate() {
            let (rows, share) = (counts.rows[class], shares[class] * 100.0);
            let _ = writeln!(
                html,
                "<tr><td>{}</td><td class=\"number\">{rows}</td>\
                 <td class=\"number\">{share:.1} %</td></tr>",
                chip(class, &visible(name)),
            );
        }
        html + "</tbody></table></div>\n" + &self.columns()
    }

    /// What the columns are, what they offered, and how often the tree asks about them.
    fn columns(&self) -> String {
        let inputs = self.encoder().inputs();
        let features = self.encoder().features();
        let offered =
            |column: usize| features.iter().filter(|feature| feature.column() == column).count();
        let asked = |column: usize| {
            let asks = |node: &&Node| match node {
                Node::Split { feature, .. } => features[*feature].column() == column,
                Node::Leaf { .. } => false,
            };
            self.tree().nodes().iter().filter(asks).count()
        };
        let mut html = String::from(
            "<p>The columns that could be asked about:</p>\n<div class=\"wide\"><table>\n\
             <thead><tr><th>column</th><th>kind</th><th class=\"number\">values</th>\
             <th class=\"number\">splits offered</th><th class=\"number\">asked in the tree</th>\
             </tr></thead>\n<tbody>\n",
        );
        for (column, input) in inputs.iter().enumerate() {
            let kind = if input.kind == Kind::Text && self.is_ordered(column) {
                "ordered"
            } else {
                input.kind.name()
            };
            let times = match asked(column) {
                0 => "–".to_string(),
                times => times.to_string(),
            };
            let _ = writeln!(
                html,
                "<tr><td class=\"words\">{}</td><td>{kind}</td><td class=\"number\">{}</td>\
                 <td class=\"number\">{}</td><td class=\"number\">{times}</td></tr>",
                Escaped(&visible(&input.name)),
                input.distinct,
                offered(column),
            );
        }
        html + "</tbody></table></div>\n"
    }

    /// Whether a column is asked about by thresholds.
    fn is_ordered(&self, column: usize) -> bool {
        let in_order = |feature: &Feature| matches!(feature, Feature::AtMost { .. });
        self.encoder().features().iter().any(|f| f.column() == column && in_order(f))
    }
}

/// What is known of the rows in a block: the clauses on the way to it.
fn rule(picture: &Picture, place: usize) -> String {
    let mut clauses = Vec::new();
    let mut at = Some(place);
    while let Some(block) = at.map(|place| &picture.blocks[place]) {
        clauses.extend(block.edge.as_ref().map(|edge| edge.title.as_str()));
        at = block.parent;
    }
    clauses.reverse();
    if clauses.is_empty() { "always".into() } else { clauses.join(" and ") }
}
