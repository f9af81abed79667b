//! From the largest λ to the smallest: which trees are best, and where one takes over from another.
//!
//! # Theory
//! A tree's objective falls with λ along a straight line: accuracy at λ = 0, and its price as slope. The
//! best objective is the largest of all lines, a chain of straight pieces, and the trees sought are those
//! whose lines make up the chain. Two of them are known: the best tree for the smallest λ and the one for
//! λ = 1. Their lines cross somewhere. Search there: either no tree is better than the two, and then this
//! is where one takes over from the other; or one is, and its line belongs to the chain. Then there are
//! two crossings to look at. So a chain of n trees takes 2 n − 1 searches, and each of them knows
//! what those on either side of it have learnt.

use crate::decimal::{Fraction, gcd};
use crate::error::Result;
use crate::objective::{Objective, Score};
use crate::problem::Problem;
use crate::search::{
    self, Bounds, Constraints, Counters, Engine, Journal, Observer, Past, Policy, StopReason, Task,
    Watch,
};
use crate::tree::{self, Tree};

/// What is searched, again and again.
pub(super) struct Walk<'a> {
    pub(super) problem: &'a Problem,
    pub(super) engine: Engine,
    pub(super) constraints: &'a Constraints,
    pub(super) bounds: Bounds,
    pub(super) watch: &'a Watch,
    pub(super) observer: &'a mut dyn Observer,
    /// The objective for a λ.
    pub(super) objective: &'a dyn Fn(Fraction) -> Result<Objective>,
    pub(super) searches: Vec<Search>,
    pub(super) stopped: Option<StopReason>,
}

/// One of the searches.
pub(super) struct Search {
    pub(super) penalty: Fraction,
    /// No tree has a larger objective for this λ.
    pub(super) upper_bound: f64,
    pub(super) counters: Counters,
}

/// A tree that is best for some λ, and what its search has learnt.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) tree: Tree,
    pub(super) score: Score,
    policy: Policy,
    past: Option<Past>,
    /// The λ for which it was found, if it is proven to be best there.
    proven_for: Option<Fraction>,
}

/// A tree of the chain, and the λ from which on the next one is better.
pub(super) struct Step {
    pub(super) found: Found,
    pub(super) until: Fraction,
    /// Whether it is proven that no other tree comes between this one and the next.
    pub(super) proven: bool,
}

impl Walk<'_> {
    /// The chain from λ = 1 down to `floor`: every step but the last ends where the next begins.
    pub(super) fn run(&mut self, floor: Fraction) -> Result<Vec<Step>> {
        let one = Fraction { numerator: 1, denominator: 1 };
        let above = self.search(one, None, [None, None])?;
        let below = self.search(floor, None, [None, above.past.clone()])?;
        let mut steps = Vec::new();
        self.between(&above, &below, &mut steps)?;
        let proven = below.proven_for.is_some();
        steps.push(Step { found: below, until: floor, proven });
        Ok(steps)
    }

    /// Add the steps from a tree down to before another one.
    fn between(&mut self, above: &Found, below: &Found, steps: &mut Vec<Step>) -> Result<()> {
        let Some(penalty) = crossing(self.problem.total_weight(), above.score, below.score) else {
            return Ok(());
        };
        // The tree below may tie with the one above already where that one was found.
        if above.proven_for == Some(penalty) {
            steps.push(Step { found: above.clone(), until: penalty, proven: true });
            return Ok(());
        }
        let pasts = [below.past.clone(), above.past.clone()];
        let found = self.search(penalty, Some(&below.policy), pasts)?;
        let objective = (self.objective)(penalty)?;
        let worth = |found: &Found| objective.value(Score { splits: 0, ..found.score });
        if worth(&found) > worth(above) {
            self.between(above, &found, steps)?;
            return self.between(&found, below, steps);
        }
        let proven = found.proven_for.is_some();
        steps.push(Step { found: above.clone(), until: penalty, proven });
        Ok(())
    }

    /// The best tree for a λ.
    fn search(
        &mut self,
        penalty: Fraction,
        start: Option<&Policy>,
        pasts: [Option<Past>; 2],
    ) -> Result<Found> {
        let objective = (self.objective)(penalty)?;
        let task = Task {
            problem: self.problem,
            objective: &objective,
            constraints: self.constraints,
            bounds: self.bounds,
            start,
        };
        let mut journal = Journal::new(&objective, self.observer);
        let (outcome, past) =
            search::run_knowing(self.engine, task, self.watch, &mut journal, pasts);
        self.stopped = self.stopped.or(outcome.stopped);
        let tree = tree::extract(&outcome.policy, self.problem);
        let score = tree.score(objective.price());
        let upper_bound = match outcome.stopped {
            None => objective.of(score),
            Some(_) => objective.bound(outcome.upper),
        };
        self.searches.push(Search { penalty, upper_bound, counters: outcome.counters });
        let proven_for = outcome.stopped.is_none().then_some(penalty);
        Ok(Found { tree, score, policy: outcome.policy, past, proven_for })
    }
}

/// The λ at which a tree that gets less right for less is worth as much as one that gets more; none if
/// there is no such λ.
fn crossing(total_weight: u64, above: Score, below: Score) -> Option<Fraction> {
    let right = u128::from(below.correct.checked_sub(above.correct)?);
    let paid = u128::from(below.paid.checked_sub(above.paid)?) * u128::from(total_weight);
    let common = gcd(right, paid);
    if right == 0 || paid == 0 {
        return None;
    }
    let numerator = u64::try_from(right / common).ok()?;
    Some(Fraction { numerator, denominator: u64::try_from(paid / common).ok()? })
}
