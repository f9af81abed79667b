//! Values that are known by their bits, so that each is written out as text once, however often it
//! comes.

use hashbrown::HashTable;

/// The codes of values, by their bits.
#[derive(Default)]
pub(super) struct Interner(HashTable<(u128, u32)>);

impl Interner {
    /// The code that was noted for these bits.
    pub(super) fn find(&self, bits: u128) -> Option<u32> {
        self.0.find(hash(bits), |&(other, _)| other == bits).map(|&(_, code)| code)
    }

    /// Note the code of bits that were not found.
    pub(super) fn insert(&mut self, bits: u128, code: u32) {
        self.0.insert_unique(hash(bits), (bits, code), |&(bits, _)| hash(bits));
    }
}

fn hash(bits: u128) -> u64 {
    let folded = (bits as u64) ^ ((bits >> 64) as u64).rotate_left(32);
    let hash = folded.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    hash ^ (hash >> 32)
}
