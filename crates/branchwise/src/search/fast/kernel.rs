//! Expansion and counting, compiled for several processors and chosen at run time.
//!
//! There is one source: plain loops over sixteen lanes, which the compiler turns into the vector
//! instructions it is allowed. Work that is handed to [`Kernel::run`] is compiled once for each
//! processor, with everything in it that is `#[inline(always)]`: the closure must be, too, or it stays
//! what it is everywhere. On 64-bit ARM the compiler's baseline has what is needed.
//!
//! `benches/kernels.rs` compares them with what the machine can do at most.

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
            if has!("avx2") && has!("popcnt") && has!("bmi1") && has!("bmi2") {
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

    /// Do some work with this processor's instructions.
    #[allow(unsafe_code)]
    #[inline]
    pub(super) fn run<R>(self, work: impl FnOnce() -> R) -> R {
        match self {
            Kernel::Portable => work(),
            // SAFETY: `available` found that the processor has these instructions.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => unsafe { with_avx2(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => unsafe { with_avx512(work) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn with_avx2<R>(work: impl FnOnce() -> R) -> R {
    work()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq")]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn with_avx512<R>(work: impl FnOnce() -> R) -> R {
    work()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal::Decimal;
    use crate::limits::Watch;
    use crate::objective::{Objective, Price};
    use crate::search::fast::bits::{Bits, LANES, Span, WordGroup};
    use crate::search::fast::look_ahead::LookAhead;
    use crate::search::fast::weight::Weight;
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
        kernel.run(
            #[inline(always)]
            || {
                let endless = Watch::endless();
                let pulse = &mut endless.pulse();
                found.count_columns(bits, pulse).unwrap();
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
                prop_assert_eq!(&found::<u16>(kernel, &bits), &expected, "{:?}, 16 bits", kernel);
            }
        }
    }
}
