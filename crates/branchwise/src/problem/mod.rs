//! All that the search ever sees: features with few categories, classes and weights, as bits.
//!
//! # Layout
//! Rows of the table that agree on every feature are merged; what is left, one entry per distinct
//! row and class that occurs with it, is a *unit* with a weight. Units are sorted by class, each
//! class starting a new word, so that counting a branch's classes is counting bits in one stretch
//! of words per class (`unit`).
//!
//! Weights are bit-sliced: within a class, a unit's weight is Σ 2^b · (bit b) times the class's
//! common factor, so a weighted count is a few bit counts (`masks`). A table without duplicates needs
//! one slice, and the slice of "all units" needs no mask at all.
//!
//! Each [`Clause`] "feature i = category j" has the set of units that satisfy it. A [`ProblemBuilder`]
//! lays out the units and adds the features.

mod builder;
mod masks;
mod unit;

pub(crate) use builder::ProblemBuilder;
pub(crate) use unit::{Unit, common_factor, largest_class_of_rows, units_of};

use crate::rowset::{Counting, RowSet, Support};
use masks::WeightMasks;

/// A feature, by its number in the [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FeatureId(pub(crate) u32);

/// A clause "feature = category", by its number: the clauses of a feature are consecutive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Clause(pub(crate) u32);

/// A feature as the search sees it, a partition of the rows: at least two categories, none of them empty.
#[derive(Clone, Debug)]
pub(crate) struct Partition {
    /// The number of the feature in the encoder.
    pub(crate) source: usize,
    /// For each category, its number in the encoder.
    pub(crate) categories: Vec<u32>,
    /// Its first clause.
    first: u32,
}

impl Partition {
    /// The feature's clauses, in the order of its categories.
    pub(crate) fn clauses(&self) -> impl Iterator<Item = Clause> + use<> {
        (self.first..self.first + self.categories.len() as u32).map(Clause)
    }
}

/// The table, ready to be searched.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    features: Vec<Partition>,
    feature_of: Vec<FeatureId>,
    /// The units of each clause, `n_words` apiece.
    columns: Vec<u64>,
    n_words: usize,
    /// Where each class's words end.
    class_ends: Vec<usize>,
    all: RowSet,
    weights: WeightMasks,
    /// Numbers of table rows, where they differ from the weights.
    rows: Option<WeightMasks>,
    /// The weights that some tree gets right, where they differ from the weights of all units.
    reachable: Option<WeightMasks>,
    /// Sorted by class, then by distinct row.
    units: Vec<Unit>,
    /// The bit of each unit in row sets.
    bits: Vec<usize>,
    total_weight: u64,
    /// How many features, the first ones, may be asked at the root, where that is limited.
    n_first: Option<usize>,
    counting: Counting,
}

impl Problem {
    /// For each word of a row set, the unit that its first bit stands for; the others follow.
    pub(crate) fn first_units(&self) -> Vec<u32> {
        let mut first = vec![0; self.n_words];
        let starts = (0..).zip(&self.bits).filter(|(_, bit)| bit.is_multiple_of(64));
        starts.for_each(|(unit, &bit)| first[bit / 64] = unit);
        first
    }

    /// Whether a tree must begin with a split, by a feature that may come first.
    pub(crate) fn requires_split(&self) -> bool {
        self.n_first.is_some()
    }

    /// Whether a tree may begin with a split by this feature.
    pub(crate) fn may_be_first(&self, feature: FeatureId) -> bool {
        self.n_first.is_none_or(|n_first| (feature.0 as usize) < n_first)
    }

    pub(crate) fn n_features(&self) -> usize {
        self.features.len()
    }

    pub(crate) fn n_classes(&self) -> usize {
        self.class_ends.len()
    }

    /// Distinct rows, counted once for each class they occur with.
    pub(crate) fn n_units(&self) -> usize {
        self.units.len()
    }

    pub(crate) fn n_clauses(&self) -> usize {
        self.feature_of.len()
    }

    pub(crate) fn total_weight(&self) -> u64 {
        self.total_weight
    }

    pub(crate) fn features(&self) -> impl Iterator<Item = (FeatureId, &Partition)> {
        self.features.iter().enumerate().map(|(id, feature)| (FeatureId(id as u32), feature))
    }

    pub(crate) fn feature(&self, id: FeatureId) -> &Partition {
        &self.features[id.0 as usize]
    }

    pub(crate) fn feature_of(&self, clause: Clause) -> FeatureId {
        self.feature_of[clause.0 as usize]
    }

    /// Every row.
    pub(crate) fn all_rows(&self) -> &RowSet {
        &self.all
    }

    /// The rows that satisfy a clause.
    pub(crate) fn rows_of(&self, clause: Clause) -> &[u64] {
        let start = clause.0 as usize * self.n_words;
        &self.columns[start..start + self.n_words]
    }

    /// The units, by class and distinct row.
    pub(crate) fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The bit of each unit in row sets.
    pub(crate) fn bits(&self) -> &[usize] {
        &self.bits
    }

    /// The weight of each class.
    pub(crate) fn class_totals(&self) -> Vec<u64> {
        let mut totals = vec![0; self.n_classes()];
        self.units.iter().for_each(|unit| totals[unit.class as usize] += unit.weight);
        totals
    }

    /// Where each class's words end.
    pub(crate) fn class_ends(&self) -> &[usize] {
        &self.class_ends
    }

    /// Whether some distinct row of some class weighs nothing.
    pub(crate) fn has_weightless(&self) -> bool {
        self.units.iter().any(|unit| unit.weight == 0)
    }

    /// Whether weights and numbers of rows are the same thing.
    pub(crate) fn weights_are_row_counts(&self) -> bool {
        self.rows.is_none()
    }

    /// The weight of each class among the supported rows that satisfy a clause.
    pub(crate) fn class_weights(&self, support: &Support, clause: Clause, counts: &mut [u64]) {
        self.weights.count(self.counting, support, self.rows_of(clause), counts);
    }

    /// The weight of each class among the supported rows.
    pub(crate) fn all_class_weights(&self, support: &Support, counts: &mut [u64]) {
        self.weights.count(self.counting, support, self.all.words(), counts);
    }

    /// The most that any tree gets right of the supported rows that satisfy a clause, where that is
    /// counted separately; `counts` is working space.
    pub(crate) fn reachable(
        &self,
        support: &Support,
        clause: Option<Clause>,
        counts: &mut [u64],
    ) -> Option<u64> {
        let reachable = self.reachable.as_ref()?;
        let set = clause.map_or(self.all.words(), |clause| self.rows_of(clause));
        reachable.count(self.counting, support, set, counts);
        Some(counts.iter().sum())
    }

    /// The number of table rows of each class among the supported rows that satisfy a clause.
    pub(crate) fn class_rows(&self, support: &Support, clause: Clause, counts: &mut [u64]) {
        let rows = self.rows.as_ref().unwrap_or(&self.weights);
        rows.count(self.counting, support, self.rows_of(clause), counts);
    }

    /// The number of table rows of each class among the supported rows.
    pub(crate) fn all_class_rows(&self, support: &Support, counts: &mut [u64]) {
        let rows = self.rows.as_ref().unwrap_or(&self.weights);
        rows.count(self.counting, support, self.all.words(), counts);
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let others = self.rows.iter().chain(&self.reachable);
        let masks = self.weights.n_words() + others.map(WeightMasks::n_words).sum::<usize>();
        8 * (self.columns.len() + masks + self.n_words)
            + 64 * self.features.len()
            + (size_of::<Unit>() + size_of::<usize>()) * self.units.len()
    }
}

#[cfg(test)]
mod tests;
