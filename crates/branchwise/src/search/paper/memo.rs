//! The memo: which branches are known already.
//!
//! A branch is its sorted clauses and, where the size of trees is limited, the room left below it:
//! what counts as the same branch is decided here only. The hash is the exclusive-or of a random
//! word per clause (so a child's is its parent's with one more word), and an entry that matches it
//! is compared clause by clause: two branches are never taken for one.

use super::graph::BranchId;
use crate::problem::Clause;
use hashbrown::HashTable;

/// What identifies a branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct BranchKey<'a> {
    pub(super) clauses: &'a [Clause],
    pub(super) room: Option<u32>,
    /// The hash of the clauses alone.
    pub(super) hash: u64,
}

impl BranchKey<'_> {
    pub(super) const ROOT_HASH: u64 = 0;

    /// The hash of a branch's clauses with one more.
    pub(super) fn hash_with(hash: u64, clause: Clause) -> u64 {
        hash ^ scramble(u64::from(clause.0) + 1)
    }

    /// The hash of clauses and room.
    pub(super) fn full_hash(hash: u64, room: Option<u32>) -> u64 {
        room.map_or(hash, |room| hash ^ scramble(u64::MAX - u64::from(room)))
    }
}

/// A fixed, well-spread word for each number (the finaliser of SplitMix64).
fn scramble(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Branches by key.
#[derive(Debug, Default)]
pub(super) struct Memo {
    index: HashTable<BranchId>,
}

impl Memo {
    /// Find a branch by the full hash of its key.
    pub(super) fn find(&self, hash: u64, is_it: impl FnMut(&BranchId) -> bool) -> Option<BranchId> {
        self.index.find(hash, is_it).copied()
    }

    /// Add a branch that is not there yet.
    pub(super) fn insert(&mut self, hash: u64, id: BranchId, rehash: impl Fn(&BranchId) -> u64) {
        self.index.insert_unique(hash, id, rehash);
    }

    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// Bytes in use, or needed at once if so many more are added: while it grows, the index is held
    /// in its old and in its new size.
    pub(super) fn bytes_with(&self, more: usize) -> usize {
        const ENTRY: usize = size_of::<BranchId>() + 1;
        let now = self.index.capacity() * 8 / 7 * ENTRY;
        if self.index.len() + more > self.index.capacity() { now * 3 } else { now }
    }
}
