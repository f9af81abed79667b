//! Expansion: from a branch's units to its children with their bounds, and its split actions.
//!
//! The rows are transposed into bits, features that are constant in the branch are dropped, columns
//! and pairs of columns are counted, and each child gets its bounds from the counts.

use super::bits::{Bits, LANES, Span, WordGroup};
use super::frame::Frame;
use super::kernel::Kernel;
use super::look_ahead::LookAhead;
use super::matrix::{Matrix, transpose, transpose_narrow};
use super::similar::{Outside, Overlap, Similarity};
use super::weight::Weight;
use crate::limits::{Pulse, StopReason, Watch};
use crate::search::Task;
use crate::search::bounds::Cost;

/// Makes expansions, and keeps the memory they need between them.
pub(super) struct Expander<'a, T> {
    pub(super) task: Task<'a>,
    pub(super) matrix: &'a Matrix,
    similarity: Similarity,
    /// The bits of the features that may not be constant, word by word, and their columns. (What was
    /// longer before is not cut off.)
    candidates: Vec<u64>,
    candidate_columns: Vec<u32>,
    /// Places of candidates, and where they are kept.
    kept: Vec<(usize, usize)>,
    /// For each candidate, whether any unit has it, and lacks it; and which bits stand for units.
    occurs: Vec<u64>,
    lacks: Vec<u64>,
    valid: Vec<u64>,
    pub(super) look_ahead: LookAhead<T>,
    /// Bits of the most promising features, and what looking ahead finds there.
    pub(super) some: Bits,
    pub(super) some_ahead: LookAhead<T>,
    /// What the rows of each child cost that err in every tree, and the best tree with one split.
    pub(super) errs: Vec<Cost>,
    pub(super) one_split: Vec<Cost>,
    /// The number of table rows of each child, where leaves must have some.
    pub(super) rows: Vec<u64>,
    pub(super) outside: Outside<T>,
    pub(super) overlap: Overlap<T>,
    pub(super) kernel: Kernel,
    pub(super) most_pair_words: usize,
    most_pair_bytes: usize,
    /// Looks at the limits while the work goes on, however large a branch is.
    pub(super) pulse: Pulse<'a>,
}

/// Pair counts of more bytes than this, or of more than a quarter of a limit on memory, are not kept: such
/// a branch is treated as one with too many words. (It is the limit that counts, and not the memory that
/// happens to be free: what is known of a branch must be the same in every run, or the answer would not be.)
const MOST_PAIR_BYTES: usize = 1 << 28;

/// What it takes at least to transpose 64 rows.
const LEAST_TRANSPOSED: usize = 256;

/// The words that counting all pairs reads.
fn n_pair_words(bits: &Bits) -> usize {
    let n_words: usize = bits.groups.iter().map(|group| group.n_words).sum();
    bits.stride * bits.stride / 2 * n_words
}

