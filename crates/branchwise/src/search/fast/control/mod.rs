//! Control: which branch is searched next, how far, by whom, and what becomes of the best tree.
//!
//! * A [`Worker`] has a stack of branches and takes one `step` after the other: choose an action and a
//!   child, visit it with a budget, remember what was found. `patience` tells how long the root stays with
//!   one action.
//! * `dive` finds the first trees, `improve` better ones while the proof goes on, `incumbent` reads the best
//!   one off the memo, and `extract` builds the answer.
//! * [`Shared`] is what the workers of one search have in common.

mod dive;
mod effort;
mod extract;
mod improve;
mod incumbent;
mod patience;
mod shared;
mod step;
mod worker;

#[cfg(test)]
pub(crate) use effort::Effort;
pub(crate) use shared::{Incumbent, Shared};
pub(crate) use worker::{Search, Tuning, Worker};
