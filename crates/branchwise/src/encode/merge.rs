//! Merge rows that lie in the same cells, and features that part the rows alike.

use super::{Encoder, Reduction};
use crate::data::{Codes, Dataset};
use crate::problem::{Problem, ProblemBuilder, Unit};

/// Lay out `rows`. Distinct rows are numbered in the order of their cells, so that nothing depends on
/// the order of rows, and rows that are alike stand together.
pub(super) fn merge(
    dataset: &Dataset,
    encoder: &Encoder,
    (rows, first_column): (&[usize], Option<usize>),
    go_on: &mut dyn FnMut(usize) -> bool,
) -> (Problem, Reduction) {
    let columns = celled(dataset, encoder);
    let (distinct, group_of) = in_order(&columns, group_rows(&columns, rows));
    let units = merge_classes(dataset, rows, &group_of);
    let n_rows = units.iter().map(|unit| unit.n_rows).sum();
    let mut builder = ProblemBuilder::new(units, dataset.target().values().len());
    let order = in_turn(encoder, first_column);
    let mut adding =
        Adding { builder: &mut builder, encoder, columns: &columns, distinct: &distinct };
    let (constant, repeated) = adding.add_features(&order, go_on);
    let reduction = Reduction {
        offered: encoder.features().len(),
        constant,
        repeated,
        rows: n_rows,
        dropped_rows: 0,
        distinct_rows: distinct.len(),
    };
    (builder.build(), reduction)
}

/// A column whose codes are translated to cells.
struct Celled<'d> {
    codes: &'d Codes,
    /// The cell of each code. A code that no row has may have none.
    cells: Vec<u32>,
    n_cells: u32,
}

impl Celled<'_> {
    fn at(&self, row: usize) -> u32 {
        self.cells[self.codes.at(row) as usize]
    }
}

fn celled<'d>(dataset: &'d Dataset, encoder: &Encoder) -> Vec<Celled<'d>> {
    let pairs = dataset.features().iter().zip(encoder.inputs());
    let cells = pairs.map(|(column, input)| {
        let coder = input.coder();
        let values = column.values().iter().map(|value| coder.cell(Some(value)));
        let cells: Vec<u32> =
            values.chain([coder.cell(None)]).map(Option::unwrap_or_default).collect();
        let n_cells = cells.iter().max().map_or(1, |&most| most + 1);
        Celled { codes: column.codes(), cells, n_cells }
    });
    cells.collect()
}

/// A row of the table for each distinct row, and the distinct row of each of `rows`; distinct rows are
/// in order of appearance.
///
/// Rows are compared by cells, which is the same as by features but for columns of which an
/// encoding drops a value: that value is then told apart by being none of the others.
fn group_rows(columns: &[Celled], rows: &[usize]) -> (Vec<usize>, Vec<u32>) {
    let mut hashes = vec![0u64; rows.len()];
    for (number, column) in columns.iter().enumerate() {
        for (hash, &row) in hashes.iter_mut().zip(rows) {
            let cell = u64::from(column.at(row)) << 20 | number as u64;
            *hash = (*hash ^ cell).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
    }
    let same = |a: usize, b: usize| columns.iter().all(|column| column.at(a) == column.at(b));
    let mut index = hashbrown::HashTable::<u32>::new();
    let mut distinct: Vec<usize> = Vec::new();
    let mut distinct_hashes: Vec<u64> = Vec::new();
    let mut group_of = Vec::with_capacity(rows.len());
    for (&row, &hash) in rows.iter().zip(&hashes) {
        let found = index.find(hash, |&group| {
            distinct_hashes[group as usize] == hash && same(distinct[group as usize], row)
        });
        let group = found.copied().unwrap_or_else(|| {
            let group = distinct.len() as u32;
            distinct.push(row);
            distinct_hashes.push(hash);
            index.insert_unique(hash, group, |&other| distinct_hashes[other as usize]);
            group
        });
        group_of.push(group);
    }
    (distinct, group_of)
}

/// The same with distinct rows in the order of their cells, the first column counting most.
fn in_order(
    columns: &[Celled],
    (distinct, mut group_of): (Vec<usize>, Vec<u32>),
) -> (Vec<usize>, Vec<u32>) {
    let cells = |row: usize| columns.iter().map(move |column| column.at(row));
    let mut order: Vec<(u64, u32)> =
        distinct.iter().zip(0..).map(|(&row, group)| (first_cells(columns, row), group)).collect();
    order.sort_unstable_by(|&(key, a), &(other_key, b)| {
        let all = || cells(distinct[a as usize]).cmp(cells(distinct[b as usize]));
        key.cmp(&other_key).then_with(all)
    });
    let mut number_of = vec![0; order.len()];
    for (&(_, group), number) in order.iter().zip(0..) {
        number_of[group as usize] = number;
    }
    group_of.iter_mut().for_each(|group| *group = number_of[*group as usize]);
    (order.iter().map(|&(_, group)| distinct[group as usize]).collect(), group_of)
}

/// The cells of the first columns in one number, as many as fit: most rows differ there.
fn first_cells(columns: &[Celled], row: usize) -> u64 {
    let (mut key, mut room) = (0, u64::BITS);
    for column in columns {
        let bits = column.n_cells.ilog2() + 1;
        let Some(left) = room.checked_sub(bits) else { break };
        room = left;
        key = key << bits | u64::from(column.at(row));
    }
    key
}

/// One unit for each distinct row and class that occurs with it.
fn merge_classes(dataset: &Dataset, rows: &[usize], group_of: &[u32]) -> Vec<Unit> {
    let units = (rows.iter().zip(group_of)).map(|(&row, &group)| Unit {
        row: group,
        class: dataset.target().codes().at(row),
        weight: dataset.weight(row),
        n_rows: dataset.count(row),
    });
    merged(units.collect())
}

/// Units of the same distinct row and class become one.
pub(super) fn merged(mut units: Vec<Unit>) -> Vec<Unit> {
    units.sort_unstable_by_key(|unit| (unit.row, unit.class));
    units.dedup_by(|later, kept| {
        let same = (later.row, later.class) == (kept.row, kept.class);
        if same {
            kept.weight += later.weight;
            kept.n_rows += later.n_rows;
        }
        same
    });
    units
}

/// The features that a tree must begin with, and the others.
struct Turns {
    first: Option<Vec<usize>>,
    others: Vec<usize>,
}

/// The features of the column that must be asked first come first, so that of features that part the rows
/// alike theirs stay.
fn in_turn(encoder: &Encoder, first_column: Option<usize>) -> Turns {
    let column = |&feature: &usize| Some(encoder.features()[feature].column());
    let all = 0..encoder.features().len();
    let (first, others) = all.partition(|feature| column(feature) == first_column);
    Turns { first: first_column.map(|_| first), others }
}

/// Features being added that part the rows in a way of their own.
struct Adding<'a> {
    builder: &'a mut ProblemBuilder,
    encoder: &'a Encoder,
    columns: &'a [Celled<'a>],
    distinct: &'a [usize],
}

