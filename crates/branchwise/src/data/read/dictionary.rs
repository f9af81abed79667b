//! The distinct values of a column while it is read: each is kept once, in order of appearance.

use crate::data::location::Location;
use crate::hash::{self, Numbering};
use crate::memory;
use std::num::NonZeroU64;

/// A column's values, and the first location of each.
#[derive(Default)]
pub(super) struct Dictionary {
    pub(super) values: Vec<String>,
    pub(super) locations: Vec<Location>,
    codes: Numbering,
}

impl Dictionary {
    fn look_up(&mut self, value: &[u8], location: Location) -> u32 {
        let values = &mut self.values;
        let hash = hash::of_bytes(value);
        let same = |code: u32| values[code as usize].as_bytes() == value;
        if let Some(code) = self.codes.find(hash, same) {
            return code;
        }
        values.push(String::from_utf8_lossy(value).into_owned());
        self.locations.push(location);
        self.codes.add(hash, |code| hash::of_bytes(values[code as usize].as_bytes()))
    }

    /// The bytes that it needs for `more` values.
    fn growth(&self, more: usize) -> usize {
        let of_codes = self.codes.growth(more);
        let of_codes = if of_codes > memory::SMALL { of_codes } else { 0 };
        memory::growth(&self.values, more) + memory::growth(&self.locations, more) + of_codes
    }

    /// Whether a value has occurred.
    pub(super) fn contains(&self, value: &str) -> bool {
        let same = |code: u32| self.values[code as usize] == value;
        self.codes.find(hash::of_bytes(value.as_bytes()), same).is_some()
    }

    /// Whether a value has occurred in upper or lower case. Compares with every value.
    pub(super) fn contains_in_any_case(&self, value: &str) -> bool {
        self.values.iter().any(|other| other.eq_ignore_ascii_case(value))
    }
}

/// The dictionaries of all columns that are kept.
#[derive(Default)]
pub(super) struct Dictionaries {
    columns: Vec<Dictionary>,
    /// For each column, the keys of its first two values, so that columns of two values are read without
    /// their dictionaries. They are in a list of their own, so that those of a wide table stay in the cache.
    first: Vec<[Option<NonZeroU64>; 2]>,
}

impl Dictionaries {
    pub(super) fn new(n_columns: usize) -> Self {
        let mut columns = Vec::new();
        columns.resize_with(n_columns, Dictionary::default);
        Dictionaries { columns, first: vec![[None; 2]; n_columns] }
    }

    /// The code of a value, which is text, in a column.
    #[inline]
    pub(super) fn code(&mut self, column: usize, value: &[u8], location: Location) -> u32 {
        let key = short_key(value);
        let first = &mut self.first[column];
        let is_second = key == first[1];
        if key.is_some() && (key == first[0] || is_second) {
            return u32::from(is_second);
        }
        let code = self.columns[column].look_up(value, location);
        if let Some(first) = first.get_mut(code as usize) {
            *first = key;
        }
        code
    }

    pub(super) fn column(&self, column: usize) -> &Dictionary {
        &self.columns[column]
    }

    /// The bytes that are needed for `more` rows, all with new values.
    pub(super) fn growth(&self, more: usize) -> usize {
        self.columns.iter().map(|column| column.growth(more)).sum()
    }

    pub(super) fn into_columns(self) -> Vec<Dictionary> {
        self.columns
    }
}

/// A value of at most seven bytes as a number.
#[inline]
fn short_key(value: &[u8]) -> Option<NonZeroU64> {
    if value.len() > 7 {
        return None;
    }
    NonZeroU64::new(value.iter().fold(1, |key, &byte| key << 8 | u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_codes_in_order_of_appearance() {
        let mut dictionaries = Dictionaries::new(2);
        let values = ["0", "", "1", "0", "a longer value", "1", "", "a longer value", "01"];
        let location = |line| Location { file: 0, line };
        let codes: Vec<u32> = (values.iter().zip(1..))
            .map(|(value, line)| dictionaries.code(1, value.as_bytes(), location(line)))
            .collect();
        assert_eq!(codes, [0, 1, 2, 0, 3, 2, 1, 3, 4]);
        let dictionary = dictionaries.column(1);
        assert_eq!(dictionary.values, ["0", "", "1", "a longer value", "01"]);
        assert_eq!(dictionary.locations[3], location(5));
        assert!(dictionary.contains("01") && !dictionary.contains("10"));
    }
}
