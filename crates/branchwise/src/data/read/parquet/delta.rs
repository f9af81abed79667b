//! Lengths of texts as Parquet's delta encodings keep them, summed up before anything is allocated.

/// A list of lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lengths {
    pub(super) count: u64,
    pub(super) total: u64,
    /// Where the list ends.
    pub(super) end: usize,
}

/// The lengths at the beginning of some bytes; `None` if there are more than `most`, or they are damaged.
pub(super) fn lengths(bytes: &[u8], most: u64) -> Option<Lengths> {
    let mut bits = Bits { bytes, at: 0 };
    let (block, n_mini, count) = (bits.unsigned()?, bits.unsigned()?, bits.unsigned()?);
    let mut last = bits.signed()? as i32;
    if count > most || n_mini == 0 || block == 0 || block % n_mini != 0 {
        return None;
    }
    let per_mini = block / n_mini;
    if per_mini % 32 != 0 {
        return None;
    }
    if count == 0 {
        return Some(Lengths { count, total: 0, end: bits.at });
    }
    let (mut missing, mut total) = (count - 1, u64::try_from(last).ok()?);
    while missing > 0 {
        let least = bits.signed()? as i32;
        let widths = bits.take(n_mini)?;
        for &width in widths.iter().take(missing.div_ceil(per_mini).min(n_mini) as usize) {
            let mini = bits.take(per_mini.checked_mul(width.into())? / 8)?;
            for position in 0..missing.min(per_mini) {
                let delta = packed(mini, position, width)?;
                last = last.wrapping_add(least).wrapping_add(delta as i32);
                total = total.checked_add(u64::try_from(last).ok()?)?;
            }
            missing -= missing.min(per_mini);
        }
    }
    Some(Lengths { count, total, end: bits.at })
}

/// A number of `width` bits among others of that width.
fn packed(bytes: &[u8], position: u64, width: u8) -> Option<u32> {
    if width > 32 {
        return None;
    }
    let start = position * u64::from(width);
    let from = &bytes[(start / 8) as usize..];
    let mut word = [0; 8];
    let n = from.len().min(8);
    word[..n].copy_from_slice(&from[..n]);
    let number = u64::from_le_bytes(word) >> (start % 8);
    Some((number & ((1 << width) - 1)) as u32)
}

struct Bits<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Bits<'b> {
    fn take(&mut self, n: u64) -> Option<&'b [u8]> {
        let end = self.at.checked_add(usize::try_from(n).ok()?)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    fn unsigned(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i64> {
        let number = self.unsigned()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of 128 numbers in 4 parts, one of whose deltas have 3 bits and the others none.
    fn list(count: u8, widths: [u8; 4], parts: &[u8]) -> Vec<u8> {
        [&[0x80, 1, 4, count, 10, 2], &widths[..], parts].concat()
    }

    #[test]
    fn lengths_are_summed_up() {
        // 5, and then each is one more than the one before.
        let bytes = list(4, [0; 4], &[7, 7]);
        assert_eq!(lengths(&bytes, 4), Some(Lengths { count: 4, total: 5 + 6 + 7 + 8, end: 10 }));
        // 5, then one more and the delta: 7, 6, 5, 4, 3, 2, 1, 0 and zeros.
        let deltas = [0x77, 0x39, 0x05];
        let bytes = list(9, [3, 0, 0, 0], &[&deltas[..], &[0; 9]].concat());
        let each = [5, 13, 20, 26, 31, 35, 38, 40, 41];
        let total = each.iter().sum();
        assert_eq!(lengths(&bytes, 9), Some(Lengths { count: 9, total, end: 10 + 12 }));
        // Two parts are in use.
        let bytes = list(40, [0, 1, 9, 9], &[0; 4]);
        let total = (5..45).sum();
        assert_eq!(lengths(&bytes, 40), Some(Lengths { count: 40, total, end: 14 }));
        let alone = [0x80, 1, 4, 1, 10];
        assert_eq!(lengths(&alone, 1), Some(Lengths { count: 1, total: 5, end: 5 }));
    }

    #[test]
    fn wrong_lists_are_refused() {
        let bytes = list(4, [0; 4], &[]);
        assert_eq!(lengths(&bytes, 3), None, "too many");
        assert_eq!(lengths(&bytes[..9], 4), None, "cut off");
        assert_eq!(lengths(&list(4, [3, 0, 0, 0], &[0; 11]), 4), None, "cut off");
        assert_eq!(lengths(&list(4, [33, 0, 0, 0], &[0; 132]), 4), None, "too wide");
        assert_eq!(lengths(&[0x80, 1, 0, 4, 10], 4), None, "no parts");
        assert_eq!(lengths(&[0x80, 1, 3, 4, 10], 4), None, "unequal parts");
        assert_eq!(lengths(&[0x80, 1, 4, 4, 9, 2, 0, 0, 0, 0], 4), None, "negative");
        let huge = [0x80, 1, 4, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0];
        assert_eq!(lengths(&huge, u64::from(u32::MAX)), None);
        assert_eq!(lengths(&[], 4), None);
    }
}
