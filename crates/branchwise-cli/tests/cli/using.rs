//! Tables in, trees and answers out.

use crate::util::{COLOURS, Dir, SHAPES, fitted, refused};
use serde_json::{Value, json};

// ---------------------------------------------------------------------------------------------
// A new user

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
fn true_and_false_are_the_same_in_any_case() {
    // As Arrow, Python and R write them.
    let tables = [["true", "false"], ["True", "False"], ["TRUE", "FALSE"]];
    let tables = tables.map(|[yes, no]| {
        let rows = format!("{yes},{no}\n{no},{yes}\n").repeat(3);
        format!("paid,late\n{rows}{yes},{no}\n")
    });
    for (place, table) in tables.iter().enumerate() {
        let dir = fitted(table, "");
        let known = dir.run("predict model.json table.csv").expect(0).stdout;
        for other in &tables {
            dir.create("other.csv", other);
            let _ = dir.run("predict model.json other.csv").expect(0).prints_only(&known);
            let eval = dir.run("eval model.json other.csv").expect(0);
            let _ = eval.prints("Accuracy   1.000000  (7 of 7 rows)");
            let _ = dir.run("verify model.json other.csv").expect(0).prints("verified: 7 rows");
        }
        dir.create("other.csv", "paid,late\ntRUE,no\n");
        let _ = dir.run("predict model.json other.csv --leaf").expect(0).prints(",0\n");
        assert!(known.lines().count() == 7, "{place}: {known}");
    }
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
fn only_columns_that_the_tree_asks_about_are_needed() {
    // The tree asks about the colour alone.
    let dir = fitted(COLOURS, "");
    for (table, answers) in [
        ("colour\nred\nblue\n", "a\nb\n"),
        ("weather,wind,colour,hour,mood\nsun,1,blue,9,well\nrain,2,red,9,ill\n", "b\na\n"),
        ("size,colour\n1,  blue \n2,\tred\n", "b\na\n"),
    ] {
        let predict = dir.branchwise("predict model.json -").input(table).run();
        let _ = predict.expect(0).says_nothing().prints_only(answers);
    }
    dir.create("part.csv", "class,colour\na,red\nb,blue\n");
    let _ = dir.run("eval model.json part.csv").expect(0).prints("(2 of 2 rows)");
}

#[test]
fn a_table_without_rows_has_no_answers() {
    let dir = fitted(COLOURS, "");
    for (options, printed) in [("", ""), ("--probabilities", "class,p(a),p(b)\n")] {
        let line = format!("predict model.json - {options}");
        let predict = dir.branchwise(&line).input("colour,size\n").run();
        let _ = predict.expect(0).says_nothing().prints_only(printed);
    }
    let predict = dir.branchwise("predict model.json - --header").input("size,class\n").run();
    let _ = predict.expect(2).says("needs the column \"colour\"");
    let _ = dir.branchwise("predict model.json -").input("").run().expect(2).says("is empty");
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
        "cost": null, "worst_cost": null,
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

#[test]
fn a_header_that_lacks_a_column_is_still_a_header() {
    let dir = fitted("a,b,c,class\n0,0,1,y\n1,0,0,n\n0,1,0,y\n1,1,1,n\n", "");
    // The tree asks about "a" alone.
    for new in ["b,c,class\n0,1,y\n1,1,n\n", "aa,b,c\n0,1,1\n1,1,1\n", "b\n1\n"] {
        let predict = dir.branchwise("predict model.json -").input(new).run();
        refused(predict, "the model needs the column \"a\", which");
    }
}

// ---------------------------------------------------------------------------------------------
// The rest

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

// ---------------------------------------------------------------------------------------------
// The path

#[test]
fn every_tree_that_is_optimal_for_some_penalty() {
    let dir = Dir::new();
    let line = "path --builtin monk3 --encoding one-hot --lambda 0.001 --folds 5 --out model.json \
                --svg path.svg --report page.html";
    let found = dir.run(line).expect(0);
    let _ = found
        .prints("These 4 trees, and no others, are optimal for some λ: proven.")
        .prints("  0.013889    0.166667       2       3  0.972222  ")
        .prints("best  within one standard error");
    assert!(dir.read("path.svg").starts_with("<svg"));
    assert!(dir.read("page.html").contains("Accuracy of the best trees against their splits"));
    let model: Value = serde_json::from_str(&dir.read("model.json")).unwrap();
    assert_eq!(model["summary"]["splits"], 4);
    let _ = dir.run("verify model.json --builtin monk3").expect(0);
}

#[test]
fn a_path_as_json() {
    let dir = Dir::new();
    let found = dir.run("path --builtin monk1 --encoding one-hot --json").expect(0).json();
    assert_eq!((&found["status"], &found["best"]), (&json!("optimal"), &Value::Null));
    let points = found["points"].as_array().unwrap();
    let of = |name: &str| points.iter().map(|point| point[name].clone()).collect::<Vec<_>>();
    assert_eq!(of("splits"), [0, 1, 6]);
    assert_eq!(of("until_exact")[1..], of("from_exact")[..2]);
    assert_eq!(
        (of("until_exact")[0].clone(), of("from_exact")[2].clone()),
        (json!([1, 1]), json!([1, 100]))
    );
    // The same as fits on their own.
    for point in points {
        let penalty = point["split_penalty"].as_str().unwrap();
        let fit = format!("fit --builtin monk1 --encoding one-hot --lambda {penalty} --json");
        let fit = dir.run(&fit).expect(0).json();
        for name in ["objective", "accuracy", "splits", "leaves", "depth"] {
            assert_eq!(fit[name], point[name], "{name} for {penalty}");
        }
    }
}

#[test]
fn a_path_that_is_stopped_says_so() {
    let dir = Dir::new();
    let stopped = dir.run("path --builtin tic-tac-toe --lambda 0.0001 --time-limit 50ms").expect(3);
    let _ = stopped.prints("stopped (time limit) before all was proven").prints("not proven");
    let one = dir.run("path --builtin monk1 --folds 1").expect(2);
    let _ = one.says("the number of folds");
}
