//! Stage 4: the decision tree.
//!
//! A [`Tree`] is an arena of nodes: a [`Node::Split`] uses a feature and has a child for each set of
//! categories, a [`Node::Leaf`] answers with a class. Every node, also a split, stores the class counts of
//! the training rows that reach it, so that it can answer a row for whose category it has no child.
//!
//! Nodes are numbered in preorder: the root is 0, and a child's number is larger than its parent's.

mod collapse;
pub mod export;
mod extract;
mod predict;

pub(crate) use extract::extract;
pub use predict::Walk;

use crate::objective::{Price, Score};
use serde::{Deserialize, Serialize};

/// A node, by its number in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(pub u32);

/// The classes of the training rows that reach a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// For each class, the number of rows.
    pub rows: Vec<u64>,
    /// For each class, their weight in the table's integer unit; empty where every row weighs 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<u64>,
    /// For each class, what answering with it saves of the worst cost, in integers; empty where answers
    /// have no costs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub saved: Vec<u64>,
}

impl Counts {
    /// What shares are made of, and what decides where answers have no costs: the weights, or the numbers
    /// of rows where there are none.
    pub fn deciding(&self) -> &[u64] {
        if self.weights.is_empty() { &self.rows } else { &self.weights }
    }

    /// The number of rows.
    pub fn n_rows(&self) -> u64 {
        self.rows.iter().sum()
    }

    /// The class that the node answers with: that of most weight or, where answers have costs, of least
    /// cost; of equals, the first. Where no row weighs anything, that of most rows.
    pub fn answer(&self) -> u32 {
        let merits = if self.weighs_nothing() { &self.rows } else { self.merits() };
        let most = merits.iter().copied().max().unwrap_or(0);
        merits.iter().position(|&merit| merit == most).unwrap_or(0) as u32
    }

    fn weighs_nothing(&self) -> bool {
        self.deciding().iter().all(|&weight| weight == 0)
    }

    /// For each class, what answering with it is worth.
    pub(crate) fn merits(&self) -> &[u64] {
        if self.saved.is_empty() { self.deciding() } else { &self.saved }
    }

    /// The weight that the answer gets right.
    pub fn correct(&self) -> u64 {
        self.deciding().get(self.answer() as usize).copied().unwrap_or(0)
    }

    /// What the answer is worth: the weight that it gets right or, where answers have costs, what it
    /// saves of the worst.
    pub(crate) fn merit(&self) -> u64 {
        self.saved.iter().copied().max().unwrap_or_else(|| self.correct())
    }

    /// Each class's share of the weight or, where no row weighs anything, of the rows.
    pub fn shares(&self) -> Vec<f64> {
        let weights = if self.weighs_nothing() { &self.rows } else { self.deciding() };
        let total = weights.iter().sum::<u64>().max(1) as f64;
        weights.iter().map(|&weight| weight as f64 / total).collect()
    }
}

/// A child of a split, and the categories that lead to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Child {
    /// The encoder's numbers of the categories; more than one after a collapse.
    pub categories: Vec<u32>,
    /// The node they lead to.
    pub node: NodeId,
}

/// A node of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Node {
    /// Ask a feature and go on to a child.
    Split {
        /// The encoder's number of the feature.
        feature: usize,
        /// The children that training rows reach.
        children: Vec<Child>,
        /// The classes of the rows that come here.
        counts: Counts,
    },
    /// Answer with the majority class.
    Leaf {
        /// The classes of the rows that come here.
        counts: Counts,
    },
}

impl Node {
    /// The classes of the training rows that reach the node.
    pub fn counts(&self) -> &Counts {
        match self {
            Node::Split { counts, .. } | Node::Leaf { counts } => counts,
        }
    }

    /// The children; none for a leaf.
    pub fn children(&self) -> &[Child] {
        match self {
            Node::Split { children, .. } => children,
            Node::Leaf { .. } => &[],
        }
    }

    /// Whether the node is a leaf.
    pub fn is_leaf(&self) -> bool {
        matches!(self, Node::Leaf { .. })
    }
}

