//! What a branch can be worth at most: one function per bound, with its statement and proof.

use crate::objective::{Objective, Value};
use std::ops::Sub;

/// Which bounds the engine `fast` uses: all, unless a test or an experiment switches some off. The
/// answer is the same; only the time differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Two steps at once, from pair counts; without it each child gets the purification bound.
    pub look_ahead: bool,
    /// The bound on trees with two splits.
    pub two_splits: bool,
    /// Of rows that agree on every feature, all but their largest class err in every tree: no split can
    /// part them. So every tree costs at least these errors.
    pub equivalent_points: bool,
    /// A branch costs at least what each of its children does.
    pub monotone: bool,
    /// What a branch must cost, and its other children need not, a child must.
    pub remainder: bool,
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
            remainder: true,
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
/// costs less than min(leaf, one, 2 L + two, 3 L + errs). Where no more than `most` splits are
/// allowed, the terms of more splits are left out; with `most` = 1 it is the least cost.
///
/// **Proof.** A tree has no split, one, two, or at least three, and each split costs at least L. ∎
#[inline(always)]
pub(crate) fn look_ahead(
    objective: &Objective,
    most: u32,
    (leaf, one): (Cost, Cost),
    (two, errs): (Cost, Cost),
) -> Cost {
    let split = objective.cheapest_split().get();
    let mut lower = leaf.min(one);
    if most > 1 {
        lower = lower.min(2 * split + two.max(errs));
    }
    if most > 2 {
        lower = lower.min(3 * split + errs);
    }
    lower
}

/// The most splits that are of use.
///
/// **Statement.** If a branch's leaf costs `leaf` and every tree's errors at least `errs`, then a tree
/// that costs less than the leaf has at most (`leaf` − `errs` − 1) / L splits, rounded down.
///
/// **Proof.** With s splits it costs at least s L + `errs`, and costs are integers. ∎
pub(crate) fn most_splits(objective: &Objective, leaf: Cost, errs: Cost) -> Cost {
    (leaf - errs - 1).max(0) / objective.cheapest_split().get()
}

/// The bound on trees with two splits.
///
/// **Statement.** Let a branch be split first into children of which all but one, B, are leaves, and B
/// once more. Let `leaves` be the weight of the leaves, `right` the weight that they get right, and
/// `one` the errors of the best tree with one split for the whole branch. Then the tree errs on at
/// least max(`leaves`, `one`) − `right`. The least of this over all first splits and all B bounds every
/// tree with two splits.
///
/// **Proof.** The leaves err on `leaves` − `right`. Let f be the second split. On the whole branch, f
/// alone errs on at least `one`; and it errs on at most what it errs on within B, with B's answers, plus
/// all the leaves' rows. So within B it errs on at least `one` − `leaves`, and the whole tree on at least
/// `leaves` − `right` + `one` − `leaves`. ∎
///
/// It holds for multi-way splits, both prices and any weights. Under a minimum of rows per leaf `one`
/// must range over all splits, allowed or not, as it does here.
pub(crate) fn two_splits<W: Ord + Sub<Output = W>>(leaves: W, one: W, right: W) -> W {
    leaves.max(one) - right
}

/// The bound of a part.
///
/// **Statement.** If no tree for some of a branch's rows costs less than `lower`, then none for all of
/// them does.
///
/// **Proof.** A best tree for all rows, restricted to some, has no more errors and no more splits that
/// part rows, or leaves that have any. ∎
///
/// **When it fails.** With a minimum of rows per leaf the restricted tree may not be allowed. With a
/// limited depth or size, a child's bound is one for fewer levels, or less room.
pub(crate) fn monotone(lower: Cost, of_part: Cost) -> Cost {
    lower.max(of_part)
}

/// The bound of the remainder.
///
/// **Statement.** If no tree for a branch costs less than `lower`, and a split of it and best trees for
/// all its children but one cost at most `others`, then no tree for that child costs less than
/// `lower` − `others`.
///
/// **Proof.** The split, those trees and a best tree for the child make a tree for the branch. ∎
///
/// It holds under every constraint as long as the trees of `others` and the split are allowed, and a
/// child's trees have a level less where depth is limited, as its bounds do. Where size is limited, all
/// those trees would have to share the room, and it is not used.
pub(crate) fn remainder(lower: Cost, others: Cost) -> Cost {
    lower - others
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
/// tree and add a leaf. With a limited depth, the second term needs a level more for T than for c. With
/// limited splits, T needs as much room as c's best tree takes, and for the second term one more; with
/// limited leaves and multi-way splits, a row of F may again add a leaf.
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

    /// Rows of three yes/no features and one of two classes.
    type Rows = Vec<(usize, bool)>;

    /// E = 2 and L = 3, so that neither divides the other.
    fn leaf(rows: &Rows) -> Cost {
        let yes = rows.iter().filter(|(_, class)| *class).count();
        2 * yes.min(rows.len() - yes) as Cost
    }

    fn part(rows: &Rows, feature: usize, has: usize) -> Rows {
        rows.iter().copied().filter(|(row, _)| row >> feature & 1 == has).collect()
    }

    /// The least errors' cost with at most so many splits, by trying everything.
    fn errors(rows: &Rows, splits: usize) -> Cost {
        let with_split = |feature: usize| {
            let (with, without) = (part(rows, feature, 1), part(rows, feature, 0));
            let shares = (0..splits)
                .map(|share| errors(&with, share) + errors(&without, splits - 1 - share));
            shares.min()
        };
        (0..3).filter_map(with_split).min().map_or(leaf(rows), |cost| cost.min(leaf(rows)))
    }

    /// The least cost, each feature being asked at most once on the way down.
    fn least_cost(rows: &Rows) -> Cost {
        fn below(rows: &Rows, features: &[usize]) -> Cost {
            let with_split = |(place, &feature): (usize, &usize)| {
                let others = [&features[..place], &features[place + 1..]].concat();
                3 + below(&part(rows, feature, 1), &others)
                    + below(&part(rows, feature, 0), &others)
            };
            features.iter().enumerate().map(with_split).fold(leaf(rows), Cost::min)
        }
        below(rows, &[0, 1, 2])
    }

    proptest! {
        #[test]
        fn the_bounds_hold_on_small_tables(
            rows in prop::collection::vec((0usize..8, any::<bool>()), 1..14),
            feature in 0usize..3, keep in any::<u8>(),
        ) {
            // Two splits, against every tree with two.
            let mut bound = leaf(&rows);
            for first in 0..3 {
                for side in 0..2 {
                    let leaves = part(&rows, first, side);
                    let weight = 2 * leaves.len() as Cost;
                    bound = bound.min(two_splits(weight, errors(&rows, 1), weight - leaf(&leaves)));
                }
            }
            prop_assert!(bound <= errors(&rows, 2));

            // A part costs no more than the whole.
            let some: Rows = rows.iter().enumerate().filter(|(i, _)| keep >> (i % 8) & 1 == 1).map(|(_, &r)| r).collect();
            prop_assert_eq!(monotone(least_cost(&rows), least_cost(&some)), least_cost(&rows));

            // A part costs not much less, if the others are few or nearly pure.
            let (with, without) = (part(&rows, feature, 1), part(&rows, feature, 0));
            let bound = similar(least_cost(&rows), 2 * without.len() as Cost, 3 + leaf(&without));
            prop_assert!(bound <= least_cost(&with));

            // What one child does not cost, the other must.
            let bound = remainder(least_cost(&rows), 3 + least_cost(&without));
            prop_assert!(bound <= least_cost(&with));
        }
    }
}
