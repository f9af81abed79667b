//! Merge rows that lie in the same cells, and features that part the rows alike.

use super::pack::Packed;
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
    let (distinct, group_of) = distinct_rows(&columns, rows);
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
pub(super) struct Celled<'d> {
    codes: &'d Codes,
    /// The cell of each code. A code that no row has may have none.
    cells: Vec<u32>,
    n_cells: u32,
}

impl<'d> Celled<'d> {
    pub(super) fn new(codes: &'d Codes, cells: Vec<u32>) -> Self {
        let n_cells = cells.iter().max().map_or(1, |&most| most + 1);
        Celled { codes, cells, n_cells }
    }

    pub(super) fn n_cells(&self) -> u32 {
        self.n_cells
    }

    /// Tell, for each of these rows and the item that goes with it, the row's cell.
    #[inline]
    pub(super) fn cells_of<I>(
        &self,
        rows: &[usize],
        items: impl Iterator<Item = I>,
        mut tell: impl FnMut(I, u32),
    ) {
        self.codes.each(rows, items, |item, code| tell(item, self.cells[code as usize]));
    }
}

fn celled<'d>(dataset: &'d Dataset, encoder: &Encoder) -> Vec<Celled<'d>> {
    let pairs = dataset.features().iter().zip(encoder.inputs());
    let cells = pairs.map(|(column, input)| {
        let coder = input.coder();
        let values = column.values().iter().map(|value| coder.cell(Some(value)));
        let cells = values.chain([coder.cell(None)]).map(Option::unwrap_or_default);
        Celled::new(column.codes(), cells.collect())
    });
    cells.collect()
}

/// A row of the table for each distinct row, in the order of their cells, the first column counting
/// most; and the number of the distinct row of each of `rows`.
///
/// Rows are compared by cells, which is the same as by features but for columns of which an
/// encoding drops a value: that value is then told apart by being none of the others.
fn distinct_rows(columns: &[Celled], rows: &[usize]) -> (Vec<usize>, Vec<u32>) {
    let packed = Packed::new(columns, rows);
    let (distinct, mut group_of) = group(&packed, rows.len());
    let mut order: Vec<(u64, u32)> =
        distinct.iter().zip(0..).map(|(&place, group)| (packed.row(place)[0], group)).collect();
    let all = |group: u32| packed.row(distinct[group as usize]);
    order.sort_unstable_by(|&(first, a), &(other_first, b)| {
        first.cmp(&other_first).then_with(|| all(a).cmp(all(b)))
    });
    let mut number_of = vec![0; order.len()];
    for (&(_, group), number) in order.iter().zip(0..) {
        number_of[group as usize] = number;
    }
    group_of.iter_mut().for_each(|group| *group = number_of[*group as usize]);
    (order.iter().map(|&(_, group)| rows[distinct[group as usize]]).collect(), group_of)
}

/// The place of a row for each distinct row, and the distinct row of each row; in order of appearance.
fn group(packed: &Packed, n_rows: usize) -> (Vec<usize>, Vec<u32>) {
    let hash = |place: usize| {
        packed.row(place).iter().fold(0u64, |hash, &word| {
            let product = u128::from(hash ^ word) * 0x9E37_79B9_7F4A_7C15;
            (product >> 64) as u64 ^ product as u64
        })
    };
    let mut index = hashbrown::HashTable::<u32>::new();
    let mut distinct: Vec<usize> = Vec::new();
    let mut group_of = Vec::with_capacity(n_rows);
    for place in 0..n_rows {
        let (row, hash_of_row) = (packed.row(place), hash(place));
        let same = |&group: &u32| packed.row(distinct[group as usize]) == row;
        let found = index.find(hash_of_row, same).copied();
        group_of.push(found.unwrap_or_else(|| {
            let group = distinct.len() as u32;
            distinct.push(place);
            index.insert_unique(hash_of_row, group, |&other| hash(distinct[other as usize]));
            group
        }));
    }
    (distinct, group_of)
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
        let of_codes: Vec<u32> = column.cells.iter().map(|&cell| category(cell)).collect();
        let mut categories = vec![0; self.distinct.len()];
        let places = categories.iter_mut();
        column.codes.each(self.distinct, places, |into, code| *into = of_codes[code as usize]);
        categories
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
