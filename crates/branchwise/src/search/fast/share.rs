//! Sharing room: where leaves or splits are limited, an action's children divide what is left.
//!
//! A child costs no more with more room than with less. So what is known of it is a table: for each
//! room a lower and an upper bound, both falling. A bound for some room bounds others, too: a lower one
//! all those with less room, an upper one all those from the room that its tree takes. An action's lower
//! bound is the least sum over all ways to share its room, and the same for its upper bound.
//!
//! Tables are made when an action is taken up. Until then a child's bounds for little room are what
//! looking ahead has found, and all others the one for all the room that the action leaves: the one in
//! [`Children`](super::frame::Children).

use super::expand::Expander;
use super::frame::Frame;
use super::left::Left;
use super::memo::Known;
use super::weight::Weight;
use crate::search::Room;
use crate::search::bounds::{self, Cost};
use crate::search::divide::divide;

/// A child to be searched, with the room that it gets where room is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Visit {
    pub(super) action: usize,
    pub(super) child: usize,
    pub(super) room: Option<u32>,
}

/// How the actions of a branch share its room. Empty where room does not matter.
#[derive(Debug, Default)]
pub(super) struct Shares {
    /// For each child, what it costs as a leaf, and at least with room for one split and for two.
    leaf: Vec<Cost>,
    one: Vec<Cost>,
    two: Vec<Cost>,
    /// Whether `one` is the cost of a tree that is allowed.
    one_is_known: bool,
    /// For each child, the most room that its useful trees take.
    most: Vec<u32>,
    /// For each action, the room that its children share, and where its tables begin.
    room: Vec<u32>,
    start: Vec<Option<usize>>,
    /// The tables of an action's children follow each other: lower and upper bound for each room.
    tables: Vec<(Cost, Cost)>,
    /// A tree's cost modulo this is the room that it takes, where it tells.
    ties: Option<Cost>,
}

impl Shares {
    pub(super) fn bytes(&self) -> usize {
        28 * self.leaf.capacity() + 20 * self.room.capacity() + 16 * self.tables.capacity()
    }

    /// The room that a tree takes which is known of a child with some room.
    fn taken(&self, child: usize, cost: Cost, room: u32) -> u32 {
        match self.ties {
            _ if cost == self.leaf[child] => 0,
            Some(ties) => (cost % ties) as u32,
            None => room.min(self.most[child]),
        }
    }
}

impl<T: Weight> Frame<T> {
    /// Whether the branch's room matters.
    pub(super) fn is_limited(&self) -> bool {
        self.left.room.is_some()
    }

    /// A child with all the room that its action leaves.
    pub(super) fn with_all_room(&self, action: usize, child: usize) -> Visit {
        let room = self.is_limited().then(|| self.shares.room[action]);
        Visit { action, child, room }
    }

    /// What is left to a child.
    pub(super) fn left_to(&self, visit: Visit) -> Left {
        match visit.room {
            Some(room) => self.left.below(room, self.shares.most[visit.child]),
            None => self.left.deeper(),
        }
    }

