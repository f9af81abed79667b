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

use super::counts::Counts;
use super::multiway::Pairs;
use crate::limits::{Pulse, StopReason};
use crate::objective::Objective;
use crate::search::fast::layout::{
    Bits, LANES, Lanes, Weight, WordGroup, each, lanes, lanes_mut, minus, plus, reset,
};

/// Counts pairs of columns, and keeps the memory that this takes.
#[derive(Debug, Default)]
pub(crate) struct LookAhead<T> {
    pub(crate) found: Counts<T>,
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
    /// The bytes that counting the pairs of a branch takes.
    pub(crate) fn pair_bytes(bits: &Bits) -> usize {
        n_cells(bits) * size_of::<Cells<T>>() + Pairs::<T>::bytes_for(bits)
    }

    /// Those among them that are not held from before.
    pub(crate) fn more_pair_bytes(&self, bits: &Bits) -> usize {
        let held = self.cells.capacity() * size_of::<Cells<T>>() + self.pairs.bytes();
        Self::pair_bytes(bits).saturating_sub(held)
    }

    /// Count all pairs, and find every child's best single split and, if asked for, its bound for two.
    #[inline(always)]
    pub(crate) fn count_pairs(
        &mut self,
        bits: &Bits,
        objective: &Objective,
        two_splits: bool,
        pulse: &mut Pulse,
    ) -> Result<(), StopReason> {
        reset(&mut self.found.best_binary, bits.n_children());
        self.found.best_multiway.clear();
        self.found.best_multiway.resize(bits.n_children(), None);
        self.cells.clear();
        if two_splits {
            self.cells.reserve(n_cells(bits));
        }
        for i in 0..bits.n_binary {
            self.count_binary(bits, i, two_splits, pulse)?;
        }
        self.found.best.clone_from(&self.found.best_binary);
        if bits.has_multiway() {
            self.pairs.count(&mut self.found, bits, objective, pulse)?;
        }
        self.found.two_splits.clone_from(&self.found.weight);
        if two_splits {
            self.bound_two_splits(bits, pulse)?;
            if bits.has_multiway() {
                self.pairs.bound_two_splits(&mut self.found, bits, pulse)?;
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
            let best = lanes_mut(&mut self.found.best_binary, start);
            *best = each(*best, each(both, second, plus), T::max);
            let best = lanes_mut(&mut self.found.best_binary, stride + start);
            *best = each(*best, each(first, none, plus), T::max);
            if keep {
                self.cells.push(cells);
            }
        }
        let most = |lanes: Lanes<T>| lanes.into_iter().fold(T::default(), T::max);
        self.found.best_binary[i] = self.found.best_binary[i].max(most(best_with));
        self.found.best_binary[stride + i] =
            self.found.best_binary[stride + i].max(most(best_without));
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
            let total = self.found.column_weights[class * stride + i];
            let rest = self.found.class_weights[class] - total;
            let without =
                each(*lanes(&self.found.column_weights, class * stride + start), counts, minus);
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
        reset(&mut self.one_split, self.found.weight.len());
        for (one, (&weight, &best)) in
            self.one_split.iter_mut().zip(self.found.weight.iter().zip(&self.found.best))
        {
            *one = weight - best.min(weight);
        }
        for i in 0..bits.n_binary {
            pulse.spend(bits.n_binary)?;
            let (with, without) =
                ([self.found.weight[i]; LANES], [self.found.weight[stride + i]; LANES]);
            let one_with = [self.one_split[i]; LANES];
            let one_without = [self.one_split[stride + i]; LANES];
            let (mut least_with, mut least_without) = (with, without);
            for chunk in (i + 1) / LANES..bits.n_binary.div_ceil(LANES) {
                let Some(cells) = kept.next() else { break };
                let start = chunk * LANES;
                let [l_both, l_first, l_second, l_none] = cells.largest;
                let both = cells.both;
                let first = each(with, both, minus);
                let second = each(*lanes(&self.found.weight, start), both, minus);
                let none = each(without, second, minus);
                least_with = lower(least_with, (both, l_both), (first, l_first), one_with);
                least_without =
                    lower(least_without, (second, l_second), (none, l_none), one_without);
                let one = *lanes(&self.one_split, start);
                let least = lanes_mut(&mut self.found.two_splits, start);
                *least = lower(*least, (both, l_both), (second, l_second), one);
                let one = *lanes(&self.one_split, stride + start);
                let least = lanes_mut(&mut self.found.two_splits, stride + start);
                *least = lower(*least, (first, l_first), (none, l_none), one);
            }
            let fewest = |lanes: Lanes<T>, start: T| lanes.into_iter().fold(start, T::min);
            self.found.two_splits[i] = fewest(least_with, self.found.two_splits[i]);
            self.found.two_splits[stride + i] =
                fewest(least_without, self.found.two_splits[stride + i]);
        }
        Ok(())
    }
}

/// The most cells that are counted for the columns of questions with two answers.
fn n_cells(bits: &Bits) -> usize {
    let n_chunks = bits.n_binary.div_ceil(LANES);
    LANES * n_chunks * (n_chunks + 1) / 2
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal::Decimal;
    use crate::limits::Watch;
    use crate::objective::Price;
    use crate::search::fast::layout::{Kernel, Span};
    use proptest::prelude::*;

    /// A branch of three classes, `n_binary` yes/no features and one with four categories.
    fn branch(words: &[u64], n_binary: usize) -> Bits {
        let first_multiway = n_binary.next_multiple_of(LANES);
        let stride = first_multiway + LANES;
        let group = |class, worth, n_units: usize| WordGroup {
            class,
            worth,
            n_words: n_units.div_ceil(64),
            n_units,
            errs: false,
        };
        let groups = vec![group(0, 1, 70), group(0, 2, 5), group(1, 1, 64), group(2, 3, 30)];
        let binary = |i| Span { first: i, n: 1, rest: stride + i };
        let multiway = Span { first: first_multiway, n: 3, rest: stride + first_multiway };
        let mut bits = Bits {
            words: Vec::new(),
            stride,
            n_classes: 3,
            spans: (0..n_binary).map(binary).chain([multiway]).collect(),
            n_binary,
            groups,
            ..Bits::default()
        };
        let mut random = words.iter().cycle();
        for group in bits.groups.clone() {
            for word in 0..group.n_words {
                let left = group.n_units - word * 64;
                let valid = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
                let mut columns = vec![0; stride];
                for column in columns.iter_mut().take(n_binary) {
                    *column = random.next().unwrap_or(&0) & valid;
                }
                // Categories exclude each other.
                let mut free = valid;
                for column in columns.iter_mut().skip(first_multiway).take(3) {
                    *column = random.next().unwrap_or(&0) & free;
                    free &= !*column;
                }
                bits.words.extend(columns);
            }
        }
        bits
    }

    fn look<T: Weight>(kernel: Kernel, bits: &Bits) -> LookAhead<T> {
        let penalty = Decimal::from("0.01").fraction().unwrap();
        let objective = Objective::new(penalty, Price::Leaf, 1000, 200).unwrap();
        let mut found = LookAhead::default();
        kernel.run(
            #[inline(always)]
            || {
                let endless = Watch::endless();
                let pulse = &mut endless.pulse();
                found.found.count_columns(bits, pulse).unwrap();
                found.count_pairs(bits, &objective, true, pulse).unwrap();
            },
        );
        found
    }

    /// What was found of the children that are not padding, in 64 bits.
    fn found<T: Weight>(
        kernel: Kernel,
        bits: &Bits,
    ) -> Vec<(u64, u64, u64, u64, u64, Option<i64>)> {
        let look = look::<T>(kernel, bits).found;
        let of_child = |x: usize| {
            let wide = |list: &[T]| list[x].wide();
            let (weight, largest) = (wide(&look.weight), wide(&look.largest));
            let (best, binary) = (wide(&look.best), wide(&look.best_binary));
            (weight, largest, best, binary, wide(&look.two_splits), look.best_multiway[x])
        };
        bits.spans.iter().flat_map(|span| span.children()).map(of_child).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn all_kernels_count_alike(words in prop::collection::vec(any::<u64>(), 301), n in 1usize..40) {
            let bits = branch(&words, n);
            let expected = found::<u32>(Kernel::Portable, &bits);
            for kernel in Kernel::available() {
                prop_assert_eq!(&found::<u32>(kernel, &bits), &expected, "{:?}", kernel);
                prop_assert_eq!(&found::<u64>(kernel, &bits), &expected, "{:?}, 64 bits", kernel);
                prop_assert_eq!(&found::<u16>(kernel, &bits), &expected, "{:?}, 16 bits", kernel);
            }
        }
    }
}
