//! Where the boxes, labels and lines of a drawn tree go.
//!
//! # The rule
//! The tree grows in one [`Direction`], level by level; *along* is that direction, *across* is the
//! other. Every subtree has a strip of the page to itself, as wide across as its children's strips
//! side by side, or as its own box or label where that is wider. A parent stands at the middle
//! between its first and its last child, moved only as far as its strip demands. A label stands right
//! before the box that it leads to.
//!
//! # Why nothing overlaps
//! Boxes and labels lie inside their strips; strips of siblings are apart, and nested strips belong
//! to different levels. A line goes from the parent along to a joint that lies behind all boxes of
//! its level and before all labels of the next, across on the joint, and along to its child, with
//! the label left out. On the joint it stays in the parent's strip, so it meets lines of siblings
//! only.
//!
//! # The direction
//! Readers expect the root on top, but many leaves side by side make a ribbon that no page holds.
//! So a tree grows down while that takes at most [`WIDEST`] pixels, and to the right otherwise, if
//! that is narrower.

/// The free space around the picture.
const MARGIN: usize = 16;
/// The free space between two strips.
const GAP: usize = 14;
/// The free space from the boxes of a level to the joint, from there to the labels, and from the
/// labels to the boxes of the next level.
const AFTER: [usize; 3] = [14, 9, 8];
/// The widest picture that grows down whatever the alternative.
const WIDEST: usize = 1400;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Down,
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

/// A point of the picture, from its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) x: usize,
    pub(super) y: usize,
}

impl Point {
    fn new(across: usize, along: usize, direction: Direction) -> Self {
        match direction {
            Direction::Down => Point { x: across, y: along },
            Direction::Right => Point { x: along, y: across },
        }
    }
}

/// The place of a node.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The upper left corner of its box.
    pub(super) shape: Point,
    /// The upper left corner of its label.
    pub(super) label: Point,
    /// From the parent to the label, and from the label to the box; nothing for the root.
    pub(super) line: Option<([Point; 4], [Point; 2])>,
}

/// The places of all nodes, and the size of the picture.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) places: Vec<Place>,
    pub(super) size: Size,
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
        let place = |(item, &centre): (&Item, &usize)| {
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
            Place { shape: corner(item.shape, start), label: corner(item.label, label), line }
        };
        let places = items.iter().zip(&centres).map(place).collect();
        let corner = Point::new(across, levels.end, direction);
        Layout { places, size: Size { width: corner.x, height: corner.y } }
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

