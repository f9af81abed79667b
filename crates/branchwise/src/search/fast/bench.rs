//! The inner loops by themselves, for `benches/kernels.rs`: only compiled with the feature `bench`.

use super::bounding::LookAhead;
use super::layout::{Bits, Kernel, LANES, Span, WordGroup, random, transpose};
use super::memo::{Known, Memo};
use crate::decimal::Fraction;
use crate::limits::Watch;
use crate::objective::{Objective, Price};

/// A branch of two classes and some yes/no features, with random bits.
pub struct Branch {
    bits: Bits,
    look: LookAhead<u32>,
    objective: Objective,
}

impl Branch {
    /// With this many features, and this many words of rows for each class.
    ///
    /// # Panics
    /// If there are more rows than weights can be.
    pub fn random(n_features: usize, n_words: usize) -> Self {
        let stride = n_features.next_multiple_of(LANES);
        let group =
            |class| WordGroup { class, worth: 1, n_words, n_units: 64 * n_words, errs: false };
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            state ^ state >> 29
        };
        let mut words = vec![0; 2 * n_words * stride];
        for row in words.chunks_exact_mut(stride) {
            row.iter_mut().take(n_features).for_each(|word| *word = next());
        }
        let bits = Bits {
            words,
            stride,
            groups: vec![group(0), group(1)],
            n_classes: 2,
            spans: (0..n_features).map(|i| Span { first: i, n: 1, rest: stride + i }).collect(),
            n_binary: n_features,
            ..Bits::default()
        };
        let penalty = Fraction { numerator: 1, denominator: 100 };
        let objective = Objective::new(penalty, Price::Split, 128 * n_words as u64, 100)
            .expect("few enough rows");
        let mut branch = Branch { bits, look: LookAhead::default(), objective };
        branch.count_columns(0);
        branch
    }

    /// The kernels that this machine can run, by name; functions take their number.
    pub fn kernels() -> Vec<String> {
        Kernel::available().iter().map(|kernel| format!("{kernel:?}")).collect()
    }

    /// Words of bits in the columns, padding included.
    pub fn n_words(&self) -> usize {
        self.bits.words.len()
    }

    /// Pairs of words that counting pairs combines.
    pub fn n_pair_words(&self) -> usize {
        let n_words = self.bits.words.len() / self.bits.stride;
        let chunks = |i: usize| self.bits.n_binary.div_ceil(LANES) - (i + 1) / LANES;
        (0..self.bits.n_binary).map(chunks).sum::<usize>() * LANES * n_words
    }

    /// Count the classes in every column.
    pub fn count_columns(&mut self, kernel: usize) -> u32 {
        let (look, bits) = (&mut self.look, &self.bits);
        let endless = Watch::endless();
        let mut pulse = endless.pulse();
        Kernel::available()[kernel]
            .run(
                #[inline(always)]
                || look.found.count_columns(bits, &mut pulse),
            )
            .expect("nothing is limited");
        self.look.found.weight[0]
    }

    /// Count them in every pair of columns, with the bound on two splits or without.
    pub fn count_pairs(&mut self, kernel: usize, two_splits: bool) -> u32 {
        let Branch { bits, look, objective } = self;
        let endless = Watch::endless();
        let mut pulse = endless.pulse();
        Kernel::available()[kernel]
            .run(
                #[inline(always)]
                || look.count_pairs(bits, objective, two_splits, &mut pulse),
            )
            .expect("nothing is limited");
        self.look.found.best_binary[0]
    }
}

/// Add up the ones of some words: as fast as counting can be.
pub fn ones(kernel: usize, words: &[u64]) -> u32 {
    Kernel::available()[kernel].run(
        #[inline(always)]
        || words.iter().map(|word| word.count_ones()).sum(),
    )
}

/// Transpose a block of 64 × 64 bits.
pub fn transpose_block(kernel: usize, block: &mut [u64; 64]) {
    Kernel::available()[kernel].run(
        #[inline(always)]
        || transpose(block),
    );
}

/// A memo with some row sets in it.
pub struct Remembered {
    memo: Memo,
    n: u64,
}

impl Remembered {
    /// A memo that remembers `n` row sets.
    pub fn new(n: u64) -> Self {
        let memo = Memo::new(1 << 31);
        let endless = Watch::endless();
        let mut handle = memo.handle(&endless);
        for number in 0..n {
            handle.insert(random(2 * number, 0), Known { lower: 0, upper: 1, best: None }, 1);
        }
        Remembered { memo, n }
    }

    /// Look up as many row sets as are remembered, every other of which is.
    pub fn look_up(&self) -> u64 {
        let endless = Watch::endless();
        let mut handle = self.memo.handle(&endless);
        (0..self.n).filter(|&number| handle.find(random(number, 0)).is_some()).count() as u64
    }
}
