//! Room: how much of it a branch's trees can use, where leaves or splits are limited.

use super::Expander;
use crate::search::Room;
use crate::search::bounds::{self, Cost};
use crate::search::fast::branch::{Frame, Remaining};
use crate::search::fast::layout::Weight;

impl<T: Weight> Expander<'_, T> {
    /// The most room that a split can take.
    fn most_per_split(&self, room: Room) -> u32 {
        if room.counts_splits() { 1 } else { self.matrix.most_extra_children() }
    }

    /// The most room that a branch's useful trees take, from its costs as a leaf and at least.
    fn most_room(&self, per_split: u32, (leaf, errs): (Cost, Cost), weight: u64) -> u32 {
        let splits = bounds::most_splits(self.task.objective, leaf, errs);
        let most = splits.saturating_mul(per_split.into()).unsigned_abs();
        // No more leaves than rows.
        u32::try_from(most.min(weight.saturating_sub(1))).unwrap_or(u32::MAX - 1)
    }

    /// What remains to these units: without the limit on room, if they have more than they can use.
    pub(crate) fn remaining_for(&self, units: &[u32], remaining: Remaining) -> Remaining {
        let cost = |weight| self.task.objective.correct(weight).get();
        let errs =
            if self.rules.equivalent_points() { cost(self.matrix.least_errors(units)) } else { 0 };
        let leaf = cost(self.matrix.errors(units));
        let matters = |&room: &Room| {
            let per_split = self.most_per_split(room);
            room.left <= self.most_room(per_split, (leaf, errs), self.matrix.weight(units))
        };
        Remaining { room: remaining.room.filter(matters), ..remaining }
    }

    /// Begin to share a branch's room, if it matters.
    pub(super) fn begin_shares(&self, frame: &mut Frame<T>) {
        let Some(room) = frame.remaining.room else { return };
        let per_split = self.most_per_split(room);
        let found = frame.children.upper.iter().zip(&self.errs).zip(&frame.children.weight);
        let most: Vec<u32> = found
            .map(|((&leaf, &errs), weight)| self.most_room(per_split, (leaf, errs), weight.wide()))
            .collect();
        let tells = self.matrix.all_binary() || room.counts_splits();
        frame.begin_shares(most.into_iter(), tells.then(|| self.task.objective.prices().ties));
    }

    /// What looking ahead tells of children with room for one split, and for two.
    pub(super) fn look_ahead_with_little_room(&self, frame: &mut Frame<T>, two_splits: bool) {
        let objective = self.task.objective;
        let right = objective.correct(1).get();
        let bounds = |child: usize, leaf: Cost| {
            let (one, errs) = (self.one_split[child], self.errs[child]);
            let two = match two_splits {
                true => right * self.look_ahead.found.two_splits[child].wide() as Cost,
                false => errs,
            };
            let bound = |most| bounds::look_ahead(objective, most, (leaf, one), (two, errs));
            (bound(1), bound(2))
        };
        frame.bound_little_room(
            self.rules.one_split_is_allowed(frame.remaining, frame.bits.has_multiway()),
            bounds,
        );
    }
}
