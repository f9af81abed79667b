//! Sets of rows, as bits in 64-bit words: the only file with word-level code.
//!
//! A [`RowSet`] says which rows a branch contains. Counting how many of them satisfy one more
//! clause is the search's inner loop, so it runs on a [`Support`]: the set's non-empty words only,
//! cut into one stretch per class. A branch of 100 rows costs at most 100 words per clause, however
//! long the table.
//!
//! The counting loop is compiled twice, for any processor and for x86-64 with a population-count
//! instruction, and the choice is made once at run time.

/// A set of rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RowSet {
    words: Vec<u64>,
}

impl RowSet {
    pub(crate) fn empty(n_words: usize) -> Self {
        RowSet { words: vec![0; n_words] }
    }

    pub(crate) fn insert(&mut self, row: usize) {
        self.words[row / 64] |= 1 << (row % 64);
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Keep the rows that are in `other` too.
    pub(crate) fn intersect(&mut self, other: &[u64]) {
        for (word, other) in self.words.iter_mut().zip(other) {
            *word &= other;
        }
    }

    /// Become a copy of `other`, reusing the memory.
    pub(crate) fn copy_from(&mut self, other: &RowSet) {
        self.words.clone_from(&other.words);
    }
}

/// The non-empty words of a row set, cut into stretches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Support {
    places: Vec<u32>,
    words: Vec<u64>,
    /// For each stretch that is not empty: its number, and where it ends in `words`.
    stretches: Vec<(u32, u32)>,
}

impl Support {
    /// Take up `rows`, whose stretch `s` ends before word `ends[s]`.
    pub(crate) fn fill(&mut self, rows: &RowSet, ends: &[usize]) {
        self.places.clear();
        self.words.clear();
        self.stretches.clear();
        let mut start = 0;
        for (stretch, &end) in ends.iter().enumerate() {
            for (place, &word) in rows.words[start..end].iter().enumerate() {
                if word != 0 {
                    self.places.push((start + place) as u32);
                    self.words.push(word);
                }
            }
            let filled = self.words.len() as u32;
            if filled > self.stretches.last().map_or(0, |&(_, end)| end) {
                self.stretches.push((stretch as u32, filled));
            }
            start = end;
        }
    }

    /// For each non-empty stretch: its number, and its words with their places.
    pub(crate) fn stretches(&self) -> impl Iterator<Item = (usize, &[u32], &[u64])> {
        let mut start = 0;
        self.stretches.iter().map(move |&(stretch, end)| {
            let range = start..end as usize;
            start = end as usize;
            (stretch as usize, &self.places[range.clone()], &self.words[range])
        })
    }
}

/// How to count, for this machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counting {
    #[cfg(target_arch = "x86_64")]
    has_popcnt: bool,
}

impl Counting {
    pub(crate) fn for_this_machine() -> Self {
        Counting {
            #[cfg(target_arch = "x86_64")]
            has_popcnt: std::arch::is_x86_feature_detected!("popcnt"),
        }
    }

    /// The number of rows of a stretch that are in `set` and, where given, in a mask that begins with the
    /// set's word of this number.
    #[inline]
    #[allow(unsafe_code)]
    pub(crate) fn count(
        self,
        places: &[u32],
        words: &[u64],
        set: &[u64],
        mask: Option<(usize, &[u64])>,
    ) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if self.has_popcnt {
            // SAFETY: the processor was found to have the instruction the function needs.
            return unsafe { count_popcnt(places, words, set, mask) };
        }
        count_portable(places, words, set, mask)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn count_popcnt(places: &[u32], words: &[u64], set: &[u64], mask: Option<(usize, &[u64])>) -> u64 {
    count_portable(places, words, set, mask)
}

#[inline(always)]
fn count_portable(
    places: &[u32],
    words: &[u64],
    set: &[u64],
    mask: Option<(usize, &[u64])>,
) -> u64 {
    let pairs = places.iter().zip(words);
    let counts = |word: u64| u64::from(word.count_ones());
    match mask {
        None => pairs.map(|(&place, word)| counts(word & set[place as usize])).sum(),
        Some((first, mask)) => pairs
            .map(|(&place, word)| {
                let place = place as usize;
                counts(word & set[place] & mask[place - first])
            })
            .sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_support_skips_empty_words_and_stretches() {
        let mut rows = RowSet::empty(5);
        [3, 64, 70, 300].into_iter().for_each(|row| rows.insert(row));
        let mut support = Support::default();
        support.fill(&rows, &[1, 3, 4, 5]);
        let found: Vec<_> =
            support.stretches().map(|(s, places, _)| (s, places.to_vec())).collect();
        assert_eq!(found, [(0, vec![0]), (1, vec![1]), (3, vec![4])]);
    }

    proptest! {
        #[test]
        fn counting_agrees_with_going_row_by_row(
            rows in prop::collection::vec(any::<u64>(), 6),
            set in prop::collection::vec(any::<u64>(), 6),
            mask in prop::collection::vec(any::<u64>(), 6),
        ) {
            let mut support = Support::default();
            support.fill(&RowSet { words: rows.clone() }, &[2, 6]);
            let has = |words: &[u64], row: usize| words[row / 64] >> (row % 64) & 1 == 1;
            let counting = Counting::for_this_machine();
            for (stretch, places, words) in support.stretches() {
                let range = if stretch == 0 { 0..128 } else { 128..384 };
                let plain = range.clone().filter(|&r| has(&rows, r) && has(&set, r)).count();
                let masked = range.filter(|&r| has(&rows, r) && has(&set, r) && has(&mask, r)).count();
                let first = if stretch == 0 { 0 } else { 2 };
                for (mask, expected) in [(None, plain), (Some((first, &mask[first..])), masked)] {
                    prop_assert_eq!(counting.count(places, words, &set, mask), expected as u64);
                    prop_assert_eq!(count_portable(places, words, &set, mask), expected as u64);
                }
            }
        }
    }
}
