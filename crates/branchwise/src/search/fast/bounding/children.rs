//! A branch's children and split actions: their bounds, from what was counted.

use super::Expander;
use crate::limits::StopReason;
use crate::search::bounds::{self, Cost};
use crate::search::fast::branch::Frame;
use crate::search::fast::layout::Weight;

impl<T: Weight> Expander<'_, T> {
    /// For each child: the weight that errs in every tree, and its number of table rows if asked for.
    #[inline(always)]
    pub(super) fn count_errors(&mut self, frame: &Frame<T>) -> Result<(), StopReason> {
        let stride = frame.bits.stride;
        let n_children = frame.bits.n_children();
        self.errs.clear();
        self.errs.resize(n_children, 0);
        self.count_rows(frame)?;
        if !self.rules.equivalent_points() {
            return Ok(());
        }
        let right = self.task.objective.correct(1).get();
        let mut words = frame.bits.words.chunks_exact(stride.max(1));
        let mut total = 0;
        for group in &frame.bits.groups {
            let words = words.by_ref().take(group.n_words);
            if !group.errs {
                words.for_each(drop);
                continue;
            }
            let worth = right * group.worth as Cost;
            total += worth * group.n_units as Cost;
            for word in words {
                self.pulse.spend(stride)?;
                for (errs, column) in self.errs.iter_mut().zip(word) {
                    *errs += worth * Cost::from(column.count_ones());
                }
            }
        }
        if total > 0 {
            for span in &frame.bits.spans {
                self.errs[span.rest] = total - self.errs[span.columns()].iter().sum::<Cost>();
            }
        }
        Ok(())
    }

    fn count_rows(&mut self, frame: &Frame<T>) -> Result<(), StopReason> {
        self.rows.clear();
        if self.task.constraints.least_rows() == 1 {
            return Ok(());
        }
        self.rows.resize(frame.bits.n_children(), 0);
        let mut total = 0;
        for &unit in &frame.units {
            self.pulse.spend(frame.bits.columns.len())?;
            let n_rows = self.matrix.n_rows(unit);
            total += n_rows;
            for (rows, column) in self.rows.iter_mut().zip(&frame.bits.columns) {
                let has = column.is_some_and(|column| self.matrix.has(unit, column));
                *rows += if has { n_rows } else { 0 };
            }
        }
        for span in &frame.bits.spans {
            self.rows[span.rest] = total - self.rows[span.columns()].iter().sum::<u64>();
        }
        Ok(())
    }

    /// Bound each child's cost from the columns alone: the purification bound, less what errs anyway.
    #[inline(always)]
    pub(super) fn bound_children(&mut self, frame: &mut Frame<T>) {
        let objective = self.task.objective;
        let (right, split) = (objective.correct(1).get(), objective.cheapest_split().get());
        let children = &mut frame.children;
        children.weight.clone_from(&self.look_ahead.found.weight);
        children.upper.clear();
        let weights = self.look_ahead.found.weight.iter().zip(&self.look_ahead.found.largest);
        let leaf = |(weight, largest): (&T, &T)| right * (weight.wide() - largest.wide()) as Cost;
        children.upper.extend(weights.map(leaf));
        children.lower.clear();
        let leaves = children.upper.iter().zip(&self.errs);
        children.lower.extend(leaves.map(|(&leaf, &errs)| leaf.min(split + errs)));
        children.key.clear();
        self.begin_shares(frame);
        if frame.remaining.splits_below() == 0 {
            frame.children.lower.clone_from(&frame.children.upper);
        } else if self.task.constraints.least_rows() > 1 {
            for child in (0..self.rows.len()).filter(|&child| !self.has_rows_to_split(child)) {
                frame.children.lower[child] = frame.children.upper[child];
            }
        }
    }

    /// Whether a child has the rows that two leaves need.
    fn has_rows_to_split(&self, child: usize) -> bool {
        self.rows[child] >= self.task.constraints.least_rows().saturating_mul(2)
    }

    /// Raise the children's bounds by what the pairs tell.
    #[inline(always)]
    pub(super) fn look_ahead_of_children(&mut self, frame: &mut Frame<T>, two_splits: bool) {
        let objective = self.task.objective;
        let right = objective.correct(1).get();
        let most_splits = frame.remaining.splits_below();
        self.find_one_split(frame);
        if frame.is_limited() {
            self.look_ahead_with_little_room(frame, two_splits);
        }
        let look = &self.look_ahead.found;
        let may_split_once =
            self.rules.one_split_is_allowed(frame.remaining, frame.bits.has_multiway());
        let found = self.one_split.iter().zip(&self.errs).zip(&look.two_splits);
        let children = frame.children.lower.iter_mut().zip(&mut frame.children.upper);
        for ((lower, upper), ((&one, &errs), &two)) in children.zip(found) {
            let two = if two_splits { right * two.wide() as Cost } else { errs };
            // A child that may not be split is solved: its bound is that of its leaf.
            let ahead = bounds::look_ahead(objective, most_splits, (*upper, one), (two, errs));
            let bound = (*lower).max(ahead);
            *upper = if may_split_once { (*upper).min(one) } else { *upper };
            *lower = bound.min(*upper);
        }
    }

    /// The cost of each child's best tree with one split.
    #[inline(always)]
    fn find_one_split(&mut self, frame: &Frame<T>) {
        let objective = self.task.objective;
        let (right, split) = (objective.correct(1).get(), objective.split(2).get());
        let look = &self.look_ahead.found;
        self.one_split.clear();
        if frame.bits.n_binary == 0 {
            self.one_split.resize(look.weight.len(), Cost::MAX);
        } else {
            let weights = look.weight.iter().zip(&look.best_binary);
            // Padding has no weight, and nonsense for a best.
            let errors = |(&weight, &best): (&T, &T)| (weight - best.min(weight)).wide();
            self.one_split.extend(weights.map(|found| right * errors(found) as Cost + split));
        }
        if frame.bits.has_multiway() {
            let found = look.weight.iter().zip(&look.best_multiway);
            for (one, (&weight, &value)) in self.one_split.iter_mut().zip(found) {
                let cost = value.map_or(Cost::MAX, |value| right * weight.wide() as Cost - value);
                *one = (*one).min(cost);
            }
        }
    }

    /// Make the split actions; those that no allowed tree can use cost more than anything.
    #[inline(always)]
    pub(super) fn make_actions(&mut self, frame: &mut Frame<T>) {
        let (n_binary, n_actions) = (frame.bits.n_binary, frame.bits.spans.len());
        let stride = frame.bits.stride;
        let (children, actions) = (&frame.children, &mut frame.actions);
        let split = self.task.objective.split(2).get();
        actions.price.clear();
        actions.price.resize(n_binary, split);
        actions.heaviest.clear();
        let both = |list: &[Cost], sums: &mut Vec<Cost>| {
            let pairs = list[..n_binary].iter().zip(&list[stride..]);
            sums.clear();
            sums.extend(pairs.map(|(with, without)| split + with + without));
        };
        both(&children.lower, &mut actions.lower);
        both(&children.upper, &mut actions.upper);
        let weights = children.weight[..n_binary].iter().zip(&children.weight[stride..]);
        actions.heaviest.extend(weights.map(|(&with, &without)| with.max(without)));
        for action in n_binary..n_actions {
            self.make_multiway(frame, action);
        }
        frame.share_actions();
        let least = self.task.constraints.least_rows();
        if frame.remaining.depth == Some(0) || least > 1 || self.must_split(frame) {
            self.forbid_actions(frame);
        }
        let best = frame.actions.upper.iter().copied().min().unwrap_or(Cost::MAX);
        if best < frame.upper {
            let action = frame.actions.upper.iter().position(|&upper| upper == best);
            frame.upper = best;
            frame.best = action.map(|action| frame.bits.questions[action]);
        }
    }

    fn make_multiway(&self, frame: &mut Frame<T>, action: usize) {
        let span = frame.bits.spans[action];
        let children = &frame.children;
        let n_children = span.children().filter(|&child| children.is_occupied(child)).count();
        let price = self.task.objective.split(n_children).get();
        let sum = |list: &[Cost]| span.children().fold(price, |sum, child| sum + list[child]);
        let heaviest = span.children().map(|child| children.weight[child]).max();
        frame.actions.price.push(price);
        frame.actions.lower.push(sum(&children.lower));
        frame.actions.upper.push(sum(&children.upper));
        frame.actions.heaviest.push(heaviest.unwrap_or_default());
    }

    fn forbid_actions(&self, frame: &mut Frame<T>) {
        let (least, root) = (self.task.constraints.least_rows(), self.must_split(frame));
        for action in 0..frame.actions.len() {
            let too_small = |child: usize| {
                least > 1 && frame.children.is_occupied(child) && self.rows[child] < least
            };
            let feature = self.matrix.question(frame.bits.questions[action]).id();
            let not_first = root && !self.task.problem.may_be_first(feature);
            let too_deep = frame.remaining.depth == Some(0);
            if too_deep || not_first || frame.children_of(action).any(too_small) {
                frame.actions.lower[action] = Cost::MAX;
                frame.actions.upper[action] = Cost::MAX;
            }
        }
    }
}
