//! The objective, in integers: **accuracy − λ · splits**.
//!
//! # Theory
//! With total weight `W`, maximising `correct / W − λ · paid` is the same as maximising
//! `E · correct − L · paid` for any integers with `L / E = λ · W`. One more scale makes "fewest
//! splits among equals" part of the arithmetic: with `N` larger than any number of splits,
//!
//! > value = N · (E · correct − L · paid) − splits
//!
//! orders trees by objective first and by number of splits second, and it is additive over the
//! leaves and splits of a tree. So a [`Value`] is one `i64`, equal values are equal, and λ = 0 means
//! "best accuracy, then fewest splits".
//!
//! # When the numbers do not fit
//! λ = 0.0123456789012345 would make `E` astronomically large. But only the *order* of values
//! counts, and it is decided by comparing fractions Δcorrect / Δpaid with λ · W, where Δpaid is at
//! most the number `M` of splits that a sensible tree can have. Replacing λ · W by any number in the
//! same gap between neighbouring fractions of denominator ≤ M changes no comparison, and the
//! mediant of the two neighbours has a denominator of at most 2 M. See [`same_order()`].
//!
//! # With costs
//! Where answers have costs, "correct" is what the answers save compared with the worst possible cost, and
//! `W` is that worst cost: **1 − cost / worst − λ · splits** ([`Whole`]). Nothing else changes.

mod same_order;
mod value;

pub(crate) use value::Value;

use crate::decimal::Fraction;
use crate::error::{Error, Result};
use same_order::same_order;
use serde::{Deserialize, Serialize};

/// What a multi-way split costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Price {
    /// Every split costs λ, however many children it has (the paper's objective).
    #[default]
    Split,
    /// A split with k non-empty children costs (k − 1) · λ: the price is per extra leaf.
    Leaf,
}

impl Price {
    /// How many λ a split with `n_children` non-empty children costs.
    pub fn of(self, n_children: usize) -> u64 {
        match self {
            Price::Split => 1,
            Price::Leaf => n_children.saturating_sub(1) as u64,
        }
    }
}

/// What a tree achieves, counted: from it the objective is known exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Weight of the rows classified correctly; where answers have costs, what they save of the worst.
    pub correct: u64,
    /// How often λ is paid: the number of splits, or of extra leaves.
    pub paid: u64,
    /// Number of splits.
    pub splits: u64,
}

/// What errors, splits and ties cost, as integers: a tree costs ties · (error · errors + price · paid) + splits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Prices {
    /// E: one unit of weight answered wrongly.
    pub(crate) error: i64,
    /// L: λ, paid once.
    pub(crate) price: i64,
    /// N: the factor that makes room for the number of splits.
    pub(crate) ties: i64,
}

/// The totals that an objective refers to. Without costs, all of them are about the weight of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Whole {
    /// An objective of 1: the weight of all rows, or the worst that answers could cost.
    pub(crate) worth: u64,
    /// The most that the search adds up: the sum of all its weights.
    pub(crate) total: u64,
    /// What the search counts as correct for every tree, and a [`Score`] does not count.
    pub(crate) given: u64,
}

impl From<u64> for Whole {
    fn from(total_weight: u64) -> Self {
        Whole { worth: total_weight, total: total_weight, given: 0 }
    }
}

/// How values are made, added up and compared for one table and one λ.
#[derive(Clone, Debug)]
pub(crate) struct Objective {
    penalty: Fraction,
    price: Price,
    whole: Whole,
    /// N · E: the value of one unit of weight classified correctly.
    right: i64,
    /// N · L: the value of λ.
    lambda: i64,
    /// No split is charged more λ than this: it already costs more than an accuracy of 1, so that no
    /// tree worth having contains it, and sums of values stay in range.
    most_paid: u64,
    /// N: values that differ by less than this differ in the number of splits only.
    ties: i64,
    /// By how much, in weight, the replaced λ · W may overstate a tree's objective (see
    /// [`same_order()`]); 0 where λ · W is used as it is.
    slack: f64,
}

impl Objective {
    /// The objective for a table of this total weight in `n_distinct` distinct rows.
    pub(crate) fn new(
        penalty: Fraction,
        price: Price,
        whole: impl Into<Whole>,
        n_distinct: usize,
    ) -> Result<Self> {
        let whole: Whole = whole.into();
        let most_added = whole.total.max(whole.worth);
        let overflow = || Error::Overflow { total: most_added.into(), rows: n_distinct };
        // A tree has fewer splits than distinct rows; a bound adds at most one per leaf.
        let ties = 2 * n_distinct as u128 + 2;
        let most = most_paid(penalty, n_distinct);
        let numerator = u128::from(penalty.numerator) * u128::from(whole.worth);
        let exact = Fraction::reduced(numerator, penalty.denominator.into());
        let scaled = |ratio: Fraction<u128>| -> Option<(i64, i64)> {
            let right = i64::try_from(ratio.denominator.checked_mul(ties)?).ok()?;
            let lambda = i64::try_from(ratio.numerator.checked_mul(ties)?).ok()?;
            // A sum reaches at most the worth of all rows, and the price of a split or two.
            let rows = i128::from(right) * i128::from(most_added);
            let price = i128::from(lambda) * i128::try_from(most).ok()?;
            (rows + price < i128::from(i64::MAX / 8)).then_some((right, lambda))
        };
        let used = if scaled(exact).is_some() { exact } else { same_order(exact, most) };
        let (right, lambda) = scaled(used).ok_or_else(overflow)?;
        let slack = ((used.to_f64() - exact.to_f64()) * most as f64).max(0.0);
        let ties = i64::try_from(ties).map_err(|_| overflow())?;
        let most_paid = u64::try_from(most).unwrap_or(u64::MAX);
        Ok(Objective { penalty, price, whole, right, lambda, most_paid, ties, slack })
    }

