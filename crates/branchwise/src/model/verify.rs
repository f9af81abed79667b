//! Check a model against its table, row by row, with none of the search's code.

use super::Model;
use super::apply::Matched;
use super::tally::Tally;
use crate::data::{Column, Dataset};
use crate::encode::{Input, place_of, rows_that_count};
use crate::error::{Error, Result, quoted};
use crate::objective::Score;
use crate::report::Cost;
use crate::text::brief;
use crate::tree::{Node, Tree};

/// What a check found.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification {
    /// Rows walked through the tree.
    pub rows: u64,
    /// The accuracy that they give.
    pub accuracy: f64,
    /// What the answers cost them, where answers have costs.
    pub cost: Option<Cost>,
    /// The objective that they give.
    pub objective: f64,
    /// What does not agree with the model; empty if all does.
    pub mismatches: Vec<String>,
}

impl Model {
    /// Recompute every node's counts and the objective from raw rows, and compare.
    ///
    /// Each row's own text is led down the tree; nothing of the search, of merged rows or of bit
    /// sets is used. (That no *other* tree is better is what the search proves; this checks that the
    /// tree is what it is said to be.)
    pub fn verify(&self, dataset: &Dataset) -> Result<Verification> {
        let found = self.columns_of(dataset)?;
        let columns: Vec<Matched> = (found.iter().zip(self.encoder.inputs()))
            .map(|(column, input)| Matched::new(*column, &input.coder()))
            .collect();
        let asked = found.into_iter().flatten().collect();
        let n_nodes = self.tree.nodes().len();
        let n_classes = self.target.classes.len();
        let mut rows = vec![vec![0u64; n_classes]; n_nodes];
        let mut weights = rows.clone();
        let mut mismatches = Vec::new();
        let (mut tally, mut walked) = (Tally::new(self, dataset.weight_scale())?, 0);
        for row in rows_that_count(dataset, asked, self.settings.offer.missing)?.0 {
            let count = dataset.count(row);
            let truth = dataset.target().value(row).unwrap_or_default();
            let Some(class) = place_of(truth, &self.target.classes) else {
                let truth = brief(truth);
                mismatches.push(format!("row {}: the class \"{truth}\" is unknown", row + 1));
                continue;
            };
            let weight = dataset.weight(row).saturating_mul(self.class_units(Some(class)));
            let walk = self.walk(|column| columns[column].cell(row));
            for node in &walk.path {
                rows[node.0 as usize][class] += count;
                let weights = &mut weights[node.0 as usize][class];
                *weights = weights.saturating_add(weight);
            }
            let answer = self.tree.node(walk.end()).counts().answer();
            tally.add(Some(class), answer as usize, weight);
            walked += count;
        }
        self.compare_counts(&rows, &weights, &mut mismatches);
        let Score { paid, splits, .. } = paid(&self.tree, self);
        let (objective, accuracy) = (tally.objective(paid)?, tally.accuracy());
        let cost = tally.cost();
        let found = Verification { rows: walked, accuracy, cost, objective, mismatches };
        Ok(self.compare_summary(found, splits))
    }

    /// The dataset's column for each of the model's, if it is asked about: by name where both have
    /// names, else by position.
    fn columns_of<'d>(&self, dataset: &'d Dataset) -> Result<Vec<Option<&'d Column>>> {
        let by_name = self.named && dataset.is_named();
        let inputs = self.encoder.inputs();
        let find = |input: &Input| {
            let same = |column: &&Column| match by_name {
                true => column.name() == input.name,
                false => column.position() == input.position,
            };
            dataset.features().iter().find(same)
        };
        let is_lacking = |input: &&Input| input.left_out.is_none() && find(input).is_none();
        let missing: Vec<String> =
            inputs.iter().filter(is_lacking).map(|input| input.name.clone()).collect();
        if missing.is_empty() {
            let asked = |input: &Input| input.left_out.is_none().then(|| find(input)).flatten();
            return Ok(inputs.iter().map(asked).collect());
        }
        if by_name {
            let names: Vec<&str> = dataset.features().iter().map(Column::name).collect();
            return Err(Error::MissingColumns { missing, present: quoted(&names) });
        }
        Err(Error::ColumnCount {
            found: dataset.width(),
            with_target: self.width,
            without_target: self.width - 1,
        })
    }

    fn compare_counts(
        &self,
        rows: &[Vec<u64>],
        weights: &[Vec<u64>],
        mismatches: &mut Vec<String>,
    ) {
        let costs = self.cost_units().ok().flatten();
        for (id, node) in self.tree.nodes().iter().enumerate() {
            let counts = node.counts();
            if counts.rows != rows[id] {
                mismatches
                    .push(format!("node {id} counts {:?}, the rows {:?}", counts.rows, rows[id]));
            }
            if !counts.weights.is_empty() && counts.weights != weights[id] {
                let (said, found) = (&counts.weights, &weights[id]);
                mismatches.push(format!("node {id} weighs {said:?}, the rows {found:?}"));
            }
            let saved = costs.as_ref().map_or(Vec::new(), |costs| costs.saved(&weights[id]));
            if counts.saved != saved {
                let said = &counts.saved;
                mismatches
                    .push(format!("node {id} saves {said:?} by its answers, the rows {saved:?}"));
            }
        }
    }

    fn compare_summary(&self, mut verification: Verification, splits: u64) -> Verification {
        let Verification { accuracy, cost, objective, mismatches, .. } = &mut verification;
        let mut compare = |name: &str, said: f64, found: f64| {
            if (said - found).abs() > 1e-12 * said.abs().max(1.0) {
                mismatches.push(format!("the {name} is said to be {said}, the rows give {found}"));
            }
        };
        compare("accuracy", self.summary.accuracy, *accuracy);
        compare("objective", self.summary.objective, *objective);
        if let (Some(said), Some(found)) = (self.summary.cost, *cost) {
            compare("cost", said.total, found.total);
            compare("worst cost", said.worst, found.worst);
        }
        compare("number of splits", self.summary.splits as f64, splits as f64);
        if self.summary.upper_bound < *objective - 1e-12 {
            mismatches.push(format!(
                "the upper bound {} is below the objective {objective}",
                self.summary.upper_bound
            ));
        }
        verification
    }
}

/// Splits and what was paid for them, counted from the tree as written.
fn paid(tree: &Tree, model: &Model) -> Score {
    let mut score = Score::default();
    for node in tree.nodes() {
        if let Node::Split { children, .. } = node {
            score.splits += 1;
            score.paid += model.settings.price.of(children.len());
        }
    }
    score
}
