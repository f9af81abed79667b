//! How a [`Problem`] is made: its units are laid out, then features are added one at a time.

use super::masks::WeightMasks;
use super::unit::{Unit, largest_class_of_rows, lay_out, n_distinct_rows};
use super::{FeatureId, Partition, Problem};
use crate::limits::{Pulse, StopReason};
use crate::rowset::{Counting, RowSet};
use crate::sort::sort;

/// A [`Problem`] to which features are still being added, one at a time.
#[derive(Clone, Debug)]
pub(crate) struct ProblemBuilder {
    problem: Problem,
}

impl ProblemBuilder {
    /// Lay out the units.
    pub(crate) fn new(
        mut units: Vec<Unit>,
        n_classes: usize,
        pulse: &mut Pulse,
    ) -> Result<Self, StopReason> {
        sort(&mut units, pulse, |unit| (unit.class, unit.row))?;
        // Bits, masks of weights, and the units themselves.
        pulse.room_for(0, 32 * units.len())?;
        Ok(ProblemBuilder::of_sorted(units, n_classes))
    }

    /// The same for units that are in order: by class, then by distinct row.
    pub(crate) fn of_sorted(units: Vec<Unit>, n_classes: usize) -> Self {
        let (bits, class_ends) = lay_out(&units, n_classes);
        let n_words = class_ends.last().copied().unwrap_or(0);
        let mut all = RowSet::empty(n_words);
        bits.iter().for_each(|&bit| all.insert(bit));
        let weigh =
            |weight: fn(&Unit) -> u64| WeightMasks::new(&units, &bits, &class_ends, &weight);
        let counted_alike = units.iter().all(|unit| unit.weight == unit.n_rows);
        let problem = Problem {
            features: Vec::new(),
            feature_of: Vec::new(),
            columns: Vec::new(),
            n_words,
            weights: weigh(|unit| unit.weight),
            rows: (!counted_alike).then(|| weigh(|unit| unit.n_rows)),
            reachable: None,
            all,
            class_ends,
            total_weight: units.iter().map(|unit| unit.weight).sum(),
            units,
            bits,
            n_first: None,
            counting: Counting::for_this_machine(),
        };
        ProblemBuilder { problem }
    }

    /// Count separately what some tree gets right: of each distinct row, its class of most weight. Bounds
    /// that use it are tighter than those that count all weights.
    pub(crate) fn count_reachable(&mut self) {
        let Problem { units, bits, class_ends, reachable, .. } = &mut self.problem;
        let largest = largest_class_of_rows(units);
        let weight = |unit: &Unit| match largest[unit.row as usize] == unit.class {
            true => unit.weight,
            false => 0,
        };
        *reachable = Some(WeightMasks::new(units, bits, class_ends, &weight));
    }

    /// Add a feature by its number in the encoder and the category of each distinct row; two
    /// categories or more must occur.
    pub(crate) fn add_feature(
        &mut self,
        source: usize,
        category_of: &[u32],
        pulse: &mut Pulse,
    ) -> Result<(), StopReason> {
        let held = self.bytes();
        let Problem { features, feature_of, columns, n_words, units, bits, .. } = &mut self.problem;
        let largest = category_of.iter().max().map_or(0, |&largest| largest as usize);
        let mut occurs = vec![false; largest + 1];
        category_of.iter().for_each(|&category| occurs[category as usize] = true);
        let categories: Vec<u32> = (0..=largest as u32).filter(|&c| occurs[c as usize]).collect();

        let first = feature_of.len();
        let len = n_words.checked_mul(first + categories.len()).ok_or(StopReason::Memory)?;
        make_room(columns, len, held, pulse)?;
        let mut start_of = vec![0; largest + 1];
        for (index, &category) in categories.iter().enumerate() {
            start_of[category as usize] = (first + index) * *n_words;
        }
        feature_of.resize(first + categories.len(), FeatureId(features.len() as u32));
        pulse.extend_zeros(columns, len)?;
        for (unit, &mut bit) in units.iter().zip(bits) {
            let start = start_of[category_of[unit.row as usize] as usize];
            columns[start + bit / 64] |= 1 << (bit % 64);
        }
        features.push(Partition { source, categories, first: first as u32 });
        Ok(())
    }

    /// Bytes held so far.
    pub(crate) fn bytes(&self) -> usize {
        self.problem.bytes()
    }

    /// Trees must begin with a split by one of the features added so far.
    pub(crate) fn only_these_first(&mut self) {
        self.problem.n_first = Some(self.problem.features.len());
    }

    /// Remove all features except those that a tree must begin with.
    pub(crate) fn clear(&mut self) {
        let Problem { features, feature_of, columns, n_words, n_first, .. } = &mut self.problem;
        features.truncate(n_first.unwrap_or(0));
        let n_clauses = features.iter().map(|feature| feature.categories.len()).sum();
        feature_of.truncate(n_clauses);
        columns.truncate(n_clauses * *n_words);
        columns.shrink_to_fit();
    }

    pub(crate) fn build(self) -> Problem {
        self.problem
    }
}

impl Problem {
    /// The same features for other units of the same distinct rows.
    pub(crate) fn for_units(
        &self,
        units: Vec<Unit>,
        pulse: &mut Pulse,
    ) -> Result<ProblemBuilder, StopReason> {
        let mut category_of = vec![0; n_distinct_rows(&self.units)];
        let first_units = self.first_units();
        let mut builder = ProblemBuilder::new(units, self.n_classes(), pulse)?;
        for feature in &self.features {
            for (clause, &category) in feature.clauses().zip(&feature.categories) {
                pulse.spend(self.n_words + 1)?;
                for (place, &word) in self.rows_of(clause).iter().enumerate() {
                    let mut members = word;
                    while members != 0 {
                        let unit = first_units[place] + members.trailing_zeros();
                        category_of[self.units[unit as usize].row as usize] = category;
                        members &= members - 1;
                    }
                }
            }
            pulse.spend(8 * self.units.len())?;
            builder.add_feature(feature.source, &category_of, pulse)?;
        }
        builder.problem.n_first = self.n_first;
        Ok(builder)
    }
}

/// Make room for a list to grow to a length. Its capacity is doubled if memory allows that, so that many
/// small steps take no longer than one large one.
fn make_room(
    list: &mut Vec<u64>,
    len: usize,
    held: usize,
    pulse: &mut Pulse,
) -> Result<(), StopReason> {
    if len <= list.capacity() {
        return Ok(());
    }
    let twice = len.max(2 * list.capacity());
    let bytes = |len: usize| len.saturating_mul(8);
    let len = if pulse.room_for(held, bytes(twice)).is_ok() { twice } else { len };
    pulse.room_for(held, bytes(len))?;
    list.try_reserve_exact(len - list.len()).map_err(|_| StopReason::Memory)
}
