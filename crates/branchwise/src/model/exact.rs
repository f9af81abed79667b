//! Exact comparison of trees by their objectives, for the λ and the weights of a model.

use super::Model;
use crate::decimal::Fraction;
use crate::error::Result;
use crate::objective::{Price, Score, objective_of};
use crate::tree::{Node, Tree};
use std::cmp::Ordering;

/// What trees are compared by: λ, and what an objective of 1 stands for.
#[derive(Clone, Copy)]
pub(super) struct Yardstick {
    penalty: Fraction,
    pub(super) worth: u64,
}

impl Yardstick {
    /// That of a model, given the weight of each class among all rows.
    pub(super) fn of(model: &Model, weights: &[u64]) -> Result<Self> {
        let penalty = model.settings.goal.split_penalty.fraction()?;
        let worth = match model.cost_matrix()? {
            Some(costs) => {
                let worst =
                    |(class, &weight): (usize, &u64)| weight.saturating_mul(costs.worst(class));
                weights.iter().enumerate().map(worst).fold(0, u64::saturating_add)
            }
            None => weights.iter().copied().fold(0, u64::saturating_add),
        };
        Ok(Yardstick { penalty, worth: worth.max(1) })
    }

    /// The objective of a tree.
    pub(super) fn objective(&self, score: Score) -> f64 {
        objective_of(self.penalty, self.worth, score)
    }

    /// How the objectives of two trees compare. They differ by Δcorrect / W − λ · Δpaid, which has the sign
    /// of q · Δcorrect − p · W · Δpaid for λ = p / q.
    pub(super) fn compare(&self, one: Score, other: Score) -> Ordering {
        let difference = |a: u64, b: u64| i128::from(a) - i128::from(b);
        let Fraction { numerator, denominator } = self.penalty;
        let right = difference(one.correct, other.correct).checked_mul(denominator.into());
        let lambda = i128::from(numerator).checked_mul(self.worth.into());
        let price = lambda.and_then(|l| l.checked_mul(difference(one.paid, other.paid)));
        match right.zip(price) {
            Some((right, price)) => right.cmp(&price),
            None => self.objective(one).total_cmp(&self.objective(other)),
        }
    }
}

/// For each node, what the subtree below it achieves.
pub(super) fn subtree_scores(tree: &Tree, price: Price) -> Vec<Score> {
    let mut scores = vec![Score::default(); tree.nodes().len()];
    // Children have larger numbers than their parents.
    for (id, node) in tree.nodes().iter().enumerate().rev() {
        scores[id] = match node {
            Node::Leaf { counts } => Score { correct: counts.merit(), ..Score::default() },
            Node::Split { children, .. } => {
                let own = Score { correct: 0, paid: price.of(children.len()), splits: 1 };
                let below = children.iter().map(|child| scores[child.node.0 as usize]);
                below.fold(own, plus)
            }
        };
    }
    scores
}

/// What two parts of a tree achieve together. (Sums of a file's numbers may be out of range; they are
/// compared with others, and differ from them.)
pub(super) fn plus(one: Score, other: Score) -> Score {
    Score {
        correct: one.correct.saturating_add(other.correct),
        paid: one.paid.saturating_add(other.paid),
        splits: one.splits.saturating_add(other.splits),
    }
}

/// What a tree achieves with one part of it in place of another.
pub(super) fn exchanged(whole: Score, part: Score, other: Score) -> Score {
    plus(
        Score {
            correct: whole.correct.saturating_sub(part.correct),
            paid: whole.paid.saturating_sub(part.paid),
            splits: whole.splits.saturating_sub(part.splits),
        },
        other,
    )
}

/// A split that is not worth its price.
///
/// **Claim.** In an optimal tree every split, but for a root that must be split, has a subtree whose
/// objective is larger than that of a leaf in its place.
/// **Proof.** The leaf in its place leaves a tree that is allowed: no path gets longer, there are fewer
/// splits and fewer leaves, the leaf has at least as many rows as any leaf below it, and another root's
/// column is untouched. The objective is a sum over leaves and splits, so the exchange changes it by the
/// difference of the two. If that is not negative, the new tree has at least the objective of the old one
/// and fewer splits, and is better by the rule for ties. Nothing is used of what rows weigh, answers cost
/// or splits are charged.
pub(super) fn idle_split(
    tree: &Tree,
    scores: &[Score],
    by: &Yardstick,
    root_must_split: bool,
) -> Option<usize> {
    (usize::from(root_must_split)..tree.nodes().len()).find(|&id| {
        let node = &tree.nodes()[id];
        let leaf = Score { correct: node.counts().merit(), ..Score::default() };
        !node.is_leaf() && by.compare(leaf, scores[id]) != Ordering::Less
    })
}
