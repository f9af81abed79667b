//! The inner loops against what the machine can do at most.
//!
//! ```sh
//! cargo bench -p branchwise --features bench
//! ```
//!
//! Throughput is in words of 64 bits ("elements"). The two limits come first: adding up the ones of words
//! that fit into the nearest cache, and reading words from memory. A kernel that counts pairs combines
//! two words, one of which stays in a register, and then finds the largest class of four cells.

#![allow(missing_docs)] // the macro's own functions

use branchwise::search::bench::{Branch, Remembered, ones, transpose_block};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

fn limits(c: &mut Criterion) {
    let mut group = c.benchmark_group("limit");
    let near = vec![0x5555_AAAA_1234_8765u64; 2048];
    group.throughput(Throughput::Elements(near.len() as u64));
    for (number, kernel) in Branch::kernels().into_iter().enumerate() {
        group.bench_function(format!("ones of cached words, {kernel}"), |b| {
            b.iter(|| ones(number, black_box(&near)));
        });
    }
    let far = vec![1u64; 32 << 20];
    group.throughput(Throughput::Elements(far.len() as u64));
    group.sample_size(10);
    group.bench_function("reading memory", |b| {
        b.iter(|| black_box(&far).iter().fold(0, |all, word| all ^ word));
    });
    group.finish();
}

fn columns(c: &mut Criterion) {
    for (name, n_features, n_words) in [("cached", 48, 2), ("large", 200, 4000)] {
        let mut branch = Branch::random(n_features, n_words);
        let mut group = c.benchmark_group(format!("count columns, {name}"));
        group.throughput(Throughput::Elements(branch.n_words() as u64));
        for (number, kernel) in Branch::kernels().into_iter().enumerate() {
            group.bench_function(kernel, |b| b.iter(|| branch.count_columns(number)));
        }
        group.finish();
    }
}

fn pairs(c: &mut Criterion) {
    for (name, n_features, n_words) in
        [("small branch", 48, 1), ("cached", 48, 16), ("large", 96, 2000)]
    {
        let mut branch = Branch::random(n_features, n_words);
        let mut group = c.benchmark_group(format!("count pairs, {name}"));
        group.throughput(Throughput::Elements(branch.n_pair_words() as u64));
        group.sample_size(20);
        for (number, kernel) in Branch::kernels().into_iter().enumerate() {
            group.bench_function(&kernel, |b| {
                b.iter(|| branch.count_pairs(number, false));
            });
            group.bench_function(format!("{kernel}, two splits bounded"), |b| {
                b.iter(|| branch.count_pairs(number, true));
            });
        }
        group.finish();
    }
}

fn transposition(c: &mut Criterion) {
    let mut group = c.benchmark_group("transpose 64 × 64");
    group.throughput(Throughput::Elements(64));
    let mut block: [u64; 64] =
        std::array::from_fn(|row| (row as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    for (number, kernel) in Branch::kernels().into_iter().enumerate() {
        group.bench_function(kernel, |b| b.iter(|| transpose_block(number, black_box(&mut block))));
    }
    group.finish();
}

fn memo(c: &mut Criterion) {
    let mut group = c.benchmark_group("memo look-ups");
    for n in [1_000, 200_000, 4_000_000] {
        let memo = Remembered::new(n);
        group.throughput(Throughput::Elements(n));
        group.sample_size(10);
        group.bench_function(format!("of {n}"), |b| b.iter(|| memo.look_up()));
    }
    group.finish();
}

criterion_group!(benches, limits, columns, pairs, transposition, memo);
criterion_main!(benches);
