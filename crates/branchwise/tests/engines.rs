//! The engines agree on tables that are too large for the exhaustive oracle, whichever bounds are used
//! however small the memo is, and however many threads search: then even on the tree.
//!
//! Ten thousand tables: `PROPTEST_CASES=10000 cargo test -p branchwise --test engines`.

#![allow(clippy::unwrap_used)] // clippy's own exception for tests stops at their helpers

#[path = "common/means.rs"]
mod means;

use branchwise::data::{Column, Target};
use branchwise::{
    ClassWeight, Costs, Dataset, Decimal, Encoding, Engine, Error, PathPoint, Price, Solution,
    Solver, Table,
};
use means::{Means, any_means};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use std::num::NonZeroUsize;

const CASES: u32 = 300;

/// A path is many searches, and with few leaves, no bounds and hardly a memo some take long.
const PATHS: u32 = 100;

const PENALTIES: [&str; 6] = ["0.002", "0.005", "0.01", "0.0137", "0.02", "0.05"];

fn config(cases: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig {
        cases: asked.unwrap_or(cases),
        failure_persistence: None,
        ..Default::default()
    }
}

/// A table and how to ask for its tree.
#[derive(Clone, Debug)]
struct Case {
    seed: u64,
    n_rows: usize,
    categories: Vec<u32>,
    n_classes: u32,
    /// One class in so many is noise.
    noise: u32,
    weighted: bool,
    penalty: &'static str,
    leaf_price: bool,
    max_depth: Option<u32>,
    min_leaf: u64,
    size: Option<MostSize>,
    /// Numbers to make costs of, by class and answer.
    costs: Option<[[u32; 4]; 4]>,
    balanced: bool,
    first_column: Option<usize>,
    means: Means,
}

/// How large trees may be.
#[derive(Clone, Copy, Debug)]
enum MostSize {
    Leaves(u32),
    Splits(u32),
}

fn any_size() -> impl Strategy<Value = Option<MostSize>> {
    prop_oneof![
        2 => Just(None),
        1 => (2u32..12).prop_map(|most| Some(MostSize::Leaves(most))),
        1 => (1u32..11).prop_map(|most| Some(MostSize::Splits(most))),
    ]
}

fn case() -> impl Strategy<Value = Case> {
    let table = (any::<u64>(), 10usize..90, prop::collection::vec(2u32..5, 3..8), 2u32..5, 2u32..9);
    let settings = (
        prop::bool::weighted(0.3),
        prop::sample::select(PENALTIES.to_vec()),
        prop::bool::weighted(0.3),
        prop::option::weighted(0.25, 1u32..5),
        prop_oneof![4 => Just(1u64), 1 => 2u64..6],
        any_size(),
    );
    let stakes = (
        prop::option::weighted(0.3, prop::array::uniform4(prop::array::uniform4(0u32..7))),
        prop::bool::weighted(0.2),
        prop::option::weighted(0.2, 0usize..3),
    );
    let search = (any_means(), any::<bool>());
    (table, settings, stakes, search).prop_map(|(table, settings, stakes, search)| {
        let (means, all_binary) = search;
        let (costs, balanced, first_column) = stakes;
        let (seed, n_rows, mut categories, n_classes, noise) = table;
        let (weighted, penalty, leaf_price, max_depth, min_leaf, size) = settings;
        if all_binary {
            categories.iter_mut().for_each(|n| *n = 2);
        }
        Case {
            seed,
            n_rows,
            categories,
            n_classes,
            noise,
            weighted,
            penalty,
            leaf_price,
            max_depth,
            min_leaf,
            size,
            costs,
            balanced,
            first_column,
            means,
        }
    })
}

/// A small generator of numbers that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % u64::from(sides)) as u32
    }
}

