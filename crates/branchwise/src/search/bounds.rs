//! What a branch can be worth at most: one function per bound, with its statement and proof.

use crate::objective::{Objective, Value};

/// Which bounds the engine `fast` uses: all, unless a test or an experiment switches some off. The
/// answer is the same; only the time differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Two steps at once, from pair counts; without it each child gets the purification bound.
    pub look_ahead: bool,
    /// The bound on trees with two splits.
    pub two_splits: bool,
    /// Rows that agree on every feature and differ in class err in every tree.
    pub equivalent_points: bool,
    /// A branch costs at least what each of its children does.
    pub monotone: bool,
    /// Row sets that differ in few rows have similar costs.
    pub similar: bool,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            look_ahead: true,
            two_splits: true,
            equivalent_points: true,
            monotone: true,
            similar: true,
        }
    }
}

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

/// What a tree costs: the value of getting everything right, less the tree's value. So a cost is
/// errors · E + paid · L (+ 1 per split, the tie-break), and less is better.
///
/// In the statements below, E is the cost of a unit of weight that errs and L that of the cheapest
/// split.
pub(crate) type Cost = i64;

/// The look-ahead bound.
///
/// **Statement.** If a branch's leaf costs `leaf`, its best tree with one split `one`, if every tree
/// with two splits has errors that cost at least `two`, and every tree at all `errs`, then no tree
/// costs less than min(leaf, one, 2 L + two, 3 L + errs). Without `deeper`, trees of more than one
/// split are not allowed, and min(leaf, one) is the least cost.
///
/// **Proof.** A tree has no split, one, two, or at least three, and each split costs at least L. ∎
pub(crate) fn look_ahead(
    objective: &Objective,
    leaf: Cost,
    one: Cost,
    deeper: Option<(Cost, Cost)>,
) -> Cost {
    let split = objective.cheapest_split().units();
    let shallow = leaf.min(one);
    deeper
        .map_or(shallow, |(two, errs)| shallow.min(2 * split + two.max(errs)).min(3 * split + errs))
}

/// The similarity bound.
///
/// **Statement.** Let T and c be row sets and F = T∖c. If no tree for T costs less than `lower`, then no
/// tree for c costs less than `lower` − min(E · |F|, L + leaf(F)), where leaf(F) is the cost of F as one
/// leaf; the second term needs a split that parts F from the rest of T.
///
/// **Proof.** Take a best tree for c; restricted to T∩c it costs no more. Lead all of T through it: the
/// rows of F may all err, E · |F|; or put the split on top, with F as a leaf beside the tree. Either way
/// a tree for T that costs at most min(…) more. ∎
///
/// **When it fails.** With a minimum of rows per leaf, c's tree restricted to T∩c may not be allowed.
/// With a price per leaf and multi-way splits, a row of F may come to a category that is empty in c's
/// tree and add a leaf. With a limited depth, the second term needs a level more for T than for c.
pub(crate) fn similar(lower: Cost, all_err: Cost, split_off: Cost) -> Cost {
    lower - all_err.min(split_off)
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
