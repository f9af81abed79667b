//! Sharing room: where leaves or splits are limited, an action's children divide what is left.
//!
//! A child costs no more with more room than with less. So what is known of it is a table: for each
//! room a lower and an upper bound, both falling. A bound for some room bounds others, too: a lower one
//! all those with less room, an upper one all those from the room that its tree takes. An action's lower
//! bound is the least sum over all ways to share its room, and the same for its upper bound.
//!
//! Tables are made when an action is taken up. Until then a child's bounds for little room are what
//! looking ahead has found, and all others the one for all the room that the action leaves: the one in
//! [`Children`](super::children::Children).

use super::frame::Frame;
use super::remaining::Remaining;
use super::shares::{Shares, Visit};
use crate::search::bounds::Cost;
use crate::search::divide::divide;
use crate::search::fast::layout::Weight;
use crate::search::fast::memo::Known;

impl<T: Weight> Frame<T> {
    /// Whether the branch's room matters.
    pub(crate) fn is_limited(&self) -> bool {
        self.remaining.room.is_some()
    }

    /// A child with all the room that its action leaves.
    pub(crate) fn with_all_room(&self, action: usize, child: usize) -> Visit {
        let room = self.is_limited().then(|| self.shares.room[action]);
        Visit { action, child, room }
    }

    /// What is left to a child.
    pub(crate) fn remaining_for(&self, visit: Visit) -> Remaining {
        match visit.room {
            Some(room) => self.remaining.below(room, self.shares.most[visit.child]),
            None => self.remaining.deeper(),
        }
    }

    /// What is known of a child: its lower and upper bound.
    pub(crate) fn bounds_of(&self, Visit { action, child, room }: Visit) -> (Cost, Cost) {
        let (lower, upper) = (self.children.lower[child], self.children.upper[child]);
        let Some(room) = room else { return (lower, upper) };
        let Shares { leaf, one, two, one_is_known, .. } = &self.shares;
        if let Some(start) = self.table(action, child) {
            let known = self.shares.tables[start + room as usize];
            return (known.0.max(lower), known.1);
        }
        let fits = room >= self.shares.taken(child, upper, self.shares.room[action]);
        let upper = if fits { upper } else { leaf[child] };
        let upper = if *one_is_known { upper.min(one[child]) } else { upper };
        match room {
            0 => (leaf[child], leaf[child]),
            1 => (one[child].max(lower), upper),
            2 => (two[child].max(lower), upper),
            _ => (lower, upper),
        }
    }

    /// What a child costs as a leaf, where room is shared.
    pub(crate) fn leaf_cost(&self, child: usize) -> Cost {
        if self.is_limited() { self.shares.leaf[child] } else { 0 }
    }

    /// Whether the best tree of a child is known.
    pub(crate) fn is_solved(&self, visit: Visit) -> bool {
        let (lower, upper) = self.bounds_of(visit);
        lower >= upper
    }

    /// What would be enough for the branch's best tree, if it takes some, but less than all of its room.
    pub(crate) fn remaining_for_best(&self) -> Option<Remaining> {
        let room = self.remaining.room?;
        let taken = (self.upper % self.shares.ties?) as u32;
        let less = self.upper < self.leaf && taken < room.left;
        less.then_some(Remaining { room: Some(room.with(taken)), ..self.remaining })
    }

    /// The room that the best tree known of a child takes.
    pub(crate) fn room_taken(&self, visit: Visit) -> u32 {
        let Some(room) = visit.room else { return 0 };
        self.shares.taken(visit.child, self.bounds_of(visit).1, room).min(room)
    }

    /// Where a child's table begins, if its action has been taken up.
    fn table(&self, action: usize, child: usize) -> Option<usize> {
        let span = self.bits.spans[action];
        let place = if child == span.rest { span.n } else { child - span.first };
        let width = self.shares.room[action] as usize + 1;
        Some(self.shares.start[action]? + place * width)
    }

    /// Make the tables of an action's children; whether there were none.
    pub(crate) fn make_tables(&mut self, action: usize) -> bool {
        if self.shares.start[action].is_some() {
            return false;
        }
        let start = self.shares.tables.len();
        for child in self.children_of(action) {
            for room in 0..=self.shares.room[action] {
                let known = self.bounds_of(Visit { action, child, room: Some(room) });
                self.shares.tables.push(known);
            }
        }
        self.shares.start[action] = Some(start);
        true
    }

    /// The rooms for which something may be known of an action's child; the last one is as good as any.
    pub(crate) fn rooms(
        &self,
        action: usize,
        child: usize,
    ) -> impl Iterator<Item = Visit> + use<T> {
        let most = self.shares.most[child];
        let rooms = (1..=self.shares.room[action].min(most)).chain([most + 1]);
        rooms.map(move |room| Visit { action, child, room: Some(room) })
    }

    /// Take over bounds of a child that are tighter; whether any was.
    pub(crate) fn tighten(&mut self, visit: Visit, known: Known) -> bool {
        let Visit { action, child, room: Some(room) } = visit else {
            return self.children.tighten(visit.child, known);
        };
        let all = self.shares.room[action];
        // With room that it cannot use, it costs as little as it ever does.
        let room = if room > self.shares.most[child] { all.max(room) } else { room };
        let taken = self.shares.taken(child, known.upper, room);
        let mut changed = false;
        if let Some(start) = self.table(action, child) {
            let table = &mut self.shares.tables[start..=start + all as usize];
            for (lower, _) in table.iter_mut().take(room as usize + 1) {
                changed |= known.lower > *lower;
                *lower = known.lower.max(*lower);
            }
            for (_, upper) in table.iter_mut().skip(taken as usize) {
                changed |= known.upper < *upper;
                *upper = known.upper.min(*upper);
            }
        }
        let lower = if room >= all { known.lower } else { 0 };
        let upper = if taken <= all { known.upper } else { Cost::MAX };
        self.children.tighten(child, Known { lower, upper, ..known }) || changed
    }

