//! By which rows two row sets differ: a child and the same child of the parent, or two children.

use super::counts::count_rows;
use crate::limits::{Pulse, StopReason};
use crate::search::bounds::{self, Cost};
use crate::search::fast::branch::Frame;
use crate::search::fast::layout::{Span, Weight, reset};

/// What siblings can differ by: [`bounds::similar`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Delta {
    pub(super) right: Cost,
    /// The price of parting them, where that is allowed.
    pub(super) split: Option<Cost>,
}

impl Delta {
    /// By rows of this weight, and of this weight in their largest class.
    #[inline(always)]
    pub(super) fn of<T: Weight>(self, apart: T, largest: T) -> Cost {
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
    pub(super) above: Vec<usize>,
    /// For each child, the weight of the largest class among the rows that it had in the parent.
    pub(super) largest: Vec<T>,
    /// Of one class, the weight outside the branch, by the branch's columns.
    columns: Vec<T>,
}

impl<T: Weight> Outside<T> {
    #[inline(always)]
    pub(super) fn compare(
        &mut self,
        frame: &Frame<T>,
        parent: &Frame<T>,
        pulse: &mut Pulse,
    ) -> Result<(), StopReason> {
        self.find_above(frame, parent);
        let (stride, of_parent) = (frame.bits.stride, parent.bits.stride);
        reset(&mut self.largest, frame.bits.n_children());
        for (k, class) in parent.bits.classes.iter().enumerate() {
            pulse.spend(2 * stride + parent.bits.classes.len())?;
            let here = frame.bits.classes.iter().position(|c| c == class);
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
        for (feature, span) in frame.bits.questions.iter().zip(&frame.bits.spans) {
            while parent.bits.questions[place] != *feature {
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
    pub(super) both: Vec<T>,
    /// The largest class's weight in both, and in the child alone.
    pub(super) both_largest: Vec<T>,
    pub(super) only_largest: Vec<T>,
    /// By class and column.
    counts: Vec<T>,
    /// For yes/no features, by child: the weight outside the child, and that of its largest class.
    pub(super) outside: Vec<T>,
    pub(super) outside_largest: Vec<T>,
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
            let action = frame.bits.action_of_rest(child);
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
    pub(super) fn count_outside(&mut self, frame: &Frame<T>, (action, child): (usize, usize)) {
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
    pub(super) fn outside(
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
    pub(super) fn outside_rest(&self, span: Span) -> (T, T) {
        let of_class = |class: usize| {
            let counts = &self.counts[class * self.stride..(class + 1) * self.stride];
            counts[span.columns()].iter().fold(T::default(), |sum, &count| sum + count)
        };
        let weights = (0..self.n_classes).map(of_class);
        (weights.clone().fold(T::default(), |sum, w| sum + w), weights.max().unwrap_or_default())
    }
}
