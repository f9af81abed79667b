//! The tree drawn with lines and letters.
//!
//! ```text
//! odor?                                 8124 rows
//! ├── almond, anise → edible             800 rows  100.0 %
//! ├── none: spore print color = green?  3528 rows
//! │   ├── yes → poisonous                 72 rows  100.0 %
//! │   └── no → edible                   3456 rows   98.6 %
//! └── foul → poisonous                  3796 rows  100.0 %
//! ```
//!
//! What stands before `:` or `→` leads to the line; after `:` comes the next question, after `→`
//! the answer. The numbers stand in columns, except after a line so long that it would push them
//! out of sight.

use super::measure::columns;
use super::steps::{Step, steps};
use super::{Words, percent};
use crate::tree::{Node, Tree};
use std::fmt::{self, Display, Formatter};

/// A line longer than this has its numbers right behind it instead of in the columns.
const WIDEST: usize = 72;

/// The letters that one level is indented by.
const INDENT: usize = 4;

/// A tree that is written as text for a terminal; made by [`Tree::text`].
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    tree: &'a Tree,
    words: &'a Words,
}

impl<'a> Text<'a> {
    pub(super) fn new(tree: &'a Tree, words: &'a Words) -> Self {
        Text { tree, words }
    }

    /// How a node is led to, and what it asks or answers.
    fn label(&self, step: &Step) -> String {
        let edge =
            step.way.as_ref().map(|way| self.words.question(way.feature).edge(way.categories));
        match (edge, step.node) {
            (Some(edge), Node::Split { feature, .. }) => {
                format!("{edge}: {}", self.words.question(*feature).asked())
            }
            (None, Node::Split { feature, .. }) => self.words.question(*feature).asked(),
            (edge, Node::Leaf { counts }) => {
                let edge = edge.map_or(String::new(), |edge| edge + " ");
                format!("{edge}→ {}", self.words.class(counts.answer()))
            }
        }
    }
}

impl Display for Text<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let steps = steps(self.tree, self.words);
        let labels: Vec<String> = steps.iter().map(|step| self.label(step)).collect();
        let width = |(step, label): (&Step, &String)| step.depth * INDENT + columns(label);
        let widths: Vec<usize> = steps.iter().zip(&labels).map(width).collect();
        let column = widths.iter().copied().filter(|&width| width <= WIDEST).max().unwrap_or(0);
        let digits = steps.iter().map(|step| step.node.counts().n_rows()).max().unwrap_or(0);
        let digits = digits.to_string().len();
        // For each level above the current line, whether its vertical line goes on.
        let mut goes_on = Vec::new();
        for (index, step) in steps.iter().enumerate() {
            goes_on.truncate(step.depth.saturating_sub(1));
            for &open in &goes_on {
                out.write_str(if open { "│   " } else { "    " })?;
            }
            if step.depth > 0 {
                out.write_str(if step.last { "└── " } else { "├── " })?;
                goes_on.push(!step.last);
            }
            let padding = column.saturating_sub(widths[index]) + 2;
            write!(out, "{}{:padding$}", labels[index], "")?;
            write_counts(out, step.node, digits)?;
        }
        Ok(())
    }
}

/// The right-hand columns: rows, and of a leaf the share of its class.
fn write_counts(out: &mut Formatter<'_>, node: &Node, digits: usize) -> fmt::Result {
    let n_rows = node.counts().n_rows();
    let noun = if n_rows == 1 { "row" } else { "rows" };
    match node {
        Node::Split { .. } => writeln!(out, "{n_rows:>digits$} {noun}"),
        Node::Leaf { counts } => {
            writeln!(out, "{n_rows:>digits$} {noun:<4}  {:>7}", percent(counts))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Question, samples};
    use super::*;
    use std::fmt::Write;

    #[test]
    fn a_small_tree() {
        let (tree, words) = samples::mushrooms();
        let expected = "\
odor?                                 8124 rows
├── almond, anise → edible             800 rows  100.0 %
├── none: spore print color = green?  3528 rows
│   ├── yes → poisonous                 72 rows  100.0 %
│   └── no → edible                   3456 rows   98.6 %
└── foul → poisonous                  3796 rows  100.0 %
";
        assert_eq!(tree.text(&words).to_string(), expected);
    }

    #[test]
    fn one_leaf() {
        let (tree, words) = samples::single();
        assert_eq!(tree.text(&words).to_string(), "→ edible  8124 rows   51.8 %\n");
    }

    #[test]
    fn long_lines_do_not_move_the_columns() {
        let values = ["x".repeat(80), "short".into()];
        let words = Words::new(vec![Question::values("a", &values)], ["no", "yes"]);
        let root = samples::split(0, &[1, 8], &[(&[0], 1), (&[1], 2)]);
        let tree = Tree { nodes: vec![root, samples::leaf(&[1, 0]), samples::leaf(&[0, 8])] };
        let expected = format!(
            "a?               9 rows\n├── {} → no  1 row   100.0 %\n└── short → yes  8 rows  100.0 %\n",
            values[0]
        );
        assert_eq!(tree.text(&words).to_string(), expected);
    }

    #[test]
    fn wide_letters_keep_the_columns_straight() {
        let words = Words::new(vec![Question::values("色", ["赤", "blue"])], ["no", "はい"]);
        let root = samples::split(0, &[1, 8], &[(&[0], 1), (&[1], 2)]);
        let tree = Tree { nodes: vec![root, samples::leaf(&[1, 0]), samples::leaf(&[0, 8])] };
        let expected = "\
色?              9 rows
├── 赤 → no      1 row   100.0 %
└── blue → はい  8 rows  100.0 %
";
        assert_eq!(tree.text(&words).to_string(), expected);
    }

    /// Counts what is written, and keeps nothing.
    #[derive(Default)]
    struct Lines(usize);

    impl Write for Lines {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 += text.matches('\n').count();
            Ok(())
        }
    }

    #[test]
    fn deep_trees_do_not_overflow_the_stack() {
        let (tree, words) = samples::chain(5000);
        let mut lines = Lines::default();
        write!(lines, "{}", tree.text(&words)).unwrap();
        assert_eq!(lines.0, 10_001);
    }
}
