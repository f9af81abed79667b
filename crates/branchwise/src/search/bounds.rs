//! What a branch can be worth at most: one function per bound, with its statement and proof.

use crate::objective::{Objective, Value};

/// The purification bound (the paper's proposition 4.2).
///
/// **Statement.** For a branch of weight `n` whose largest class weighs `m`, every tree rooted in it
/// is worth at most max(m, n − λ).
///
/// **Proof.** The tree without a split is worth m. Any other pays for one split at least, whose
/// cheapest form has two children, and gets at most all of n right. ∎
///
/// It holds under both prices (a split into k children costs at least as much as one into two),
/// for any weights of 0 or more, and under every constraint, since a constraint only removes trees.
pub(crate) fn purification(objective: &Objective, weight: u64, largest_class: u64) -> Value {
    let pure = objective.correct(weight) - objective.cheapest_split();
    pure.max(objective.correct(largest_class))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal::Decimal;
    use crate::objective::{Price, Score};
    use proptest::prelude::*;

    proptest! {
        /// No tree of s splits that gets `correct ≤ weight` right, or the majority with none, is
        /// worth more.
        #[test]
        fn purification_bounds_every_tree(
            weight in 1u64..50, share in 0.0f64..1.0, splits in 0u64..8, extra in 0u64..3,
            lost in 0u64..50, leaf_price in any::<bool>(), penalty in 0u64..999,
        ) {
            let largest = ((weight as f64 * share) as u64).max(1);
            let price = if leaf_price { Price::Leaf } else { Price::Split };
            let penalty = Decimal::from(penalty as f64 / 1000.0).fraction().unwrap();
            let objective = Objective::new(penalty, price, 50, 50).unwrap();
            let correct = if splits == 0 { largest } else { weight.saturating_sub(lost) };
            let paid = if leaf_price { splits * (1 + extra) } else { splits };
            let value = objective.value(Score { correct, paid, splits });
            prop_assert!(purification(&objective, weight, largest) >= value);
        }
    }
}
