//! The tree in the user's words, as [text](Text) for a terminal, [DOT](Dot) for Graphviz,
//! [SVG](Svg) for a page, and as a [`Picture`] for other programs that draw it.
//!
//! A [`Tree`] knows numbers only: feature 5, categories 0 and 2, class 1. [`Words`] says what they
//! mean. Each output is a small wrapper that borrows both and is written by `Display`, so that
//! nothing is drawn before it is asked for:
//!
//! ```text
//! let words = Words::new(
//!     vec![Question::values("odor", ["almond", "anise", "none"]), Question::is("ring", "large")],
//!     ["edible", "poisonous"],
//! );
//! write!(file, "{}", tree.svg(&words))?;
//! ```
//!
//! # What the outputs agree on
//! * A question ends in a question mark: `odor?`, `ring = large?`. An answer never does.
//! * Children come in the order of their first category; of a yes/no question, yes comes first.
//! * The percentage is the share, by weight, of the class that the leaf answers. It says 100.0 %
//!   only where the leaf is pure: just below, it says >99.9 %.
//! * Every line ends in a newline, the last one too.
//! * Names are shown on one line: control characters, and characters that would turn the writing
//!   direction, are escaped as Rust escapes them, and an empty name is shown as `(empty)`.
//! * A number that has no word is shown as a number (`feature 7`): no tree fails to print.
//! * The tree is walked with a stack of its own, so its depth is not limited by the thread's stack.

mod dot;
mod layout;
mod measure;
mod picture;
#[cfg(test)]
mod samples;
mod steps;
mod svg;
mod text;
mod tint;
mod words;

pub use dot::Dot;
pub use layout::{Direction, Point, Spacing};
pub(crate) use measure::text_width;
pub use picture::{Area, Bar, Block, Edge, Picture, Style, Written};
pub use svg::Svg;
pub use text::Text;
pub(crate) use tint::N_TINTS;
pub use tint::{Theme, TintColours};
pub use words::{Question, Words};

use super::{Counts, Tree};
use std::fmt::{self, Display, Formatter, Write};

impl Tree {
    /// The tree drawn with lines and letters, for a terminal.
    pub fn text<'a>(&'a self, words: &'a Words) -> Text<'a> {
        Text::new(self, words)
    }

    /// The tree in the language of Graphviz.
    pub fn dot<'a>(&'a self, words: &'a Words) -> Dot<'a> {
        Dot::new(self, words)
    }

    /// The tree as a picture for a page.
    pub fn svg<'a>(&'a self, words: &'a Words) -> Svg<'a> {
        Svg::new(self, words)
    }
}

/// `1 row`, `2 rows`.
pub(crate) fn counted(number: u64, noun: &str, nouns: &str) -> String {
    format!("{number} {}", if number == 1 { noun } else { nouns })
}

/// The share of the majority class by weight, rounded so that only a pure node has 100.0 %.
pub(crate) fn percent(counts: &Counts) -> String {
    let right = u128::from(counts.correct());
    let total = counts.deciding().iter().map(|&weight| u128::from(weight)).sum::<u128>().max(1);
    let tenths = (right * 2000 + total) / (2 * total);
    if tenths == 1000 && right < total {
        return ">99.9 %".into();
    }
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// A text as XML or HTML, in an element or an attribute. Control characters are gone already.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '<' => out.write_str("&lt;")?,
                '>' => out.write_str("&gt;")?,
                '&' => out.write_str("&amp;")?,
                '"' => out.write_str("&quot;")?,
                '\'' => out.write_str("&#39;")?,
                _ => out.write_char(letter)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pure_nodes_have_all_percent() {
        let cases: [(&[u64], &str); 5] = [
            (&[0, 5], "100.0 %"),
            (&[1, 100_000], ">99.9 %"),
            (&[1, 2], "66.7 %"),
            (&[], "0.0 %"),
            (&[u64::MAX / 2, u64::MAX / 2], "50.0 %"),
        ];
        for (rows, expected) in cases {
            assert_eq!(percent(&samples::counts(rows)), expected);
        }
        let weighed = Counts { rows: vec![9, 1], weights: vec![10, 30], saved: Vec::new() };
        assert_eq!(percent(&weighed), "75.0 %");
    }
}
