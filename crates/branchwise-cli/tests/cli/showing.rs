//! `show`, `report` and `verify`: a model in other forms, and compared with its table.

use crate::util::{COLOURS, Dir, SHAPES, fitted, refused};
use serde_json::json;

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
        ("--as sql", "  WHEN TRIM(\"colour\") = 'green' THEN 'a' -- 1 row, 100.0 %\n"),
        ("--as sql --collapse", "WHEN TRIM(\"colour\") IN ('green', 'red') THEN 'a'"),
        ("--as sql --table t --probabilities", "AS DOUBLE PRECISION) AS \"p(b)\"\nFROM \"t\";\n"),
        ("--as python", "    if colour == \"green\":\n        return \"a\", [1, 0]\n"),
        (
            "--as rust",
            "    if colour == Some(\"green\") {\n        return (\"a\", [1, 0]);\n    }\n",
        ),
        ("--as onnx", "TreeEnsembleRegressor"),
    ] {
        let show = dir.run(&format!("show model.json {options}"));
        let _ = show.expect(0).says_nothing().prints(phrase);
    }
    let _ = dir.run("show model.json --as json").prints_only(&dir.read("model.json"));
    let piped = dir.branchwise("show -").input(dir.read("model.json")).run();
    let _ = piped.expect(0).prints("colour?");
}

#[test]
fn a_model_is_written_to_a_file() {
    let dir = fitted(COLOURS, "");
    let _ = dir.run("show model.json --as sql --out model.sql").expect(0).prints_only("");
    let _ = dir.run("show model.json --as sql").prints_only(&dir.read("model.sql"));
    for option in ["--table t", "--probabilities"] {
        let show = dir.run(&format!("show model.json --as python {option}"));
        refused(show, "--table and --probabilities are for --as sql alone");
    }
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
fn a_contradictory_model_is_called_optimal_nowhere() {
    let dir = fitted(COLOURS, "");
    dir.edit_model("model.json", "/summary/upper_bound", json!(1.0));
    let forms = ["text", "dot", "svg", "picture", "json", "sql", "python", "rust", "onnx"];
    let shown = forms.map(|form| format!("show model.json --as {form}"));
    let others = ["report model.json", "predict model.json table.csv", "eval model.json table.csv"];
    for line in shown.into_iter().chain(others.map(String::from)) {
        let refusal = dir.run(&line).expect(2).prints_only("");
        let _ = refusal
            .says("contradicts itself: \"summary.optimal\" is true, but \"summary.upper_bound\"");
    }
}

#[test]
fn a_model_is_verified_against_its_table() {
    let dir = fitted(COLOURS, "");
    let verify = dir.run("verify model.json table.csv").expect(0);
    let verify = verify.prints("verified: 5 rows led through 4 nodes").says_nothing();
    let verify =
        verify.prints("\nChecked: the columns and the splits that they offer; every node's");
    let _ =
        verify.prints("Not checked: that no other tree is better, which takes a search; seconds,");
    dir.create("other.csv", COLOURS.replace("green,1,a", "green,1,b"));
    let verify = dir.run("verify model.json other.csv").expect(1);
    let _ = verify.says("does not agree with the table").says("node 0 counts [3, 2], the rows [");
    dir.edit_model("model.json", "/tree/nodes/1/leaf/counts/rows/1", json!(3));
    let verify = dir.run("verify model.json table.csv").expect(2);
    let _ = verify.says("the model contradicts itself: node 0 counts [3, 2], its children [3, 3]");

    let dir = Dir::new();
    let _ = dir.run("fit --builtin monk1 --out model.json").expect(0);
    let _ = dir.run("verify model.json --builtin monk1").expect(0).prints("verified: 432 rows");
    let _ = dir.run("verify model.json --builtin monk3").expect(1).says("does not agree");
}

#[test]
fn reports_are_pages() {
    let dir = fitted(SHAPES, "--lambda 0");
    let _ = dir.run("report model.json table.csv --out page.html").expect(0).says_nothing();
    let page = dir.read("page.html");
    for part in [
        "<!DOCTYPE html>",
        "<h1>What decides “class”</h1>",
        "Proven optimal",
        "shape = round and colour = red",
        "On table.csv (10 rows), 100.00 % of the answers are right; 0 are not.",
        "<dt>Ended</dt><dd>proven optimal</dd>",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let plain = dir.run("report model.json --title 5<6 --collapse").expect(0).says_nothing();
    let plain = plain.prints("<h1>5&lt;6</h1>").prints("colour is blue or green");
    assert!(!plain.stdout.contains("of the answers are right"));
}

#[test]
fn reports_refuse_what_they_cannot_show() {
    let dir = fitted(SHAPES, "");
    dir.create("other.csv", "shape,colour\nround,red\n");
    refused(dir.run("report model.json other.csv"), "other.csv: the table has no column \"class\"");
    refused(dir.run("report model.json nowhere.csv"), "nowhere.csv: ");
    refused(dir.run("report table.csv"), "table.csv: not a branchwise model");
    refused(dir.run("report model.json --out nowhere/page.html"), "no such directory");
}
