//! The memo: what is known of the row sets that were expanded, in bounded memory.
//!
//! # Soundness
//! A feature used above a branch is constant on its rows and of no use below, so the trees worth
//! having below it, and their least cost, depend on its rows alone, and not on the way they were
//! reached. (Where depth is limited, on the depth left too, which then is part of the key.)
//!
//! # Replacement
//! An entry stands within a few places of where its key says. The table doubles when it is half full,
//! until it reaches its limit; from then on a new entry takes the place of the one nearby that took
//! the least work. A row set that was forgotten is searched again: the answer stays exact, it only
//! takes longer.

use crate::search::bounds::Cost;

/// What is known of a row set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) lower: Cost,
    pub(super) upper: Cost,
    /// The first split of a tree that costs `upper`; `None`: no split.
    pub(super) best: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u128,
    known: Known,
    /// Expansions that it took, at least 1; 0 is an empty place.
    work: u32,
}

const EMPTY: Entry = Entry { key: 0, known: Known { lower: 0, upper: 0, best: None }, work: 0 };

/// An entry stands at its own place or at one of the next.
const WINDOW: usize = 8;

/// Row sets by key.
#[derive(Debug)]
pub(super) struct Memo {
    entries: Vec<Entry>,
    len: usize,
    most_bytes: usize,
    pub(super) hits: u64,
}

impl Memo {
    pub(super) fn new(most_bytes: usize) -> Self {
        Memo { entries: vec![EMPTY; 64 + WINDOW], len: 0, most_bytes, hits: 0 }
    }

    /// Places for entries of their own; the last ones may spill over into the window after them.
    fn size(&self) -> usize {
        self.entries.len() - WINDOW
    }

    fn window(&mut self, key: u128) -> &mut [Entry] {
        let place = (key >> 64) as usize & (self.size() - 1);
        &mut self.entries[place..place + WINDOW]
    }

    pub(super) fn find(&mut self, key: u128) -> Option<Known> {
        let found = self.window(key).iter().find(|entry| entry.work > 0 && entry.key == key)?.known;
        self.hits += 1;
        Some(found)
    }

    /// Remember; bounds that are there already are only tightened.
    pub(super) fn insert(&mut self, key: u128, known: Known, work: u64) {
        let work = u32::try_from(work).unwrap_or(u32::MAX).max(1);
        if 2 * self.len > self.size() {
            self.grow();
        }
        let window = self.window(key);
        if let Some(entry) = window.iter_mut().find(|entry| entry.work > 0 && entry.key == key) {
            entry.known.lower = entry.known.lower.max(known.lower);
            if known.upper < entry.known.upper {
                entry.known.upper = known.upper;
                entry.known.best = known.best;
            }
            entry.work = entry.work.saturating_add(work);
            return;
        }
        let entry = Entry { key, known, work };
        if let Some(free) = window.iter_mut().find(|entry| entry.work == 0) {
            *free = entry;
            self.len += 1;
            return;
        }
        // What stays grows older: it must not keep its place for ever.
        window.iter_mut().for_each(|entry| entry.work -= entry.work / 8);
        if let Some(least) = window.iter_mut().min_by_key(|entry| entry.work) {
            *least = entry;
        }
    }

    /// Double, if that is within the limit.
    fn grow(&mut self) {
        let size = 2 * self.size() + WINDOW;
        if (size + self.entries.len()) * size_of::<Entry>() > self.most_bytes {
            return;
        }
        let old = std::mem::replace(&mut self.entries, vec![EMPTY; size]);
        for entry in old.into_iter().filter(|entry| entry.work > 0) {
            let window = self.window(entry.key);
            match window.iter_mut().find(|entry| entry.work == 0) {
                Some(free) => *free = entry,
                None => self.len -= 1,
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }
}
