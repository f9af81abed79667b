//! The tree as a standalone SVG image, without scripts, fonts or other files.
//!
//! `picture.rs` decides what is drawn, and where. The full names and labels, and the rows of every class,
//! appear when the pointer rests on them. Colours follow the reader's preference for light or dark. Every
//! node is a group with its number as `data-node`, and every line has the number of the node that it leads
//! to as `data-to`, so that the script of a page can refer to them.

use super::picture::{Block, Picture, Style, Written};
use super::tint::Theme;
use super::{Escaped, Words};
use crate::tree::Tree;
use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

/// What does not depend on the tree. Everything is below the class of the outermost element, so
/// that a page with the picture in it keeps its own looks.
const STYLE: &str = "\
.branchwise text{font:13px 'Helvetica Neue',Helvetica,Arial,sans-serif;text-anchor:middle}
.branchwise .name{font-weight:bold}
.branchwise .rows{font-size:11px}
.branchwise .edge{font-size:12px;paint-order:stroke;stroke-width:4px}
.branchwise .line{fill:none;stroke-width:1.3px}
";

/// A tree that is written as SVG; made by [`Tree::svg`].
#[derive(Clone, Copy, Debug)]
pub struct Svg<'a> {
    tree: &'a Tree,
    words: &'a Words,
}

impl<'a> Svg<'a> {
    pub(super) fn new(tree: &'a Tree, words: &'a Words) -> Self {
        Svg { tree, words }
    }
}

impl Display for Svg<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.tree.picture(self.words))
    }
}

/// As SVG.
impl Display for Picture {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write_head(out, self)?;
        for block in &self.blocks {
            write_line(out, block)?;
        }
        for block in &self.blocks {
            write_block(out, block)?;
        }
        out.write_str("</svg>\n")
    }
}

