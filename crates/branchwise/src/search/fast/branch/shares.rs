//! What a branch knows of its children where leaves or splits are limited: bounds for each amount of room.

use crate::search::bounds::Cost;

/// A child to be searched, with the room that it gets where room is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Visit {
    pub(crate) action: usize,
    pub(crate) child: usize,
    pub(crate) room: Option<u32>,
}

/// How the actions of a branch share its room. Empty where room does not matter.
#[derive(Debug, Default)]
pub(crate) struct Shares {
    /// For each child, what it costs as a leaf, and at least with room for one split and for two.
    pub(super) leaf: Vec<Cost>,
    pub(super) one: Vec<Cost>,
    pub(super) two: Vec<Cost>,
    /// Whether `one` is the cost of a tree that is allowed.
    pub(super) one_is_known: bool,
    /// For each child, the most room that its useful trees take.
    pub(super) most: Vec<u32>,
    /// For each action, the room that its children share, and where its tables begin.
    pub(super) room: Vec<u32>,
    pub(super) start: Vec<Option<usize>>,
    /// The tables of an action's children follow each other: lower and upper bound for each room.
    pub(super) tables: Vec<(Cost, Cost)>,
    /// A tree's cost modulo this is the room that it takes, where it tells.
    pub(super) ties: Option<Cost>,
}

impl Shares {
    pub(crate) fn bytes(&self) -> usize {
        28 * self.leaf.capacity() + 20 * self.room.capacity() + 16 * self.tables.capacity()
    }

    /// The room that a tree takes which is known of a child with some room.
    pub(super) fn taken(&self, child: usize, cost: Cost, room: u32) -> u32 {
        match self.ties {
            _ if cost == self.leaf[child] => 0,
            Some(ties) => (cost % ties) as u32,
            None => room.min(self.most[child]),
        }
    }
}
