//! The messages of ONNX, with the field numbers of `onnx.proto`.

use super::protobuf::Message;

/// The operators that every runtime has, and those for classical models.
pub(super) const DOMAINS: [(&str, i64); 2] = [("", 17), (ML, 3)];
/// The domain of the operators for classical models.
pub(super) const ML: &str = "ai.onnx.ml";
/// The version of the file format that goes with them.
const IR_VERSION: i64 = 8;

/// What a tensor holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Float = 1,
    Int64 = 7,
    String = 8,
    Double = 11,
}

/// A constant tensor of a shape.
pub(super) fn tensor(name: &str, shape: &[usize], values: Values) -> Message {
    let shape: Vec<i64> = shape.iter().map(|&size| size as i64).collect();
    let message = Message::default().ints(1, &shape);
    let typed = |element: Element| message.int(2, element as i64);
    let message = match values {
        Values::Int64(values) => typed(Element::Int64).ints(7, &values),
        Values::String(values) => typed(Element::String).texts(6, &values),
        Values::Double(values) => typed(Element::Double).doubles(10, &values),
    };
    message.text(8, name)
}

/// The values of a constant tensor.
#[derive(Clone, Debug)]
pub(super) enum Values {
    Int64(Vec<i64>),
    String(Vec<String>),
    Double(Vec<f64>),
}

/// The description of an input or output: its name, what it holds, and its sizes; `None` is any.
pub(super) fn value(name: &str, element: Element, shape: &[Option<usize>]) -> Message {
    let size = |size: &Option<usize>| match size {
        Some(size) => Message::default().int(1, *size as i64),
        None => Message::default().text(2, "rows"),
    };
    let sizes: Vec<Message> = shape.iter().map(size).collect();
    let shape = Message::default().messages(1, &sizes);
    let tensor = Message::default().int(1, element as i64).message(2, shape);
    Message::default().text(1, name).message(2, Message::default().message(1, tensor))
}

/// An attribute of a node.
pub(super) fn attribute(name: &str, value: Attribute) -> Message {
    let message = Message::default().text(1, name);
    match value {
        Attribute::Int(number) => message.int(3, number).int(20, 2),
        Attribute::Text(text) => message.text(4, text).int(20, 3),
        Attribute::Floats(numbers) => message.floats(7, &numbers).int(20, 6),
        Attribute::Ints(numbers) => message.ints(8, &numbers).int(20, 7),
        Attribute::Texts(texts) => message.texts(9, &texts).int(20, 8),
    }
}

/// The value of an attribute.
#[derive(Clone, Debug)]
pub(super) enum Attribute {
    Int(i64),
    Text(&'static str),
    Floats(Vec<f32>),
    Ints(Vec<i64>),
    Texts(Vec<String>),
}

/// A node: an operator of a domain, from inputs to one output.
pub(super) fn node(
    (domain, operator): (&str, &str),
    inputs: &[&str],
    output: &str,
    attributes: &[Message],
) -> Message {
    let message = Message::default().texts(1, inputs).texts(2, &[output]).text(3, output);
    message.text(4, operator).messages(5, attributes).text(7, domain)
}

/// A graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Message>,
    pub(super) constants: Vec<Message>,
    pub(super) inputs: Vec<Message>,
    pub(super) outputs: Vec<Message>,
}

/// A model: a graph, a word about it, and further facts by name.
pub(super) fn model(graph: &Graph, about: &str, facts: &[(&str, String)]) -> Message {
    let graph = Message::default()
        .messages(1, &graph.nodes)
        .text(2, "branchwise")
        .messages(5, &graph.constants)
        .messages(11, &graph.inputs)
        .messages(12, &graph.outputs);
    let domain = |(name, version): &(&str, i64)| Message::default().text(1, name).int(2, *version);
    let fact = |(key, value): &(&str, String)| Message::default().text(1, key).text(2, value);
    Message::default()
        .int(1, IR_VERSION)
        .text(2, "branchwise")
        .text(3, env!("CARGO_PKG_VERSION"))
        .text(6, about)
        .message(7, graph)
        .messages(8, &DOMAINS.iter().map(domain).collect::<Vec<_>>())
        .messages(14, &facts.iter().map(fact).collect::<Vec<_>>())
}
