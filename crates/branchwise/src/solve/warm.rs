//! An earlier model's tree as the one that a search starts from.
//!
//! The table may have changed, and with it thresholds and categories: a split is taken over if a
//! feature asks the same of the same column, and what is below it for values that still exist.

use crate::encode::{Encoder, Feature};
use crate::model::Model;
use crate::problem::{Clause, FeatureId, Problem};
use crate::search::Policy;
use crate::tree::{Node, Tree};

/// The splits of a model's tree in a problem's numbers, as far as it has them.
pub(crate) fn policy_of(model: &Model, encoder: &Encoder, problem: &Problem) -> Policy {
    let mut policy = Policy::default();
    let mut pending = vec![(Tree::ROOT, None)];
    while let Some((node, parent)) = pending.pop() {
        let Node::Split { feature, children, .. } = model.tree().node(node) else { continue };
        let asked = Asked::of(model.encoder(), *feature);
        let mut offered = problem.features();
        let same = offered.find(|(_, f)| Asked::of(encoder, f.source) == asked);
        let Some((id, _)) = same else { continue };
        let split = policy.push(id, parent);
        for child in children {
            let labels = child.categories.iter().map(|&c| label(model.encoder(), *feature, c));
            let clauses = labels.filter_map(|label| clause(encoder, problem, id, label));
            pending.extend(clauses.map(|clause| (child.node, Some((split, clause)))));
        }
    }
    policy
}

/// What a feature asks, in words that hold in every encoder.
#[derive(PartialEq)]
enum Asked<'e> {
    Values { column: &'e str },
    Is { column: &'e str, value: String },
    AtMost { column: &'e str, threshold: &'e str },
}

impl<'e> Asked<'e> {
    fn of(encoder: &'e Encoder, feature: usize) -> Self {
        let feature = encoder.features()[feature];
        let input = &encoder.inputs()[feature.column()];
        let column = input.name.as_str();
        match feature {
            Feature::Values { .. } => Asked::Values { column },
            Feature::Is { value, .. } => {
                let value = input.labels().swap_remove(value as usize);
                Asked::Is { column, value }
            }
            Feature::AtMost { cut, .. } => {
                Asked::AtMost { column, threshold: &input.cuts()[cut as usize] }
            }
        }
    }
}

/// What a category of a feature is called: by its value, or by its number where that says it all.
fn label(encoder: &Encoder, feature: usize, category: u32) -> String {
    match encoder.features()[feature] {
        Feature::Values { column } => {
            encoder.inputs()[column].labels().swap_remove(category as usize)
        }
        Feature::Is { .. } | Feature::AtMost { .. } => category.to_string(),
    }
}

/// The clause of a feature for the category that is called so.
fn clause(encoder: &Encoder, problem: &Problem, id: FeatureId, wanted: String) -> Option<Clause> {
    let feature = problem.feature(id);
    let mut pairs = feature.clauses().zip(&feature.categories);
    let found = pairs.find(|(_, category)| label(encoder, feature.source, **category) == wanted);
    found.map(|(clause, _)| clause)
}

#[cfg(test)]
mod tests {
    use crate::data::{Column, Table, Target};
    use crate::{Builtin, Dataset, Encoding, Solver, Status, StopReason};

    #[test]
    fn a_search_starts_from_an_earlier_tree() {
        let robots = Builtin::Monk2.dataset().unwrap();
        for encoding in [Encoding::Multiway, Encoding::OneHot] {
            let solver = Solver::new().split_penalty(0.001).encoding(encoding);
            let best = solver.fit(&robots).unwrap();
            let hurried = solver.clone().iteration_limit(1);
            let cold = hurried.fit(&robots).unwrap();
            let warm = hurried.start_from(best.model.clone()).fit(&robots).unwrap();
            assert_eq!(cold.status, Status::Stopped(StopReason::Iterations));
            assert!(cold.report.objective < best.report.objective);
            assert_eq!(warm.report.objective, best.report.objective);
            let again = solver.start_from(best.model.clone()).fit(&robots).unwrap();
            assert_eq!(again.status, Status::Optimal);
            assert_eq!(again.model.tree(), best.model.tree());
        }
    }

    fn ages(numbers: std::ops::Range<u32>, column: &str) -> Dataset {
        let ages: Vec<String> = numbers.clone().map(|age| age.to_string()).collect();
        let class: Vec<&str> = numbers.map(|age| if age < 7 { "child" } else { "adult" }).collect();
        let columns = [Column::from_values(column, &ages), Column::from_values("class", &class)];
        Table::from_columns(columns.to_vec()).dataset(Target::Last).unwrap()
    }

    #[test]
    fn what_is_not_offered_any_more_is_left_out() {
        let solver = Solver::new().thresholds(crate::Thresholds::All);
        let earlier = solver.fit(&ages(0..20, "age")).unwrap();
        assert_eq!(earlier.report.splits(), 1);
        for dataset in [ages(0..15, "age"), ages(9..30, "age"), ages(0..20, "years")] {
            let cold = solver.fit(&dataset).unwrap();
            let warm = solver.clone().start_from(earlier.model.clone()).fit(&dataset).unwrap();
            assert_eq!((warm.status, warm.model.tree()), (cold.status, cold.model.tree()));
        }
    }
}
