//! Merge rows that agree on every feature, and features that part the rows alike.

use super::{Feature, Reduction};
use crate::data::Dataset;
use crate::problem::{Problem, ProblemBuilder, Unit};

/// Rows of weight 0 are left out; distinct rows are numbered in order of appearance.
pub(super) fn merge(
    dataset: &Dataset,
    features: &[Feature],
    go_on: &mut dyn FnMut(usize) -> bool,
) -> (Problem, Reduction) {
    let weight = |row: usize| dataset.weights().map_or(1, |weights| weights.units[row]);
    let rows: Vec<usize> = (0..dataset.n_rows()).filter(|&row| weight(row) > 0).collect();
    let (distinct, group_of) = group_rows(dataset, &rows);
    let units = merge_classes(dataset, &rows, &group_of, weight);
    let mut builder = ProblemBuilder::new(units, dataset.target().values().len());
    let (constant, repeated) = add_features(&mut builder, (dataset, &distinct), features, go_on);
    let reduction = Reduction {
        offered: features.len(),
        constant,
        repeated,
        rows: rows.len() as u64,
        distinct_rows: distinct.len(),
    };
    (builder.build(), reduction)
}

/// A row of the table for each distinct row, and the distinct row of each of `rows`.
///
/// Rows are compared by whole columns, which is the same as by features but for columns of which
/// an encoding drops a value: that value is then told apart by being none of the others.
fn group_rows(dataset: &Dataset, rows: &[usize]) -> (Vec<usize>, Vec<u32>) {
    let mut hashes = vec![0u64; rows.len()];
    for (number, column) in dataset.features().iter().enumerate() {
        for (hash, &row) in hashes.iter_mut().zip(rows) {
            let code = u64::from(column.codes().at(row)) << 20 | number as u64;
            *hash = (*hash ^ code).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
    }
    let same = |a: usize, b: usize| {
        dataset.features().iter().all(|column| column.codes().at(a) == column.codes().at(b))
    };
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

/// One unit for each distinct row and class that occurs with it.
fn merge_classes(
    dataset: &Dataset,
    rows: &[usize],
    group_of: &[u32],
    weight: impl Fn(usize) -> u64,
) -> Vec<Unit> {
    let mut units: Vec<Unit> = (rows.iter().zip(group_of))
        .map(|(&row, &group)| Unit {
            row: group,
            class: dataset.target().codes().at(row),
            weight: weight(row),
            n_rows: 1,
        })
        .collect();
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

/// Add the features that part the rows in a way of their own; returns how many of the others are
/// constant and how many repeat an earlier one.
fn add_features(
    builder: &mut ProblemBuilder,
    (dataset, distinct): (&Dataset, &[usize]),
    features: &[Feature],
    go_on: &mut dyn FnMut(usize) -> bool,
) -> (usize, usize) {
    let categories_of = |feature: &Feature| -> Vec<u32> {
        let codes = dataset.features()[feature.column()].codes();
        distinct
            .iter()
            .map(|&row| feature.category(Some(codes.at(row))).unwrap_or_default())
            .collect()
    };
    let mut partitions = hashbrown::HashTable::<(u64, u32)>::new();
    let (mut constant, mut repeated) = (0, 0);
    for (number, feature) in features.iter().enumerate() {
        if !go_on(builder.bytes()) {
            builder.clear();
            break;
        }
        let categories = categories_of(feature);
        if categories.windows(2).all(|pair| pair[0] == pair[1]) {
            constant += 1;
            continue;
        }
        let hash = relabelled(&categories).fold(0u64, |hash, label| {
            (hash ^ u64::from(label)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31)
        });
        let alike = |&(other_hash, other): &(u64, u32)| {
            let other = || categories_of(&features[other as usize]);
            other_hash == hash && relabelled(&other()).eq(relabelled(&categories))
        };
        if partitions.find(hash, alike).is_some() {
            repeated += 1;
            continue;
        }
        partitions.insert_unique(hash, (hash, number as u32), |&(hash, _)| hash);
        builder.add_feature(number, &categories);
    }
    (constant, repeated)
}

/// Categories renamed in order of appearance: features that part the rows alike become equal.
fn relabelled(categories: &[u32]) -> impl Iterator<Item = u32> + '_ {
    let largest = categories.iter().max().map_or(0, |&c| c as usize);
    let mut labels: Vec<Option<u32>> = vec![None; largest + 1];
    let mut next = 0;
    categories.iter().map(move |&category| {
        *labels[category as usize].get_or_insert_with(|| {
            next += 1;
            next - 1
        })
    })
}
