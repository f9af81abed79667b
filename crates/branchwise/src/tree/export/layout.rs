//! Where the boxes, labels and lines of a drawn tree go.
//!
//! # The rule
//! The tree grows in one [`Direction`], level by level; *along* is that direction, *across* is the
//! other. A parent stands at the middle between its first and its last child. Siblings' subtrees are
//! pushed together until they would touch at some level, so a deep one reaches under its shallow
//! neighbour and the picture stays narrow. A label stands right before the box that it leads to.
//!
//! # Why nothing overlaps
//! On each level every subtree has a part of the page to itself, from its first box or label to its
//! last, and these parts are apart. Boxes and labels lie inside them. A line goes from the parent
//! along to a joint that lies behind all boxes of its level and before all labels of the next, across
//! on the joint, and along to its child, with the label left out. On the joint it stays between the
//! first and the last child, so it meets lines of siblings only.
//!
//! # The direction
//! Readers expect the root on top, but many leaves side by side make a ribbon that no page holds.
//! So a tree grows down while that takes at most [`WIDEST`] pixels, and to the right otherwise, if
//! that is narrower.

use serde::Serialize;

/// The free space around the picture.
const MARGIN: usize = 16;
/// The free space between two neighbours.
const GAP: usize = 14;
/// The free space from the boxes of a level to the joint, from there to the labels, and from the
/// labels to the boxes of the next level.
const AFTER: [usize; 3] = [14, 9, 8];
/// The widest picture that grows down whatever the alternative.
const WIDEST: usize = 1400;

/// The distances that a layout keeps free, in pixels: the script of the report needs them to close a
/// subtree and move the others together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Spacing {
    /// Around the picture.
    pub margin: usize,
    /// Between two neighbours.
    pub gap: usize,
    /// From the boxes of a level to the joint, from there to the labels, and from the labels to the
    /// boxes of the next level.
    pub after: [usize; 3],
}

impl Spacing {
    pub(super) const USUAL: Spacing = Spacing { margin: MARGIN, gap: GAP, after: AFTER };
}

/// Where a drawn tree grows to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// The root is on top.
    Down,
    /// The root is on the left.
    Right,
}

/// How large a thing is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Size {
    pub(super) width: usize,
    pub(super) height: usize,
}

impl Size {
    fn across(self, direction: Direction) -> usize {
        if direction == Direction::Down { self.width } else { self.height }
    }

    fn along(self, direction: Direction) -> usize {
        if direction == Direction::Down { self.height } else { self.width }
    }
}

/// A node that needs a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// The place of the parent among the items; none for the root.
    pub(super) parent: Option<usize>,
    pub(super) depth: usize,
    pub(super) shape: Size,
    /// What is written on the edge that leads here.
    pub(super) label: Size,
}

impl Item {
    /// The room that it takes, across: even, so that halves are exact.
    fn across(&self, direction: Direction) -> usize {
        let (shape, label) = (self.shape.across(direction), self.label.across(direction));
        shape.max(label).next_multiple_of(2)
    }
}

/// A point of the picture, in pixels from its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Point {
    /// To the right.
    pub x: usize,
    /// Down.
    pub y: usize,
}

impl Point {
    fn new(across: usize, along: usize, direction: Direction) -> Self {
        match direction {
            Direction::Down => Point { x: across, y: along },
            Direction::Right => Point { x: along, y: across },
        }
    }
}

/// Where a node is drawn.
#[derive(Clone, Debug)]
pub(super) struct Position {
    /// The upper left corner of its box.
    pub(super) shape: Point,
    /// The upper left corner of its label.
    pub(super) label: Point,
    /// From the parent to the label, and from the label to the box; nothing for the root.
    pub(super) line: Option<([Point; 4], [Point; 2])>,
}

/// The positions of all nodes, and the size of the picture.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) positions: Vec<Position>,
    pub(super) size: Size,
    pub(super) direction: Direction,
}

impl Layout {
    /// The layout of a tree whose items come parents first, siblings in order.
    pub(super) fn new(items: &[Item]) -> Self {
        let down = Layout::growing(items, Direction::Down);
        if down.size.width <= WIDEST {
            return down;
        }
        let right = Layout::growing(items, Direction::Right);
        if right.size.width < down.size.width { right } else { down }
    }

    fn growing(items: &[Item], direction: Direction) -> Self {
        let (centres, across) = centres(items, direction);
        let levels = Levels::new(items, direction);
        let position = |(item, &centre): (&Item, &usize)| {
            let start = levels.starts[item.depth];
            let corner = |size: Size, along: usize| {
                Point::new(centre - size.across(direction) / 2, along, direction)
            };
            let label = start.saturating_sub(AFTER[2] + item.label.along(direction));
            let line = item.parent.map(|parent| {
                let above = &items[parent];
                let from = levels.starts[above.depth] + above.shape.along(direction);
                let joint = levels.joints[above.depth];
                let point = |across, along| Point::new(across, along, direction);
                let head = [
                    point(centres[parent], from),
                    point(centres[parent], joint),
                    point(centre, joint),
                    point(centre, label),
                ];
                (head, [point(centre, label + item.label.along(direction)), point(centre, start)])
            });
            Position { shape: corner(item.shape, start), label: corner(item.label, label), line }
        };
        let positions = items.iter().zip(&centres).map(position).collect();
        let corner = Point::new(across, levels.end, direction);
        Layout { positions, size: Size { width: corner.x, height: corner.y }, direction }
    }
}

