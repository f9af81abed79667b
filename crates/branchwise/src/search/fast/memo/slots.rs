//! A hash table of row sets of a size that stays: the [`memo`](crate::search::fast::memo)'s memory.
//!
//! # Layout
//! A key names a bucket of eight places. Sixteen bits of it, its *tag*, stand apart from the entries:
//! many look-ups are for row sets that are not there, and the tags, two words a bucket, tell so
//! without touching the entries.
//!
//! # Replacement
//! In a full bucket a new entry takes the place of the one that took the least work.
//!
//! # Threads
//! Nobody waits. An entry is five words, and the two of the key are kept exclusive-or'd with a mixture
//! of the other three: words of two entries that were written at the same time do not fit together,
//! and are taken for an entry of another row set. What is lost that way is found again.

use super::known::Known;
use crate::limits::{Pulse, StopReason};
use crate::search::bounds::Cost;
use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Places in a bucket; four tags fill a word.
pub(super) const PLACES: usize = 8;
const TAGS: usize = 4;
const ENTRY: usize = 5;

/// Row sets by key, of a size that stays.
#[derive(Debug)]
pub(super) struct Slots {
    /// Two words a bucket; a tag of 0 is an empty place.
    tags: Vec<AtomicU64>,
    entries: Vec<[AtomicU64; ENTRY]>,
    len: CachePadded<AtomicUsize>,
}

/// What is fetched of many row sets at once: kept for its memory.
#[derive(Debug, Default)]
pub(super) struct Fetched {
    /// For each of those asked for its bucket, and a bit for each place there that may hold it.
    alike: Vec<(usize, [u64; PLACES / TAGS])>,
    /// The numbers of those that may be there, and where.
    places: Vec<(usize, usize)>,
    entries: Vec<[u64; ENTRY]>,
}

impl Slots {
    /// A table to begin with.
    pub(super) fn smallest() -> Self {
        Slots::of(Self::SMALLEST)
    }

    /// The fewest buckets.
    const SMALLEST: usize = 8;

    fn of(n_buckets: usize) -> Self {
        let tags = (0..n_buckets * PLACES / TAGS).map(|_| AtomicU64::new(0)).collect();
        let entries = (0..n_buckets * PLACES).map(|_| Default::default()).collect();
        Slots { tags, entries, len: CachePadded::default() }
    }

    /// An empty table, made piece by piece: to write to fresh memory takes time.
    fn new(n_buckets: usize, pulse: &mut Pulse) -> Result<Self, StopReason> {
        let mut table = Slots::of(0);
        table.tags.reserve_exact(n_buckets * PLACES / TAGS);
        table.entries.reserve_exact(n_buckets * PLACES);
        let mut made = 0;
        while made < n_buckets {
            let more = (n_buckets - made).min(1 << 10);
            pulse.spend(2 * more * PLACES * ENTRY)?;
            table.tags.resize_with(table.tags.len() + more * PLACES / TAGS, AtomicU64::default);
            table.entries.resize_with(table.entries.len() + more * PLACES, Default::default);
            made += more;
        }
        Ok(table)
    }

    pub(super) fn n_buckets(&self) -> usize {
        self.entries.len() / PLACES
    }

    pub(super) fn bytes_of(n_buckets: usize) -> usize {
        n_buckets * PLACES * (8 * ENTRY + 2)
    }

    pub(super) fn bytes(&self) -> usize {
        Self::bytes_of(self.n_buckets())
    }

