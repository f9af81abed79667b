//! The memo: what is known of the row sets that were expanded, in bounded memory, for many threads.
//!
//! # Soundness
//! A feature used above a branch is constant on its rows and of no use below, so the trees worth
//! having below it, and their least cost, depend on its rows alone, and not on the way they were
//! reached. (Where depth or size is limited, on what is [`Remaining`](super::branch::Remaining) too, which then is part of
//! the key.)
//!
//! # Growth
//! The [`Slots`] doubles when it is half full, until it reaches its limit; from then on
//! it forgets. A row set that was forgotten is searched again: the answer stays exact, it only takes
//! longer. The table that follows when one is too small is put in its place whole; each worker holds on
//! to the old one until it looks again.
//!
//! # Other λ
//! Where the same table was searched with another λ before, what was learnt there is [`carried`] over
//! when a row set is looked up.
//!
//! [`carried`]: Carry

mod carry;
mod known;
mod slots;

pub(crate) use carry::{Carry, Past, Pasts};
pub(crate) use known::Known;

use crate::limits::Watch;
use crate::objective::Prices;
use slots::{Fetched, PLACES, Slots};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Row sets by key, for all workers.
#[derive(Debug)]
pub(crate) struct Memo {
    table: Mutex<Arc<Slots>>,
    /// How often the table was replaced.
    generation: AtomicUsize,
    most_bytes: usize,
    carry: Option<Carry>,
}

/// A worker's hold on the memo.
#[derive(Debug)]
pub(crate) struct Handle<'a> {
    memo: &'a Memo,
    watch: &'a Watch,
    table: Arc<Slots>,
    generation: usize,
    fetched: Fetched,
    pub(crate) hits: u64,
}

impl Memo {
    pub(crate) fn new(most_bytes: usize) -> Self {
        let table = Mutex::new(Arc::new(Slots::smallest()));
        Memo { table, generation: AtomicUsize::new(0), most_bytes, carry: None }
    }

    /// With what searches at other λ have learnt.
    pub(crate) fn carrying(self, carry: Option<Carry>) -> Self {
        Memo { carry, ..self }
    }

    pub(crate) fn handle<'a>(&'a self, watch: &'a Watch) -> Handle<'a> {
        let generation = self.generation.load(Relaxed);
        Handle {
            memo: self,
            watch,
            table: self.current(),
            generation,
            fetched: Fetched::default(),
            hits: 0,
        }
    }

    /// What this search has learnt, for those with another λ.
    pub(crate) fn past(&self, prices: Prices) -> Past {
        Past::new(self.current(), prices)
    }

    fn current(&self) -> Arc<Slots> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Put a table of twice the size in the place of this one, if that is within the limit. If the search
    /// is to stop meanwhile, it is left as it is.
    fn grow(&self, full: &Arc<Slots>, watch: &Watch) {
        let n_buckets = 2 * full.n_buckets();
        if Slots::bytes_of(n_buckets) + full.bytes() > self.most_bytes {
            return;
        }
        let mut current = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if Arc::ptr_eq(&current, full)
            && let Ok(larger) = full.moved_to(n_buckets, &mut watch.pulse())
        {
            *current = Arc::new(larger);
            self.generation.fetch_add(1, Relaxed);
        }
    }
}

