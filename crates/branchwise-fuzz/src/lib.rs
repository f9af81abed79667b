//! Fuzzing with mutated tables and models: nothing may panic, hang, or allocate memory without bound.
//!
//! Two numbers, the seed of the run and the number of the case, determine what is mutated, how, and what is
//! then done with it ([`case`]). [`check`] runs one case and watches time and memory. The program runs many
//! cases, each batch in its own process, so that even an abort is noticed; see its `--help`.

pub mod allocator;
pub mod arrow;
pub mod case;
pub mod dice;
pub mod mutate;
pub mod parquet;
pub mod seeds;
pub mod thrift;

use dice::Dice;
use seeds::{Kind, Seed, Shape};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The limits of a case.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// Time.
    pub time: Duration,
    /// Bytes in use at once.
    pub bytes: usize,
}

impl Default for Most {
    fn default() -> Self {
        Most { time: Duration::from_secs(10), bytes: allocator::MOST }
    }
}

/// The bytes of a case, what they are meant to be, and the generator that decides what is done with them.
pub fn bytes_of(seeds: &[Seed], seed: u64, number: u64) -> (Kind, Vec<u8>, Dice) {
    let mut dice = Dice::new(seed, number);
    let shape = *dice.pick(&Shape::ALL);
    let same: Vec<&Seed> = seeds.iter().filter(|seed| seed.shape == shape).collect();
    let (first, other) = (*dice.pick(&same), *dice.pick(&same));
    let bytes = mutate::mutate(first, other, &mut dice);
    (first.kind(), bytes, dice)
}

/// Run a case. Returns what is wrong, if anything.
pub fn check(kind: Kind, bytes: &[u8], mut dice: Dice, most: Most) -> Result<(), String> {
    let (before, start) = (allocator::begin(), Instant::now());
    let result = catch_unwind(AssertUnwindSafe(|| case::run(kind, bytes, &mut dice)));
    let (held, taken) = (allocator::peak().saturating_sub(before), start.elapsed());
    match result {
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(format!("panic: {}", text.unwrap_or("without words")))
        }
        Ok(Err(wrong)) => Err(wrong),
        Ok(Ok(())) if taken > most.time => Err(format!("it took {taken:?}")),
        Ok(Ok(())) if held > most.bytes => Err(format!("it held {held} bytes")),
        Ok(Ok(())) => Ok(()),
    }
}
