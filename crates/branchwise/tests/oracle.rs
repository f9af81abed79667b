//! The solver against every tree there is, on random small tables.
//!
//! Each property draws a table, what is asked, and by what means the engine `fast` searches: any subset
//! of its bounds, with the whole memo or hardly any, on one thread and on two. 2,000 times; for ten
//! thousand:
//!
//! ```sh
//! PROPTEST_CASES=10000 cargo test -p branchwise --test oracle
//! ```
//!
//! Trees may differ where they are tied in objective and number of splits; those two must not.

#![allow(clippy::unwrap_used, reason = "a test may panic, and so may what it calls")]

mod common;

use branchwise::data::{Column, Target};
use branchwise::tree::{Node, Tree};
use branchwise::{Dataset, Encoding, Engine, Model, Price, Solution, Solver, Status, Table};
use common::cases::{Allowed, Case, MostSize, Shape, any_allowed, any_weighting, case, case_with};
use common::means::{Means, any_means};
use proptest::prelude::*;
use std::num::NonZeroUsize;

const CASES: u32 = 2_000;

const SMALL: Shape = Shape { columns: 4, categories: 4, rows: 16 };
const BINARY: Shape = Shape { columns: 6, categories: 2, rows: 60 };

fn config() -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let cases = asked.unwrap_or(CASES);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_best_tree_is_found(case in case(SMALL, Just(Allowed::default())), means in any_means()) {
        check(&case, means)?;
    }

    #[test]
    fn the_best_allowed_tree_is_found(case in case(SMALL, any_allowed()), means in any_means()) {
        check(&case, means)?;
    }

    #[test]
    fn the_tree_of_least_cost_is_found(case in case_with(SMALL, any_allowed(), any_weighting()), means in any_means()) {
        check(&case, means)?;
    }

    #[test]
    fn the_binary_tree_of_least_cost_is_found(
        case in case_with(BINARY, any_allowed(), any_weighting()),
        means in any_means(),
    ) {
        check(&case, means)?;
    }

    #[test]
    fn the_best_binary_tree_is_found(case in case(BINARY, Just(Allowed::default())), means in any_means()) {
        check(&case, means)?;
    }

    #[test]
    fn the_best_allowed_binary_tree_is_found(case in case(BINARY, any_allowed()), means in any_means()) {
        check(&case, means)?;
    }
}

/// A split into 45 children costs more than an `i64` holds; one leaf is best.
#[test]
fn a_price_that_is_too_large_is_refused_or_paid() {
    let rows: Vec<String> = (0..45).map(|row| row.to_string()).collect();
    let odd: Vec<&str> = (0..45).map(|row| ["no", "yes"][row % 2]).collect();
    let columns = vec![Column::from_values("row", &rows), Column::from_values("odd", &odd)];
    let dataset = Table::from_columns(columns).dataset(&Target::Last).unwrap();
    let dataset = dataset.with_weights(&["197000000000000"; 45]).unwrap();
    for engine in [Engine::Paper, Engine::Fast] {
        let solver = Solver::new()
            .encoding(Encoding::Multiway)
            .split_penalty("0.4")
            .price(Price::Leaf)
            .engine(engine);
        if let Ok(solution) = solver.fit(&dataset) {
            assert_eq!(solution.report.splits(), 0);
        }
    }
}

type Checked = Result<(), TestCaseError>;

/// Both engines are held to the oracle's answer: `fast` as people get it, and by the means drawn.
fn check(case: &Case, means: Means) -> Checked {
    let dataset = case.dataset();
    let best = case.question.best();
    let two = NonZeroUsize::new(2).unwrap();
    let fast = case.solver().engine(Engine::Fast);
    let drawn = means.given_to(fast.clone());
    let paper = case.solver().engine(Engine::Paper);
    let solvers = [paper, fast.clone(), fast.threads(two), drawn.clone(), drawn.threads(two)];
    for solver in solvers {
        let fitted = solver.fit(&dataset);
        let Some(best) = best else {
            // No allowed tree begins with the column that is asked for.
            prop_assert!(fitted.is_err());
            continue;
        };
        let solution = fitted.unwrap();
        check_optimum(case, &solution, best)?;
        check_constraints(case, solution.model.tree())?;
        check_first_column(case, &solution.model)?;
        check_model(&solution.model, &dataset)?;
        check_predictions(case, &solution)?;
    }
    Ok(())
}

