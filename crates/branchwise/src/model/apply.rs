//! A model meets rows: new ones to be answered, or old ones to be compared with.

use super::Model;
use crate::data::{Column, Table};
use crate::encode::{Coder, Input};
use crate::error::{Error, Result, quoted};
use crate::tree::{NodeId, Walk};
use std::cell::OnceCell;

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

impl Model {
    /// The names of the columns that the tree can ask about.
    pub fn column_names(&self) -> Vec<String> {
        self.encoder.inputs().iter().map(|input| input.name.clone()).collect()
    }

    /// Answer one row, given the value of each column by its name; `None` is a missing one.
    pub fn predict_row<'v>(&self, value: impl Fn(&str) -> Option<&'v str>) -> Prediction<'_> {
        self.predictor().predict_row(value)
    }

    /// Prepare to answer rows one by one.
    pub fn predictor(&self) -> Predictor<'_> {
        let coders = self.encoder.inputs().iter().map(|_| OnceCell::new()).collect();
        Predictor { model: self, coders }
    }

    /// Answer every row of a table.
    pub fn predict(&self, table: &Table) -> Result<Vec<Prediction<'_>>> {
        self.predictor().predict(table)
    }

    /// For each row, the node that answers it, given the columns of [`Model::column_names`] in this order.
    pub fn answering(&self, columns: &[Column]) -> Result<Vec<NodeId>> {
        if columns.len() != self.encoder.inputs().len() {
            let names: Vec<&str> = columns.iter().map(Column::name).collect();
            let (missing, present) = (self.column_names(), quoted(&names));
            return Err(Error::MissingColumns { missing, present });
        }
        let matched =
            self.predictor().matched_columns(&columns.iter().map(Some).collect::<Vec<_>>());
        let n_rows = columns.iter().map(|column| column.codes().len()).min().unwrap_or(0);
        let node = |row| self.walk(|column| matched[column].cell(row)).end();
        Ok((0..n_rows).map(node).collect())
    }

    /// The table's column with the true classes.
    pub(super) fn truth<'t>(&self, table: &'t Table) -> Result<&'t Column> {
        let found = if table.is_named() && self.named {
            table.column(&self.target.name)
        } else if table.width() == self.width {
            table.at_position(self.target.position)
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
            class: &self.target.classes[counts.answer() as usize],
            probabilities: counts.shares(),
            counts: &counts.rows,
            node: walk.end(),
            path: walk.path,
        }
    }

    /// For each of the model's columns, the table's if it is asked about: by name where both have names,
    /// by position otherwise.
    fn columns_in<'t>(&self, table: &'t Table) -> Result<Vec<Option<&'t Column>>> {
        let inputs = self.encoder.inputs();
        let names: Vec<&str> = table.columns().iter().map(Column::name).collect();
        if self.named && table.is_named() {
            let missing: Vec<String> = (inputs.iter())
                .filter(|input| input.left_out.is_none() && table.column(&input.name).is_none())
                .map(|input| input.name.clone())
                .collect();
            if !missing.is_empty() {
                return Err(Error::MissingColumns { missing, present: quoted(&names) });
            }
            Ok(inputs.iter().map(|input| table.column(&input.name)).collect())
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
            let at = |input: &Input| {
                // Columns that were not kept have no place in the list.
                let position = shift(input.position);
                let missing = || Error::MissingColumns {
                    missing: vec![input.name.clone()],
                    present: quoted(&names),
                };
                let found = table.at_position(position);
                if input.left_out.is_some() || found.is_some() {
                    return Ok(found);
                }
                Err(missing())
            };
            inputs.iter().map(at).collect()
        }
    }
}

/// A model that is applied to rows, one by one or part by part. What it takes to sort a column's values is
/// prepared when the column is first asked about, and kept.
pub struct Predictor<'m> {
    model: &'m Model,
    coders: Vec<OnceCell<Coder<'m>>>,
}

impl<'m> Predictor<'m> {
    /// Answer one row, given the value of each column by its name; `None` is a missing one.
    pub fn predict_row<'v>(&self, value: impl Fn(&str) -> Option<&'v str>) -> Prediction<'m> {
        let inputs = self.model.encoder.inputs();
        self.predict_cells(|column| value(&inputs[column].name))
    }

    /// The same, given the value of each column by its number among the encoder's inputs.
    pub fn predict_cells<'v>(&self, value: impl Fn(usize) -> Option<&'v str>) -> Prediction<'m> {
        let settings = &self.model.settings;
        let walk = self.model.walk(|column| {
            let present = value(column).filter(|value| !settings.missing_values.contains(value));
            self.coder(column).cell(present)
        });
        self.model.prediction(walk)
    }

    /// Answer every row of a table.
    pub fn predict(&self, table: &Table) -> Result<Vec<Prediction<'m>>> {
        Ok(self.predict_columns(&self.model.columns_in(table)?, table.n_rows()))
    }

    /// Answer rows, given a column for each of the model's.
    fn predict_columns(&self, columns: &[Option<&Column>], n_rows: usize) -> Vec<Prediction<'m>> {
        let matched = self.matched_columns(columns);
        let walk = |row| self.model.walk(|column| matched[column].cell(row));
        (0..n_rows).map(|row| self.model.prediction(walk(row))).collect()
    }

    /// A table's columns for the model's.
    pub(super) fn matched<'t>(&self, table: &'t Table) -> Result<Vec<Matched<'t>>> {
        Ok(self.matched_columns(&self.model.columns_in(table)?))
    }

    fn matched_columns<'t>(&self, columns: &[Option<&'t Column>]) -> Vec<Matched<'t>> {
        let columns = columns.iter().enumerate();
        columns.map(|(number, column)| Matched::new(*column, self.coder(number))).collect()
    }

    fn coder(&self, column: usize) -> &Coder<'m> {
        let encoder = &self.model.encoder;
        self.coders[column].get_or_init(|| encoder.inputs()[column].coder())
    }
}

/// A table's column, with its codes translated to the model's cells. A column that is never asked about
/// may be absent.
pub(super) struct Matched<'t> {
    column: Option<&'t Column>,
    /// For each of the table's values, and then for a missing one, the model's cell.
    cells: Vec<Option<u32>>,
}

impl<'t> Matched<'t> {
    pub(super) fn new(column: Option<&'t Column>, coder: &Coder) -> Self {
        let values = column.map_or(&[][..], Column::values).iter();
        let values = values.map(|value| coder.cell(Some(value)));
        Matched { column, cells: values.chain([coder.cell(None)]).collect() }
    }

    /// The cell of the row's value, if the model has one for it.
    pub(super) fn cell(&self, row: usize) -> Option<u32> {
        self.cells[self.column?.codes().at(row) as usize]
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
