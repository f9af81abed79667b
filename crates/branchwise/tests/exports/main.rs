//! Exported models are run, and answer as `predict` does.
//!
//! Random models over columns of every kind are written in every language and asked about random
//! rows, with missing and unheard-of values, by `rustc`, `python3` (which has SQLite), `node` (which
//! runs the script of reports) and, where `BRANCHWISE_EXPORTS_PYTHON` names a Python that has them, DuckDB and ONNX Runtime. What is not
//! there is said, and skipped. `scripts/test.sh` sees to it that everything is there.

#![allow(clippy::unwrap_used, reason = "a test may panic, and so may what it calls")]

mod values;

use branchwise::data::{Column, Roles, Selection, Target, Types};
use branchwise::{
    Costs, Decimal, Encoding, HtmlOptions, Missing, Model, Prediction, Solver, SqlOptions, Table,
    Thresholds,
};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use values::{Cell, Dice, RANKS, SORTS, Sort};

const TRAINING_ROWS: usize = 70;
const LATER_ROWS: usize = 250;

/// How many models to try; `EXPORT_CASES` may ask for more.
fn n_cases() -> u64 {
    std::env::var("EXPORT_CASES").map_or(60, |cases| cases.parse().unwrap())
}

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| (0..n_cases()).map(Case::new).collect());

/// Names that need care in some language, all different even in small letters.
const NAMES: [&str; 16] = [
    "age",
    "first seen",
    "if",
    "größe",
    "a \"quoted\" name",
    "x'y",
    "two\nlines",
    "select",
    "row",
    "Value",
    "label",
    "answer 1",
    "日本",
    "back\\slash",
    "7th",
    "age: Greater",
];

const CLASSES: [&str; 6] = ["yes", "it's \"no\"", "two\nlines", "1", "ü\\", "\u{202e}-- x"];

/// A model, and rows for it.
struct Case {
    number: u64,
    model: Model,
    columns: Vec<(String, Sort)>,
    rows: Vec<Vec<Cell>>,
}

impl Case {
    fn new(number: u64) -> Self {
        let mut dice = Dice::new(number);
        let first = dice.below(NAMES.len());
        let names = NAMES.iter().cycle().skip(first).take(2 + dice.below(4));
        let columns: Vec<(String, Sort)> =
            names.map(|name| (name.to_string(), SORTS[dice.below(SORTS.len())])).collect();
        let n_classes = 2 + dice.below(3);
        let training: Vec<Vec<String>> = columns
            .iter()
            .map(|(_, sort)| (0..TRAINING_ROWS).map(|_| sort.known(&mut dice).text).collect())
            .collect();
        let class = |row: usize, dice: &mut Dice| {
            let seen: usize = training[..2].iter().map(|column| column[row].len()).sum();
            CLASSES[if dice.one_in(3) { dice.below(n_classes) } else { seen % n_classes }]
        };
        let classes: Vec<&str> = (0..TRAINING_ROWS).map(|row| class(row, &mut dice)).collect();
        let model = fitted(&columns, &training, &classes, &mut dice);
        let row = |dice: &mut Dice| columns.iter().map(|(_, sort)| sort.later(dice)).collect();
        let rows = (0..LATER_ROWS).map(|_| row(&mut dice)).collect();
        Case { number, model, columns, rows }
    }

