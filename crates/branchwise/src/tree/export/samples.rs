//! Trees for the tests of the outputs.

use super::super::{Child, Counts, Node, NodeId, Tree};
use super::{Question, Words};

pub(super) fn counts(rows: &[u64]) -> Counts {
    Counts { rows: rows.to_vec(), ..Counts::default() }
}

pub(super) fn leaf(rows: &[u64]) -> Node {
    Node::Leaf { counts: counts(rows) }
}

pub(super) fn split(feature: usize, rows: &[u64], children: &[(&[u32], u32)]) -> Node {
    let child = |&(categories, node): &(&[u32], u32)| Child {
        categories: categories.to_vec(),
        node: NodeId(node),
    };
    let children = children.iter().map(child).collect();
    Node::Split { feature, children, counts: counts(rows) }
}

/// A multi-way split over a yes/no split.
pub(super) fn mushrooms() -> (Tree, Words) {
    let nodes = vec![
        split(0, &[4208, 3916], &[(&[3], 1), (&[2], 2), (&[1, 0], 5)]),
        leaf(&[0, 3796]),
        split(1, &[3408, 120], &[(&[0], 3), (&[1], 4)]),
        leaf(&[3408, 48]),
        leaf(&[0, 72]),
        leaf(&[800, 0]),
    ];
    let odor = Question::values("odor", ["almond", "anise", "none", "foul"]);
    let spores = Question::is("spore print color", "green");
    (Tree { nodes }, Words::new(vec![odor, spores], ["edible", "poisonous"]))
}

/// A tree of one leaf.
pub(super) fn single() -> (Tree, Words) {
    (Tree { nodes: vec![leaf(&[4208, 3916])] }, Words::new(Vec::new(), ["edible", "poisonous"]))
}

/// Yes/no splits below one another, each with one leaf and the last with two.
pub(super) fn chain(depth: u32) -> (Tree, Words) {
    let mut nodes = Vec::new();
    for level in 0..depth {
        let id = 2 * level;
        nodes.push(split(0, &[u64::from(depth), 1], &[(&[1], id + 1), (&[0], id + 2)]));
        nodes.push(leaf(&[1, 0]));
    }
    nodes.push(leaf(&[0, 1]));
    (Tree { nodes }, Words::new(vec![Question::is("a", "b")], ["edible", "poisonous"]))
}
