//! The memo: what is known of the row sets that were expanded, in bounded memory, for many threads.
//!
//! # Soundness
//! A feature used above a branch is constant on its rows and of no use below, so the trees worth
//! having below it, and their least cost, depend on its rows alone, and not on the way they were
//! reached. (Where depth or size is limited, on what is [`left`](super::left) too, which then is part of
//! the key.)
//!
//! # Layout
//! A key names a bucket of eight places. Sixteen bits of it, its *tag*, stand apart from the entries:
//! most look-ups are for row sets that are not there, and the tags, two words a bucket, tell so
//! without touching the entries.
//!
//! # Replacement
//! The table doubles when it is half full, until it reaches its limit; from then on a new entry takes
//! the place of the one in its bucket that took the least work. A row set that was forgotten is
//! searched again: the answer stays exact, it only takes longer.
//!
//! # Threads
//! Nobody waits. An entry is five words, and the two of the key are kept exclusive-or'd with a mixture
//! of the other three: words of two entries that were written at the same time do not fit together,
//! and are taken for an entry of another row set. What is lost that way is found again. The table that
//! follows when one is too small is put in its place whole; each worker holds on to the old one
//! until it looks again.
//!
//! # Other λ
//! Where the same table was searched with another λ before, what was learnt there is [`carried`] over
//! when a row set is looked up.
//!
//! [`carried`]: super::carry

use super::carry::Carry;
use crate::search::bounds::Cost;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// What is known of a row set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) lower: Cost,
    pub(super) upper: Cost,
    /// The first split of a tree that costs `upper`; `None`: no split.
    pub(super) best: Option<u32>,
}

impl Known {
    pub(super) fn is_solved(self) -> bool {
        self.lower >= self.upper
    }

    /// Two things that are known of the same row set.
    pub(super) fn and(self, other: Known) -> Known {
        let cheaper = if other.upper < self.upper { other } else { self };
        Known { lower: self.lower.max(other.lower), ..cheaper }
    }
}

/// Row sets by key, for all workers.
#[derive(Debug)]
pub(super) struct Memo {
    table: Mutex<Arc<Table>>,
    /// How often the table was replaced.
    generation: AtomicUsize,
    most_bytes: usize,
    carry: Option<Carry>,
}

/// A worker's hold on the memo.
#[derive(Debug)]
pub(super) struct Handle<'a> {
    memo: &'a Memo,
    table: Arc<Table>,
    generation: usize,
    /// Which of those asked for may be there, and what is.
    found: (Vec<usize>, Vec<(usize, Known)>),
    pub(super) hits: u64,
}

impl Memo {
    pub(super) fn new(most_bytes: usize) -> Self {
        let table = Mutex::new(Arc::new(Table::new(SMALLEST)));
        Memo { table, generation: AtomicUsize::new(0), most_bytes, carry: None }
    }

    /// With what searches at other λ have learnt.
    pub(super) fn carrying(self, carry: Option<Carry>) -> Self {
        Memo { carry, ..self }
    }

    pub(super) fn handle(&self) -> Handle<'_> {
        let generation = self.generation.load(Relaxed);
        Handle { memo: self, table: self.current(), generation, found: Default::default(), hits: 0 }
    }

    pub(super) fn current(&self) -> Arc<Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Put a table of twice the size in the place of this one, if that is within the limit.
    fn grow(&self, full: &Arc<Table>) {
        let n_buckets = 2 * full.n_buckets();
        if Table::bytes_of(n_buckets) + full.bytes() > self.most_bytes {
            return;
        }
        let mut current = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if Arc::ptr_eq(&current, full) {
            *current = Arc::new(full.moved_to(n_buckets));
            self.generation.fetch_add(1, Relaxed);
        }
    }
}

