//! The engine `fast`: depth-first search with budgets, over row sets, with bounds two steps deep.
//!
//! Where [`paper`](super::paper) keeps the whole graph and always works on its best leaf, this engine
//! keeps one path and a memo. It minimises *cost*, what a tree loses against getting everything right
//! for nothing; a branch has a lower and an upper bound on its least cost, and is solved when they meet.
//! A visit comes with a *budget*: it ends when the branch is solved, or when it is clear that no tree
//! there costs so little.
//!
//! In the order of a visit:
//! 1. [`memo`], in its [`table`]: is this set of rows known? Two branches with the same rows have the same
//!    best trees.
//! 2. [`expand`]: bits from [`matrix`], counts by [`kernel`] from [`look_ahead`] and [`multiway`].
//! 3. [`similar`]: bounds carried over from the parent's children, and between siblings.
//! 4. [`control`]: which action, which child, which budget; and back. Where leaves or splits are limited,
//!    also which room: [`left`] and [`share`].
//!
//! [`dive`] finds the first trees, [`incumbent`] keeps the best one, and [`extract`] builds the answer.
//! A [`worker`] does all this; several of them share a memo and little else ([`shared`]).
//!
//! What was tried and did not pay is noted where it would have stood, with counts of single trials; DESIGN.md
//! tells how such a trial is repeated.

mod apart;
#[cfg(feature = "bench")]
pub mod bench;
mod bits;
mod carry;
mod children;
mod control;
mod dive;
mod expand;
mod extract;
mod frame;
mod improve;
mod incumbent;
mod kernel;
mod keys;
mod left;
mod look_ahead;
mod matrix;
mod memo;
mod multiway;
mod patience;
mod promising;
mod share;
mod shared;
mod similar;
mod table;
mod weight;
mod worker;

use super::{Counters, Journal, Outcome, Task, first_tree};
use crate::limits::Watch;
use crate::objective::Price;
use carry::Carry;
pub(crate) use carry::{Past, Pasts};
use improve::Effort;
pub(crate) use matrix::Matrix;
use memo::Memo;
use shared::{Incumbent, Shared};
use std::panic::resume_unwind;
use weight::Weight;
use worker::Worker;

/// Search until the root is solved or a limit is reached, knowing what searches of the same problem
/// with other λ have learnt, if there were any.
pub(super) fn run(
    task: Task,
    matrix: &Matrix,
    watch: &Watch,
    journal: &mut Journal,
    pasts: Pasts,
) -> (Outcome, Past) {
    if task.problem.total_weight() <= u64::from(u16::MAX) {
        run_with::<u16>((task, matrix), watch, journal, Tuning::default(), pasts)
    } else if task.problem.total_weight() <= u64::from(u32::MAX) {
        run_with::<u32>((task, matrix), watch, journal, Tuning::default(), pasts)
    } else {
        run_with::<u64>((task, matrix), watch, journal, Tuning::default(), pasts)
    }
}

/// What large tables need and small ones never reach: tests turn it down.
#[derive(Clone, Copy, Debug)]
struct Tuning {
    /// When better trees are looked for, and how hard.
    effort: Effort,
    /// Pair counts of more words than this are not worth their time: the branch's children get the
    /// purification bound, and only the most promising are looked at further, with half as many.
    most_pair_words: usize,
}

impl Default for Tuning {
    fn default() -> Self {
        Tuning { effort: Effort::default(), most_pair_words: 1 << 29 }
    }
}

/// The same, with weights of a type.
fn run_with<T: Weight>(
    (task, matrix): (Task, &Matrix),
    watch: &Watch,
    journal: &mut Journal,
    tuning: Tuning,
    pasts: Pasts,
) -> (Outcome, Past) {
    let fixed_bytes = task.problem.bytes() + matrix.bytes() + pasts.bytes();
    let memo = Memo::new(watch.memo_limit(fixed_bytes).unwrap_or(MOST_MEMO));
    let pays_by_split = task.objective.price() == Price::Split;
    let memo = memo.carrying(Carry::new(pasts, task.objective.scale(), pays_by_split));
    let n_workers = watch.threads();
    let shared = Shared::new(n_workers + 1, memo, fixed_bytes, begin(task));
    let worker = |number| Worker::<T>::new(number, (task, matrix), (watch, tuning), &shared);
    let (mut leader, mut improver) = (worker(0), worker(n_workers));
    let of_helpers = std::thread::scope(|scope| {
        // A system that has no more threads to give is asked for no more.
        let start = |number| {
            std::thread::Builder::new().spawn_scoped(scope, move || worker(number).help()).ok()
        };
        let helpers: Vec<_> = (1..n_workers).map_while(start).collect();
        leader.count_threads(1 + helpers.len());
        leader.lead(&mut improver, journal);
        let counters = helpers
            .into_iter()
            .map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        counters.fold(improver.counters(), Counters::plus)
    });
    let outcome = leader.outcome(of_helpers);
    (outcome, Past::new(&shared.memo, task.objective.scale()))
}

/// The tree to begin with.
fn begin(task: Task) -> Incumbent {
    let all = task.objective.correct(task.problem.total_weight());
    let (policy, value) = first_tree(task).unwrap_or_default();
    Incumbent { cost: (all - value).units(), policy }
}

/// The memo's size where no limit is given.
const MOST_MEMO: usize = 2 << 30;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Builtin;
    use crate::decimal::Decimal;
    use crate::encode::{Encoding, Offer, encode};
    use crate::objective::Objective;
    use crate::search::{Bounds, Constraints};

    /// Better trees looked for at every step, and hardly a pair counted: the answer is the same.
    #[test]
    fn what_large_tables_need_changes_no_answer() {
        let penalty = Decimal::from("0.01").fraction().unwrap();
        for (table, encoding) in [
            (Builtin::Monk1, Encoding::OneHot),
            (Builtin::Monk3, Encoding::OneHot),
            (Builtin::Monk1, Encoding::Multiway),
        ] {
            let offer = Offer { encoding, ..Offer::default() };
            let endless = Watch::endless();
            let dataset = table.dataset().unwrap();
            let encoded = encode(&dataset, &offer, &mut endless.pulse(), &mut |_| {}).unwrap();
            let problem = encoded.problem;
            let objective =
                Objective::new(penalty, Price::Split, problem.total_weight(), problem.n_units())
                    .unwrap();
            let constraints = Constraints::default();
            let task = Task {
                problem: &problem,
                objective: &objective,
                constraints: &constraints,
                bounds: Bounds::default(),
                start: None,
            };
            let matrix = Matrix::new(&problem, &mut endless.pulse()).unwrap();
            let found = |tuning| {
                let watch = Watch::endless();
                let mut nobody = ();
                let mut journal = Journal::new(&objective, &mut nobody);
                let (outcome, _) = run_with::<u32>(
                    (task, &matrix),
                    &watch,
                    &mut journal,
                    tuning,
                    Pasts::default(),
                );
                (outcome.upper, outcome.stopped)
            };
            let expected = found(Tuning::default());
            let mut eager = Effort::default();
            eager.due = 0;
            for most_pair_words in [0, 1 << 10, 1 << 14, 1 << 29] {
                assert_eq!(found(Tuning { effort: eager, most_pair_words }), expected);
            }
        }
    }
}
