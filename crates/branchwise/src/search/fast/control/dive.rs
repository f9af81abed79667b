//! The first trees: dives that follow the best upper bounds.

use super::step::look_up_rooms;
use super::worker::Worker;
use crate::limits::StopReason;
use crate::search::bounds::Cost;
use crate::search::fast::branch::Frame;
use crate::search::fast::branch::Visit;
use crate::search::fast::layout::Weight;

/// No deeper than this: it would be a chain, and a dive is recursive.
const MOST_DEPTH: usize = 64;

impl<T: Weight> Worker<'_, T> {
    /// Improve the branch on top by its `width` most promising actions, those by half as many, and so
    /// on, until the work reaches `end`. What is found is remembered, and the proof starts from it.
    ///
    /// "Promising" is the cost of the best tree that looking two steps ahead finds for each action.
    pub(crate) fn dive(&mut self, width: usize, end: u64) -> Result<(), StopReason> {
        let top = self.depth - 1;
        let order = self.frames[top].actions.by_promise();
        for &action in order.iter().take(width) {
            let mut sharing = self.frames[top].sharing(action);
            while let Some(visit) = sharing.next(&self.frames[top]) {
                self.poll()?;
                if self.shared.end().is_some() || self.work >= end {
                    return Ok(());
                }
                if self.frames[top].is_solved(visit) || top >= MOST_DEPTH {
                    continue;
                }
                let frame = &mut self.frames[top];
                if frame.is_limited() {
                    look_up_rooms(&mut self.memo, &mut self.expander, frame, action)?;
                }
                self.visit(visit, Cost::MAX)?;
                if self.depth > top + 1 {
                    self.dive((width / 2).max(1), end)?;
                    self.update_top();
                    self.finish()?;
                }
            }
        }
        Ok(())
    }
}

/// An action's children, each with what a dive gives it: of the room that the trees of those before it
/// have left, as large a part as it has of their cost.
#[derive(Debug)]
struct Sharing {
    action: usize,
    /// The children that are left, the last one first, and the one before them.
    children: Vec<usize>,
    before: Option<Visit>,
    room: Option<u32>,
}

impl Sharing {
    /// The next child.
    fn next<T: Weight>(&mut self, frame: &Frame<T>) -> Option<Visit> {
        let taken = self.before.map_or(0, |visit| frame.room_taken(visit));
        self.room = self.room.map(|room| room.saturating_sub(taken));
        let of_others: Cost = self.children.iter().map(|&child| frame.leaf_cost(child)).sum();
        let child = self.children.pop()?;
        let part = |room: u32| {
            let product = i128::from(room) * i128::from(frame.leaf_cost(child));
            let half = i128::from(of_others) / 2;
            u32::try_from((product + half) / i128::from(of_others).max(1)).unwrap_or(room).min(room)
        };
        let visit = Visit { action: self.action, child, room: self.room.map(part) };
        self.before = Some(visit);
        self.before
    }
}

impl<T: Weight> Frame<T> {
    /// An action's children for a dive: where room is shared, the cheapest first.
    fn sharing(&self, action: usize) -> Sharing {
        let mut children: Vec<usize> = self.children_of(action).collect();
        if self.is_limited() {
            children.sort_by_key(|&child| self.leaf_cost(child));
        }
        children.reverse();
        let room = self.with_all_room(action, 0).room;
        Sharing { action, children, before: None, room }
    }
}