    /// What the model answers, by single rows and by tables alike.
    fn predictions(&self) -> Vec<Prediction<'_>> {
        let column = |(place, (name, _)): (usize, &(String, Sort))| {
            let texts: Vec<&str> = self.rows.iter().map(|row| row[place].text.as_str()).collect();
            Column::from_values(name.clone(), &texts)
        };
        let table = Table::from_columns(self.columns.iter().enumerate().map(column).collect());
        let predictions = self.model.predict(&table).unwrap();
        for (row, prediction) in self.rows.iter().zip(&predictions) {
            let value = |name: &str| {
                let place = self.columns.iter().position(|(column, _)| column == name)?;
                Some(row[place].text.as_str())
            };
            assert_eq!(self.model.predict_row(value), *prediction);
        }
        predictions
    }

    /// Write the model in every language, and the rows with their answers for the checks.
    fn write(&self, folder: &Path) {
        let file = |ending: &str| folder.join(format!("case_{}.{ending}", self.number));
        let query = SqlOptions { table: Some("its \"rows\"".into()), probabilities: true };
        fs::write(file("sql"), self.model.sql(&SqlOptions::default()).unwrap()).unwrap();
        fs::write(file("query.sql"), self.model.sql(&query).unwrap()).unwrap();
        fs::write(file("py"), self.model.python()).unwrap();
        fs::write(file("rs"), self.model.rust()).unwrap();
        fs::write(file("onnx"), self.model.onnx()).unwrap();
        fs::write(file("html"), self.model.html(&HtmlOptions::default())).unwrap();
        let rows: Vec<Value> = (self.rows.iter().zip(self.predictions()))
            .map(|(row, prediction)| {
                let stored: Option<Vec<Value>> =
                    row.iter().map(|cell| cell.stored.clone()).collect();
                let fed = row.iter().map(|cell| cell.fed.clone().unwrap_or(json!(false)));
                json!({
                    "texts": row.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>(),
                    "stored": stored,
                    "fed": fed.collect::<Vec<_>>(),
                    "class": prediction.class,
                    "path": prediction.path,
                    "probabilities": prediction.probabilities,
                })
            })
            .collect();
        let storage: Vec<&str> = self.columns.iter().map(|(_, sort)| sort.storage()).collect();
        let names: Vec<&String> = self.columns.iter().map(|(name, _)| name).collect();
        let case = json!({ "columns": names, "storage": storage, "rows": rows });
        fs::write(file("json"), case.to_string()).unwrap();
    }
}

fn fitted(
    columns: &[(String, Sort)],
    training: &[Vec<String>],
    classes: &[&str],
    dice: &mut Dice,
) -> Model {
    let features = columns.iter().zip(training);
    let features = features.map(|((name, _), texts)| Column::from_values(name.clone(), texts));
    let class = Column::from_values("the \"class\"", classes);
    let named = |sort: Sort| columns.iter().filter(move |column| column.1 == sort);
    let ranks: Vec<String> = RANKS.map(String::from).to_vec();
    let types = Types {
        categorical: Selection::Named(named(Sort::Codes).map(|c| c.0.clone()).collect()),
        ordered: named(Sort::Ranks).map(|c| (c.0.clone(), ranks.clone())).collect(),
        ..Types::default()
    };
    let table = Table::from_columns(features.chain([class]).collect()).with_types(&types).unwrap();
    let mut dataset = table.dataset(Roles::from(Target::Last)).unwrap();
    if dice.one_in(4) {
        let weights: Vec<f64> =
            (0..TRAINING_ROWS).map(|_| [0.5, 1.0, 2.25][dice.below(3)]).collect();
        dataset = dataset.with_weights(&weights).unwrap();
    }
    let encoding = [Encoding::Auto, Encoding::Auto, Encoding::Mixed, Encoding::OneHot];
    let mut solver = Solver::new()
        .split_penalty([0.0, 0.002, 0.01][dice.below(3)])
        .encoding(encoding[dice.below(encoding.len())])
        .thresholds([Thresholds::All, Thresholds::Quantiles(3)][dice.below(2)])
        .missing([Missing::Category, Missing::Category, Missing::Drop][dice.below(3)])
        .max_depth(1 + dice.below(5) as u32)
        .iteration_limit(3000);
    if dice.one_in(3) {
        let classes = dataset.target().values();
        let cost = |dice: &mut Dice| Decimal::from(dice.below(7) as f64 + 0.5);
        let row = |class: &String| {
            (class.clone(), classes.iter().map(|_| cost(dice)).collect::<Vec<_>>())
        };
        let rows = classes.iter().map(row).collect();
        solver = solver.costs(Costs::new(classes.to_vec(), rows));
    }
    if dice.one_in(3) {
        solver = solver.max_categories(3);
    }
    let model = solver.fit(&dataset).unwrap().model;
    if dice.one_in(3) { model.collapse() } else { model }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{stdout}\n{stderr}");
    assert_eq!(stderr, "", "{command:?}");
    stdout
}

/// Let Python compare all cases with what the parts of `check.py` of these names find.
fn check(python: &str, parts: &[&str]) {
    let folder = written(parts);
    run_checks(python, parts, &folder, n_cases() * LATER_ROWS as u64 / 3);
}

