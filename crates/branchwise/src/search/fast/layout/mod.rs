//! Layout: how the table and a branch's rows lie in memory, so that counting them is fast.
//!
//! * [`Matrix`] is the whole table, row by row: for each unit (a distinct row of one class, or a part of
//!   its weight) the bits of its columns. A [`Question`](matrix::Question) is what a split asks; it owns some columns.
//! * [`Bits`] is one branch, column by column: the same bits, transposed by a [`Gatherer`], without the
//!   questions that are constant there. Each child of each question has a number.
//! * [`Weight`] and the functions of `lanes` make loops over sixteen columns at a time; [`Kernel`] runs them with the best
//!   instructions that the processor has.
//!
//! # What the rest of the engine may know of a question
//! In a branch, an *action* asks one question. Control speaks of actions and of their children by number
//! ([`Bits::children_of`]), and of the question behind an action only to name it in the answer or to divide
//! units by it ([`Matrix::parts`]). Which columns stand for which child is known here, and to the loops in
//! `bounding` that count.

mod bits;
mod gather;
mod kernel;
mod lanes;
mod matrix;
mod transpose;
mod weight;

pub(crate) use bits::{Bits, LANES, Span, WordGroup};
pub(crate) use gather::Gatherer;
pub(crate) use kernel::Kernel;
pub(crate) use lanes::{Lanes, each, lanes, lanes_mut, minus, plus, reset};
pub(crate) use matrix::Matrix;
#[cfg(any(test, feature = "bench"))]
pub(crate) use matrix::random;
#[cfg(feature = "bench")]
pub(crate) use transpose::transpose;
pub(crate) use weight::Weight;
