//! A branch on the search's stack: its rows, its children with their bounds, its split actions.

use super::bits::Bits;
use super::matrix::Matrix;
use super::memo::Known;
use super::weight::Weight;
use crate::search::bounds::{self, Cost};

/// A child of a split action.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Child {
    pub(super) weight: u64,
    /// No tree below costs less …
    pub(super) lower: Cost,
    /// … and one of this cost is known.
    pub(super) upper: Cost,
    /// What its row set is known by; only computed where it is not solved.
    pub(super) key: u128,
}

impl Child {
    pub(super) fn is_solved(&self) -> bool {
        self.lower >= self.upper
    }

    /// Take over bounds that are tighter; whether any was.
    pub(super) fn tighten(&mut self, known: Known) -> bool {
        let tighter = known.lower > self.lower || known.upper < self.upper;
        self.lower = self.lower.max(known.lower);
        self.upper = self.upper.min(known.upper);
        tighter
    }
}

/// A split action: the sums of its children's bounds, and its price.
#[derive(Clone, Copy, Debug)]
pub(super) struct Action {
    pub(super) price: Cost,
    pub(super) lower: Cost,
    pub(super) upper: Cost,
    /// The weight of its heaviest child.
    pub(super) heaviest: u64,
}

/// A branch being worked on.
#[derive(Debug, Default)]
pub(super) struct Frame<T> {
    /// Its units, in order.
    pub(super) units: Vec<u32>,
    pub(super) key: u128,
    /// How many more splits may follow each other, where that is limited.
    pub(super) depth_left: Option<u32>,
    /// The search below gives up when it knows that no tree costs at most this.
    pub(super) budget: Cost,
    /// The cost of a tree that is known otherwise: from the memo, or to another worker.
    pub(super) known_upper: Cost,
    /// What it costs to leave it unsplit.
    pub(super) leaf: Cost,
    pub(super) lower: Cost,
    pub(super) upper: Cost,
    /// The first split of the tree that costs `upper`; `None`: no split.
    pub(super) best: Option<u32>,
    /// The features that are not constant here, by their numbers in the matrix.
    pub(super) features: Vec<u32>,
    /// The column of each number, in the matrix; padding has none.
    pub(super) columns: Vec<Option<u32>>,
    /// By the numbering of [`Bits`].
    pub(super) children: Vec<Child>,
    pub(super) actions: Vec<Action>,
    /// The child being searched: (action, child).
    pub(super) visiting: Option<(usize, usize)>,
    /// Expansions done below, itself included.
    pub(super) work: u64,
    /// Whether a child was searched since the memo was last asked.
    pub(super) stale: bool,
    /// The classes that occur.
    pub(super) classes: Vec<u32>,
    /// For each of them its weight, and its weight in each column.
    pub(super) class_weights: Vec<T>,
    pub(super) column_weights: Vec<T>,
    pub(super) bits: Bits,
    /// The keys of the units, once they are asked for.
    pub(super) unit_keys: Vec<u128>,
}

impl<T: Weight> Frame<T> {
    /// Hold these units, with any budget.
    pub(super) fn begin(&mut self, matrix: &Matrix, units: Vec<u32>, depth_left: Option<u32>) {
        self.key = units.iter().fold(0, |key, &unit| key ^ matrix.key(unit));
        self.units = units;
        self.depth_left = depth_left;
        self.budget = Cost::MAX;
        self.known_upper = Cost::MAX;
    }

    /// The weight of a class (by its place in `classes`) in a child of an action.
    pub(super) fn class_weight(&self, class: usize, action: usize, child: usize) -> T {
        let columns =
            &self.column_weights[class * self.columns.len()..(class + 1) * self.columns.len()];
        match columns.get(child) {
            Some(&weight) => weight,
            None => {
                let columns = &columns[self.bits.spans[action].columns()];
                columns.iter().fold(self.class_weights[class], |rest, &weight| rest - weight)
            }
        }
    }

    /// The same for a child of any action.
    pub(super) fn class_weight_of(&self, class: usize, child: usize) -> T {
        let action = if child < self.columns.len() { 0 } else { self.action_of_rest(child) };
        self.class_weight(class, action, child)
    }

    /// The action whose rest a child is.
    pub(super) fn action_of_rest(&self, child: usize) -> usize {
        self.bits.spans.partition_point(|span| span.rest < child)
    }

    /// The children of an action, by number.
    pub(super) fn children_of(
        &self,
        action: usize,
    ) -> impl Iterator<Item = usize> + Clone + use<T> {
        self.bits.spans[action].children()
    }

    /// The number of children that have rows.
    pub(super) fn n_children(&self) -> usize {
        self.children.iter().filter(|child| child.weight > 0).count()
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        // Four bytes for each unit, and sixteen for its key.
        20 * self.units.capacity()
            + 8 * self.bits.words.capacity()
            + size_of::<Child>() * self.children.capacity()
            + size_of::<T>() * self.column_weights.capacity()
            + size_of::<Action>() * self.actions.capacity()
            + 8 * self.columns.capacity()
    }

    /// Bring an action's sums up to date.
    pub(super) fn sum(&mut self, action: usize) {
        let (mut lower, mut upper) = (self.actions[action].price, self.actions[action].price);
        for child in self.children_of(action) {
            lower += self.children[child].lower;
            upper += self.children[child].upper;
        }
        let action_sums = &mut self.actions[action];
        debug_assert!(lower >= action_sums.lower, "bounds never fall");
        action_sums.lower = lower;
        action_sums.upper = upper;
        if upper < self.upper {
            self.upper = upper;
            self.best = Some(self.features[action]);
        }
    }

    /// Let the children share what the branch is known to cost: [`bounds::remainder`].
    pub(super) fn share_lower(&mut self) {
        for action in 0..self.actions.len() {
            let Action { lower, upper, .. } = self.actions[action];
            if lower >= self.lower || upper == Cost::MAX {
                continue;
            }
            let mut raised = false;
            for number in self.children_of(action) {
                let child = &mut self.children[number];
                let bound = bounds::remainder(self.lower, upper - child.upper).min(child.upper);
                raised |= bound > child.lower;
                child.lower = child.lower.max(bound);
            }
            if raised {
                self.sum(action);
            }
        }
    }

    /// The units of a child.
    pub(super) fn child_units(&self, matrix: &Matrix, child: usize, units: &mut Vec<u32>) {
        units.clear();
        match self.columns.get(child) {
            Some(&column) => {
                let has = |&&unit: &&u32| column.is_some_and(|column| matrix.has(unit, column));
                units.extend(self.units.iter().filter(has));
            }
            None => {
                let feature = matrix.features[self.features[self.action_of_rest(child)] as usize];
                let columns = feature.first_column..feature.first_column + feature.n_columns;
                let rest = |&&unit: &&u32| !columns.clone().any(|column| matrix.has(unit, column));
                units.extend(self.units.iter().filter(rest));
            }
        }
    }
}
