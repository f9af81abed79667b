//! Distinct things, numbered in order of appearance.

use hashbrown::HashTable;

/// The numbers of things that somebody else keeps: the first is 0, the next 1, and so on.
///
/// A thing is found by its hash and by comparison with those of the same hash.
#[derive(Default)]
pub(crate) struct Numbering(HashTable<u32>);

impl Numbering {
    /// The number of a thing, of which `same` says whether it is the thing of a number.
    #[inline]
    pub(crate) fn find(&self, hash: u64, mut same: impl FnMut(u32) -> bool) -> Option<u32> {
        self.0.find(hash, |&number| same(number)).copied()
    }

    /// The number of a new thing; `hash_of` gives the hash of any number, this one included.
    #[inline]
    pub(crate) fn add(&mut self, hash: u64, hash_of: impl Fn(u32) -> u64) -> u32 {
        let number = self.0.len() as u32;
        self.0.insert_unique(hash, number, |&number| hash_of(number));
        number
    }

    /// The bytes that are needed for `more` things, while the old table and the new one are both there.
    pub(crate) fn growth(&self, more: usize) -> usize {
        let grows = self.0.len() + more > self.0.capacity();
        if grows { 16 * self.0.capacity().max(more) } else { 0 }
    }
}
