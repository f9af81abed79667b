//! The canonical tree: of all optimal trees always the same one.
//!
//! Many trees can share the least cost and the number of splits. Which of them a search comes by
//! depends on its order, on what the memo has kept, and with several workers on chance. So once the
//! least cost is proven, the answer is built anew from the top by a written rule: no split if that will
//! do; else the first split that reaches the least cost, in the order of what looking two steps ahead
//! promises (its upper bound, its lower bound, then the order of features). That order depends on the
//! branch's rows, and what remains to it, alone. Where children share room, the first gets as little as will
//! do, then the second, and so on. Promising splits come first, so few others have to be refuted on the way,
//! and the memo knows most of it.
//!
//! All workers build it, each for itself: what one of them searches on the way the others find in the memo.
//! The first to be done gives the answer, which is that of all.

use super::shared::End;
use super::step::look_up_rooms;
use super::worker::Worker;
use crate::limits::StopReason;
use crate::problem::Clause;
use crate::search::bounds::Cost;
use crate::search::fast::branch::Remaining;
use crate::search::fast::branch::Visit;
use crate::search::fast::layout::Weight;
use crate::search::{Policy, PolicyId};

/// A branch whose tree is still to be built.
struct Pending {
    units: Vec<u32>,
    remaining: Remaining,
    /// The least cost of a tree there.
    cost: Cost,
    parent: Option<(PolicyId, Clause)>,
}

/// Why the answer cannot be built any further.
enum Halt {
    /// A limit was reached.
    Stopped(StopReason),
    /// Another worker has given the answer, or has found that it cannot be given.
    Settled,
}

impl From<StopReason> for Halt {
    fn from(reason: StopReason) -> Self {
        Halt::Stopped(reason)
    }
}

impl<T: Weight> Worker<'_, T> {
    /// Once the root is solved, give the canonical optimal tree for an answer.
    pub(crate) fn answer(&mut self) {
        while self.depth > 0 {
            // What is learnt on the way back counts; what does not become known any more does not.
            let _ = self.finish();
        }
        if matches!(self.shared.end(), Some(End::Stopped(_))) {
            self.keep_last();
        }
        if self.shared.end() == Some(End::Solved) {
            let (_, cost) = self.shared.tighten(0, Cost::MAX);
            match self.extract_optimal(cost) {
                Ok(canonical) => self.shared.settle(Ok(canonical)),
                Err(Halt::Stopped(reason)) => self.shared.settle(Err(reason)),
                Err(Halt::Settled) => {}
            }
        }
    }

    /// The canonical optimal tree, given what it costs.
    fn extract_optimal(&mut self, cost: Cost) -> Result<Policy, Halt> {
        let mut policy = Policy::default();
        let (units, remaining) = (self.matrix.all_units(), self.remaining_for_all());
        let mut pending = vec![Pending { units, remaining, cost, parent: None }];
        while let Some(Pending { units, remaining, cost, parent }) = pending.pop() {
            self.plant(units, remaining)?;
            let Some(action) = self.first_of_cost(cost)? else { continue };
            let visits = self.share_of_cost(action, cost)?;
            let frame = &self.frames[0];
            let feature = frame.bits.questions[action];
            let split = policy.push(self.matrix.question(feature).id(), parent);
            let occupied = visits.iter().filter(|visit| frame.children.is_occupied(visit.child));
            let parts = self.matrix.parts(&frame.units, feature);
            pending.extend(parts.into_iter().zip(occupied).map(|((clause, units), &visit)| {
                Pending {
                    units,
                    remaining: frame.remaining_for(visit),
                    cost: frame.bounds_of(visit).1,
                    parent: Some((split, clause)),
                }
            }));
        }
        Ok(policy)
    }

    /// The first action that reaches a cost; none if no split will do.
    fn first_of_cost(&mut self, cost: Cost) -> Result<Option<usize>, Halt> {
        let frame = &self.frames[0];
        if frame.leaf <= cost {
            return Ok(None);
        }
        let order = frame.actions.by_promise();
        self.look_up_children()?;
        for action in order {
            if self.reaches(action, cost, &[])?.is_some() {
                return Ok(Some(action));
            }
        }
        debug_assert!(false, "some action reaches the least cost");
        Ok(None)
    }

    /// An action that reaches a cost: its children and, where they share room, what they get. The first
    /// child gets as little as will do, then the second, and so on.
    fn share_of_cost(&mut self, action: usize, cost: Cost) -> Result<Vec<Visit>, Halt> {
        let frame = &self.frames[0];
        let mut visits: Vec<Visit> =
            frame.children_of(action).map(|child| frame.with_all_room(action, child)).collect();
        if !frame.is_limited() {
            return Ok(visits);
        }
        let mut most: Vec<u32> = visits.iter().filter_map(|visit| visit.room).collect();
        for place in 0..most.len() {
            for room in 0..=most[place] {
                most[place] = room;
                if let Some(shared) = self.reaches(action, cost, &most)? {
                    visits = shared;
                    break;
                }
            }
        }
        Ok(visits)
    }

    /// An action's children, solved, if they can be within a cost: with room shared in some way, none of
    /// them having more than its `most`, if that is said.
    fn reaches(
        &mut self,
        action: usize,
        cost: Cost,
        most: &[u32],
    ) -> Result<Option<Vec<Visit>>, Halt> {
        loop {
            let frame = &mut self.frames[0];
            let visits = if frame.is_limited() {
                look_up_rooms(&mut self.memo, &mut self.expander, frame, action)?;
                frame.share_within(action, most)
            } else {
                let children = frame.children_of(action);
                children.map(|child| Visit { action, child, room: None }).collect()
            };
            let price = frame.actions.price[action];
            let lower = visits.iter().fold(price, |sum, &visit| sum + frame.bounds_of(visit).0);
            if lower > cost {
                return Ok(None);
            }
            let Some(&visit) = visits.iter().find(|&&visit| !frame.is_solved(visit)) else {
                return Ok(Some(visits));
            };
            let budget = cost - (lower - frame.bounds_of(visit).0);
            self.visit(visit, budget)?;
            while self.depth > 1 {
                self.step()?;
                self.look_around()?;
                // The iterations were the search's: the answer is read off all the same.
                self.watch.check()?;
                if self.shared.answer().is_some() {
                    return Err(Halt::Settled);
                }
            }
        }
    }
}
