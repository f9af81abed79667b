//! Hashes, the same on every machine and in every run, and tables that number distinct things by them.
//!
//! They are made for speed on short keys that nobody chooses to do harm: one multiplication per word. The
//! keys of the engines, which must tell row sets apart without a look at the rows, are longer and stay
//! with the engines.

mod numbering;

pub(crate) use numbering::Numbering;

/// 2^64 divided by the golden ratio: its multiples are spread evenly.
pub(crate) const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// A well-spread word for each number: the last step of the generator SplitMix64.
pub(crate) fn split_mix(number: u64) -> u64 {
    let z = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A hash with one more word in it: both halves of a product, so that every bit of the word counts in the
/// low bits, which choose a slot of a table, and in the high ones, which tell its entries apart.
#[inline]
fn with(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word) * u128::from(GOLDEN);
    (product >> 64) as u64 ^ product as u64
}

/// The hash of a text, eight bytes at a time.
#[inline]
pub(crate) fn of_bytes(value: &[u8]) -> u64 {
    let (words, rest) = value.as_chunks::<8>();
    let hash = words.iter().fold(value.len() as u64, |h, word| with(h, u64::from_le_bytes(*word)));
    with(hash, rest.iter().fold(0, |tail, &byte| tail << 8 | u64::from(byte)))
}

/// The hash of 128 bits.
#[inline]
pub(crate) fn of_bits(bits: u128) -> u64 {
    of_words(&[bits as u64, (bits >> 64) as u64])
}

/// The hash of words.
#[inline]
pub(crate) fn of_words(words: &[u64]) -> u64 {
    words.iter().fold(0, |hash, &word| with(hash, word))
}

/// The hash of codes: four hashes side by side, so that none waits for another.
#[inline]
pub(crate) fn of_codes(codes: &[u32]) -> u64 {
    let (fours, rest) = codes.as_chunks::<4>();
    let mut lanes = [0, 16, 32, 48].map(|turn| GOLDEN.rotate_left(turn));
    for four in fours {
        for (lane, &code) in lanes.iter_mut().zip(four) {
            *lane = with(*lane, code.into());
        }
    }
    let hash = rest.iter().fold(0, |hash, &code| with(hash, code.into()));
    lanes.iter().fold(hash, |hash, &lane| with(hash, lane))
}

/// The hash of a long list: a sum in which each place has its own factor, so that no label waits for the
/// one before.
pub(crate) fn of_labels(labels: impl Iterator<Item = u32>) -> u64 {
    let sum = labels.zip(1u64..).fold(0u64, |sum, (label, place)| {
        let own = place.wrapping_mul(GOLDEN);
        sum.wrapping_add((own ^ (own >> 32)).wrapping_mul(GOLDEN ^ u64::from(label) << 1))
    });
    with(0, sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// No two hashes are equal, and their low and high bits are used about evenly.
    fn assert_spread(hashes: impl Iterator<Item = u64>) {
        let hashes: Vec<u64> = hashes.collect();
        assert_eq!(hashes.iter().collect::<BTreeSet<_>>().len(), hashes.len());
        for shift in [0, 56] {
            let mut counts = [0usize; 256];
            hashes.iter().for_each(|hash| counts[(hash >> shift & 255) as usize] += 1);
            let mean = hashes.len() / 256;
            let most = counts.into_iter().max().unwrap();
            assert!(most < 3 * mean, "{most} of {} with the same 8 bits", hashes.len());
        }
    }

    #[test]
    fn similar_keys_have_different_hashes() {
        let numbers = || 0..20_000u64;
        assert_spread(numbers().map(split_mix));
        assert_spread(numbers().map(|n| of_bytes(n.to_string().as_bytes())));
        assert_spread(numbers().map(|n| of_bits((n as f64).to_bits().into())));
        assert_spread(numbers().map(|n| of_words(&[n << 40])));
        assert_spread(numbers().map(|n| of_words(&[n % 10, n / 10])));
        assert_spread(numbers().map(|n| of_codes(&[(n % 10) as u32, 0, 0, 0, (n / 10) as u32])));
        let bits = |n: u64| [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|bit| (n >> bit & 1) as u32);
        assert_spread(numbers().map(|n| of_codes(&[&bits(n)[..], &[(n >> 9) as u32]].concat())));
        assert_spread(numbers().map(|n| of_labels((0..15).map(|bit| (n >> bit & 1) as u32))));
    }
}
