//! The model in other languages: [SQL](Model::sql), [Python](Model::python), [Rust](Model::rust) and
//! [ONNX](Model::onnx).
//!
//! In every language a row gets the same answer as from [`Model::predict`]. This is easy for a row like
//! those of the training table. It needs care for values that were not in the training table, for missing
//! values, and for numbers that a float cannot distinguish from a threshold; each file says how its
//! language does it.
//!
//! SQL, Python and Rust are written from one `Outline` of the tree, as nested conditions.

mod code;
mod double;
mod onnx;
mod outline;
mod python;
mod rust;
mod sql;

pub use sql::SqlOptions;

use super::Model;
use crate::objective::Price;
use crate::text::visible;
use crate::tree::NodeId;
use crate::tree::export::{counted, percent};

impl Model {
    /// What an exported model says of itself: a few lines, each safe inside a comment.
    fn about(&self) -> Vec<String> {
        let summary = self.summary();
        let price = match self.settings().goal.price {
            Price::Split => "split",
            Price::Leaf => "extra leaf",
        };
        let rows = self.tree().node(crate::tree::Tree::ROOT).counts().n_rows();
        vec![
            format!(
                "The class \"{}\", predicted by a decision tree.",
                visible(&self.target().name)
            ),
            format!(
                "Objective {:.6} = accuracy {:.6} − {} per {price}, {}.",
                summary.objective,
                summary.accuracy,
                visible(self.settings().goal.split_penalty.as_str()),
                summary.verdict(),
            ),
            format!(
                "Fitted to {} by branchwise {}: {}, {}.",
                counted(rows, "row", "rows"),
                env!("CARGO_PKG_VERSION"),
                counted(self.tree().n_splits() as u64, "split", "splits"),
                counted(self.tree().n_leaves() as u64, "leaf", "leaves"),
            ),
        ]
    }

    /// The class that a node answers.
    fn answer(&self, node: NodeId) -> &str {
        &self.target().classes[self.tree().node(node).counts().answer() as usize]
    }

    /// How many training rows a node answers from, and the share of them that it is right for.
    fn evidence(&self, node: NodeId) -> String {
        let counts = self.tree().node(node).counts();
        format!("{}, {}", counted(counts.n_rows(), "row", "rows"), percent(counts))
    }
}
