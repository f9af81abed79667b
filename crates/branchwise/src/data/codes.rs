//! Codes of a column's values, one per row, in as few bits as the number of values allows.

use crate::memory;

/// A growing list of small numbers: one bit each until a larger number comes, then a byte, and so on.
#[derive(Clone, Debug)]
pub enum Codes {
    /// Every code is 0 or 1.
    Bit(Bits),
    /// Every code is below 2⁸.
    Byte(Vec<u8>),
    /// Every code is below 2¹⁶.
    Short(Vec<u16>),
    /// Anything else.
    Long(Vec<u32>),
}

impl Default for Codes {
    fn default() -> Self {
        Codes::Bit(Bits::default())
    }
}

impl Codes {
    /// Add a row's code at the end.
    pub fn push(&mut self, code: u32) {
        match self {
            Codes::Bit(bits) if code <= 1 => bits.push(code),
            Codes::Byte(codes) if code <= u8::MAX.into() => codes.push(code as u8),
            Codes::Short(codes) if code <= u16::MAX.into() => codes.push(code as u16),
            Codes::Long(codes) => codes.push(code),
            _ => {
                self.widen(code);
                self.push(code);
            }
        }
    }

    /// Add codes at the end, the same way as one by one but faster.
    pub(super) fn extend(&mut self, codes: impl Iterator<Item = u32> + Clone) {
        // As many bits as the largest code has.
        let bits = codes.clone().fold(0, |bits, code| bits | code);
        if bits > self.largest() {
            self.widen(bits);
        }
        match self {
            Codes::Bit(bits) => bits.extend(codes),
            Codes::Byte(kept) => kept.extend(codes.map(|code| code as u8)),
            Codes::Short(kept) => kept.extend(codes.map(|code| code as u16)),
            Codes::Long(kept) => kept.extend(codes),
        }
    }

    /// The bytes that are needed for `more` codes.
    pub(super) fn growth(&self, more: usize) -> usize {
        match self {
            Codes::Bit(bits) => memory::growth(&bits.words, more.div_ceil(64)),
            Codes::Byte(codes) => memory::growth(codes, more),
            Codes::Short(codes) => memory::growth(codes, more),
            Codes::Long(codes) => memory::growth(codes, more),
        }
    }

    /// The largest code that there is room for.
    fn largest(&self) -> u32 {
        match self {
            Codes::Bit(_) => 1,
            Codes::Byte(_) => u8::MAX.into(),
            Codes::Short(_) => u16::MAX.into(),
            Codes::Long(_) => u32::MAX,
        }
    }

    fn widen(&mut self, code: u32) {
        *self = if code <= u8::MAX.into() {
            Codes::Byte(self.iter().map(|c| c as u8).collect())
        } else if code <= u16::MAX.into() {
            Codes::Short(self.iter().map(|c| c as u16).collect())
        } else {
            Codes::Long(self.iter().collect())
        };
    }

    /// The same rows with other codes: `new[code]` instead of `code`.
    pub(super) fn translated(self, new: &[u32]) -> Codes {
        let is_same = |(code, &new): (usize, &u32)| code as u32 == new;
        if new.iter().enumerate().all(is_same) {
            return self;
        }
        match self {
            Codes::Bit(bits) if new == [1, 0] => Codes::Bit(bits.inverted()),
            codes => {
                let mut translated = Codes::default();
                translated.extend(codes.iter().map(|code| new[code as usize]));
                translated
            }
        }
    }

    /// The code of a row.
    #[inline]
    pub fn at(&self, row: usize) -> u32 {
        match self {
            Codes::Bit(bits) => bits.at(row),
            Codes::Byte(codes) => codes[row].into(),
            Codes::Short(codes) => codes[row].into(),
            Codes::Long(codes) => codes[row],
        }
    }

