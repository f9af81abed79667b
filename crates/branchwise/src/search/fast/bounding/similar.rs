//! Bounds that carry over between similar row sets.
//!
//! The inequality is [`bounds::similar`](crate::search::bounds::similar): of two row sets T and c, a tree for c also serves T, but for
//! the rows F = T∖c. Two places use it:
//!
//! * the **chain**: a child of a branch against the same child of its parent, of which it is a part;
//! * **siblings**: children of the same branch by different features, which overlap.

use super::Expander;
use super::overlap::Overlap;
use crate::limits::StopReason;
use crate::search::fast::branch::Frame;
use crate::search::fast::layout::Weight;

impl<T: Weight> Expander<'_, T> {
    /// Raise the bounds of a branch's children by those of its parent's.
    #[inline(always)]
    pub(crate) fn compare_with_parent(
        &mut self,
        frame: &mut Frame<T>,
        parent: &Frame<T>,
    ) -> Result<(), StopReason> {
        let delta = self.rules.delta_to_parent();
        let mut outside = std::mem::take(&mut self.outside);
        outside.compare(frame, parent, &mut self.pulse)?;
        let children = &mut frame.children;
        let bounds = children.lower.iter_mut().zip(&children.upper);
        let weights = children.weight.iter().zip(&outside.largest);
        for (((lower, &upper), (&weight, &largest)), &above) in
            bounds.zip(weights).zip(&outside.above)
        {
            let apart = parent.children.weight[above] - weight;
            let bound = parent.children.lower[above] - delta.of(apart, largest);
            *lower = (*lower).max(bound.min(upper));
        }
        self.outside = outside;
        Ok(())
    }

    /// Raise a child's bound by those of the children that it overlaps with; whether it rose.
    pub(crate) fn pull(
        &mut self,
        frame: &mut Frame<T>,
        to: (usize, usize),
    ) -> Result<bool, StopReason> {
        self.kernel.run(
            #[inline(always)]
            || self.pull_here(frame, to),
        )
    }

    #[inline(always)]
    fn pull_here(
        &mut self,
        frame: &mut Frame<T>,
        (action, child): (usize, usize),
    ) -> Result<bool, StopReason> {
        self.overlap.count(frame, child, &mut self.pulse)?;
        self.overlap.count_outside(frame, (action, child));
        let delta = self.rules.delta_between_siblings(frame.remaining);
        let (n_binary, stride) = (frame.bits.n_binary, frame.bits.stride);
        let Overlap { outside, outside_largest, .. } = &self.overlap;
        let mut bound = frame.children.lower[child];
        for others in [0..n_binary, stride..stride + n_binary] {
            let apart = outside[others.clone()].iter().zip(&outside_largest[others.clone()]);
            for (&lower, (&apart, &largest)) in frame.children.lower[others].iter().zip(apart) {
                bound = bound.max(lower - delta.of(apart, largest));
            }
        }
        for other_action in n_binary..frame.bits.spans.len() {
            for other in frame.children_of(other_action) {
                let lower = frame.children.lower[other];
                if lower > bound && other_action != action {
                    let (apart, largest) =
                        self.overlap.outside(frame, (action, child), (other_action, other));
                    bound = bound.max(lower - delta.of(apart, largest));
                }
            }
        }
        let rose = frame.children.raise(child, bound);
        if rose {
            frame.sum(action);
        }
        Ok(rose)
    }

    /// A child's bound has risen: raise those of the children that it overlaps with.
    pub(crate) fn spread(&mut self, frame: &mut Frame<T>, from: usize) -> Result<(), StopReason> {
        self.kernel.run(
            #[inline(always)]
            || self.spread_here(frame, from),
        )
    }

    #[inline(always)]
    fn spread_here(&mut self, frame: &mut Frame<T>, from: usize) -> Result<(), StopReason> {
        self.overlap.count(frame, from, &mut self.pulse)?;
        let delta = self.rules.delta_between_siblings(frame.remaining);
        let (n_binary, stride) = (frame.bits.n_binary, frame.bits.stride);
        let (lower, weight) = (frame.children.lower[from], frame.children.weight[from]);
        let Overlap { both, both_largest, only_largest, .. } = &self.overlap;
        // The child's own bounds do not rise by this: it differs from itself by nothing, and from its
        // sibling by everything.
        let (with, without) = frame.children.lower.split_at_mut(stride);
        let (with_upper, without_upper) = frame.children.upper.split_at(stride);
        for b in 0..n_binary {
            let bound = lower - delta.of(weight - both[b], only_largest[b]);
            with[b] = with[b].max(bound.min(with_upper[b]));
        }
        for b in 0..n_binary {
            let bound = lower - delta.of(both[b], both_largest[b]);
            without[b] = without[b].max(bound.min(without_upper[b]));
        }
        frame.sum_binary_lower();
        for action in n_binary..frame.bits.spans.len() {
            let span = frame.bits.spans[action];
            if span.children().any(|child| child == from) {
                continue;
            }
            let mut raised = false;
            for b in span.columns() {
                let delta = delta.of(weight - self.overlap.both[b], self.overlap.only_largest[b]);
                raised |= frame.children.raise(b, lower - delta);
            }
            let (apart, largest) = self.overlap.outside_rest(span);
            raised |= frame.children.raise(span.rest, lower - delta.of(apart, largest));
            if raised {
                frame.sum(action);
            }
        }
        Ok(())
    }
}
