//! Checks a model against its table, row by row, without any code of the search.
//!
//! The consistency of the file itself was checked when it was read (`claims.rs`). Here the model is
//! compared with the table: whether its columns are those that the model names and offer the splits that
//! it lists (`columns.rs`); whether the rows, weights and costs of each node are right (`grown.rs`); and
//! whether some tree that is easy to find exceeds the upper bound of the file (`rivals.rs`).

mod columns;
mod grown;
mod rivals;

use super::Model;
use super::apply::Matched;
use super::exact::Yardstick;
use super::summary::ROUNDING;
use super::tally::Tally;
use crate::data::Dataset;
use crate::error::{Result, quoted};
use crate::objective::Score;
use crate::report::AnswerCost;
use columns::Found;
use grown::Grown;
use rivals::Rivals;

/// What a check found.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification {
    /// Rows walked through the tree.
    pub rows: u64,
    /// The accuracy that they give.
    pub accuracy: f64,
    /// What the answers cost them, where answers have costs.
    pub cost: Option<AnswerCost>,
    /// The objective that they give.
    pub objective: f64,
    /// What was compared with the table, in words.
    pub checked: Vec<String>,
    /// What was not compared, in words: things that no table, or not this one, determines.
    pub unchecked: Vec<String>,
    /// What does not agree with the model; empty if all does.
    pub mismatches: Vec<String>,
}

impl Verification {
    /// What was checked and what was not, in one line.
    pub fn extent(&self) -> String {
        let list = |items: &[String]| items.join("; ");
        format!("Checked: {}. Not checked: {}.", list(&self.checked), list(&self.unchecked))
    }
}

impl Model {
    /// Compare everything that the model says with a table, as far as that takes no search.
    ///
    /// Each row's own text is led down the tree; nothing of the search, of merged rows or of bit
    /// sets is used. That no *other* tree is better is what the search proves: here only trees are tried
    /// that differ from the model's in one leaf, or in one split into leaves, in place of a subtree.
    ///
    /// The table must have the columns that the tree asks about, the target, and those of counts and
    /// weights. What depends on others is left out where they are lacking, and [`Verification::unchecked`]
    /// says so.
    pub fn verify(&self, dataset: &Dataset) -> Result<Verification> {
        let found = Found::of(self, dataset)?;
        let rows = found.rows_that_count(self, dataset)?;
        let mut mismatches = found.unlike_columns(self, dataset);
        mismatches.extend(found.unlike_inputs(self, dataset, &rows));
        mismatches.extend(self.unlike_scale(dataset));
        let matched = self.matched(&found);
        let grown = Grown::new(self, dataset, &matched, &rows);
        mismatches.extend(grown.unlike_counts(self));
        let mut tally = Tally::new(self, dataset.weight_scale())?;
        for led in &grown.rows {
            tally.add(Some(led.class as usize), led.end, dataset.weight(led.row));
        }
        let score = grown.tree.score(self.settings.goal.price);
        let objective = tally.objective(score.paid)?;
        mismatches.extend(self.unlike_figures(&tally, objective, score));
        if mismatches.is_empty() {
            let by =
                Yardstick::of(self, grown.tree.node(crate::tree::Tree::ROOT).counts().deciding())?;
            mismatches
                .extend(Rivals { model: self, grown: &grown, by, columns: &matched }.refutation());
        }
        Ok(Verification {
            rows: grown.rows.iter().map(|led| led.count).sum(),
            accuracy: tally.accuracy(),
            cost: tally.cost(),
            objective,
            checked: self.checked(&found),
            unchecked: self.unchecked(&found, dataset),
            mismatches,
        })
    }

    fn matched<'d>(&self, found: &Found<'d>) -> Vec<Option<Matched<'d>>> {
        let pairs = found.columns.iter().zip(self.encoder.inputs());
        pairs.map(|(column, input)| Some(Matched::new((*column)?, &input.coder()))).collect()
    }

    /// The unit of weights is that of the rows' own, divided by that of classes.
    fn unlike_scale(&self, dataset: &Dataset) -> Option<String> {
        let class_scale = self.class_weights.as_ref().map_or(1, |weights| weights.scale);
        let scale = u128::from(dataset.weight_scale()) * u128::from(class_scale);
        let said = self.weight_scale;
        (scale != said.into()).then(|| {
            format!("\"weight_scale\" is said to be {said}, the table's weights are {scale} to one")
        })
    }

    /// Accuracy, cost, splits, objective and bound are those that the rows give.
    fn unlike_figures(&self, tally: &Tally, objective: f64, score: Score) -> Vec<String> {
        let mut mismatches = Vec::new();
        let mut compare = |name: &str, said: f64, found: f64| {
            if (said - found).abs() > ROUNDING * said.abs().max(1.0) {
                mismatches.push(format!("the {name} is said to be {said}, the rows give {found}"));
            }
        };
        compare("accuracy", self.summary.accuracy, tally.accuracy());
        compare("objective", self.summary.objective, objective);
        if let (Some(said), Some(found)) = (self.summary.cost, tally.cost()) {
            compare("cost", said.total, found.total);
            compare("worst cost", said.worst, found.worst);
        }
        compare("number of splits", self.summary.splits as f64, score.splits as f64);
        if self.summary.upper_bound < objective - ROUNDING {
            mismatches.push(format!(
                "the upper bound {} is below the objective {objective}",
                self.summary.upper_bound
            ));
        }
        mismatches
    }

    fn checked(&self, found: &Found) -> Vec<String> {
        let mut checked: Vec<String> = Vec::new();
        if found.is_whole() {
            checked.push("the columns and the splits that they offer".into());
        }
        checked.push(
            "every node's rows and weights; limits on the tree; accuracy, cost and objective"
                .into(),
        );
        checked.push(
            "that no tree with one leaf, or one split into leaves, in place of a subtree exceeds the bound"
                .into(),
        );
        checked
    }

    fn unchecked(&self, found: &Found, dataset: &Dataset) -> Vec<String> {
        let other_trees = match self.summary.is_optimal() {
            true => "that no other tree is better, which takes a search",
            false => "that no other tree exceeds the bound, which takes a search",
        };
        let mut unchecked: Vec<String> = vec![other_trees.into()];
        if !found.is_whole() {
            let lacking = quoted(&found.lacking(self));
            unchecked.push(format!(
                "places of columns, and which splits are offered, as the table lacks {lacking}"
            ));
        }
        if !self.named && dataset.is_named() {
            unchecked.push("the names of columns, as the model has none".into());
        }
        unchecked.push(
            "seconds, iterations, trace and engine, which the table does not determine".into(),
        );
        unchecked
    }
}
