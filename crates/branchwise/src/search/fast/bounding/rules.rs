//! Which bounds hold: decided here and nowhere else.
//!
//! Statements and proofs are in [`bounds`](crate::search::bounds), with "when it fails" for each. A bound is used
//! where it holds under the task's limits, its price and its questions, where what remains of the
//! limits to the branch at hand allows it, and where [`Bounds`](crate::search::Bounds) has not switched it off.

use super::overlap::Delta;
use crate::objective::Price;
use crate::search::Task;
use crate::search::fast::branch::Remaining;
use crate::search::fast::layout::Matrix;

/// Which bounds hold for a task.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    equivalent_points: bool,
    look_ahead: bool,
    two_splits: bool,
    monotone: bool,
    remainder: bool,
    /// Parent and child, and siblings, may be compared …
    similar: bool,
    /// … where room is limited, too …
    similar_in_room: bool,
    /// … and a split may part siblings, too.
    siblings_split: bool,
    /// Leaves may have any number of rows.
    any_leaf: bool,
    delta: Delta,
}

impl Rules {
    pub(super) fn of(task: Task, matrix: &Matrix) -> Self {
        let Task { objective, constraints, bounds, .. } = task;
        let all_binary = matrix.all_binary();
        let any_leaf = constraints.least_rows() == 1;
        let any_depth = constraints.max_depth.is_none();
        let similar =
            bounds.similar && any_leaf && (objective.price() == Price::Split || all_binary);
        let by_splits = constraints.room().is_none_or(|room| room.counts_splits());
        let (right, split) = (objective.correct(1).get(), objective.cheapest_split().get());
        Rules {
            equivalent_points: bounds.equivalent_points,
            look_ahead: bounds.look_ahead,
            two_splits: bounds.two_splits,
            monotone: bounds.monotone && any_leaf && any_depth,
            remainder: bounds.remainder,
            similar,
            similar_in_room: similar && (by_splits || all_binary),
            siblings_split: similar && any_depth,
            any_leaf,
            delta: Delta { right, split: Some(split) },
        }
    }

    /// Whether the smaller classes of equal rows count as errors of every tree.
    pub(super) fn equivalent_points(&self) -> bool {
        self.equivalent_points
    }

    /// Whether a branch's children may be split, so that it pays to look two steps ahead.
    #[inline(always)]
    pub(super) fn look_ahead(&self, remaining: Remaining) -> bool {
        self.look_ahead && remaining.splits_below() > 0
    }

    /// Whether its children may have two splits.
    ///
    /// (To leave this bound out where the best single split closes the branch remembers less of it: 1,000
    /// noisy rows take 2.2 times as many expansions.)
    #[inline(always)]
    pub(super) fn two_splits(&self, remaining: Remaining) -> bool {
        self.two_splits && remaining.splits_below() > 1
    }

    /// Whether the best single split of a child, whichever it is, is a tree that is allowed.
    pub(super) fn one_split_is_allowed(&self, remaining: Remaining, has_multiway: bool) -> bool {
        self.any_leaf && remaining.room.is_none_or(|room| room.counts_splits() || !has_multiway)
    }

    /// Whether a branch costs at least what each of its children does.
    pub(crate) fn monotone(&self, remaining: Remaining) -> bool {
        self.monotone && remaining.room.is_none()
    }

    /// Whether what a branch must cost, and its other children need not, a child must.
    pub(crate) fn remainder(&self, remaining: Remaining) -> bool {
        self.remainder && remaining.room.is_none()
    }

    /// Whether the children of a branch may be compared with each other, and with their own children.
    pub(crate) fn similar(&self, remaining: Remaining) -> bool {
        if remaining.room.is_some() { self.similar_in_room } else { self.similar }
    }

    /// How much less a child can cost than the same child of its parent. The parent has a level more, so
    /// that a split may part the two at any depth.
    #[inline(always)]
    pub(super) fn delta_to_parent(&self) -> Delta {
        self.delta
    }

    /// How much less a child can cost than another child of the same branch.
    #[inline(always)]
    pub(super) fn delta_between_siblings(&self, remaining: Remaining) -> Delta {
        let may_split = self.siblings_split && remaining.room.is_none();
        Delta { split: self.delta.split.filter(|_| may_split), ..self.delta }
    }
}
