//! Search control: which branch next, how far, and when to turn back.
//!
//! ```text
//! step, at the branch on top of the stack:
//!     lower = max(min over actions of (price + Σ lower(children)), max lower(child))
//!     if lower > min(budget, upper − 1): remember, and return to the parent
//!     take an action of lower ≤ that, and its unsolved child of least lower bound
//!     visit the child with the budget that is left when the other children cost their lower bounds
//! ```
//!
//! At the root the action is the one of least lower bound, and its budget goes only so far beyond
//! that of the runner-up ([`patience`](super::patience)): so the proven bound rises steadily.
//! Elsewhere it is the most balanced one: a refutation must close all of them anyway, balanced ones
//! are cheaper to close, and what they bring spreads to the others.

use super::worker::Worker;
use crate::limits::StopReason;
use crate::search::bounds::{self, Cost};
use crate::search::fast::bounding::Expander;
use crate::search::fast::branch::Visit;
use crate::search::fast::branch::{Actions, Frame};
use crate::search::fast::layout::Weight;
use crate::search::fast::memo::{Handle, Known};

impl<T: Weight> Worker<'_, T> {
    /// One step at the branch on top of the stack, unless a limit is reached on the way: what is on the
    /// stack then is as good as before.
    pub(crate) fn step(&mut self) -> Result<(), StopReason> {
        let top = self.depth - 1;
        let limit = self.update_top();
        let frame = &self.frames[top];
        if frame.lower > limit {
            return self.finish();
        }
        let Some((action, child)) = self.choose(limit) else { return self.finish() };
        let limit = if top == 0 { self.patient_limit(action, limit) } else { limit };
        if top > 0 && self.expander.rules().similar(self.frames[top].remaining) {
            let frame = &mut self.frames[top];
            if self.expander.pull(frame, (action, child))? && frame.actions.lower[action] > limit {
                return Ok(());
            }
        }
        let Some(visit) = self.give_room(action, child, limit)? else { return Ok(()) };
        let frame = &self.frames[top];
        let budget = limit - (frame.actions.lower[action] - frame.bounds_of(visit).0);
        self.visit(visit, budget)
    }

    /// Give the chosen child room, where it must be shared, or another child of the action that needs it
    /// more. None if the action turns out not to be within the limit.
    fn give_room(
        &mut self,
        action: usize,
        child: usize,
        limit: Cost,
    ) -> Result<Option<Visit>, StopReason> {
        let top = self.depth - 1;
        if !self.frames[top].is_limited() {
            return Ok(Some(Visit { action, child, room: None }));
        }
        look_up_rooms(&mut self.memo, &mut self.expander, &mut self.frames[top], action)?;
        self.count_bytes(top);
        let frame = &mut self.frames[top];
        let (lower, visit) = frame.next_in_share(action, child);
        frame.actions.lower[action] = lower.max(frame.actions.lower[action]);
        Ok(visit.filter(|_| lower <= limit))
    }

    /// The action to work on and its child to be searched; none if all are solved.
    ///
    /// Where another worker searches that child: at the root another child of the action, elsewhere
    /// another action; if there is none, the two work together. (At the root two actions at once cost
    /// more: what is learnt of one brings the others further. Mushroom at λ = .001 takes 1.5 s with two
    /// threads instead of 1.2.)
    fn choose(&self, limit: Cost) -> Option<(usize, usize)> {
        let frame = &self.frames[self.depth - 1];
        let Actions { lower, upper, heaviest, .. } = &frame.actions;
        let is_root = self.depth == 1;
        let first = |actions: &mut dyn Iterator<Item = usize>| match is_root {
            true => actions.min_by_key(|&action| (lower[action], upper[action])),
            false => actions.min_by_key(|&action| (heaviest[action], lower[action])),
        };
        let open = (0..frame.actions.len()).filter(|&action| lower[action] <= limit);
        let action = first(&mut open.clone())?;
        // A child of it is not solved, or its upper bound would be below the limit, too.
        let child = self.next_child(frame, action)?;
        if !self.is_busy(frame, child) {
            return Some((action, child));
        }
        let elsewhere = if is_root {
            let unsolved = frame.unsolved_children(action);
            frame
                .cheapest(unsolved.filter(|&child| !self.is_busy(frame, child)))
                .map(|c| (action, c))
        } else {
            let next = |action| self.next_child(frame, action);
            let is_idle = |&a: &usize| next(a).is_some_and(|child| !self.is_busy(frame, child));
            first(&mut open.filter(is_idle)).and_then(|action| Some((action, next(action)?)))
        };
        elsewhere.or(Some((action, child)))
    }

    /// Whether another worker searches a child.
    fn is_busy(&self, frame: &Frame<T>, child: usize) -> bool {
        let key = frame.children.key.get(child).filter(|_| self.shared.is_shared());
        key.is_some_and(|&key| self.shared.is_busy(self.number, key))
    }

    /// The unsolved child of least lower bound; where room is shared, it may be solved for all of it.
    fn next_child(&self, frame: &Frame<T>, action: usize) -> Option<usize> {
        let next = frame.cheapest(frame.unsolved_children(action));
        if frame.is_limited() { next.or(frame.children_of(action).next()) } else { next }
    }

    /// Bring the lower bound of the branch on top up to date; what a tree must cost to be wanted.
    pub(crate) fn update_top(&mut self) -> Cost {
        let frame = &mut self.frames[self.depth - 1];
        let monotone = self.expander.rules().monotone(frame.remaining);
        let lower = self.expander.kernel().run(
            #[inline(always)]
            || {
                let lowest = frame.actions.lower.iter().fold(Cost::MAX, |least, &l| least.min(l));
                let highest = frame.children.lower.iter().fold(0, |most, &l| most.max(l));
                if monotone { bounds::monotone(lowest, highest) } else { lowest }
            },
        );
        frame.lower = frame.lower.max(lower.min(frame.upper));
        if self.expander.rules().remainder(frame.remaining) {
            frame.share_lower();
        }
        frame.budget.min(frame.upper.min(frame.known_upper) - 1)
    }

    /// At the root: not much further than where another action is better.
    fn patient_limit(&mut self, action: usize, limit: Cost) -> Cost {
        let lowers = self.frames[0].actions.lower.iter().copied().enumerate();
        let second = lowers.filter(|&(other, _)| other != action).map(|(_, lower)| lower).min();
        let beyond = self.patience.beyond();
        let lower = self.frames[0].actions.lower[action];
        second.map_or(limit, |second| limit.min(second.max(lower).saturating_add(beyond)))
    }

    /// Take over what the memo knows of a child, or put it on the stack.
    ///
    /// Branches that are met again take 27 % of nursery's expansions at λ = .001, but 40 % of its time, for
    /// they are large. Two ways to make them cheaper did not pay. To look up their children first, and to
    /// count pairs only if that does not close them: 6 % more expansions there, 2 % fewer on 1,000
    /// noisy rows. To keep frames that were left for the next visit: by a replay of the visits, the last 4,096
    /// would spare 11 % of the time on nursery and 1 % on the noisy rows, the largest 4,096 7 % on
    /// either, for about 30 MB.
    pub(crate) fn visit(&mut self, visit: Visit, budget: Cost) -> Result<(), StopReason> {
        let top = self.depth - 1;
        let frame = &mut self.frames[top];
        let remaining = frame.remaining_for(visit);
        let key = self.expander.key(frame, visit.child)?;
        let known = self.memo.find(remaining.key(key));
        if let Some(known) = known
            && self.learn(top, visit, known)?
        {
            return Ok(());
        }
        if self.frames.len() == self.depth {
            self.frames.push(Frame::default());
        }
        let (below, above) = self.frames.split_at_mut(self.depth);
        let (parent, next) = (&mut below[top], &mut above[0]);
        parent.visiting = Some(visit);
        let (lower, _) = parent.bounds_of(visit);
        parent.child_units(visit.child, &mut next.units);
        next.key = key;
        next.remaining = remaining;
        next.budget = budget;
        next.known_upper = known.map_or(Cost::MAX, |known| known.upper);
        self.depth += 1;
        self.shared.enter(self.number, key);
        self.patience.count(known.is_some());
        if let Err(reason) = self.expand_top() {
            // It is as if the child had not been visited.
            self.shared.leave(self.number, key);
            self.depth -= 1;
            self.frames[top].visiting = None;
            return Err(reason);
        }
        let frame = &mut self.frames[self.depth - 1];
        if let Some(known) = known.filter(|known| known.upper < frame.upper) {
            frame.upper = known.upper;
            frame.best = known.best;
        }
        frame.lower = lower.min(frame.upper);
        let limit = self.update_top();
        if self.frames[self.depth - 1].lower <= limit {
            self.look_up_children()?;
            self.spread_highest()?;
        }
        Ok(())
    }

    /// Tighten a child's bounds, and what follows from it. Whether anything changed.
    fn learn(&mut self, place: usize, visit: Visit, known: Known) -> Result<bool, StopReason> {
        let frame = &mut self.frames[place];
        let lower = frame.children.lower[visit.child];
        if !frame.tighten(visit, known) {
            return Ok(false);
        }
        frame.sum(visit.action);
        let rose = frame.children.lower[visit.child] > lower;
        if rose && self.expander.rules().similar(frame.remaining) {
            self.expander.spread(frame, visit.child)?;
        }
        Ok(true)
    }

    /// Go back to the first branch on the stack that another worker has closed meanwhile, if any.
    ///
    /// (To look up the children of every branch again, too, whenever one was searched, costs more than
    /// it brings: mushroom at λ = .001 takes 1.8 s with two threads instead of 1.5.)
    pub(crate) fn leave_closed(&mut self) -> Result<(), StopReason> {
        for place in 1..self.depth {
            let frame = &self.frames[place];
            let Some(known) = self.memo.find(frame.remaining.key(frame.key)) else { continue };
            if known.lower > frame.budget.min(known.upper.min(frame.upper) - 1) {
                while self.depth > place + 1 {
                    self.finish()?;
                }
                self.frames[place].learn(known);
                break;
            }
        }
        Ok(())
    }

    /// Take over what the memo knows of the children of the branch on top.
    ///
    /// All are looked up that are not solved, even those of actions beyond the budget: their bounds
    /// spread to others. (Without them lymph takes 8 % and balance 13 % more expansions.)
    pub(crate) fn look_up_children(&mut self) -> Result<(), StopReason> {
        let frame = &mut self.frames[self.depth - 1];
        self.expander.find_keys(frame)?;
        self.asked.clear();
        for action in (0..frame.actions.len()).filter(|&action| frame.actions.is_allowed(action)) {
            self.asked.extend(frame.unsolved_children(action).map(|child| {
                let visit = frame.with_all_room(action, child);
                (frame.remaining_for(visit).key(frame.children.key[child]), (action, child))
            }));
        }
        self.memo.find_all(&self.asked, |(action, child), known| {
            if frame.tighten(frame.with_all_room(action, child), known) {
                frame.sum(action);
            }
        });
        Ok(())
    }

    /// Spread the highest bound among the new branch's children. (More of them bring as much as they
    /// cost.)
    fn spread_highest(&mut self) -> Result<(), StopReason> {
        let frame = &mut self.frames[self.depth - 1];
        if !self.expander.rules().similar(frame.remaining) {
            return Ok(());
        }
        let lowers = frame.children.lower.iter().copied().enumerate();
        let highest = lowers.filter(|&(_, lower)| lower > 0).max_by_key(|&(_, lower)| lower);
        highest.map_or(Ok(()), |(child, _)| self.expander.spread(frame, child))
    }

    /// Leave the branch on top: it is left in any case, even if a limit is reached on the way.
    pub(crate) fn finish(&mut self) -> Result<(), StopReason> {
        let top = self.depth - 1;
        let known = self.remember(top);
        let work = self.frames[top].work;
        self.depth -= 1;
        if top > 0 {
            self.shared.leave(self.number, self.frames[top].key);
            let parent = &mut self.frames[top - 1];
            parent.work += work;
            if let Some(visited) = parent.visiting.take() {
                self.learn(top - 1, visited, known)?;
            }
        }
        Ok(())
    }
}

/// When an action is taken up whose children share room: take over what the memo knows of them with any.
pub(crate) fn look_up_rooms<T: Weight>(
    memo: &mut Handle,
    expander: &mut Expander<T>,
    frame: &mut Frame<T>,
    action: usize,
) -> Result<(), StopReason> {
    if !frame.make_tables(action) {
        return Ok(());
    }
    for child in frame.children_of(action) {
        if !frame.children.is_occupied(child) {
            continue;
        }
        let key = expander.key(frame, child)?;
        for visit in frame.rooms(action, child) {
            if let Some(known) = memo.find(frame.remaining_for(visit).key(key)) {
                frame.tighten(visit, known);
            }
        }
    }
    frame.sum(action);
    Ok(())
}