/// The middle of each node, across, and how far the picture reaches.
///
/// Parents come before children, so that a walk backwards knows the children, and a walk forwards
/// the parent.
fn centres(items: &[Item], direction: Direction) -> (Vec<usize>, usize) {
    // Even, so that halves are exact.
    let own = |item: &Item| {
        item.shape.across(direction).max(item.label.across(direction)).next_multiple_of(2)
    };
    // Backwards: the children's strips together, and each strip.
    let mut below = vec![0; items.len()];
    let mut strips = vec![0; items.len()];
    for (index, item) in items.iter().enumerate().rev() {
        strips[index] = own(item).max(below[index]);
        if let Some(parent) = item.parent {
            below[parent] += strips[index] + if below[parent] > 0 { GAP } else { 0 };
        }
    }
    // Forwards: where each strip starts. `free` is where a node's next child goes.
    let mut starts = vec![MARGIN; items.len()];
    let mut free = vec![0; items.len()];
    for (index, item) in items.iter().enumerate() {
        if let Some(parent) = item.parent {
            starts[index] = free[parent];
            free[parent] += strips[index] + GAP;
        }
        free[index] = starts[index] + (strips[index] - below[index]) / 2;
    }
    // Backwards: the middle between the first child, which is met last, and the last.
    let mut centres = vec![0; items.len()];
    let mut ends: Vec<Option<(usize, usize)>> = vec![None; items.len()];
    for (index, item) in items.iter().enumerate().rev() {
        let half = own(item) / 2;
        let (least, most) = (starts[index] + half, starts[index] + strips[index] - half);
        centres[index] = ends[index].map_or(least, |(first, last)| (first + last) / 2);
        centres[index] = centres[index].clamp(least, most);
        if let Some(parent) = item.parent {
            let last = ends[parent].map_or(centres[index], |(_, last)| last);
            ends[parent] = Some((centres[index], last));
        }
    }
    (centres, strips.first().copied().unwrap_or(0) + 2 * MARGIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rectangle: from, to.
    type Area = (Point, Point);

    fn area(corner: Point, size: Size) -> Area {
        (corner, Point { x: corner.x + size.width, y: corner.y + size.height })
    }

    /// Whether two rectangles share more than their borders; a line is a rectangle without inside.
    fn overlap(a: Area, b: Area) -> bool {
        a.0.x < b.1.x && b.0.x < a.1.x && a.0.y < b.1.y && b.0.y < a.1.y
    }

    fn segment(a: Point, b: Point) -> Area {
        let from = Point { x: a.x.min(b.x), y: a.y.min(b.y) };
        (from, Point { x: a.x.max(b.x), y: a.y.max(b.y) })
    }

    fn assert_apart(items: &[Item], direction: Direction) {
        let layout = Layout::growing(items, direction);
        let mut areas = Vec::new();
        let mut lines = Vec::new();
        for (item, place) in items.iter().zip(&layout.places) {
            areas.push(area(place.shape, item.shape));
            if let Some((head, tail)) = place.line {
                areas.push(area(place.label, item.label));
                lines.extend(head.windows(2).map(|ends| segment(ends[0], ends[1])));
                lines.push(segment(tail[0], tail[1]));
            }
        }
        for (index, &a) in areas.iter().enumerate() {
            assert!(a.1.x + MARGIN <= layout.size.width, "{a:?} is outside");
            assert!(a.1.y + MARGIN <= layout.size.height, "{a:?} is outside");
            assert!(a.0.x >= MARGIN && a.0.y >= MARGIN, "{a:?} is outside");
            for &b in &areas[index + 1..] {
                assert!(!overlap(a, b), "{a:?} and {b:?} overlap");
            }
            for &line in &lines {
                assert!(!overlap(a, line), "{line:?} crosses {a:?}");
            }
        }
    }

    /// A tree of so many levels, with boxes and labels of all sizes and leaves at all depths.
    fn grown(levels: usize, n_children: usize) -> Vec<Item> {
        let mut seed = 1usize;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        let mut items = Vec::new();
        let mut waiting = vec![(None, 0)];
        while let Some((parent, depth)) = waiting.pop() {
            if depth < levels && (depth == 0 || n_children == 1 || random(4) > 0) {
                waiting.extend((0..n_children).map(|_| (Some(items.len()), depth + 1)));
            }
            let shape = Size { width: 60 + random(140), height: 40 + random(40) };
            let label = Size { width: 1 + random(250), height: 15 * (1 + random(8)) };
            let label = if parent.is_some() { label } else { Size::default() };
            items.push(Item { parent, depth, shape, label });
        }
        items
    }

    #[test]
    fn nothing_overlaps() {
        for (levels, n_children) in [(0, 1), (1, 20), (2, 20), (7, 2), (4, 3), (60, 1), (3, 5)] {
            let items = grown(levels, n_children);
            assert_apart(&items, Direction::Down);
            assert_apart(&items, Direction::Right);
        }
    }

    #[test]
    fn parents_stand_over_the_middle_of_their_children() {
        let size = |width| Size { width, height: 50 };
        let child = Item { parent: Some(0), depth: 1, shape: size(80), label: size(20) };
        let root = Item { parent: None, depth: 0, shape: size(100), label: Size::default() };
        let layout = Layout::new(&[root, child, child]);
        let lefts: Vec<usize> = layout.places.iter().map(|place| place.shape.x).collect();
        assert_eq!(lefts, [MARGIN + 87 - 50, MARGIN, MARGIN + 80 + GAP]);
    }

    #[test]
    fn wide_trees_grow_to_the_right() {
        let narrow = Layout::new(&grown(1, 3)).size;
        assert!(narrow.width <= WIDEST);
        let wide = Layout::new(&grown(1, 30)).size;
        assert!(wide.width < wide.height);
    }
}
