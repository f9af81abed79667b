//! A model meets rows: new ones to be answered, or old ones to be compared with.

use super::Model;
use crate::data::{Column, Table};
use crate::encode::Input;
use crate::error::{Error, Result, quoted};
use crate::objective::{Objective, Score};
use crate::tree::{NodeId, Walk};

/// The answer for one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction<'a> {
    /// The class.
    pub class: &'a str,
    /// The share of each class among the training rows at the node that answers.
    pub probabilities: Vec<f64>,
    /// Their numbers.
    pub counts: &'a [u64],
    /// The node that answers.
    pub node: NodeId,
    /// The nodes passed on the way.
    pub path: Vec<NodeId>,
}

/// How a model does on a table with known classes.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Rows of the table.
    pub rows: usize,
    /// Rows whose class was predicted.
    pub correct: usize,
    /// correct / rows.
    pub accuracy: f64,
    /// accuracy − λ · splits.
    pub objective: f64,
    /// The classes of `confusion`: the model's, then those that only the table has.
    pub classes: Vec<String>,
    /// For each true class, how often each class was predicted.
    pub confusion: Vec<Vec<u64>>,
}

impl Model {
    /// The names of the columns that the tree can ask about.
    pub fn column_names(&self) -> Vec<String> {
        self.encoder.inputs().iter().map(|input| input.name.clone()).collect()
    }

    /// Answer one row, given the value of each column by its name; `None` is a missing one.
    pub fn predict_row<'v>(&self, value: impl Fn(&str) -> Option<&'v str>) -> Prediction<'_> {
        let walk = self.walk(|column| {
            let input = &self.encoder.inputs()[column];
            let value = value(&input.name);
            let present = value.filter(|value| !self.settings.missing_values.contains(value));
            input.coder().cell(present)
        });
        self.prediction(walk)
    }

    /// Answer every row of a table.
    pub fn predict(&self, table: &Table) -> Result<Vec<Prediction<'_>>> {
        let matched = self.matched(table)?;
        let answer = |row| self.prediction(self.walk(|column| matched[column].cell(row)));
        Ok((0..table.n_rows()).map(answer).collect())
    }

    /// For each row, the node that answers it, given the columns of [`Model::column_names`] in this order.
    pub fn answering(&self, columns: &[Column]) -> Result<Vec<NodeId>> {
        let inputs = self.encoder.inputs();
        if columns.len() != inputs.len() {
            let names: Vec<&str> = columns.iter().map(Column::name).collect();
            let (missing, present) = (self.column_names(), quoted(&names));
            return Err(Error::MissingColumns { missing, present });
        }
        let pairs = columns.iter().zip(inputs);
        let matched: Vec<Matched> = pairs.map(|(c, input)| Matched::new(c, input)).collect();
        let n_rows = columns.iter().map(|column| column.codes().len()).min().unwrap_or(0);
        let node = |row| self.walk(|column| matched[column].cell(row)).end();
        Ok((0..n_rows).map(node).collect())
    }

    /// Compare the answers with the table's own.
    pub fn evaluate(&self, table: &Table) -> Result<Evaluation> {
        let truth = self.truth(table)?;
        let mut classes = self.target.classes.clone();
        for class in truth.values() {
            if !classes.contains(class) {
                classes.push(class.clone());
            }
        }
        let place = |class: &str| classes.iter().position(|c| c == class).unwrap_or_default();
        let mut confusion = vec![vec![0; classes.len()]; classes.len()];
        let mut correct = 0;
        let no_truth = (0..table.n_rows()).filter(|&row| truth.value(row).is_none()).count();
        if no_truth > 0 {
            let (column, place) = (truth.name().to_string(), truth.place_of(truth.values().len()));
            let rows = no_truth as u64;
            return Err(Error::MissingValues { column, rows, place, to_predict: true });
        }
        for (row, prediction) in self.predict(table)?.iter().enumerate() {
            let class = truth.value(row).unwrap_or_default();
            confusion[place(class)][place(prediction.class)] += 1;
            correct += usize::from(class == prediction.class);
        }
        let rows = table.n_rows();
        let score = Score { correct: correct as u64, ..self.tree.score(self.settings.price) };
        let objective = self.objective(rows as u64)?;
        Ok(Evaluation {
            rows,
            correct,
            accuracy: objective.accuracy(score),
            objective: objective.of(score),
            classes,
            confusion,
        })
    }

    /// The model's objective on a table of this weight.
    pub(super) fn objective(&self, total_weight: u64) -> Result<Objective> {
        let penalty = crate::Decimal::from(self.settings.split_penalty.as_str()).fraction()?;
        Objective::new(penalty, self.settings.price, total_weight.max(1), 1)
    }

    /// The table's column with the true classes.
    pub(super) fn truth<'t>(&self, table: &'t Table) -> Result<&'t Column> {
        let found = if table.is_named() && self.named {
            table.column(&self.target.name)
        } else if table.width() == self.width {
            table.columns().get(self.target.position)
        } else {
            None
        };
        found.ok_or_else(|| Error::NoTarget { target: self.target.name.clone() })
    }

    /// Lead a row down the tree, given the cell of its value in a column.
    pub(super) fn walk(&self, cell: impl Fn(usize) -> Option<u32>) -> Walk {
        self.tree.walk(|feature| {
            let column = self.encoder.features()[feature].column();
            self.encoder.category(feature, cell(column))
        })
    }

    fn prediction(&self, walk: Walk) -> Prediction<'_> {
        let counts = self.tree.node(walk.end()).counts();
        Prediction {
            class: &self.target.classes[counts.majority() as usize],
            probabilities: counts.shares(),
            counts: &counts.rows,
            node: walk.end(),
            path: walk.path,
        }
    }

    /// For each of the model's columns, the table's: by name where both have names, by position
    /// otherwise.
    pub(super) fn matched<'t>(&self, table: &'t Table) -> Result<Vec<Matched<'t>>> {
        let inputs = self.encoder.inputs();
        let columns: Vec<&Column> = if self.named && table.is_named() {
            let missing: Vec<String> = (inputs.iter())
                .filter(|input| table.column(&input.name).is_none())
                .map(|input| input.name.clone())
                .collect();
            if !missing.is_empty() {
                let names: Vec<&str> = table.columns().iter().map(Column::name).collect();
                return Err(Error::MissingColumns { missing, present: quoted(&names) });
            }
            inputs.iter().filter_map(|input| table.column(&input.name)).collect()
        } else {
            let found = table.width();
            let without_target = found + 1 == self.width;
            if !without_target && found != self.width {
                return Err(Error::ColumnCount {
                    found,
                    with_target: self.width,
                    without_target: self.width - 1,
                });
            }
            let shift = |p: usize| p - usize::from(without_target && p > self.target.position);
            inputs.iter().filter_map(|input| table.columns().get(shift(input.position))).collect()
        };
        Ok(columns.iter().zip(inputs).map(|(column, input)| Matched::new(column, input)).collect())
    }
}

