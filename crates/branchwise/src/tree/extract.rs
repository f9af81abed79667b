//! A search's policy becomes a tree with counts.

use super::{Child, Counts, Node, NodeId, Tree};
use crate::problem::{Clause, Problem};
use crate::rowset::{RowSet, Support};
use crate::search::Policy;

/// Follow the policy from the root, counting classes on the way.
///
/// The policy names splits only: a non-empty child that it does not continue is a leaf, an empty one
/// does not exist.
pub(crate) fn extract(policy: &Policy, problem: &Problem) -> Tree {
    let mut nodes: Vec<Node> = Vec::new();
    let mut counter = Counter { problem, support: Support::default() };
    // What is still to be made: rows, where the policy continues, and the parent's child to fill in.
    let mut pending = vec![(problem.all_rows().clone(), policy.root(), None::<(usize, usize)>)];
    while let Some((rows, action, parent)) = pending.pop() {
        let id = NodeId(nodes.len() as u32);
        if let Some((parent, index)) = parent
            && let Node::Split { children, .. } = &mut nodes[parent]
        {
            children[index].node = id;
        }
        let counts = counter.counts(&rows);
        let Some(action) = action else {
            nodes.push(Node::Leaf { counts });
            continue;
        };
        let split = policy.split(action);
        let feature = problem.feature(split.feature);
        let mut children = Vec::new();
        let mut waiting = Vec::new();
        for (clause, &category) in feature.clauses().zip(&feature.categories) {
            let Some(child_rows) = counter.child(&rows, clause) else { continue };
            let parent = (nodes.len(), children.len());
            children.push(Child { categories: vec![category], node: id });
            waiting.push((child_rows, split.continues(clause), Some(parent)));
        }
        nodes.push(Node::Split { feature: feature.source, children, counts });
        pending.extend(waiting.into_iter().rev());
    }
    Tree { nodes }
}

struct Counter<'a> {
    problem: &'a Problem,
    support: Support,
}

impl Counter<'_> {
    fn counts(&mut self, rows: &RowSet) -> Counts {
        self.support.fill(rows, self.problem.class_ends());
        let mut counts = Counts { rows: vec![0; self.problem.n_classes()], ..Counts::default() };
        self.problem.all_class_rows(&self.support, &mut counts.rows);
        if !self.problem.weights_are_row_counts() {
            counts.weights = vec![0; self.problem.n_classes()];
            self.problem.all_class_weights(&self.support, &mut counts.weights);
        }
        counts
    }

    fn child(&self, rows: &RowSet, clause: Clause) -> Option<RowSet> {
        let mut child = rows.clone();
        child.intersect(self.problem.rows_of(clause));
        child.words().iter().any(|&word| word != 0).then_some(child)
    }
}
