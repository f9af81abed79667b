//! The model as Rust functions of a row, without dependencies.
//!
//! A row is a function from the name of a column to its value as text, as in [`Model::predict_row`].

use super::code::{Coder, Language, MOST_DEPTH, function_name, helpers, missing_texts, variables};
use super::outline::{Function, Outline};
use crate::model::Model;

const HEAD: &str = include_str!("helpers/head.rs");
const HELPERS: [(&str, &str); 4] = [
    ("at_most", include_str!("helpers/at_most.rs")),
    ("above", include_str!("helpers/above.rs")),
    ("number", include_str!("helpers/number.rs")),
    ("moment", include_str!("helpers/moment.rs")),
];

impl Model {
    /// The model as Rust code: `predict` and `probabilities` of a row.
    pub fn rust(&self) -> String {
        let outline = Outline::of(self);
        let functions = outline.functions(MOST_DEPTH);
        let variables = variables(self);
        let coder = Coder { model: self, language: Rust, variables: &variables };
        let classes = &self.target().classes;
        let about: String = self.about().iter().map(|line| format!("// {line}\n")).collect();
        let list = |name: &str, texts: &[String]| {
            format!("{name}: [&str; {}] = [{}];\n", texts.len(), Rust.literals(texts))
        };
        let mut pieces = vec![
            about,
            format!("/// The classes.\n{}", list("pub const CLASSES", classes)),
            HEAD.to_string(),
        ];
        pieces.extend(functions.iter().map(|function| function_text(&coder, function)));
        if !functions[0].columns().is_empty() {
            pieces.push(format!(
                "/// What means that there is no value.\n{}",
                list("const MISSING", &missing_texts(self))
            ));
            pieces.push(include_str!("helpers/present.rs").to_string());
        }
        let needed = helpers(self, &functions);
        let needed = HELPERS.iter().filter(|(name, _)| needed.contains(name));
        pieces.extend(needed.map(|(_, code)| code.to_string()));
        pieces.join("\n")
    }
}

fn function_text(coder: &Coder<Rust>, function: &Function) -> String {
    let columns = function.columns();
    let mut text = match function.block {
        0 => "/// The class, and the training rows of each of `CLASSES`, where a row ends.\n",
        _ => "/// The same, from further down.\n",
    }
    .to_string();
    let value = if columns.is_empty() { "_value" } else { "value" };
    text += &format!(
        "fn {}<'v>(\n    {value}: &impl Fn(&str) -> Option<&'v str>,\n) -> (&'static str, [u64; CLASSES.len()]) {{\n",
        function_name(function.block),
    );
    for column in columns {
        let name = Rust.literal(&coder.model.encoder().inputs()[column].name);
        text += &format!("    let {} = present(value({name}));\n", coder.variables[column]);
    }
    text + &coder.body(function) + "}\n"
}

#[derive(Clone, Copy)]
struct Rust;

impl Language for Rust {
    const AND: &str = " && ";
    const OR: &str = " || ";
    const END: Option<&str> = Some("}");

    fn is_missing(&self, variable: &str) -> String {
        format!("{variable}.is_none()")
    }

    fn is_among(&self, variable: &str, values: &[String]) -> String {
        match values {
            [value] => format!("{variable} == Some({value})"),
            _ => format!("matches!({variable}, Some({}))", values.join(" | ")),
        }
    }

    fn is_other(&self, variable: &str, values: &[String]) -> String {
        match values {
            [] => format!("{variable}.is_some()"),
            _ => format!("!matches!({variable}, None | Some({}))", values.join(" | ")),
        }
    }

    fn place(&self, variable: &str, line: &str) -> String {
        format!("{variable}.and_then({line})")
    }

    fn is_placed(&self, place: &str) -> String {
        format!("{place}.is_some()")
    }

    fn when(&self, condition: &str) -> String {
        format!("if {condition} {{")
    }

    fn answer(&self, class: &str, counts: &[u64], last: bool) -> String {
        let answer = format!("({}, {counts:?})", self.literal(class));
        if last { answer } else { format!("return {answer};") }
    }

    fn call(&self, block: usize) -> String {
        format!("return {}(value);", function_name(block))
    }

    fn escape(&self, letter: char) -> String {
        letter.escape_unicode().to_string()
    }
}
