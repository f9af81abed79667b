//! Values, bounds and objectives of whole trees.

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
}
