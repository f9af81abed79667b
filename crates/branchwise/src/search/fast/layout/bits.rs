//! The bits of a branch, laid out for counting pairs of columns.
//!
//! Words are stored a word of every column at a time, columns padded to a multiple of [`LANES`], so
//! that one word of sixteen columns is two or four vector registers. The columns of features with
//! two categories come first and are padded apart from the rest: the i-th of them has column i.
//!
//! # Numbering of children
//! Child b < stride is the one that has column b. Numbers from there on are *rests*: the children
//! that have none of a feature's columns, padded as the features' columns are, so that the rest of the
//! i-th feature with two categories is stride + i. Padding has numbers too: children without rows.

use std::ops::Range;

/// Columns handled at a time.
pub(crate) const LANES: usize = 16;

/// A feature's columns among those of the branch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) first: usize,
    pub(crate) n: usize,
    /// The number of its rest.
    pub(crate) rest: usize,
}

impl Span {
    pub(crate) fn columns(self) -> Range<usize> {
        self.first..self.first + self.n
    }

    /// Its children, by number.
    pub(crate) fn children(self) -> impl Iterator<Item = usize> + Clone + use<> {
        self.columns().chain([self.rest])
    }
}

/// Units of one class and one weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordGroup {
    /// The class, numbered among those that occur.
    pub(crate) class: usize,
    /// The weight of a unit.
    pub(crate) worth: u64,
    pub(crate) n_words: usize,
    pub(crate) n_units: usize,
    /// Whether its units err in every tree.
    pub(crate) errs: bool,
}

/// The bits of a branch.
#[derive(Debug, Default)]
pub(crate) struct Bits {
    /// Word w of column b stands at w · stride + b.
    pub(crate) words: Vec<u64>,
    pub(crate) stride: usize,
    /// In order of class; the words of each follow each other.
    pub(crate) groups: Vec<WordGroup>,
    pub(crate) n_classes: usize,
    pub(crate) spans: Vec<Span>,
    /// The number of leading questions with one column.
    pub(crate) n_binary: usize,
    /// The question that each action asks, by its number in the matrix.
    pub(crate) questions: Vec<u32>,
    /// The column of each number, in the matrix; padding has none.
    pub(crate) columns: Vec<Option<u32>>,
    /// The classes that occur.
    pub(crate) classes: Vec<u32>,
}

impl Bits {
    /// The number of children's numbers.
    pub(crate) fn n_children(&self) -> usize {
        let n_multiway = self.spans.len() - self.n_binary;
        self.stride + self.first_multiway() + n_multiway.next_multiple_of(LANES)
    }

    /// Where the columns of features with more than two categories begin.
    pub(crate) fn first_multiway(&self) -> usize {
        self.n_binary.next_multiple_of(LANES)
    }

    pub(crate) fn has_multiway(&self) -> bool {
        self.n_binary < self.spans.len()
    }

    /// The children of an action, by number.
    #[inline(always)]
    pub(crate) fn children_of(&self, action: usize) -> impl Iterator<Item = usize> + Clone + use<> {
        self.spans[action].children()
    }

    /// The columns of which a child is the union or, if the second is true, the rest.
    pub(crate) fn columns_of(&self, child: usize) -> (Range<usize>, bool) {
        match child < self.stride {
            true => (child..child + 1, false),
            false => (self.spans[self.action_of_rest(child)].columns(), true),
        }
    }

    /// The action whose rest a child is.
    pub(crate) fn action_of_rest(&self, child: usize) -> usize {
        let (place, n_binary) = (child - self.stride, self.n_binary);
        if place < n_binary { place } else { place - self.first_multiway() + n_binary }
    }

    /// Number the rests, once the number of columns is known.
    #[inline(always)]
    pub(super) fn number_rests(&mut self) {
        let (n_binary, first_multiway, stride) =
            (self.n_binary, self.first_multiway(), self.stride);
        for (i, span) in self.spans.iter_mut().enumerate() {
            let place = if i < n_binary { i } else { first_multiway + i - n_binary };
            span.rest = stride + place;
        }
    }

    /// The number of words of one column.
    pub(crate) fn n_words(&self) -> usize {
        self.groups.iter().map(|group| group.n_words).sum()
    }
}
