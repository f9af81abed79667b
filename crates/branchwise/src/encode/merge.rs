//! Merge rows that lie in the same cells, and features that divide the rows into the same parts.

use super::celled::{Celled, celled};
use super::pack::Packed;
use super::{Encoder, Reduction};
use crate::data::Dataset;
use crate::hash::{self, Numbering};
use crate::limits::{Pulse, StopReason};
use crate::problem::{Problem, ProblemBuilder, Unit};
use crate::sort::sort;

/// The rows to lay out, and the column that the first split must ask about, if there is one.
#[derive(Clone, Copy)]
pub(super) struct Chosen<'d> {
    pub(super) rows: &'d [usize],
    pub(super) first_column: Option<usize>,
}

/// A table after merging.
pub(super) struct Merged {
    pub(super) problem: Problem,
    pub(super) reduction: Reduction,
    /// The limit that was reached before all features were added, if any. Then only the features of the
    /// column that must be asked first are left.
    pub(super) stopped: Option<StopReason>,
}

/// Merge `rows`. Distinct rows are numbered in the order of their cells, so that nothing depends on the
/// order of rows, and similar rows are next to each other.
pub(super) fn merge(
    dataset: &Dataset,
    encoder: &Encoder,
    Chosen { rows, first_column }: Chosen,
    pulse: &mut Pulse,
    tell: &mut dyn FnMut(usize),
) -> Result<Merged, StopReason> {
    let columns = celled(dataset, encoder, pulse)?;
    let (distinct, group_of) = distinct_rows(&columns, rows, pulse)?;
    let units = merge_classes(dataset, rows, &group_of, pulse)?;
    let n_rows = units.iter().map(|unit| unit.n_rows).sum();
    let mut builder = ProblemBuilder::new(units, dataset.target().values().len(), pulse)?;
    let order = in_turn(encoder, first_column);
    let mut adding =
        Adding { builder: &mut builder, encoder, columns: &columns, distinct: &distinct };
    let Added { constant, repeated, stopped } = adding.add_features(&order, pulse, tell)?;
    let reduction = Reduction {
        offered: encoder.features().len(),
        constant,
        repeated,
        rows: n_rows,
        dropped_rows: 0,
        distinct_rows: distinct.len(),
    };
    Ok(Merged { problem: builder.build(), reduction, stopped })
}

/// The rows as one branch that is never split: used when a limit is reached before they are laid out.
pub(super) fn unsplit(dataset: &Dataset, rows: &[usize]) -> (Problem, Reduction) {
    let n_classes = dataset.target().values().len();
    let empty = |class| Unit { row: 0, class, weight: 0, n_rows: 0 };
    let mut units: Vec<Unit> = (0..n_classes as u32).map(empty).collect();
    for &row in rows {
        let unit = &mut units[dataset.target().codes().at(row) as usize];
        unit.weight += dataset.weight(row);
        unit.n_rows += dataset.count(row);
    }
    units.retain(|unit| unit.n_rows > 0);
    let rows = units.iter().map(|unit| unit.n_rows).sum();
    let problem = ProblemBuilder::of_sorted(units, n_classes).build();
    (problem, Reduction { rows, distinct_rows: 1, ..Reduction::default() })
}

/// One row of the table for each distinct row, sorted by cells, the first column first; and for each of
/// `rows` the number of its distinct row.
///
/// Rows are compared by cells. Features tell the same rows apart: even if an encoding drops a value, a row
/// with that value answers "no" for all others.
fn distinct_rows(
    columns: &[Celled],
    rows: &[usize],
    pulse: &mut Pulse,
) -> Result<(Vec<usize>, Vec<u32>), StopReason> {
    let packed = Packed::new(columns, rows, pulse)?;
    let (distinct, mut group_of) = group(&packed, rows.len(), pulse)?;
    let mut order: Vec<(u64, u32)> =
        distinct.iter().zip(0..).map(|(&place, group)| (packed.row(place)[0], group)).collect();
    let all = |group: u32| packed.row(distinct[group as usize]);
    sort(&mut order, pulse, |&(first, group)| (first, all(group)))?;
    let mut number_of = vec![0; order.len()];
    for (&(_, group), number) in order.iter().zip(0..) {
        number_of[group as usize] = number;
    }
    group_of.iter_mut().for_each(|group| *group = number_of[*group as usize]);
    Ok((order.iter().map(|&(_, group)| rows[distinct[group as usize]]).collect(), group_of))
}

/// The position of the first row of each distinct row, and for each row the number of its distinct row;
/// numbered in order of appearance.
fn group(
    packed: &Packed,
    n_rows: usize,
    pulse: &mut Pulse,
) -> Result<(Vec<usize>, Vec<u32>), StopReason> {
    let hash_of = |place: usize| hash::of_words(packed.row(place));
    let mut groups = Numbering::default();
    let mut distinct: Vec<usize> = Vec::new();
    let mut group_of = Vec::with_capacity(n_rows);
    pulse.room_for(0, 24 * n_rows)?;
    for place in 0..n_rows {
        let (row, hash) = (packed.row(place), hash_of(place));
        pulse.spend(2 * row.len() + 20)?;
        let found = groups.find(hash, |group| packed.row(distinct[group as usize]) == row);
        group_of.push(found.unwrap_or_else(|| {
            distinct.push(place);
            groups.add(hash, |group| hash_of(distinct[group as usize]))
        }));
    }
    Ok((distinct, group_of))
}

