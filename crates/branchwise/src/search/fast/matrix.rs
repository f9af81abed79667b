//! The table as the recursive search reads it: row by row, as bits.
//!
//! # Columns
//! A feature with k categories has k − 1 *columns*, one per category but its most frequent, which
//! is the rows that none of the columns has. Features with two categories come first, so that the
//! column of the i-th of them is column i.
//!
//! # Units
//! A row of weight 5 is a unit of weight 4 and one of weight 1: units weigh powers of two times a
//! factor of their class, and stand sorted in *groups* of equal class and weight, so that a group is
//! weighed by counting bits. Of the units of equal rows, those of their largest class are apart from
//! the others, which err in every tree.
//!
//! # Keys
//! Each distinct row has a random 128-bit word; a set of rows is known by the exclusive-or of its
//! words. Two different sets among k visited ones share a key with probability below k² / 2¹²⁹: for
//! ten billion sets less than 10⁻¹⁸, far below that of an undetected memory error.

use crate::limits::{Pulse, StopReason};
use crate::problem::{Clause, FeatureId, Problem, common_factor, largest_class_of_rows, units_of};
use crate::sort::sort;

/// A feature as columns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feature {
    pub(super) id: FeatureId,
    pub(super) first_column: u32,
    pub(super) n_columns: u32,
    /// The clause of the category without a column.
    pub(super) rest: Clause,
}

/// Units of one class and one weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) class: u32,
    /// The weight of each of its units.
    pub(super) worth: u64,
    /// Whether its units err in every tree.
    pub(super) errs: bool,
    /// Where its units end.
    pub(super) end: u32,
}

/// The table.
#[derive(Debug)]
pub(crate) struct Matrix {
    pub(super) features: Vec<Feature>,
    /// The number of leading features that have two categories.
    pub(super) n_binary: usize,
    /// The clause of each column.
    pub(super) clauses: Vec<Clause>,
    pub(super) groups: Vec<Group>,
    pub(super) words_per_row: usize,
    /// The columns of each unit.
    rows: Vec<u64>,
    keys: Vec<u128>,
    /// Numbers of table rows, on the first unit of each.
    n_rows: Vec<u64>,
}

impl Matrix {
    pub(crate) fn new(problem: &Problem, pulse: &mut Pulse) -> Result<Self, StopReason> {
        let units = problem.units();
        let largest_class = largest_class_of_rows(units);
        let (features, clauses, n_binary) = columns(problem, pulse)?;
        let words_per_row = clauses.len().div_ceil(64).max(1);

        // Parts of units: (class, worth, errs, unit), sorted into groups.
        let mut parts: Vec<(u32, u64, bool, usize)> = Vec::new();
        let factor = |class| common_factor(&units[units_of(units, class)], |unit| unit.weight);
        let factors: Vec<u64> = (0..problem.n_classes()).map(factor).collect();
        for (index, unit) in units.iter().enumerate() {
            pulse.spend(8)?;
            let errs = unit.class != largest_class[unit.row as usize];
            let factor = factors[unit.class as usize];
            let mut rest = unit.weight / factor;
            while rest > 0 {
                parts.push((unit.class, factor << rest.trailing_zeros(), errs, index));
                rest &= rest - 1;
            }
        }
        sort(&mut parts, pulse, |&part| part)?;
        pulse.room_for(problem.bytes(), parts.len() * (8 * words_per_row + 32))?;
        let mut groups: Vec<Group> = Vec::new();
        for (end, &(class, worth, errs, _)) in (1..).zip(&parts) {
            match groups.last_mut() {
                Some(g) if (g.class, g.worth, g.errs) == (class, worth, errs) => g.end = end,
                _ => groups.push(Group { class, worth, errs, end }),
            }
        }
        let mut matrix = Matrix {
            features,
            n_binary,
            groups,
            words_per_row,
            rows: vec![0; parts.len() * words_per_row],
            keys: parts
                .iter()
                .map(|&(class, worth, _, unit)| {
                    random(u64::from(units[unit].row) << 32 | u64::from(class), worth)
                })
                .collect(),
            n_rows: Vec::new(),
            clauses,
        };
        matrix.fill(problem, &parts, pulse)?;
        Ok(matrix)
    }