/// A folder with all cases.
fn written(parts: &[&str]) -> PathBuf {
    let folder = folder(&format!("exports-{}", parts.join("-")));
    CASES.iter().for_each(|case| case.write(&folder));
    folder
}

fn run_checks(program: &str, parts: &[&str], folder: &Path, at_least: u64) {
    let script = if program == "node" { "check.mjs" } else { "check.py" };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exports").join(script);
    let said = run(Command::new(program).arg(script).arg(folder).args(parts));
    for part in parts {
        let line = said.lines().find(|line| line.starts_with(&format!("{part}: ")));
        let rows: u64 = line.and_then(|line| line.split(' ').nth(1)?.parse().ok()).unwrap();
        assert!(rows > at_least, "{said}");
    }
}

/// A chain of this many splits, each below the one before.
fn deep(n_splits: usize) -> Case {
    let numbers: Vec<String> = (0..=n_splits).map(|number| number.to_string()).collect();
    let classes: Vec<&str> = (0..=n_splits).map(|number| ["even", "odd"][number % 2]).collect();
    let columns = vec![Column::from_values("x", &numbers), Column::from_values("class", &classes)];
    let dataset = Table::from_columns(columns).dataset(Target::Last).unwrap();
    // Nothing is paid for splits, so that this tree, which makes no mistake, is an optimal one.
    let solver = Solver::new().thresholds(Thresholds::All).split_penalty(0.0).iteration_limit(0);
    let fitted = solver.fit(&dataset).unwrap().model;
    let mut model: Value = serde_json::from_str(&fitted.to_json()).unwrap();
    let counts = |from: usize| {
        let n_odd = (from..=n_splits).filter(|number| number % 2 == 1).count();
        json!({ "rows": [n_splits + 1 - from - n_odd, n_odd] })
    };
    let leaf = |class: usize| json!({ "leaf": { "counts": { "rows": [1 - class, class] } } });
    let mut nodes = Vec::new();
    for place in 0..n_splits {
        let child = |answer: usize, node: usize| json!({ "categories": [answer], "node": node });
        let children = [child(0, 2 * place + 2), child(1, 2 * place + 1)];
        let counts = counts(place);
        nodes
            .push(json!({ "split": { "feature": place, "children": children, "counts": counts } }));
        nodes.push(leaf(place % 2));
    }
    nodes.push(leaf(n_splits % 2));
    model["tree"]["nodes"] = Value::from(nodes);
    model["summary"] = json!({
        "optimal": true, "objective": 1.0, "upper_bound": 1.0, "accuracy": 1.0, "splits": n_splits,
        "seconds": 1.0, "iterations": 1,
    });
    let model = Model::from_json(&model.to_string()).unwrap();
    let mut dice = Dice::new(1);
    let rows =
        (0..LATER_ROWS).map(|_| vec![values::whole_below(n_splits + 2, &mut dice)]).collect();
    Case { number: 0, model, columns: vec![("x".into(), Sort::Wholes)], rows }
}

#[test]
fn deep_trees_answer_too() {
    let Some(python) = std::env::var_os("BRANCHWISE_EXPORTS_PYTHON") else {
        eprintln!("SKIPPED: BRANCHWISE_EXPORTS_PYTHON names no Python to run deep trees with");
        return;
    };
    let folder = folder("exports-deep");
    deep(300).write(&folder);
    run_checks(&python.to_string_lossy(), &["python", "duckdb", "onnx"], &folder, 200);
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    for edition in EDITIONS {
        let flags = ["--emit=metadata", "--crate-type", "lib", "-D", "warnings", "case_0.rs"];
        run(Command::new(&rustc).current_dir(&folder).args(["--edition", edition]).args(flags));
    }
    // No depth exhausts the stack of the writer.
    let model = deep(1500).model;
    let sizes = [
        model.sql(&SqlOptions::default()).unwrap().len(),
        model.python().len(),
        model.rust().len(),
        model.onnx().len(),
    ];
    assert!(sizes.iter().all(|&size| size > 1500), "{sizes:?}");
}

