//! Mutated tables and models: nothing may panic, hang, or ask for memory without bound.
//!
//! A case is known by two numbers, the run's seed and its own: they tell what is mutated, how, and what is
//! then done with it ([`case`]). [`check`] runs one under watch. The program runs many, each batch in a
//! process of its own, so that even an abort is noticed; see its `--help`.

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

/// How much a case may take.
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

/// The bytes of a case, what they are meant to be, and the dice for what is done with them.
pub fn bytes_of(seeds: &[Seed], seed: u64, number: u64) -> (Kind, Vec<u8>, Dice) {
    let mut dice = Dice::new(seed, number);
    let shape = *dice.pick(&Shape::ALL);
    let same: Vec<&Seed> = seeds.iter().filter(|seed| seed.shape == shape).collect();
    let (first, other) = (*dice.pick(&same), *dice.pick(&same));
    let bytes = mutate::mutate(first, other, &mut dice);
    (first.kind(), bytes, dice)
}

/// Run a case; what is wrong, if anything.
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
