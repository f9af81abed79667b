//! The tree as a picture that stands by itself: no script, no font and no file besides.
//!
//! A box holds the question or the class, the number of rows, and a bar with the classes' shares by
//! weight. Names that are too long end in `…`; the full text, and the rows of every class, appear
//! when the pointer rests on the box. Colours follow the reader's preference for light or dark.
//! Where things go is decided in `layout.rs`: nothing overlaps, and wide trees grow to the right.

use super::layout::{Item, Layout, Place, Point, Size};
use super::{Paper, Step, Tint, Words, counted, hex, percent, steps, text_width, wrapped};
use crate::tree::{Counts, Node, Tree};
use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

/// The free space inside a box, to the left and to the right; above and below.
const PADDING: (usize, usize) = (12, 8);
/// The widest line in a box, and on an edge.
const WIDEST: (usize, usize) = (160, 120);
/// The most lines of a name in a box, and on an edge.
const MOST_LINES: (usize, usize) = (2, 3);
/// The height of a line in a box, and on an edge.
const LINE: (usize, usize) = (17, 15);
/// The narrowest box.
const NARROWEST: usize = 72;
/// The free space to the left and to the right of a label.
const BESIDE: usize = 3;
/// The height of the bar of shares.
const BAR: usize = 5;
/// What does not depend on the tree. Everything is below the class of the outermost element, so
/// that a page with the picture in it keeps its own looks.
const STYLE: &str = "\
.branchwise text{font:13px 'Helvetica Neue',Helvetica,Arial,sans-serif;text-anchor:middle}
.branchwise text{fill:#1a1a1a}
.branchwise .name{font-weight:bold}
.branchwise .rows{font-size:11px;fill:#3d3d3d}
.branchwise .edge{font-size:12px;paint-order:stroke;stroke:#ffffff;stroke-width:4px}
.branchwise .line{fill:none;stroke:#8a8a8a;stroke-width:1.3px}
.branchwise .paper{fill:#ffffff}
.branchwise .split{fill:#f3f4f5;stroke:#7a7a7a}
";

/// The same by night.
const NIGHT: &str = "\
.branchwise text{fill:#ececec}
.branchwise .rows{fill:#c9c9c9}
.branchwise .edge{stroke:#1c1e21}
.branchwise .line{stroke:#8f9397}
.branchwise .paper{fill:#1c1e21}
.branchwise .split{fill:#2b2e32;stroke:#8f9397}
";

/// A tree that is written as SVG; made by [`Tree::svg`].
#[derive(Clone, Copy, Debug)]
pub struct Svg<'a> {
    tree: &'a Tree,
    words: &'a Words,
}

impl Display for Svg<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let steps = steps(self.tree, self.words);
        let faces: Vec<Face> = steps.iter().map(|step| self.face(step)).collect();
        let item = |(step, face): (&Step, &Face)| Item {
            parent: step.way.as_ref().map(|way| way.parent),
            depth: step.depth,
            shape: face.shape,
            label: face.label,
        };
        let items: Vec<Item> = steps.iter().zip(&faces).map(item).collect();
        let layout = Layout::new(&items);
        self.write_head(out, layout.size)?;
        for place in &layout.places {
            write_line(out, place)?;
        }
        for ((step, face), place) in steps.iter().zip(&faces).zip(&layout.places) {
            self.write_label(out, step, (face, place.label))?;
            self.write_box(out, step, (face, place.shape))?;
        }
        out.write_str("</svg>\n")
    }
}

/// What is written at a node, broken into lines, and the room that it takes.
struct Face {
    name: Vec<String>,
    rows: String,
    /// The size of the box.
    shape: Size,
    /// What is written on the edge that leads here; empty for the root.
    edge: Vec<String>,
    /// The size of that.
    label: Size,
}

fn widest(lines: &[String]) -> usize {
    lines.iter().map(|line| text_width(line)).max().unwrap_or(0)
}

/// A text in at most so many lines of at most `limit` pixels; what is left out becomes `…`.
fn fitted(text: &str, limit: usize, most_lines: usize) -> Vec<String> {
    let mut lines = wrapped(text, limit);
    if lines.len() > most_lines {
        lines.truncate(most_lines);
        if let Some(last) = lines.last_mut() {
            while text_width(last) + text_width("…") > limit && last.pop().is_some() {}
            last.truncate(last.trim_end_matches([' ', ',']).len());
            last.push('…');
        }
    }
    lines
}

impl<'a> Svg<'a> {
    pub(super) fn new(tree: &'a Tree, words: &'a Words) -> Self {
        Svg { tree, words }
    }

    /// The question or the class, in full.
    fn name(&self, node: &Node) -> String {
        match node {
            Node::Split { feature, .. } => self.words.question(*feature).asked(),
            Node::Leaf { counts } => self.words.class(counts.answer()).into_owned(),
        }
    }

    fn face(&self, step: &Step) -> Face {
        let name = fitted(&self.name(step.node), WIDEST.0, MOST_LINES.0);
        let mut rows = counted(step.node.counts().n_rows(), "row", "rows");
        if let Node::Leaf { counts } = step.node {
            rows = format!("{rows}, {}", percent(counts));
        }
        let edge = match &step.way {
            Some(way) => {
                let edge = self.words.question(way.feature).edge(way.categories);
                fitted(&edge, WIDEST.1, MOST_LINES.1)
            }
            None => Vec::new(),
        };
        let shape = Size {
            width: widest(&name).max(text_width(&rows) * 11 / 13).max(NARROWEST) + 2 * PADDING.0,
            height: name.len() * LINE.0 + LINE.1 + BAR + 3 * PADDING.1 - 2,
        };
        let label = Size { width: widest(&edge) + 2 * BESIDE, height: edge.len() * LINE.1 };
        Face { name, rows, shape, edge, label }
    }

    /// The opening tag, the title, the style and the paper.
    fn write_head(&self, out: &mut Formatter<'_>, size: Size) -> fmt::Result {
        let Size { width, height } = size;
        write!(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"branchwise\" role=\"img\"")?;
        writeln!(out, " viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">")?;
        let splits = counted(self.tree.n_splits() as u64, "split", "splits");
        let leaves = counted(self.tree.n_leaves() as u64, "leaf", "leaves");
        let rows = counted(self.tree.node(Tree::ROOT).counts().n_rows(), "row", "rows");
        writeln!(out, "<title>Decision tree with {splits} and {leaves}, from {rows}</title>")?;
        let mut tints = BTreeSet::new();
        for node in self.tree.nodes() {
            let classes = node.counts().deciding().iter().zip(0..);
            tints.extend(
                classes.filter(|&(&weight, _)| weight > 0).map(|(_, class)| Tint::of(class)),
            );
            tints.insert(Tint::of(node.counts().answer()));
        }
        write!(out, "<style>\n{STYLE}")?;
        for &tint in &tints {
            write_tint(out, tint, Paper::White)?;
        }
        write!(out, "@media (prefers-color-scheme:dark){{\n{NIGHT}")?;
        for &tint in &tints {
            write_tint(out, tint, Paper::Dark)?;
        }
        writeln!(out, "}}\n</style>")?;
        writeln!(out, "<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>")
    }

    fn write_label(
        &self,
        out: &mut Formatter<'_>,
        step: &Step,
        (face, corner): (&Face, Point),
    ) -> fmt::Result {
        let Some(way) = &step.way else { return Ok(()) };
        let clause = self.words.question(way.feature).clause(way.categories);
        writeln!(out, "<g><title>{}</title>", Escaped(&clause))?;
        let x = corner.x + face.label.width / 2;
        for (line, text) in face.edge.iter().enumerate() {
            let y = corner.y + line * LINE.1 + 12;
            writeln!(out, "<text class=\"edge\" x=\"{x}\" y=\"{y}\">{}</text>", Escaped(text))?;
        }
        out.write_str("</g>\n")
    }

    fn write_box(
        &self,
        out: &mut Formatter<'_>,
        step: &Step,
        (face, corner): (&Face, Point),
    ) -> fmt::Result {
        let (Point { x: left, y: top }, Size { width, height }) = (corner, face.shape);
        let counts = step.node.counts();
        let (class, radius) = match step.node {
            Node::Split { .. } => ("split".into(), 2),
            Node::Leaf { .. } => (format!("leaf{}", Tint::of(counts.answer()).0), 9),
        };
        writeln!(out, "<g><title>{}\n{}", Escaped(&self.name(step.node)), Escaped(&face.rows))?;
        for (&rows, number) in counts.rows.iter().zip(0..).filter(|&(&rows, _)| rows > 0) {
            let rows = counted(rows, "row", "rows");
            writeln!(out, "{}: {rows}", Escaped(&self.words.class(number)))?;
        }
        write!(out, "</title>\n<rect class=\"{class}\" x=\"{left}\" y=\"{top}\"")?;
        writeln!(out, " width=\"{width}\" height=\"{height}\" rx=\"{radius}\"/>")?;
        let x = left + width / 2;
        let mut y = top + PADDING.1;
        for line in &face.name {
            writeln!(
                out,
                "<text class=\"name\" x=\"{x}\" y=\"{}\">{}</text>",
                y + 12,
                Escaped(line)
            )?;
            y += LINE.0;
        }
        writeln!(
            out,
            "<text class=\"rows\" x=\"{x}\" y=\"{}\">{}</text>",
            y + 11,
            Escaped(&face.rows)
        )?;
        let foot = Point { x: left + PADDING.0, y: top + height - PADDING.1 - BAR };
        write_bar(out, foot, (width - 2 * PADDING.0, counts))?;
        out.write_str("</g>\n")
    }
}

/// The rules for the leaves and the bars of a class.
fn write_tint(out: &mut Formatter<'_>, tint: Tint, paper: Paper) -> fmt::Result {
    let (filling, line) = (hex(tint.filling(paper)), hex(tint.line(paper)));
    writeln!(out, ".branchwise .leaf{}{{fill:{filling};stroke:{line}}}", tint.0)?;
    writeln!(out, ".branchwise .bar{}{{fill:{line}}}", tint.0)
}

/// The edge from the parent to the label, and from there to the box.
fn write_line(out: &mut Formatter<'_>, place: &Place) -> fmt::Result {
    let Some((head, tail)) = &place.line else { return Ok(()) };
    out.write_str("<path class=\"line\" d=\"")?;
    for points in [head.as_slice(), tail.as_slice()] {
        for (index, point) in points.iter().enumerate() {
            write!(out, "{}{} {}", if index == 0 { 'M' } else { 'L' }, point.x, point.y)?;
        }
    }
    out.write_str("\"/>\n")
}

/// The classes' shares by weight, side by side from `corner` on, `whole` pixels in all.
fn write_bar(
    out: &mut Formatter<'_>,
    corner: Point,
    (whole, counts): (usize, &Counts),
) -> fmt::Result {
    let total = counts.deciding().iter().map(|&weight| u128::from(weight)).sum::<u128>().max(1);
    let Point { x: left, y } = corner;
    let mut before = 0;
    for (&weight, class) in counts.deciding().iter().zip(0..) {
        // In tenths of a pixel, from the sums, so that the parts join and fill the bar.
        let tenths = |sum: u128| (sum * 10 * whole as u128 / total) as usize;
        let (start, end) = (tenths(before), tenths(before + u128::from(weight)));
        before += u128::from(weight);
        if start < end {
            let x = left * 10 + start;
            write!(out, "<rect class=\"bar{}\" x=\"{}\" y=\"{y}\"", Tint::of(class).0, Tenths(x))?;
            writeln!(out, " width=\"{}\" height=\"{BAR}\"/>", Tenths(end - start))?;
        }
    }
    Ok(())
}

/// A number of tenths, written as a decimal.
struct Tenths(usize);

impl Display for Tenths {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.0 % 10 {
            0 => write!(out, "{}", self.0 / 10),
            tenth => write!(out, "{}.{tenth}", self.0 / 10),
        }
    }
}

/// A text as XML content or attribute. Control characters are gone already.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '<' => out.write_str("&lt;")?,
                '>' => out.write_str("&gt;")?,
                '&' => out.write_str("&amp;")?,
                '"' => out.write_str("&quot;")?,
                '\'' => out.write_str("&#39;")?,
                _ => write!(out, "{letter}")?,
            }
        }
        Ok(())
    }
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
        for part in [
            "role=\"img\"",
            "<title>Decision tree with 2 splits and 4 leaves, from 8124 rows</title>",
            ">spore print color =</text>",
            ">green?</text>",
            ">almond, anise</text>",
            "<title>odor is almond or anise</title>",
            ">3456 rows, 98.6 %</text>",
            "@media (prefers-color-scheme:dark)",
        ] {
            assert!(svg.contains(part), "{part} is missing in\n{svg}");
        }
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
        assert_eq!(fitted("one two three four", 60, 2), ["one two", "three…"]);
        assert_eq!(fitted("one two", 60, 2), ["one two"]);
    }

    #[test]
    fn deep_trees_do_not_overflow_the_stack() {
        let (tree, words) = samples::chain(5000);
        assert!(is_well_formed(&tree.svg(&words).to_string()));
    }
}
