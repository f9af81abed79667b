//! The counting, compiled for several processors and chosen at run time.
//!
//! There is one source: plain loops over sixteen lanes, which the compiler turns into the vector
//! instructions it is allowed. On 64-bit ARM its baseline has what is needed.

use super::bits::Bits;
use super::frame::Frame;
use super::look_ahead::LookAhead;
use super::similar::Overlap;
use super::weight::Weight;
use crate::objective::Objective;

/// What to count.
#[derive(Clone, Copy)]
pub(super) enum Look<'a> {
    /// The columns alone.
    Columns,
    /// Pairs of columns, once the columns are counted.
    Pairs {
        /// And the bound on two splits.
        two_splits: bool,
        objective: &'a Objective,
    },
}

/// For which processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kernel {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Kernel {
    /// Those that this machine can run, the best last.
    pub(super) fn available() -> Vec<Kernel> {
        let mut kernels = vec![Kernel::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx2") && has!("popcnt") {
                kernels.push(Kernel::Avx2);
                let wide = has!("avx512f") && has!("avx512vl") && has!("avx512bw");
                if wide && has!("avx512dq") && has!("avx512vpopcntdq") {
                    kernels.push(Kernel::Avx512);
                }
            }
        }
        kernels
    }

    pub(super) fn for_this_machine() -> Self {
        Kernel::available().pop().unwrap_or(Kernel::Portable)
    }

    /// Count how a child overlaps with every column.
    #[allow(unsafe_code)]
    pub(super) fn overlap<T: Weight>(
        self,
        overlap: &mut Overlap<T>,
        frame: &Frame<T>,
        child: usize,
    ) {
        match self {
            Kernel::Portable => overlap.count(frame, child),
            // SAFETY: `available` found that the processor has these instructions.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => unsafe { overlap_avx2(overlap, frame, child) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => unsafe { overlap_avx512(overlap, frame, child) },
        }
    }

    /// Count columns, or pairs.
    #[allow(unsafe_code)]
    pub(super) fn look<T: Weight>(self, look: &mut LookAhead<T>, bits: &Bits, what: Look) {
        match self {
            Kernel::Portable => count(look, bits, what),
            // SAFETY: `available` found that the processor has these instructions.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => unsafe { count_avx2(look, bits, what) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => unsafe { count_avx512(look, bits, what) },
        }
    }
}

#[inline(always)]
fn count<T: Weight>(look: &mut LookAhead<T>, bits: &Bits, what: Look) {
    match what {
        Look::Columns => look.count_columns(bits),
        Look::Pairs { two_splits, objective } => look.count_pairs(bits, objective, two_splits),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn count_avx2<T: Weight>(look: &mut LookAhead<T>, bits: &Bits, what: Look) {
    count(look, bits, what);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,avx2,popcnt")]
fn count_avx512<T: Weight>(look: &mut LookAhead<T>, bits: &Bits, what: Look) {
    count(look, bits, what);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn overlap_avx2<T: Weight>(overlap: &mut Overlap<T>, frame: &Frame<T>, child: usize) {
    overlap.count(frame, child);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,avx2,popcnt")]
fn overlap_avx512<T: Weight>(overlap: &mut Overlap<T>, frame: &Frame<T>, child: usize) {
    overlap.count(frame, child);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal::Decimal;
    use crate::objective::Price;
    use crate::search::fast::bits::{LANES, Span, WordGroup};
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
        kernel.look(&mut found, bits, Look::Columns);
        kernel.look(&mut found, bits, Look::Pairs { two_splits: true, objective: &objective });
        found
    }

    /// What was found of the children that are not padding, in 64 bits.
    fn found<T: Weight>(
        kernel: Kernel,
        bits: &Bits,
    ) -> Vec<(u64, u64, u64, u64, u64, Option<i64>)> {
        let look = look::<T>(kernel, bits);
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
            }
        }
    }
}
