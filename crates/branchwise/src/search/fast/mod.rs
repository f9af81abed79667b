//! The engine `fast`: depth-first search with budgets, over row sets, with bounds two steps deep.
//!
//! Where [`paper`](super::paper) keeps the whole graph and always works on its best leaf, this engine
//! keeps one path and a memo. It minimises *cost*, what a tree loses against getting everything right
//! for nothing; a branch has a lower and an upper bound on its least cost, and is solved when they meet.
//! A visit comes with a *budget*: it ends when the branch is solved, or when it is clear that no tree
//! there costs so little.
//!
//! In the order of a visit:
//! 1. [`memo`]: is this set of rows known? Two branches with the same rows have the same best trees.
//! 2. [`expand`]: bits from [`matrix`], counts by [`kernel`] from [`look_ahead`] and [`multiway`].
//! 3. [`similar`]: bounds carried over from the parent's children, and between siblings.
//! 4. [`control`]: which action, which child, which budget; and back.
//!
//! [`dive`] finds the first trees, [`extract`] reads the answer off the memo.
//!
//! What was tried and did not pay is noted where it would have stood.

mod bits;
mod control;
mod dive;
mod expand;
mod extract;
mod frame;
mod kernel;
mod look_ahead;
mod matrix;
mod memo;
mod multiway;
mod similar;
mod weight;

use super::{Journal, Outcome, Task, Watch};
use control::Search;
use matrix::Matrix;

/// Search until the root is solved or a limit is reached.
pub(super) fn run(task: Task, watch: &Watch, journal: &mut Journal) -> Outcome {
    let matrix = Matrix::new(task.problem);
    if task.problem.total_weight() <= u64::from(u32::MAX) {
        Search::<u32>::new(task, &matrix, watch).run(journal)
    } else {
        Search::<u64>::new(task, &matrix, watch).run(journal)
    }
}