impl Case {
    /// The class is a sum of two features, but for noise.
    fn dataset(&self) -> Dataset {
        let mut dice = Dice(self.seed | 1);
        let mut rows: Vec<Vec<String>> = vec![Vec::new(); self.categories.len() + 1];
        for _ in 0..self.n_rows {
            let row: Vec<u32> = self.categories.iter().map(|&n| dice.roll(n)).collect();
            let noisy = dice.roll(self.noise) == 0;
            let class =
                if noisy { dice.roll(self.n_classes) } else { (row[0] + row[1]) % self.n_classes };
            for (column, value) in rows.iter_mut().zip(row.iter().chain([&class])) {
                column.push(value.to_string());
            }
        }
        let columns =
            rows.iter().enumerate().map(|(i, values)| Column::from_values(format!("c{i}"), values));
        let dataset = Table::from_columns(columns.collect()).dataset(&Target::Last).unwrap();
        if !self.weighted {
            return dataset;
        }
        let weights: Vec<f64> =
            (0..self.n_rows).map(|_| f64::from(1 + dice.roll(7)) / 2.0).collect();
        dataset.with_weights(&weights).unwrap()
    }

    /// What answers cost, for the classes of the table; a right one costs less than a wrong one.
    fn costs(&self, dataset: &Dataset, numbers: &[[u32; 4]; 4]) -> Costs {
        let classes = dataset.target().values();
        let number = |class: &String| class.parse::<usize>().unwrap();
        let cost = |class: &String, answer: &String| {
            let right = u32::from(class != answer);
            Decimal::from(f64::from(numbers[number(class)][number(answer)] * right + right))
        };
        let row = |class: &String| classes.iter().map(|answer| cost(class, answer)).collect();
        let rows = classes.iter().map(|class| (class.clone(), row(class)));
        Costs::new(classes.to_vec(), rows.collect())
    }

    fn solver(&self, dataset: &Dataset) -> Solver {
        let price = if self.leaf_price { Price::Leaf } else { Price::Split };
        let mut solver = Solver::new()
            .encoding(Encoding::Multiway)
            .split_penalty(self.penalty)
            .price(price)
            .min_leaf(self.min_leaf);
        if let Some(depth) = self.max_depth {
            solver = solver.max_depth(depth);
        }
        solver = match self.size {
            Some(MostSize::Leaves(most)) => solver.max_leaves(most),
            Some(MostSize::Splits(most)) => solver.max_splits(most),
            None => solver,
        };
        if let Some(numbers) = self.costs.as_ref().filter(|_| dataset.target().values().len() > 1) {
            solver = solver.costs(self.costs(dataset, numbers));
        }
        if self.balanced {
            solver = solver.class_weight(ClassWeight::Balanced);
        }
        if let Some(column) = self.first_column {
            solver = solver.first_column(format!("c{column}"));
        }
        solver
    }
}

fn found(solution: &Solution) -> (bool, u64, u64, u64) {
    let score = solution.report.score;
    (solution.status.is_optimal(), score.correct, score.paid, score.splits)
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn engines_and_bounds_agree(case in case()) {
        let dataset = case.dataset();
        let solver = case.solver(&dataset);
        let fast = solver.clone().engine(Engine::Fast);
        let reference = match solver.engine(Engine::Paper).fit(&dataset) {
            Err(Error::FirstColumn { .. }) => {
                let refused = matches!(fast.fit(&dataset), Err(Error::FirstColumn { .. }));
                prop_assert!(refused);
                return Ok(());
            }
            found => found.unwrap(),
        };
        let two = NonZeroUsize::new(2).unwrap();
        let mut bounded = case.means.given_to(fast.clone());
        let mut shared = fast.clone().threads(two);
        if let Some(memo) = case.means.memo {
            bounded = bounded.threads(two);
            shared = shared.memo_limit(memo);
        }
        let canonical = fast.fit(&dataset).unwrap();
        // The same tree of all the optimal ones, whatever the memo holds and whoever searches.
        prop_assert!(shared.fit(&dataset).unwrap().model.tree() == canonical.model.tree());
        // A tree to start from may be larger than is allowed.
        let larger = Case { size: None, ..case.clone() }.solver(&dataset).fit(&dataset).unwrap();
        let started = fast.start_from(larger.model).fit(&dataset).unwrap();
        prop_assert!(started.model.tree() == canonical.model.tree());
        for solution in [canonical, bounded.fit(&dataset).unwrap()] {
            let objectives = (solution.report.objective, reference.report.objective);
            prop_assert_eq!(objectives.0, objectives.1);
            prop_assert_eq!((found(&solution).0, found(&solution).3), (true, found(&reference).3));
            prop_assert!(solution.model.verify(&dataset).unwrap().mismatches.is_empty());
        }
    }
}

