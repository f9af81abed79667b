//! Two steps at once: for every child of a branch, its best single split, from pair counts.
//!
//! For the branch's columns a and b the classes of the rows that have both are counted; with the
//! counts of the columns alone, those of all combinations follow, the categories without a column
//! included. So for every child of every split, and every further split of it, we know exactly how
//! many rows get their class right; that is the best tree with one split for each child, and, by
//! [`two_splits`](crate::search::bounds::two_splits), a bound on its trees with two.
//!
//! Here stand the columns alone and the pairs of features with two categories, sixteen at a time;
//! [`multiway`](super::multiway) adds the pairs with other features.

use super::bits::{Bits, LANES, WordGroup};
use super::multiway::Pairs;
use super::weight::Weight;
use crate::limits::{Pulse, StopReason};
use crate::objective::Objective;

type Lanes<T> = [T; LANES];

/// What is found for every child.
#[derive(Debug, Default)]
pub(super) struct LookAhead<T> {
    /// For each class, the weight in each column, at class · stride + b.
    pub(super) column_weights: Vec<T>,
    /// For each class, the weight of the branch.
    pub(super) class_weights: Vec<T>,
    /// For each child, its weight and that of its largest class.
    pub(super) weight: Vec<T>,
    pub(super) largest: Vec<T>,
    /// The most that a single split of the child by a feature with two categories gets right …
    pub(super) best_binary: Vec<T>,
    /// … and one by any feature.
    pub(super) best: Vec<T>,
    /// The most that a split by a feature with more categories is worth, its price deducted.
    pub(super) best_multiway: Vec<Option<i64>>,
    /// The fewest errors that two splits could leave.
    pub(super) two_splits: Vec<T>,
    one_split: Vec<T>,
    cells: Vec<Cells<T>>,
    pairs: Pairs<T>,
}

/// Work that need not be looked at in pieces.
const LITTLE: usize = 1 << 18;

/// For one column and sixteen others: the weight of the rows with both, and the largest class's
/// weight where (both, the first only, the second only, none) are had.
#[derive(Clone, Copy, Debug)]
struct Cells<T> {
    both: Lanes<T>,
    largest: [Lanes<T>; 4],
}

