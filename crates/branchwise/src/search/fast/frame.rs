//! A branch on the search's stack: its rows, its children with their bounds, its split actions.

use super::bits::Bits;
use super::left::Left;
use super::matrix::Matrix;
use super::memo::Known;
use super::share::{Shares, Visit};
use super::weight::Weight;
use crate::search::bounds::{self, Cost};

/// The children of a branch, by their numbers in [`Bits`]: a list for each thing known of them, so that
/// loops over all children run sixteen at a time.
#[derive(Debug, Default)]
pub(super) struct Children<T> {
    pub(super) weight: Vec<T>,
    /// No tree below costs less …
    pub(super) lower: Vec<Cost>,
    /// … and one of this cost is known.
    pub(super) upper: Vec<Cost>,
    /// What its row set is known by; empty until it is asked for.
    pub(super) key: Vec<u128>,
}

impl<T: Weight> Children<T> {
    pub(super) fn is_solved(&self, child: usize) -> bool {
        self.lower[child] >= self.upper[child]
    }

    /// Take over bounds that are tighter; whether any was.
    pub(super) fn tighten(&mut self, child: usize, known: Known) -> bool {
        let (lower, upper) = (self.lower[child], self.upper[child]);
        self.lower[child] = lower.max(known.lower);
        self.upper[child] = upper.min(known.upper);
        known.lower > lower || known.upper < upper
    }

    /// Raise a lower bound, no further than the upper one; whether it rose.
    #[inline(always)]
    pub(super) fn raise(&mut self, child: usize, bound: Cost) -> bool {
        let bound = bound.min(self.upper[child]);
        let rose = bound > self.lower[child];
        self.lower[child] = self.lower[child].max(bound);
        rose
    }

    pub(super) fn is_occupied(&self, child: usize) -> bool {
        self.weight[child] > T::default()
    }
}

/// The split actions: prices, and the sums of the children's bounds with them.
#[derive(Debug, Default)]
pub(super) struct Actions<T> {
    pub(super) price: Vec<Cost>,
    pub(super) lower: Vec<Cost>,
    pub(super) upper: Vec<Cost>,
    /// The weight of the heaviest child.
    pub(super) heaviest: Vec<T>,
}

impl<T> Actions<T> {
    pub(super) fn len(&self) -> usize {
        self.price.len()
    }

    /// Whether a tree may begin with an action.
    pub(super) fn is_allowed(&self, action: usize) -> bool {
        self.upper[action] < Cost::MAX
    }

    /// The actions that are allowed, the most promising first: those of the best tree known, then
    /// of the least bound, then in order.
    pub(super) fn by_promise(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).filter(|&a| self.is_allowed(a)).collect();
        order.sort_by_key(|&action| (self.upper[action], self.lower[action]));
        order
    }
}

/// A branch being worked on.
#[derive(Debug, Default)]
pub(super) struct Frame<T> {
    /// Its units, in order.
    pub(super) units: Vec<u32>,
    pub(super) key: u128,
    pub(super) left: Left,
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
    pub(super) children: Children<T>,
    pub(super) actions: Actions<T>,
    /// How its actions share its room.
    pub(super) shares: Shares,
    /// The child being searched.
    pub(super) visiting: Option<Visit>,
    /// Expansions done below, itself included.
    pub(super) work: u64,
    /// The bytes that it is counted with.
    pub(super) counted_bytes: usize,
    /// The classes that occur.
    pub(super) classes: Vec<u32>,
    /// For each of them its weight, and its weight in each column.
    pub(super) class_weights: Vec<T>,
    pub(super) column_weights: Vec<T>,
    pub(super) bits: Bits,
}

impl<T: Weight> Frame<T> {
    /// Hold these units, with any budget.
    pub(super) fn begin(&mut self, matrix: &Matrix, units: Vec<u32>, left: Left) {
        self.key = matrix.key_of(&units);
        self.units = units;
        self.left = left;
        self.budget = Cost::MAX;
        self.known_upper = Cost::MAX;
    }