    /// An action's sums: the least over all ways to share its room, each by its own.
    pub(crate) fn shared_sums(&self, action: usize) -> (Cost, Cost) {
        let price = self.actions.price[action];
        let bounds = |child, room| self.bounds_of(Visit { action, child, room: Some(room) });
        let room = self.shares.room[action];
        let span = self.bits.spans[action];
        if span.n == 1 {
            let (mut lower, mut upper) = (Cost::MAX, Cost::MAX);
            for given in 0..=room {
                let (with, without) = (bounds(span.first, given), bounds(span.rest, room - given));
                lower = lower.min(with.0 + without.0);
                upper = upper.min(with.1 + without.1);
            }
            return (price + lower, price + upper);
        }
        let children: Vec<usize> = span.children().collect();
        let least = |bound: fn((Cost, Cost)) -> Cost| {
            let worth = |place: usize, room| (-bound(bounds(children[place], room as u32)), 0);
            -divide(children.len(), room as usize, worth).0.0
        };
        (price + least(|(lower, _)| lower), price + least(|(_, upper)| upper))
    }

    /// The way to share an action's room that costs least by `bound`: what its children get. Of several,
    /// the one that gives the preferred child most.
    pub(crate) fn share(
        &self,
        action: usize,
        preferred: Option<usize>,
        bound: impl Fn(Visit) -> Cost,
    ) -> Vec<Visit> {
        let children: Vec<usize> = self.children_of(action).collect();
        let worth = |place: usize, room: usize| {
            let child = children[place];
            let cost = bound(Visit { action, child, room: Some(room as u32) });
            (-cost, if preferred == Some(child) { room } else { 0 })
        };
        let (_, given) = divide(children.len(), self.shares.room[action] as usize, worth);
        let given = children.iter().zip(given);
        given.map(|(&child, room)| Visit { action, child, room: Some(room as u32) }).collect()
    }

    /// The way to share an action's room that costs least by lower bounds, children having no more than
    /// their `most`, if that is said.
    pub(crate) fn share_within(&self, action: usize, most: &[u32]) -> Vec<Visit> {
        let children: Vec<usize> = self.children_of(action).collect();
        let within = |visit: Visit| {
            let place = children.iter().position(|&child| child == visit.child);
            let most = place.and_then(|place| most.get(place)).copied().unwrap_or(u32::MAX);
            Visit { room: visit.room.map(|room| room.min(most)), ..visit }
        };
        let shared = self.share(action, None, |visit| self.bounds_of(within(visit)).0);
        shared.into_iter().map(within).collect()
    }

    /// The child of an action to be searched next, and the sum of the lower bounds of the division in
    /// which it is; none if all of its children are solved.
    ///
    /// The preferred child gets as much as it can without the sum getting larger: its bound is then one
    /// for all smaller rooms, too.
    pub(crate) fn next_in_share(&self, action: usize, preferred: usize) -> (Cost, Option<Visit>) {
        let shared = self.share(action, Some(preferred), |visit| self.bounds_of(visit).0);
        let price = self.actions.price[action];
        let lower = shared.iter().fold(price, |sum, &visit| sum + self.bounds_of(visit).0);
        let unsolved = shared.into_iter().filter(|&visit| !self.is_solved(visit));
        (lower, unsolved.min_by_key(|visit| visit.child != preferred))
    }

    /// Begin to share room: what the columns tell of the children, the most room that the useful trees of
    /// each of them take, and, where it tells, the tie-break from which a cost tells the room it takes.
    pub(crate) fn begin_shares(&mut self, most: impl Iterator<Item = u32>, ties: Option<Cost>) {
        let Frame { shares, children, .. } = self;
        shares.leaf.clone_from(&children.upper);
        shares.one.clone_from(&children.lower);
        shares.two.clone_from(&children.lower);
        shares.one_is_known = false;
        shares.most.clear();
        shares.most.extend(most);
        shares.ties = ties;
    }

    /// Set what children cost at least with room for one split and for two, given what they cost as a leaf.
    pub(crate) fn bound_little_room(
        &mut self,
        one_is_known: bool,
        bounds: impl Fn(usize, Cost) -> (Cost, Cost),
    ) {
        self.shares.one_is_known = one_is_known;
        for child in 0..self.shares.leaf.len() {
            (self.shares.one[child], self.shares.two[child]) =
                bounds(child, self.shares.leaf[child]);
        }
    }

    /// Let the new actions of the branch share its room; those that need more are forbidden.
    pub(crate) fn share_actions(&mut self) {
        let Some(room) = self.remaining.room else { return };
        self.shares.tables.clear();
        self.shares.start.clear();
        self.shares.start.resize(self.actions.len(), None);
        self.shares.room.clear();
        for action in 0..self.actions.len() {
            let occupied = |&child: &usize| self.children.is_occupied(child);
            let n_children = self.children_of(action).filter(occupied).count();
            let left = room.after_split(n_children);
            self.shares.room.push(left.unwrap_or(0));
            let (lower, upper) = match left {
                None => (Cost::MAX, Cost::MAX),
                // Looking ahead does not distinguish children with more than two splits.
                Some(left) if left as usize >= 3 * n_children && self.shares.ties.is_some() => {
                    continue;
                }
                Some(_) => self.shared_sums(action),
            };
            (self.actions.lower[action], self.actions.upper[action]) = (lower, upper);
        }
    }
}
