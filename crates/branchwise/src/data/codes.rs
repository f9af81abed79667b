//! Codes of a column's values, one per row, in as few bytes as the number of values allows.

/// A growing list of small numbers: one byte each until a larger number comes.
#[derive(Clone, Debug)]
pub enum Codes {
    /// Every code is below 2⁸.
    Byte(Vec<u8>),
    /// Every code is below 2¹⁶.
    Short(Vec<u16>),
    /// Anything else.
    Long(Vec<u32>),
}

impl Default for Codes {
    fn default() -> Self {
        Codes::Byte(Vec::new())
    }
}

impl Codes {
    /// Add a row's code at the end.
    pub fn push(&mut self, code: u32) {
        match self {
            Codes::Byte(codes) if code <= u8::MAX.into() => codes.push(code as u8),
            Codes::Short(codes) if code <= u16::MAX.into() => codes.push(code as u16),
            Codes::Long(codes) => codes.push(code),
            Codes::Byte(_) | Codes::Short(_) => {
                self.widen(code);
                self.push(code);
            }
        }
    }

    fn widen(&mut self, code: u32) {
        *self = if code <= u16::MAX.into() {
            Codes::Short(self.iter().map(|c| c as u16).collect())
        } else {
            Codes::Long(self.iter().collect())
        };
    }

    /// The code of a row.
    pub fn at(&self, row: usize) -> u32 {
        match self {
            Codes::Byte(codes) => codes[row].into(),
            Codes::Short(codes) => codes[row].into(),
            Codes::Long(codes) => codes[row],
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
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
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_widen_without_loss() {
        let codes = [0, 255, 256, 7, 65_535, 65_536, 1, 4_000_000_000];
        let kept: Codes = codes.into_iter().collect();
        assert_eq!(kept.iter().collect::<Vec<_>>(), codes);
        assert_eq!((kept.len(), kept.is_empty()), (8, false));
        assert!(matches!([1, 2].into_iter().collect::<Codes>(), Codes::Byte(_)));
        assert!(matches!([1, 300].into_iter().collect::<Codes>(), Codes::Short(_)));
    }
}
