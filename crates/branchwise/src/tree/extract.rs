//! Builds the tree with its counts from the policy that a search returns.

use super::{Child, Counts, Node, NodeId, Tree};
use crate::problem::{Clause, FeatureId, Problem};
use crate::search::Policy;

/// Follow the policy from the root, counting classes on the way.
///
/// The policy names splits only: a non-empty child that it does not continue is a leaf, an empty one
/// does not exist. Rows are lists of units, so that a split into very many children takes no more memory
/// than one into two.
pub(crate) fn extract(policy: &Policy, problem: &Problem) -> Tree {
    let mut nodes: Vec<Node> = Vec::new();
    let mut parter = Parter::new(problem);
    let all: Vec<u32> = (0..problem.n_units() as u32).collect();
    // What is still to be made: units, where the policy continues, and the parent's child to fill in.
    let mut pending = vec![(all, policy.root(), None::<(usize, usize)>)];
    while let Some((units, action, parent)) = pending.pop() {
        let id = NodeId(nodes.len() as u32);
        if let Some((parent, index)) = parent
            && let Node::Split { children, .. } = &mut nodes[parent]
        {
            children[index].node = id;
        }
        let counts = counts(&units, problem);
        let Some(action) = action else {
            nodes.push(Node::Leaf { counts });
            continue;
        };
        let split = policy.split(action);
        let mut children = Vec::new();
        let mut waiting = Vec::new();
        for (clause, category, units) in parter.part(&units, split.feature) {
            let parent = (nodes.len(), children.len());
            children.push(Child { categories: vec![category], node: id });
            waiting.push((units, split.continues(clause), Some(parent)));
        }
        let feature = problem.feature(split.feature).source;
        nodes.push(Node::Split { feature, children, counts });
        pending.extend(waiting.into_iter().rev());
    }
    Tree { nodes }
}

fn counts(units: &[u32], problem: &Problem) -> Counts {
    let mut counts = Counts { rows: vec![0; problem.n_classes()], ..Counts::default() };
    if !problem.weights_are_row_counts() {
        counts.weights = vec![0; problem.n_classes()];
    }
    for unit in units.iter().map(|&unit| &problem.units()[unit as usize]) {
        counts.rows[unit.class as usize] += unit.n_rows;
        if let Some(weight) = counts.weights.get_mut(unit.class as usize) {
            *weight += unit.weight;
        }
    }
    counts
}

/// Parts units by features.
struct Parter<'a> {
    problem: &'a Problem,
    /// For each word of a row set, the unit of its first bit.
    first_units: Vec<u32>,
    /// For each unit, the place of its category among those of the feature that was asked last.
    place_of: Vec<u32>,
}

impl<'a> Parter<'a> {
    fn new(problem: &'a Problem) -> Self {
        let place_of = vec![0; problem.n_units()];
        Parter { problem, first_units: problem.first_units(), place_of }
    }

    /// The parts that are not empty, each with its clause and category.
    fn part(&mut self, units: &[u32], feature: FeatureId) -> Vec<(Clause, u32, Vec<u32>)> {
        let feature = self.problem.feature(feature);
        for (clause, place) in feature.clauses().zip(0..) {
            for (number, &word) in self.problem.rows_of(clause).iter().enumerate() {
                let mut members = word;
                while members != 0 {
                    let unit = self.first_units[number] + members.trailing_zeros();
                    self.place_of[unit as usize] = place;
                    members &= members - 1;
                }
            }
        }
        let categories = feature.clauses().zip(&feature.categories);
        let mut parts: Vec<(Clause, u32, Vec<u32>)> =
            categories.map(|(clause, &category)| (clause, category, Vec::new())).collect();
        for &unit in units {
            parts[self.place_of[unit as usize] as usize].2.push(unit);
        }
        parts.retain(|(_, _, units)| !units.is_empty());
        parts
    }
}
