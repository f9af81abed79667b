//! All that the search ever sees: features with few categories, classes and weights, as bits.
//!
//! # Layout
//! Rows of the table that agree on every feature are merged; what is left, one entry per distinct
//! row and class that occurs with it, is a *unit* with a weight. Units are sorted by class, each
//! class starting a new word, so that counting a branch's classes is counting bits in one stretch
//! of words per class.
//!
//! Weights are bit-sliced: within a class, a unit's weight is Σ 2^b · (bit b) times the class's
//! common factor, so a weighted count is a few bit counts. A table without duplicates needs one
//! slice, and the slice of "all units" needs no mask at all.
//!
//! Each [`Clause`] "feature i = category j" has the set of units that satisfy it.

use crate::limits::{Pulse, StopReason};
use crate::rowset::{Counting, RowSet, Support};
use crate::sort::sort;
use num_integer::gcd;

/// A feature, by its number in the [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FeatureId(pub(crate) u32);

/// A clause "feature = category", by its number: the clauses of a feature are consecutive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Clause(pub(crate) u32);

/// A feature as the search sees it: at least two categories, none of them empty.
#[derive(Clone, Debug)]
pub(crate) struct Partition {
    /// Where it comes from: the encoder's number.
    pub(crate) source: usize,
    /// For each category, the encoder's number of it.
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

/// Units of one class, as the words that the class has in row sets.
#[derive(Clone, Debug)]
struct Mask {
    /// The first of these words.
    first: usize,
    words: Vec<u64>,
}

/// One slice of weights: units that are in `mask` (or all) weigh `worth` more.
#[derive(Clone, Debug)]
struct Slice {
    mask: Option<Mask>,
    worth: u64,
}

/// Weights of units, sliced by class.
#[derive(Clone, Debug)]
struct WeightMasks {
    classes: Vec<Vec<Slice>>,
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
    /// The weights that some tree gets right, where they are counted apart.
    reachable: Option<WeightMasks>,
    /// By class and distinct row, and the bit of each in row sets.
    units: Vec<Unit>,
    bits: Vec<usize>,
    total_weight: u64,
    /// Only so many of the first features may be asked first, where that is limited.
    n_first: Option<usize>,
    counting: Counting,
}

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

fn n_distinct_rows(units: &[Unit]) -> usize {
    units.iter().map(|unit| unit.row as usize + 1).max().unwrap_or(0)
}

/// The greatest common divisor of the units' weights; 0 if there are none.
pub(crate) fn common_factor(units: &[Unit], weight: impl Fn(&Unit) -> u64) -> u64 {
    units.iter().fold(0, |common, unit| gcd(common, weight(unit)))
}

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

    /// Count apart what some tree gets right: of each distinct row, its class of most weight. So a bound
    /// need not hope for the rest.
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

    /// Take all features away again, but those that a tree must begin with.
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

/// Make room for a list to grow to a length: at once, or twice as much as it has if there is room for that,
/// so that many small steps take no longer than one large one.
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
    /// counted apart; `counts` is for counting in.
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
        let mask = |slice: &Slice| slice.mask.as_ref().map_or(0, |mask| mask.words.len());
        let words = |w: &WeightMasks| w.classes.iter().flatten().map(mask).sum::<usize>();
        let others = self.rows.iter().chain(&self.reachable);
        let masks = words(&self.weights) + others.map(words).sum::<usize>();
        8 * (self.columns.len() + masks + self.n_words)
            + 64 * self.features.len()
            + (size_of::<Unit>() + size_of::<usize>()) * self.units.len()
    }
}

