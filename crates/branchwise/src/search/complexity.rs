//! The paper's complexity theorem, as a function.

use crate::decimal::Fraction;

/// An upper bound on the number of branch evaluations of the `paper` engine.
///
/// **Theorem** (the paper's section 4.2 and its proof in the appendix). With q features of C
/// categories each, penalty λ and an optimal tree of objective H*, the search evaluates at most
/// Σ_{h=0}^{κ} (q − h) · C^{h+1} · binom(q, h) branches, where κ = min(⌊(1 − H*) / λ⌋ − 1, q).
///
/// **Why.** A branch of h clauses is expanded only on the way of a tree that pays for h splits or
/// more and, by the bound that selected it, is worth at least H*: so h·λ + λ ≤ 1 − H*. There are
/// C^h · binom(q, h) such branches, and expanding one evaluates (q − h) · C children.
///
/// Before anything is known of H*, it is at least 1 / K: one leaf already gets the largest of K
/// classes right. That gives κ = ⌊(1 − 1/K) / λ⌋ − 1. (The paper prints 1/(Kλ) in this place, which
/// is the same for two classes and too small for more.) Where answers have costs, one leaf may save
/// nothing: then K is not given, and H* is only known to be at least 0.
///
/// The result is a float because it soon leaves the integers; it is infinite past the floats.
pub fn complexity_bound(
    n_features: usize,
    n_categories: usize,
    n_classes: Option<usize>,
    penalty: Fraction,
) -> f64 {
    let (q, c) = (n_features as f64, n_categories as f64);
    let mut deepest = n_features;
    if penalty.numerator > 0 {
        // ⌊(1 − 1/K) / λ⌋ in integers: (K − 1) · denominator / (K · numerator).
        let (above, below) = n_classes.map_or((1, 1), |k| (k.max(1) as u128 - 1, k.max(1) as u128));
        let splits =
            above * u128::from(penalty.denominator) / (below * u128::from(penalty.numerator));
        if splits == 0 {
            return 0.0;
        }
        deepest = deepest.min(usize::try_from(splits - 1).unwrap_or(usize::MAX));
    }
    let mut total = 0.0;
    let mut branches = 1.0; // C^h · binom(q, h)
    for h in 0..=deepest {
        let h = h as f64;
        total += (q - h) * c * branches;
        branches *= c * (q - h) / (h + 1.0);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal::Decimal;

    /// The paper's table of orders of magnitude, for two classes and binary features.
    #[test]
    fn the_bound_has_the_orders_of_magnitude_in_the_paper() {
        for (penalty, q, order) in [
            ("0.1", 10, 4),
            ("0.05", 10, 5),
            ("0.01", 10, 5),
            ("0.1", 15, 5),
            ("0.05", 15, 7),
            ("0.01", 15, 8),
            ("0.1", 20, 6),
            ("0.05", 20, 9),
            ("0.01", 20, 10),
        ] {
            let bound = complexity_bound(q, 2, Some(2), Decimal::from(penalty).fraction().unwrap());
            assert!(
                (bound.log10() - f64::from(order)).abs() < 1.0,
                "λ = {penalty}, q = {q}: {bound:e}"
            );
        }
    }

    #[test]
    fn a_penalty_that_forbids_every_split_needs_no_evaluation() {
        assert_eq!(complexity_bound(5, 3, Some(2), Decimal::from("0.6").fraction().unwrap()), 0.0);
        assert_eq!(complexity_bound(5, 3, None, Decimal::from("0.6").fraction().unwrap()), 15.0);
        assert_eq!(complexity_bound(1, 3, Some(2), Decimal::from("0").fraction().unwrap()), 3.0);
    }
}
