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
//! mediant of the two neighbours has a denominator of at most 2 M. See [`same_order`].
//!
//! # With costs
//! Where answers have costs, "correct" is what the answers save of the worst that they could cost, and
//! `W` is that worst: **1 − cost / worst − λ · splits** ([`Whole`]). Nothing else changes.

use crate::decimal::{Fraction, gcd};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

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

/// The worth of a (partial) tree, or a bound on it, in the exact unit of its [`Objective`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Value(i64);

impl Value {
    /// The integer of this value, for arithmetic that is not about trees.
    pub(crate) fn get(self) -> i64 {
        self.0
    }

    /// A value from its integer.
    pub(crate) fn new(value: i64) -> Value {
        Value(value)
    }
}

impl Add for Value {
    type Output = Value;
    fn add(self, other: Value) -> Value {
        Value(self.0 + other.0)
    }
}

impl AddAssign for Value {
    fn add_assign(&mut self, other: Value) {
        self.0 += other.0;
    }
}

impl Sub for Value {
    type Output = Value;
    fn sub(self, other: Value) -> Value {
        Value(self.0 - other.0)
    }
}

impl Sum for Value {
    fn sum<I: Iterator<Item = Value>>(values: I) -> Value {
        Value(values.map(|value| value.0).sum())
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

/// What shares are taken of. Where answers have no costs, all three speak of the rows' weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Whole {
    /// An objective of 1: the weight of all rows, or the worst that answers could cost.
    pub(crate) worth: u64,
    /// The most that the search adds up: the sum of all its weights.
    pub(crate) total: u64,
    /// What the search counts as correct whatever the tree, and a [`Score`] does not.
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
    /// [`same_order`]); 0 where λ · W is used as it is.
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
        let common = gcd(numerator, penalty.denominator.into());
        let exact = Ratio {
            numerator: numerator / common,
            denominator: u128::from(penalty.denominator) / common,
        };
        let scaled = |ratio: Ratio| -> Option<(i64, i64)> {
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
        Value(self.right * weight as i64)
    }

    /// The cost of a split with `n_children` non-empty children.
    pub(crate) fn split(&self, n_children: usize) -> Value {
        Value(self.lambda * self.price.of(n_children).min(self.most_paid) as i64 + 1)
    }

    /// The cost of the cheapest split there can be: the one with two children.
    pub(crate) fn cheapest_split(&self) -> Value {
        self.split(2)
    }

    /// Less than any tree is worth: for a root that must be split, the value of leaving it.
    pub(crate) fn forbidden(&self) -> Value {
        Value(i64::MIN / 2)
    }

    /// The value of a tree with this score.
    pub(crate) fn value(&self, score: Score) -> Value {
        Value(
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
        let units = value.0.div_euclid(self.ties) + i64::from(value.0.rem_euclid(self.ties) > 0);
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

/// The most times that λ can be paid by a tree worth having: fewer than distinct rows, and not so
/// often that the price alone exceeds an accuracy of 1.
fn most_paid(penalty: Fraction, n_distinct: usize) -> u128 {
    let rows = n_distinct.max(1) as u128;
    if penalty.numerator == 0 {
        return rows;
    }
    rows.min(u128::from(penalty.denominator / penalty.numerator) + 1)
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Ratio {
    numerator: u128,
    denominator: u128,
}

impl Ratio {
    fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

/// A ratio with small terms that compares with every fraction of denominator ≤ `most` as `exact`
/// does.
///
/// **Statement.** If `exact` has a denominator ≤ `most` it is returned. Otherwise let a/b < exact
/// < c/d be its neighbours among the fractions of denominator ≤ `most`; then (a+c)/(b+d) is
/// returned. **Proof.** No fraction of denominator ≤ `most` lies strictly between a/b and c/d, and
/// both `exact` and the mediant do, so every such fraction is on the same side of both.
///
/// **Why this keeps the optimal trees.** Tree S is better than T iff correct(S) − correct(T) >
/// λW · (paid(S) − paid(T)), or the same with ≥ and fewer splits: a comparison of λW with a
/// fraction of denominator |paid(S) − paid(T)| ≤ `most`. Trees that pay more than that are worth
/// less than a single leaf under λW, and, `most` itself being within range of the comparison, under
/// its replacement.
fn same_order(exact: Ratio, most: u128) -> Ratio {
    if exact.denominator <= most {
        return exact;
    }
    // Walk down the Stern–Brocot tree, several steps in one direction at a time.
    let (mut low, mut high) = ((0u128, 1u128), (1u128, 0u128));
    loop {
        let before = (low, high);
        for rises in [true, false] {
            let (from, to) = if rises { (&mut low, high) } else { (&mut high, low) };
            // The most steps k such that from + k·to stays on its side of `exact` …
            let step = |k: u128| (from.0 + k * to.0, from.1 + k * to.1);
            let holds = |(n, d): (u128, u128)| {
                let order = compare(n, d, exact);
                if rises { order.is_lt() } else { order.is_gt() }
            };
            // … and its denominator in range.
            let whole = exact.numerator / exact.denominator + 1;
            let room = (most - from.1).checked_div(to.1).unwrap_or(whole);
            let (mut fits, mut fails) = (0, room + 1);
            while fails - fits > 1 {
                let middle = fits + (fails - fits) / 2;
                if holds(step(middle)) { fits = middle } else { fails = middle }
            }
            *from = step(fits);
        }
        if before == (low, high) {
            return Ratio { numerator: low.0 + high.0, denominator: low.1 + high.1 };
        }
    }
}

/// n/d against `exact`, without overflow: by continued fractions.
fn compare(n: u128, d: u128, exact: Ratio) -> std::cmp::Ordering {
    use std::cmp::Ordering;
    let (mut a, mut b) = ((n, d), (exact.numerator, exact.denominator));
    let mut flipped = false;
    loop {
        let order = match (a.1, b.1) {
            (0, 0) => Ordering::Equal,
            (0, _) => Ordering::Greater,
            (_, 0) => Ordering::Less,
            _ => (a.0 / a.1).cmp(&(b.0 / b.1)),
        };
        if order != Ordering::Equal || a.1 == 0 || b.1 == 0 {
            return if flipped { order.reverse() } else { order };
        }
        (a, b) = ((a.1, a.0 % a.1), (b.1, b.0 % b.1));
        flipped = !flipped;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal::Decimal;
    use proptest::prelude::*;

    fn objective(penalty: &str, total: u64, rows: usize) -> Objective {
        let penalty = Decimal::from(penalty).fraction().unwrap();
        Objective::new(penalty, Price::Split, total, rows).unwrap()
    }

    #[test]
    fn equal_objectives_prefer_fewer_splits() {
        // λ · W = 2 rows: one more split for two more rows right is a tie.
        let objective = objective("0.02", 100, 100);
        let small = objective.value(Score { correct: 90, paid: 3, splits: 3 });
        let large = objective.value(Score { correct: 92, paid: 4, splits: 4 });
        let better = objective.value(Score { correct: 93, paid: 4, splits: 4 });
        assert!(small > large && better > small);
        assert_eq!(objective.bound(small), objective.bound(large));
    }

    #[test]
    fn no_penalty_means_accuracy_then_size() {
        let objective = objective("0", 100, 100);
        let value = |correct, splits| objective.value(Score { correct, paid: splits, splits });
        assert!(value(91, 50) > value(90, 0));
        assert!(value(90, 1) > value(90, 2));
    }

    #[test]
    fn bounds_are_the_objectives_of_the_values() {
        let objective = objective("0.005", 625, 625);
        let score = Score { correct: 512, paid: 10, splits: 10 };
        assert_eq!(objective.bound(objective.value(score)), objective.of(score));
        assert_eq!(objective.of(score), 0.7692);
    }

    #[test]
    fn costs_are_measured_by_their_worst() {
        let penalty = Decimal::from("0.01").fraction().unwrap();
        let whole = Whole { worth: 200, total: 500, given: 30 };
        let objective = Objective::new(penalty, Price::Split, whole, 40).unwrap();
        let score = Score { correct: 150, paid: 2, splits: 2 };
        assert_eq!(objective.of(score), 0.73);
        assert_eq!(objective.bound(objective.value(score)), 0.73);
        // λ is 2 of the worst cost: a tie goes to fewer splits.
        let more = Score { correct: 152, paid: 3, splits: 3 };
        assert!(objective.value(more) < objective.value(score));
        assert_eq!(objective.of(more), 0.73);
    }

    #[test]
    fn overflow_is_refused() {
        let penalty = Decimal::from("0.01").fraction().unwrap();
        assert!(Objective::new(penalty, Price::Split, u64::MAX / 2, 1000).is_err());
    }

    #[test]
    fn λ_with_many_digits_fits() {
        let objective = objective("0.0333333333333333", 1_000_000, 1_000_000);
        let score = Score { correct: 900_000, paid: 3, splits: 3 };
        assert!((objective.bound(objective.value(score)) - objective.of(score)).abs() < 1e-6);
        assert!(objective.bound(objective.value(score)) >= objective.of(score));
    }

    proptest! {
        #[test]
        fn there_is_room_for_the_most_weight(
            digits in 1u64..1_000_000_000, n_distinct in 1usize..2_000_000, less in 0u64..1000,
        ) {
            let penalty = Fraction { numerator: digits, denominator: 1_000_000_007 };
            let most = Objective::most_weight(penalty, n_distinct);
            let total = most.saturating_sub(less).max(1);
            prop_assert!(Objective::new(penalty, Price::Leaf, total, n_distinct).is_ok());
            prop_assert!(most > 1000);
        }

        #[test]
        fn the_replacement_orders_fractions_alike(
            numerator in 0u128..10_000_000_000, denominator in 1u128..1_000_000_000,
            most in 1u128..200, n in 0u128..10_000, d in 1u128..200,
        ) {
            let common = gcd(numerator, denominator);
            let exact = Ratio { numerator: numerator / common, denominator: denominator / common };
            let simple = same_order(exact, most);
            prop_assert!(simple.denominator <= 2 * most);
            let d = 1 + d % most;
            prop_assert_eq!(compare(n, d, exact), compare(n, d, simple));
            prop_assert_eq!(compare(n, d, exact), (n * exact.denominator).cmp(&(exact.numerator * d)));
        }
    }
}