    fn fill(
        &mut self,
        problem: &Problem,
        parts: &[(u32, u64, bool, usize)],
        pulse: &mut Pulse,
    ) -> Result<(), StopReason> {
        let (units, bits) = (problem.units(), problem.bits());
        let blocks = self.rows.chunks_mut(64 * self.words_per_row).zip(parts.chunks(64));
        for (rows, parts) in blocks {
            let mut bits_of = [0; 64];
            for (place, &(_, _, _, unit)) in bits_of.iter_mut().zip(parts) {
                *place = bits[unit];
            }
            let from = Places::new(&bits_of[..parts.len()]);
            for (word, clauses) in self.clauses.chunks(64).enumerate() {
                pulse.spend(1024)?;
                let mut block = [0u64; 64];
                for (column, &clause) in block.iter_mut().zip(clauses) {
                    *column = from.gather(problem.rows_of(clause));
                }
                transpose(&mut block);
                let into = rows[word..].iter_mut().step_by(self.words_per_row);
                into.zip(block).for_each(|(into, columns)| *into = columns);
            }
        }
        let mut counted = vec![false; units.len()];
        self.n_rows = (parts.iter())
            .map(|&(_, _, _, unit)| {
                let first = !std::mem::replace(&mut counted[unit], true);
                if first { units[unit].n_rows } else { 0 }
            })
            .collect();
        Ok(())
    }

    /// Every unit.
    pub(super) fn all_units(&self) -> Vec<u32> {
        (0..self.keys.len() as u32).collect()
    }

    /// Whether these are all units: then the branch is the root, for every split parts units.
    pub(super) fn is_whole(&self, units: &[u32]) -> bool {
        units.len() == self.keys.len()
    }

    /// 64 columns of a unit.
    #[inline(always)]
    pub(super) fn word(&self, unit: u32, word: usize) -> u64 {
        self.rows[unit as usize * self.words_per_row + word]
    }

    pub(super) fn key(&self, unit: u32) -> u128 {
        self.keys[unit as usize]
    }

    /// What a set of units is known by.
    pub(super) fn key_of(&self, units: &[u32]) -> u128 {
        units.iter().fold(0, |key, &unit| key ^ self.key(unit))
    }

    /// The number of table rows of a unit.
    pub(super) fn n_rows(&self, unit: u32) -> u64 {
        self.n_rows[unit as usize]
    }

    pub(super) fn has(&self, unit: u32, column: u32) -> bool {
        self.rows[unit as usize * self.words_per_row + column as usize / 64] >> (column % 64) & 1
            == 1
    }

    /// The first of some columns that a unit has.
    fn first_of(&self, unit: u32, columns: std::ops::Range<u32>) -> Option<u32> {
        let (mut column, end) = (columns.start, columns.end);
        while column < end {
            let rest = self.word(unit, column as usize / 64) >> (column % 64);
            if rest != 0 {
                return Some(column + rest.trailing_zeros()).filter(|&found| found < end);
            }
            column = (column / 64 + 1) * 64;
        }
        None
    }

    /// Units parted by a feature, with the clause of each part that is not empty: its columns, then
    /// the rest.
    pub(super) fn parts(&self, units: &[u32], feature: u32) -> Vec<(Clause, Vec<u32>)> {
        let Feature { first_column, n_columns, rest, .. } = self.features[feature as usize];
        let columns = first_column..first_column + n_columns;
        let mut parts = vec![Vec::new(); n_columns as usize + 1];
        for &unit in units {
            let place = self.first_of(unit, columns.clone()).map(|column| column - first_column);
            parts[place.unwrap_or(n_columns) as usize].push(unit);
        }
        let clauses = columns.map(|column| self.clauses[column as usize]).chain([rest]);
        clauses.zip(parts).filter(|(_, part)| !part.is_empty()).collect()
    }

    /// A feature of the problem, by its number here; none if it is not among them.
    pub(super) fn feature_of(&self, id: FeatureId) -> Option<u32> {
        self.features.iter().position(|feature| feature.id == id).map(|place| place as u32)
    }