    /// Call `tell` with each item and the code of its row.
    #[inline]
    pub(crate) fn each<I>(
        &self,
        rows: &[usize],
        items: impl Iterator<Item = I>,
        mut tell: impl FnMut(I, u32),
    ) {
        let pairs = rows.iter().zip(items);
        match self {
            Codes::Bit(bits) => pairs.for_each(|(&row, item)| tell(item, bits.at(row))),
            Codes::Byte(codes) => pairs.for_each(|(&row, item)| tell(item, codes[row].into())),
            Codes::Short(codes) => pairs.for_each(|(&row, item)| tell(item, codes[row].into())),
            Codes::Long(codes) => pairs.for_each(|(&row, item)| tell(item, codes[row])),
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Codes::Bit(bits) => bits.n,
            Codes::Byte(codes) => codes.len(),
            Codes::Short(codes) => codes.len(),
            Codes::Long(codes) => codes.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The codes, row by row.
    pub fn iter(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        (0..self.len()).map(|row| self.at(row))
    }
}

impl FromIterator<u32> for Codes {
    fn from_iter<I: IntoIterator<Item = u32>>(codes: I) -> Self {
        let mut collected = Codes::default();
        codes.into_iter().for_each(|code| collected.push(code));
        collected
    }
}

/// A list of bits.
#[derive(Clone, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
    n: usize,
}

impl Bits {
    fn push(&mut self, bit: u32) {
        if self.n.is_multiple_of(64) {
            self.words.push(0);
        }
        if let Some(last) = self.words.last_mut() {
            *last |= u64::from(bit) << (self.n % 64);
        }
        self.n += 1;
    }

    /// Add bits at the end, a word at a time.
    fn extend(&mut self, bits: impl Iterator<Item = u32>) {
        let mut word = match self.n % 64 {
            0 => 0,
            _ => self.words.pop().unwrap_or(0),
        };
        for bit in bits {
            word |= u64::from(bit) << (self.n % 64);
            self.n += 1;
            if self.n.is_multiple_of(64) {
                self.words.push(word);
                word = 0;
            }
        }
        if !self.n.is_multiple_of(64) {
            self.words.push(word);
        }
    }

    #[inline]
    fn at(&self, row: usize) -> u32 {
        (self.words[row / 64] >> (row % 64) & 1) as u32
    }

    /// Every bit inverted; those behind the last one stay 0, so that more can be pushed.
    fn inverted(mut self) -> Bits {
        self.words.iter_mut().for_each(|word| *word = !*word);
        if let Some(last) = self.words.last_mut()
            && !self.n.is_multiple_of(64)
        {
            *last &= (1 << (self.n % 64)) - 1;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_widen_without_loss() {
        let codes = [0, 1, 1, 255, 256, 7, 65_535, 65_536, 1, 4_000_000_000];
        for length in 0..=codes.len() {
            let kept: Codes = codes[..length].iter().copied().collect();
            assert_eq!(kept.iter().collect::<Vec<_>>(), codes[..length]);
            let mut extended: Codes = codes[..length / 2].iter().copied().collect();
            extended.extend(codes[length / 2..length].iter().copied());
            assert_eq!(extended.iter().collect::<Vec<_>>(), codes[..length]);
            assert_eq!((kept.len(), kept.is_empty()), (length, length == 0));
        }
        assert!(matches!([1, 0].into_iter().collect::<Codes>(), Codes::Bit(_)));
        assert!(matches!([1, 2].into_iter().collect::<Codes>(), Codes::Byte(_)));
        assert!(matches!([1, 300].into_iter().collect::<Codes>(), Codes::Short(_)));
    }

    #[test]
    fn codes_are_translated() {
        for (codes, new) in [
            (vec![0, 1, 1, 0, 1], vec![0, 1]),
            (vec![0, 1, 1, 0, 1], vec![1, 0]),
            (vec![0, 1, 1, 0, 1], vec![1, 2]),
            ((0..300).map(|code| code % 3).collect(), vec![2, 0, 1]),
            ((0..300).map(|code| code % 2).collect(), vec![1, 0]),
        ] {
            let kept: Codes = codes.iter().copied().collect();
            let expected: Vec<u32> = codes.iter().map(|&code| new[code as usize]).collect();
            let mut translated = kept.translated(&new);
            assert_eq!(translated.iter().collect::<Vec<_>>(), expected);
            translated.push(1);
            assert_eq!(translated.at(codes.len()), 1);
        }
    }
}
