//! The engine `fast`: depth-first search with budgets, over row sets, with bounds two steps deep.
//!
//! Where [`paper`](super::paper) keeps the whole graph and always works on its best leaf, this engine
//! keeps one path and a memo. It minimises *cost*, what a tree loses against getting everything right
//! for nothing; a branch has a lower and an upper bound on its least cost, and is solved when they meet.
//! A visit comes with a *budget*: it ends when the branch is solved, or when it is clear that no tree
//! there costs so little.
//!
//! The folders, each of which names only those before it:
//! 1. [`layout`]: how the table and a branch's rows lie in memory, so that counting them is fast.
//! 2. [`memo`]: what is known of row sets. Two branches with the same rows have the same best trees.
//! 3. [`branch`]: a branch on the stack, with its children and actions.
//! 4. [`bounding`]: from a branch's rows to the bounds of its children.
//! 5. [`control`]: which action, which child, which budget, and back; good trees early; the answer.
//!
//! The loop is `prove`, below. What was tried and did not pay is noted where it would have stood, with
//! counts of single trials; DESIGN.md tells how such a trial is repeated.

#[cfg(feature = "bench")]
pub mod bench;
mod bounding;
mod branch;
mod control;
mod layout;
mod memo;

use super::{Counters, Journal, Outcome, Task, first_tree};
use crate::limits::{StopReason, Watch};
use crate::objective::Price;
#[cfg(test)]
use control::Effort;
use control::{Incumbent, Search, Shared, Tuning, Worker};
pub(crate) use layout::Matrix;
use layout::Weight;
use memo::{Carry, Memo};
pub(crate) use memo::{Past, Pasts};
use std::panic::resume_unwind;

/// Prove the root's best tree, or stop at a limit: the search of the worker that leads.
fn prove<T: Weight>(
    worker: &mut Worker<T>,
    improver: &mut Worker<T>,
    journal: &mut Journal,
) -> Result<(), StopReason> {
    worker.begin()?;
    worker.dive_from_root(journal)?;
    while worker.is_searching() {
        // Choose an action and a child and visit it, or return to the parent.
        worker.step()?;
        // Leave branches that other workers have closed.
        worker.look_around()?;
        // At the root: exchange bounds with the others, keep a better tree.
        worker.meet()?;
        improver.improve(worker.work())?;
        worker.note_progress(journal);
        worker.poll()?;
    }
    Ok(())
}

/// The search of a worker beside the one that leads.
fn prove_beside<T: Weight>(worker: &mut Worker<T>) -> Result<(), StopReason> {
    worker.begin_beside()?;
    while worker.is_searching() {
        worker.step()?;
        worker.look_around()?;
        worker.meet()?;
        worker.poll()?;
    }
    Ok(())
}

/// Search until the root is solved or a limit is reached, knowing what searches of the same problem
/// with other λ have learnt, if there were any.
pub(super) fn run(
    task: Task,
    matrix: &Matrix,
    watch: &Watch,
    journal: &mut Journal,
    pasts: Pasts,
) -> (Outcome, Past) {
    let search = Search { task, matrix, watch, tuning: Tuning::default() };
    if task.problem.total_weight() <= u64::from(u16::MAX) {
        run_with::<u16>(search, journal, pasts)
    } else if task.problem.total_weight() <= u64::from(u32::MAX) {
        run_with::<u32>(search, journal, pasts)
    } else {
        run_with::<u64>(search, journal, pasts)
    }
}

/// The same, with weights of a type.
fn run_with<T: Weight>(search: Search, journal: &mut Journal, pasts: Pasts) -> (Outcome, Past) {
    let Search { task, matrix, watch, .. } = search;
    let fixed_bytes = task.problem.bytes() + matrix.bytes() + pasts.bytes();
    let memo = Memo::new(watch.memo_limit(fixed_bytes).unwrap_or(MOST_MEMO));
    let pays_by_split = task.objective.price() == Price::Split;
    let memo = memo.carrying(Carry::new(pasts, task.objective.prices(), pays_by_split));
    let n_workers = watch.threads();
    let shared = Shared::new(n_workers + 1, memo, fixed_bytes, begin(task));
    let worker = |number| Worker::<T>::new(number, search, &shared);
    let (mut leader, mut improver) = (worker(0), worker(n_workers));
    let of_helpers = std::thread::scope(|scope| {
        // A system that has no more threads to give is asked for no more.
        let start = |number| {
            let assist = move || {
                let mut helper = worker(number);
                let searched = prove_beside(&mut helper);
                helper.end(searched);
                helper.answer();
                helper.counters()
            };
            std::thread::Builder::new().spawn_scoped(scope, assist).ok()
        };
        let helpers: Vec<_> = (1..n_workers).map_while(start).collect();
        leader.count_threads(1 + helpers.len());
        let searched = prove(&mut leader, &mut improver, journal);
        leader.end(searched);
        leader.answer();
        let counters = helpers
            .into_iter()
            .map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        counters.fold(improver.counters(), Counters::plus)
    });
    let outcome = leader.outcome(of_helpers);
    (outcome, shared.memo().past(task.objective.prices()))
}

/// The tree to begin with.
fn begin(task: Task) -> Incumbent {
    let all = task.objective.correct(task.problem.total_weight());
    let (policy, value) = first_tree(task).unwrap_or_default();
    Incumbent { cost: (all - value).get(), policy }
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
                let search = Search { task, matrix: &matrix, watch: &watch, tuning };
                let (outcome, _) = run_with::<u32>(search, &mut journal, Pasts::default());
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
