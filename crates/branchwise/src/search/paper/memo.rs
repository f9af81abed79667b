//! The memo: which branches are known already.
//!
//! A branch is its sorted clauses and, where the size of trees is limited, the room left below it:
//! what counts as the same branch is decided here only. The hash is the exclusive-or of a random
//! word per clause (so a child's is its parent's with one more word), and an entry that matches it
//! is compared clause by clause: two branches are never taken for one.
//!
//! An expansion looks up dozens of children in a graph of millions of branches, each of them far
//! from the last in memory. So an entry carries half of its hash: the entries of all children are
//! found first, without touching a branch, and then the branches, and the processor waits for many
//! of them at once (whole searches of careval and balance-f became 1.3 times faster by it).

use super::graph::BranchId;
use crate::hash::{GOLDEN, split_mix};
use crate::problem::Clause;
use hashbrown::HashTable;

/// What identifies a branch: the hash of its clauses, and its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BranchKey {
    /// The hash of the clauses.
    pub(super) clauses: u64,
    pub(super) room: Option<u32>,
}

impl BranchKey {
    /// The root's key.
    pub(super) fn root(room: Option<u32>) -> Self {
        BranchKey { clauses: 0, room }
    }

    /// The key of a branch with one more clause.
    pub(super) fn with(self, clause: Clause, room: Option<u32>) -> Self {
        BranchKey { clauses: self.clauses ^ scramble(u64::from(clause.0) + 1), room }
    }

    fn hash(self) -> u64 {
        self.room.map_or(self.clauses, |room| self.clauses ^ scramble(u64::MAX - u64::from(room)))
    }
}

/// A fixed, well-spread word for each number.
fn scramble(number: u64) -> u64 {
    split_mix(number.wrapping_mul(GOLDEN))
}

/// A branch and the half of its hash that does not choose its place in the index.
#[derive(Clone, Copy, Debug)]
struct Entry {
    half: u32,
    id: BranchId,
}

fn half(hash: u64) -> u32 {
    (hash >> 24) as u32
}

/// Branches by key.
#[derive(Debug, Default)]
pub(super) struct Memo {
    index: HashTable<Entry>,
}

impl Memo {
    /// A branch that probably has this key; none if certainly none has.
    pub(super) fn guess(&self, key: BranchKey) -> Option<BranchId> {
        let hash = key.hash();
        self.index.find(hash, |entry| entry.half == half(hash)).map(|entry| entry.id)
    }

    /// The branch that has this key and is found to be the right one.
    pub(super) fn find(
        &self,
        key: BranchKey,
        is_it: impl Fn(BranchId) -> bool,
    ) -> Option<BranchId> {
        let hash = key.hash();
        let same = |entry: &Entry| entry.half == half(hash) && is_it(entry.id);
        self.index.find(hash, same).map(|entry| entry.id)
    }

    /// Add a branch that is not there yet.
    pub(super) fn insert(
        &mut self,
        key: BranchKey,
        id: BranchId,
        key_of: impl Fn(BranchId) -> BranchKey,
    ) {
        let hash = key.hash();
        self.index
            .insert_unique(hash, Entry { half: half(hash), id }, |entry| key_of(entry.id).hash());
    }

    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// Bytes in use, or needed at once if so many more are added: while it grows, the index is held
    /// in its old and in its new size.
    pub(super) fn bytes_with(&self, more: usize) -> usize {
        const ENTRY: usize = size_of::<Entry>() + 1;
        let now = self.index.capacity() * 8 / 7 * ENTRY;
        if self.index.len() + more > self.index.capacity() { now * 3 } else { now }
    }
}