#[test]
fn pages_answer_as_predict_does() {
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("SKIPPED: no node to run the script of reports with");
        return;
    }
    let folder = written(&["page"]);
    deep(300).write(&folder);
    run_checks("node", &["page"], &folder, n_cases() * LATER_ROWS as u64 / 2);
}

#[test]
fn python_and_sqlite_answer_as_predict_does() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: no python3 to run exported models with");
        return;
    }
    check("python3", &["python", "sqlite"]);
}

#[test]
fn duckdb_and_onnx_answer_as_predict_does() {
    let Some(python) = std::env::var_os("BRANCHWISE_EXPORTS_PYTHON") else {
        eprintln!(
            "SKIPPED: BRANCHWISE_EXPORTS_PYTHON names no Python with DuckDB and ONNX Runtime to run \
             exported models with; scripts/test.sh does"
        );
        return;
    };
    check(&python.to_string_lossy(), &["duckdb", "onnx"]);
}

/// Every edition of Rust.
const EDITIONS: [&str; 4] = ["2015", "2018", "2021", "2024"];

/// What the compiled models are asked by: values and rows separated by control characters.
const ASKING: &str = r#"
fn main() {
    let path = std::env::args().nth(1).unwrap();
    for case in std::fs::read_to_string(path).unwrap().split('\u{1c}') {
        let mut lines = case.split('\u{1e}');
        let number = lines.next().unwrap();
        let names: Vec<&str> = lines.next().unwrap().split('\u{1f}').collect();
        for line in lines {
            let texts: Vec<&str> = line.split('\u{1f}').collect();
            let value = |name: &str| texts.get(names.iter().position(|n| *n == name)?).copied();
            let (class, shares) = ask(number, &value);
            print!("{class}\u{1f}{shares:?}\u{1e}");
        }
    }
}
"#;

#[test]
fn rust_answers_as_predict_does() {
    let folder = folder("exports-rust");
    let mut modules = String::new();
    let mut arms = String::new();
    let (mut asked, mut expected) = (Vec::new(), String::new());
    for case in CASES.iter() {
        let number = case.number;
        fs::write(folder.join(format!("case_{number}.rs")), case.model.rust()).unwrap();
        modules += &format!("mod case_{number};\n");
        arms += &format!(
            "        \"{number}\" => (case_{number}::predict(value), \
             case_{number}::probabilities(value).to_vec()),\n"
        );
        let names: Vec<&str> = case.columns.iter().map(|(name, _)| name.as_str()).collect();
        let texts = |row: &Vec<Cell>| -> String {
            row.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join("\u{1f}")
        };
        let mut lines = vec![number.to_string(), names.join("\u{1f}")];
        lines.extend(case.rows.iter().map(texts));
        asked.push(lines.join("\u{1e}"));
        for Prediction { class, probabilities, .. } in case.predictions() {
            expected += &format!("{class}\u{1f}{probabilities:?}\u{1e}");
        }
    }
    let ask = format!(
        "fn ask<'v>(case: &str, value: &impl Fn(&str) -> Option<&'v str>) -> (&'static str, Vec<f64>) {{\n    \
         match case {{\n{arms}        _ => unreachable!(),\n    }}\n}}\n"
    );
    fs::write(folder.join("main.rs"), format!("{modules}{ask}{ASKING}")).unwrap();
    fs::write(folder.join("rows.txt"), asked.join("\u{1c}")).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compile = |edition: &str, flags: &[&str]| {
        let mut command = Command::new(&rustc);
        let command = command.current_dir(&folder).args(["--edition", edition, "-D", "warnings"]);
        run(command.args(flags).arg("main.rs"));
    };
    EDITIONS.iter().for_each(|edition| compile(edition, &["--emit=metadata"]));
    let program = folder.join(format!("main{}", std::env::consts::EXE_SUFFIX));
    compile(EDITIONS[0], &["-o", &program.to_string_lossy()]);
    let found = run(Command::new(program).arg(folder.join("rows.txt")));
    for (place, (found, expected)) in
        found.split('\u{1e}').zip(expected.split('\u{1e}')).enumerate()
    {
        assert_eq!(found, expected, "row {} of case {}", place % LATER_ROWS, place / LATER_ROWS);
    }
    assert_eq!(found.len(), expected.len());
}
