//! Sorting that can be stopped: long lists are sorted piece by piece, and merged.

use crate::limits::{Pulse, StopReason};

/// The elements that are sorted, or merged, between two checks of the limits.
const PIECE: usize = 1 << 15;

/// Sort by a key; equal elements may swap. If a limit is reached, the list is left in any order.
pub(crate) fn sort<T: Copy, K: Ord>(
    list: &mut Vec<T>,
    pulse: &mut Pulse,
    key: impl Fn(&T) -> K,
) -> Result<(), StopReason> {
    for piece in list.chunks_mut(PIECE) {
        // About as many nanoseconds for each element.
        pulse.spend(32 * piece.len())?;
        piece.sort_unstable_by_key(&key);
    }
    if list.len() > PIECE {
        pulse.room_for(0, size_of::<T>() * list.len())?;
    }
    let mut width = PIECE;
    while width < list.len() {
        let mut merged = Vec::with_capacity(list.len());
        for pair in list.chunks(2 * width) {
            merge(pair.split_at(width.min(pair.len())), &mut merged, pulse, &key)?;
        }
        *list = merged;
        width *= 2;
    }
    Ok(())
}

/// Merge two sorted lists behind what is there.
fn merge<T: Copy, K: Ord>(
    (mut left, mut right): (&[T], &[T]),
    into: &mut Vec<T>,
    pulse: &mut Pulse,
    key: &impl Fn(&T) -> K,
) -> Result<(), StopReason> {
    while let (Some(first), Some(other)) = (left.first(), right.first()) {
        pulse.spend(8)?;
        let takes_left = key(first) <= key(other);
        let from = if takes_left { &mut left } else { &mut right };
        into.push(from[0]);
        *from = &from[1..];
    }
    into.extend_from_slice(left);
    into.extend_from_slice(right);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Limits, Watch};

    fn scattered(len: u64) -> Vec<u64> {
        (0..len).map(|place| place.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 44).collect()
    }

    #[test]
    fn lists_of_any_length_are_sorted() {
        let watch = Watch::endless();
        for len in [0, 1, 1000, PIECE, PIECE + 1, 5 * PIECE + 7] {
            let mut list = scattered(len as u64);
            let mut expected = list.clone();
            expected.sort_by_key(|&number| std::cmp::Reverse(number));
            sort(&mut list, &mut watch.pulse(), |&number| std::cmp::Reverse(number)).unwrap();
            assert!(list == expected, "{len}");
        }
    }

    #[test]
    fn sorting_can_be_stopped() {
        let limits = Limits::default();
        let watch = Watch::start(&limits);
        limits.stop.raise();
        let mut list = scattered(1 << 18);
        let stopped = sort(&mut list, &mut watch.pulse(), |&number| number);
        assert_eq!(stopped, Err(StopReason::Interrupted));
        assert_eq!(list.len(), 1 << 18);
    }
}
