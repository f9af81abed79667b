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

use super::frame::{Actions, Frame};
use super::memo::Known;
use super::weight::Weight;
use super::worker::Worker;
use crate::search::bounds::{self, Cost};

impl<T: Weight> Worker<'_, T> {
    /// One step at the branch on top of the stack.
    pub(super) fn step(&mut self) {
        let top = self.depth - 1;
        self.hear_of_others();
        let limit = self.update_top();
        let frame = &self.frames[top];
        if frame.lower > limit {
            return self.finish();
        }
        let Some((action, child)) = self.choose(limit) else { return self.finish() };
        let limit = if top == 0 { self.patient_limit(action, limit) } else { limit };
        if top > 0 && self.expander.similarity().similar {
            let frame = &mut self.frames[top];
            if self.expander.pull(frame, (action, child)) && frame.actions.lower[action] > limit {
                return;
            }
        }
        let frame = &self.frames[top];
        let budget = limit - (frame.actions.lower[action] - frame.children.lower[child]);
        self.visit(action, child, budget);
    }

    /// The action to work on and its child to be searched; none if all are solved.
    fn choose(&self, limit: Cost) -> Option<(usize, usize)> {
        let frame = &self.frames[self.depth - 1];
        let Actions { lower, upper, heaviest, .. } = &frame.actions;
        let open = |&action: &usize| lower[action] <= limit;
        let idle = |&action: &usize| !self.is_busy(frame, action);
        let first = |actions: &mut dyn Iterator<Item = usize>| match self.depth {
            1 => actions.min_by_key(|&action| (lower[action], upper[action])),
            _ => actions.min_by_key(|&action| (heaviest[action], lower[action])),
        };
        let mut all = (0..frame.actions.len()).filter(open);
        let action = match self.shared.busy.is_shared() {
            true => first(&mut all.clone().filter(idle)).or_else(|| first(&mut all)),
            false => first(&mut all),
        }?;
        // A child of it is not solved, or its upper bound would be below the limit, too.
        Some((action, self.next_child(frame, action)?))
    }

    /// Whether another worker searches the child of an action that comes next.
    fn is_busy(&self, frame: &Frame<T>, action: usize) -> bool {
        let key = self.next_child(frame, action).and_then(|c| frame.children.key.get(c));
        key.is_some_and(|&key| self.shared.busy.contains(key))
    }

    /// The unsolved child of least lower bound.
    fn next_child(&self, frame: &Frame<T>, action: usize) -> Option<usize> {
        let unsolved = frame.children_of(action).filter(|&child| !frame.children.is_solved(child));
        unsolved.min_by_key(|&child| (frame.children.lower[child], frame.children.weight[child]))
    }

    /// Bring the lower bound of the branch on top up to date; what a tree must cost to be wanted.
    pub(super) fn update_top(&mut self) -> Cost {
        let monotone = self.expander.similarity().monotone;
        let frame = &mut self.frames[self.depth - 1];
        let lower = self.expander.kernel.run(
            #[inline(always)]
            || {
                let lowest = frame.actions.lower.iter().fold(Cost::MAX, |least, &l| least.min(l));
                let highest = frame.children.lower.iter().fold(0, |most, &l| most.max(l));
                if monotone { bounds::monotone(lowest, highest) } else { lowest }
            },
        );
        frame.lower = frame.lower.max(lower.min(frame.upper));
        if self.task.bounds.remainder {
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
    pub(super) fn visit(&mut self, action: usize, child: usize, budget: Cost) {
        let top = self.depth - 1;
        let frame = &mut self.frames[top];
        let depth_left = frame.depth_left.map(|left| left - 1);
        let key = self.expander.key(frame, child);
        let known = self.memo.find(Self::memo_key(key, depth_left));
        if known.is_some_and(|known| self.learn(top, (action, child), known)) {
            return;
        }
        if self.frames.len() == self.depth {
            self.frames.push(Frame::default());
        }
        let (below, above) = self.frames.split_at_mut(self.depth);
        let (parent, next) = (&mut below[top], &mut above[0]);
        parent.visiting = Some((action, child));
        let lower = parent.children.lower[child];
        self.stack_bytes -= next.bytes();
        parent.child_units(child, &mut next.units);
        next.key = key;
        next.depth_left = depth_left;
        next.budget = budget;
        next.known_upper = known.map_or(Cost::MAX, |known| known.upper);
        self.depth += 1;
        self.shared.busy.enter(key);
        self.patience.count(known.is_some());
        self.expand_top();
        let frame = &mut self.frames[self.depth - 1];
        if let Some(known) = known.filter(|known| known.upper < frame.upper) {
            frame.upper = known.upper;
            frame.best = known.best;
        }
        frame.lower = lower.min(frame.upper);
        let limit = self.update_top();
        if self.frames[self.depth - 1].lower <= limit {
            self.look_up_children();
            self.spread_highest();
        }
    }

    /// Tighten a child's bounds, and what follows from it. Whether anything changed.
    fn learn(&mut self, place: usize, (action, child): (usize, usize), known: Known) -> bool {
        let frame = &mut self.frames[place];
        let lower = frame.children.lower[child];
        if !frame.children.tighten(child, known) {
            return false;
        }
        frame.sum(action);
        if known.lower > lower && self.expander.similarity().similar {
            self.expander.spread(frame, child);
        }
        true
    }

    /// Where others work, too: take over what they found of the branch on top, and of its children.
    fn hear_of_others(&mut self) {
        let frame = &mut self.frames[self.depth - 1];
        if !self.shared.busy.is_shared() || !std::mem::take(&mut frame.stale) {
            return;
        }
        self.memo.refresh();
        let key = Self::memo_key(frame.key, frame.depth_left);
        if let Some(known) = self.memo.find(key) {
            frame.learn(known);
        }
        self.look_up_children();
    }

    /// Go back to the first branch on the stack that another worker has closed meanwhile, if any.
    pub(super) fn leave_closed(&mut self) {
        for place in 1..self.depth {
            let frame = &self.frames[place];
            let Some(known) = self.memo.find(Self::memo_key(frame.key, frame.depth_left)) else {
                continue;
            };
            if known.lower > frame.budget.min(known.upper.min(frame.upper) - 1) {
                while self.depth > place + 1 {
                    self.finish();
                }
                self.frames[place].stale = true;
                return;
            }
        }
    }

    /// Take over what the memo knows of the children of the branch on top.
    ///
    /// All are looked up that are not solved, even those of actions beyond the budget: their bounds
    /// spread to others. (Without them lymph takes 8 % and balance 13 % more expansions.)
    pub(super) fn look_up_children(&mut self) {
        let frame = &mut self.frames[self.depth - 1];
        let depth_left = frame.depth_left.map(|left| left.saturating_sub(1));
        if frame.children.key.is_empty() {
            self.expander.find_keys(frame);
        }
        self.asked.clear();
        for action in (0..frame.actions.len()).filter(|&action| frame.actions.is_allowed(action)) {
            let unsolved = frame.children_of(action).filter(|&x| !frame.children.is_solved(x));
            let key = |child: usize| Self::memo_key(frame.children.key[child], depth_left);
            self.asked.extend(unsolved.map(|child| (key(child), (action, child))));
        }
        self.memo.find_all(&self.asked, |(action, child), known| {
            if frame.children.tighten(child, known) {
                frame.sum(action);
            }
        });
    }

    /// Spread the highest bound among the new branch's children. (More of them bring as much as they
    /// cost.)
    fn spread_highest(&mut self) {
        if !self.expander.similarity().similar {
            return;
        }
        let frame = &mut self.frames[self.depth - 1];
        let lowers = frame.children.lower.iter().copied().enumerate();
        let highest = lowers.filter(|&(_, lower)| lower > 0).max_by_key(|&(_, lower)| lower);
        if let Some((child, _)) = highest {
            self.expander.spread(frame, child);
        }
    }

    /// Leave the branch on top.
    pub(super) fn finish(&mut self) {
        let top = self.depth - 1;
        let known = self.remember(top);
        let work = self.frames[top].work;
        self.depth -= 1;
        if top > 0 {
            self.shared.busy.leave(self.frames[top].key);
            let parent = &mut self.frames[top - 1];
            parent.work += work;
            parent.stale = true;
            if let Some(visited) = parent.visiting.take() {
                self.learn(top - 1, visited, known);
            }
        }
    }
}
