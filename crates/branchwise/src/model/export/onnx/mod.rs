//! The model as an ONNX graph, for runtimes in any language.
//!
//! # Inputs
//! For each column that the tree uses, a tensor of shape (rows, 1): text for categories, where the same
//! texts as in training mean "missing"; 64-bit floats for numbers, where NaN is missing; for dates and
//! times 64-bit microseconds since the beginning of 1970, where the smallest integer is missing. This is
//! NumPy's `datetime64[us]`.
//!
//! # Outputs
//! `label`, the class of each row, and `probabilities`, the share of each class among the training rows of
//! the node that answers, in the order of the list `classes` in the metadata.
//!
//! # Why it is exact
//! Runtimes compare the thresholds of trees, and add up probabilities, as 32-bit floats. Therefore values
//! are first converted to cells ([`cells`]), and the tree ([`ensemble`]) compares the small numbers of
//! these cells. The tree returns the number of the node that answers, and the class and shares are looked
//! up by it.

mod builder;
mod cells;
mod ensemble;
mod protobuf;
mod schema;

use super::code::missing_texts;
use super::double;
use crate::model::Model;
use builder::Builder;
use cells::Column;
use ensemble::Ensemble;
use schema::{Attribute, Element, Values, attribute};

impl Model {
    /// The model as an ONNX file.
    pub fn onnx(&self) -> Vec<u8> {
        let mut builder = Builder::default();
        let columns: Vec<Column> =
            self.graph_columns().into_iter().map(|number| Column::new(self, number)).collect();
        let input = |column: &Column| builder.input(&self.input_name(column), column.element());
        let inputs: Vec<String> = columns.iter().map(input).collect();
        let codes: Vec<String> = (columns.iter().zip(&inputs))
            .map(|(column, input)| column.codes(&mut builder, input))
            .collect();
        let ensemble = Ensemble::of(self, &columns);
        let answer = ask(&mut builder, &codes, &ensemble);
        self.look_up(&mut builder, &answer, &ensemble);
        let classes = serde_json::Value::from(self.target().classes.clone());
        let facts = [("target", self.target().name.clone()), ("classes", classes.to_string())];
        schema::model(&builder.graph, &self.about().join("\n"), &facts).into_bytes()
    }

    /// The columns that the graph has inputs for: those that the tree asks about, or the first one if it
    /// asks nothing, for a graph must have something to count rows by.
    fn graph_columns(&self) -> Vec<usize> {
        let columns = self.asked_columns();
        if columns.is_empty() { vec![0] } else { columns }
    }

    /// What the graph calls a column: nothing has an empty name there.
    fn input_name(&self, column: &Column) -> String {
        let input = &self.encoder().inputs()[column.number];
        match input.name.as_str() {
            "" => format!("column {}", input.position + 1),
            name => name.to_string(),
        }
    }

    /// From the numbers of answers to classes and shares.
    fn look_up(&self, builder: &mut Builder, answer: &str, ensemble: &Ensemble) {
        let (n_answers, n_classes) = (ensemble.answers.len(), self.target().classes.len());
        let labels = ensemble.answers.iter().map(|&node| self.answer(node).to_string()).collect();
        let labels = builder.constant("classes of answers", &[n_answers], Values::String(labels));
        let label = builder.add("Gather", &[&labels, answer], &[], "label");
        builder.output(&label, Element::String, &[None]);
        let shares = ensemble.answers.iter().map(|&node| self.tree().node(node).counts().shares());
        let shares = Values::Double(shares.flatten().collect());
        let shares = builder.constant("shares of answers", &[n_answers, n_classes], shares);
        let share = builder.add("Gather", &[&shares, answer], &[], "probabilities");
        builder.output(&share, Element::Double, &[None, Some(n_classes)]);
    }
}

/// From the codes of cells to the number of the answer.
fn ask(builder: &mut Builder, codes: &[String], ensemble: &Ensemble) -> String {
    let to = |element: Element| attribute("to", Attribute::Int(element as i64));
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let axis = attribute("axis", Attribute::Int(1));
    let cells = builder.add("Concat", &codes, &[axis], "cells");
    let floats = builder.add("Cast", &[&cells], &[to(Element::Float)], "cells as floats");
    let tree = ensemble.attributes();
    let answer = builder.add("TreeEnsembleRegressor", &[&floats], &tree, "answer as float");
    let whole = builder.add("Cast", &[&answer], &[to(Element::Int64)], "answer as column");
    let any = builder.constant("any number", &[1], Values::Int64(vec![-1]));
    builder.add("Reshape", &[&whole, &any], &[], "answer")
}
