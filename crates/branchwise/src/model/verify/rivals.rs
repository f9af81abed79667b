//! Trees that are easy to find, and must not exceed the upper bound of the file.
//!
//! **Claim.** Replace the subtree below a node by a leaf, or by one of the offered splits with a leaf for
//! each of its non-empty children. If the resulting tree respects the limits, its objective is at most the
//! upper bound; so if the model's tree is optimal, it is at most the objective of that tree.
//! **Proof.** The bound holds for every allowed tree, and this is one: it consists of offered splits, its
//! root uses the required column, and depth, leaves, splits and rows per leaf are checked before it is
//! compared. Its objective is computed from the rows, with their weights, the costs of answers and the
//! price of splits.
//!
//! Optimal trees have one more property ([`idle_split`]): a leaf in place of a split must be strictly
//! worse.

use super::Model;
use super::grown::{Grown, Led};
use crate::encode::{CostMatrix, Feature};
use crate::model::apply::Matched;
use crate::model::exact::{Yardstick, exchanged, idle_split, subtree_scores};
use crate::model::summary::ROUNDING;
use crate::objective::Score;
use crate::tree::{Node, Tree};
use std::cmp::Ordering;

/// What rivals are made from.
pub(super) struct Rivals<'a> {
    pub(super) model: &'a Model,
    pub(super) grown: &'a Grown,
    pub(super) by: Yardstick,
    /// For each input, the table's column, if it has one.
    pub(super) columns: &'a [Option<Matched<'a>>],
}

/// A split into leaves.
struct Stump {
    n_children: usize,
    least_rows: u64,
    correct: u64,
}

/// A node, and what is below it now.
struct Subtree {
    id: usize,
    depth: u32,
    below: Score,
    leaves: usize,
}

