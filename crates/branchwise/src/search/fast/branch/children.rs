//! A branch's children and split actions, with their bounds: a list for each thing known of them.

use crate::search::bounds::Cost;
use crate::search::fast::layout::Weight;
use crate::search::fast::memo::Known;

/// The children of a branch, by their numbers in [`Bits`](crate::search::fast::layout::Bits): a list for each thing known of them, so that
/// loops over all children run sixteen at a time.
#[derive(Debug, Default)]
pub(crate) struct Children<T> {
    pub(crate) weight: Vec<T>,
    /// No tree below costs less …
    pub(crate) lower: Vec<Cost>,
    /// … and one of this cost is known.
    pub(crate) upper: Vec<Cost>,
    /// What its row set is known by; empty until it is asked for.
    pub(crate) key: Vec<u128>,
}

impl<T: Weight> Children<T> {
    pub(crate) fn is_solved(&self, child: usize) -> bool {
        self.lower[child] >= self.upper[child]
    }

    /// Take over bounds that are tighter; whether any was.
    pub(crate) fn tighten(&mut self, child: usize, known: Known) -> bool {
        let (lower, upper) = (self.lower[child], self.upper[child]);
        self.lower[child] = lower.max(known.lower);
        self.upper[child] = upper.min(known.upper);
        known.lower > lower || known.upper < upper
    }

    /// Raise a lower bound, no further than the upper one; whether it rose.
    #[inline(always)]
    pub(crate) fn raise(&mut self, child: usize, bound: Cost) -> bool {
        let bound = bound.min(self.upper[child]);
        let rose = bound > self.lower[child];
        self.lower[child] = self.lower[child].max(bound);
        rose
    }

    pub(crate) fn is_occupied(&self, child: usize) -> bool {
        self.weight[child] > T::default()
    }
}

/// The split actions: prices, and the sums of the children's bounds with them.
#[derive(Debug, Default)]
pub(crate) struct Actions<T> {
    pub(crate) price: Vec<Cost>,
    pub(crate) lower: Vec<Cost>,
    pub(crate) upper: Vec<Cost>,
    /// The weight of the heaviest child.
    pub(crate) heaviest: Vec<T>,
}

impl<T> Actions<T> {
    pub(crate) fn len(&self) -> usize {
        self.price.len()
    }

    /// Whether a tree may begin with an action.
    pub(crate) fn is_allowed(&self, action: usize) -> bool {
        self.upper[action] < Cost::MAX
    }

    /// The actions that are allowed, the most promising first: those of the best tree known, then
    /// of the least bound, then in order.
    pub(crate) fn by_promise(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).filter(|&a| self.is_allowed(a)).collect();
        order.sort_by_key(|&action| (self.upper[action], self.lower[action]));
        order
    }
}
