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
pub(crate) enum Kernel {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Kernel {
    /// Those that this machine can run, the best last.
    pub(crate) fn available() -> Vec<Kernel> {
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

    pub(crate) fn for_this_machine() -> Self {
        Kernel::available().pop().unwrap_or(Kernel::Portable)
    }

    /// Do some work with this processor's instructions.
    #[allow(unsafe_code)]
    #[inline]
    pub(crate) fn run<R>(self, work: impl FnOnce() -> R) -> R {
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
