//! Units: what is left of a table when rows that agree on every feature are merged.

use num_integer::gcd;

/// A distinct row together with one of the classes it occurs with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// The distinct row's number.
    pub(crate) row: u32,
    pub(crate) class: u32,
    pub(crate) weight: u64,
    /// The number of table rows merged into it.
    pub(crate) n_rows: u64,
}

/// The units of a class, of units sorted by class.
pub(crate) fn units_of(units: &[Unit], class: usize) -> std::ops::Range<usize> {
    let before = |class: usize| units.partition_point(|unit| (unit.class as usize) < class);
    before(class)..before(class + 1)
}

/// For each distinct row, the class of most weight; of equals, the first.
pub(crate) fn largest_class_of_rows(units: &[Unit]) -> Vec<u32> {
    let mut largest = vec![(0u64, 0u32); n_distinct_rows(units)];
    for unit in units {
        let best = &mut largest[unit.row as usize];
        if unit.weight > best.0 {
            *best = (unit.weight, unit.class);
        }
    }
    largest.into_iter().map(|(_, class)| class).collect()
}

/// The number of distinct rows.
pub(super) fn n_distinct_rows(units: &[Unit]) -> usize {
    units.iter().map(|unit| unit.row as usize + 1).max().unwrap_or(0)
}

/// The greatest common divisor of the units' weights; 0 if there are none.
pub(crate) fn common_factor(units: &[Unit], weight: impl Fn(&Unit) -> u64) -> u64 {
    units.iter().fold(0, |common, unit| gcd(common, weight(unit)))
}

/// Give each unit a bit, each class starting a new word: the bit of each unit, and the word after the
/// last of each class.
pub(super) fn lay_out(units: &[Unit], n_classes: usize) -> (Vec<usize>, Vec<usize>) {
    let mut bits = Vec::with_capacity(units.len());
    let mut class_ends = Vec::with_capacity(n_classes);
    let mut next = 0usize;
    for class in 0..n_classes as u32 {
        let start = bits.len();
        bits.extend(
            units[start..].iter().take_while(|unit| unit.class == class).zip(next..).map(|p| p.1),
        );
        next = (next + bits.len() - start).next_multiple_of(64);
        class_ends.push(next / 64);
    }
    (bits, class_ends)
}
