//! Stopped at any moment, the solver has a tree, and a bound that no tree exceeds.

#![allow(clippy::unwrap_used, reason = "a test may panic, and so may what it calls")]

use branchwise::data::{Column, Target};
use branchwise::search::{Observer, Progress, TracePoint};
use branchwise::{
    Builtin, Dataset, Encoding, Engine, Solution, Solver, Status, StopFlag, StopReason, Table,
};
use std::time::Duration;

/// Every engine is held to the same promises.
const ENGINES: [Engine; 2] = [Engine::Paper, Engine::Fast];

const TABLES: [(Builtin, f64); 6] = [
    (Builtin::Monk1, 0.01),
    (Builtin::Monk2, 0.01),
    (Builtin::Monk2, 0.001),
    (Builtin::TicTacToe, 0.01),
    (Builtin::BalanceScale, 0.01),
    (Builtin::BalanceScale, 0.005),
];

/// Three columns and a class, on which a good tree is found below a split that another overtakes.
const OVERTAKEN: [&str; 10] =
    ["1001", "0121", "2110", "2101", "0020", "0011", "2000", "2121", "2111", "1011"];

/// What rounding may do to an objective.
const ROUNDING: f64 = 1e-12;

fn for_each_table(check: impl Fn(&Solver, &Dataset, &str)) {
    for engine in ENGINES {
        for (table, penalty) in TABLES {
            let solver =
                Solver::new().encoding(Encoding::Multiway).split_penalty(penalty).engine(engine);
            let name = format!("{} with λ = {penalty}, {}", table.name(), engine.name());
            check(&solver, &table.dataset().unwrap(), &name);
        }
    }
}

fn assert_verifies(solution: &Solution, dataset: &Dataset, name: &str) {
    let mismatches = solution.model.verify(dataset).unwrap().mismatches;
    assert!(mismatches.is_empty(), "{name}: {mismatches:?}");
}

#[test]
fn more_iterations_never_make_it_worse() {
    for_each_table(|solver, dataset, name| {
        let optimum = solver.fit(dataset).unwrap().report.objective;
        let (mut objective, mut upper_bound) = (0.0, 1.0);
        for iterations in [0].into_iter().chain((0..).map(|power| 1 << power)) {
            let solution = solver.clone().iteration_limit(iterations).fit(dataset).unwrap();
            let name = format!("{name}, {iterations} iterations");
            assert_verifies(&solution, dataset, &name);
            let report = &solution.report;
            assert!(report.objective >= objective, "{name}: the objective fell");
            assert!(report.upper_bound <= upper_bound, "{name}: the bound rose");
            assert!(report.objective <= optimum + ROUNDING, "{name}: above the optimum");
            assert!(report.upper_bound >= optimum - ROUNDING, "{name}: a wrong bound");
            assert!(report.counters.iterations <= iterations, "{name}: too many iterations");
            (objective, upper_bound) = (report.objective, report.upper_bound);
            if solution.status.is_optimal() {
                assert_eq!((report.objective, report.gap()), (optimum, 0.0), "{name}");
                break;
            }
            assert_eq!(solution.status, Status::Stopped(StopReason::Iterations), "{name}");
            assert!(report.gap() > 0.0, "{name}: stopped without a gap");
        }
    });
}

fn overtaken() -> Dataset {
    let column = |place: usize| {
        let values: Vec<&str> = OVERTAKEN.iter().map(|row| &row[place..=place]).collect();
        Column::from_values(format!("column {place}"), &values)
    };
    Table::from_columns((0..4).map(column).collect()).dataset(&Target::Last).unwrap()
}

#[test]
fn no_single_iteration_makes_it_worse() {
    for engine in ENGINES {
        let (mut objective, mut upper_bound) = (0.0, 1.0);
        for iterations in 0..20 {
            let solver = Solver::new()
                .encoding(Encoding::Multiway)
                .engine(engine)
                .iteration_limit(iterations);
            let report = solver.fit(&overtaken()).unwrap().report;
            assert!(report.objective >= objective, "iteration {iterations}: the objective fell");
            assert!(report.upper_bound <= upper_bound, "iteration {iterations}: the bound rose");
            (objective, upper_bound) = (report.objective, report.upper_bound);
        }
    }
}

