//! `fit`: tables in, trees out.

use crate::util::{COLOURS, Dir};
use serde_json::Value;

#[test]
fn builtin_tables_are_fitted_at_once() {
    for (name, rows, line) in [
        ("tic-tac-toe", "958 rows", "└── x → x won"),
        ("balance-scale", "625 rows", "left distance ≤ 1.5?"),
        ("monk1", "432 rows", "│   ├── octagon → monk "),
        ("monk2", "432 rows", "→ other  432 rows   67.1 %"),
        ("monk3", "432 rows", "└── "),
    ] {
        let fit = Dir::new().run(&format!("fit --builtin {name}")).expect(0);
        let fit = fit.says(&format!("{name}: {rows}")).prints(line).prints("→ ");
        let fit = fit.prints("proven optimal").prints(&format!("on {rows}"));
        let _ = fit.prints("Size       ").prints("Search     ");
    }
}

#[test]
fn a_tree_in_words() {
    let dir = Dir::with("table.csv", COLOURS);
    let fit = dir.run("fit table.csv").expect(0);
    let words = "\
colour?        5 rows
├── blue → b   2 rows  100.0 %
├── green → a  1 row   100.0 %
└── red → a    2 rows  100.0 %

Objective  0.990000  proven optimal
Accuracy   1.000000  on 5 rows
Size       1 split, 3 leaves, depth 1
Offered    2 splits, with every threshold
Search     ";
    let _ = fit.prints(words);
    let _ = dir.run("fit table.csv --collapse").expect(0).prints("└── green, red → a  3 rows");
    assert_eq!(dir.names(), ["table.csv"], "nothing is written without --out");
}

#[test]
fn what_was_assumed_is_said() {
    let headed = "a,b,class\n0,0,y\n1,0,n\n";
    let headless = "0,1,y\n1,0,n\n0,1,y\n";
    for (table, options, remark) in [
        (headed.to_string(), "", "2 rows, 3 columns, separated by comma, the first line as names"),
        (headed.replace(',', ";"), "", "separated by semicolon, the first line as names"),
        (headed.replace(',', "\t"), "", "separated by tab, the first line as names"),
        (headed.replace(',', "   "), "", "separated by spaces, the first line as names"),
        (headed.into(), "--no-header", "3 rows, 3 columns, separated by comma, no header"),
        (headless.into(), "", "3 rows, 3 columns, separated by comma, no header"),
        (headless.into(), "--header", "2 rows, 3 columns, separated by comma, the first line"),
        (headed.replace(',', ";"), "--delimiter semicolon", "separated by semicolon"),
        (headed.replace(',', " , "), "--delimiter comma", "3 columns, separated by comma"),
        (headed.replace('\n', "\r\n"), "", "2 rows, 3 columns"),
        (format!("\n\n{headed}\n\n"), "", "2 rows, 3 columns"),
        (format!("\u{feff}{headed}"), "--target class", "2 rows, 3 columns"),
        (headed.trim_end().into(), "", "2 rows, 3 columns"),
    ] {
        let dir = Dir::new();
        let fit = dir.branchwise(&format!("fit - {options}")).input(&table).run();
        let _ = fit.expect(0).says("standard input: ").says(remark);
        let fit = dir.branchwise(&format!("fit - --quiet {options}")).input(&table).run();
        let _ = fit.expect(0).says_nothing();
    }
}

#[test]
fn odd_values_are_values() {
    for (table, phrase) in [
        ("größe,x,klasse\n大,0,はい\n小,0,いいえ\n", "├── 大 → はい"),
        ("a,b,class\n\"x, \"\"y\"\"\",0,y\n1,0,n\n", "x, \"y\" → y"),
        ("a,b,class\n\"two\nlines\",0,y\n1,0,n\n", "two\\nlines → y"),
        ("a,b,class\n\u{1b}[31m,0,y\n1,0,n\n", "\\u{1b}[31m → y"),
        ("a,b,class\n,0,y\n1,0,n\n", "a = missing?"),
        ("a,b,class\n,0,y\nw,0,n\n", "missing → y"),
        ("a,,class\n0,0,y\n1,0,n\n", "├── 0 → y"),
    ] {
        let _ = Dir::new().branchwise("fit -").input(table).run().expect(0).prints(phrase);
    }
    let long = "x".repeat(3_000_000);
    let table = format!("a,class\n{long},y\n1,n\n");
    let _ = Dir::new().branchwise("fit -").input(table).run().expect(0).prints("proven optimal");
}

#[test]
fn the_target_is_named_counted_or_last() {
    let dir = Dir::with("table.csv", COLOURS);
    for (target, name) in
        [("last", "class"), ("class", "class"), ("3", "class"), ("size", "size"), ("1", "colour")]
    {
        let fit = dir.run(&format!("fit table.csv --target {target} --json")).expect(0);
        assert_eq!(fit.json()["target"], name, "{target}");
    }
}