proptest! {
    #![proptest_config(config(PATHS))]

    #[test]
    fn the_path_is_what_single_fits_find(case in case()) {
        path_is_what_single_fits_find(&case)?;
    }
}

/// A walk along λ finds what a fit finds at each λ.
fn path_is_what_single_fits_find(case: &Case) -> TestCaseResult {
    let dataset = case.dataset();
    let mut solver = case.means.given_to(case.solver(&dataset).engine(Engine::Fast));
    if case.means.memo.is_some() {
        solver = solver.threads(NonZeroUsize::new(2).unwrap());
    }
    let path = match solver.path(&dataset) {
        Err(Error::FirstColumn { .. }) => return Ok(()),
        path => path.unwrap(),
    };
    prop_assert!(path.stopped.is_none());
    prop_assert!(path.points.windows(2).all(|pair| pair[0].from == pair[1].until));
    let at = |penalty: &str| {
        case.solver(&dataset).split_penalty(penalty).engine(Engine::Paper).fit(&dataset).unwrap()
    };
    for point in &path.points {
        prop_assert!(point.solution.status.is_optimal());
        let penalty = point.solution.model.settings().goal.split_penalty.as_str();
        let fit = at(penalty);
        prop_assert_eq!(point.solution.report.objective, fit.report.objective);
        prop_assert_eq!(found(&point.solution), found(&fit));
        prop_assert!(point.solution.model.verify(&dataset).unwrap().mismatches.is_empty());
        let same = case.solver(&dataset).split_penalty(penalty).engine(Engine::Fast);
        let same = same.bounds(case.means.bounds);
        prop_assert!(same.fit(&dataset).unwrap().model.tree() == point.solution.model.tree());
    }
    let λ_of = |penalty: &str| penalty.parse::<f64>().unwrap();
    for penalty in PENALTIES.iter().filter(|p| λ_of(p) >= λ_of(case.penalty)) {
        let fit = at(penalty);
        let λ = λ_of(penalty);
        let holds = |point: &&PathPoint| point.from.to_f64() <= λ && λ <= point.until.to_f64();
        let mut points = path.points.iter().filter(holds);
        let point = points.next().unwrap();
        // At a crossing several trees are worth the same.
        let report = &point.solution.report;
        let at_own = λ_of(point.solution.model.settings().goal.split_penalty.as_str());
        let worth = report.objective + (at_own - λ) * report.score.paid as f64;
        prop_assert!((worth - fit.report.objective).abs() < 1e-12);
        let apart = |crossing: f64| (crossing - λ).abs() > 1e-12;
        if apart(point.from.to_f64()) && apart(point.until.to_f64()) {
            prop_assert_eq!(found(&point.solution), found(&fit));
        }
    }
    Ok(())
}

/// Paid by leaves, two trees tie at the least λ asked about: the larger one has fewer splits, but is best
/// for no other λ.
#[test]
fn a_tree_that_ties_at_the_floor_is_not_on_the_path() {
    let case = Case {
        seed: 15421178347158758908,
        n_rows: 65,
        categories: vec![4, 2, 2],
        n_classes: 4,
        noise: 8,
        weighted: false,
        penalty: "0.05",
        leaf_price: true,
        max_depth: None,
        min_leaf: 1,
        size: None,
        costs: None,
        balanced: true,
        first_column: None,
        means: Means::default(),
    };
    path_is_what_single_fits_find(&case).unwrap();
}