/// A decision tree in the encoder's numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// The root.
    pub const ROOT: NodeId = NodeId(0);

    /// A tree of these nodes, each of which comes before its children.
    pub(crate) fn from_nodes(nodes: Vec<Node>) -> Tree {
        Tree { nodes }
    }

    /// Whether a child takes several categories, as in a tree whose equal subtrees are shared.
    pub(crate) fn is_collapsed(&self) -> bool {
        let several = |child: &Child| child.categories.len() > 1;
        self.nodes.iter().any(|node| node.children().iter().any(several))
    }

    /// The nodes, in preorder.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The number of splits.
    pub fn n_splits(&self) -> usize {
        self.nodes.iter().filter(|node| !node.is_leaf()).count()
    }

    /// The number of leaves.
    pub fn n_leaves(&self) -> usize {
        self.nodes.iter().filter(|node| node.is_leaf()).count()
    }

    /// The most splits on the way to a leaf.
    pub fn depth(&self) -> usize {
        let mut depths = vec![0; self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate() {
            for child in node.children() {
                depths[child.node.0 as usize] = depths[id] + 1;
            }
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// What the tree achieves on its training rows.
    pub fn score(&self, price: Price) -> Score {
        let mut score = Score::default();
        for node in &self.nodes {
            match node {
                Node::Leaf { counts } => score.correct += counts.merit(),
                Node::Split { children, .. } => {
                    score.paid += price.of(children.len());
                    score.splits += 1;
                }
            }
        }
        score
    }

    /// The weight of the training rows that the leaves get right.
    pub(crate) fn correct_weight(&self) -> u64 {
        self.nodes.iter().filter(|node| node.is_leaf()).map(|leaf| leaf.counts().correct()).sum()
    }

    /// The weight of all training rows.
    pub(crate) fn total_weight(&self) -> u64 {
        self.node(Tree::ROOT).counts().deciding().iter().sum()
    }

    /// The same tree with what each answer saves at each node, given the weights of classes.
    pub(crate) fn with_saved(mut self, saved: impl Fn(&[u64]) -> Vec<u64>) -> Tree {
        for node in &mut self.nodes {
            let (Node::Split { counts, .. } | Node::Leaf { counts }) = node;
            counts.saved = saved(counts.deciding());
        }
        self
    }

    /// What is wrong with a tree that was read from a file, if anything.
    pub(crate) fn fault(&self, n_categories: &[usize], n_classes: usize) -> Option<String> {
        if self.nodes.is_empty() {
            return Some("the tree has no node".into());
        }
        let mut reached = vec![false; self.nodes.len()];
        reached[0] = true;
        for (id, node) in self.nodes.iter().enumerate() {
            if !reached[id] {
                return Some(format!("node {id} is not below the root"));
            }
            let Counts { rows, weights, saved } = node.counts();
            let fits = |list: &[u64]| list.is_empty() || list.len() == n_classes;
            if rows.len() != n_classes || !fits(weights) || !fits(saved) {
                return Some(format!("node {id} does not count {n_classes} classes"));
            }
            if !in_range(rows) || !in_range(weights) || !in_range(saved) {
                return Some(format!("the counts of node {id} are too large to be true"));
            }
            let Node::Split { feature, children, .. } = node else { continue };
            let Some(&n_categories) = n_categories.get(*feature) else {
                return Some(format!("node {id} asks feature {feature}, which does not exist"));
            };
            if children.is_empty() {
                return Some(format!("node {id} is a split without children"));
            }
            let mut taken = vec![false; n_categories];
            for child in children {
                let target = child.node.0 as usize;
                if target <= id || target >= self.nodes.len() || reached[target] {
                    return Some(format!("node {id} has {target} for a child"));
                }
                reached[target] = true;
                for &category in &child.categories {
                    match taken.get_mut(category as usize) {
                        Some(taken) if !*taken => *taken = true,
                        _ => return Some(format!("node {id} leads category {category} astray")),
                    }
                }
            }
            let order = children.iter().map(|child| child.categories.first());
            if !order.is_sorted() || children.iter().any(|child| child.categories.is_empty()) {
                return Some(format!("node {id} has children out of order or without category"));
            }
        }
        None
    }
}

/// Whether counts add up without leaving 64 bits, with room for sums over nodes.
fn in_range(counts: &[u64]) -> bool {
    let total = counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
    total.is_some_and(|total| total < 1 << 60)
}
