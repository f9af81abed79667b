//! Nothing in a layout overlaps, and layouts have the shape that readers expect.

use super::*;
use proptest::prelude::*;

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

/// Whether two lines touch.
fn touch(a: Area, b: Area) -> bool {
    a.0.x <= b.1.x && b.0.x <= a.1.x && a.0.y <= b.1.y && b.0.y <= a.1.y
}

fn assert_apart(items: &[Item], direction: Direction) {
    let layout = Layout::growing(items, direction);
    let mut areas = Vec::new();
    let mut lines = Vec::new();
    for (item, place) in items.iter().zip(&layout.positions) {
        areas.push(area(place.shape, item.shape));
        if let Some((head, tail)) = place.line {
            areas.push(area(place.label, item.label));
            let mut line = |a, b| lines.push((item.parent, segment(a, b)));
            head.windows(2).for_each(|ends| line(ends[0], ends[1]));
            line(tail[0], tail[1]);
        }
    }
    for (index, &a) in areas.iter().enumerate() {
        assert!(a.1.x + MARGIN <= layout.size.width, "{a:?} is outside");
        assert!(a.1.y + MARGIN <= layout.size.height, "{a:?} is outside");
        assert!(a.0.x >= MARGIN && a.0.y >= MARGIN, "{a:?} is outside");
        for &b in &areas[index + 1..] {
            assert!(!overlap(a, b), "{a:?} and {b:?} overlap");
        }
        for &(_, line) in &lines {
            assert!(!overlap(a, line), "{line:?} crosses {a:?}");
        }
    }
    for (index, &(parent, a)) in lines.iter().enumerate() {
        for &(other, b) in &lines[index + 1..] {
            assert!(parent == other || !touch(a, b), "{a:?} and {b:?} meet");
        }
    }
}

/// Random trees: for each node after the root, a number that chooses its parent, and sizes.
fn any_tree() -> impl Strategy<Value = Vec<Item>> {
    let node = (0usize..1000, 20usize..200, 30usize..80, 1usize..250, 1usize..8);
    // A parent is one of this many last nodes: few of them make deep trees, many make broad ones.
    let shape = (proptest::collection::vec(node, 1..120), 1usize..60);
    shape.prop_map(|(nodes, window)| {
        let mut parents: Vec<Option<usize>> = vec![None];
        for (index, node) in nodes.iter().enumerate().skip(1) {
            let window = window.min(index);
            parents.push(Some(index - 1 - node.0 % window));
        }
        preorder(&parents, |index| {
            let (_, width, height, label, lines) = nodes[index];
            (Size { width, height }, Size { width: label, height: 15 * lines })
        })
    })
}

/// Items in preorder, from each node's parent and sizes.
fn preorder(parents: &[Option<usize>], sizes: impl Fn(usize) -> (Size, Size)) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut waiting = vec![(0, None, 0)];
    while let Some((index, parent, depth)) = waiting.pop() {
        let (shape, label) = sizes(index);
        let label = if parent.is_some() { label } else { Size::default() };
        let place = items.len();
        items.push(Item { parent, depth, shape, label });
        let children = (0..parents.len()).rev().filter(|&c| parents[c] == Some(index));
        waiting.extend(children.map(|child| (child, Some(place), depth + 1)));
    }
    items
}

proptest! {
    #[test]
    fn nothing_overlaps(items in any_tree()) {
        assert_apart(&items, Direction::Down);
        assert_apart(&items, Direction::Right);
    }
}

fn sized(width: usize) -> Size {
    Size { width, height: 50 }
}

fn item(parent: Option<usize>, depth: usize, width: usize) -> Item {
    let label = if parent.is_some() { sized(20) } else { Size::default() };
    Item { parent, depth, shape: sized(width), label }
}

fn lefts(items: &[Item]) -> Vec<usize> {
    Layout::new(items).positions.iter().map(|place| place.shape.x).collect()
}

#[test]
fn parents_stand_over_the_middle_of_their_children() {
    let items = [item(None, 0, 100), item(Some(0), 1, 80), item(Some(0), 1, 80)];
    assert_eq!(lefts(&items), [MARGIN + 87 - 50, MARGIN, MARGIN + 80 + GAP]);
}

#[test]
fn deep_subtrees_reach_under_their_shallow_neighbours() {
    let deep = item(Some(0), 1, 80);
    let items =
        [item(None, 0, 80), item(Some(0), 1, 80), deep, item(Some(2), 2, 80), item(Some(2), 2, 80)];
    let lefts = lefts(&items);
    assert!(lefts[3] < lefts[1] + 80, "{lefts:?}");
    let chain: Vec<Item> = (0..40)
        .flat_map(|level: usize| {
            let parent = level.checked_sub(1).map(|above| 2 * above + 1);
            [item(parent, level, 80), item(parent, level, 80)]
        })
        .skip(1)
        .map(|item| Item { parent: item.parent.map(|parent| parent - 1), ..item })
        .collect();
    let width = Layout::growing(&chain, Direction::Down).size.width;
    assert!(width < 40 * 60, "{width}");
}

#[test]
fn wide_trees_grow_to_the_right() {
    let star = |n: usize| -> Vec<Item> {
        let leaves = (0..n).map(|_| item(Some(0), 1, 120));
        [item(None, 0, 120)].into_iter().chain(leaves).collect()
    };
    let narrow = Layout::new(&star(3)).size;
    assert!(narrow.width <= WIDEST && narrow.height < narrow.width);
    let wide = Layout::new(&star(30)).size;
    assert!(wide.width < wide.height);
}

#[test]
fn deep_trees_are_laid_out_at_once() {
    let deep: Vec<Item> =
        (0..50_000).map(|depth: usize| item(depth.checked_sub(1), depth, 80)).collect();
    assert_eq!(Layout::growing(&deep, Direction::Down).size.width, 80 + 2 * MARGIN);
}
