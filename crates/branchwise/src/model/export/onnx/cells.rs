//! Converts the values of a column to codes of cells with ONNX operators, like the encoder.
//!
//! Codes are numbered from 0: a cell for each value or interval, then one for missing values, and one for
//! values that were not in the training table. Texts are looked up. Numbers and times are compared with
//! all thresholds of the column in the tree; the number of thresholds below them is their cell.

use super::builder::Builder;
use super::protobuf::Message;
use super::schema::{Attribute, Element, Values, attribute};
use super::{double, missing_texts};
use crate::data::{Number, ValueOrder};
use crate::encode::{Feature, Input, Levels};
use crate::model::Model;
use crate::tree::Node;

/// Microseconds are what both moments from year 0 on and the clocks of databases fit into.
const NANOSECONDS: i128 = 1000;

/// A column that the tree asks about.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// The encoder's number of the column.
    pub(super) number: usize,
    /// For each code, the encoder's cell, if there is one.
    pub(super) cells: Vec<Option<u32>>,
    /// How values are given and turned into codes.
    source: Source,
}

/// How values are given and turned into codes.
#[derive(Clone, Debug)]
enum Source {
    /// Text: the code of each known one, and that of all others.
    Text { codes: Vec<(String, i64)>, other: i64 },
    /// Floats, and the thresholds.
    Numbers(Vec<f64>),
    /// Microseconds, and the thresholds.
    Moments(Vec<i64>),
}

impl Column {
    pub(super) fn new(model: &Model, number: usize) -> Self {
        let input = &model.encoder().inputs()[number];
        let last_two = [input.missing_cell(), None];
        if let Levels::Order { order: order @ (ValueOrder::Numbers | ValueOrder::Dates), cuts } =
            &input.levels
        {
            let used = used_cuts(model, number);
            let cells = used.iter().map(|&cut| cut as u32).chain([cuts.len() as u32]);
            let cells = cells.map(Some).chain(last_two).collect();
            let places = used.iter().filter_map(|&cut| order.position(&cuts[cut]));
            let source = match order {
                ValueOrder::Dates => {
                    Source::Moments(places.map(|place| microseconds(&place)).collect())
                }
                _ => Source::Numbers(places.map(|place| double::at_most(&place)).collect()),
            };
            return Column { number, cells, source };
        }
        let n_levels = input.n_cells() - usize::from(input.missing.is_some());
        let cells = (0..n_levels as u32).map(Some).chain(last_two).collect();
        Column { number, cells, source: Source::text(model, input, n_levels as i64) }
    }

    pub(super) fn element(&self) -> Element {
        match self.source {
            Source::Text { .. } => Element::String,
            Source::Numbers(_) => Element::Double,
            Source::Moments(_) => Element::Int64,
        }
    }

    /// Turn an input into codes; their name.
    pub(super) fn codes(&self, builder: &mut Builder, input: &str) -> String {
        let missing = self.cells.len() as i64 - 2;
        let mut sorter = Sorter { builder, input };
        match &self.source {
            Source::Text { codes, other } => sorter.look_up(codes, *other),
            Source::Numbers(cuts) => {
                let cell = sorter.count(cuts.len(), Values::Double(cuts.clone()));
                let infinite = sorter.add("IsInf", &[input], &[]);
                let known = sorter.replaced(&infinite, missing + 1, &cell);
                let absent = sorter.add("IsNaN", &[input], &[]);
                sorter.replaced(&absent, missing, &known)
            }
            Source::Moments(cuts) => {
                let cell = sorter.count(cuts.len(), Values::Int64(cuts.clone()));
                let none = sorter.constant("no time", 1, Values::Int64(vec![i64::MIN]));
                let absent = sorter.add("Equal", &[input, &none], &[]);
                sorter.replaced(&absent, missing, &cell)
            }
        }
    }
}