/// Where the levels are, along.
struct Levels {
    /// Where the boxes of each level start.
    starts: Vec<usize>,
    /// Where the lines from each level to the next turn.
    joints: Vec<usize>,
    /// Where the picture ends.
    end: usize,
}

impl Levels {
    fn new(items: &[Item], direction: Direction) -> Self {
        let n_levels = items.iter().map(|item| item.depth + 1).max().unwrap_or(0);
        let mut longest = vec![(0, 0); n_levels];
        for item in items {
            let (shape, label) = &mut longest[item.depth];
            *shape = item.shape.along(direction).max(*shape);
            *label = item.label.along(direction).max(*label);
        }
        let mut levels = Levels { starts: Vec::new(), joints: Vec::new(), end: MARGIN };
        for (depth, (shape, label)) in longest.into_iter().enumerate() {
            let start = match depth {
                0 => MARGIN,
                _ => levels.joints[depth - 1] + AFTER[1] + label + AFTER[2],
            };
            levels.starts.push(start);
            levels.joints.push(start + shape + AFTER[0]);
            levels.end = start + shape + MARGIN;
        }
        levels
    }
}

/// How far a subtree reaches to both sides, level by level.
struct Reach {
    /// The deepest level first, so that the levels of a shallow subtree are the last ones of a deep
    /// one, and a root is added at the end.
    levels: Vec<(i64, i64)>,
    /// What is to be added to all of them.
    shift: i64,
}

impl Reach {
    /// The levels that two subtrees have in common, as places from the end.
    fn common(&self, other: &Reach) -> std::ops::RangeInclusive<usize> {
        1..=self.levels.len().min(other.levels.len())
    }

    fn level(&self, from_end: usize) -> (i64, i64) {
        let (left, right) = self.levels[self.levels.len() - from_end];
        (left + self.shift, right + self.shift)
    }

    /// Push a subtree against this one from the right, and take it in; by how far it was moved.
    ///
    /// Only the levels of the shallower one are looked at, so that all takes together are quick even
    /// where the tree is deep.
    fn take(&mut self, mut other: Reach) -> i64 {
        let apart = |level| self.level(level).1 + GAP as i64 - other.level(level).0;
        let moved = self.common(&other).map(apart).max().unwrap_or(0);
        other.shift += moved;
        let common = self.common(&other);
        if self.levels.len() < other.levels.len() {
            for level in common {
                let place = other.levels.len() - level;
                other.levels[place].0 = self.level(level).0 - other.shift;
            }
            *self = other;
        } else {
            for level in common {
                let place = self.levels.len() - level;
                self.levels[place].1 = other.level(level).1 - self.shift;
            }
        }
        moved
    }
}

/// The middle of each node, across, and how far the picture reaches.
///
/// Parents come before children, so that a walk backwards knows the children, and a walk forwards
/// the parent.
fn centres(items: &[Item], direction: Direction) -> (Vec<usize>, usize) {
    let half = |item: &Item| (item.across(direction) / 2) as i64;
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); items.len()];
    for (index, item) in items.iter().enumerate() {
        if let Some(parent) = item.parent {
            children[parent].push(index);
        }
    }
    // Backwards: how far each node's middle is from its parent's.
    let mut from_parent = vec![0; items.len()];
    let mut reaches: Vec<Option<Reach>> = items.iter().map(|_| None).collect();
    for (index, item) in items.iter().enumerate().rev() {
        let mut reach = Reach { levels: Vec::new(), shift: 0 };
        for &child in &children[index] {
            if let Some(other) = reaches[child].take() {
                from_parent[child] = reach.take(other);
            }
        }
        let ends = children[index].first().zip(children[index].last());
        let middle = ends
            .map_or(0, |(&first, &last)| (from_parent[first] + from_parent[last]).div_euclid(2));
        children[index].iter().for_each(|&child| from_parent[child] -= middle);
        reach.shift -= middle;
        reach.levels.push((-half(item) - reach.shift, half(item) - reach.shift));
        reaches[index] = Some(reach);
    }
    // Forwards: the middles, and then all moved so that the leftmost thing is at the margin.
    let mut middles = from_parent;
    for (index, item) in items.iter().enumerate() {
        middles[index] += item.parent.map_or(0, |parent| middles[parent]);
    }
    let sides = || items.iter().zip(&middles).map(|(item, middle)| (middle, half(item)));
    let left = sides().map(|(middle, half)| middle - half).min().unwrap_or(0);
    let right = sides().map(|(middle, half)| middle + half).max().unwrap_or(0);
    let place = |middle: &i64| (middle - left) as usize + MARGIN;
    (middles.iter().map(place).collect(), (right - left) as usize + 2 * MARGIN)
}

#[cfg(test)]
mod tests;
