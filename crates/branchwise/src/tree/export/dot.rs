//! The tree in the DOT language of Graphviz: `dot -Tpdf tree.dot`.
//!
//! Nodes keep their numbers in the tree. Splits are boxes; leaves are rounded and filled with the colour
//! of their class.

use super::measure::wrapped;
use super::steps::{Step, steps};
use super::tint::{Paper, Tint, TintColours};
use super::{Words, counted, percent};
use crate::tree::{Node, Tree};
use std::fmt::{self, Display, Formatter};

/// The width, in pixels, at which long labels are broken.
const WIDEST: usize = 220;

/// A tree that is written for Graphviz; made by [`Tree::dot`].
#[derive(Clone, Copy, Debug)]
pub struct Dot<'a> {
    tree: &'a Tree,
    words: &'a Words,
}

impl<'a> Dot<'a> {
    pub(super) fn new(tree: &'a Tree, words: &'a Words) -> Self {
        Dot { tree, words }
    }

    fn write_node(&self, out: &mut Formatter<'_>, step: &Step) -> fmt::Result {
        let rows = counted(step.node.counts().n_rows(), "row", "rows");
        write!(out, "  {} [label=\"", step.id.0)?;
        match step.node {
            Node::Split { feature, .. } => {
                write_lines(out, &self.words.question(*feature).asked())?;
                writeln!(out, "\\n{rows}\"];")
            }
            Node::Leaf { counts } => {
                let class = counts.answer();
                let tint = Tint::of(class);
                write_lines(out, &self.words.class(class))?;
                write!(out, "\\n{rows}, {}\", style=\"filled,rounded\"", percent(counts))?;
                let TintColours { fill, line } = tint.colours(Paper::White);
                writeln!(out, ", fillcolor=\"{fill}\", color=\"{line}\"];")
            }
        }
    }
}

impl Display for Dot<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let steps = steps(self.tree, self.words);
        out.write_str("digraph tree {\n")?;
        out.write_str("  graph [ordering=out];\n")?;
        out.write_str("  node [shape=box, fontname=\"Helvetica,Arial,sans-serif\"")?;
        out.write_str(", color=\"#555555\", fontcolor=\"#1a1a1a\"];\n")?;
        out.write_str("  edge [fontname=\"Helvetica,Arial,sans-serif\"")?;
        out.write_str(", color=\"#555555\", fontcolor=\"#1a1a1a\"];\n")?;
        for step in &steps {
            self.write_node(out, step)?;
            if let Some(way) = &step.way {
                let edge = self.words.question(way.feature).edge(way.categories);
                // Spaces keep neighbouring labels apart.
                write!(out, "  {} -> {} [label=\" ", steps[way.parent].id.0, step.id.0)?;
                write_lines(out, &edge)?;
                out.write_str(" \"];\n")?;
            }
        }
        out.write_str("}\n")
    }
}

/// A label inside a quoted string, broken into lines.
///
/// Graphviz reads backslashes and quotes, and, in labels, the entities of HTML.
fn write_lines(out: &mut Formatter<'_>, text: &str) -> fmt::Result {
    for (index, line) in wrapped(text, WIDEST).iter().enumerate() {
        if index > 0 {
            out.write_str("\\n")?;
        }
        for letter in line.chars() {
            match letter {
                '"' => out.write_str("\\\"")?,
                '\\' => out.write_str("\\\\")?,
                '&' => out.write_str("&amp;")?,
                _ => write!(out, "{letter}")?,
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Question, samples};
    use super::*;

    const HEAD: &str = r##"digraph tree {
  graph [ordering=out];
  node [shape=box, fontname="Helvetica,Arial,sans-serif", color="#555555", fontcolor="#1a1a1a"];
  edge [fontname="Helvetica,Arial,sans-serif", color="#555555", fontcolor="#1a1a1a"];
"##;

    #[test]
    fn a_small_tree() {
        let (tree, words) = samples::mushrooms();
        let expected = r##"  0 [label="odor?\n8124 rows"];
  5 [label="edible\n800 rows, 100.0 %", style="filled,rounded", fillcolor="#b7d7e9", color="#0072b2"];
  0 -> 5 [label=" almond, anise "];
  2 [label="spore print color = green?\n3528 rows"];
  0 -> 2 [label=" none "];
  4 [label="poisonous\n72 rows, 100.0 %", style="filled,rounded", fillcolor="#f8e4b7", color="#e69f00"];
  2 -> 4 [label=" yes "];
  3 [label="edible\n3456 rows, 98.6 %", style="filled,rounded", fillcolor="#b7d7e9", color="#0072b2"];
  2 -> 3 [label=" no "];
  1 [label="poisonous\n3796 rows, 100.0 %", style="filled,rounded", fillcolor="#f8e4b7", color="#e69f00"];
  0 -> 1 [label=" foul "];
}
"##;
        assert_eq!(tree.dot(&words).to_string(), format!("{HEAD}{expected}"));
    }

    #[test]
    fn names_are_escaped_and_broken() {
        let question = Question::values(r#"a "b" \N"#, ["&lt;", "c\nd"]);
        let words = Words::new(vec![question], ["a rather long name for a class of rows"]);
        let root = samples::split(0, &[1], &[(&[0, 1], 1)]);
        let tree = Tree { nodes: vec![root, samples::leaf(&[1])] };
        let expected = r##"  0 [label="a \"b\" \\N?\n1 row"];
  1 [label="a rather long name for a class\nof rows\n1 row, 100.0 %", style="filled,rounded", fillcolor="#b7d7e9", color="#0072b2"];
  0 -> 1 [label=" &amp;lt;, c\\nd "];
}
"##;
        assert_eq!(tree.dot(&words).to_string(), format!("{HEAD}{expected}"));
    }

    #[test]
    fn deep_trees_do_not_overflow_the_stack() {
        let (tree, words) = samples::chain(5000);
        assert_eq!(tree.dot(&words).to_string().lines().count(), 10_001 + 10_000 + 5);
    }
}
