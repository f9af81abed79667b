//! Gathering: from a branch's units to its [`Bits`].
//!
//! The rows of the branch's units are transposed, 64 at a time, into words of columns. Questions that
//! are constant in the branch are dropped, since a split on them would not part its rows.

use super::bits::{Bits, LANES, Span, WordGroup};
use super::matrix::Matrix;
use super::transpose::{transpose, transpose_narrow};
use crate::limits::{Pulse, StopReason};
use std::ops::Range;

/// Gathers the bits of one branch after the other, and keeps the memory that this takes.
#[derive(Debug)]
pub(crate) struct Gatherer<'a> {
    matrix: &'a Matrix,
    /// The bits of the columns that may not be constant, word by word, and the columns' numbers in the
    /// matrix. (The list of words is not cut when a branch needs fewer.)
    candidates: Vec<u64>,
    candidate_columns: Vec<u32>,
    /// Places of candidates, and the places in [`Bits`] where they are kept.
    kept: Vec<(usize, usize)>,
    /// For each candidate, whether any unit has it, and whether any lacks it.
    occurs: Vec<u64>,
    lacks: Vec<u64>,
    /// For each word, which of its bits stand for units.
    valid: Vec<u64>,
}

/// The least work of transposing 64 rows, in words.
const LEAST_TRANSPOSED: usize = 256;

impl<'a> Gatherer<'a> {
    pub(crate) fn new(matrix: &'a Matrix) -> Self {
        Gatherer {
            matrix,
            candidates: Vec::new(),
            candidate_columns: Vec::new(),
            kept: Vec::new(),
            occurs: Vec::new(),
            lacks: Vec::new(),
            valid: Vec::new(),
        }
    }

    /// Lay out the bits of a branch with these units, for those of some questions that vary there.
    ///
    /// If a limit is reached on the way, the bits mean nothing.
    #[inline(always)]
    pub(crate) fn gather(
        &mut self,
        bits: &mut Bits,
        units: &[u32],
        questions: &[u32],
        pulse: &mut Pulse,
    ) -> Result<(), StopReason> {
        let matrix = self.matrix;
        bits.groups.clear();
        bits.classes.clear();
        self.candidate_columns.clear();
        for &question in questions {
            self.candidate_columns.extend(matrix.question(question).columns());
        }
        self.make_room(units.len(), pulse)?;
        let mut place = 0;
        for (group, units) in matrix.grouped(units) {
            let n_units = units.len();
            if bits.classes.last() != Some(&group.class) {
                bits.classes.push(group.class);
            }
            let (class, n_words) = (bits.classes.len() - 1, n_units.div_ceil(64));
            let (worth, errs) = (group.worth, group.errs);
            bits.groups.push(WordGroup { class, worth, n_words, n_units, errs });
            for chunk in units.chunks(64) {
                pulse.spend(8 * self.candidate_columns.len() + LEAST_TRANSPOSED)?;
                self.transpose_units(chunk, place);
                place += self.candidate_columns.len();
            }
        }
        bits.n_classes = bits.classes.len();
        self.keep_varying(bits, questions, pulse)
    }

    /// Ask for memory if the branch is larger than all before: for its bits, as candidates and as kept, for
    /// its groups, for each column's weight of each class, twice, and for the lists of its children.
    #[inline(always)]
    fn make_room(&mut self, n_units: usize, pulse: &mut Pulse) -> Result<(), StopReason> {
        let n_columns = self.candidate_columns.len();
        // Each group begins a new word.
        let n_words = n_units.div_ceil(64) + self.matrix.n_groups();
        if n_words * n_columns <= self.candidates.capacity() {
            return Ok(());
        }
        let stride = n_columns.next_multiple_of(LANES);
        let of_bits = 8 * n_words * (n_columns + stride);
        let of_groups = self.matrix.n_groups() * (2 * size_of::<WordGroup>() + 16 * stride);
        pulse.room_for(0, of_bits + of_groups + 200 * n_columns)?;
        self.candidates.reserve_exact(n_words * n_columns - self.candidates.len());
        Ok(())
    }

