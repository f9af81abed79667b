//! What counting finds for every child of a branch.

use crate::limits::{Pulse, StopReason};
use crate::search::fast::layout::{Bits, Weight, reset};
use std::ops::Range;

/// What is found for every child.
#[derive(Debug, Default)]
pub(crate) struct Counts<T> {
    /// For each class, the weight in each column, at class · stride + b.
    pub(crate) column_weights: Vec<T>,
    /// For each class, the weight of the branch.
    pub(crate) class_weights: Vec<T>,
    /// For each child, its weight and that of its largest class.
    pub(crate) weight: Vec<T>,
    pub(crate) largest: Vec<T>,
    /// The most that a single split of the child by a question with two answers gets right …
    pub(crate) best_binary: Vec<T>,
    /// … and one by any question.
    pub(crate) best: Vec<T>,
    /// The most that a split by a question with more answers is worth, its price deducted.
    pub(crate) best_multiway: Vec<Option<i64>>,
    /// The fewest errors that two splits could leave.
    pub(crate) two_splits: Vec<T>,
}

impl<T: Weight> Counts<T> {
    /// Count the columns alone.
    #[inline(always)]
    pub(crate) fn count_columns(
        &mut self,
        bits: &Bits,
        pulse: &mut Pulse,
    ) -> Result<(), StopReason> {
        let stride = bits.stride;
        self.class_weights.clear();
        self.class_weights.resize(bits.n_classes, T::default());
        reset(&mut self.column_weights, bits.n_classes * stride);
        let mut words = bits.words.chunks_exact(stride.max(1));
        for group in &bits.groups {
            self.class_weights[group.class] += T::of(group.worth * group.n_units as u64);
            let totals = &mut self.column_weights[group.class * stride..(group.class + 1) * stride];
            for word in words.by_ref().take(group.n_words) {
                pulse.spend(stride)?;
                for (total, &column) in totals.iter_mut().zip(word) {
                    *total += T::count(column) * T::of(group.worth);
                }
            }
        }
        reset(&mut self.weight, bits.n_children());
        reset(&mut self.largest, bits.n_children());
        for class in 0..bits.n_classes {
            pulse.spend(2 * stride)?;
            let column_weights = &self.column_weights[class * stride..(class + 1) * stride];
            for ((weight, largest), &of_class) in
                self.weight.iter_mut().zip(&mut self.largest).zip(column_weights)
            {
                *weight += of_class;
                *largest = (*largest).max(of_class);
            }
            for span in &bits.spans {
                let has = column_weights[span.columns()].iter().fold(T::default(), |s, &w| s + w);
                let rest = self.class_weights[class] - has;
                self.weight[span.rest] += rest;
                self.largest[span.rest] = self.largest[span.rest].max(rest);
            }
        }
        Ok(())
    }
}

/// Count the classes of the rows that have one of a feature's columns `with`, and each of some columns.
#[inline(always)]
pub(crate) fn count_rows<T: Weight>(
    counts: &mut [T],
    bits: &Bits,
    with: Range<usize>,
    columns: Range<usize>,
    pulse: &mut Pulse,
) -> Result<(), StopReason> {
    let stride = bits.stride;
    let most_at_once = (BETWEEN_SPENDS / stride).max(1);
    let mut words = bits.words.chunks_exact(stride);
    for group in &bits.groups {
        let start = group.class * stride;
        let totals = &mut counts[start + columns.start..start + columns.end];
        let mut left = group.n_words;
        while left > 0 {
            let n_words = left.min(most_at_once);
            left -= n_words;
            pulse.spend(n_words * (with.len() + columns.len()))?;
            for word in words.by_ref().take(n_words) {
                let has = match with.len() {
                    1 => word[with.start],
                    _ => word[with.clone()].iter().fold(0, |has, column| has | column),
                };
                if has != 0 {
                    for (total, &column) in totals.iter_mut().zip(&word[columns.clone()]) {
                        *total += T::count(has & column) * T::of(group.worth);
                    }
                }
            }
        }
    }
    Ok(())
}

/// The words that are counted between two looks at how much work was done.
const BETWEEN_SPENDS: usize = 1 << 18;