/// The opening tag, the title, the style and the paper.
fn write_head(out: &mut Formatter<'_>, picture: &Picture) -> fmt::Result {
    let Picture { width, height, .. } = picture;
    write!(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"branchwise\" role=\"img\"")?;
    writeln!(out, " viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">")?;
    writeln!(out, "<title>{}</title>", Escaped(&picture.title))?;
    let used = |block: &Block| {
        let bars = block.bars.iter().map(|bar| bar.tint).collect::<Vec<_>>();
        bars.into_iter().chain([block.tint])
    };
    let tints: BTreeSet<usize> = picture.blocks.iter().flat_map(used).collect();
    write!(out, "<style>\n{STYLE}")?;
    write_theme(out, &picture.light, &tints)?;
    writeln!(out, "@media (prefers-color-scheme:dark){{")?;
    write_theme(out, &picture.dark, &tints)?;
    writeln!(out, "}}\n</style>")?;
    writeln!(out, "<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>")
}

/// The rules for everything that has a colour.
fn write_theme(out: &mut Formatter<'_>, theme: &Theme, tints: &BTreeSet<usize>) -> fmt::Result {
    let Theme { paper, text, quiet, line, split_fill, split_line, tints: colours } = theme;
    writeln!(out, ".branchwise text{{fill:{text}}}")?;
    writeln!(out, ".branchwise .rows{{fill:{quiet}}}")?;
    writeln!(out, ".branchwise .edge{{stroke:{paper}}}")?;
    writeln!(out, ".branchwise .line{{stroke:{line}}}")?;
    writeln!(out, ".branchwise .paper{{fill:{paper}}}")?;
    writeln!(out, ".branchwise .split{{fill:{split_fill};stroke:{split_line}}}")?;
    for (tint, colours) in colours.iter().enumerate().filter(|(tint, _)| tints.contains(tint)) {
        let (fill, line) = (&colours.fill, &colours.line);
        writeln!(out, ".branchwise .leaf{tint}{{fill:{fill};stroke:{line}}}")?;
        writeln!(out, ".branchwise .bar{tint}{{fill:{line}}}")?;
    }
    Ok(())
}

/// The edge from the parent to the label, and from there to the box.
fn write_line(out: &mut Formatter<'_>, block: &Block) -> fmt::Result {
    let Some(edge) = &block.edge else { return Ok(()) };
    write!(out, "<path class=\"line\" data-to=\"{}\" d=\"", block.node.0)?;
    for points in [&edge.lines.0, &edge.lines.1] {
        for (index, point) in points.iter().enumerate() {
            write!(out, "{}{} {}", if index == 0 { 'M' } else { 'L' }, point.x, point.y)?;
        }
    }
    out.write_str("\"/>\n")
}

/// The label before a node, and its box.
fn write_block(out: &mut Formatter<'_>, block: &Block) -> fmt::Result {
    writeln!(out, "<g data-node=\"{}\">", block.node.0)?;
    if let Some(edge) = &block.edge {
        writeln!(out, "<g><title>{}</title>", Escaped(&edge.title))?;
        edge.texts.iter().try_for_each(|written| write_text(out, written))?;
        out.write_str("</g>\n")?;
    }
    let area = &block.area;
    let (class, radius) = match block.leaf {
        true => (format!("leaf{}", block.tint), 9),
        false => ("split".into(), 2),
    };
    writeln!(out, "<g><title>{}</title>", Escaped(&block.title))?;
    write!(out, "<rect class=\"{class}\" x=\"{}\" y=\"{}\"", area.x, area.y)?;
    writeln!(out, " width=\"{}\" height=\"{}\" rx=\"{radius}\"/>", area.width, area.height)?;
    block.texts.iter().try_for_each(|written| write_text(out, written))?;
    for bar in &block.bars {
        write!(out, "<rect class=\"bar{}\" x=\"{}\" y=\"{}\"", bar.tint, bar.x, bar.y)?;
        writeln!(out, " width=\"{}\" height=\"{}\"/>", bar.width, bar.height)?;
    }
    out.write_str("</g></g>\n")
}

fn write_text(out: &mut Formatter<'_>, written: &Written) -> fmt::Result {
    let Written { x, y, style, text } = written;
    let class = match style {
        Style::Name => "name",
        Style::Rows => "rows",
        Style::Edge => "edge",
    };
    writeln!(out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", Escaped(text))
}

#[cfg(test)]
mod tests {
    use super::super::{Question, samples};
    use super::*;

    /// Whether tags and entities are well-formed and every element is closed in its turn.
    fn is_well_formed(text: &str) -> bool {
        let mut open: Vec<&str> = Vec::new();
        let mut roots = 0;
        for (index, piece) in text.split('<').enumerate() {
            let (tag, content) = if index == 0 {
                ("", piece)
            } else {
                let Some(parts) = piece.split_once('>') else { return false };
                parts
            };
            let entities = ["amp;", "lt;", "gt;", "quot;", "#39;"];
            let mut after = content.split('&').skip(1).chain(tag.split('&').skip(1));
            if content.contains('>')
                || !after.all(|rest| entities.iter().any(|entity| rest.starts_with(entity)))
                || tag.matches('"').count() % 2 == 1
                || (open.is_empty() && index == 0 && !content.is_empty())
            {
                return false;
            }
            if let Some(name) = tag.strip_prefix('/') {
                if open.pop() != Some(name) {
                    return false;
                }
            } else if index > 0 {
                roots += usize::from(open.is_empty());
                if !tag.ends_with('/') {
                    open.push(tag.split(' ').next().unwrap_or(""));
                }
            }
        }
        open.is_empty() && roots == 1
    }

    #[test]
    fn the_check_of_the_form_works() {
        assert!(is_well_formed("<a b=\"c\"><d/>&lt;<e>x</e></a>\n"));
        for text in ["<a>", "<a><b></a></b>", "<a>&</a>", "<a>></a>", "<a b=\"></a>", "<a/><b/>"] {
            assert!(!is_well_formed(text), "{text}");
        }
    }

    #[test]
    fn a_small_tree() {
        let (tree, words) = samples::mushrooms();
        let svg = tree.svg(&words).to_string();
        assert!(is_well_formed(&svg), "{svg}");
        insta::assert_snapshot!(svg);
    }

    #[test]
    fn one_leaf() {
        let (tree, words) = samples::single();
        let svg = tree.svg(&words).to_string();
        assert!(is_well_formed(&svg), "{svg}");
        assert!(
            svg.contains("<title>Decision tree with 0 splits and 1 leaf, from 8124 rows</title>")
        );
        assert!(svg.contains(">8124 rows, 51.8 %</text>"));
    }

    #[test]
    fn names_are_escaped() {
        let words = Words::new(vec![Question::is("<&\">", "'")], ["</svg>", "]]>\n"]);
        let (tree, _) = samples::chain(1);
        let svg = tree.svg(&words).to_string();
        assert!(is_well_formed(&svg), "{svg}");
        assert!(svg.contains(">&lt;&amp;&quot;&gt; = &#39;?</text>"), "{svg}");
        assert!(svg.contains(">&lt;/svg&gt;</text>"), "{svg}");
        assert!(svg.contains(">]]&gt;\\n</text>"), "{svg}");
    }

    #[test]
    fn long_names_are_cut_and_kept_in_the_title() {
        let name = "one of the many words ".repeat(9);
        let (tree, _) = samples::single();
        let svg = tree.svg(&Words::new(Vec::new(), [&name, "b"])).to_string();
        assert!(svg.contains(&format!("<title>{name}\n")), "{svg}");
        assert!(svg.contains("…</text>"), "{svg}");
    }

    #[test]
    fn deep_trees_do_not_overflow_the_stack() {
        let (tree, words) = samples::chain(5000);
        assert!(is_well_formed(&tree.svg(&words).to_string()));
    }
}
