//! The model as Python functions of a row, without imports.
//!
//! A row is anything with `row["column"]`: a dictionary, a `csv.DictReader` row, a row of a data frame.
//! Values are converted to text by `str`. `None`, a float that is not a number, and every text that meant
//! "missing" in training are missing values.

use super::code::{Coder, Language, MOST_DEPTH, function_name, helpers, missing_texts, variables};
use super::outline::{Function, Outline};
use crate::model::Model;

const HEAD: &str = include_str!("helpers/head.py");
const HELPERS: [(&str, &str); 5] = [
    ("at_most", include_str!("helpers/at_most.py")),
    ("above", include_str!("helpers/above.py")),
    ("number", include_str!("helpers/number.py")),
    ("moment", include_str!("helpers/moment.py")),
    ("is_digits", include_str!("helpers/is_digits.py")),
];

impl Model {
    /// The model as Python code: `predict(row)` and `probabilities(row)`.
    pub fn python(&self) -> String {
        let outline = Outline::of(self);
        let functions = outline.functions(MOST_DEPTH);
        let variables = variables(self);
        let coder = Coder { model: self, language: Python, variables: &variables };
        let classes = Python.literals(&self.target().classes);
        let mut pieces: Vec<String> = vec![
            self.about().iter().map(|line| format!("# {line}\n")).collect(),
            format!("CLASSES = [{classes}]\n"),
            HEAD.to_string(),
        ];
        pieces.extend(functions.iter().map(|function| function_text(&coder, function)));
        if functions[0].columns().is_empty() {
            return joined(&pieces);
        }
        pieces.push(format!("MISSING = {{{}}}\n", Python.literals(&missing_texts(self))));
        pieces.push(include_str!("helpers/text.py").to_string());
        let mut needed = helpers(self, &functions);
        if !needed.is_empty() {
            needed.push("is_digits");
        }
        let needed = HELPERS.iter().filter(|(name, _)| needed.contains(name));
        pieces.extend(needed.map(|(_, code)| code.to_string()));
        joined(&pieces)
    }
}

/// With two empty lines between functions, as Python is written.
fn joined(pieces: &[String]) -> String {
    let (about, rest) = pieces.split_at(1);
    format!("{}\n{}", about[0], rest.join("\n\n"))
}

fn function_text(coder: &Coder<Python>, function: &Function) -> String {
    let mut text = format!("def {}(row):\n", function_name(function.block));
    text += match function.block {
        0 => {
            "    \"\"\"The class, and the training rows of each of CLASSES, where a row ends.\"\"\"\n"
        }
        _ => "    \"\"\"The same, from further down.\"\"\"\n",
    };
    for column in function.columns() {
        let name = Python.literal(&coder.model.encoder().inputs()[column].name);
        text += &format!("    {} = text(row[{name}])\n", coder.variables[column]);
    }
    text + &coder.body(function)
}

#[derive(Clone, Copy)]
struct Python;

impl Language for Python {
    const AND: &str = " and ";
    const OR: &str = " or ";
    const END: Option<&str> = None;

    fn is_missing(&self, variable: &str) -> String {
        format!("{variable} is None")
    }

    fn is_among(&self, variable: &str, values: &[String]) -> String {
        match values {
            [value] => format!("{variable} == {value}"),
            _ => format!("{variable} in ({})", values.join(", ")),
        }
    }

    fn is_other(&self, variable: &str, values: &[String]) -> String {
        match values {
            [value] => format!("{variable} is not None and {variable} != {value}"),
            _ => format!("{variable} is not None and {variable} not in ({})", values.join(", ")),
        }
    }

    fn place(&self, variable: &str, line: &str) -> String {
        format!("{line}({variable})")
    }

    fn is_placed(&self, place: &str) -> String {
        format!("{place} is not None")
    }

    fn when(&self, condition: &str) -> String {
        format!("if {condition}:")
    }

    fn answer(&self, class: &str, counts: &[u64], _last: bool) -> String {
        format!("return {}, {counts:?}", self.literal(class))
    }

    fn call(&self, block: usize) -> String {
        format!("return {}(row)", function_name(block))
    }

    fn escape(&self, letter: char) -> String {
        let code = u32::from(letter);
        if code < 0x1_0000 { format!("\\u{code:04x}") } else { format!("\\U{code:08x}") }
    }
}
