//! The regularization path: every tree that is optimal for some λ, and the exact interval of λ for each.
//!
//! The right λ is a matter of judgement and hard to know in advance. The path contains all candidates:
//! each of its trees, from one leaf to the largest tree that is worth having, is optimal for all λ in some
//! interval, and every tree that is optimal for any λ ties with one of them. So users can look at a
//! handful of trees instead of guessing a number, or let [`Solver::cross_validate`] choose one.

mod plot;
mod validate;
mod walk;

pub use plot::PathPlot;
pub use validate::{CrossValidation, HeldOut};

use crate::data::Dataset;
use crate::decimal::{Decimal, Fraction};
use crate::error::Result;
use crate::format::plural;
use crate::limits::{StopReason, Watch};
use crate::memory;
use crate::model::Candidate;
use crate::report::Status;
use crate::search::{Counters, Observer, Prepared};
use crate::settings::Settings;
use crate::solve::{Assessed, Solution, Solver, achieved};
use walk::{Search, Step, Walk};

/// Every tree that is optimal for some λ, from the largest λ to the smallest.
#[derive(Clone, Debug)]
pub struct RegularizationPath {
    /// The trees, from one leaf on, each larger and more accurate than the one before.
    pub points: Vec<PathPoint>,
    /// How many searches it took.
    pub n_searches: usize,
    /// What they did together.
    pub counters: Counters,
    /// What ended the walk before all was proven, if anything did.
    pub stopped: Option<StopReason>,
    /// Seconds that encoding and searches took.
    pub seconds: f64,
}

impl RegularizationPath {
    /// What is proven of the trees, in one sentence.
    pub fn verdict(&self) -> String {
        let trees = plural(self.points.len() as u64, "tree", "trees");
        match self.stopped {
            None => format!("These {trees}, and no others, are optimal for some λ: proven."),
            Some(reason) => format!("{trees} found; stopped ({reason}) before all was proven."),
        }
    }
}

/// A tree of the path. It is optimal for every λ with `from` ≤ λ ≤ `until`; at either end it ties with
/// its neighbour on the path.
#[derive(Clone, Debug)]
pub struct PathPoint {
    /// The smallest λ for which the tree is optimal, or the smallest λ of the path.
    pub from: Fraction,
    /// The largest λ for which the tree is optimal; above it the previous tree of the path is.
    pub until: Fraction,
    /// The tree. Its model is set for the simplest λ of the interval, and so are its figures.
    pub solution: Solution,
}

impl Solver {
    /// Every tree that is optimal for some λ from [`Solver::split_penalty`] to 1.
    ///
    /// ```
    /// use branchwise::{Builtin, Encoding, Solver};
    /// let solver = Solver::new().split_penalty(0.01).encoding(Encoding::OneHot);
    /// let path = solver.path(&Builtin::Monk1.dataset()?)?;
    /// let splits: Vec<u64> = path.points.iter().map(|point| point.solution.report.splits()).collect();
    /// assert_eq!(splits, [0, 1, 6]);
    /// # Ok::<(), branchwise::Error>(())
    /// ```
    pub fn path(&self, dataset: &Dataset) -> Result<RegularizationPath> {
        self.path_observed(dataset, &mut ())
    }

    /// The same, with an observer of its progress.
    pub fn path_observed(
        &self,
        dataset: &Dataset,
        observer: &mut dyn Observer,
    ) -> Result<RegularizationPath> {
        self.path_within(dataset, &self.watch(), observer)
    }