/// A table's column, with its codes translated to the model's cells.
pub(super) struct Matched<'t> {
    column: &'t Column,
    /// For each of the table's values, and then for a missing one, the model's cell.
    cells: Vec<Option<u32>>,
}

impl<'t> Matched<'t> {
    pub(super) fn new(column: &'t Column, input: &Input) -> Self {
        let coder = input.coder();
        let values = column.values().iter().map(|value| coder.cell(Some(value)));
        Matched { column, cells: values.chain([coder.cell(None)]).collect() }
    }

    /// The cell of the row's value, if the model has one for it.
    pub(super) fn cell(&self, row: usize) -> Option<u32> {
        self.cells[self.column.codes().at(row) as usize]
    }
}

#[cfg(test)]
mod tests {
    use crate::{Builtin, Solver};

    #[test]
    fn answering_nodes_are_those_of_the_predictions() {
        let robots = Builtin::Monk1.dataset().unwrap();
        let model = Solver::new().fit(&robots).unwrap().model;
        let predictions = model.predict(&Builtin::Monk1.table()).unwrap();
        let nodes = model.answering(robots.features()).unwrap();
        assert!(predictions.iter().map(|prediction| prediction.node).eq(nodes));
        let message = model.answering(&robots.features()[1..]).unwrap_err().to_string();
        assert!(message.contains("needs the columns \"head\""), "{message}");
    }

    #[test]
    fn names_can_be_changed_for_showing() {
        let model = Solver::new().fit(&Builtin::Monk1.dataset().unwrap()).unwrap().model;
        let names: Vec<String> = ["a", "b", "c", "d", "e", "f"].map(String::from).to_vec();
        let renamed = model.with_column_names(&names).unwrap();
        let renamed = renamed.with_class_names(&["yes".into(), "no".into()]).unwrap();
        assert_eq!(renamed.column_names(), names);
        assert!(renamed.text().contains("→ yes") && !renamed.text().contains("head"));
        let message = model.with_column_names(&names[1..]).unwrap_err().to_string();
        assert!(message.contains("5 names given for 6 columns"), "{message}");
    }
}
