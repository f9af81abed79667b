//! The number type for weights in the inner loops: 16 or 32 bits where the table's total fits, because
//! more of them fit into a vector register. (Against 32 bits, 16 save 12 % of the time on 500 noisy rows and
//! 6 % on 1,000; on lymph, balance and nursery nothing.)

use std::ops::{Add, AddAssign, Mul, Sub};

/// A weight.
pub(crate) trait Weight:
    Copy
    + Ord
    + Default
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + AddAssign
    + 'static
{
    /// From a weight that is known to fit.
    fn of(weight: u64) -> Self;
    /// The number of ones.
    fn count(word: u64) -> Self;
    fn wide(self) -> u64;
    /// The difference, wrapping around below 0.
    fn wrapping_minus(self, other: Self) -> Self;
}

macro_rules! weights {
    ($($number:ty)*) => {$(
        impl Weight for $number {
            #[inline(always)]
            fn of(weight: u64) -> Self {
                weight as $number
            }
            #[inline(always)]
            fn count(word: u64) -> Self {
                word.count_ones() as $number
            }
            #[inline(always)]
            fn wide(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn wrapping_minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
        }
    )*};
}

weights! { u16 u32 u64 }