/// Features by how they part the rows.
type Partitions = hashbrown::HashTable<(u64, u32)>;

/// What became of a feature.
enum Fate {
    Added,
    Constant,
    Repeated,
}

impl Adding<'_> {
    /// Add features; returns how many of the others are constant and how many repeat an earlier one.
    fn add_features(
        &mut self,
        turns: &Turns,
        go_on: &mut dyn FnMut(usize) -> bool,
    ) -> (usize, usize) {
        let mut partitions = Partitions::new();
        let mut fates = Vec::new();
        if let Some(first) = &turns.first {
            fates.extend(first.iter().map(|&feature| self.add(feature, &mut partitions)));
            self.builder.only_these_first();
        }
        for &feature in &turns.others {
            if !go_on(self.builder.bytes()) {
                self.builder.clear();
                break;
            }
            fates.push(self.add(feature, &mut partitions));
        }
        let constant = fates.iter().filter(|fate| matches!(fate, Fate::Constant)).count();
        let repeated = fates.iter().filter(|fate| matches!(fate, Fate::Repeated)).count();
        (constant, repeated)
    }

    fn add(&mut self, feature: usize, partitions: &mut Partitions) -> Fate {
        let categories = self.categories_of(feature);
        if categories.windows(2).all(|pair| pair[0] == pair[1]) {
            return Fate::Constant;
        }
        let hash = hash(relabelled(&categories));
        let alike = |&(other_hash, other): &(u64, u32)| {
            let other = || self.categories_of(other as usize);
            other_hash == hash && relabelled(&other()).eq(relabelled(&categories))
        };
        if partitions.find(hash, alike).is_some() {
            return Fate::Repeated;
        }
        partitions.insert_unique(hash, (hash, feature as u32), |&(hash, _)| hash);
        self.builder.add_feature(feature, &categories);
        Fate::Added
    }

    fn categories_of(&self, feature: usize) -> Vec<u32> {
        let column = &self.columns[self.encoder.features()[feature].column()];
        let category = |cell: u32| self.encoder.category(feature, Some(cell)).unwrap_or_default();
        let of_cells: Vec<u32> = (0..column.n_cells).map(category).collect();
        self.distinct.iter().map(|&row| of_cells[column.at(row) as usize]).collect()
    }
}

/// A sum in which each row has its own factor: no row waits for the one before.
fn hash(labels: impl Iterator<Item = u32>) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let sum = labels.zip(1u64..).fold(0u64, |sum, (label, row)| {
        let own = row.wrapping_mul(FACTOR);
        sum.wrapping_add((own ^ (own >> 32)).wrapping_mul(FACTOR ^ u64::from(label) << 1))
    });
    sum ^ (sum >> 32)
}

/// Categories renamed in order of appearance: features that part the rows alike become equal.
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
