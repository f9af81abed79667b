//! Loops over sixteen numbers at a time, which the compiler turns into vector instructions.

use super::bits::LANES;
use super::weight::Weight;

/// One number for each of sixteen columns.
pub(crate) type Lanes<T> = [T; LANES];

/// Lane by lane.
#[inline(always)]
pub(crate) fn each<T: Weight>(a: Lanes<T>, b: Lanes<T>, f: impl Fn(T, T) -> T) -> Lanes<T> {
    let mut result = a;
    for lane in 0..LANES {
        result[lane] = f(a[lane], b[lane]);
    }
    result
}

#[inline(always)]
pub(crate) fn plus<T: Weight>(a: T, b: T) -> T {
    a + b
}

/// a − b where b ≤ a; on padding the result means nothing.
#[inline(always)]
pub(crate) fn minus<T: Weight>(a: T, b: T) -> T {
    a.wrapping_minus(b)
}

/// Sixteen elements at a place.
#[inline(always)]
pub(crate) fn lanes<E>(list: &[E], start: usize) -> &[E; LANES] {
    list[start..].first_chunk().expect("lists are padded")
}

#[inline(always)]
pub(crate) fn lanes_mut<E>(list: &mut [E], start: usize) -> &mut [E; LANES] {
    list[start..].first_chunk_mut().expect("lists are padded")
}

pub(crate) fn reset<T: Weight>(list: &mut Vec<T>, len: usize) {
    list.clear();
    list.resize(len, T::default());
}
