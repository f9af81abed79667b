//! Rebuilds the tree from the rows: a node for every answer that some row gives.
//!
//! In a file, equal subtrees may be merged ([`Model::collapse`]), which hides the number of splits and
//! their price. To recover them, each row is led down the tree, and each category gets its own child. If
//! no subtrees are merged, the result is the tree of the file again, with its own counts.

use super::Model;
use crate::data::Dataset;
use crate::encode::place_of;
use crate::model::apply::Matched;
use crate::tree::{Child, Counts, Node, NodeId, Tree};
use std::collections::BTreeMap;
use std::ops::Range;

/// A row that was led down the tree.
pub(super) struct Led {
    /// The row's number in the dataset.
    pub(super) row: usize,
    pub(super) class: u32,
    pub(super) count: u64,
    pub(super) weight: u64,
    /// The file's node where it ends.
    pub(super) end: NodeId,
    /// The grown node where it ends.
    leaf: u32,
}

/// The tree that rows make.
pub(super) struct Grown {
    pub(super) tree: Tree,
    /// For each of its nodes, the file's.
    pub(super) sources: Vec<NodeId>,
    /// The rows, those of every node side by side.
    pub(super) rows: Vec<Led>,
    /// For each node, the part of `rows` that reaches it.
    pub(super) ranges: Vec<Range<usize>>,
    /// Rows that cannot be led down.
    strays: Vec<String>,
}

/// A node while the tree grows.
struct Sprout {
    source: NodeId,
    rows: Vec<u64>,
    weights: Vec<u64>,
}

impl Grown {
    pub(super) fn new(
        model: &Model,
        dataset: &Dataset,
        columns: &[Option<Matched>],
        rows: &[usize],
    ) -> Self {
        let mut growing = Growing::new(model);
        let mut strays = Vec::new();
        let mut led = Vec::with_capacity(rows.len());
        for &row in rows {
            let truth = dataset.target().value(row).unwrap_or_default();
            let Some(class) = place_of(truth, &model.target.classes) else {
                strays.push(format!("row {}: the class \"{truth}\" is unknown", row + 1));
                continue;
            };
            let count = dataset.count(row);
            let weight = model.class_weighted(Some(class), dataset.weight(row));
            let cell = |column: usize| columns[column].as_ref().and_then(|column| column.cell(row));
            let (end, leaf) = growing.lead(cell, &Added { class, count, weight });
            if !model.tree.node(end).is_leaf() {
                strays.push(format!("row {} stops at node {}, which is a split", row + 1, end.0));
            }
            led.push(Led { row, class: class as u32, count, weight, end, leaf: leaf as u32 });
        }
        let (tree, sources) = growing.finish();
        let ranges = arrange(&tree, &mut led);
        Grown { tree, sources, rows: led, ranges, strays }
    }

    /// What the file's nodes count, and the rows do not.
    pub(super) fn unlike_counts(&self, model: &Model) -> Vec<String> {
        let mut mismatches = self.strays.clone();
        let n_classes = model.target.classes.len();
        let n_nodes = model.tree.nodes().len();
        let mut rows = vec![vec![0u64; n_classes]; n_nodes];
        let mut weights = rows.clone();
        for (node, source) in self.tree.nodes().iter().zip(&self.sources) {
            let Counts { rows: more_rows, weights: more_weights, .. } = node.counts();
            add(&mut rows[source.0 as usize], more_rows);
            add(&mut weights[source.0 as usize], more_weights);
        }
        for (id, node) in model.tree.nodes().iter().enumerate() {
            let counts = node.counts();
            if counts.rows != rows[id] {
                let said = &counts.rows;
                mismatches.push(format!("node {id} counts {said:?}, the rows {:?}", rows[id]));
            }
            // Weights are left out where every row weighs 1.
            if counts.deciding() != weights[id] {
                let (said, found) = (counts.deciding(), &weights[id]);
                mismatches.push(format!("node {id} weighs {said:?}, the rows {found:?}"));
            }
        }
        mismatches
    }
}

fn add(into: &mut [u64], more: &[u64]) {
    into.iter_mut().zip(more).for_each(|(into, more)| *into = into.saturating_add(*more));
}

/// What a row adds to every node that it passes.
struct Added {
    class: usize,
    count: u64,
    weight: u64,
}

