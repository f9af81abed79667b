//! The model as SQL: one `CASE` expression that works in SQLite, DuckDB and PostgreSQL.
//!
//! # Requirements on the table
//! A missing value is `NULL`. Columns that the tree compares with thresholds hold numbers, or dates and
//! times (in SQLite, which has no such type, text such as `2024-02-29` or `2024-02-29 13:45:00`). All
//! other columns hold the model's values as text, or numbers that are written like them.
//!
//! # Why it is exact
//! A comparison with `NULL` is not true, so a row without a value passes no test but `IS NULL`. A value
//! that was not in the training table passes no test either. Both reach the `ELSE`, which is the answer of
//! the node where `predict` stops.
//!
//! Thresholds are written as decimals, which databases compare exactly with whole numbers and decimals. If
//! a threshold has more digits than a float can hold, it is written as a float or, in a column of whole
//! numbers, as a whole number.

use super::double;
use super::outline::{Outline, Part, Test, Then};
use crate::data::{Kind, Number, ValueOrder};
use crate::encode::{Input, Levels};
use crate::error::{ModelError, Result};
use crate::model::Model;
use crate::tree::NodeId;

/// What SQL to write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SqlOptions {
    /// Select everything from this table, and the class beside it, rather than write an expression
    /// alone.
    pub table: Option<String>,
    /// Add a column with the share of each class among the training rows of the node that answers.
    pub probabilities: bool,
}

/// Floats distinguish all decimals with at most this many digits.
const DIGITS_OF_FLOATS: usize = 15;

impl Model {
    /// The model as an SQL expression or query.
    ///
    /// Refused if a name or value has a NUL character, which SQL has no way to write.
    pub fn sql(&self, options: &SqlOptions) -> Result<String> {
        let outline = Outline::of(self);
        let margin = if options.table.is_some() { "  " } else { "" };
        let case = Case { model: self, outline: &outline, margin };
        let mut text: String = self.about().iter().map(|line| format!("-- {line}\n")).collect();
        if options.table.is_some() {
            text += "SELECT\n  *,\n  ";
        }
        text += &case.classes()?;
        if options.table.is_some() || options.probabilities {
            text += &format!(" AS {}", name(&self.target().name)?);
        }
        if options.probabilities {
            for (number, class) in self.target().classes.iter().enumerate() {
                let column = name(&format!("p({class})"))?;
                text += &format!(",\n{margin}{} AS {column}", case.shares(number)?);
            }
        }
        match &options.table {
            Some(table) => text += &format!("\nFROM {};\n", name(table)?),
            None => text.push('\n'),
        }
        Ok(text)
    }
}

/// Writes `CASE` expressions.
struct Case<'a> {
    model: &'a Model,
    outline: &'a Outline<'a>,
    /// What stands before every line but the first.
    margin: &'a str,
}

impl Case<'_> {
    /// The class.
    fn classes(&self) -> Result<String> {
        self.case(&|node| literal(self.model.answer(node)), &|node| self.model.evidence(node))
    }

    /// The share of one class.
    fn shares(&self, class: usize) -> Result<String> {
        let counts = |node| self.model.tree().node(node).counts();
        let share = |node: NodeId| Ok(float(counts(node).shares()[class]));
        let evidence = |node: NodeId| {
            let all: u64 = counts(node).deciding().iter().sum();
            format!("{} of {all}", counts(node).deciding()[class])
        };
        // Without the cast, a database is free to take decimals for decimals and not for floats.
        Ok(format!("CAST({} AS DOUBLE PRECISION)", self.case(&share, &evidence)?))
    }

    /// The expression for what `answer` says of nodes, with remarks on how it is known.
    fn case(
        &self,
        answer: &dyn Fn(NodeId) -> Result<String>,
        evidence: &dyn Fn(NodeId) -> String,
    ) -> Result<String> {
        let parts = self.outline.whole().parts;
        if let [(_, Part::Otherwise(root)), _] = parts[..] {
            return answer(root);
        }
        let mut text = "CASE".to_string();
        for (depth, part) in parts {
            let line = match part {
                Part::Arm(arm) => {
                    let tests = self.tests(arm.column, &arm.tests)?;
                    let then = match arm.then {
                        Then::Answer(node) => format!("{} -- {}", answer(node)?, evidence(node)),
                        Then::Block(_) => "CASE".into(),
                    };
                    format!("  WHEN {tests} THEN {then}")
                }
                Part::Otherwise(node) => format!("  ELSE {} -- {}", answer(node)?, evidence(node)),
                Part::End => "END".into(),
                Part::Elsewhere(_) => continue, // the whole is one expression
            };
            text += &format!("\n{}{}{line}", self.margin, "  ".repeat(depth));
        }
        Ok(text)
    }

    fn tests(&self, column: usize, tests: &[Test]) -> Result<String> {
        let input = &self.model.encoder().inputs()[column];
        let tests: Result<Vec<String>> = tests.iter().map(|test| condition(input, test)).collect();
        Ok(tests?.join(" OR "))
    }
}

