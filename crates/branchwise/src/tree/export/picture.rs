//! The drawing of a tree as data: boxes, lines and texts with their coordinates.
//!
//! All outputs draw the same picture: the [SVG](super::Svg) image, the page of the report, and Python's
//! plots. A box contains the question or the class, the number of rows, and a bar with the shares of the
//! classes by weight. Names that are too long end in `…`, and long sets of values say how many more there
//! are. `layout.rs` decides the coordinates: nothing overlaps, and wide trees grow to the right.

use super::layout::{Direction, Item, Layout, Point, Position, Size, Spacing};
use super::measure::{fitted, fitted_set, text_width, widest};
use super::steps::{Step, steps};
use super::tint::{Paper, Theme, Tint};
use super::{Words, counted, percent};
use crate::tree::{Counts, Node, NodeId, Tree};
use serde::Serialize;

/// The free space inside a box, to the left and to the right; above and below.
const PADDING: (usize, usize) = (12, 8);
/// The widest line in a box, and on an edge.
const WIDEST: (usize, usize) = (160, 120);
/// The most lines of a name in a box, and on an edge.
const MOST_LINES: (usize, usize) = (3, 4);
/// The height of a line in a box, and on an edge.
const LINE: (usize, usize) = (17, 15);
/// The narrowest box.
const NARROWEST: usize = 72;
/// The free space to the left and to the right of a label.
const BESIDE: usize = 3;
/// The height of the bar of shares.
const BAR: usize = 5;

/// A drawn tree as data; made by [`Tree::picture`]. Lengths are pixels, for a sans-serif font of
/// 13 pixels.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Picture {
    /// From the left to the right end.
    pub width: usize,
    /// From the upper to the lower end.
    pub height: usize,
    /// Where the tree grows to.
    pub direction: Direction,
    /// What is kept free.
    pub spacing: Spacing,
    /// What is in it, in words.
    pub title: String,
    /// The nodes, parents before children, siblings in order.
    pub blocks: Vec<Block>,
    /// The colours by day.
    pub light: Theme,
    /// The colours by night.
    pub dark: Theme,
}

/// A node with its box, and the edge that leads to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Block {
    /// The node's number in the tree.
    pub node: NodeId,
    /// The place of its parent among the blocks; none for the root.
    pub parent: Option<usize>,
    /// How many splits are above it.
    pub depth: usize,
    /// Whether it answers instead of asking.
    pub leaf: bool,
    /// The tint of the class that it answers.
    pub tint: usize,
    /// The box.
    pub area: Area,
    /// What is written in it: the question or the class, then the rows.
    pub texts: Vec<Written>,
    /// The classes' shares by weight, side by side.
    pub bars: Vec<Bar>,
    /// What there is to say of it in full: name, rows, and the rows of each class, a line each.
    pub title: String,
    /// The edge that leads here; none for the root.
    pub edge: Option<Edge>,
}

/// The way from a parent to a child.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Edge {
    /// Where its label is.
    pub area: Area,
    /// The label: the answer that leads here.
    pub texts: Vec<Written>,
    /// What is known of a row that goes here.
    pub title: String,
    /// The line from the parent's box to the label, and from there to the child's box.
    pub lines: (Vec<Point>, Vec<Point>),
}

/// A rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Area {
    /// Its left end.
    pub x: usize,
    /// Its upper end.
    pub y: usize,
    /// From left to right.
    pub width: usize,
    /// From top to bottom.
    pub height: usize,
}

impl Area {
    fn new(corner: Point, size: Size) -> Self {
        Area { x: corner.x, y: corner.y, width: size.width, height: size.height }
    }
}

/// A line of text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Written {
    /// The middle of the line.
    pub x: usize,
    /// Its base line.
    pub y: usize,
    /// How it is written.
    pub style: Style,
    /// The text.
    pub text: String,
}

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// A question or a class: bold, 13 pixels.
    Name,
    /// A number of rows: 11 pixels.
    Rows,
    /// The label of an edge: 12 pixels.
    Edge,
}

/// The part of a class in a bar.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bar {
    /// The tint of the class.
    pub tint: usize,
    /// Its left end, in full tenths of pixels.
    pub x: f64,
    /// Its upper end.
    pub y: usize,
    /// From left to right, in full tenths of pixels.
    pub width: f64,
    /// From top to bottom.
    pub height: usize,
}

