//! Bounding: from a branch's units to the bounds of its children and split actions.
//!
//! To *expand* a branch is to gather its bits, to count its columns and, if that is not enough to close it,
//! its pairs of columns, and to derive bounds from the counts:
//!
//! 1. [`Counts`](counts::Counts): classes by column. Each child gets the purification bound (`children`).
//! 2. `similar`: bounds carried over from the parent's children, and later between siblings.
//! 3. [`LookAhead`] and `multiway`: pairs of columns, two steps at once. Where there are too many pairs,
//!    `promising` looks at some.
//! 4. Where leaves or splits are limited, `room` finds how much room children can use.
//!
//! What a bound says and why it is true is in [`bounds`](crate::search::bounds); [`Rules`] decides which hold.

mod children;
mod counts;
mod look_ahead;
mod multiway;
mod overlap;
mod promising;
mod room;
mod rules;
mod similar;

pub(crate) use look_ahead::LookAhead;
pub(crate) use rules::Rules;

use crate::limits::{Pulse, StopReason, Watch};
use crate::search::Task;
use crate::search::bounds::Cost;
use crate::search::fast::branch::Frame;
use crate::search::fast::layout::{Bits, Gatherer, Kernel, Matrix, Weight};
use overlap::{Outside, Overlap};

/// Expands branches, and keeps the memory that this takes.
pub(crate) struct Expander<'a, T> {
    task: Task<'a>,
    matrix: &'a Matrix,
    rules: Rules,
    gatherer: Gatherer<'a>,
    look_ahead: LookAhead<T>,
    /// Bits of the most promising questions, and what looking ahead finds there.
    some: Bits,
    some_ahead: LookAhead<T>,
    /// What the rows of each child cost that err in every tree, and its best tree with one split.
    errs: Vec<Cost>,
    one_split: Vec<Cost>,
    /// The number of table rows of each child, where leaves must have a minimum.
    rows: Vec<u64>,
    outside: Outside<T>,
    overlap: Overlap<T>,
    kernel: Kernel,
    most_pair_words: usize,
    most_pair_bytes: usize,
    /// Looks at the limits while the work goes on, however large a branch is.
    pulse: Pulse<'a>,
}

/// Pair counts of more bytes than this, or of more than a quarter of a limit on memory, are not kept: such
/// a branch is treated as one with too many words. (It is the limit that counts, and not the memory that
/// happens to be free: what is known of a branch must be the same in every run, or the answer would not be.)
const MOST_PAIR_BYTES: usize = 1 << 28;

/// The words that counting all pairs reads.
fn n_pair_words(bits: &Bits) -> usize {
    bits.stride * bits.stride / 2 * bits.n_words()
}

impl<'a, T: Weight> Expander<'a, T> {
    pub(crate) fn new(
        task: Task<'a>,
        matrix: &'a Matrix,
        watch: &'a Watch,
        most_pair_words: usize,
    ) -> Self {
        Expander {
            task,
            matrix,
            rules: Rules::of(task, matrix),
            gatherer: Gatherer::new(matrix),
            look_ahead: LookAhead::default(),
            some: Bits::default(),
            some_ahead: LookAhead::default(),
            errs: Vec::new(),
            one_split: Vec::new(),
            rows: Vec::new(),
            outside: Outside::default(),
            overlap: Overlap::default(),
            kernel: Kernel::for_this_machine(),
            most_pair_words,
            most_pair_bytes: watch.memory_limit().map_or(MOST_PAIR_BYTES, |limit| {
                usize::try_from(limit / 4).unwrap_or(usize::MAX).min(MOST_PAIR_BYTES)
            }),
            pulse: watch.pulse(),
        }
    }