impl Source {
    /// Text in cells that are followed by a code for missing values and one for unknown ones.
    fn text(model: &Model, input: &Input, n_levels: i64) -> Source {
        let coder = input.coder();
        let unknown = n_levels + 1;
        let values: Vec<&str> = match &input.levels {
            Levels::Order { order: ValueOrder::Ranks(order), .. } => {
                order.iter().map(String::as_str).collect()
            }
            Levels::Order { .. } => Vec::new(),
            Levels::Categories { values, .. } => {
                (0..values.len()).flat_map(|cell| input.spellings(cell)).collect()
            }
        };
        let missing = &model.settings().missing_values;
        let texts = missing_texts(model).into_iter();
        let mut codes: Vec<(String, i64)> = texts.map(|text| (text, n_levels)).collect();
        for value in values.into_iter().filter(|value| !missing.contains(value)) {
            codes.push((value.to_string(), coder.cell(Some(value)).map_or(unknown, i64::from)));
        }
        let other = match &input.levels {
            Levels::Categories { values, other: Some(_) } => values.len() as i64,
            _ => unknown,
        };
        Source::Text { codes, other }
    }
}

/// The thresholds of a column that the tree asks for, ascending.
fn used_cuts(model: &Model, column: usize) -> Vec<usize> {
    let n_cuts = model.encoder().inputs()[column].cuts().len();
    let mut used = Vec::new();
    for node in model.tree().nodes() {
        let Node::Split { feature, .. } = node else { continue };
        match model.encoder().features()[*feature] {
            Feature::AtMost { column: asked, cut } if asked == column => used.push(cut as usize),
            Feature::Is { column: asked, value } if asked == column => {
                used.extend((value as usize).checked_sub(1));
                used.push(value as usize);
            }
            _ => {}
        }
    }
    used.retain(|&cut| cut < n_cuts);
    used.sort_unstable();
    used.dedup();
    used
}

/// The last microsecond that is not after a moment.
fn microseconds(nanoseconds: &Number) -> i64 {
    let whole: i128 = nanoseconds.to_string().parse().unwrap_or_default();
    whole.div_euclid(NANOSECONDS) as i64
}

/// Adds operators for one input.
struct Sorter<'a> {
    builder: &'a mut Builder,
    input: &'a str,
}

impl Sorter<'_> {
    fn add(&mut self, operator: &str, inputs: &[&str], attributes: &[Message]) -> String {
        let output = format!("{}: {operator}", self.input);
        self.builder.add(operator, inputs, attributes, &output)
    }

    fn constant(&mut self, what: &str, size: usize, values: Values) -> String {
        self.builder.constant(&format!("{}: {what}", self.input), &[size], values)
    }

    /// The codes of texts.
    fn look_up(&mut self, codes: &[(String, i64)], other: i64) -> String {
        let (keys, codes): (Vec<String>, Vec<i64>) = codes.iter().cloned().unzip();
        let attributes = [
            attribute("keys_strings", Attribute::Texts(keys)),
            attribute("values_int64s", Attribute::Ints(codes)),
            attribute("default_int64", Attribute::Int(other)),
        ];
        self.add("LabelEncoder", &[self.input], &attributes)
    }

    /// How many of the thresholds a value is above.
    fn count(&mut self, n_cuts: usize, cuts: Values) -> String {
        let cuts = self.constant("thresholds", n_cuts, cuts);
        let above = self.add("Greater", &[self.input, &cuts], &[]);
        let to = attribute("to", Attribute::Int(Element::Int64 as i64));
        let ones = self.add("Cast", &[&above], &[to]);
        let axes = self.constant("axis", 1, Values::Int64(vec![1]));
        self.add("ReduceSum", &[&ones, &axes], &[])
    }

    /// The codes, with this one where the condition holds.
    fn replaced(&mut self, condition: &str, code: i64, codes: &str) -> String {
        let code = self.constant("code", 1, Values::Int64(vec![code]));
        self.add("Where", &[condition, &code, codes], &[])
    }
}
