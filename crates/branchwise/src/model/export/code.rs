//! What the exports to programming languages have in common.
//!
//! Values are texts, as in the table. Numbers, dates and times are compared by small functions that read
//! the text exactly, digit by digit; the export contains those that it needs. Nothing is rounded to a
//! float.

use super::outline::{Function, Part, Test, Then};
use crate::data::ValueOrder;
use crate::encode::{Input, Levels};
use crate::model::Model;
use crate::text::is_hidden;
use crate::tree::NodeId;

/// The most blocks around another. Python ends at a hundred.
pub(super) const MOST_DEPTH: usize = 40;

/// What differs from language to language.
pub(super) trait Language {
    /// The words for "and" and "or" between conditions.
    const AND: &str;
    const OR: &str;

    /// Whether a variable has no value.
    fn is_missing(&self, variable: &str) -> String;
    /// Whether it has one of these values.
    fn is_among(&self, variable: &str, values: &[String]) -> String;
    /// Whether it has a value, but none of these.
    fn is_other(&self, variable: &str, values: &[String]) -> String;
    /// Its place on the line of numbers or moments.
    fn place(&self, variable: &str, line: &str) -> String;
    /// Whether there is a place.
    fn is_placed(&self, place: &str) -> String;
    /// The first line of an arm.
    fn when(&self, condition: &str) -> String;
    /// The last line of an arm, if it has one.
    const END: Option<&str>;
    /// The answer of a node, at the end of the function or before.
    fn answer(&self, class: &str, counts: &[u64], last: bool) -> String;
    /// The answer of another function, by number of its block.
    fn call(&self, block: usize) -> String;
    /// A character that must not stand in a text as it is.
    fn escape(&self, letter: char) -> String;

    /// A text in quotes.
    fn literal(&self, text: &str) -> String {
        let mut literal = String::from('"');
        for letter in text.chars() {
            match letter {
                '"' | '\\' => literal.extend(['\\', letter]),
                '\n' => literal += "\\n",
                '\r' => literal += "\\r",
                '\t' => literal += "\\t",
                hidden if is_hidden(hidden) => literal += &self.escape(hidden),
                shown => literal.push(shown),
            }
        }
        literal + "\""
    }

    /// Texts in quotes, separated by commas.
    fn literals(&self, texts: &[impl AsRef<str>]) -> String {
        let literals: Vec<String> = texts.iter().map(|text| self.literal(text.as_ref())).collect();
        literals.join(", ")
    }
}

/// Writes the bodies of functions.
pub(super) struct Coder<'a, L> {
    pub(super) model: &'a Model,
    pub(super) language: L,
    /// What each column is called.
    pub(super) variables: &'a [String],
}

impl<L: Language> Coder<'_, L> {
    /// The tests and answers of a function.
    pub(super) fn body(&self, function: &Function) -> String {
        let mut body = String::new();
        let mut line = |depth: usize, text: &str| {
            body += &format!("{}{text}\n", "    ".repeat(depth + 1));
        };
        for (depth, part) in &function.parts {
            match part {
                Part::Arm(arm) => {
                    line(*depth, &self.language.when(&self.tests(arm.column, &arm.tests)));
                    if let Then::Answer(node) = arm.then {
                        line(depth + 1, &self.answer(node, false));
                        L::END.into_iter().for_each(|end| line(*depth, end));
                    }
                }
                Part::Elsewhere(block) => {
                    line(depth + 1, &self.language.call(*block));
                    L::END.into_iter().for_each(|end| line(*depth, end));
                }
                Part::Otherwise(node) => line(*depth, &self.answer(*node, *depth == 0)),
                Part::End if *depth > 0 => {
                    L::END.into_iter().for_each(|end| line(depth - 1, end));
                }
                Part::End => {}
            }
        }
        body
    }

    fn answer(&self, node: NodeId, last: bool) -> String {
        let counts = self.model.tree().node(node).counts().deciding();
        self.language.answer(self.model.answer(node), counts, last)
    }

    fn tests(&self, column: usize, tests: &[Test]) -> String {
        let input = &self.model.encoder().inputs()[column];
        let test = |test: &Test| self.condition(&self.variables[column], input, test);
        tests.iter().map(test).collect::<Vec<_>>().join(L::OR)
    }

    fn condition(&self, variable: &str, input: &Input, test: &Test) -> String {
        let language = &self.language;
        let literals = |values: &[&str]| -> Vec<String> {
            values.iter().map(|value| language.literal(value)).collect()
        };
        match test {
            Test::Missing => language.is_missing(variable),
            Test::Among(values) => language.is_among(variable, &literals(values)),
            Test::Other(values) => {
                let values: Vec<&str> = values.iter().map(String::as_str).collect();
                language.is_other(variable, &literals(&values))
            }
            Test::Within { above, at_most } => {
                let line = reader(input);
                let place = language.place(variable, line);
                let compare = |name: &str, cut: &str| {
                    format!("{name}({place}, {line}({}))", language.literal(cut))
                };
                let above = above.map(|cut| compare("above", cut));
                let at_most = at_most.map(|cut| compare("at_most", cut));
                let bounds: Vec<String> = above.into_iter().chain(at_most).collect();
                if bounds.is_empty() { language.is_placed(&place) } else { bounds.join(L::AND) }
            }
        }
    }
}

/// The function that reads a column's values, given that they are compared by size.
fn reader(input: &Input) -> &'static str {
    match &input.levels {
        Levels::Order { order: ValueOrder::Dates, .. } => "moment",
        _ => "number",
    }
}