fn condition(input: &Input, test: &Test) -> Result<String> {
    let column = name(&input.name)?;
    // A column of text is text; anything else may be stored as what it is. Blanks around it do not count.
    let text = match input.kind {
        Kind::Text => format!("TRIM({column})"),
        _ => format!("TRIM(CAST({column} AS TEXT))"),
    };
    Ok(match test {
        Test::Missing => format!("{column} IS NULL"),
        Test::Among(values) => match values[..] {
            [value] => format!("{text} = {}", literal(value)?),
            _ => format!("{text} IN ({})", literals(values)?),
        },
        Test::Other([]) | Test::Within { above: None, at_most: None } => {
            format!("{column} IS NOT NULL")
        }
        Test::Other(values) => format!("{text} NOT IN ({})", literals(values)?),
        Test::Within { above, at_most } => {
            let above = above.map(|cut| format!("{column} > {}", threshold(input, cut)));
            let at_most = at_most.map(|cut| format!("{column} <= {}", threshold(input, cut)));
            above.into_iter().chain(at_most).collect::<Vec<_>>().join(" AND ")
        }
    })
}

fn threshold(input: &Input, cut: &str) -> String {
    match &input.levels {
        Levels::Order { order: ValueOrder::Dates, cuts } => {
            timestamp(cut, cuts.iter().any(|cut| cut.ends_with('Z')))
        }
        _ => Number::parse(cut).map_or_else(String::new, |cut| number(input.kind, &cut)),
    }
}

/// A moment in SQL's spelling, in full: text in SQLite is compared letter by letter, and a shorter
/// spelling of the same moment comes before a longer one.
fn timestamp(cut: &str, zoned: bool) -> String {
    let (date, time) = cut.trim_end_matches('Z').split_once('T').unwrap_or((cut, ""));
    // Thresholds are spelled with as much of the time as they need.
    let time = format!("{time}{}", &"00:00:00"[time.len().min(8)..]);
    format!("'{date} {time}{}'", if zoned { "+00:00" } else { "" })
}

/// A threshold that parts decimals, whole numbers and floats alike.
fn number(kind: Kind, cut: &Number) -> String {
    let text = cut.to_string();
    let nearest = double::at_most(cut);
    if is_short(&text) && text.parse() == Ok(nearest) {
        return text;
    }
    if kind == Kind::Integer
        && let Some(whole) = floor(cut)
    {
        return whole.to_string();
    }
    float(nearest.max(f64::MIN))
}

/// A float. With an exponent, it is one everywhere; without, it may be a decimal first.
fn float(float: f64) -> String {
    let text = format!("{float:?}");
    if is_short(&text) || text.contains('e') { text } else { text + "e0" }
}

/// Whether floats tell a decimal from all others that have no more digits than it.
fn is_short(decimal: &str) -> bool {
    decimal.bytes().filter(u8::is_ascii_digit).count() <= DIGITS_OF_FLOATS
}

/// The largest whole number that is at most this, if it is of moderate size.
fn floor(number: &Number) -> Option<i128> {
    let text = number.to_string();
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let whole: i128 = whole.parse().ok()?;
    let beyond = text.starts_with('-') && !part.is_empty();
    (!part.contains('e')).then_some(whole - i128::from(beyond))
}

/// A name in quotes.
fn name(text: &str) -> Result<String> {
    quoted(text, '"')
}

/// A text in quotes.
fn literal(text: &str) -> Result<String> {
    quoted(text, '\'')
}

fn literals(values: &[impl AsRef<str>]) -> Result<String> {
    let literals: Result<Vec<String>> =
        values.iter().map(|value| literal(value.as_ref())).collect();
    Ok(literals?.join(", "))
}

fn quoted(text: &str, quote: char) -> Result<String> {
    if text.contains('\0') {
        return Err(ModelError::NotInSql { text: text.to_string() }.into());
    }
    Ok(format!("{quote}{}{quote}", text.replace(quote, &format!("{quote}{quote}"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_part_what_they_parted() {
        for (kind, cut, written) in [
            (Kind::Real, "41.5", "41.5"),
            (Kind::Integer, "41.5", "41.5"),
            (Kind::Real, "1e-30", "1e-30"),
            (Kind::Real, "3e-324", "0.0"),
            (Kind::Real, "0.30000000000000002", "0.3"),
            (Kind::Real, "-0.30000000000000002", "-0.30000000000000004e0"),
            (Kind::Real, "9007199254740993.5", "9007199254740992.0e0"),
            (Kind::Integer, "9007199254740993.5", "9007199254740993"),
            (Kind::Integer, "-9007199254740993.5", "-9007199254740994"),
            (Kind::Real, "1e400", "1.7976931348623157e308"),
        ] {
            assert_eq!(number(kind, &Number::parse(cut).unwrap()), written, "{cut}");
        }
    }

    #[test]
    fn moments_are_written_in_full() {
        for (cut, zoned, written) in [
            ("2024-02-29", false, "'2024-02-29 00:00:00'"),
            ("2024-02-29T13:45", false, "'2024-02-29 13:45:00'"),
            ("2024-02-29T13:45:07.25", false, "'2024-02-29 13:45:07.25'"),
            ("2024-02-29T13:45Z", true, "'2024-02-29 13:45:00+00:00'"),
        ] {
            assert_eq!(timestamp(cut, zoned), written);
        }
    }

    #[test]
    fn quotes_are_doubled_and_nul_is_refused() {
        assert_eq!(literal("it's").unwrap(), "'it''s'");
        assert_eq!(name("a \"b\"").unwrap(), "\"a \"\"b\"\"\"");
        let message = literal("a\0").unwrap_err().to_string();
        assert!(message.contains("\"a\\u{0}\" has a NUL character"), "{message}");
    }
}
