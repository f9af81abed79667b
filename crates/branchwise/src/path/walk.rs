//! Computes the path: which trees are optimal, and at which λ one replaces another.
//!
//! # Theory
//! The objective of a tree is a linear function of λ: its value at λ = 0 is the accuracy, and its slope is
//! the negative price of the tree. The best objective is the maximum of these functions, hence piecewise
//! linear and convex, and the path consists of the trees whose lines form this upper envelope. Two trees
//! are found first, by searches for the smallest λ and for λ = 1. Then, wherever two neighbours in the
//! envelope of all known trees cross, a search either finds a better tree or proves that there is none. A
//! better tree changes the envelope. When every crossing is proven, the envelope is complete: a convex
//! function that is nowhere below a line and equals it at both ends of a piece equals it in between.
//!
//! An envelope of n trees takes n proofs, and each search reuses what the searches for the nearest λ on
//! either side have learnt. Finally each tree is searched for once more inside its own interval: the
//! results from both ends prove it almost without a search, and the tree is the one that a single fit
//! finds.

use crate::decimal::Fraction;
use crate::error::Result;
use crate::limits::{StopReason, Watch};
use crate::objective::{Price, Score};
use crate::search::{
    self, Bounds, Counters, Journal, Observer, Past, Pasts, Policy, Prepared, Start, Task,
};
use crate::solve::Ground;
use crate::tree::Tree;
use std::cmp::Ordering;

/// What is searched, again and again.
pub(super) struct Walk<'a> {
    pub(super) ground: &'a Ground,
    pub(super) prepared: Prepared,
    pub(super) price: Price,
    pub(super) bounds: Bounds,
    pub(super) watch: &'a Watch,
    pub(super) observer: &'a mut dyn Observer,
    pub(super) searches: Vec<Search>,
    pub(super) stopped: Option<StopReason>,
}

/// One of the searches.
pub(super) struct Search {
    pub(super) penalty: Fraction,
    /// No tree has a larger objective for this λ.
    pub(super) upper_bound: f64,
    pub(super) counters: Counters,
    /// What it has learnt, as long as there is room for it.
    past: Option<Past>,
}

/// A tree, and what it achieves.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) tree: Tree,
    pub(super) score: Score,
    policy: Policy,
}

/// A tree of the chain, and the λ down to which it is best.
pub(super) struct Step {
    pub(super) found: Found,
    pub(super) from: Fraction,
    /// Whether it is proven that no other tree comes between this one and the next.
    pub(super) proven: bool,
}

/// The λ for which no split is worth anything.
pub(super) const ONE: Fraction = Fraction { numerator: 1, denominator: 1 };

/// The most searches on either side that another one hears of.
const MOST_PASTS: usize = 8;

/// The most bytes of what earlier searches have learnt, where memory is not limited; otherwise it is a
/// quarter of the limit.
const MOST_BYTES: usize = 1 << 29;