impl<'a, T: Weight> Expander<'a, T> {
    pub(super) fn new(
        task: Task<'a>,
        matrix: &'a Matrix,
        watch: &'a Watch,
        most_pair_words: usize,
    ) -> Self {
        Expander {
            task,
            matrix,
            similarity: Similarity::of(task, matrix),
            candidates: Vec::new(),
            candidate_columns: Vec::new(),
            kept: Vec::new(),
            occurs: Vec::new(),
            lacks: Vec::new(),
            valid: Vec::new(),
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

    /// Which comparisons between row sets the task allows.
    pub(super) fn similarity(&self) -> Similarity {
        self.similarity
    }

    /// Fill in the frame's children and actions, those of features that vary in the parent.
    ///
    /// A limit may be reached on the way: then the frame means nothing, and nothing may be taken from it.
    pub(super) fn expand(
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
        match parent {
            Some(parent) => self.gather(frame, &parent.features)?,
            None => {
                let all: Vec<u32> = (0..self.matrix.features.len() as u32).collect();
                self.gather(frame, &all)?;
            }
        }
        self.look_ahead.count_columns(&frame.bits, &mut self.pulse)?;
        frame.class_weights.clone_from(&self.look_ahead.class_weights);
        frame.column_weights.clone_from(&self.look_ahead.column_weights);
        self.count_errors(frame)?;
        self.bound_leaf(frame);
        self.bound_children(frame);
        // A free branch may have a parent that is not; the other way round is not possible.
        if let Some(parent) = parent
            && self.similarity.of_children(parent)
        {
            self.compare_with_parent(frame, parent)?;
        }
        self.make_actions(frame);
        // Often that is enough: what the columns and the parent tell is more than the budget.
        let lower = frame.actions.lower.iter().copied().min();
        let limit = frame.budget.min(frame.upper.min(frame.known_upper) - 1);
        if lower.is_some_and(|lower| lower <= limit) && self.may_look_ahead(frame) {
            if self.may_count_pairs(&frame.bits) {
                // (To leave the second bound out where the first closes the branch remembers less of it:
                // 1,000 noisy rows take 2.2 times as many expansions.)
                let two_splits = self.task.bounds.two_splits && frame.left.splits_below() > 1;
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

    /// Whether two steps may follow, and looking ahead is not switched off.
    #[inline(always)]
    fn may_look_ahead(&self, frame: &Frame<T>) -> bool {
        self.task.bounds.look_ahead && frame.left.splits_below() > 0
    }

    #[inline(always)]
    fn bound_leaf(&self, frame: &mut Frame<T>) {
        let weights = frame.class_weights.iter().map(|weight| weight.wide());
        let errors = weights.clone().sum::<u64>() - weights.max().unwrap_or(0);
        frame.leaf = self.task.objective.correct(errors).units();
        if self.must_split(frame) {
            frame.leaf = Cost::MAX;
        }
        frame.upper = frame.leaf;
    }

    /// Whether one leaf is no tree for the branch: it is the root, and its column is said.
    pub(super) fn must_split(&self, frame: &Frame<T>) -> bool {
        self.task.problem.requires_split() && self.matrix.is_whole(&frame.units)
    }

    /// Lay out the branch's bits, features that are constant left out.
    #[inline(always)]
    fn gather(&mut self, frame: &mut Frame<T>, features: &[u32]) -> Result<(), StopReason> {
        let matrix = self.matrix;
        frame.bits.groups.clear();
        frame.classes.clear();
        self.candidate_columns.clear();
        for &f in features {
            let feature = matrix.features[f as usize];
            let columns = feature.first_column..feature.first_column + feature.n_columns;
            self.candidate_columns.extend(columns);
        }
        self.make_room(frame)?;
        let mut place = 0;
        for (group, units) in matrix.grouped(&frame.units) {
            let n_units = units.len();
            if frame.classes.last() != Some(&group.class) {
                frame.classes.push(group.class);
            }
            let (class, n_words) = (frame.classes.len() - 1, n_units.div_ceil(64));
            let (worth, errs) = (group.worth, group.errs);
            frame.bits.groups.push(WordGroup { class, worth, n_words, n_units, errs });
            for chunk in units.chunks(64) {
                self.pulse.spend(8 * self.candidate_columns.len() + LEAST_TRANSPOSED)?;
                self.transpose_units(chunk, place);
                place += self.candidate_columns.len();
            }
        }
        frame.bits.n_classes = frame.classes.len();
        self.keep_varying(frame, features)
    }

    /// Ask for the memory that a branch takes which is larger than all before: its bits twice, and the
    /// lists of its children.
    #[inline(always)]
    fn make_room(&mut self, frame: &Frame<T>) -> Result<(), StopReason> {
        let n_columns = self.candidate_columns.len();
        // Each group begins a new word.
        let n_words = frame.units.len().div_ceil(64) + self.matrix.groups.len();
        if n_words * n_columns <= self.candidates.capacity() {
            return Ok(());
        }
        let (of_bits, of_children) = (16 * n_words * n_columns, 200 * n_columns);
        self.pulse.room_for(0, of_bits + of_children)?;
        self.candidates.reserve_exact(n_words * n_columns - self.candidates.len());
        Ok(())
    }

    #[inline(always)]
    fn transpose_units(&mut self, units: &[u32], start: usize) {
        let candidates = &self.candidate_columns;
        // Every place is written to, so what stands there does not matter.
        if self.candidates.len() < start + candidates.len() {
            self.candidates.resize(start + candidates.len(), 0);
        }
        let mut next = 0;
        for word in 0..self.matrix.words_per_row {
            let end =
                next + candidates[next..].partition_point(|&c| (c as usize) < (word + 1) * 64);
            if end > next {
                let mut block = [0u64; 64];
                for (place, &unit) in block.iter_mut().zip(units) {
                    *place = self.matrix.word(unit, word);
                }
                match candidates[end - 1] as usize % 64 < 32 {
                    true => transpose_narrow(&mut block),
                    false => transpose(&mut block),
                }
                let places = self.candidates[start + next..start + end].iter_mut();
                for (place, &column) in places.zip(&candidates[next..end]) {
                    *place = block[column as usize % 64];
                }
            }
            next = end;
        }
    }

    /// Which candidate columns any unit has, and which any lacks.
    #[inline(always)]
    fn find_varying(&mut self, frame: &Frame<T>) -> Result<(), StopReason> {
        let n_columns = self.candidate_columns.len();
        for list in [&mut self.occurs, &mut self.lacks] {
            list.clear();
            list.resize(n_columns, 0);
        }
        self.valid.clear();
        for group in &frame.bits.groups {
            let full = group.n_units / 64;
            self.valid.extend(std::iter::repeat_n(u64::MAX, full));
            self.valid.extend((group.n_words > full).then(|| (1 << (group.n_units % 64)) - 1));
        }
        for (word, &valid) in self.candidates.chunks_exact(n_columns.max(1)).zip(&self.valid) {
            self.pulse.spend(n_columns)?;
            for ((occurs, lacks), &column) in self.occurs.iter_mut().zip(&mut self.lacks).zip(word)
            {
                *occurs |= column;
                *lacks |= !column & valid;
            }
        }
        Ok(())
    }

    /// Whether any unit has none of a feature's columns.
    #[inline(always)]
    fn has_rest(&self, columns: std::ops::Range<usize>) -> bool {
        let n_columns = self.candidate_columns.len();
        let mut words = self.candidates.chunks_exact(n_columns.max(1)).zip(&self.valid);
        words.any(|(word, &valid)| {
            let any = word[columns.clone()].iter().fold(0, |any, column| any | column);
            !any & valid != 0
        })
    }

    /// Keep the columns of features that are not constant.
    #[inline(always)]
    fn keep_varying(&mut self, frame: &mut Frame<T>, features: &[u32]) -> Result<(), StopReason> {
        self.find_varying(frame)?;
        frame.features.clear();
        frame.bits.spans.clear();
        frame.columns.clear();
        self.kept.clear();
        let n_binary = features.partition_point(|&f| (f as usize) < self.matrix.n_binary);
        let (binary, multiway) = features.split_at(n_binary);
        self.keep_binary(frame, binary);
        frame.bits.n_binary = frame.features.len();
        if !multiway.is_empty() {
            // Their columns start anew.
            frame.columns.resize(frame.bits.first_multiway(), None);
            self.keep_multiway(frame, multiway, n_binary)?;
        }
        frame.columns.resize(frame.columns.len().next_multiple_of(LANES), None);
        let stride = frame.columns.len();
        frame.bits.stride = stride;
        let (n_binary, first_multiway) = (frame.bits.n_binary, frame.bits.first_multiway());
        for (i, span) in frame.bits.spans.iter_mut().enumerate() {
            let place = if i < n_binary { i } else { first_multiway + i - n_binary };
            span.rest = stride + place;
        }
        self.copy_kept(&mut frame.bits)
    }

    /// The rests of these spans are numbered when it is known where they begin.
    #[inline(always)]
    fn keep_binary(&mut self, frame: &mut Frame<T>, features: &[u32]) {
        let found = self.occurs.iter().zip(&self.lacks);
        for (place, (&feature, (&occurs, &lacks))) in features.iter().zip(found).enumerate() {
            if occurs != 0 && lacks != 0 {
                let first = frame.columns.len();
                frame.features.push(feature);
                frame.bits.spans.push(Span { first, n: 1, rest: 0 });
                self.kept.push((place, first));
                frame.columns.push(Some(self.candidate_columns[place]));
            }
        }
    }

    /// The same for features with more categories, whose columns begin at a place.
    #[inline(always)]
    fn keep_multiway(
        &mut self,
        frame: &mut Frame<T>,
        features: &[u32],
        mut place: usize,
    ) -> Result<(), StopReason> {
        for &feature in features {
            let n = self.matrix.features[feature as usize].n_columns as usize;
            self.pulse.spend(n * self.valid.len())?;
            let columns = place..place + n;
            let occur = self.occurs[columns.clone()].iter().filter(|&&bits| bits != 0).count();
            if occur + usize::from(self.has_rest(columns.clone())) > 1 {
                frame.features.push(feature);
                frame.bits.spans.push(Span { first: frame.columns.len(), n, rest: 0 });
                for offset in columns {
                    self.kept.push((offset, frame.columns.len()));
                    frame.columns.push(Some(self.candidate_columns[offset]));
                }
            }
            place += n;
        }
        Ok(())
    }

    /// Lay out the bits of the columns that are kept.
    #[inline(always)]
    fn copy_kept(&mut self, bits: &mut Bits) -> Result<(), StopReason> {
        let n_columns = self.candidate_columns.len();
        bits.words.clear();
        bits.words.reserve_exact(self.valid.len() * bits.stride);
        self.pulse.extend_zeros(&mut bits.words, self.valid.len() * bits.stride)?;
        let words = bits.words.chunks_exact_mut(bits.stride.max(1));
        let words = words.zip(self.candidates.chunks_exact(n_columns.max(1)));
        // Mostly none is left out, and all stay where they are.
        let all = self.kept.len() == n_columns && self.kept.iter().all(|(from, into)| from == into);
        for (into, from) in words {
            self.pulse.spend(self.kept.len())?;
            if all {
                into[..n_columns].copy_from_slice(from);
            } else {
                self.kept.iter().for_each(|&(from_place, place)| into[place] = from[from_place]);
            }
        }
        Ok(())
    }
}
