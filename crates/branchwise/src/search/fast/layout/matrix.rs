//! The table as the search reads it: row by row, as bits.
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

use super::transpose::transpose;
use crate::hash::{GOLDEN, split_mix};
use crate::limits::{Pulse, StopReason};
use crate::problem::{Clause, FeatureId, Problem, common_factor, largest_class_of_rows, units_of};
use crate::sort::sort;
use std::ops::Range;

/// A question that a split can ask: a feature of the problem, as columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    id: FeatureId,
    first_column: u32,
    n_columns: u32,
    /// The clause of the category without a column.
    rest: Clause,
}

impl Question {
    /// The feature of the problem.
    pub(crate) fn id(self) -> FeatureId {
        self.id
    }

    /// Its columns.
    #[inline(always)]
    pub(super) fn columns(self) -> Range<u32> {
        self.first_column..self.first_column + self.n_columns
    }
}

/// Units of one class and one weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(super) class: u32,
    /// The weight of each of its units.
    pub(crate) worth: u64,
    /// Whether its units err in every tree.
    pub(crate) errs: bool,
    /// Where its units end.
    pub(crate) end: u32,
}

/// The table.
#[derive(Debug)]
pub(crate) struct Matrix {
    questions: Vec<Question>,
    /// The number of leading questions that have two answers.
    n_binary: usize,
    /// The clause of each column.
    clauses: Vec<Clause>,
    groups: Vec<Group>,
    words_per_row: usize,
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
        let (questions, clauses, n_binary) = columns(problem, pulse)?;
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
            questions,
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
    pub(crate) fn all_units(&self) -> Vec<u32> {
        (0..self.keys.len() as u32).collect()
    }

    /// Whether these are all units: then the branch is the root, for every split parts units.
    pub(crate) fn is_whole(&self, units: &[u32]) -> bool {
        units.len() == self.keys.len()
    }

    /// 64 columns of a unit.
    #[inline(always)]
    pub(crate) fn word(&self, unit: u32, word: usize) -> u64 {
        self.rows[unit as usize * self.words_per_row + word]
    }

    pub(crate) fn key(&self, unit: u32) -> u128 {
        self.keys[unit as usize]
    }

    /// What a set of units is known by.
    pub(crate) fn key_of(&self, units: &[u32]) -> u128 {
        units.iter().fold(0, |key, &unit| key ^ self.key(unit))
    }

    /// The number of table rows of a unit.
    pub(crate) fn n_rows(&self, unit: u32) -> u64 {
        self.n_rows[unit as usize]
    }

    pub(crate) fn has(&self, unit: u32, column: u32) -> bool {
        self.rows[unit as usize * self.words_per_row + column as usize / 64] >> (column % 64) & 1
            == 1
    }

    /// The first of some columns that a unit has.
    fn first_of(&self, unit: u32, columns: Range<u32>) -> Option<u32> {
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

    /// Units parted by a question, with the clause of each part that is not empty: its columns, then
    /// the rest.
    pub(crate) fn parts(&self, units: &[u32], question: u32) -> Vec<(Clause, Vec<u32>)> {
        let question = self.question(question);
        let Question { first_column, n_columns, rest, .. } = question;
        let columns = question.columns();
        let mut parts = vec![Vec::new(); n_columns as usize + 1];
        for &unit in units {
            let place = self.first_of(unit, columns.clone()).map(|column| column - first_column);
            parts[place.unwrap_or(n_columns) as usize].push(unit);
        }
        let clauses = columns.map(|column| self.clauses[column as usize]).chain([rest]);
        clauses.zip(parts).filter(|(_, part)| !part.is_empty()).collect()
    }

    /// The question that asks about a feature of the problem, if there is one.
    pub(crate) fn question_about(&self, id: FeatureId) -> Option<u32> {
        self.questions.iter().position(|question| question.id == id).map(|place| place as u32)
    }

    /// A question, by its number.
    #[inline(always)]
    pub(crate) fn question(&self, number: u32) -> Question {
        self.questions[number as usize]
    }

    /// Every question.
    pub(crate) fn all_questions(&self) -> Vec<u32> {
        (0..self.questions.len() as u32).collect()
    }

    /// Whether a question has two answers.
    #[inline(always)]
    pub(crate) fn is_binary(&self, question: u32) -> bool {
        (question as usize) < self.n_binary
    }

    /// Whether every question has two answers.
    pub(crate) fn all_binary(&self) -> bool {
        self.n_binary == self.questions.len()
    }

    /// The most children that a split has beyond its first.
    pub(crate) fn most_extra_children(&self) -> u32 {
        self.questions.iter().map(|question| question.n_columns).max().unwrap_or(1)
    }

    /// The number of groups of units.
    pub(crate) fn n_groups(&self) -> usize {
        self.groups.len()
    }

    /// The number of words that a row takes.
    pub(crate) fn words_per_row(&self) -> usize {
        self.words_per_row
    }

    /// The weight that errs if units are one leaf.
    pub(crate) fn errors(&self, units: &[u32]) -> u64 {
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
    pub(crate) fn least_errors(&self, units: &[u32]) -> u64 {
        let errs = self.grouped(units).filter(|(group, _)| group.errs);
        errs.map(|(group, units)| group.worth * units.len() as u64).sum()
    }

    pub(crate) fn weight(&self, units: &[u32]) -> u64 {
        self.grouped(units).map(|(group, units)| group.worth * units.len() as u64).sum()
    }

    /// Units, in order, by their groups.
    #[inline(always)]
    pub(crate) fn grouped<'u>(
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

    pub(crate) fn bytes(&self) -> usize {
        8 * self.rows.len() + 24 * self.keys.len()
    }
}

/// Up to 64 bits of sets.
enum Places<'b> {
    /// A first bit, and a number of bits that follow each other, as most units do.
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
) -> Result<(Vec<Question>, Vec<Clause>, usize), StopReason> {
    let mut order: Vec<(bool, FeatureId)> =
        problem.features().map(|(id, feature)| (feature.categories.len() > 2, id)).collect();
    order.sort_unstable();
    let n_binary = order.iter().filter(|(multiway, _)| !multiway).count();
    let mut clauses: Vec<Clause> = Vec::new();
    let mut questions = Vec::with_capacity(order.len());
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
        questions.push(Question { id, first_column, n_columns, rest });
    }
    Ok((questions, clauses, n_binary))
}

/// A fixed, well-spread 128-bit word for a pair of numbers.
pub(crate) fn random(a: u64, b: u64) -> u128 {
    let mix = |seed: u64| {
        let b = b.wrapping_mul(0xD1B5_4A32_D192_ED03);
        split_mix(split_mix(seed.wrapping_add(a.wrapping_mul(GOLDEN)).wrapping_add(b)))
    };
    u128::from(mix(0x243F_6A88_85A3_08D3)) << 64 | u128::from(mix(0x1319_8A2E_0370_7344))
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
}