/// Which of the small functions the tests need, by name.
pub(super) fn helpers(model: &Model, functions: &[Function]) -> Vec<&'static str> {
    let mut helpers = Vec::new();
    for (_, part) in functions.iter().flat_map(|function| &function.parts) {
        let Part::Arm(arm) = part else { continue };
        for test in &arm.tests {
            let Test::Within { above, at_most } = test else { continue };
            helpers.push(reader(&model.encoder().inputs()[arm.column]));
            helpers.extend(above.map(|_| "above"));
            helpers.extend(at_most.map(|_| "at_most"));
        }
    }
    helpers.sort_unstable();
    helpers.dedup();
    helpers
}

/// The name of the function of a block.
pub(super) fn function_name(block: usize) -> String {
    if block == 0 { "answer".into() } else { format!("answer_{block}") }
}

/// All texts that mean a missing value.
pub(super) fn missing_texts(model: &Model) -> Vec<String> {
    let spellings = model.settings().missing_values.spellings();
    [String::new()].into_iter().chain(spellings.iter().cloned()).collect()
}

/// Names that variables must not have: words of the languages, and of the code around them.
const TAKEN: &str = "\
    above abstract and as assert async at_most await become box break case class classes const \
    continue count counts crate def del digits do dyn elif else enum except extern false final \
    finally float fn for from gen global if impl import in is is_digits isinstance lambda let \
    loop macro macro_rules match missing mod moment move mut none nonlocal not number or \
    override pass predict present priv probabilities pub raise ref return row self static str \
    struct sum super text trait true try type typeof union unsafe unsized use value virtual \
    where while with yield";

/// A variable for each column, named after it as far as its letters are plain ones.
pub(super) fn variables(model: &Model) -> Vec<String> {
    let mut variables: Vec<String> = Vec::new();
    for input in model.encoder().inputs() {
        let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
        let name: String = input.name.to_lowercase().chars().map(plain).collect();
        let words: Vec<&str> = name.split('_').filter(|word| !word.is_empty()).collect();
        let mut name = words.join("_");
        if !name.starts_with(|first: char| first.is_ascii_lowercase()) {
            name = format!("column_{name}").trim_end_matches('_').to_string();
        }
        let is_taken = |name: &String| {
            TAKEN.split(' ').any(|word| word == name)
                || name.starts_with("answer")
                || variables.contains(name)
        };
        while is_taken(&name) {
            name = format!("column_{}_{name}", input.position + 1);
        }
        variables.push(name);
    }
    variables
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Solver;
    use crate::data::{Column, Table, Target};
    use proptest::prelude::*;

    include!("helpers/number.rs");
    include!("helpers/moment.rs");

    /// The exported reader finds places where the library's does, in the same order.
    fn agree<P: Ord>(order: &ValueOrder, reader: fn(&str) -> Option<P>, one: &str, other: &str) {
        let found = reader(one).zip(reader(other)).map(|(one, other)| one.cmp(&other));
        let known = order.position(one).zip(order.position(other));
        assert_eq!(found, known.map(|(one, other)| one.cmp(&other)), "{one} {other}");
        assert_eq!(reader(one).is_some(), order.position(one).is_some(), "{one}");
    }

    proptest! {
        #[test]
        fn numbers_are_read_alike(one in "[-+]?[0-9.]{0,4}([eE][-+]?[0-9]{0,3})?", other in "-?[0-3]{0,2}[.]?[0-3]{0,2}") {
            agree(&ValueOrder::Numbers, number, &one, &other);
            agree(&ValueOrder::Numbers, number, &other, &one);
        }

        #[test]
        fn moments_are_read_alike(
            date in "(20[0-9]{2}|0[0-9]{3})-[01][0-9]-[0-3][0-9]",
            time in "([Tt x][0-2][0-9](:[0-6][0-9]){1,3}([.][0-9]{0,10})?([Zz]|[-+][0-9]{1,2}(:?[0-9]{2})?)?)?",
        ) {
            agree(&ValueOrder::Dates, moment, &format!("{date}{time}"), "2010-06-15T12:00:00.5");
            agree(&ValueOrder::Dates, moment, "2010-06-15", &date);
        }
    }

    #[test]
    fn odd_texts_are_read_alike() {
        let texts =
            ["", "-", "1e", "1e2147483648", "1e-2147483648", "-0.0", "00", "1.2.3", "٣", "é"];
        for one in texts {
            for other in texts {
                agree(&ValueOrder::Numbers, number, one, other);
                agree(&ValueOrder::Dates, moment, one, other);
            }
        }
    }

    #[test]
    fn variables_are_plain_and_different() {
        let names = [
            "Age",
            "age",
            "if",
            "größe",
            "7th",
            "",
            "日本",
            "Two  Words!",
            "answer_1",
            "a__b",
            "class",
        ];
        let columns = names
            .iter()
            .map(|name| Column::from_values(*name, &["a", "b"]))
            .chain([Column::from_values("target", &["a", "b"])]);
        let dataset = Table::from_columns(columns.collect()).dataset(Target::Last).unwrap();
        let model = Solver::new().fit(&dataset).unwrap().model;
        let found = variables(&model);
        let expected = [
            "age",
            "column_2_age",
            "column_3_if",
            "gr_e",
            "column_7th",
            "column",
            "column_7_column",
            "two_words",
            "column_9_answer_1",
            "a_b",
            "column_11_class",
        ];
        assert_eq!(found, expected);
    }
}
