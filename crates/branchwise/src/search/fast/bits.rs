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

/// Columns handled at a time.
pub(super) const LANES: usize = 16;

/// A feature's columns among those of the branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) first: usize,
    pub(super) n: usize,
    /// The number of its rest.
    pub(super) rest: usize,
}

impl Span {
    pub(super) fn columns(self) -> std::ops::Range<usize> {
        self.first..self.first + self.n
    }

    /// Its children, by number.
    pub(super) fn children(self) -> impl Iterator<Item = usize> + Clone + use<> {
        self.columns().chain([self.rest])
    }
}

/// Units of one class and one weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordGroup {
    /// The class, numbered among those that occur.
    pub(super) class: usize,
    /// The weight of a unit.
    pub(super) worth: u64,
    pub(super) n_words: usize,
    pub(super) n_units: usize,
    /// Whether its units err in every tree.
    pub(super) errs: bool,
}

/// The bits of a branch.
#[derive(Debug, Default)]
pub(super) struct Bits {
    /// Word w of column b stands at w · stride + b.
    pub(super) words: Vec<u64>,
    pub(super) stride: usize,
    /// In order of class; the words of each follow each other.
    pub(super) groups: Vec<WordGroup>,
    pub(super) n_classes: usize,
    pub(super) spans: Vec<Span>,
    /// The number of leading features with one column.
    pub(super) n_binary: usize,
}

impl Bits {
    /// The number of children's numbers.
    pub(super) fn n_children(&self) -> usize {
        let n_multiway = self.spans.len() - self.n_binary;
        self.stride + self.first_multiway() + n_multiway.next_multiple_of(LANES)
    }

    /// Where the columns of features with more than two categories begin.
    pub(super) fn first_multiway(&self) -> usize {
        self.n_binary.next_multiple_of(LANES)
    }

    pub(super) fn has_multiway(&self) -> bool {
        self.n_binary < self.spans.len()
    }
}
