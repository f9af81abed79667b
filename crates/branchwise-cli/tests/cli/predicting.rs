//! `predict` and `eval`: a model applied to rows.

use crate::util::{COLOURS, SHAPES, fitted, refused};
use serde_json::json;

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
