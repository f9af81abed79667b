//! Builds an ONNX graph, operator by operator.

use super::protobuf::Message;
use super::schema::{Element, Graph, ML, Values, node, tensor, value};

/// A graph, and the names that are taken in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Builder {
    pub(super) graph: Graph,
    names: Vec<String>,
}

impl Builder {
    /// Add an input with a value per row; the name that it got.
    pub(super) fn input(&mut self, name: &str, element: Element) -> String {
        let name = self.new_name(name);
        self.graph.inputs.push(value(&name, element, &[None, Some(1)]));
        name
    }

    /// Add a constant; the name that it got.
    pub(super) fn constant(&mut self, name: &str, shape: &[usize], values: Values) -> String {
        let name = self.new_name(name);
        self.graph.constants.push(tensor(&name, shape, values));
        name
    }

    /// Add an operator; the name that its output got.
    pub(super) fn add(
        &mut self,
        operator: &str,
        inputs: &[&str],
        attributes: &[Message],
        output: &str,
    ) -> String {
        let domain = match operator {
            "LabelEncoder" | "TreeEnsembleRegressor" => ML,
            _ => "",
        };
        let output = self.new_name(output);
        self.graph.nodes.push(node((domain, operator), inputs, &output, attributes));
        output
    }

    /// Add an output of this name to the graph.
    pub(super) fn output(&mut self, name: &str, element: Element, shape: &[Option<usize>]) {
        self.graph.outputs.push(value(name, element, shape));
    }

    /// A name that nothing else has: this one, in as many brackets as it takes.
    fn new_name(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_string();
        while self.names.contains(&name) {
            name = format!("({name})");
        }
        self.names.push(name.clone());
        name
    }
}
