//! Evaluates a model on rows whose classes are known.

use super::Model;
use super::apply::Matched;
use super::tally::Tally;
use crate::data::{Column, Dataset, RowWeights, Table};
use crate::encode::place_of;
use crate::error::{Error, Result};
use crate::report::AnswerCost;

/// How a model does on a table with known classes.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Rows of the table, each as often as it counts.
    pub rows: u64,
    /// Rows whose class was predicted.
    pub correct: u64,
    /// The share of weight whose class was predicted: correct / rows, unless rows or classes have
    /// weights.
    pub accuracy: f64,
    /// What the answers cost, where they have costs. Rows of a class that training did not see have none.
    pub cost: Option<AnswerCost>,
    /// accuracy − λ · splits or, where answers have costs, 1 − cost / worst − λ · splits.
    pub objective: f64,
    /// The classes of `confusion`: the model's, then those that only the table has.
    pub classes: Vec<String>,
    /// For each true class, how many rows were predicted to be of each class.
    pub confusion: Vec<Vec<u64>>,
    /// Columns from which the training table took its rows' counts and weights, and that this one does
    /// not have: its rows count and weigh 1.
    pub unweighed: Vec<String>,
}

impl Model {
    /// Compare the answers with the table's own. Rows count and weigh as in training, if the table has
    /// the columns that say so.
    pub fn evaluate(&self, table: &Table) -> Result<Evaluation> {
        let truth = self.truth(table)?;
        refuse_missing(table, truth)?;
        let (weights, unweighed) = self.row_weights(table)?;
        let matched = self.predictor().matched(table)?;
        let own = &self.target.classes;
        let strangers = truth.values().iter().filter(|class| place_of(class, own).is_none());
        let classes: Vec<String> = own.iter().chain(strangers).cloned().collect();
        let listed = |class: &String| classes.iter().position(|c| c == class);
        let place = |class: &String| place_of(class, own).or(listed(class)).unwrap_or_default();
        let places: Vec<usize> = truth.values().iter().map(place).collect();
        let mut confusion = vec![vec![0; classes.len()]; classes.len()];
        let mut tally = Tally::new(self, weights.scale())?;
        for row in 0..table.n_rows() {
            let end = self.walk(|column| matched.cell(column, row)).end();
            let class = places[truth.codes().at(row) as usize];
            let known = Some(class).filter(|&class| class < self.target.classes.len());
            let answer = tally.add(known, end, weights.weight(row));
            confusion[class][answer] += weights.count(row);
        }
        Ok(Evaluation {
            rows: confusion.iter().flatten().sum(),
            correct: (0..classes.len()).map(|class| confusion[class][class]).sum(),
            accuracy: tally.accuracy(),
            cost: tally.cost(),
            objective: tally.objective(self.tree.score(self.settings.goal.price).paid)?,
            classes,
            confusion,
            unweighed,
        })
    }

    /// The share of weight answered correctly among rows of a dataset like the one that the model was fitted
    /// to, each as often as `counts` says; where answers have costs, 1 − cost / worst.
    pub(crate) fn share_of(&self, dataset: &Dataset, counts: &[u64]) -> Result<f64> {
        let columns = dataset.features().iter().zip(self.encoder.inputs());
        let matched: Vec<Matched> =
            columns.map(|(column, input)| Matched::new(column, &input.coder())).collect();
        let mut tally = Tally::new(self, dataset.weight_scale())?;
        let known = |row: &usize| counts[*row] > 0 && dataset.target().value(*row).is_some();
        for row in (0..dataset.n_rows()).filter(known) {
            let end = self.walk(|column| matched[column].cell(row)).end();
            let class = dataset.target().codes().at(row) as usize;
            tally.add(Some(class), end, dataset.weight_of_one(row).saturating_mul(counts[row]));
        }
        tally.objective(0)
    }

    /// What the table's rows count and weigh, and the training table's columns that it lacks for that.
    fn row_weights(&self, table: &Table) -> Result<(RowWeights, Vec<String>)> {
        let mut lacking = Vec::new();
        let mut find = |name: &Option<String>| {
            let name = name.as_ref()?;
            let found = table.meant(name);
            if found.is_none() {
                lacking.push(name.clone());
            }
            found
        };
        let (count, weight) = (find(&self.count), find(&self.weight));
        Ok((RowWeights::of(table, count, weight)?, lacking))
    }
}

fn refuse_missing(table: &Table, truth: &Column) -> Result<()> {
    let lacks = |row: &usize| truth.value(*row).is_none();
    match (0..table.n_rows()).filter(lacks).count() as u64 {
        0 => Ok(()),
        rows => Err(Error::MissingValues {
            column: truth.name().to_string(),
            rows,
            place: truth.place_of(truth.values().len()),
            to_predict: true,
        }),
    }
}