#[test]
fn the_trace_of_a_stopped_search_ends_at_the_answer() {
    for engine in ENGINES {
        for iterations in 0..20 {
            let solver = Solver::new()
                .encoding(Encoding::Multiway)
                .engine(engine)
                .iteration_limit(iterations);
            let report = solver.fit(&overtaken()).unwrap().report;
            let last = report.trace.last().unwrap();
            assert!((last.objective - report.objective).abs() < ROUNDING, "{iterations}: {last:?}");
        }
    }
}

#[test]
fn every_limit_stops_with_a_valid_tree() {
    let raised = StopFlag::default();
    raised.raise();
    for_each_table(|solver, dataset, name| {
        let optimum = solver.fit(dataset).unwrap().report.objective;
        let solver = || solver.clone();
        for (limited, reason) in [
            (solver().time_limit(Duration::ZERO), StopReason::Time),
            (solver().memory_limit(1), StopReason::Memory),
            (solver().iteration_limit(0), StopReason::Iterations),
            (solver().stop_flag(raised.clone()), StopReason::Interrupted),
        ] {
            let solution = limited.fit(dataset).unwrap();
            assert_eq!(solution.status, Status::Stopped(reason), "{name}");
            assert_eq!(solution.model.summary().stopped_by, Some(reason), "{name}");
            assert_verifies(&solution, dataset, name);
            let report = &solution.report;
            assert!(report.objective <= optimum && optimum <= report.upper_bound, "{name}");
            assert!(report.gap() > 0.0, "{name}: {reason}");
        }
    });
}

#[test]
fn a_memory_limit_is_kept() {
    for_each_table(|solver, dataset, name| {
        let bytes = |solver: &Solver| solver.fit(dataset).unwrap().report.counters.peak_bytes;
        let (first, peak) = (bytes(&solver.clone().iteration_limit(0)), bytes(solver));
        let limit = first.midpoint(peak);
        let solution = solver.clone().memory_limit(limit).fit(dataset).unwrap();
        // The memo of `fast` makes do with less; `paper` must stop.
        let stopped = solution.status == Status::Stopped(StopReason::Memory);
        let bounded = name.ends_with("fast") && solution.status.is_optimal();
        assert!(stopped || bounded || limit == peak, "{name}: {first} to {peak} bytes");
        let kept = solution.report.counters.peak_bytes;
        // These tables are tiny: a single buffer may be larger than a tenth of the limit.
        let slack = if name.ends_with("fast") { 1 << 16 } else { 0 };
        assert!(kept <= limit + slack, "{name}: {kept} of {limit} bytes, {first} to {peak}");
        assert_verifies(&solution, dataset, name);
    });
}

/// Notes what it is told.
#[derive(Default)]
struct Witness {
    moves: Vec<Progress>,
}

impl Observer for Witness {
    fn moved(&mut self, progress: &Progress) {
        self.moves.push(*progress);
    }
}

#[test]
fn the_trace_is_monotone_and_ends_at_the_answer() {
    for_each_table(|solver, dataset, name| {
        for limited in [solver.clone(), solver.clone().iteration_limit(50)] {
            let Solution { report, status, .. } = limited.fit(dataset).unwrap();
            for pair in report.trace.windows(2) {
                let (before, after) = (pair[0], pair[1]);
                assert!(before.seconds <= after.seconds, "{name}: time runs backwards");
                assert!(before.objective <= after.objective, "{name}: the objective fell");
                assert!(before.upper_bound >= after.upper_bound, "{name}: the bound rose");
            }
            let last = report.trace.last().unwrap();
            // The tree that a stopped search reads off may be better than it knew.
            assert!(last.objective <= report.objective + ROUNDING, "{name}: {last:?}");
            assert!((last.upper_bound - report.upper_bound).abs() < ROUNDING, "{name}: {last:?}");
            let found = (last.objective - report.objective).abs() < ROUNDING;
            assert!(found || !status.is_optimal(), "{name}: {last:?}");
        }
    });
}

#[test]
fn an_observer_sees_the_trace() {
    for_each_table(|solver, dataset, name| {
        let mut witness = Witness::default();
        let report = solver.fit_observed(dataset, &mut witness).unwrap().report;
        let point = |&Progress { seconds, objective, upper_bound, .. }: &Progress| TracePoint {
            seconds,
            objective,
            upper_bound,
        };
        let seen: Vec<TracePoint> = witness.moves.iter().map(point).collect();
        assert_eq!(seen, report.trace, "{name}");
        let iterations: Vec<u64> = witness.moves.iter().map(|moved| moved.iterations).collect();
        assert!(iterations.is_sorted(), "{name}: {iterations:?}");
    });
}
