//! The program as its users meet it: arguments and files in, text, files and exit status out.

#![allow(clippy::unwrap_used)] // clippy's own exception for tests stops at their helpers

mod util;

use serde_json::{Value, json};
use std::fs::File;
use std::io::Read;
use std::thread::sleep;
use std::time::Duration;
use util::{Dir, Outcome, noise, numbered};

/// One column decides, in one split.
const COLOURS: &str = "\
colour,size,class
red,1,a
blue,2,b
red,1,a
blue,1,b
green,1,a
";

/// The shape comes first; then the colour, of which "round" has only two.
const SHAPES: &str = "\
shape,colour,class
round,red,a
round,blue,b
square,red,b
square,blue,a
square,green,a
square,yellow,b
hexagon,red,c
hexagon,blue,c
hexagon,green,c
hexagon,yellow,c
";

/// A directory with a table and the model fitted to it.
fn fitted(table: &str, options: &str) -> Dir {
    let dir = Dir::with("table.csv", table);
    let fit = dir.run(&format!("fit table.csv --quiet --out model.json {options}"));
    let _ = fit.expect(0).says_nothing();
    dir
}

// ---------------------------------------------------------------------------------------------
// A new user

#[test]
fn builtin_tables_are_fitted_at_once() {
    for (name, rows, line) in [
        ("tic-tac-toe", "958 rows", "└── x → x won"),
        ("balance-scale", "625 rows", "left weight?"),
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
Search     ";
    let _ = fit.prints(words);
    let _ = dir.run("fit table.csv --collapse").expect(0).prints("└── green, red → a  3 rows");
    assert_eq!(dir.names(), ["table.csv"], "nothing is written without --out");
}

#[test]
fn a_model_is_shown_in_every_form() {
    let dir = fitted(COLOURS, "");
    assert_eq!(dir.names(), ["model.json", "table.csv"]);
    for (options, phrase) in [
        ("", "├── green → a  1 row   100.0 %\n"),
        ("--as text --collapse", "└── green, red → a  3 rows  100.0 %\n"),
        ("--as dot", "digraph tree {"),
        ("--as dot --collapse", "label=\" green, red \""),
        ("--as svg", "<svg xmlns="),
        ("--as svg --collapse", "1 split and 2 leaves"),
        ("--as json", "\"format\": \"branchwise-model\""),
        ("--as json --collapse", "\"categories\": ["),
    ] {
        let show = dir.run(&format!("show model.json {options}"));
        let _ = show.expect(0).says_nothing().prints(phrase);
    }
    let _ = dir.run("show model.json --as json").prints_only(&dir.read("model.json"));
    let piped = dir.branchwise("show -").input(dir.read("model.json")).run();
    let _ = piped.expect(0).prints("colour?");
}

#[test]
fn a_collapsed_model_is_a_model() {
    let dir = fitted(SHAPES, "");
    let collapsed = dir.run("show model.json --as json --collapse").expect(0);
    dir.create("collapsed.json", &collapsed.stdout);
    let answers = |model: &str| dir.run(&format!("predict {model} table.csv")).expect(0).stdout;
    assert_eq!(answers("collapsed.json"), answers("model.json"));
}

#[test]
fn every_row_is_answered() {
    let dir = fitted(COLOURS, "");
    let _ = dir.run("predict model.json table.csv").expect(0).prints_only("a\nb\na\nb\na\n");
    for (options, start) in [
        ("--probabilities", "class,p(a),p(b)\na,1,0\nb,0,1\n"),
        ("--leaf", "class,leaf\na,3\nb,1\n"),
        ("--probabilities --leaf", "class,p(a),p(b),leaf\na,1,0,3\nb,0,1,1\n"),
    ] {
        let _ = dir.run(&format!("predict model.json table.csv {options}")).expect(0).prints(start);
    }
}

#[test]
fn answers_are_compared_with_the_tables_own() {
    let dir = fitted(COLOURS, "");
    let text = "\
Accuracy   0.500000  (1 of 2 rows)
Objective  0.490000

true \\ said  a  b
a            1  1
b            0  0
";
    dir.create("new.csv", "colour,size,class\nred,1,a\nblue,1,a\n");
    let _ = dir.run("eval model.json new.csv").expect(0).says_nothing().prints_only(text);
    let eval = dir.run("eval model.json new.csv --json").expect(0).json();
    let expected = json!({
        "schema": 1, "rows": 2, "correct": 1, "accuracy": 0.5, "objective": 0.49,
        "classes": ["a", "b"], "confusion": [[1, 1], [0, 0]],
    });
    assert_eq!(eval, expected);
    dir.create("odd.csv", "colour,size,class\nred,1,unheard of\n");
    let eval = dir.run("eval model.json odd.csv --json").expect(0).json();
    assert_eq!(eval["classes"], json!(["a", "b", "unheard of"]));
}

#[test]
fn a_model_is_verified_against_its_table() {
    let dir = fitted(COLOURS, "");
    let verify = dir.run("verify model.json table.csv").expect(0);
    let _ = verify.prints("verified: 5 rows led through 4 nodes").says_nothing();
    dir.edit_model("model.json", "/tree/nodes/1/leaf/counts/rows/1", json!(3));
    let verify = dir.run("verify model.json table.csv").expect(1);
    let _ = verify.says("does not agree with the table").says("node 1 counts [0, 3]");

    let dir = Dir::new();
    let _ = dir.run("fit --builtin monk1 --out model.json").expect(0);
    let _ = dir.run("verify model.json --builtin monk1").expect(0).prints("verified: 432 rows");
    let _ = dir.run("verify model.json --builtin monk3").expect(1).says("does not agree");
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
        ("a,b,class\n,0,y\n1,0,n\n", "(empty) → y"),
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
        paid splits leaves depth seconds iterations expansions evaluations complexity_bound \
        memo_size memo_hits peak_bytes engine split_penalty price encoding target rows \
        distinct_rows features constant_features repeated_features classes"
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

// ---------------------------------------------------------------------------------------------
// Predicting

#[test]
fn rows_are_matched_and_led_as_documented() {
    for (what, table, options, new, answers) in [
        ("unseen at a multi-way split", COLOURS, "", "colour,size\npurple,1\n", "a,0.6,0.4,0\n"),
        (
            "unseen at a yes/no split: no",
            "colour,class\nred,a\nred,a\nblue,b\ngreen,b\n",
            "--encoding one-hot",
            "colour\npurple\n",
            "b,0,1,1\n",
        ),
        (
            "known, but not at this node",
            SHAPES,
            "",
            "shape,colour\nround,green\n",
            "a,0.5,0.5,0,2\n",
        ),
        (
            "another order and an extra column",
            COLOURS,
            "",
            "class,extra,size,colour\n?,9,1,blue\n?,9,2,red\n",
            "b,0,1,1\na,1,0,3\n",
        ),
        ("no target column", COLOURS, "", "colour,size\nblue,1\n", "b,0,1,1\n"),
        ("no header after all", COLOURS, "", "blue,1\nred,1\n", "b,0,1,1\na,1,0,3\n"),
        ("another delimiter", COLOURS, "", "colour;size\nblue;1\n", "b,0,1,1\n"),
    ] {
        let dir = fitted(table, options);
        let predict = dir.branchwise("predict model.json - --probabilities --leaf").input(new);
        let predict = predict.run().expect(0);
        if predict.stdout.split_once('\n').map(|(_, rows)| rows) != Some(answers) {
            predict.fail(&format!("{what}: expected below the header\n{answers}"));
        }
    }
}

#[test]
fn a_headerless_model_meets_headerless_tables() {
    let table = "y,0,0\nn,1,0\ny,0,1\nn,1,1\n";
    let dir = fitted(table, "--no-header --target 1");
    for (new, answers) in
        [("y,1,0\ny,0,0\n", "n\ny\n"), ("1,0\n0,1\n", "n\ny\n"), ("1,0\n", "n\n"), ("0 0\n", "y\n")]
    {
        let predict = dir.branchwise("predict model.json -").input(new).run();
        let _ = predict.expect(0).prints_only(answers);
    }
    let wrong = dir.branchwise("predict model.json -").input("1,0,0,0\n").run();
    let _ =
        wrong.expect(2).says("the table has 4 columns").says("fitted on 3 columns, or 2 without");
    let _ = dir.run("verify model.json table.csv").expect(0);
    let _ = dir.run("eval model.json table.csv").expect(0).prints("4 of 4 rows");
}

#[test]
fn a_missing_column_is_named() {
    let dir = fitted(COLOURS, "");
    let predict = dir.branchwise("predict model.json - --header").input("size,class\n1,a\n").run();
    let _ = predict.expect(2).says("needs the column \"colour\"").prints_only("");
    let eval = dir.branchwise("eval model.json -").input("colour,size\nred,1\n").run();
    let _ = eval.expect(2).says("no column \"class\" with the true classes");
}

// ---------------------------------------------------------------------------------------------
// Bad input

/// Exit status 2, a telling message, no result, and nothing written.
fn refused(outcome: Outcome, phrase: &str) {
    let _ = outcome.expect(2).says(phrase).prints_only("");
}

#[test]
fn bad_tables_are_refused() {
    let ragged = "a,b,class\n0,0,y\n1,n\n";
    let wide = "1,".repeat(999_999) + "1\n";
    for (table, phrase) in [
        (&b""[..], "the table is empty"),
        (b"\n \n", "the table is empty"),
        (b"a,b,class\n", "taken as a header, and no rows below it"),
        (ragged.as_bytes(), "line 3 has 2 values, but line 1 has 3"),
        (&b"x\n".repeat(500_000), "no feature column"),
        (wide.as_bytes(), "line 1 has 1000000 columns; at most"),
        (b"a,b,class\n0,\xff,y\n", "line 2, column 2: the bytes are not UTF-8"),
        (b"\xff\xfea\0,\0b\0\n\0", "not UTF-8"),
        (b"a,a,class\n0,0,y\n1,0,n\n", "columns 1 and 2 are both called \"a\""),
        (b"a,b,class\n\"open,0,y\n1,0,n\n", "line 2 has"),
    ] {
        let dir = Dir::new();
        refused(dir.branchwise("fit - --out model.json").input(table).run(), phrase);
        assert!(dir.names().is_empty(), "{phrase}: {:?}", dir.names());
    }
}

#[test]
fn bad_arguments_are_refused() {
    for (line, phrase) in [
        ("fit", "branchwise fit --builtin tic-tac-toe"),
        ("fit missing.csv", "missing.csv: No such file"),
        ("fit .", "Is a directory"),
        ("fit - --target nope", "no column \"nope\" to predict; the columns are \"colour\""),
        ("fit - --target 0", "no column \"0\""),
        ("fit - --target 4", "no column \"4\""),
        ("fit - --lambda 1", "must be at least 0 and less than 1"),
        ("fit - --lambda=-0.1", "-0.1"),
        ("fit - --lambda abc", "\"abc\" is not a decimal number"),
        ("fit - --lambda 0,01", "\"0,01\" is not a decimal number"),
        ("fit - --lambda NaN", "\"NaN\" is not a decimal number"),
        ("fit - --max-leaves 0", "a tree has at least one leaf"),
        ("fit - --min-leaf 0", "every leaf has at least one row"),
        ("fit - --max-leaves 3 --max-splits 2", "give one of the two"),
        ("fit - --time-limit soon", "a time such as 60s"),
        ("fit - --memory-limit lots", "a size such as 2GiB"),
        ("fit - --header --no-header", "cannot be used with"),
        ("fit - --builtin monk1", "cannot be used with"),
        ("fit --builtin monk9", "tic-tac-toe, balance-scale, monk1, monk2, monk3"),
        ("fit - --out .", "it is a directory"),
        ("fit - --out missing/model.json", "missing/model.json: there is no such directory"),
        ("show missing.json", "missing.json: No such file"),
        ("predict missing.json -", "missing.json: No such file"),
        ("completions tcsh", "invalid value 'tcsh'"),
    ] {
        let dir = Dir::new();
        let out = if line.contains("--out") || !line.contains("fit ") { "" } else { " -o m.json" };
        refused(dir.branchwise(&format!("{line}{out}")).input(COLOURS).run(), phrase);
        assert!(dir.names().is_empty(), "{line}: {:?}", dir.names());
    }
}

#[test]
fn what_is_no_model_is_refused() {
    for (text, phrase) in [
        ("", "the file is empty"),
        ("hello", "it is not JSON"),
        ("{\"a\": 1}", "it lacks \"format\": \"branchwise-model\""),
        ("[1, 2]", "it lacks \"format\""),
        ("{\"format\": \"branchwise-model\"}", "it has no schema number"),
        ("{\"format\": \"branchwise-model\", \"schema\": 1}", "missing field"),
        ("{\"format\": \"branchwise-model\", \"schema\": 99}", "schema 99"),
        (&"[".repeat(100_000), "it is not JSON"),
    ] {
        let dir = Dir::with("model.json", text);
        dir.create("table.csv", COLOURS);
        for line in ["show model.json", "predict model.json table.csv"] {
            refused(dir.run(line), phrase);
        }
    }
    let dir = Dir::with("model.json", b"\xff\xfe");
    refused(dir.run("show model.json"), "the bytes are not text");
}

#[test]
fn a_model_of_a_newer_program_says_so() {
    let dir = fitted(COLOURS, "");
    dir.edit_model("model.json", "/schema", json!(99));
    refused(dir.run("verify model.json table.csv"), "reads schemas up to 1; update branchwise");
}

#[test]
fn a_truncated_model_is_refused_wherever_it_is_cut() {
    let dir = fitted(COLOURS, "");
    let model = dir.read("model.json");
    let whole = model.trim_end().len();
    for length in (0..whole).step_by(whole / 60).chain([whole - 1]) {
        dir.create("cut.json", &model[..length]);
        refused(dir.run("show cut.json"), "not a branchwise model");
    }
}

#[test]
fn a_model_that_contradicts_itself_is_refused() {
    for (place, value, phrase) in [
        ("/tree/nodes/0/split/feature", json!(9), "asks feature 9, which does not exist"),
        ("/tree/nodes/0/split/children/0/node", json!(99), "node 0 has 99 for a child"),
        ("/tree/nodes/0/split/children/0/node", json!(0), "node 0 has 0 for a child"),
        ("/tree/nodes/0/split/children/1/node", json!(1), "node 0 has 1 for a child"),
        ("/tree/nodes/0/split/children/0/categories", json!([9]), "category 9 astray"),
        ("/tree/nodes/0/split/children/0/categories", json!([1]), "category 1 astray"),
        ("/tree/nodes/0/split/children", json!([]), "a split without children"),
        ("/tree/nodes/0/split/counts/rows", json!([]), "does not count 2 classes"),
        ("/tree/nodes/0/split/feature", json!(-1), "invalid value"),
        ("/tree/nodes", json!([]), "the tree has no node"),
        ("/target/classes", json!([]), "it has no classes"),
        ("/encoder/inputs", json!([]), "do not stand side by side"),
        ("/encoder/features/0/values/column", json!(7), "no column or value for the feature"),
        ("/summary/objective", json!(null), "invalid type: null"),
    ] {
        let dir = fitted(COLOURS, "");
        dir.edit_model("model.json", place, value);
        for line in ["show model.json --as svg", "predict model.json table.csv"] {
            refused(dir.run(line), phrase);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Nothing to split

#[test]
fn a_single_leaf_is_explained() {
    for (what, table, options, why) in [
        ("one class", "a,b,class\n0,0,y\n1,0,y\n", "", "every row has the class \"y\""),
        ("one row", "0,0,y\n", "--no-header", "every row has the class \"y\""),
        ("one row below a header", "a,b,class\n0,0,y\n", "", "every row has the class \"y\""),
        ("constant columns", "0,0,y\n0,0,n\n0,0,n\n", "", "no column has two values"),
        ("a large penalty", COLOURS, "--lambda 0.9", "the split penalty of 0.9"),
    ] {
        let dir = Dir::with("table.csv", table);
        let fit = dir.run(&format!("fit table.csv -o model.json {options}")).expect(0);
        let _ = fit.says("One leaf: ").says(why).prints("0 splits, 1 leaf, depth 0");
        let quiet = dir.run(&format!("fit table.csv --quiet {options}"));
        let _ = quiet.expect(0).says_nothing().prints("1 leaf");
        let header = if options.contains("--no-header") { options } else { "" };
        let verify = dir.run(&format!("verify model.json table.csv {header}"));
        let _ = verify.expect(0).prints("through 1 node;");
        assert_eq!(dir.names(), ["model.json", "table.csv"], "{what}");
    }
}

// ---------------------------------------------------------------------------------------------
// Limits and signals

#[test]
fn a_limit_ends_with_a_tree_and_its_gap() {
    for (limit, reason, key) in [
        ("--time-limit 0s", "time limit", "time"),
        ("--iteration-limit 0", "iteration limit", "iterations"),
        ("--iteration-limit 3", "iteration limit", "iterations"),
        ("--memory-limit 1KB", "memory limit", "memory"),
    ] {
        let dir = Dir::new();
        let fit = dir.run(&format!("fit --builtin tic-tac-toe --out model.json {limit}")).expect(3);
        let fit = fit.prints(&format!("stopped ({reason}): no tree is above 0."));
        let _ = fit.prints(", gap 0.").prints("→ x won");
        let _ = dir.run("verify model.json --builtin tic-tac-toe").expect(0);
        let _ = dir.run("show model.json").expect(0).prints("→ x won");
        let json = dir.run(&format!("fit --builtin tic-tac-toe --json {limit}")).expect(3).json();
        assert!(json["gap"].as_f64().unwrap() > 0.0, "{json}");
        assert_eq!(json["stopped_by"], key);
    }
}

/// A search that goes on for as long as a test may take.
fn long_search() -> Dir {
    Dir::with("table.csv", noise(400, &numbered("c", 31)))
}

const LONG_SEARCH: &str = "fit table.csv --lambda 0.0001 --time-limit 20s --out model.json";

/// Long enough for a table to be read and a search to begin.
const BEGUN: Duration = Duration::from_millis(500);

#[test]
fn a_signal_ends_the_search_with_its_tree() {
    for name in ["INT", "TERM"] {
        let dir = long_search();
        let running = dir.branchwise(LONG_SEARCH).start();
        sleep(BEGUN);
        running.signal(name);
        let fit = running.end_within(Duration::from_secs(2)).expect(3);
        let _ = fit.prints("stopped (interrupted): no tree is above").prints("└── ");
        let _ = dir.run("verify model.json table.csv").expect(0).prints("verified: 400 rows");
        assert_eq!(dir.names(), ["model.json", "table.csv"], "{name}");
    }
}

#[test]
fn a_second_signal_ends_the_program_at_once() {
    // The first may have been answered already when the second comes: then try again.
    let ended_by_the_second = || {
        let dir = long_search();
        let running = dir.branchwise(LONG_SEARCH).start();
        sleep(BEGUN);
        running.signal("INT");
        running.signal("INT");
        let fit = running.end_within(Duration::from_secs(1));
        if !matches!(fit.code, Some(3 | 130)) {
            fit.fail("expected exit status 130, or 3 if answered before the second signal");
        }
        fit.code == Some(130)
    };
    assert!((0..10).any(|_| ended_by_the_second()), "no second signal ended the program");
}

#[test]
fn a_signal_before_the_search_ends_the_program() {
    let dir = Dir::new();
    let mut running = dir.branchwise("fit - --out model.json").input("").start_waiting();
    sleep(BEGUN);
    running.signal("INT");
    let waiting = running.child.stdin.take();
    let _ = running.end_within(Duration::from_secs(2)).expect(130).prints_only("");
    drop(waiting);
    assert!(dir.names().is_empty());
}

#[test]
fn a_killed_program_leaves_no_model() {
    let dir = long_search();
    let running = dir.branchwise(LONG_SEARCH).start();
    sleep(BEGUN);
    running.signal("KILL");
    let fit = running.end_within(Duration::from_secs(2));
    assert_eq!(fit.code, None, "ended by the signal");
    assert_eq!(dir.names(), ["table.csv"]);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let dir = fitted(COLOURS, "");
    for (line, code) in [
        ("show model.json", 0),
        ("predict model.json table.csv", 0),
        ("fit table.csv --quiet", 0),
        ("fit table.csv --quiet --iteration-limit 0", 3),
        ("completions bash", 0),
    ] {
        let mut running = dir.branchwise(line).start();
        drop(running.child.stdout.take());
        let _ = running.end().expect(code).says_nothing();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let dir = fitted(COLOURS, "");
    for line in ["show model.json", "fit table.csv", "completions zsh", "eval model.json table.csv"]
    {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let outcome = dir.branchwise(line).output_to(full).run();
        let _ = outcome.expect(1).says("cannot write to standard output: No space left");
    }
}

/// The tree's text is longer than a pipe holds: having read one byte of it, we meet the program
/// waiting with its search behind it, and can ask for its peak.
#[test]
#[cfg(target_os = "linux")]
fn memory_stays_within_its_limit() {
    const LIMIT: u64 = 64 << 10; // KiB
    let names = numbered(&"c".repeat(10_000), 31);
    let dir = Dir::with("table.csv", noise(400, &names));
    // The graph of `paper` fills its memory and stops; the memo of `fast` makes do with it.
    for (engine, time, ending) in [("paper", "20s", "memory limit"), ("fast", "3s", "time limit")] {
        let line = format!(
            "fit table.csv --engine {engine} --lambda 0.0001 --memory-limit 64MiB --time-limit {time}"
        );
        let mut running = dir.branchwise(&line).start();
        running.child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        let file = format!("/proc/{}/status", running.child.id());
        let status = std::fs::read_to_string(file).unwrap();
        let _ = running.end().expect(3).prints(&format!("stopped ({ending})"));
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("VmHWM");
        let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(engine == "fast" || peak > LIMIT / 2, "the search was stopped early: {peak} KiB");
        assert!(peak < LIMIT + LIMIT / 10 + (20 << 10), "{engine}: peak {peak} KiB");
    }
}

// ---------------------------------------------------------------------------------------------
// The rest

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
    let _ = dir.run("").expect(2).says("Usage: branchwise <COMMAND>");
}

#[test]
fn a_million_rows() {
    let rows = ["a,x,1\n", "b,x,0\n", "a,y,1\n", "b,y,1\n", "c,z,0\n"].concat();
    let table = format!("p,q,class\n{}", rows.repeat(200_000));
    let fit = Dir::new().branchwise("fit - --json").input(table).run().expect(0);
    let fit = fit.says("1,000,000 rows").json();
    assert_eq!((fit["rows"].as_u64(), fit["distinct_rows"].as_u64()), (Some(1_000_000), Some(5)));
}

// ---------------------------------------------------------------------------------------------
// Known faults: what the program should do, and does not yet

#[test]
fn a_header_that_lacks_a_column_is_still_a_header() {
    let dir = fitted("a,b,c,class\n0,0,1,y\n1,0,0,n\n0,1,0,y\n1,1,1,n\n", "");
    for (new, missing) in [
        ("a,c,class\n0,1,y\n1,1,n\n", "\"b\""),
        ("a,bb,c\n0,1,1\n1,1,1\n", "\"b\""),
        ("b\n1\n", "\"a\", \"c\""),
    ] {
        refused(dir.branchwise("predict model.json -").input(new).run(), missing);
    }
}

#[test]
fn a_model_that_names_no_class_or_place_is_refused() {
    let dir = fitted(COLOURS, "");
    dir.edit_model("model.json", "/target/classes", json!([]));
    for node in ["0/split", "1/leaf", "2/leaf", "3/leaf"] {
        dir.edit_model("model.json", &format!("/tree/nodes/{node}/counts/rows"), json!([]));
    }
    refused(dir.run("predict model.json table.csv"), "not a branchwise model");

    let dir = fitted("0,0,y\n0,1,n\n1,0,y\n1,1,n\n", "--no-header");
    dir.edit_model("model.json", "/encoder/inputs/0/position", json!(99));
    refused(dir.run("predict model.json table.csv"), "not a branchwise model");
}

#[test]
fn a_model_with_impossible_counts_is_refused() {
    let dir = fitted(COLOURS, "");
    dir.edit_model("model.json", "/tree/nodes/1/leaf/counts/rows", json!([u64::MAX, u64::MAX]));
    refused(dir.run("show model.json"), "not a branchwise model");
}

#[test]
fn a_signal_ends_the_encoding_too() {
    let rows: String = (0..100_000).map(|id| format!("{id},{},{}\n", id % 3, id % 2)).collect();
    let dir = Dir::with("table.csv", format!("id,b,class\n{rows}"));
    let running = dir.branchwise("fit table.csv --encoding one-hot").start();
    sleep(2 * BEGUN);
    running.signal("TERM");
    let _ = running.end_within(Duration::from_secs(2)).expect(3).prints("stopped (interrupted)");
}

#[test]
fn a_negative_penalty_is_told_its_range() {
    let fit = Dir::new().branchwise("fit - --lambda -0.1").input(COLOURS).run();
    refused(fit, "must be at least 0 and less than 1");
}

#[test]
fn a_single_leaf_is_explained_by_what_caused_it() {
    for (options, blamed) in [
        ("--max-depth 0", "depth"),
        ("--max-leaves 1", "leaves"),
        ("--max-splits 0", "splits"),
        ("--min-leaf 4", "rows"),
    ] {
        let fit = Dir::new().branchwise(&format!("fit - {options}")).input(COLOURS).run();
        let fit = fit.expect(0).says(blamed);
        assert!(!fit.stderr.contains("split penalty"), "{}", fit.stderr);
    }
    let same = "a,b,class\n0,0,y\n0,0,n\n1,1,y\n1,1,n\n0,0,y\n";
    let fit = Dir::new().branchwise("fit - --lambda 0").input(same).run().expect(0);
    assert!(!fit.stderr.contains("try a smaller one"), "{}", fit.stderr);
}
