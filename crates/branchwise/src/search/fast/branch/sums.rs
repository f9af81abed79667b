//! From the bounds of children to those of actions and of the branch.

use super::frame::Frame;
use crate::search::bounds::{self, Cost};
use crate::search::fast::layout::Weight;

impl<T: Weight> Frame<T> {
    /// Bring an action's sums up to date; what is forbidden stays so.
    pub(crate) fn sum(&mut self, action: usize) {
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
            self.best = Some(self.bits.questions[action]);
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
    pub(crate) fn sum_binary_lower(&mut self) {
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
    pub(crate) fn share_lower(&mut self) {
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