    /// Which bounds hold.
    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The processor's instructions.
    pub(crate) fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// What looks at the limits.
    pub(crate) fn pulse(&mut self) -> &mut Pulse<'a> {
        &mut self.pulse
    }

    /// The key of a child; all are found when the first is asked for.
    pub(crate) fn key(&mut self, frame: &mut Frame<T>, child: usize) -> Result<u128, StopReason> {
        self.find_keys(frame)?;
        Ok(frame.children.key[child])
    }

    /// Find the keys of a branch's children, unless they are known.
    pub(crate) fn find_keys(&mut self, frame: &mut Frame<T>) -> Result<(), StopReason> {
        if frame.children.key.is_empty() {
            frame.find_keys(self.matrix, self.kernel, &mut self.pulse)?;
        }
        Ok(())
    }

    /// Fill in the frame's children and actions, those of features that vary in the parent.
    ///
    /// A limit may be reached on the way: then the frame means nothing, and nothing may be taken from it.
    pub(crate) fn expand(
        &mut self,
        frame: &mut Frame<T>,
        parent: Option<&Frame<T>>,
    ) -> Result<(), StopReason> {
        self.kernel.run(
            #[inline(always)]
            || self.expand_here(frame, parent),
        )
    }

    #[inline(always)]
    fn expand_here(
        &mut self,
        frame: &mut Frame<T>,
        parent: Option<&Frame<T>>,
    ) -> Result<(), StopReason> {
        frame.lower = 0;
        frame.best = None;
        frame.visiting = None;
        frame.work = 1;
        let Frame { bits, units, .. } = frame;
        match parent {
            Some(Frame { bits: Bits { questions, .. }, .. }) => {
                self.gatherer.gather(bits, units, questions, &mut self.pulse)?;
            }
            None => {
                let questions = self.matrix.all_questions();
                self.gatherer.gather(bits, units, &questions, &mut self.pulse)?;
            }
        }
        self.look_ahead.found.count_columns(&frame.bits, &mut self.pulse)?;
        frame.class_weights.clone_from(&self.look_ahead.found.class_weights);
        frame.column_weights.clone_from(&self.look_ahead.found.column_weights);
        self.count_errors(frame)?;
        self.bound_leaf(frame);
        self.bound_children(frame);
        // A free branch may have a parent that is not; the other way round is not possible.
        if let Some(parent) = parent
            && self.rules.similar(parent.remaining)
        {
            self.compare_with_parent(frame, parent)?;
        }
        self.make_actions(frame);
        // Often that is enough: what the columns and the parent tell is more than the budget.
        let lower = frame.actions.lower.iter().copied().min();
        let limit = frame.budget.min(frame.upper.min(frame.known_upper) - 1);
        if lower.is_some_and(|lower| lower <= limit) && self.rules.look_ahead(frame.remaining) {
            if self.may_count_pairs(&frame.bits) {
                let two_splits = self.rules.two_splits(frame.remaining);
                let objective = self.task.objective;
                let more = self.look_ahead.more_pair_bytes(&frame.bits);
                self.pulse.room_for(0, more)?;
                self.look_ahead.count_pairs(&frame.bits, objective, two_splits, &mut self.pulse)?;
                self.look_ahead_of_children(frame, two_splits);
            } else {
                self.look_ahead_of_promising(frame)?;
            }
            self.make_actions(frame);
        }
        Ok(())
    }

    /// Whether all pairs of columns are counted: not if that took too long, or too much memory.
    fn may_count_pairs(&self, bits: &Bits) -> bool {
        n_pair_words(bits) <= self.most_pair_words
            && LookAhead::<T>::pair_bytes(bits) <= self.most_pair_bytes
    }

    #[inline(always)]
    fn bound_leaf(&self, frame: &mut Frame<T>) {
        let weights = frame.class_weights.iter().map(|weight| weight.wide());
        let errors = weights.clone().sum::<u64>() - weights.max().unwrap_or(0);
        frame.leaf = self.task.objective.correct(errors).get();
        if self.must_split(frame) {
            frame.leaf = Cost::MAX;
        }
        frame.upper = frame.leaf;
    }

    /// Whether one leaf is no tree for the branch: it is the root, and its column is said.
    fn must_split(&self, frame: &Frame<T>) -> bool {
        self.task.problem.requires_split() && self.matrix.is_whole(&frame.units)
    }
}