struct Growing<'m> {
    model: &'m Model,
    nodes: Vec<Sprout>,
    /// The child of a node by a category.
    children: BTreeMap<(usize, u32), usize>,
}

impl<'m> Growing<'m> {
    fn new(model: &'m Model) -> Self {
        let mut growing = Growing { model, nodes: Vec::new(), children: BTreeMap::new() };
        growing.sprout(Tree::ROOT);
        growing
    }

    fn sprout(&mut self, source: NodeId) -> usize {
        let none = vec![0; self.model.target.classes.len()];
        self.nodes.push(Sprout { source, rows: none.clone(), weights: none });
        self.nodes.len() - 1
    }

    /// Lead a row down the tree and count it in every node on its way. Returns the node of the file and the
    /// grown node where it ends.
    fn lead(&mut self, cell: impl Fn(usize) -> Option<u32>, row: &Added) -> (NodeId, usize) {
        let Model { tree, encoder, .. } = self.model;
        let path = self.model.walk(&cell).path;
        let mut at = 0;
        for (step, &node) in path.iter().enumerate() {
            if let Some(before) = step.checked_sub(1)
                && let Node::Split { feature, .. } = tree.node(path[before])
            {
                let column = encoder.features()[*feature].column();
                let category = encoder.category(*feature, cell(column)).unwrap_or_default();
                at = match self.children.get(&(at, category)) {
                    Some(&child) => child,
                    None => {
                        let child = self.sprout(node);
                        self.children.insert((at, category), child);
                        child
                    }
                };
            }
            let Sprout { rows, weights, .. } = &mut self.nodes[at];
            rows[row.class] = rows[row.class].saturating_add(row.count);
            weights[row.class] = weights[row.class].saturating_add(row.weight);
        }
        (path.last().copied().unwrap_or(Tree::ROOT), at)
    }

    /// The tree, and the file's node of each of its own.
    fn finish(self) -> (Tree, Vec<NodeId>) {
        let mut below: Vec<Vec<Child>> = self.nodes.iter().map(|_| Vec::new()).collect();
        for ((parent, category), child) in self.children {
            let node = NodeId(child as u32);
            below[parent].push(Child { categories: vec![category], node });
        }
        let costs = self.model.cost_matrix().ok().flatten();
        let sources = self.nodes.iter().map(|sprout| sprout.source).collect();
        let made = self.nodes.into_iter().zip(below).map(|(sprout, children)| {
            let saved = costs.as_ref().map_or(Vec::new(), |costs| costs.saved(&sprout.weights));
            let counts = Counts { rows: sprout.rows, weights: sprout.weights, saved };
            match self.model.tree.node(sprout.source) {
                Node::Split { feature, .. } if !children.is_empty() => {
                    Node::Split { feature: *feature, children, counts }
                }
                _ => Node::Leaf { counts },
            }
        });
        (Tree::from_nodes(made.collect()), sources)
    }
}

/// Put the rows of every node side by side; where those of each node are.
fn arrange(tree: &Tree, rows: &mut [Led]) -> Vec<Range<usize>> {
    // The place of each node in preorder.
    let mut places = vec![0u32; tree.nodes().len()];
    let mut pending = vec![Tree::ROOT];
    let mut next = 0;
    while let Some(id) = pending.pop() {
        places[id.0 as usize] = next;
        next += 1;
        pending.extend(tree.node(id).children().iter().rev().map(|child| child.node));
    }
    rows.sort_by_key(|led| places[led.leaf as usize]);
    let mut ranges = vec![0..0; tree.nodes().len()];
    for (place, led) in rows.iter().enumerate() {
        let own = &mut ranges[led.leaf as usize];
        *own = joined(own, &(place..place + 1));
    }
    for (id, node) in tree.nodes().iter().enumerate().rev() {
        for child in node.children() {
            ranges[id] = joined(&ranges[id], &ranges[child.node.0 as usize]);
        }
    }
    ranges
}

/// The least range that holds both.
fn joined(one: &Range<usize>, other: &Range<usize>) -> Range<usize> {
    match (one.is_empty(), other.is_empty()) {
        (true, _) => other.clone(),
        (_, true) => one.clone(),
        _ => one.start.min(other.start)..one.end.max(other.end),
    }
}