    #[inline(always)]
    fn transpose_units(&mut self, units: &[u32], start: usize) {
        let candidates = &self.candidate_columns;
        // Every word is written, so its old value does not matter.
        if self.candidates.len() < start + candidates.len() {
            self.candidates.resize(start + candidates.len(), 0);
        }
        let mut next = 0;
        for word in 0..self.matrix.words_per_row() {
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

    /// Find which candidates any unit has, and which any unit lacks.
    #[inline(always)]
    fn find_varying(&mut self, bits: &Bits, pulse: &mut Pulse) -> Result<(), StopReason> {
        let n_columns = self.candidate_columns.len();
        for list in [&mut self.occurs, &mut self.lacks] {
            list.clear();
            list.resize(n_columns, 0);
        }
        self.valid.clear();
        for group in &bits.groups {
            let full = group.n_units / 64;
            self.valid.extend(std::iter::repeat_n(u64::MAX, full));
            self.valid.extend((group.n_words > full).then(|| (1 << (group.n_units % 64)) - 1));
        }
        for (word, &valid) in self.candidates.chunks_exact(n_columns.max(1)).zip(&self.valid) {
            pulse.spend(n_columns)?;
            for ((occurs, lacks), &column) in self.occurs.iter_mut().zip(&mut self.lacks).zip(word)
            {
                *occurs |= column;
                *lacks |= !column & valid;
            }
        }
        Ok(())
    }

    /// Whether any unit has none of these candidates.
    #[inline(always)]
    fn has_rest(&self, columns: Range<usize>) -> bool {
        let n_columns = self.candidate_columns.len();
        let mut words = self.candidates.chunks_exact(n_columns.max(1)).zip(&self.valid);
        words.any(|(word, &valid)| {
            let any = word[columns.clone()].iter().fold(0, |any, column| any | column);
            !any & valid != 0
        })
    }

    /// Keep the columns of the questions that are not constant.
    #[inline(always)]
    fn keep_varying(
        &mut self,
        bits: &mut Bits,
        questions: &[u32],
        pulse: &mut Pulse,
    ) -> Result<(), StopReason> {
        self.find_varying(bits, pulse)?;
        bits.questions.clear();
        bits.spans.clear();
        bits.columns.clear();
        self.kept.clear();
        let n_binary = questions.partition_point(|&question| self.matrix.is_binary(question));
        let (binary, multiway) = questions.split_at(n_binary);
        self.keep_binary(bits, binary);
        bits.n_binary = bits.questions.len();
        if !multiway.is_empty() {
            // Their columns begin at a multiple of the lanes.
            bits.columns.resize(bits.first_multiway(), None);
            self.keep_multiway(bits, multiway, n_binary, pulse)?;
        }
        bits.columns.resize(bits.columns.len().next_multiple_of(LANES), None);
        bits.stride = bits.columns.len();
        bits.number_rests();
        self.copy_kept(bits, pulse)
    }

    #[inline(always)]
    fn keep_binary(&mut self, bits: &mut Bits, questions: &[u32]) {
        let found = self.occurs.iter().zip(&self.lacks);
        for (place, (&question, (&occurs, &lacks))) in questions.iter().zip(found).enumerate() {
            if occurs != 0 && lacks != 0 {
                let first = bits.columns.len();
                bits.questions.push(question);
                bits.spans.push(Span { first, n: 1, rest: 0 });
                self.kept.push((place, first));
                bits.columns.push(Some(self.candidate_columns[place]));
            }
        }
    }

    /// The same for questions with more than two answers, whose candidates begin at `place`.
    #[inline(always)]
    fn keep_multiway(
        &mut self,
        bits: &mut Bits,
        questions: &[u32],
        mut place: usize,
        pulse: &mut Pulse,
    ) -> Result<(), StopReason> {
        for &question in questions {
            let n = self.matrix.question(question).columns().len();
            pulse.spend(n * self.valid.len())?;
            let columns = place..place + n;
            let occur = self.occurs[columns.clone()].iter().filter(|&&bits| bits != 0).count();
            if occur + usize::from(self.has_rest(columns.clone())) > 1 {
                bits.questions.push(question);
                bits.spans.push(Span { first: bits.columns.len(), n, rest: 0 });
                for offset in columns {
                    self.kept.push((offset, bits.columns.len()));
                    bits.columns.push(Some(self.candidate_columns[offset]));
                }
            }
            place += n;
        }
        Ok(())
    }

    /// Copy the words of the columns that are kept.
    #[inline(always)]
    fn copy_kept(&mut self, bits: &mut Bits, pulse: &mut Pulse) -> Result<(), StopReason> {
        let n_columns = self.candidate_columns.len();
        bits.words.clear();
        bits.words.reserve_exact(self.valid.len() * bits.stride);
        pulse.extend_zeros(&mut bits.words, self.valid.len() * bits.stride)?;
        let words = bits.words.chunks_exact_mut(bits.stride.max(1));
        let words = words.zip(self.candidates.chunks_exact(n_columns.max(1)));
        // Mostly all columns are kept, and stay where they are.
        let all = self.kept.len() == n_columns && self.kept.iter().all(|(from, into)| from == into);
        for (into, from) in words {
            pulse.spend(self.kept.len())?;
            if all {
                into[..n_columns].copy_from_slice(from);
            } else {
                self.kept.iter().for_each(|&(from_place, place)| into[place] = from[from_place]);
            }
        }
        Ok(())
    }
}
