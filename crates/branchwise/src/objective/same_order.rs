//! A stand-in with small terms for a λ · W that does not fit the integers of an objective.

use crate::decimal::Fraction;

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
pub(super) fn same_order(exact: Fraction<u128>, most: u128) -> Fraction<u128> {
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
                let order = Fraction { numerator: n, denominator: d }.compare(exact);
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
            return Fraction { numerator: low.0 + high.0, denominator: low.1 + high.1 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_replacement_orders_fractions_alike(
            numerator in 0u128..10_000_000_000, denominator in 1u128..1_000_000_000,
            most in 1u128..200, n in 0u128..10_000, d in 1u128..200,
        ) {
            let exact = Fraction::reduced(numerator, denominator);
            let simple = same_order(exact, most);
            prop_assert!(simple.denominator <= 2 * most);
            let d = 1 + d % most;
            let tried = Fraction { numerator: n, denominator: d };
            prop_assert_eq!(tried.compare(exact), tried.compare(simple));
            prop_assert_eq!(tried.compare(exact), (n * exact.denominator).cmp(&(exact.numerator * d)));
        }
    }
}