impl<T: Weight> LookAhead<T> {
    /// Count the columns alone.
    #[inline(always)]
    pub(super) fn count_columns(
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

    /// The bytes that counting the pairs of a branch takes.
    pub(super) fn pair_bytes(bits: &Bits) -> usize {
        n_cells(bits) * size_of::<Cells<T>>() + Pairs::<T>::bytes_for(bits)
    }

    /// Those among them that are not held from before.
    pub(super) fn more_pair_bytes(&self, bits: &Bits) -> usize {
        let held = self.cells.capacity() * size_of::<Cells<T>>() + self.pairs.bytes();
        Self::pair_bytes(bits).saturating_sub(held)
    }

    /// Count all pairs, and find every child's best single split and, if asked for, its bound for two.
    #[inline(always)]
    pub(super) fn count_pairs(
        &mut self,
        bits: &Bits,
        objective: &Objective,
        two_splits: bool,
        pulse: &mut Pulse,
    ) -> Result<(), StopReason> {
        reset(&mut self.best_binary, bits.n_children());
        self.best_multiway.clear();
        self.best_multiway.resize(bits.n_children(), None);
        self.cells.clear();
        if two_splits {
            self.cells.reserve(n_cells(bits));
        }
        for i in 0..bits.n_binary {
            self.count_binary(bits, i, two_splits, pulse)?;
        }
        self.best.clone_from(&self.best_binary);
        if bits.has_multiway() {
            let mut pairs = std::mem::take(&mut self.pairs);
            let counted = pairs.count(self, bits, objective, pulse);
            self.pairs = pairs;
            counted?;
        }
        self.two_splits.clone_from(&self.weight);
        if two_splits {
            self.bound_two_splits(bits, pulse)?;
            if bits.has_multiway() {
                let pairs = std::mem::take(&mut self.pairs);
                let bounded = pairs.bound_two_splits(self, bits, pulse);
                self.pairs = pairs;
                bounded?;
            }
        }
        Ok(())
    }

    /// Count column i with those after it, of features with two categories; keep what was counted, if
    /// that is asked for.
    ///
    /// The sixteen that hold column i + 1 may hold earlier ones and i itself. That is harmless: an
    /// earlier pair is counted once more, and a column split by itself is worth no more than a leaf.
    #[inline(always)]
    fn count_binary(
        &mut self,
        bits: &Bits,
        i: usize,
        keep: bool,
        pulse: &mut Pulse,
    ) -> Result<(), StopReason> {
        let stride = bits.stride;
        // A vector instruction handles several words. Mostly all chunks together are little work.
        let work = bits.words.len() / stride * LANES / 4 + LANES;
        let chunks = (i + 1) / LANES..bits.n_binary.div_ceil(LANES);
        let is_little = work * chunks.len() <= LITTLE;
        if is_little {
            pulse.spend(work * chunks.len())?;
        }
        let (mut best_with, mut best_without) = ([T::default(); LANES], [T::default(); LANES]);
        for chunk in chunks {
            if !is_little {
                pulse.spend(work)?;
            }
            let start = chunk * LANES;
            let cells = self.count_cells(bits, i, start);
            let [both, first, second, none] = cells.largest;
            best_with = each(best_with, each(both, first, plus), T::max);
            best_without = each(best_without, each(second, none, plus), T::max);
            let best = lanes_mut(&mut self.best_binary, start);
            *best = each(*best, each(both, second, plus), T::max);
            let best = lanes_mut(&mut self.best_binary, stride + start);
            *best = each(*best, each(first, none, plus), T::max);
            if keep {
                self.cells.push(cells);
            }
        }
        let most = |lanes: Lanes<T>| lanes.into_iter().fold(T::default(), T::max);
        self.best_binary[i] = self.best_binary[i].max(most(best_with));
        self.best_binary[stride + i] = self.best_binary[stride + i].max(most(best_without));
        Ok(())
    }

    #[inline(always)]
    fn count_cells(&self, bits: &Bits, i: usize, start: usize) -> Cells<T> {
        let stride = bits.stride;
        let zero = [T::default(); LANES];
        let mut in_both = zero;
        let (mut both, mut first, mut second, mut none) = (zero, zero, zero, zero);
        let mut word = i;
        let mut groups = &bits.groups[..];
        while let Some(&WordGroup { class, .. }) = groups.first() {
            let mut counts = zero;
            while let Some(group) = groups.first().filter(|group| group.class == class) {
                let mut of_group = zero;
                for _ in 0..group.n_words {
                    let with = bits.words[word];
                    let others: &[u64; LANES] = lanes(&bits.words, word - i + start);
                    for lane in 0..LANES {
                        of_group[lane] += T::count(with & others[lane]);
                    }
                    word += stride;
                }
                let worth = T::of(group.worth);
                if worth != T::of(1) {
                    of_group = each(of_group, [worth; LANES], |count, worth| count * worth);
                }
                counts = each(counts, of_group, plus);
                groups = &groups[1..];
            }
            let total = self.column_weights[class * stride + i];
            let rest = self.class_weights[class] - total;
            let without = each(*lanes(&self.column_weights, class * stride + start), counts, minus);
            in_both = each(in_both, counts, plus);
            both = each(both, counts, T::max);
            first = each(first, each([total; LANES], counts, minus), T::max);
            second = each(second, without, T::max);
            none = each(none, each([rest; LANES], without, minus), T::max);
        }
        Cells { both: in_both, largest: [both, first, second, none] }
    }

    /// The bound on two splits for every child, by features with two categories.
    #[inline(always)]
    fn bound_two_splits(&mut self, bits: &Bits, pulse: &mut Pulse) -> Result<(), StopReason> {
        let stride = bits.stride;
        let mut kept = self.cells.iter();
        // One split's fewest errors, for each child (padding has no weight, and nonsense for a best).
        reset(&mut self.one_split, self.weight.len());
        for (one, (&weight, &best)) in
            self.one_split.iter_mut().zip(self.weight.iter().zip(&self.best))
        {
            *one = weight - best.min(weight);
        }
        for i in 0..bits.n_binary {
            pulse.spend(bits.n_binary)?;
            let (with, without) = ([self.weight[i]; LANES], [self.weight[stride + i]; LANES]);
            let one_with = [self.one_split[i]; LANES];
            let one_without = [self.one_split[stride + i]; LANES];
            let (mut least_with, mut least_without) = (with, without);
            for chunk in (i + 1) / LANES..bits.n_binary.div_ceil(LANES) {
                let Some(cells) = kept.next() else { break };
                let start = chunk * LANES;
                let [l_both, l_first, l_second, l_none] = cells.largest;
                let both = cells.both;
                let first = each(with, both, minus);
                let second = each(*lanes(&self.weight, start), both, minus);
                let none = each(without, second, minus);
                least_with = lower(least_with, (both, l_both), (first, l_first), one_with);
                least_without =
                    lower(least_without, (second, l_second), (none, l_none), one_without);
                let one = *lanes(&self.one_split, start);
                let least = lanes_mut(&mut self.two_splits, start);
                *least = lower(*least, (both, l_both), (second, l_second), one);
                let one = *lanes(&self.one_split, stride + start);
                let least = lanes_mut(&mut self.two_splits, stride + start);
                *least = lower(*least, (first, l_first), (none, l_none), one);
            }
            let fewest = |lanes: Lanes<T>, start: T| lanes.into_iter().fold(start, T::min);
            self.two_splits[i] = fewest(least_with, self.two_splits[i]);
            self.two_splits[stride + i] = fewest(least_without, self.two_splits[stride + i]);
        }
        Ok(())
    }
}

/// At most so many cells are counted for the columns of features with two categories.
fn n_cells(bits: &Bits) -> usize {
    let n_chunks = bits.n_binary.div_ceil(LANES);
    LANES * n_chunks * (n_chunks + 1) / 2
}

/// Lane by lane.
#[inline(always)]
fn each<T: Weight>(a: Lanes<T>, b: Lanes<T>, f: impl Fn(T, T) -> T) -> Lanes<T> {
    let mut result = a;
    for lane in 0..LANES {
        result[lane] = f(a[lane], b[lane]);
    }
    result
}

#[inline(always)]
fn plus<T: Weight>(a: T, b: T) -> T {
    a + b
}

/// a − b where b ≤ a; on padding the result means nothing.
#[inline(always)]
fn minus<T: Weight>(a: T, b: T) -> T {
    a.wrapping_minus(b)
}

/// The least of what was and, for a leaf of each kind (weight, right), max(weight, one) − right.
#[inline(always)]
fn lower<T: Weight>(
    least: Lanes<T>,
    (weight_a, right_a): (Lanes<T>, Lanes<T>),
    (weight_b, right_b): (Lanes<T>, Lanes<T>),
    one: Lanes<T>,
) -> Lanes<T> {
    // `bounds::two_splits`, in lanes.
    let a = each(each(weight_a, one, T::max), right_a, minus);
    let b = each(each(weight_b, one, T::max), right_b, minus);
    each(each(least, a, T::min), b, T::min)
}

/// Sixteen elements at a place.
#[inline(always)]
pub(super) fn lanes<E>(list: &[E], start: usize) -> &[E; LANES] {
    list[start..].first_chunk().expect("lists are padded")
}

#[inline(always)]
fn lanes_mut<E>(list: &mut [E], start: usize) -> &mut [E; LANES] {
    list[start..].first_chunk_mut().expect("lists are padded")
}

pub(super) fn reset<T: Weight>(list: &mut Vec<T>, len: usize) {
    list.clear();
    list.resize(len, T::default());
}
