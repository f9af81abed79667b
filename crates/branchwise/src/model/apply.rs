//! A model is applied to rows: its columns are found in a table, and each row is led down the tree.

use super::Model;
use crate::data::{Column, Table};
use crate::encode::{Coder, Input};
use crate::error::{ModelError, Result, quoted};
use crate::tree::{Node, NodeId, Walk};
use std::cell::OnceCell;

/// For each of a model's columns, the table's that stands for it, if there is one.
pub(super) type FoundColumns<'t> = Vec<Option<&'t Column>>;

/// How a table's columns are recognized as the model's.
#[derive(Clone, Copy)]
pub(super) enum FindBy {
    Name,
    /// By the position in the file, which other columns may have left.
    Position,
    /// The same in a table without the column that is predicted.
    PositionWithoutTarget,
}

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

    /// The columns that the tree does ask about, by their numbers among the inputs, ascending.
    pub(super) fn asked_columns(&self) -> Vec<usize> {
        let asked = self.tree.nodes().iter().filter_map(|node| match node {
            Node::Split { feature, .. } => Some(self.encoder.features()[*feature].column()),
            Node::Leaf { .. } => None,
        });
        let mut columns: Vec<usize> = asked.collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// Answer one row, given the value of each column by its name; `None` is a missing one, and blanks
    /// around a value do not count. Only columns that the tree asks about are asked for.
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
            return Err(ModelError::MissingColumns { missing, present }.into());
        }
        let columns: Vec<Option<&Column>> = columns.iter().map(Some).collect();
        let matched = self.predictor().matched_columns(&columns);
        let n_rows = columns.iter().flatten().map(|column| column.codes().len()).min().unwrap_or(0);
        let node = |row| self.walk(|column| matched.cell(column, row)).end();
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
        found.ok_or_else(|| ModelError::NoTarget { target: self.target.name.clone() }.into())
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

    /// For each of the model's columns, the one among these that stands for it, if there is one.
    pub(super) fn find_columns<'t>(&self, among: &'t [Column], by: FindBy) -> FoundColumns<'t> {
        let is_meant = |input: &Input, column: &Column| match by {
            FindBy::Name => column.name() == input.name,
            FindBy::Position => column.position() == input.position,
            FindBy::PositionWithoutTarget => {
                let shift = usize::from(input.position > self.target.position);
                column.position() == input.position - shift
            }
        };
        let find = |input: &Input| among.iter().find(|column| is_meant(input, column));
        self.encoder.inputs().iter().map(find).collect()
    }

    /// An error if some of these columns, by their numbers among the inputs, are not found.
    pub(super) fn require(
        &self,
        needed: impl Iterator<Item = usize>,
        found: &FoundColumns,
        among: &[Column],
    ) -> Result<()> {
        let lacking = needed.filter(|&number| found[number].is_none());
        let name = |number: usize| self.encoder.inputs()[number].name.clone();
        let missing: Vec<String> = lacking.map(name).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = among.iter().map(Column::name).collect();
        Err(ModelError::MissingColumns { missing, present: quoted(&names) }.into())
    }

    /// A table without names has another number of columns than the training table.
    pub(super) fn wrong_width(&self, found: usize) -> ModelError {
        ModelError::ColumnCount { found, with_target: self.width, without_target: self.width - 1 }
    }

    /// For each of the model's columns, the table's, if it has it: by name where both have names, by
    /// position otherwise. Those that the tree asks about must be there.
    fn columns_in<'t>(&self, table: &'t Table) -> Result<FoundColumns<'t>> {
        let by = match table.width() {
            _ if self.named && table.is_named() => FindBy::Name,
            width if width == self.width => FindBy::Position,
            width if width + 1 == self.width => FindBy::PositionWithoutTarget,
            width => return Err(self.wrong_width(width).into()),
        };
        let found = self.find_columns(table.columns(), by);
        self.require(self.asked_columns().into_iter(), &found, table.columns())?;
        Ok(found)
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
            let value = value(column).map(str::trim_ascii);
            let present = value.filter(|value| !settings.missing_values.contains(value));
            self.coder(column).cell(present)
        });
        self.model.prediction(walk)
    }

    /// Answer every row of a table.
    pub fn predict(&self, table: &Table) -> Result<Vec<Prediction<'m>>> {
        Ok(self.predict_columns(&self.model.columns_in(table)?, table.n_rows()))
    }

    /// Answer rows, given a column for each of the model's that are asked about.
    fn predict_columns(&self, columns: &[Option<&Column>], n_rows: usize) -> Vec<Prediction<'m>> {
        let matched = self.matched_columns(columns);
        let walk = |row| self.model.walk(|column| matched.cell(column, row));
        (0..n_rows).map(|row| self.model.prediction(walk(row))).collect()
    }

    /// A table's columns for the model's.
    pub(super) fn matched<'t>(&self, table: &'t Table) -> Result<MatchedColumns<'t>> {
        Ok(self.matched_columns(&self.model.columns_in(table)?))
    }

    /// Only columns that the tree asks about are prepared.
    fn matched_columns<'t>(&self, columns: &[Option<&'t Column>]) -> MatchedColumns<'t> {
        let mut matched: Vec<Option<Matched>> = columns.iter().map(|_| None).collect();
        for number in self.model.asked_columns() {
            matched[number] = columns[number].map(|c| Matched::new(c, self.coder(number)));
        }
        MatchedColumns(matched)
    }

    fn coder(&self, column: usize) -> &Coder<'m> {
        let encoder = &self.model.encoder;
        self.coders[column].get_or_init(|| encoder.inputs()[column].coder())
    }
}

/// A table's columns for the model's, as far as they are asked about.
pub(super) struct MatchedColumns<'t>(Vec<Option<Matched<'t>>>);

impl MatchedColumns<'_> {
    /// The cell of the row's value in a column, if the model has one for it.
    pub(super) fn cell(&self, column: usize, row: usize) -> Option<u32> {
        self.0[column].as_ref().and_then(|column| column.cell(row))
    }
}

/// A table's column, with its codes translated to the model's cells.
pub(super) struct Matched<'t> {
    column: &'t Column,
    /// For each of the table's values, and then for a missing one, the model's cell.
    cells: Vec<Option<u32>>,
}

impl<'t> Matched<'t> {
    pub(super) fn new(column: &'t Column, coder: &Coder) -> Self {
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