/// One unit for each distinct row and class that occurs with it.
fn merge_classes(
    dataset: &Dataset,
    rows: &[usize],
    group_of: &[u32],
    pulse: &mut Pulse,
) -> Result<Vec<Unit>, StopReason> {
    pulse.room_for(0, size_of::<Unit>() * rows.len())?;
    let units = (rows.iter().zip(group_of)).map(|(&row, &group)| Unit {
        row: group,
        class: dataset.target().codes().at(row),
        weight: dataset.weight(row),
        n_rows: dataset.count(row),
    });
    merged(units.collect(), pulse)
}

/// Units of the same distinct row and class become one.
pub(super) fn merged(mut units: Vec<Unit>, pulse: &mut Pulse) -> Result<Vec<Unit>, StopReason> {
    sort(&mut units, pulse, |unit| (unit.row, unit.class))?;
    units.dedup_by(|later, kept| {
        let same = (later.row, later.class) == (kept.row, kept.class);
        if same {
            kept.weight += later.weight;
            kept.n_rows += later.n_rows;
        }
        same
    });
    Ok(units)
}

/// The features that a tree must begin with, and the others.
struct Turns {
    first: Option<Vec<usize>>,
    others: Vec<usize>,
}

/// The features of the column that must be asked first come first, so that they are the ones that stay
/// when features with the same parts are dropped.
fn in_turn(encoder: &Encoder, first_column: Option<usize>) -> Turns {
    let column = |&feature: &usize| Some(encoder.features()[feature].column());
    let all = 0..encoder.features().len();
    let (first, others) = all.partition(|feature| column(feature) == first_column);
    Turns { first: first_column.map(|_| first), others }
}

/// Adds features to a problem, except constant ones and those with the parts of an earlier one.
struct Adding<'a> {
    builder: &'a mut ProblemBuilder,
    encoder: &'a Encoder,
    columns: &'a [Celled<'a>],
    distinct: &'a [usize],
}

/// The features that were added, by the partitions of the rows that they make.
#[derive(Default)]
struct Partitions {
    numbers: Numbering,
    /// For each partition, its hash and the first feature that makes it.
    known: Vec<(u64, usize)>,
}

/// What happened to a feature.
enum Fate {
    Added,
    Constant,
    Repeated,
}

/// What happened to all features.
struct Added {
    constant: usize,
    repeated: usize,
    stopped: Option<StopReason>,
}

impl Adding<'_> {
    /// Add features; `tell` is called with the number so far. If a limit is reached, only the features of
    /// the column that must be asked first are kept.
    fn add_features(
        &mut self,
        turns: &Turns,
        pulse: &mut Pulse,
        tell: &mut dyn FnMut(usize),
    ) -> Result<Added, StopReason> {
        let mut partitions = Partitions::default();
        let mut fates = Vec::new();
        if let Some(first) = &turns.first {
            for &feature in first {
                fates.push(self.add(feature, &mut partitions, pulse)?);
            }
            self.builder.only_these_first();
        }
        let mut stopped = None;
        for (number, &feature) in turns.others.iter().enumerate() {
            tell(number);
            match self.add(feature, &mut partitions, pulse) {
                Ok(fate) => fates.push(fate),
                Err(reason) => {
                    self.builder.clear();
                    stopped = Some(reason);
                    break;
                }
            }
        }
        let constant = fates.iter().filter(|fate| matches!(fate, Fate::Constant)).count();
        let repeated = fates.iter().filter(|fate| matches!(fate, Fate::Repeated)).count();
        Ok(Added { constant, repeated, stopped })
    }

    fn add(
        &mut self,
        feature: usize,
        partitions: &mut Partitions,
        pulse: &mut Pulse,
    ) -> Result<Fate, StopReason> {
        let n_codes = self.columns[self.encoder.features()[feature].column()].n_codes();
        pulse.spend(16 * self.distinct.len() + 4 * n_codes)?;
        pulse.room_for(self.builder.bytes(), 8 * self.distinct.len() + 4 * n_codes)?;
        let categories = self.categories_of(feature);
        if categories.windows(2).all(|pair| pair[0] == pair[1]) {
            return Ok(Fate::Constant);
        }
        let hash = hash::of_labels(relabelled(&categories));
        let Partitions { numbers, known } = partitions;
        let same = |number: u32| {
            let (other_hash, other) = known[number as usize];
            let other = || self.categories_of(other);
            other_hash == hash && relabelled(&other()).eq(relabelled(&categories))
        };
        if numbers.find(hash, same).is_some() {
            return Ok(Fate::Repeated);
        }
        known.push((hash, feature));
        numbers.add(hash, |number| known[number as usize].0);
        self.builder.add_feature(feature, &categories, pulse)?;
        Ok(Fate::Added)
    }

    fn categories_of(&self, feature: usize) -> Vec<u32> {
        let column = &self.columns[self.encoder.features()[feature].column()];
        let category = |cell: u32| self.encoder.category(feature, Some(cell)).unwrap_or_default();
        column.mapped(self.distinct, category)
    }
}

/// Categories renumbered in order of appearance: features with the same parts become equal.
fn relabelled(categories: &[u32]) -> impl Iterator<Item = u32> + '_ {
    let largest = categories.iter().copied().fold(0, u32::max) as usize;
    let mut labels: Vec<Option<u32>> = vec![None; largest + 1];
    let mut next = 0;
    categories.iter().map(move |&category| {
        *labels[category as usize].get_or_insert_with(|| {
            next += 1;
            next - 1
        })
    })
}