impl Handle<'_> {
    /// Take the present table, if it is a new one.
    pub(super) fn refresh(&mut self) {
        let generation = self.memo.generation.load(Relaxed);
        if generation != self.generation {
            self.generation = generation;
            self.table = self.memo.current();
        }
    }

    pub(super) fn find(&mut self, key: u128) -> Option<Known> {
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
    pub(super) fn find_all<N: Copy>(
        &mut self,
        asked: &[(u128, N)],
        mut tell: impl FnMut(N, Known),
    ) {
        // First all tags, then all entries: the processor fetches many of them at the same time.
        let (mut likely, mut found) = std::mem::take(&mut self.found);
        let all = self.memo.carry.is_some();
        let may_have = |&place: &usize| all || self.table.may_have(asked[place].0);
        likely.extend((0..asked.len()).filter(may_have));
        let find = |place: usize| self.find(asked[place].0).map(|known| (place, known));
        found.extend(likely.drain(..).filter_map(find));
        for (place, known) in found.drain(..) {
            tell(asked[place].1, known);
        }
        self.found = (likely, found);
    }

    /// Remember; bounds that are there already are only tightened.
    pub(super) fn insert(&mut self, key: u128, known: Known, work: u64) {
        self.refresh();
        if 2 * self.table.len.0.load(Relaxed) > self.table.n_buckets() * PLACES {
            self.memo.grow(&self.table);
            self.refresh();
        }
        self.table.insert(key, known, u32::try_from(work).unwrap_or(u32::MAX).max(1));
    }

    pub(super) fn len(&self) -> usize {
        self.table.len.0.load(Relaxed)
    }

    pub(super) fn bytes(&self) -> usize {
        self.table.bytes()
    }
}

/// Places in a bucket; four tags fill a word.
const PLACES: usize = 8;
const TAGS: usize = 4;
const ENTRY: usize = 5;
/// Buckets to begin with.
const SMALLEST: usize = 8;

/// Row sets by key, of a size that stays.
#[derive(Debug)]
pub(super) struct Table {
    /// Two words a bucket; a tag of 0 is an empty place.
    tags: Vec<AtomicU64>,
    entries: Vec<[AtomicU64; ENTRY]>,
    len: Apart<AtomicUsize>,
}

/// On cache lines of its own: what is written often must not slow down what is only read.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Apart<T>(T);

impl Table {
    fn new(n_buckets: usize) -> Self {
        let tags = (0..n_buckets * PLACES / TAGS).map(|_| AtomicU64::new(0)).collect();
        let entries = (0..n_buckets * PLACES).map(|_| Default::default()).collect();
        Table { tags, entries, len: Apart::default() }
    }

    fn n_buckets(&self) -> usize {
        self.entries.len() / PLACES
    }

    fn bytes_of(n_buckets: usize) -> usize {
        n_buckets * PLACES * (8 * ENTRY + 2)
    }

    pub(super) fn bytes(&self) -> usize {
        Self::bytes_of(self.n_buckets())
    }

    /// The bucket and the tag of a key.
    fn bucket(&self, key: u128) -> (usize, u64) {
        let bucket = (key >> 64) as usize & (self.n_buckets() - 1);
        (bucket, ((key >> 48) as u64 & 0xFFFF).max(1))
    }

    /// A bit for each place of a bucket that has a tag (and maybe for a few more).
    fn alike(&self, bucket: usize, tag: u64) -> [u64; PLACES / TAGS] {
        const ONES: u64 = 0x0001_0001_0001_0001;
        const HIGHS: u64 = ONES << 15;
        let first = bucket * PLACES / TAGS;
        [first, first + 1].map(|word| {
            let differ = self.tags[word].load(Relaxed) ^ (ONES * tag);
            differ.wrapping_sub(ONES) & !differ & HIGHS
        })
    }

    /// Whether a key's tag is in its bucket: if not, the key is not there.
    fn may_have(&self, key: u128) -> bool {
        let (bucket, tag) = self.bucket(key);
        self.alike(bucket, tag) != [0; PLACES / TAGS]
    }

    /// The places of a bucket that have a tag (and maybe a few more).
    fn tagged(&self, bucket: usize, tag: u64) -> impl Iterator<Item = usize> {
        let mut found = self.alike(bucket, tag);
        std::iter::from_fn(move || {
            let word = found.iter().position(|&word| word != 0)?;
            let place = bucket * PLACES + word * TAGS + found[word].trailing_zeros() as usize / 16;
            found[word] &= found[word] - 1;
            Some(place)
        })
    }

    pub(super) fn find(&self, key: u128) -> Option<Known> {
        let place = self.place_of(key)?;
        self.entry(place, key).map(|(known, _)| known)
    }

    /// All that is known.
    #[cfg(test)]
    pub(super) fn all(&self) -> impl Iterator<Item = (u128, Known)> {
        let taken = (0..self.entries.len()).filter(|&place| self.tag(place) != 0);
        taken.map(|place| self.read(place)).map(|(key, known, _)| (key, known))
    }