impl Rivals<'_> {
    /// A tree that is better than any is said to be, in words.
    pub(super) fn refutation(&self) -> Option<String> {
        let tree = &self.grown.tree;
        let scores = subtree_scores(tree, self.model.settings.goal.price);
        let must_split = self.model.settings.offer.first_column.is_some();
        if self.model.summary.is_optimal()
            && let Some(idle) = idle_split(tree, &scores, &self.by, must_split)
        {
            let source = self.grown.sources[idle].0;
            return Some(format!(
                "the tree is said to be optimal, but a leaf in place of node {source}, which is a split, \
                 loses nothing"
            ));
        }
        let (depths, leaves) = measures(tree);
        let place =
            |id: usize| Subtree { id, depth: depths[id], below: scores[id], leaves: leaves[id] };
        let places: Vec<Subtree> = (0..scores.len()).map(place).collect();
        let may_be_leaf = |place: &&Subtree| place.id > 0 || !must_split;
        let leaf = |place: &Subtree| self.leaf(place, &places[0]);
        let leaves = places.iter().filter(may_be_leaf).find_map(leaf);
        leaves.or_else(|| (0..self.columns.len()).find_map(|number| self.stump(number, &places)))
    }

    fn leaf(&self, place: &Subtree, root: &Subtree) -> Option<String> {
        let counts = self.grown.tree.nodes()[place.id].counts();
        let leaf = Score { correct: counts.merit(), ..Score::default() };
        let objective = self.beyond(exchanged(root.below, place.below, leaf), root.below)?;
        Some(self.words(place, "as a leaf", objective))
    }

    /// The first split on a column into leaves, at some node, that refutes the file.
    fn stump(&self, number: usize, places: &[Subtree]) -> Option<String> {
        let encoder = &self.model.encoder;
        let features: Vec<usize> = (0..encoder.features().len())
            .filter(|&feature| encoder.features()[feature].column() == number)
            .collect();
        let costs = self.model.cost_matrix().ok()?;
        let missing = encoder.inputs()[number].missing_cell();
        let by_cell = self.by_cell(self.columns[number].as_ref()?);
        let only = self.model.first_column();
        for (place, parts) in places.iter().zip(by_cell) {
            if place.id == 0 && only.is_some_and(|only| only != number) {
                continue;
            }
            let cells = Cells::new(parts, &costs);
            for &feature in &features {
                let stump = cells.stump(encoder.features()[feature], missing);
                if let Some(objective) =
                    stump.and_then(|stump| self.tried(&stump, place, &places[0]))
                {
                    let question = self.model.words().question(feature).text();
                    let what = format!("split by \"{question}\" into leaves");
                    return Some(self.words(place, &what, objective));
                }
            }
        }
        None
    }

    /// The objective of the tree with a split into leaves in place of a node, if it is allowed and refutes
    /// the file.
    fn tried(&self, stump: &Stump, place: &Subtree, root: &Subtree) -> Option<f64> {
        let limits = &self.model.settings.constraints;
        let splits = root.below.splits - place.below.splits + 1;
        let leaves = root.leaves - place.leaves + stump.n_children;
        let exceeds = |most: Option<u32>, found: u64| most.is_some_and(|most| found > most.into());
        if exceeds(limits.max_depth, u64::from(place.depth) + 1)
            || exceeds(limits.max_splits, splits)
            || exceeds(limits.max_leaves, leaves as u64)
            || stump.least_rows < limits.least_rows()
        {
            return None;
        }
        let paid = self.model.settings.goal.price.of(stump.n_children);
        let other = Score { correct: stump.correct, paid, splits: 1 };
        self.beyond(exchanged(root.below, place.below, other), root.below)
    }

    /// The objective of a rival, if the file says that no tree has it.
    fn beyond(&self, rival: Score, whole: Score) -> Option<f64> {
        let objective = self.by.objective(rival);
        let better = match self.model.summary.is_optimal() {
            true => self.by.compare(rival, whole) == Ordering::Greater,
            false => objective > self.model.summary.upper_bound + ROUNDING,
        };
        better.then_some(objective)
    }

    fn words(&self, place: &Subtree, what: &str, objective: f64) -> String {
        let (bound, source) = (self.model.summary.upper_bound, self.grown.sources[place.id].0);
        format!(
            "no tree is said to have an objective above {bound}, but the same tree with node {source} \
             {what} has {objective}"
        )
    }

    /// For each node, its rows by the cells of a column: every row is counted once, at its leaf.
    fn by_cell(&self, column: &Matched) -> Vec<Parts> {
        let nodes = self.grown.tree.nodes();
        let mut by_cell: Vec<Parts> = nodes.iter().map(|_| Parts::new()).collect();
        for (id, node) in nodes.iter().enumerate().rev() {
            by_cell[id] = match node {
                Node::Leaf { counts } => {
                    let rows = &self.grown.rows[self.grown.ranges[id].clone()];
                    counted(rows, column, counts.rows.len())
                }
                Node::Split { children, .. } => {
                    let below = children.iter().map(|child| &by_cell[child.node.0 as usize]);
                    below.fold(Parts::new(), merged)
                }
            };
        }
        by_cell
    }
}

/// For each node, its depth and the leaves below it.
fn measures(tree: &Tree) -> (Vec<u32>, Vec<usize>) {
    let nodes = tree.nodes();
    let (mut depths, mut leaves) = (vec![0; nodes.len()], vec![1; nodes.len()]);
    for (id, node) in nodes.iter().enumerate() {
        for child in node.children() {
            depths[child.node.0 as usize] = depths[id] + 1;
        }
    }
    for (id, node) in nodes.iter().enumerate().rev() {
        if let Node::Split { children, .. } = node {
            leaves[id] = children.iter().map(|child| leaves[child.node.0 as usize]).sum();
        }
    }
    (depths, leaves)
}

/// Rows by the cells of a column that they lie in; cells ascend, and none is empty.
type Parts = Vec<(u32, Part)>;

/// Some rows: how many, and what each class of them weighs.
#[derive(Clone)]
struct Part {
    rows: u64,
    weights: Vec<u64>,
}

impl Part {
    fn plus(mut self, other: &Part) -> Part {
        self.rows += other.rows;
        self.weights.iter_mut().zip(&other.weights).for_each(|(a, b)| *a = a.saturating_add(*b));
        self
    }