impl Handle<'_> {
    /// Take the present table, if it is a new one.
    pub(crate) fn refresh(&mut self) {
        let generation = self.memo.generation.load(Relaxed);
        if generation != self.generation {
            self.generation = generation;
            self.table = self.memo.current();
        }
    }

    pub(crate) fn find(&mut self, key: u128) -> Option<Known> {
        let found = self.table.find(key);
        let known = match &self.memo.carry {
            Some(carry) if !found.is_some_and(Known::is_solved) => {
                let carried = carry.find(key);
                found.zip(carried).map(|(found, carried)| found.and(carried)).or(found).or(carried)
            }
            _ => found,
        }?;
        self.hits += 1;
        Some(known)
    }

    /// Tell what is known of each of many row sets.
    pub(crate) fn find_all<N: Copy>(
        &mut self,
        asked: &[(u128, N)],
        mut tell: impl FnMut(N, Known),
    ) {
        if self.memo.carry.is_some() {
            for &(key, number) in asked {
                self.find(key).into_iter().for_each(|known| tell(number, known));
            }
            return;
        }
        self.table.find_all(asked, &mut self.fetched, |number, known| {
            self.hits += 1;
            tell(number, known);
        });
    }

    /// Remember; bounds that are there already are only tightened.
    pub(crate) fn insert(&mut self, key: u128, known: Known, work: u64) {
        self.refresh();
        if 2 * self.table.len() > self.table.n_buckets() * PLACES {
            self.memo.grow(&self.table, self.watch);
            self.refresh();
        }
        self.table.insert(key, known, u32::try_from(work).unwrap_or(u32::MAX).max(1));
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.table.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::bounds::Cost;
    use crate::search::fast::layout::random;

    fn known(lower: Cost, upper: Cost, best: Option<u32>) -> Known {
        Known { lower, upper, best }
    }

    /// Keys that differ everywhere.
    fn key(number: u64) -> u128 {
        random(number, 0)
    }

    #[test]
    fn what_is_remembered_is_found_and_tightened() {
        let watch = Watch::endless();
        let memo = Memo::new(1 << 20);
        let mut handle = memo.handle(&watch);
        assert_eq!(handle.find(key(1)), None);
        handle.insert(key(1), known(3, 9, Some(4)), 1);
        assert_eq!(handle.find(key(1)), Some(known(3, 9, Some(4))));
        // A tree that costs more does not replace the one that is known.
        handle.insert(key(1), known(5, 11, None), 1);
        assert_eq!(handle.find(key(1)), Some(known(5, 9, Some(4))));
        handle.insert(key(1), known(2, 7, None), 1);
        assert_eq!(handle.find(key(1)), Some(known(5, 7, None)));
        assert_eq!((handle.len(), handle.hits), (1, 3));
    }

    #[test]
    fn many_are_found_as_one_by_one_even_with_the_same_tag() {
        let watch = Watch::endless();
        let memo = Memo::new(1 << 20);
        let mut handle = memo.handle(&watch);
        // The first three differ in bits that neither the bucket nor the tag is made of.
        let keys = [key(7), key(7) ^ 1, key(7) ^ 1 << 40, key(8), key(9)];
        for (cost, &key) in keys.iter().enumerate().filter(|(n, _)| *n != 1 && *n != 4) {
            handle.insert(key, known(cost as Cost, 9, None), 1);
        }
        let asked: Vec<(u128, usize)> = keys.iter().copied().zip(0..).collect();
        let mut told = Vec::new();
        handle.find_all(&asked, |number, known| told.push((number, known.lower)));
        assert_eq!(told, [(0, 0), (2, 2), (3, 3)]);
        assert_eq!(handle.hits, 3);
        let alone = keys
            .iter()
            .zip(0..)
            .filter_map(|(&key, number)| handle.find(key).map(|known| (number, known.lower)));
        assert_eq!(alone.collect::<Vec<_>>(), told);
    }

    #[test]
    fn it_grows_to_its_limit_and_then_forgets_the_least_work() {
        let watch = Watch::endless();
        let memo = Memo::new(64 << 10);
        let mut handle = memo.handle(&watch);
        handle.insert(key(0), known(1, 2, None), 1_000_000);
        for number in 1..100_000 {
            handle.insert(key(number), known(number as Cost, number as Cost, None), 1);
            assert!(handle.bytes() <= 64 << 10);
        }
        assert!(handle.len() > 500, "most places are used");
        let right = |n: u64| handle.table.place_of(key(n)).map(|place| handle.table.read(place).1);
        let kept = (1..100_000).filter_map(|n| right(n).map(|found| (n as Cost, found.lower)));
        assert!(kept.clone().count() > 500 && kept.clone().all(|(n, lower)| n == lower));
        assert!(kept.clone().any(|(n, _)| n > 99_000), "the newest are there");
    }

    #[test]
    fn threads_never_see_a_mixture() {
        let watch = Watch::endless();
        let memo = Memo::new(1 << 16);
        std::thread::scope(|scope| {
            for thread in 0..2 {
                let mut handle = memo.handle(&watch);
                scope.spawn(move || {
                    for round in 0..200_000u64 {
                        let number = (round * 7 + thread) % 300;
                        let cost = number as Cost;
                        handle.insert(
                            key(number),
                            known(cost, 1000 + cost, Some(number as u32)),
                            1,
                        );
                        let other = (round * 13) % 300;
                        if let Some(found) = handle.find(key(other)) {
                            let cost = other as Cost;
                            assert_eq!(found, known(cost, 1000 + cost, Some(other as u32)));
                        }
                    }
                });
            }
        });
    }
}