    /// Take over what is known of the branch.
    pub(super) fn learn(&mut self, known: Known) {
        if known.upper < self.upper {
            (self.upper, self.best) = (known.upper, known.best);
        }
        self.lower = self.lower.max(known.lower.min(self.upper));
    }

    /// The weight of a class (by its place in `classes`) in a child of an action.
    #[inline(always)]
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
        let (place, n_binary) = (child - self.bits.stride, self.bits.n_binary);
        if place < n_binary { place } else { place - self.bits.first_multiway() + n_binary }
    }

    /// The children of an action, by number.
    pub(super) fn children_of(
        &self,
        action: usize,
    ) -> impl Iterator<Item = usize> + Clone + use<T> {
        self.bits.spans[action].children()
    }

    pub(super) fn unsolved_children(&self, action: usize) -> impl Iterator<Item = usize> {
        self.children_of(action).filter(|&child| !self.children.is_solved(child))
    }

    /// The child of least lower bound, of these; of several the lightest.
    pub(super) fn cheapest(&self, children: impl Iterator<Item = usize>) -> Option<usize> {
        children.min_by_key(|&child| (self.children.lower[child], self.children.weight[child]))
    }

    /// The number of children that have rows.
    pub(super) fn n_children(&self) -> usize {
        self.children.weight.iter().filter(|&&weight| weight > T::default()).count()
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        4 * self.units.capacity()
            + 8 * self.bits.words.capacity()
            + (32 + size_of::<T>()) * self.children.lower.capacity()
            + size_of::<T>() * self.column_weights.capacity()
            + (24 + size_of::<T>()) * self.actions.price.capacity()
            + 8 * self.columns.capacity()
            + self.shares.bytes()
    }

    /// Bring an action's sums up to date; what is forbidden stays so.
    pub(super) fn sum(&mut self, action: usize) {
        if !self.actions.is_allowed(action) {
            return;
        }
        let (lower, upper) =
            if self.is_limited() { self.shared_sums(action) } else { self.plain_sums(action) };
        debug_assert!(lower >= self.actions.lower[action], "bounds never fall");
        self.actions.lower[action] = lower;
        self.actions.upper[action] = upper;
        if upper < self.upper {
            self.upper = upper;
            self.best = Some(self.features[action]);
        }
    }

    fn plain_sums(&self, action: usize) -> (Cost, Cost) {
        let (mut lower, mut upper) = (self.actions.price[action], self.actions.price[action]);
        for child in self.children_of(action) {
            lower += self.children.lower[child];
            upper += self.children.upper[child];
        }
        (lower, upper)
    }

    /// Bring the lower sums of all yes/no features up to date.
    #[inline(always)]
    pub(super) fn sum_binary_lower(&mut self) {
        let (n_binary, stride) = (self.bits.n_binary, self.bits.stride);
        let with = &self.children.lower[..n_binary];
        let without = &self.children.lower[stride..stride + n_binary];
        let sums = self.actions.lower[..n_binary].iter_mut().zip(&self.actions.price);
        for ((sum, &price), (&with, &without)) in sums.zip(with.iter().zip(without)) {
            // What is forbidden stays so.
            *sum = (*sum).max(price.saturating_add(with + without));
        }
    }

    /// Let the children share what the branch is known to cost: [`bounds::remainder`].
    pub(super) fn share_lower(&mut self) {
        for action in 0..self.actions.len() {
            if self.actions.lower[action] >= self.lower || !self.actions.is_allowed(action) {
                continue;
            }
            let upper = self.actions.upper[action];
            let mut raised = false;
            for child in self.children_of(action) {
                let others = upper - self.children.upper[child];
                raised |= self.children.raise(child, bounds::remainder(self.lower, others));
            }
            if raised {
                self.sum(action);
            }
        }
    }
}
