//! A small problem: its layout, its counts, and the same features for other units.

use super::*;
use crate::limits::Watch;

fn problem() -> Problem {
    let unit = |row, class, weight, n_rows| Unit { row, class, weight, n_rows };
    let units = vec![unit(0, 1, 6, 1), unit(0, 0, 10, 2), unit(1, 0, 4, 1), unit(2, 2, 3, 3)];
    let watch = Watch::endless();
    let mut builder = ProblemBuilder::new(units, 4, &mut watch.pulse()).unwrap();
    builder.add_feature(0, &[0, 1, 1], &mut watch.pulse()).unwrap();
    builder.add_feature(4, &[7, 2, 5], &mut watch.pulse()).unwrap();
    builder.build()
}

#[test]
fn units_are_laid_out_by_class() {
    let problem = problem();
    assert_eq!(problem.class_ends, [1, 2, 3, 3]);
    assert_eq!((problem.n_units(), problem.total_weight(), problem.n_clauses()), (4, 23, 5));
    assert_eq!(problem.feature(FeatureId(1)).categories, [2, 5, 7]);
    assert_eq!(problem.feature_of(Clause(4)), FeatureId(1));
}

#[test]
fn weights_and_rows_are_counted_by_class() {
    let problem = problem();
    assert!(!problem.weights_are_row_counts());
    let mut support = Support::default();
    support.fill(problem.all_rows(), problem.class_ends());
    let mut counts = [0; 4];
    problem.all_class_weights(&support, &mut counts);
    assert_eq!(counts, [14, 6, 3, 0]);
    problem.all_class_rows(&support, &mut counts);
    assert_eq!(counts, [3, 1, 3, 0]);
    problem.class_weights(&support, Clause(1), &mut counts);
    assert_eq!(counts, [4, 0, 3, 0]);
    problem.class_rows(&support, Clause(4), &mut counts);
    assert_eq!(counts, [2, 1, 0, 0]);
    assert_eq!(problem.reachable(&support, None, &mut counts), None);
}

#[test]
fn other_units_have_the_same_features() {
    let problem = problem();
    let unit = |row, class, weight| Unit { row, class, weight, n_rows: 1 };
    let units = vec![unit(0, 3, 5), unit(0, 1, 2), unit(1, 1, 7), unit(2, 0, 1)];
    let watch = Watch::endless();
    let mut builder = problem.for_units(units, &mut watch.pulse()).unwrap();
    builder.count_reachable();
    let other = builder.build();
    assert_eq!((other.n_features(), other.total_weight()), (2, 15));
    assert_eq!(other.feature(FeatureId(1)).categories, [2, 5, 7]);
    let mut support = Support::default();
    support.fill(other.all_rows(), other.class_ends());
    let mut counts = [0; 4];
    other.class_weights(&support, Clause(0), &mut counts);
    assert_eq!(counts, [0, 2, 0, 5]);
    assert_eq!(other.reachable(&support, Some(Clause(0)), &mut counts), Some(5));
    assert_eq!(other.reachable(&support, None, &mut counts), Some(13));
}
