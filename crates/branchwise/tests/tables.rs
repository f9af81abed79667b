//! A table is the same table however its rows are given, and more splits are never worse.

#![allow(clippy::unwrap_used, reason = "a test may panic, and so may what it calls")]

use branchwise::data::{Column, ReadOptions, Roles, Target, read_table};
use branchwise::{Encoding, Model, Solution, Solver, Table};
use proptest::prelude::*;

const CASES: u32 = 300;

fn config() -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let cases = asked.unwrap_or(CASES);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Values of three columns, a class, and how often the row comes.
type Row = (usize, usize, usize, usize, usize);

const COLOURS: [&str; 4] = ["red", "green", "blue", ""];
const AGES: [&str; 6] = ["7", "18", "18.0", "41.5", "NA", "60"];
const DAYS: [&str; 4] = ["2024-01-01", "2024-01-02", "2024-03-01", "2025-01-01"];
const CLASSES: [&str; 3] = ["a", "b", "c"];
const WEIGHTS: [&str; 3] = ["1", "0.5", "2.25"];

fn rows() -> impl Strategy<Value = Vec<Row>> {
    prop::collection::vec((0..4usize, 0..6usize, 0..4usize, 0..3usize, 1..4usize), 2..30)
}

/// The table as text; `repeat`: rows come as often as they count, else they say how often.
fn text(rows: &[Row], repeat: bool) -> String {
    let mut text = String::from("colour,age,day,times,worth,class\n");
    for (number, &(colour, age, day, class, times)) in rows.iter().enumerate() {
        let (said, written) = if repeat { (1, times) } else { (times, 1) };
        let (colour, age, day) = (COLOURS[colour], AGES[age], DAYS[day]);
        let (worth, class) = (WEIGHTS[number % 3], CLASSES[class]);
        let line = format!("{colour},{age},{day},{said},{worth},{class}\n");
        text += &line.repeat(written);
    }
    text
}

fn read(text: &str, merge: bool) -> Table {
    let options =
        ReadOptions { header: branchwise::data::Header::Present, merge, ..Default::default() };
    read_table(text.as_bytes(), &options).unwrap().0
}

fn roles(weighted: bool) -> Roles {
    let weight = weighted.then(|| "worth".to_string());
    let ignored = if weighted { Vec::new() } else { vec!["worth".to_string()] };
    Roles { count: Some("times".into()), weight, ignored, target: Target::Last }
}

fn fit(solver: &Solver, table: Table, weighted: bool) -> Solution {
    solver.fit(&table.dataset(roles(weighted)).unwrap()).unwrap()
}

/// Tree and objective, without the time that it took.
fn answer(
    solution: &Solution,
) -> (&branchwise::tree::Tree, &branchwise::encode::Encoder, f64, u64) {
    let (model, report) = (&solution.model, &solution.report);
    (model.tree(), model.encoder(), report.objective, report.reduction.rows)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn counted_merged_and_repeated_rows_are_the_same(
        rows in rows(),
        weighted: bool,
        min_leaf in 1u64..5,
        encoding in prop::sample::select(Encoding::ALL.to_vec()),
    ) {
        let solver = Solver::new().encoding(encoding).min_leaf(min_leaf).split_penalty(0.02);
        let solver = solver.thresholds(branchwise::Thresholds::Quantiles(2)).max_categories(3);
        let repeated = fit(&solver, read(&text(&rows, true), false), weighted);
        for (repeat, merge) in [(false, false), (true, true), (false, true)] {
            let table = read(&text(&rows, repeat), merge);
            let other = fit(&solver, table.clone(), weighted);
            prop_assert_eq!(answer(&other), answer(&repeated));
            let dataset = table.dataset(other.model.roles()).unwrap();
            prop_assert!(other.model.verify(&dataset).unwrap().mismatches.is_empty());
        }
        let mut shuffled = rows.clone();
        shuffled.reverse();
        if !weighted {
            let reversed = fit(&solver, read(&text(&shuffled, true), true), weighted);
            prop_assert_eq!(answer(&reversed), answer(&repeated), "in another order");
        }
    }

    #[test]
    fn both_kinds_of_splits_are_at_least_as_good_as_either(rows in rows()) {
        let objective = |encoding| {
            let solver = Solver::new().encoding(encoding).split_penalty(0.03);
            fit(&solver, read(&text(&rows, true), true), false).report.objective
        };
        let mixed = objective(Encoding::Mixed);
        prop_assert!(mixed >= objective(Encoding::Multiway));
        prop_assert!(mixed >= objective(Encoding::OneHot));
    }

    #[test]
    fn a_model_answers_rows_as_its_file_does(rows in rows()) {
        let table = read(&text(&rows, true), false);
        let solution = fit(&Solver::new().split_penalty(0.01), table.clone(), false);
        let model = Model::from_json(&solution.model.to_json()).unwrap();
        prop_assert_eq!(&model, &solution.model);
        let answers = model.predict(&table).unwrap();
        for (row, answer) in answers.iter().enumerate() {
            let one = model.predict_row(|name| table.column(name)?.value(row));
            prop_assert_eq!(&one, answer);
        }
    }
}

#[test]
fn new_values_are_answered_where_they_stand() {
    let ages = ["20", "30", "40", "50", "", "60"];
    let class = ["no", "no", "no", "yes", "maybe", "yes"];
    let columns = vec![Column::from_values("age", &ages), Column::from_values("class", &class)];
    let dataset = Table::from_columns(columns).dataset(Target::Last).unwrap();
    let model = Solver::new().fit(&dataset).unwrap().model;
    let drawing = "\
age ≤ 45?            6 rows
├── yes → no         3 rows  100.0 %
├── no → yes         2 rows  100.0 %
└── missing → maybe  1 row   100.0 %
";
    assert_eq!(model.text(), drawing);
    let answer = |age: &'static str| model.predict_row(|_| Some(age));
    for (age, class, node) in [
        ("45", "no", 2),
        ("45.0", "no", 2),
        ("4.5e1", "no", 2),
        ("45.0000000000000000000001", "yes", 1),
        ("-3", "no", 2),
        ("NA", "maybe", 3),
        ("", "maybe", 3),
        ("forty", "no", 0),
    ] {
        let found = answer(age);
        assert_eq!((found.class, found.node.0), (class, node), "{age}");
    }
    assert_eq!(model.predict_row(|_| None).class, "maybe");
}

/// A column that was not kept when a table was read is missed, whatever stands in its place.
#[test]
fn columns_that_were_not_kept_are_missed() {
    let text = "1,a,x\n2,b,y\n1,a,x\n2,b,y\n";
    let header = branchwise::data::Header::Absent;
    let options = ReadOptions { header, ..ReadOptions::default() };
    let (table, _) = read_table(text.as_bytes(), &options).unwrap();
    let dataset = table.clone().dataset(Target::Last).unwrap();
    let model = Solver::new().fit(&dataset).unwrap().model;
    assert_eq!(model.evaluate(&table).unwrap().correct, 4);
    for (skipped, phrase) in [("1", "needs the column \"x1\""), ("3", "no column \"x3\"")] {
        let options = ReadOptions { skip: vec![skipped.to_string()], ..options.clone() };
        let (table, _) = read_table(text.as_bytes(), &options).unwrap();
        let message = model.evaluate(&table).unwrap_err().to_string();
        assert!(message.contains(phrase), "{message}");
    }
}