    /// The same, as part of a piece of work that has begun.
    fn path_within(
        &self,
        dataset: &Dataset,
        watch: &Watch,
        observer: &mut dyn Observer,
    ) -> Result<RegularizationPath> {
        self.check()?;
        let Settings { goal, engine, .. } = self.settings();
        let floor = goal.penalty()?;
        let start = watch.elapsed();
        let ground = self.ground(dataset, watch, observer)?;
        let mut walk = Walk {
            ground: &ground,
            prepared: Prepared::new(engine.resolve(), ground.weighting.searched(), watch),
            price: goal.price,
            bounds: self.bounds_used(),
            watch,
            observer,
            searches: Vec::new(),
            stopped: ground.stopped,
        };
        let mut steps = walk.run(floor)?;
        let mut penalties = Vec::with_capacity(steps.len());
        let mut until = walk::ONE;
        for step in &mut steps {
            let penalty = simplest_between(step.from, until);
            walk.settle(step, penalty.fraction()?)?;
            penalties.push(penalty);
            until = step.from;
        }
        let Walk { searches, stopped, .. } = walk;
        let counters = searches.iter().map(|search| search.counters);
        let mut counters = counters.reduce(Counters::plus).unwrap_or_default();
        counters.peak_bytes = memory::peak().map_or(counters.peak_bytes, |bytes| bytes as u64);
        let seconds = (watch.elapsed() - start).as_secs_f64();

        let mut until = walk::ONE;
        let mut points = Vec::with_capacity(steps.len());
        let mut proven_above = true;
        for (Step { found, from, proven, .. }, penalty) in steps.into_iter().zip(penalties) {
            let at = ground.objective_at(penalty.fraction()?, goal.price)?;
            let mut report = achieved(ground.weighting.searched(), &at, &found.tree);
            let status = match stopped {
                Some(reason) if !(proven && proven_above) => {
                    report.upper_bound = bound_at(&searches, at.penalty()).max(report.objective);
                    Status::Stopped(reason)
                }
                _ => Status::Optimal,
            };
            proven_above = proven;
            (report.counters, report.seconds) = (counters, seconds);
            let solver = self.clone().split_penalty(penalty);
            let solution =
                solver.solution(dataset, &ground, found.tree, Assessed { status, report })?;
            points.push(PathPoint { from, until, solution });
            until = from;
        }
        Ok(RegularizationPath { points, n_searches: searches.len(), counters, stopped, seconds })
    }
}

impl RegularizationPath {
    /// The trees as a page shows them ([`crate::HtmlOptions::path`]).
    pub fn candidates(&self, validation: Option<&CrossValidation>) -> Vec<Candidate> {
        let candidate = |(place, point): (usize, &PathPoint)| Candidate {
            split_penalty: format!("{:.6}", point.until.to_f64()),
            splits: point.solution.report.splits(),
            accuracy: point.solution.report.accuracy,
            held_out: validation.map(|validation| validation.held_out[place].mean),
            standard_error: validation.map(|validation| validation.held_out[place].standard_error),
            chosen: validation.is_some_and(|validation| validation.one_standard_error == place),
        };
        self.points.iter().enumerate().map(candidate).collect()
    }
}

/// No tree has a larger objective for a λ: the objectives of all trees fall with λ, so that a bound for a
/// smaller λ holds.
fn bound_at(searches: &[Search], penalty: Fraction) -> f64 {
    let before = searches.iter().filter(|search| !search.penalty.exceeds(penalty));
    before.map(|search| search.upper_bound).fold(1.0, f64::min)
}

/// The decimal with the fewest digits that is larger than `from` and less than `until`; of several the one
/// in the middle. Not `from` itself, not even where it is the least λ asked about: another tree may tie
/// there, and with fewer splits (of more ways each, paid by leaves) it would be the answer for that λ.
fn simplest_between(from: Fraction, until: Fraction) -> Decimal {
    let up = |fraction: Fraction, power: u128| {
        (u128::from(fraction.numerator) * power).div_ceil(fraction.denominator.into())
    };
    let down = |fraction: Fraction, power: u128| {
        u128::from(fraction.numerator) * power / u128::from(fraction.denominator)
    };
    for digits in 1..=17 {
        let power = 10u128.pow(digits);
        let first = down(from, power) + 1;
        let end = up(until, power);
        if first < end {
            let middle = first + (end - 1 - first) / 2;
            let text = format!("{middle:0width$}", width = digits as usize + 1);
            let (whole, part) = text.split_at(text.len() - digits as usize);
            return Decimal::from(format!("{whole}.{part}"));
        }
    }
    // Closer together than any decimal that can be read: the figures are the same to all their digits.
    Decimal::from(from.to_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(numerator: u64, denominator: u64) -> Fraction {
        Fraction { numerator, denominator }
    }

    #[test]
    fn the_simplest_decimal_lies_between() {
        for (from, until, simplest) in [
            ((1, 5), (1, 1), "0.6"),
            ((1, 100), (1, 50), "0.015"),
            ((1, 3), (2, 5), "0.36"),
            ((0, 1), (1, 1000), "0.0005"),
            ((9, 10), (1, 1), "0.95"),
            ((1, 1), (1, 1), "1"),
        ] {
            let (from, until) = (fraction(from.0, from.1), fraction(until.0, until.1));
            assert_eq!(simplest_between(from, until).as_str(), simplest);
        }
    }
}