    /// What is known of a child: its lower and upper bound.
    pub(super) fn bounds_of(&self, Visit { action, child, room }: Visit) -> (Cost, Cost) {
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
    pub(super) fn leaf_cost(&self, child: usize) -> Cost {
        if self.is_limited() { self.shares.leaf[child] } else { 0 }
    }

    /// Whether the best tree of a child is known.
    pub(super) fn is_solved(&self, visit: Visit) -> bool {
        let (lower, upper) = self.bounds_of(visit);
        lower >= upper
    }

    /// What would be enough for the branch's best tree, if it takes some, but less than all of its room.
    pub(super) fn left_to_best(&self) -> Option<Left> {
        let room = self.left.room?;
        let taken = (self.upper % self.shares.ties?) as u32;
        let less = self.upper < self.leaf && taken < room.left;
        less.then_some(Left { room: Some(room.with(taken)), ..self.left })
    }

    /// The room that the best tree known of a child takes.
    pub(super) fn room_taken(&self, visit: Visit) -> u32 {
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
    pub(super) fn make_tables(&mut self, action: usize) -> bool {
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
    pub(super) fn rooms(
        &self,
        action: usize,
        child: usize,
    ) -> impl Iterator<Item = Visit> + use<T> {
        let most = self.shares.most[child];
        let rooms = (1..=self.shares.room[action].min(most)).chain([most + 1]);
        rooms.map(move |room| Visit { action, child, room: Some(room) })
    }

    /// Take over bounds of a child that are tighter; whether any was.
    pub(super) fn tighten(&mut self, visit: Visit, known: Known) -> bool {
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
    pub(super) fn shared_sums(&self, action: usize) -> (Cost, Cost) {
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
    pub(super) fn share(
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
    pub(super) fn share_within(&self, action: usize, most: &[u32]) -> Vec<Visit> {
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
    pub(super) fn next_in_share(&self, action: usize, preferred: usize) -> (Cost, Option<Visit>) {
        let shared = self.share(action, Some(preferred), |visit| self.bounds_of(visit).0);
        let price = self.actions.price[action];
        let lower = shared.iter().fold(price, |sum, &visit| sum + self.bounds_of(visit).0);
        let unsolved = shared.into_iter().filter(|&visit| !self.is_solved(visit));
        (lower, unsolved.min_by_key(|visit| visit.child != preferred))
    }
}

impl<T: Weight> Expander<'_, T> {
    /// The most room that a split can take.
    fn most_per_split(&self, room: Room) -> u32 {
        let widest = self.matrix.features.iter().map(|feature| feature.n_columns).max();
        if room.counts_splits() { 1 } else { widest.unwrap_or(1) }
    }

    /// The most room that a branch's useful trees take, from its costs as a leaf and at least.
    fn most_room(&self, per_split: u32, (leaf, errs): (Cost, Cost), weight: u64) -> u32 {
        let splits = bounds::most_splits(self.task.objective, leaf, errs);
        let most = splits.saturating_mul(per_split.into()).unsigned_abs();
        // No more leaves than rows.
        u32::try_from(most.min(weight.saturating_sub(1))).unwrap_or(u32::MAX - 1)
    }

    /// What is left to some units that have so much room: whether it matters is found out.
    pub(super) fn left_to(&self, units: &[u32], left: Left) -> Left {
        let cost = |weight| self.task.objective.correct(weight).units();
        let equivalent_points = self.task.bounds.equivalent_points;
        let errs = if equivalent_points { cost(self.matrix.least_errors(units)) } else { 0 };
        let leaf = cost(self.matrix.errors(units));
        let matters = |&room: &Room| {
            let per_split = self.most_per_split(room);
            room.left <= self.most_room(per_split, (leaf, errs), self.matrix.weight(units))
        };
        Left { room: left.room.filter(matters), ..left }
    }

    /// Begin to share a branch's room, if it matters: what the columns tell of its children.
    pub(super) fn begin_shares(&self, frame: &mut Frame<T>) {
        let Some(room) = frame.left.room else { return };
        let Frame { shares, children, .. } = frame;
        shares.leaf.clone_from(&children.upper);
        shares.one.clone_from(&children.lower);
        shares.two.clone_from(&children.lower);
        shares.one_is_known = false;
        let per_split = self.most_per_split(room);
        let found = children.upper.iter().zip(&self.errs).zip(&children.weight);
        shares.most.clear();
        shares.most.extend(found.map(|((&leaf, &errs), weight)| {
            self.most_room(per_split, (leaf, errs), weight.wide())
        }));
        let all_binary = self.matrix.n_binary == self.matrix.features.len();
        let tells = all_binary || room.counts_splits();
        shares.ties = tells.then(|| self.task.objective.scale().ties);
    }

    /// Whether the best single split of a child, whichever it is, may be made.
    pub(super) fn may_split_once(&self, frame: &Frame<T>) -> bool {
        let fits = |room: Room| room.counts_splits() || !frame.bits.has_multiway();
        self.task.constraints.least_rows() == 1 && frame.left.room.is_none_or(fits)
    }

    /// What looking ahead tells of children with room for one split, and for two.
    pub(super) fn look_ahead_with_little_room(&self, frame: &mut Frame<T>, two_splits: bool) {
        let objective = self.task.objective;
        let right = objective.correct(1).units();
        frame.shares.one_is_known = self.may_split_once(frame);
        let found = self.one_split.iter().zip(&self.errs).zip(&self.look_ahead.two_splits);
        for (child, ((&one, &errs), two)) in found.enumerate() {
            let two = if two_splits { right * two.wide() as Cost } else { errs };
            let bound = |most| {
                bounds::look_ahead(objective, most, (frame.shares.leaf[child], one), (two, errs))
            };
            (frame.shares.one[child], frame.shares.two[child]) = (bound(1), bound(2));
        }
    }

    /// Let the new actions of a branch share its room; what has too little is forbidden.
    pub(super) fn share_actions(&self, frame: &mut Frame<T>) {
        let Some(room) = frame.left.room else { return };
        frame.shares.tables.clear();
        frame.shares.start.clear();
        frame.shares.start.resize(frame.actions.len(), None);
        frame.shares.room.clear();
        for action in 0..frame.actions.len() {
            let occupied = |&child: &usize| frame.children.is_occupied(child);
            let n_children = frame.children_of(action).filter(occupied).count();
            let left = room.after_split(n_children);
            frame.shares.room.push(left.unwrap_or(0));
            let (lower, upper) = match left {
                None => (Cost::MAX, Cost::MAX),
                // Looking ahead tells children with more than two splits not apart.
                Some(left) if left as usize >= 3 * n_children && frame.shares.ties.is_some() => {
                    continue;
                }
                Some(_) => frame.shared_sums(action),
            };
            (frame.actions.lower[action], frame.actions.upper[action]) = (lower, upper);
        }
    }
}
