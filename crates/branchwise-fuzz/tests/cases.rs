//! Some mutated cases, and all that failed in the past.

#![allow(clippy::unwrap_used, reason = "a test may panic, and so may what it calls")]

use branchwise_fuzz::allocator::Counting;
use branchwise_fuzz::dice::Dice;
use branchwise_fuzz::seeds::{Kind, seeds};
use branchwise_fuzz::{Most, bytes_of, check};
use std::path::Path;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const CASES: u64 = 3_000;

#[test]
fn mutated_files_are_used_or_refused() {
    let seeds = seeds();
    for number in 0..CASES {
        let (kind, bytes, dice) = bytes_of(&seeds, 7, number);
        if let Err(wrong) = check(kind, &bytes, dice, Most::default()) {
            panic!("case {number} of seed 7: {wrong}");
        }
    }
}

#[test]
fn seeds_are_used_as_they_are() {
    for (number, seed) in seeds().iter().enumerate() {
        for roll in 0..20 {
            let dice = Dice::new(roll, number as u64);
            check(seed.kind(), &seed.bytes, dice, Most::default()).unwrap();
        }
    }
}

#[test]
fn what_was_found_stays_mended() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/found");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        let is_model = file.extension().is_some_and(|ending| ending == "model");
        let kind = if is_model { Kind::Model } else { Kind::Table };
        for roll in 0..50 {
            if let Err(wrong) = check(kind, &bytes, Dice::new(roll, 0), Most::default()) {
                panic!("{} with roll {roll}: {wrong}", file.display());
            }
        }
    }
}
