//! The nodes of a tree in the order in which every output shows them.

use super::super::{Node, NodeId, Tree};
use super::Words;

/// A node on the way through the tree, in the order in which it is shown.
pub(super) struct Step<'a> {
    pub(super) id: NodeId,
    pub(super) node: &'a Node,
    pub(super) depth: usize,
    /// How the walk came here; the root has no way.
    pub(super) way: Option<Way<'a>>,
    /// Whether no sibling follows.
    pub(super) last: bool,
}

/// The edge that leads to a node.
pub(super) struct Way<'a> {
    /// The place of the parent among the steps.
    pub(super) parent: usize,
    /// The feature that the parent asks.
    pub(super) feature: usize,
    pub(super) categories: &'a [u32],
}

/// All nodes, parents before children, siblings in the order of `Question::listed`.
pub(super) fn steps<'a>(tree: &'a Tree, words: &Words) -> Vec<Step<'a>> {
    let mut steps: Vec<Step<'a>> = Vec::with_capacity(tree.nodes().len());
    let root =
        Step { id: Tree::ROOT, node: tree.node(Tree::ROOT), depth: 0, way: None, last: true };
    let mut waiting = vec![root];
    while let Some(step) = waiting.pop() {
        if let Node::Split { feature, children, .. } = step.node {
            let listed = words.question(*feature).listed(children);
            for (place, child) in listed.iter().enumerate().rev() {
                let way =
                    Way { parent: steps.len(), feature: *feature, categories: &child.categories };
                waiting.push(Step {
                    id: child.node,
                    node: tree.node(child.node),
                    depth: step.depth + 1,
                    way: Some(way),
                    last: place + 1 == listed.len(),
                });
            }
        }
        steps.push(step);
    }
    steps
}
