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
