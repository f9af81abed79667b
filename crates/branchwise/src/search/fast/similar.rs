//! Bounds that carry over between similar row sets.
//!
//! The inequality is [`bounds::similar`]: of two row sets T and c, a tree for c also serves T, but for
//! the rows F = T∖c. Two places use it:
//!
//! * the **chain**: a child of a branch against the same child of its parent, of which it is a part;
//! * **siblings**: children of the same branch by different features, which overlap.

use super::bits::Span;
use super::expand::Expander;
use super::frame::{Child, Frame};
use super::look_ahead::reset;
use super::matrix::Matrix;
use super::multiway::count_column;
use super::weight::Weight;
use crate::objective::Price;
use crate::search::Task;
use crate::search::bounds::{self, Cost};

/// Which comparisons a task allows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Similarity {
    /// A branch costs at least what each of its children does.
    pub(super) monotone: bool,
    /// Parent and child, and siblings, may be compared …
    pub(super) similar: bool,
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
        Similarity {
            monotone: bounds.monotone && any_leaf && any_depth,
            similar,
            siblings_split: similar && any_depth,
        }
    }
}

impl<T: Weight> Expander<'_, T> {
    /// Raise the bounds of a branch's children by those of its parent's.
    pub(super) fn compare_with_parent(&self, frame: &mut Frame<T>, parent: &Frame<T>) {
        let objective = self.task.objective;
        let (right, split) = (objective.correct(1).units(), objective.cheapest_split().units());
        // The branch's number of each of the parent's classes.
        let class_of: Vec<Option<usize>> = parent
            .classes
            .iter()
            .map(|class| frame.classes.iter().position(|c| c == class))
            .collect();
        let mut place = 0;
        for action in 0..frame.features.len() {
            while parent.features[place] != frame.features[action] {
                place += 1;
            }
            for (x, y) in
                frame.bits.spans[action].children().zip(parent.bits.spans[place].children())
            {
                let (child, other) = (frame.children[x], parent.children[y]);
                let apart = right * (other.weight - child.weight) as Cost;
                if child.is_solved() || other.lower - apart.min(split) <= child.lower {
                    continue;
                }
                let largest = class_of.iter().enumerate().map(|(k, &class)| {
                    let here =
                        class.map_or(T::default(), |class| frame.class_weight(class, action, x));
                    parent.class_weight(k, place, y) - here
                });
                let largest = largest.max().unwrap_or_default().wide();
                let leaf = apart - right * largest as Cost;
                let lower = bounds::similar(other.lower, apart, split + leaf);
                frame.children[x].lower = child.lower.max(lower.min(child.upper));
            }
        }
    }

    /// Raise a child's bound by those of the children that it overlaps with; whether it rose.
    pub(super) fn pull(&mut self, frame: &mut Frame<T>, (action, child): (usize, usize)) -> bool {
        let objective = self.task.objective;
        let (right, split) = (objective.correct(1).units(), objective.cheapest_split().units());
        let siblings_split = self.similarity().siblings_split;
        self.kernel.overlap(&mut self.overlap, frame, child);
        let Child { lower: before, upper, .. } = frame.children[child];
        let mut lower = before;
        for (other_action, span) in frame.bits.spans.iter().enumerate() {
            for other in span.children() {
                let bound = frame.children[other].lower;
                if bound <= lower || other_action == action {
                    continue;
                }
                let (apart, largest) =
                    self.overlap.outside(frame, (action, child), (other_action, other));
                let all_err = right * apart as Cost;
                let leaf = right * (apart - largest) as Cost;
                let split_off = if siblings_split { split + leaf } else { all_err };
                lower = lower.max(bounds::similar(bound, all_err, split_off));
            }
        }
        let rose = lower.min(upper) > before;
        if rose {
            frame.children[child].lower = lower.min(upper);
            frame.sum(action);
        }
        rose
    }

    /// A child's bound has risen: raise those of the children that it overlaps with.
    pub(super) fn spread(&mut self, frame: &mut Frame<T>, from: usize) {
        let allowed = self.similarity();
        let objective = self.task.objective;
        let (right, split) = (objective.correct(1).units(), objective.cheapest_split().units());
        let Child { lower, weight, .. } = frame.children[from];
        self.kernel.overlap(&mut self.overlap, frame, from);
        let raise = |child: &mut Child, apart: u64, largest: u64| {
            if child.is_solved() || child.weight == 0 {
                return false;
            }
            let all_err = right * apart as Cost;
            let leaf = right * (apart - largest) as Cost;
            let split_off = if allowed.siblings_split { split + leaf } else { all_err };
            let bound = bounds::similar(lower, all_err, split_off).min(child.upper);
            let raised = bound > child.lower;
            child.lower = child.lower.max(bound);
            raised
        };
        for action in 0..frame.bits.spans.len() {
            let span = frame.bits.spans[action];
            if span.children().any(|child| child == from) {
                continue;
            }
            let mut raised = false;
            for b in span.columns() {
                let apart = weight - self.overlap.both[b].wide();
                raised |= raise(&mut frame.children[b], apart, self.overlap.only_largest[b].wide());
            }
            let (apart, largest) = self.overlap.outside_rest(span);
            raised |= raise(&mut frame.children[span.rest], apart, largest);
            if raised {
                frame.sum(action);
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
    stride: usize,
    n_classes: usize,
}

impl<T: Weight> Overlap<T> {
    /// Count the child's classes in every column.
    #[inline(always)]
    pub(super) fn count(&mut self, frame: &Frame<T>, child: usize) {
        let (bits, stride) = (&frame.bits, frame.bits.stride);
        (self.stride, self.n_classes) = (stride, bits.n_classes);
        reset(&mut self.counts, bits.n_classes * stride);
        if child < stride {
            count_column(&mut self.counts, bits, child, 0..stride);
        } else {
            let action = frame.action_of_rest(child);
            for a in frame.bits.spans[action].columns() {
                count_column(&mut self.counts, bits, a, 0..stride);
            }
            for (rest, &all) in self.counts.iter_mut().zip(&frame.column_weights) {
                *rest = all - *rest;
            }
        }
        for list in [&mut self.both, &mut self.both_largest, &mut self.only_largest] {
            reset(list, stride);
        }
        for class in 0..bits.n_classes {
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
    }

    /// The rows of another child that are not in this one: their weight and that of their largest
    /// class.
    fn outside(
        &self,
        frame: &Frame<T>,
        (action, child): (usize, usize),
        (other_action, other): (usize, usize),
    ) -> (u64, u64) {
        let (mut apart, mut largest) = (0, 0);
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
            let only = (frame.class_weight(class, other_action, other) - both).wide();
            apart += only;
            largest = largest.max(only);
        }
        (apart, largest)
    }

    /// The child's rows that are not in a feature's rest: their weight and that of their largest class.
    fn outside_rest(&self, span: Span) -> (u64, u64) {
        if span.n == 1 {
            return (self.both[span.first].wide(), self.both_largest[span.first].wide());
        }
        let of_class = |class: usize| {
            let counts = &self.counts[class * self.stride..(class + 1) * self.stride];
            counts[span.columns()].iter().map(|count| count.wide()).sum::<u64>()
        };
        let weights = (0..self.n_classes).map(of_class);
        (weights.clone().sum(), weights.max().unwrap_or(0))
    }
}