impl Walk<'_> {
    /// The chain from λ = 1 down to `floor`: every step but the last ends where the next begins.
    pub(super) fn run(&mut self, floor: Fraction) -> Result<Vec<Step>> {
        let mut trees = vec![self.search(ONE, None)?, self.search(floor, None)?];
        let mut proven = vec![floor];
        loop {
            let chain = self.chain(&trees, floor);
            let open = chain.iter().find(|(_, from)| !proven.contains(from));
            let Some(&(above, penalty)) = open.filter(|_| self.stopped.is_none()) else {
                let step = |(place, from): (usize, Fraction)| {
                    let proven =
                        proven.contains(&from) && (self.stopped.is_none() || from != floor);
                    Step { found: trees[place].clone(), from, proven }
                };
                return Ok(chain.into_iter().map(step).collect());
            };
            let start = Start { policy: &trees[above].policy, until_better: true };
            let found = self.search(penalty, Some(start))?;
            let objective = self.ground.objective_at(penalty, self.price)?;
            let worth = |score: Score| objective.value(Score { splits: 0, ..score });
            if worth(found.score) > worth(trees[above].score) {
                trees.push(found);
            } else if self.stopped.is_none() {
                proven.push(penalty);
            }
        }
    }

    /// Search inside the piece of a step for the tree that a single fit finds for this λ.
    pub(super) fn settle(&mut self, step: &mut Step, penalty: Fraction) -> Result<()> {
        if self.stopped.is_none() {
            let start = Start { policy: &step.found.policy, until_better: false };
            let settled = self.search(penalty, Some(start))?;
            if self.stopped.is_none() {
                let line = |score: Score| (score.correct, score.paid);
                debug_assert_eq!(line(settled.score), line(step.found.score));
                step.found = settled;
            }
        }
        Ok(())
    }

    /// The best tree for a λ, or one that is better than that to start from.
    fn search(&mut self, penalty: Fraction, start: Option<Start>) -> Result<Found> {
        let objective = self.ground.objective_at(penalty, self.price)?;
        let task = Task { start, ..self.ground.task(&objective, self.bounds) };
        let pasts = self.nearest(penalty);
        let mut journal = Journal::new(&objective, self.observer);
        let (outcome, past) =
            search::run_knowing(&self.prepared, task, self.watch, &mut journal, pasts);
        self.stopped = self.stopped.or(outcome.stopped);
        let upper_bound = objective.bound(outcome.upper);
        self.keep(Search { penalty, upper_bound, counters: outcome.counters, past });
        let tree = self.ground.weighting.tree(&outcome.policy);
        let score = tree.score(objective.price());
        Ok(Found { tree, score, policy: outcome.policy })
    }

    /// What the searches with the nearest λ on either side have learnt; of several with the same λ the
    /// last one comes first.
    fn nearest(&self, penalty: Fraction) -> Pasts {
        let mut kept: Vec<&Search> =
            self.searches.iter().rev().filter(|s| s.past.is_some()).collect();
        kept.sort_by(|a, b| a.penalty.compare(b.penalty));
        let (larger, smaller): (Vec<&Search>, Vec<&Search>) =
            kept.into_iter().partition(|search| search.penalty.exceeds(penalty));
        let pasts = |searches: &mut dyn Iterator<Item = &Search>| {
            searches.filter_map(|search| search.past.clone()).take(MOST_PASTS).collect()
        };
        Pasts {
            smaller: pasts(&mut smaller.into_iter().rev()),
            larger: pasts(&mut larger.into_iter()),
        }
    }

    /// Keep what was learnt, and forget the largest of it while there is too much.
    fn keep(&mut self, search: Search) {
        self.searches.push(search);
        let bytes = |search: &Search| search.past.as_ref().map_or(0, Past::bytes);
        let most = self.watch.memory_limit().map_or(MOST_BYTES, |limit| (limit / 4) as usize);
        while self.searches.iter().map(bytes).sum::<usize>() > most.min(MOST_BYTES) {
            if let Some(largest) = self.searches.iter_mut().max_by_key(|search| bytes(search)) {
                largest.past = None;
            }
        }
    }

    /// The trees that are best of those known, from λ = 1 down, each with the λ where the next one takes
    /// over; the last with `floor`.
    fn chain(&self, trees: &[Found], floor: Fraction) -> Vec<(usize, Fraction)> {
        let mut order: Vec<usize> = (0..trees.len()).collect();
        let key = |&place: &usize| {
            (trees[place].score.paid, std::cmp::Reverse(trees[place].score.correct))
        };
        order.sort_by_key(key);
        let crossing = |a: usize, b: usize| {
            crossing(self.ground.weighting.whole().worth, trees[a].score, trees[b].score)
        };
        let mut chain: Vec<(usize, Fraction)> = Vec::new();
        for place in order {
            // Where it crosses the last one of the chain; earlier than that one begins, that one is out.
            let mut at = None;
            while let Some(&(last, _)) = chain.last() {
                at = crossing(last, place);
                let begins = chain.len().checked_sub(2).map_or(ONE, |before| chain[before].1);
                if at.is_some_and(|at| at.compare(begins) != Ordering::Less) && chain.len() > 1 {
                    chain.pop();
                } else {
                    break;
                }
            }
            match (chain.last_mut(), at) {
                (None, _) => chain.push((place, floor)),
                (Some(last), Some(at)) if at.exceeds(floor) => {
                    last.1 = at;
                    chain.push((place, floor));
                }
                _ => {}
            }
        }
        chain
    }
}

/// The λ at which a tree that gets less right for less is worth as much as one that gets more; none if
/// there is no such λ.
fn crossing(worth: u64, above: Score, below: Score) -> Option<Fraction> {
    let right = u128::from(below.correct.checked_sub(above.correct)?);
    let paid = u128::from(below.paid.checked_sub(above.paid)?) * u128::from(worth);
    if right == 0 || paid == 0 {
        return None;
    }
    Fraction::reduced(right, paid).narrow()
}