    fn minus(mut self, other: &Part) -> Part {
        self.rows -= other.rows;
        self.weights.iter_mut().zip(&other.weights).for_each(|(a, b)| *a = a.saturating_sub(*b));
        self
    }
}

fn counted(rows: &[Led], column: &Matched, n_classes: usize) -> Parts {
    let mut parts = Parts::new();
    let mut place_of: Vec<Option<usize>> = Vec::new();
    for led in rows {
        let Some(cell) = column.cell(led.row) else { continue };
        if place_of.len() <= cell as usize {
            place_of.resize(cell as usize + 1, None);
        }
        let place = *place_of[cell as usize].get_or_insert_with(|| {
            parts.push((cell, Part { rows: 0, weights: vec![0; n_classes] }));
            parts.len() - 1
        });
        let part = &mut parts[place].1;
        part.rows += led.count;
        let weight = &mut part.weights[led.class as usize];
        *weight = weight.saturating_add(led.weight);
    }
    parts.sort_by_key(|&(cell, _)| cell);
    parts
}

/// The rows of two lists together.
fn merged(one: Parts, other: &Parts) -> Parts {
    let mut both = Parts::with_capacity(one.len() + other.len());
    let mut more = other.iter().peekable();
    for (cell, part) in one {
        while let Some(next) = more.next_if(|next| next.0 < cell) {
            both.push(next.clone());
        }
        let same = more.next_if(|next| next.0 == cell);
        both.push((cell, same.map_or(part.clone(), |(_, same)| part.plus(same))));
    }
    both.extend(more.cloned());
    both
}

/// The rows of a node by the cells of a column and, with each cell, all up to it.
struct Cells<'c> {
    costs: &'c Option<CostMatrix>,
    parts: Parts,
    up_to: Vec<Part>,
}

impl<'c> Cells<'c> {
    fn new(parts: Parts, costs: &'c Option<CostMatrix>) -> Self {
        let mut up_to: Vec<Part> = Vec::with_capacity(parts.len());
        for (_, part) in &parts {
            up_to.push(up_to.last().map_or(part.clone(), |before| before.clone().plus(part)));
        }
        Cells { costs, parts, up_to }
    }

    /// A split by one of the column's questions, if it divides the rows.
    fn stump(&self, asked: Feature, missing: Option<u32>) -> Option<Stump> {
        let all = self.up_to.last()?;
        let part = |cell: u32| {
            let place = self.parts.binary_search_by_key(&cell, |part| part.0);
            place.ok().map(|place| &self.parts[place].1)
        };
        let mut stump = Stump { n_children: 0, least_rows: u64::MAX, correct: 0 };
        match asked {
            Feature::Values { .. } => {
                self.parts.iter().for_each(|(_, part)| self.add(&mut stump, part));
            }
            Feature::Is { value, .. } => {
                let yes = part(value)?;
                self.add(&mut stump, yes);
                self.add(&mut stump, &all.clone().minus(yes));
            }
            Feature::AtMost { cut, .. } => {
                let n_below = self.parts.partition_point(|part| part.0 <= cut);
                let below = n_below.checked_sub(1).map(|last| &self.up_to[last]);
                let tested: Vec<&Part> = below.into_iter().chain(missing.and_then(part)).collect();
                let rest = tested.iter().fold(all.clone(), |rest, part| rest.minus(part));
                tested.into_iter().chain([&rest]).for_each(|part| self.add(&mut stump, part));
            }
        }
        (stump.n_children > 1).then_some(stump)
    }

    /// One more child, unless it is empty.
    fn add(&self, stump: &mut Stump, part: &Part) {
        if part.rows == 0 {
            return;
        }
        let most = |merits: &[u64]| merits.iter().copied().max().unwrap_or(0);
        let merit = match self.costs {
            Some(costs) => most(&costs.saved(&part.weights)),
            None => most(&part.weights),
        };
        stump.n_children += 1;
        stump.least_rows = stump.least_rows.min(part.rows);
        stump.correct = stump.correct.saturating_add(merit);
    }
}