    pub(super) fn len(&self) -> usize {
        self.len.load(Relaxed)
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

    /// The places of a bucket that have a tag (and maybe a few more).
    fn tagged(&self, bucket: usize, tag: u64) -> impl Iterator<Item = usize> {
        places_of(bucket, self.alike(bucket, tag))
    }

    pub(super) fn find(&self, key: u128) -> Option<Known> {
        let place = self.place_of(key)?;
        self.entry(place, key).map(|(known, _)| known)
    }

    /// Tell what is known of each of many row sets.
    ///
    /// First all tags, then all entries, then what they say: so the processor fetches many of them at
    /// the same time. (One after the other nursery at λ = .001 takes 8 % longer.)
    pub(super) fn find_all<N: Copy>(
        &self,
        asked: &[(u128, N)],
        Fetched { alike, places, entries }: &mut Fetched,
        mut tell: impl FnMut(N, Known),
    ) {
        let buckets = asked.iter().map(|&(key, _)| self.bucket(key));
        alike.clear();
        alike.extend(buckets.map(|(bucket, tag)| (bucket, self.alike(bucket, tag))));
        let first = |(n, &(bucket, alike))| Some((n, places_of(bucket, alike).next()?));
        places.clear();
        places.extend(alike.iter().enumerate().filter_map(first));
        entries.clear();
        entries.extend(places.iter().map(|&(_, place)| self.load(place)));
        for (&(n, _), &entry) in places.iter().zip(&*entries) {
            let (key, number) = asked[n];
            let (found, known, _) = unpack(entry);
            // Another place of the bucket may have the same tag.
            let known = if found == key { Some(known) } else { self.find(key) };
            known.into_iter().for_each(|known| tell(number, known));
        }
    }

    /// All that is known.
    #[cfg(test)]
    pub(super) fn all(&self) -> impl Iterator<Item = (u128, Known)> {
        let taken = (0..self.entries.len()).filter(|&place| self.tag(place) != 0);
        taken.map(|place| self.read(place)).map(|(key, known, _)| (key, known))
    }

    /// Where the entry of a key stands.
    pub(super) fn place_of(&self, key: u128) -> Option<usize> {
        let (bucket, tag) = self.bucket(key);
        self.tagged(bucket, tag).find(|&place| self.entry(place, key).is_some())
    }

    /// What stands at a place: key, bounds, and the work it took.
    pub(super) fn read(&self, place: usize) -> (u128, Known, u32) {
        unpack(self.load(place))
    }

    fn load(&self, place: usize) -> [u64; ENTRY] {
        self.entries[place].each_ref().map(|word| word.load(Relaxed))
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

    pub(super) fn insert(&self, key: u128, known: Known, work: u32) {
        let (bucket, tag) = self.bucket(key);
        if let Some(place) = self.place_of(key)
            && let Some((old, old_work)) = self.entry(place, key)
        {
            return self.write(place, key, old.and(known), old_work.saturating_add(work));
        }
        let free = self.tagged(bucket, 0).find(|&place| self.tag(place) == 0);
        let place = match free {
            Some(place) => {
                self.len.fetch_add(1, Relaxed);
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
    pub(super) fn moved_to(
        &self,
        n_buckets: usize,
        pulse: &mut Pulse,
    ) -> Result<Slots, StopReason> {
        let larger = Slots::new(n_buckets, pulse)?;
        for place in (0..self.entries.len()).filter(|&place| self.tag(place) != 0) {
            pulse.spend(100)?;
            let (key, known, work) = self.read(place);
            larger.insert(key, known, work);
        }
        Ok(larger)
    }
}

/// The places of a bucket by their bits.
fn places_of(bucket: usize, mut found: [u64; PLACES / TAGS]) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let word = found.iter().position(|&word| word != 0)?;
        let place = bucket * PLACES + word * TAGS + found[word].trailing_zeros() as usize / 16;
        found[word] &= found[word] - 1;
        Some(place)
    })
}

/// What an entry says: key, bounds, and the work it took.
fn unpack([low, high, a, b, c]: [u64; ENTRY]) -> (u128, Known, u32) {
    let [mixed_low, mixed_high] = mixture([a, b, c]);
    let key = u128::from(high ^ mixed_high) << 64 | u128::from(low ^ mixed_low);
    let best = (c as u32).checked_sub(1);
    (key, Known { lower: a as Cost, upper: b as Cost, best }, (c >> 32) as u32)
}

/// Two words that three words are mixed into.
fn mixture([a, b, c]: [u64; 3]) -> [u64; 2] {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |x: u64, y: u64| (x.rotate_left(29) ^ y).wrapping_mul(ODD);
    let once = mix(mix(mix(ODD, a), b), c);
    [once, mix(once, a ^ b.rotate_left(17))]
}