/// Objective and number of splits are the oracle's.
fn check_optimum(case: &Case, solution: &Solution, (value, splits): (i128, u64)) -> Checked {
    let Solution { model, status, report } = solution;
    prop_assert_eq!(*status, Status::Optimal);
    prop_assert_eq!(report.score.splits, splits, "splits; best value {}", value);

    let ours = i128::from(case.question.whole());
    let (numerator, denominator) = case.question.penalty;
    if case.question.costs.is_none() {
        // The library's unit of weight may differ from the oracle's: compare fractions.
        let theirs: i128 = weight_of(model.tree()).into();
        let found = i128::from(report.score.correct) * denominator
            - numerator * theirs * i128::from(report.score.paid);
        prop_assert_eq!(found * ours, value * theirs, "objective");
    }

    let exact = value as f64 / (ours * denominator) as f64;
    prop_assert!((report.objective - exact).abs() <= 1e-12, "{} {exact}", report.objective);
    prop_assert_eq!(report.upper_bound, report.objective);
    Ok(())
}

/// The weight of all rows, in the tree's unit.
fn weight_of(tree: &Tree) -> u64 {
    tree.node(Tree::ROOT).counts().deciding().iter().sum()
}

/// The tree is one of those that were asked for.
fn check_constraints(case: &Case, tree: &Tree) -> Checked {
    let Allowed { max_depth, min_leaf, size, .. } = &case.allowed;
    prop_assert!(max_depth.is_none_or(|most| tree.depth() <= most as usize), "depth");
    match *size {
        Some(MostSize::Leaves(most)) => prop_assert!(tree.n_leaves() <= most as usize, "leaves"),
        Some(MostSize::Splits(most)) => prop_assert!(tree.n_splits() <= most as usize, "splits"),
        None => {}
    }
    // A leaf that is the whole tree may have too few rows.
    let least = if tree.n_splits() == 0 { 1 } else { min_leaf.unwrap_or(1) };
    for leaf in tree.nodes().iter().filter(|node| node.is_leaf()) {
        prop_assert!(leaf.counts().n_rows() >= least, "rows in a leaf");
    }
    for split in tree.nodes().iter().filter(|node| !node.is_leaf()) {
        prop_assert!(split.children().len() >= 2, "children of a split");
    }
    Ok(())
}

/// The root asks the column that it must ask.
fn check_first_column(case: &Case, model: &Model) -> Checked {
    if let Some(column) = case.question.first_column {
        let root = model.tree().node(Tree::ROOT);
        let Node::Split { feature, .. } = root else { panic!("one leaf") };
        prop_assert_eq!(model.encoder().features()[*feature].column(), column);
    }
    Ok(())
}

/// The model is what it says, and survives being written and read.
fn check_model(model: &Model, dataset: &Dataset) -> Checked {
    let mismatches = model.verify(dataset).unwrap().mismatches;
    prop_assert!(mismatches.is_empty(), "{mismatches:?}");
    prop_assert_eq!(&Model::from_json(&model.to_json()).unwrap(), model);
    Ok(())
}

/// The answers are as many right and cost as much as the report says, and the collapsed model gives the
/// same.
fn check_predictions(case: &Case, solution: &Solution) -> Checked {
    let (model, table) = (&solution.model, case.table());
    let collapsed = model.collapse();
    let answers = model.predict(&table).unwrap();
    let same = collapsed.predict(&table).unwrap();
    let (mut correct, mut cost) = (0, 0);
    for row in case.question.present() {
        prop_assert_eq!(answers[row].class, same[row].class, "row {} after the collapse", row);
        let right = answers[row].class == case.class(row);
        correct += if right { u128::from(case.question.weights[row]) } else { 0 };
        if case.question.costs.is_some() {
            cost += case.question.cost(&[row], case.answer(answers[row].class));
        }
    }
    if let Some(said) = solution.report.cost {
        let share = cost as f64 / case.question.whole() as f64;
        prop_assert!((said.total / said.worst - share).abs() < 1e-12, "{said:?} {share}");
    }
    let (ours, theirs) = (case.question.total_weight(), weight_of(model.tree()));
    let said = u128::from(solution.report.correct_weight);
    prop_assert_eq!(correct * u128::from(theirs), said * u128::from(ours));
    Ok(())
}