/// Give each unit a bit, each class starting a new word: (bit of each unit, end of each class).
fn lay_out(units: &[Unit], n_classes: usize) -> (Vec<usize>, Vec<usize>) {
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

impl WeightMasks {
    fn new(
        units: &[Unit],
        bits: &[usize],
        class_ends: &[usize],
        weight: &dyn Fn(&Unit) -> u64,
    ) -> Self {
        let slices_of = |class: usize| -> Vec<Slice> {
            let range = units_of(units, class);
            let members = || units[range.clone()].iter().zip(&bits[range.clone()]);
            let common = common_factor(&units[range.clone()], weight);
            if common == 0 {
                return Vec::new();
            }
            if members().all(|(unit, _)| weight(unit) == common) {
                return vec![Slice { mask: None, worth: common }];
            }
            let largest = members().map(|(unit, _)| weight(unit) / common).max().unwrap_or(0);
            (0..u64::BITS - largest.leading_zeros())
                .map(|bit| {
                    let first = class.checked_sub(1).map_or(0, |before| class_ends[before]);
                    let mut mask = RowSet::empty(class_ends[class] - first);
                    members()
                        .filter(|(unit, _)| (weight(unit) / common) >> bit & 1 == 1)
                        .for_each(|(_, &place)| mask.insert(place - 64 * first));
                    let mask = Mask { first, words: mask.words().to_vec() };
                    Slice { mask: Some(mask), worth: common << bit }
                })
                .collect()
        };
        WeightMasks { classes: (0..class_ends.len()).map(slices_of).collect() }
    }

    fn count(&self, counting: Counting, support: &Support, set: &[u64], counts: &mut [u64]) {
        counts.fill(0);
        for (class, places, words) in support.stretches() {
            counts[class] = self.classes[class]
                .iter()
                .map(|slice| {
                    let mask = slice.mask.as_ref().map(|mask| (mask.first, &mask.words[..]));
                    slice.worth * counting.count(places, words, set, mask)
                })
                .sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Watch;

    fn problem() -> Problem {
        let unit = |row, class, weight, n_rows| Unit { row, class, weight, n_rows };
        let units = vec![unit(0, 1, 6, 1), unit(0, 0, 10, 2), unit(1, 0, 4, 1), unit(2, 2, 3, 3)];
        let watch = Watch::endless();
        let mut builder = ProblemBuilder::new(units, 4, &mut watch.pulse()).unwrap();
        builder.add_feature(0, &[0, 1, 1], &mut watch.pulse()).unwrap();
        builder.add_feature(4, &[7, 2, 5], &mut watch.pulse()).unwrap();
        builder.build()
    }

    #[test]
    fn units_are_laid_out_by_class() {
        let problem = problem();
        assert_eq!(problem.class_ends, [1, 2, 3, 3]);
        assert_eq!((problem.n_units(), problem.total_weight(), problem.n_clauses()), (4, 23, 5));
        assert_eq!(problem.feature(FeatureId(1)).categories, [2, 5, 7]);
        assert_eq!(problem.feature_of(Clause(4)), FeatureId(1));
    }

    #[test]
    fn weights_and_rows_are_counted_by_class() {
        let problem = problem();
        assert!(!problem.weights_are_row_counts());
        let mut support = Support::default();
        support.fill(problem.all_rows(), problem.class_ends());
        let mut counts = [0; 4];
        problem.all_class_weights(&support, &mut counts);
        assert_eq!(counts, [14, 6, 3, 0]);
        problem.all_class_rows(&support, &mut counts);
        assert_eq!(counts, [3, 1, 3, 0]);
        problem.class_weights(&support, Clause(1), &mut counts);
        assert_eq!(counts, [4, 0, 3, 0]);
        problem.class_rows(&support, Clause(4), &mut counts);
        assert_eq!(counts, [2, 1, 0, 0]);
        assert_eq!(problem.reachable(&support, None, &mut counts), None);
    }

    #[test]
    fn other_units_have_the_same_features() {
        let problem = problem();
        let unit = |row, class, weight| Unit { row, class, weight, n_rows: 1 };
        let units = vec![unit(0, 3, 5), unit(0, 1, 2), unit(1, 1, 7), unit(2, 0, 1)];
        let watch = Watch::endless();
        let mut builder = problem.for_units(units, &mut watch.pulse()).unwrap();
        builder.count_reachable();
        let other = builder.build();
        assert_eq!((other.n_features(), other.total_weight()), (2, 15));
        assert_eq!(other.feature(FeatureId(1)).categories, [2, 5, 7]);
        let mut support = Support::default();
        support.fill(other.all_rows(), other.class_ends());
        let mut counts = [0; 4];
        other.class_weights(&support, Clause(0), &mut counts);
        assert_eq!(counts, [0, 2, 0, 5]);
        assert_eq!(other.reachable(&support, Some(Clause(0)), &mut counts), Some(5));
        assert_eq!(other.reachable(&support, None, &mut counts), Some(13));
    }
}