    /// A total weight for which [`Objective::new`] has room, whatever the weights are.
    ///
    /// **Proof.** With M = `most_paid`, λ · W or its replacement is a ratio whose denominator D is at
    /// most 2 M and whose numerator is at most (λ W + 1) · D, and λ M ≤ 2. So the sum that must stay
    /// below 2⁶⁰ is at most N · D · (W + (λ W + 1) · M) ≤ N · 2 M · (3 W + M).
    pub(crate) fn most_weight(penalty: Fraction, n_distinct: usize) -> u64 {
        let (ties, most) = (2 * n_distinct as u128 + 2, most_paid(penalty, n_distinct));
        let room = (1u128 << 60) / (2 * ties * most);
        u64::try_from(room.saturating_sub(most + 1) / 3).unwrap_or(u64::MAX).max(1)
    }

    /// What errors, splits and ties cost.
    pub(crate) fn prices(&self) -> Prices {
        let ties = self.ties;
        Prices { error: self.right / ties, price: self.lambda / ties, ties }
    }

    /// λ.
    pub(crate) fn penalty(&self) -> Fraction {
        self.penalty
    }

    /// What multi-way splits cost.
    pub(crate) fn price(&self) -> Price {
        self.price
    }

    /// The value of classifying rows of this weight correctly, with no split paid.
    pub(crate) fn correct(&self, weight: u64) -> Value {
        // In range: weight ≤ total weight, checked in `new`.
        Value::new(self.right * weight as i64)
    }

    /// The cost of a split with `n_children` non-empty children.
    pub(crate) fn split(&self, n_children: usize) -> Value {
        Value::new(self.lambda * self.price.of(n_children).min(self.most_paid) as i64 + 1)
    }

    /// The cost of the cheapest split there can be: the one with two children.
    pub(crate) fn cheapest_split(&self) -> Value {
        self.split(2)
    }

    /// Less than any tree is worth: for a root that must be split, the value of leaving it.
    pub(crate) fn forbidden(&self) -> Value {
        Value::new(i64::MIN / 2)
    }

    /// The value of a tree with this score.
    pub(crate) fn value(&self, score: Score) -> Value {
        Value::new(
            self.right * (score.correct + self.whole.given) as i64
                - self.lambda * score.paid as i64
                - score.splits as i64,
        )
    }

    /// The tree's objective, accuracy − λ · paid, rounded once from the exact fraction.
    pub(crate) fn of(&self, score: Score) -> f64 {
        objective_of(self.penalty, self.whole.worth, score)
    }

    /// An upper bound, as an objective: no tree of value at most `value` has a larger one.
    pub(crate) fn bound(&self, value: Value) -> f64 {
        self.nominal(value) + self.slack / self.whole.worth as f64
    }

    /// A tree's value, as an objective (up to the replacement of λ, if there was one).
    pub(crate) fn nominal(&self, value: Value) -> f64 {
        // Add back the splits that the value has lost to the tie-break: round up to N.
        let units =
            value.get().div_euclid(self.ties) + i64::from(value.get().rem_euclid(self.ties) > 0);
        let right = i128::from(self.right / self.ties);
        let units = i128::from(units) - right * i128::from(self.whole.given);
        units as f64 / (right * i128::from(self.whole.worth)) as f64
    }
}

/// correct / worth − λ · paid, rounded once from the exact fraction.
pub(crate) fn objective_of(penalty: Fraction, worth: u64, score: Score) -> f64 {
    let (p, q) = (i128::from(penalty.numerator), i128::from(penalty.denominator));
    let total = i128::from(worth);
    let exact = i128::from(score.correct)
        .checked_mul(q)
        .zip(p.checked_mul(total).and_then(|x| x.checked_mul(i128::from(score.paid))))
        .zip(total.checked_mul(q));
    match exact {
        Some(((right, price), whole)) => (right - price) as f64 / whole as f64,
        None => score.correct as f64 / worth as f64 - penalty.to_f64() * score.paid as f64,
    }
}

/// The most times that λ is paid by a tree worth having: less often than there are distinct rows, and not
/// more often than an accuracy of 1 can pay for.
fn most_paid(penalty: Fraction, n_distinct: usize) -> u128 {
    let rows = n_distinct.max(1) as u128;
    if penalty.numerator == 0 {
        return rows;
    }
    rows.min(u128::from(penalty.denominator / penalty.numerator) + 1)
}

#[cfg(test)]
mod tests;