    /// The weight that errs if units are one leaf.
    pub(super) fn errors(&self, units: &[u32]) -> u64 {
        let (mut total, mut largest) = (0, 0);
        let mut of_class = (0, 0);
        for (group, units) in self.grouped(units) {
            let weight = group.worth * units.len() as u64;
            let same = of_class.0 == group.class;
            of_class = (group.class, if same { of_class.1 + weight } else { weight });
            largest = largest.max(of_class.1);
            total += weight;
        }
        total - largest
    }

    /// The weight that errs in every tree.
    pub(super) fn least_errors(&self, units: &[u32]) -> u64 {
        let errs = self.grouped(units).filter(|(group, _)| group.errs);
        errs.map(|(group, units)| group.worth * units.len() as u64).sum()
    }

    pub(super) fn weight(&self, units: &[u32]) -> u64 {
        self.grouped(units).map(|(group, units)| group.worth * units.len() as u64).sum()
    }

    /// Units, in order, by their groups.
    #[inline(always)]
    pub(super) fn grouped<'u>(
        &'u self,
        units: &'u [u32],
    ) -> impl Iterator<Item = (Group, &'u [u32])> {
        let mut rest = units;
        std::iter::from_fn(
            #[inline(always)]
            move || {
                let unit = *rest.first()?;
                let group = self.groups[self.groups.partition_point(|group| group.end <= unit)];
                let (of_group, others) =
                    rest.split_at(rest.partition_point(|&unit| unit < group.end));
                rest = others;
                Some((group, of_group))
            },
        )
    }

    pub(super) fn bytes(&self) -> usize {
        8 * self.rows.len() + 24 * self.keys.len()
    }
}

/// Up to 64 bits of sets.
enum Places<'b> {
    /// So many, one after the other, from the first on: as units mostly stand.
    Run(usize, usize),
    Any(&'b [usize]),
}

impl<'b> Places<'b> {
    fn new(bits: &'b [usize]) -> Self {
        match bits.first().filter(|_| bits.windows(2).all(|pair| pair[0] + 1 == pair[1])) {
            Some(&first) => Places::Run(first, bits.len()),
            None => Places::Any(bits),
        }
    }

    /// These bits of a set, side by side.
    fn gather(&self, set: &[u64]) -> u64 {
        match *self {
            Places::Run(first, n) => {
                let (word, shift) = (first / 64, first % 64);
                let next = if shift + n > 64 { set[word + 1] << (64 - shift) } else { 0 };
                (set[word] >> shift | next) & (u64::MAX >> (64 - n))
            }
            Places::Any(bits) => {
                let each = bits.iter().enumerate();
                each.fold(0, |word, (to, &bit)| word | (set[bit / 64] >> (bit % 64) & 1) << to)
            }
        }
    }
}

/// Features with two categories first; of each feature all categories but the most frequent.
fn columns(
    problem: &Problem,
    pulse: &mut Pulse,
) -> Result<(Vec<Feature>, Vec<Clause>, usize), StopReason> {
    let mut order: Vec<(bool, FeatureId)> =
        problem.features().map(|(id, feature)| (feature.categories.len() > 2, id)).collect();
    order.sort_unstable();
    let n_binary = order.iter().filter(|(multiway, _)| !multiway).count();
    let mut clauses: Vec<Clause> = Vec::new();
    let mut features = Vec::with_capacity(order.len());
    for (_, id) in order {
        let size = |clause: &Clause| {
            problem.rows_of(*clause).iter().map(|word| u64::from(word.count_ones())).sum::<u64>()
        };
        let all: Vec<Clause> = problem.feature(id).clauses().collect();
        let n_words = problem.class_ends().last().copied().unwrap_or(0);
        pulse.spend(all.len() * (n_words + 1))?;
        let Some(rest) = all.iter().copied().max_by_key(|clause| (size(clause), clause.0)) else {
            continue;
        };
        let first_column = clauses.len() as u32;
        clauses.extend(all.iter().filter(|&&clause| clause != rest));
        let n_columns = clauses.len() as u32 - first_column;
        features.push(Feature { id, first_column, n_columns, rest });
    }
    Ok((features, clauses, n_binary))
}