impl Tree {
    /// The tree as a picture, as data.
    pub fn picture(&self, words: &Words) -> Picture {
        let steps = steps(self, words);
        let faces: Vec<Face> = steps.iter().map(|step| Face::of(step, words)).collect();
        let item = |(step, face): (&Step, &Face)| Item {
            parent: step.way.as_ref().map(|way| way.parent),
            depth: step.depth,
            shape: face.shape,
            label: face.label,
        };
        let items: Vec<Item> = steps.iter().zip(&faces).map(item).collect();
        let layout = Layout::new(&items);
        let parts = steps.iter().zip(faces).zip(&layout.positions);
        let n_classes = self.node(Tree::ROOT).counts().rows.len();
        Picture {
            width: layout.size.width,
            height: layout.size.height,
            direction: layout.direction,
            spacing: Spacing::USUAL,
            title: format!(
                "Decision tree with {} and {}, from {}",
                counted(self.n_splits() as u64, "split", "splits"),
                counted(self.n_leaves() as u64, "leaf", "leaves"),
                counted(self.node(Tree::ROOT).counts().n_rows(), "row", "rows"),
            ),
            blocks: parts.map(|((step, face), place)| face.block(step, words, place)).collect(),
            light: Theme::on(Paper::White, n_classes),
            dark: Theme::on(Paper::Dark, n_classes),
        }
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

impl Face {
    fn of(step: &Step, words: &Words) -> Self {
        let name = fitted(&words.name(step.node), WIDEST.0, MOST_LINES.0);
        let mut rows = counted(step.node.counts().n_rows(), "row", "rows");
        if let Node::Leaf { counts } = step.node {
            rows = format!("{rows}, {}", percent(counts));
        }
        let edge = match &step.way {
            Some(way) => {
                let answers = words.question(way.feature).answers_of(way.categories);
                fitted_set(&answers, WIDEST.1, MOST_LINES.1)
            }
            None => Vec::new(),
        };
        // A bold name is wider.
        let shape = Size {
            width: (widest(&name) * 14 / 13).max(text_width(&rows) * 11 / 13).max(NARROWEST)
                + 2 * PADDING.0,
            height: name.len() * LINE.0 + LINE.1 + BAR + 3 * PADDING.1 - 2,
        };
        let label = Size { width: widest(&edge) + 2 * BESIDE, height: edge.len() * LINE.1 };
        Face { name, rows, shape, edge, label }
    }

    fn block(self, step: &Step, words: &Words, place: &Position) -> Block {
        let counts = step.node.counts();
        let area = Area::new(place.shape, self.shape);
        let title = title(&words.name(step.node), &self.rows, (counts, words));
        let foot = Point { x: area.x + PADDING.0, y: area.y + area.height - PADDING.1 - BAR };
        let bars = bars(foot, area.width - 2 * PADDING.0, counts);
        let line =
            |text: String, style, middle: usize, y: usize| Written { x: middle, y, style, text };
        let middle = area.x + area.width / 2;
        let top = area.y + PADDING.1;
        let rows_at = top + self.name.len() * LINE.0 + 11;
        let names = self.name.into_iter().enumerate();
        let mut texts: Vec<Written> = names
            .map(|(row, text)| line(text, Style::Name, middle, top + row * LINE.0 + 12))
            .collect();
        texts.push(line(self.rows, Style::Rows, middle, rows_at));
        let edge = step.way.as_ref().zip(place.line).map(|(way, (head, tail))| {
            let area = Area::new(place.label, self.label);
            let middle = area.x + area.width / 2;
            let written = self
                .edge
                .into_iter()
                .enumerate()
                .map(|(row, text)| line(text, Style::Edge, middle, area.y + row * LINE.1 + 12));
            Edge {
                area,
                texts: written.collect(),
                title: words.question(way.feature).clause(way.categories),
                lines: (head.to_vec(), tail.to_vec()),
            }
        });
        Block {
            node: step.id,
            parent: step.way.as_ref().map(|way| way.parent),
            depth: step.depth,
            leaf: step.node.is_leaf(),
            tint: Tint::of(counts.answer()).0,
            area,
            texts,
            bars,
            title,
            edge,
        }
    }
}

/// What there is to say of a node.
fn title(name: &str, rows: &str, (counts, words): (&Counts, &Words)) -> String {
    let mut title = format!("{name}\n{rows}");
    for (&rows, class) in counts.rows.iter().zip(0..).filter(|&(&rows, _)| rows > 0) {
        title += &format!("\n{}: {}", words.class(class), counted(rows, "row", "rows"));
    }
    title
}

/// The classes' shares by weight, side by side from `corner` on, `whole` pixels in all.
fn bars(corner: Point, whole: usize, counts: &Counts) -> Vec<Bar> {
    let total = counts.deciding().iter().map(|&weight| u128::from(weight)).sum::<u128>().max(1);
    // In tenths of a pixel, from the sums, so that the parts join and fill the bar.
    let tenths = |sum: u128| (sum * 10 * whole as u128 / total) as usize;
    let mut before = 0;
    let mut bars = Vec::new();
    for (&weight, class) in counts.deciding().iter().zip(0..) {
        let (start, end) = (tenths(before), tenths(before + u128::from(weight)));
        before += u128::from(weight);
        if start < end {
            bars.push(Bar {
                tint: Tint::of(class).0,
                x: (corner.x * 10 + start) as f64 / 10.0,
                y: corner.y,
                width: (end - start) as f64 / 10.0,
                height: BAR,
            });
        }
    }
    bars
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn bars_are_full() {
        let corner = Point { x: 7, y: 3 };
        let parts = bars(corner, 100, &samples::counts(&[1, 0, 2]));
        let ends: Vec<(usize, f64, f64)> =
            parts.iter().map(|bar| (bar.tint, bar.x, bar.x + bar.width)).collect();
        assert_eq!(ends, [(0, 7.0, 40.3), (2, 40.3, 107.0)]);
        assert_eq!(bars(corner, 100, &samples::counts(&[])), []);
    }

    #[test]
    fn one_leaf_as_data() {
        let (tree, words) = samples::single();
        insta::assert_snapshot!(serde_json::to_string_pretty(&tree.picture(&words)).unwrap());
    }

    #[test]
    fn texts_lie_inside_their_boxes() {
        let (tree, words) = samples::mushrooms();
        let picture = tree.picture(&words);
        let inside = |written: &Written, area: &Area| {
            let half = text_width(&written.text) / 2;
            area.x + half <= written.x
                && written.x + half <= area.x + area.width
                && (area.y..area.y + area.height).contains(&written.y)
        };
        for block in &picture.blocks {
            assert!(block.texts.iter().all(|text| inside(text, &block.area)), "{block:?}");
            if let Some(edge) = &block.edge {
                assert!(edge.texts.iter().all(|text| inside(text, &edge.area)), "{edge:?}");
            }
        }
        assert_eq!(picture.blocks.len(), 6);
    }
}
