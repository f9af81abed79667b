//! Weights of units as bit masks, so that a weighted count is a few bit counts.

use super::unit::{Unit, common_factor, units_of};
use crate::rowset::{Counting, RowSet, Support};

/// Units of one class, as the words that the class has in row sets.
#[derive(Clone, Debug)]
struct Mask {
    /// The first of these words.
    first: usize,
    words: Vec<u64>,
}

/// One slice of weights: units that are in `mask` (or all) weigh `worth` more.
#[derive(Clone, Debug)]
struct Slice {
    mask: Option<Mask>,
    worth: u64,
}

/// Weights of units, sliced by class.
#[derive(Clone, Debug)]
pub(super) struct WeightMasks {
    classes: Vec<Vec<Slice>>,
}

impl WeightMasks {
    /// The masks for units sorted by class, of which `weight` says what each weighs.
    pub(super) fn new(
        units: &[Unit],
        bits: &[usize],
        class_ends: &[usize],
        weight: &dyn Fn(&Unit) -> u64,
    ) -> Self {
        let slices_of = |class: usize| -> Vec<Slice> {
            let range = units_of(units, class);
            let members = || units[range.clone()].iter().zip(&bits[range.clone()]);
            let common = common_factor(&units[range.clone()], weight);
            if common == 0 {
                return Vec::new();
            }
            if members().all(|(unit, _)| weight(unit) == common) {
                return vec![Slice { mask: None, worth: common }];
            }
            let largest = members().map(|(unit, _)| weight(unit) / common).max().unwrap_or(0);
            (0..u64::BITS - largest.leading_zeros())
                .map(|bit| {
                    let first = class.checked_sub(1).map_or(0, |before| class_ends[before]);
                    let mut mask = RowSet::empty(class_ends[class] - first);
                    members()
                        .filter(|(unit, _)| (weight(unit) / common) >> bit & 1 == 1)
                        .for_each(|(_, &place)| mask.insert(place - 64 * first));
                    let mask = Mask { first, words: mask.words().to_vec() };
                    Slice { mask: Some(mask), worth: common << bit }
                })
                .collect()
        };
        WeightMasks { classes: (0..class_ends.len()).map(slices_of).collect() }
    }

    /// Number of words held.
    pub(super) fn n_words(&self) -> usize {
        let of_slice = |slice: &Slice| slice.mask.as_ref().map_or(0, |mask| mask.words.len());
        self.classes.iter().flatten().map(of_slice).sum()
    }

    /// The weight of each class among the supported units of a set.
    pub(super) fn count(
        &self,
        counting: Counting,
        support: &Support,
        set: &[u64],
        counts: &mut [u64],
    ) {
        counts.fill(0);
        for (class, places, words) in support.stretches() {
            counts[class] = self.classes[class]
                .iter()
                .map(|slice| {
                    let mask = slice.mask.as_ref().map(|mask| (mask.first, &mask.words[..]));
                    slice.worth * counting.count(places, words, set, mask)
                })
                .sum();
        }
    }
}
