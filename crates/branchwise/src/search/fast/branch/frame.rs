//! A branch on the search's stack: its rows, its children with their bounds, its split actions.

use super::children::{Actions, Children};
use super::remaining::Remaining;
use super::shares::{Shares, Visit};
use crate::search::bounds::Cost;
use crate::search::fast::layout::{Bits, Matrix, Weight};
use crate::search::fast::memo::Known;

/// A branch being worked on.
#[derive(Debug, Default)]
pub(crate) struct Frame<T> {
    /// Its units, in order.
    pub(crate) units: Vec<u32>,
    pub(crate) key: u128,
    pub(crate) remaining: Remaining,
    /// The search below gives up when it knows that no tree costs at most this.
    pub(crate) budget: Cost,
    /// The cost of a tree that is known otherwise: from the memo, or to another worker.
    pub(crate) known_upper: Cost,
    /// What it costs to leave it unsplit.
    pub(crate) leaf: Cost,
    pub(crate) lower: Cost,
    pub(crate) upper: Cost,
    /// The first split of the tree that costs `upper`; `None`: no split.
    pub(crate) best: Option<u32>,
    /// By the numbering of [`Bits`].
    pub(crate) children: Children<T>,
    pub(crate) actions: Actions<T>,
    /// How its actions share its room.
    pub(crate) shares: Shares,
    /// The child being searched.
    pub(crate) visiting: Option<Visit>,
    /// Expansions done below, itself included.
    pub(crate) work: u64,
    /// The bytes that it is counted with.
    pub(crate) counted_bytes: usize,
    /// For each class that occurs its weight, and its weight in each column.
    pub(crate) class_weights: Vec<T>,
    pub(crate) column_weights: Vec<T>,
    pub(crate) bits: Bits,
}

impl<T: Weight> Frame<T> {
    /// Hold these units, with any budget.
    pub(crate) fn begin(&mut self, matrix: &Matrix, units: Vec<u32>, remaining: Remaining) {
        self.key = matrix.key_of(&units);
        self.units = units;
        self.remaining = remaining;
        self.budget = Cost::MAX;
        self.known_upper = Cost::MAX;
    }

    /// Take over what is known of the branch.
    pub(crate) fn learn(&mut self, known: Known) {
        if known.upper < self.upper {
            (self.upper, self.best) = (known.upper, known.best);
        }
        self.lower = self.lower.max(known.lower.min(self.upper));
    }

    /// The weight of a class (by its place in `classes`) in a child of an action.
    #[inline(always)]
    pub(crate) fn class_weight(&self, class: usize, action: usize, child: usize) -> T {
        let columns = &self.column_weights
            [class * self.bits.columns.len()..(class + 1) * self.bits.columns.len()];
        match columns.get(child) {
            Some(&weight) => weight,
            None => {
                let columns = &columns[self.bits.spans[action].columns()];
                columns.iter().fold(self.class_weights[class], |rest, &weight| rest - weight)
            }
        }
    }

    /// The same for a child of any action.
    pub(crate) fn class_weight_of(&self, class: usize, child: usize) -> T {
        let action =
            if child < self.bits.columns.len() { 0 } else { self.bits.action_of_rest(child) };
        self.class_weight(class, action, child)
    }

    /// The children of an action, by number.
    pub(crate) fn children_of(
        &self,
        action: usize,
    ) -> impl Iterator<Item = usize> + Clone + use<T> {
        self.bits.children_of(action)
    }

    pub(crate) fn unsolved_children(&self, action: usize) -> impl Iterator<Item = usize> {
        self.children_of(action).filter(|&child| !self.children.is_solved(child))
    }

    /// The child of least lower bound, of these; of several the lightest.
    pub(crate) fn cheapest(&self, children: impl Iterator<Item = usize>) -> Option<usize> {
        children.min_by_key(|&child| (self.children.lower[child], self.children.weight[child]))
    }

    /// The number of children that have rows.
    pub(crate) fn n_children(&self) -> usize {
        self.children.weight.iter().filter(|&&weight| weight > T::default()).count()
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        4 * self.units.capacity()
            + 8 * self.bits.words.capacity()
            + (32 + size_of::<T>()) * self.children.lower.capacity()
            + size_of::<T>() * self.column_weights.capacity()
            + (24 + size_of::<T>()) * self.actions.price.capacity()
            + 8 * self.bits.columns.capacity()
            + self.shares.bytes()
    }
}