    /// Where the entry of a key stands.
    fn place_of(&self, key: u128) -> Option<usize> {
        let (bucket, tag) = self.bucket(key);
        self.tagged(bucket, tag).find(|&place| self.entry(place, key).is_some())
    }

    /// What stands at a place: key, bounds, and the work it took.
    fn read(&self, place: usize) -> (u128, Known, u32) {
        let [low, high, a, b, c] = self.entries[place].each_ref().map(|word| word.load(Relaxed));
        let [mixed_low, mixed_high] = mixture([a, b, c]);
        let key = u128::from(high ^ mixed_high) << 64 | u128::from(low ^ mixed_low);
        let best = (c as u32).checked_sub(1);
        (key, Known { lower: a as Cost, upper: b as Cost, best }, (c >> 32) as u32)
    }

    /// What stands at a place, if it is the entry of this key.
    fn entry(&self, place: usize, key: u128) -> Option<(Known, u32)> {
        let (found, known, work) = self.read(place);
        (found == key).then_some((known, work))
    }

    fn write(&self, place: usize, key: u128, known: Known, work: u32) {
        let best = known.best.map_or(0, |best| best + 1);
        let words =
            [known.lower as u64, known.upper as u64, u64::from(work) << 32 | u64::from(best)];
        let [low, high] = mixture(words);
        let key = [key as u64 ^ low, (key >> 64) as u64 ^ high];
        for (place, word) in self.entries[place].iter().zip(key.into_iter().chain(words)) {
            place.store(word, Relaxed);
        }
    }

    fn insert(&self, key: u128, known: Known, work: u32) {
        let (bucket, tag) = self.bucket(key);
        if let Some(place) = self.place_of(key)
            && let Some((old, old_work)) = self.entry(place, key)
        {
            return self.write(place, key, old.and(known), old_work.saturating_add(work));
        }
        let free = self.tagged(bucket, 0).find(|&place| self.tag(place) == 0);
        let place = match free {
            Some(place) => {
                self.len.0.fetch_add(1, Relaxed);
                place
            }
            None => self.least_work(bucket),
        };
        self.write(place, key, known, work);
        self.set_tag(place, tag);
    }

    /// The place of a full bucket that took the least work. What stays grows older: it must not keep
    /// its place for ever.
    fn least_work(&self, bucket: usize) -> usize {
        let mut least = (u32::MAX, bucket * PLACES);
        for place in bucket * PLACES..(bucket + 1) * PLACES {
            let (key, known, work) = self.read(place);
            self.write(place, key, known, work - work / 8);
            least = least.min((work, place));
        }
        least.1
    }

    fn tag(&self, place: usize) -> u64 {
        self.tags[place / TAGS].load(Relaxed) >> (place % TAGS * 16) & 0xFFFF
    }

    fn set_tag(&self, place: usize, tag: u64) {
        let (word, shift) = (&self.tags[place / TAGS], place % TAGS * 16);
        let put = |old: u64| Some(old & !(0xFFFF << shift) | tag << shift);
        let _ = word.fetch_update(Relaxed, Relaxed, put);
    }

    /// The same entries in a larger table.
    fn moved_to(&self, n_buckets: usize) -> Table {
        let larger = Table::new(n_buckets);
        for place in (0..self.entries.len()).filter(|&place| self.tag(place) != 0) {
            let (key, known, work) = self.read(place);
            larger.insert(key, known, work);
        }
        larger
    }
}

/// Two words that three words are mixed into.
fn mixture([a, b, c]: [u64; 3]) -> [u64; 2] {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |x: u64, y: u64| (x.rotate_left(29) ^ y).wrapping_mul(ODD);
    let once = mix(mix(mix(ODD, a), b), c);
    [once, mix(once, a ^ b.rotate_left(17))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::fast::matrix::random;

    fn known(lower: Cost, upper: Cost, best: Option<u32>) -> Known {
        Known { lower, upper, best }
    }

    /// Keys that differ everywhere.
    fn key(number: u64) -> u128 {
        random(number, 0)
    }

    #[test]
    fn what_is_remembered_is_found_and_tightened() {
        let memo = Memo::new(1 << 20);
        let mut handle = memo.handle();
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
    fn it_grows_to_its_limit_and_then_forgets_the_least_work() {
        let memo = Memo::new(64 << 10);
        let mut handle = memo.handle();
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
        let memo = Memo::new(1 << 16);
        std::thread::scope(|scope| {
            for thread in 0..2 {
                let mut handle = memo.handle();
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