/// A fixed, well-spread 128-bit word for a pair of numbers.
pub(super) fn random(a: u64, b: u64) -> u128 {
    let mix = |seed: u64| {
        let mut z = seed
            .wrapping_add(a.wrapping_mul(0x9E37_79B9_7F4A_7C15))
            .wrapping_add(b.wrapping_mul(0xD1B5_4A32_D192_ED03));
        for _ in 0..2 {
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^= z >> 31;
        }
        z
    };
    u128::from(mix(0x243F_6A88_85A3_08D3)) << 64 | u128::from(mix(0x1319_8A2E_0370_7344))
}

/// Transpose 64 × 64 bits: bit c of word r becomes bit r of word c.
///
/// Six rounds: swap the off-diagonal quarters, then those of each quarter, and so on. Rows that swap
/// stand `WIDTH` apart, so that a round is a few loops over neighbouring words.
#[inline(always)]
pub(super) fn transpose(block: &mut [u64; 64]) {
    swap_quarters::<32>(block, 0x0000_0000_FFFF_FFFF);
    transpose_halves(block);
}

/// The same where only the first 32 columns matter: half of the first round is all it takes, and the
/// others on half of the words.
#[inline(always)]
pub(super) fn transpose_narrow(block: &mut [u64; 64]) {
    let (upper, lower) = block.split_at_mut(32);
    for (upper, lower) in upper.iter_mut().zip(lower) {
        *upper = *upper & 0x0000_0000_FFFF_FFFF | *lower << 32;
    }
    transpose_halves(upper);
}

/// Transpose 32 × 32 bits in either half of 32 words, and of the 32 after them if there are any.
#[inline(always)]
fn transpose_halves(block: &mut [u64]) {
    swap_quarters::<16>(block, 0x0000_FFFF_0000_FFFF);
    swap_quarters::<8>(block, 0x00FF_00FF_00FF_00FF);
    swap_quarters::<4>(block, 0x0F0F_0F0F_0F0F_0F0F);
    swap_quarters::<2>(block, 0x3333_3333_3333_3333);
    swap_quarters::<1>(block, 0x5555_5555_5555_5555);
}

#[inline(always)]
fn swap_quarters<const WIDTH: usize>(block: &mut [u64], low: u64) {
    for rows in block.chunks_exact_mut(2 * WIDTH) {
        let (upper, lower) = rows.split_at_mut(WIDTH);
        for (upper, lower) in upper.iter_mut().zip(lower) {
            let swap = ((*upper >> WIDTH) ^ *lower) & low;
            *upper ^= swap << WIDTH;
            *lower ^= swap;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_gathered() {
        let set: Vec<u64> = (0..4).map(|word| random(word, 1) as u64).collect();
        let has = |bit: usize| set[bit / 64] >> (bit % 64) & 1;
        let lists = (0..256).flat_map(|first| {
            (1..=64usize.min(256 - first)).map(move |n| (first..first + n).collect::<Vec<_>>())
        });
        let with_gaps = (0..64).map(|gap| (0..64).filter(|&i| i != gap).collect());
        let others = [vec![], vec![7, 6, 5], vec![0, 1, 0, 3], vec![9, 8, 11]];
        for bits in lists.chain(with_gaps).chain(others) {
            let expected =
                bits.iter().enumerate().fold(0, |word, (to, &bit)| word | has(bit) << to);
            assert_eq!(Places::new(&bits).gather(&set), expected, "{bits:?}");
        }
    }

    #[test]
    fn transposing_swaps_rows_and_columns() {
        let mut block: [u64; 64] = std::array::from_fn(|r| random(r as u64, 7) as u64);
        let before = block;
        transpose(&mut block);
        let mut narrow = before;
        transpose_narrow(&mut narrow);
        assert_eq!(narrow[..32], block[..32]);
        for (r, row) in before.iter().enumerate() {
            for (c, column) in block.iter().enumerate() {
                assert_eq!(row >> c & 1, column >> r & 1);
            }
        }
    }
}