#[test]
fn settings_reach_the_search() {
    let dir = Dir::new();
    for (options, objective, features, (key, most)) in [
        ("", 0.9, 6, ("splits", 10)),
        ("--max-depth 2", 0.79 + 0.01 / 3.0, 6, ("depth", 2)),
        ("--max-leaves 5", 0.74, 6, ("leaves", 5)),
        ("--max-splits 3", 0.7477777777777778, 6, ("splits", 3)),
        ("--split-penalty 0.03", 0.72, 6, ("splits", 1)),
        ("--lambda 0.03", 0.72, 6, ("splits", 1)),
        ("--price leaf", 0.75 + 0.01 / 3.0, 6, ("leaves", 9)),
        ("--encoding multiway", 0.9, 6, ("splits", 10)),
        ("--encoding one-hot", 0.94, 17, ("splits", 6)),
        ("--encoding one-hot-drop-first --max-splits 3", 0.80 + 0.01 / 3.0, 11, ("leaves", 4)),
        ("--encoding one-hot-drop-last --max-splits 3", 0.80 + 0.01 / 3.0, 11, ("leaves", 4)),
    ] {
        let fit = dir.run(&format!("fit --builtin monk1 --json {options}")).expect(0).json();
        assert!((fit["objective"].as_f64().unwrap() - objective).abs() < 1e-9, "{options}: {fit}");
        assert_eq!(fit["features"], features, "{options}: {fit}");
        assert!(fit[key].as_u64().unwrap() <= most, "{options}: {fit}");
    }
}

#[test]
fn leaves_have_the_rows_they_are_asked_to_have() {
    let dir = Dir::new();
    let _ = dir.run("fit --builtin tic-tac-toe --min-leaf 100 --out model.json").expect(0);
    let model: Value = serde_json::from_str(&dir.read("model.json")).unwrap();
    let nodes = model["tree"]["nodes"].as_array().unwrap();
    let rows = |leaf: &Value| -> u64 {
        leaf["counts"]["rows"].as_array().unwrap().iter().filter_map(Value::as_u64).sum()
    };
    let leaves: Vec<u64> = nodes.iter().filter_map(|node| node.get("leaf")).map(rows).collect();
    assert!(leaves.len() > 1 && leaves.iter().all(|&rows| rows >= 100), "{leaves:?}");
}

#[test]
fn one_json_object_on_one_line() {
    let keys: Vec<&str> =
        "schema status stopped_by objective upper_bound gap relative_gap accuracy correct_weight \
        cost worst_cost paid splits leaves depth seconds threads iterations expansions evaluations complexity_bound \
        memo_size memo_hits peak_bytes engine split_penalty price encoding thresholds \
        max_categories missing first_column class_weights target rows dropped_rows distinct_rows features \
        constant_features repeated_features classes header columns"
            .split(' ')
            .collect();
    for (options, code, status) in [("", 0, "optimal"), ("--iteration-limit 1", 3, "stopped")] {
        let fit = Dir::new().run(&format!("fit --builtin monk1 --json {options}")).expect(code);
        let object = fit.json();
        let places: Vec<_> =
            keys.iter().map(|key| fit.stdout.find(&format!("\"{key}\":"))).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{object}");
        assert_eq!(object.as_object().unwrap().len(), keys.len());
        assert_eq!(object["status"], status);
        let number = |key: &str| object[key].as_f64().unwrap();
        assert!((number("upper_bound") - number("objective") - number("gap")).abs() < 1e-12);
        assert_eq!((object["rows"].as_u64(), object["classes"].as_u64()), (Some(432), Some(2)));
    }
}

#[test]
fn help_version_and_completions() {
    let dir = Dir::new();
    for (line, phrase) in [
        ("--help", "branchwise fit --builtin tic-tac-toe"),
        ("fit --help", "Exit status: 0 proven optimal"),
        ("--version", concat!("branchwise ", env!("CARGO_PKG_VERSION"))),
        ("completions bash", "_branchwise()"),
        ("completions zsh", "#compdef branchwise"),
        ("completions fish", "complete -c branchwise"),
    ] {
        let _ = dir.run(line).expect(0).says_nothing().prints(phrase);
    }
    let _ = dir.run("").expect(2).says("Usage: branchwise [OPTIONS] <COMMAND>");
}

#[test]
fn a_million_rows() {
    let rows = ["a,x,1\n", "b,x,0\n", "a,y,1\n", "b,y,1\n", "c,z,0\n"].concat();
    let table = format!("p,q,class\n{}", rows.repeat(200_000));
    let fit = Dir::new().branchwise("fit - --json").input(table).run().expect(0);
    let fit = fit.says("1,000,000 rows").json();
    assert_eq!((fit["rows"].as_u64(), fit["distinct_rows"].as_u64()), (Some(1_000_000), Some(5)));
}
