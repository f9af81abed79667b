//! Remembers values by their bits, so that each distinct value is written as text only once.

use crate::hash::of_bits;
use hashbrown::HashTable;

/// The codes of values, by their bits.
#[derive(Default)]
pub(super) struct Interner(HashTable<(u128, u32)>);

impl Interner {
    /// The code of these bits, if they were inserted.
    pub(super) fn find(&self, bits: u128) -> Option<u32> {
        self.0.find(of_bits(bits), |&(other, _)| other == bits).map(|&(_, code)| code)
    }

    /// Insert the code of bits that were not found.
    pub(super) fn insert(&mut self, bits: u128, code: u32) {
        self.0.insert_unique(of_bits(bits), (bits, code), |&(bits, _)| of_bits(bits));
    }
}
