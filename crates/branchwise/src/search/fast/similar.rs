//! Bounds that carry over between similar row sets.
//!
//! The inequality is [`bounds::similar`]: of two row sets T and c, a tree for c also serves T, but for
//! the rows F = T∖c. Two places use it:
//!
//! * the **chain**: a child of a branch against the same child of its parent, of which it is a part;
//! * **siblings**: children of the same branch by different features, which overlap.

use super::bits::Span;
use super::expand::Expander;
use super::frame::Frame;
use super::look_ahead::reset;
use super::matrix::Matrix;
use super::multiway::count_rows;
use super::weight::Weight;
use crate::limits::{Pulse, StopReason};
use crate::objective::Price;
use crate::search::Task;
use crate::search::bounds::{self, Cost};

/// Which comparisons a task allows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Similarity {
    /// A branch costs at least what each of its children does.
    pub(super) monotone: bool,
    /// Parent and child, and siblings, may be compared …
    similar: bool,
    /// … where room is limited, too …
    similar_in_room: bool,
    /// … and siblings be told apart by a split, too.
    siblings_split: bool,
}

impl Similarity {
    pub(super) fn of(task: Task, matrix: &Matrix) -> Self {
        let Task { objective, constraints, bounds, .. } = task;
        let all_binary = matrix.n_binary == matrix.features.len();
        let any_leaf = constraints.least_rows() == 1;
        let any_depth = constraints.max_depth.is_none();
        let similar =
            bounds.similar && any_leaf && (objective.price() == Price::Split || all_binary);
        let by_splits = constraints.room().is_none_or(|room| room.counts_splits());
        Similarity {
            monotone: bounds.monotone && any_leaf && any_depth,
            similar,
            similar_in_room: similar && (by_splits || all_binary),
            siblings_split: similar && any_depth,
        }
    }

    /// Whether the children of a branch may be compared with each other, and with theirs.
    pub(super) fn of_children<T: Weight>(self, frame: &Frame<T>) -> bool {
        if frame.is_limited() { self.similar_in_room } else { self.similar }
    }
}

