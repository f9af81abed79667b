//! What is left to a branch: how much deeper, and how much larger, its tree may grow.
//!
//! # When room does not matter
//! A tree with more splits than [`most_splits`](crate::search::bounds::most_splits) costs more than one
//! leaf. A branch that has more room than all others could take is *free*: its best trees are those
//! that it would have without a limit. It is remembered and searched as if there were none, and so is
//! everything below it. ("More" and not "as much": then a further split fits on top of its best tree, as
//! [`similar`](crate::search::bounds::similar) asks for.)

use crate::search::Room;

/// What is left to a branch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Remaining {
    /// How many more splits may follow each other, where that is limited.
    pub(crate) depth: Option<u32>,
    /// How much more its tree may grow, where that is limited and the branch is not free.
    pub(crate) room: Option<Room>,
}

impl Remaining {
    /// What a row set is remembered by.
    pub(crate) fn key(self, rows: u128) -> u128 {
        const DEPTH: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
        const ROOM: u128 = 0xC2B2_AE3D_27D4_EB4F_1656_67B1_9E37_79F9;
        let with = |key: u128, left: Option<u32>, spread: u128| {
            left.map_or(key, |left| key ^ (u128::from(left) + 1).wrapping_mul(spread))
        };
        with(with(rows, self.depth, DEPTH), self.room.map(|room| room.left), ROOM)
    }

    /// What is left to a child that gets some room, of which its useful trees take at most `most`.
    pub(crate) fn below(self, given: u32, most: u32) -> Remaining {
        let room = self.room.filter(|_| given <= most).map(|room| room.with(given));
        Remaining { room, ..self.deeper() }
    }

    /// What is left to a child where room does not matter.
    pub(crate) fn deeper(self) -> Remaining {
        Remaining { depth: self.depth.map(|left| left.saturating_sub(1)), room: None }
    }

    /// Whether the branch may be split at all.
    pub(crate) fn may_split(self) -> bool {
        self.depth != Some(0) && self.room.is_none_or(|room| room.left > 0)
    }

    /// How many splits a child's tree may have at most, as far as looking ahead asks for it.
    pub(crate) fn splits_below(self) -> u32 {
        let by_depth = match self.depth {
            Some(0 | 1) => 0,
            Some(2) => 1,
            _ => u32::MAX,
        };
        self.room.map_or(by_depth, |room| by_depth.min(room.left.saturating_sub(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Constraints;

    #[test]
    fn branches_with_more_or_less_left_are_told_apart() {
        let room = |left| Constraints { max_splits: Some(left), ..Constraints::default() }.room();
        let mut keys = Vec::new();
        for depth in [None, Some(0), Some(1), Some(2)] {
            for room in [None, room(0), room(1), room(2)] {
                keys.push(Remaining { depth, room }.key(7));
            }
        }
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 16);
        let left = Remaining { depth: Some(3), room: room(5) };
        assert_eq!(left.below(2, 2), Remaining { depth: Some(2), room: room(2) });
        assert_eq!(left.below(3, 2), Remaining { depth: Some(2), room: None });
        assert_eq!((left.splits_below(), left.below(2, 9).splits_below()), (4, 1));
    }
}