impl<T: Weight> Expander<'_, T> {
    /// Raise the bounds of a branch's children by those of its parent's.
    #[inline(always)]
    pub(super) fn compare_with_parent(
        &mut self,
        frame: &mut Frame<T>,
        parent: &Frame<T>,
    ) -> Result<(), StopReason> {
        let objective = self.task.objective;
        let (right, split) = (objective.correct(1).units(), objective.cheapest_split().units());
        let delta = Delta { right, split: Some(split) };
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
    pub(super) fn pull(
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
        let delta = self.delta(frame);
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
    pub(super) fn spread(&mut self, frame: &mut Frame<T>, from: usize) -> Result<(), StopReason> {
        self.kernel.run(
            #[inline(always)]
            || self.spread_here(frame, from),
        )
    }

    #[inline(always)]
    fn spread_here(&mut self, frame: &mut Frame<T>, from: usize) -> Result<(), StopReason> {
        self.overlap.count(frame, from, &mut self.pulse)?;
        let delta = self.delta(frame);
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

    /// How much less a row set can cost than one that has some rows more.
    fn delta(&self, frame: &Frame<T>) -> Delta {
        let objective = self.task.objective;
        let split_off = self.similarity().siblings_split && !frame.is_limited();
        let split = objective.cheapest_split().units();
        Delta { right: objective.correct(1).units(), split: split_off.then_some(split) }
    }
}

/// What siblings can differ by: [`bounds::similar`].
#[derive(Clone, Copy)]
struct Delta {
    right: Cost,
    /// The price of parting them, where that is allowed.
    split: Option<Cost>,
}

impl Delta {
    /// By rows of this weight, and of this weight in their largest class.
    #[inline(always)]
    fn of<T: Weight>(self, apart: T, largest: T) -> Cost {
        let all_err = self.right * apart.wide() as Cost;
        let leaf = all_err - self.right * largest.wide() as Cost;
        let split_off = match self.split {
            Some(split) => split + leaf,
            None => all_err,
        };
        -bounds::similar(0, all_err, split_off)
    }
}

/// The rows that a branch's parent has and it has not.
#[derive(Debug, Default)]
pub(super) struct Outside<T> {
    /// For each child, the one of the parent by the same category. For padding it is any: padding costs
    /// nothing, whatever it is compared with.
    above: Vec<usize>,
    /// For each child, the weight of the largest class among the rows that it had in the parent.
    largest: Vec<T>,
    /// Of one class, the weight outside the branch, by the branch's columns.
    columns: Vec<T>,
}

impl<T: Weight> Outside<T> {
    #[inline(always)]
    fn compare(
        &mut self,
        frame: &Frame<T>,
        parent: &Frame<T>,
        pulse: &mut Pulse,
    ) -> Result<(), StopReason> {
        self.find_above(frame, parent);
        let (stride, of_parent) = (frame.bits.stride, parent.bits.stride);
        reset(&mut self.largest, frame.bits.n_children());
        for (k, class) in parent.classes.iter().enumerate() {
            pulse.spend(2 * stride + parent.classes.len())?;
            let here = frame.classes.iter().position(|c| c == class);
            let weights = &parent.column_weights[k * of_parent..(k + 1) * of_parent];
            let total =
                parent.class_weights[k] - here.map_or(T::default(), |c| frame.class_weights[c]);
            self.columns.clear();
            self.columns.extend(self.above[..stride].iter().map(|&above| weights[above]));
            if let Some(here) = here {
                let weights = &frame.column_weights[here * stride..(here + 1) * stride];
                for (outside, &weight) in self.columns.iter_mut().zip(weights) {
                    *outside = *outside - weight;
                }
            }
            let (with, without) = self.largest.split_at_mut(stride);
            for (largest, &outside) in with.iter_mut().zip(&self.columns) {
                *largest = (*largest).max(outside);
            }
            let (binary, multiway) = frame.bits.spans.split_at(frame.bits.n_binary);
            for (largest, &outside) in without.iter_mut().zip(&self.columns[..binary.len()]) {
                *largest = (*largest).max(total - outside);
            }
            for span in multiway {
                let rest = self.columns[span.columns()].iter().fold(total, |rest, &w| rest - w);
                self.largest[span.rest] = self.largest[span.rest].max(rest);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn find_above(&mut self, frame: &Frame<T>, parent: &Frame<T>) {
        self.above.clear();
        self.above.resize(frame.bits.n_children(), 0);
        let mut place = 0;
        for (feature, span) in frame.features.iter().zip(&frame.bits.spans) {
            while parent.features[place] != *feature {
                place += 1;
            }
            let above = parent.bits.spans[place];
            self.above[span.rest] = above.rest;
            for (column, above) in span.columns().zip(above.columns()) {
                self.above[column] = above;
            }
        }
    }
}

/// How one child overlaps with each column.
#[derive(Debug, Default)]
pub(super) struct Overlap<T> {
    /// The weight of the rows in both.
    both: Vec<T>,
    /// The largest class's weight in both, and in the child alone.
    both_largest: Vec<T>,
    only_largest: Vec<T>,
    /// By class and column.
    counts: Vec<T>,
    /// For yes/no features, by child: the weight outside the child, and that of its largest class.
    outside: Vec<T>,
    outside_largest: Vec<T>,
    stride: usize,
    n_classes: usize,
}

impl<T: Weight> Overlap<T> {
    /// Count the child's classes in every column.
    #[inline(always)]
    pub(super) fn count(
        &mut self,
        frame: &Frame<T>,
        child: usize,
        pulse: &mut Pulse,
    ) -> Result<(), StopReason> {
        let (bits, stride) = (&frame.bits, frame.bits.stride);
        (self.stride, self.n_classes) = (stride, bits.n_classes);
        reset(&mut self.counts, bits.n_classes * stride);
        if child < stride {
            count_rows(&mut self.counts, bits, child..child + 1, 0..stride, pulse)?;
        } else {
            let action = frame.action_of_rest(child);
            let columns = frame.bits.spans[action].columns();
            count_rows(&mut self.counts, bits, columns, 0..stride, pulse)?;
            for (rest, &all) in self.counts.iter_mut().zip(&frame.column_weights) {
                *rest = all - *rest;
            }
        }
        for list in [&mut self.both, &mut self.both_largest, &mut self.only_largest] {
            reset(list, stride);
        }
        for class in 0..bits.n_classes {
            pulse.spend(3 * stride)?;
            let total = frame.class_weight_of(class, child);
            let counts = &self.counts[class * stride..(class + 1) * stride];
            for (both, &count) in self.both.iter_mut().zip(counts) {
                *both += count;
            }
            for (largest, &count) in self.both_largest.iter_mut().zip(counts) {
                *largest = (*largest).max(count);
            }
            for (largest, &count) in self.only_largest.iter_mut().zip(counts) {
                *largest = (*largest).max(total - count);
            }
        }
        Ok(())
    }

    /// Count the rows of the yes/no features' children that are not in this one.
    #[inline(always)]
    fn count_outside(&mut self, frame: &Frame<T>, (action, child): (usize, usize)) {
        let (n_binary, stride) = (frame.bits.n_binary, self.stride);
        for list in [&mut self.outside, &mut self.outside_largest] {
            reset(list, stride + n_binary);
        }
        let (with, without) = self.outside.split_at_mut(stride);
        let (with_largest, without_largest) = self.outside_largest.split_at_mut(stride);
        for class in 0..self.n_classes {
            let in_child = frame.class_weight(class, action, child);
            let outside_child = frame.class_weights[class] - in_child;
            let counts = &self.counts[class * stride..class * stride + n_binary];
            let columns = &frame.column_weights[class * stride..class * stride + n_binary];
            for (b, (&both, &column)) in counts.iter().zip(columns).enumerate() {
                let only = column - both;
                with[b] += only;
                with_largest[b] = with_largest[b].max(only);
                let rest_only = outside_child - only;
                without[b] += rest_only;
                without_largest[b] = without_largest[b].max(rest_only);
            }
        }
    }

    /// The rows of a multi-way feature's child that are not in this one: their weight and that of
    /// their largest class.
    #[inline(always)]
    fn outside(
        &self,
        frame: &Frame<T>,
        (action, child): (usize, usize),
        (other_action, other): (usize, usize),
    ) -> (T, T) {
        let (mut apart, mut largest) = (T::default(), T::default());
        for class in 0..self.n_classes {
            let counts = &self.counts[class * self.stride..(class + 1) * self.stride];
            let both = match counts.get(other) {
                Some(&both) => both,
                None => {
                    let columns = &counts[frame.bits.spans[other_action].columns()];
                    let of_child = frame.class_weight(class, action, child);
                    columns.iter().fold(of_child, |rest, &weight| rest - weight)
                }
            };
            let only = frame.class_weight(class, other_action, other) - both;
            apart += only;
            largest = largest.max(only);
        }
        (apart, largest)
    }

    /// The child's rows that are not in a feature's rest: their weight and that of their largest class.
    #[inline(always)]
    fn outside_rest(&self, span: Span) -> (T, T) {
        let of_class = |class: usize| {
            let counts = &self.counts[class * self.stride..(class + 1) * self.stride];
            counts[span.columns()].iter().fold(T::default(), |sum, &count| sum + count)
        };
        let weights = (0..self.n_classes).map(of_class);
        (weights.clone().fold(T::default(), |sum, w| sum + w), weights.max().unwrap_or_default())
    }
}
