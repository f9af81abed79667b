//! What rows weigh and answers cost, the first column, and answers while rows are read.

use crate::util::{Dir, refused};
use serde_json::json;

/// Of the four rows with "a" one is a yes: that is few, but to miss it may cost much.
const FEW: &str = "x,y,class\na,1,no\na,1,no\na,1,no\na,1,yes\nb,1,no\nb,1,no\nb,1,no\nb,2,no\n";
const COSTS: &str = "class,yes,no\nno,1,0\nyes,0,5\n";

fn with_costs() -> Dir {
    let dir = Dir::with("table.csv", FEW);
    dir.create("costs.csv", COSTS);
    dir
}

#[test]
fn a_leaf_answers_with_what_costs_least() {
    let dir = with_costs();
    let fit = dir.run("fit table.csv --cost-matrix costs.csv --out model.json").expect(0);
    let fit = fit.prints("├── a → yes  4 rows   25.0 %").prints("└── b → no   4 rows  100.0 %");
    let fit = fit.prints("Objective  0.740000  proven optimal").prints("Accuracy   0.625000");
    let _ = fit.prints("Cost       3  of 12 at worst");
    let _ = dir.run("verify model.json table.csv").expect(0).prints("objective 0.740000 as stated");
    let _ = dir
        .run("eval model.json table.csv")
        .prints("Cost       3  of 12 at worst\nObjective  0.740000");
    let eval = dir.run("eval model.json table.csv --json").expect(0).json();
    assert_eq!((&eval["cost"], &eval["worst_cost"]), (&json!(3.0), &json!(12.0)));
    let predict = dir.branchwise("predict model.json -").input("x,y\na,1\nb,1\n").run();
    let _ = predict.expect(0).prints_only("yes\nno\n");
    let _ = dir.run("show model.json --as sql").prints("THEN 'yes'");
    for engine in ["paper", "fast"] {
        let line = format!("fit table.csv --cost-matrix costs.csv --engine {engine} --json");
        let found = dir.run(&line).expect(0).json();
        assert_eq!((&found["cost"], &found["correct_weight"]), (&json!(3.0), &json!(5)));
    }
    dir.edit_model("model.json", "/settings/costs/costs/1/1", json!("6"));
    let verify = dir.run("verify model.json table.csv").expect(2);
    let _ = verify.says("contradicts itself: node 0 says that its answers save");
}

#[test]
fn classes_weigh_what_they_are_said_to() {
    let dir = with_costs();
    let fit = dir.run("fit table.csv --class-weight yes=5,no=1 --out model.json").expect(0);
    let fit = fit.prints("├── a → yes  4 rows   62.5 %").prints("Objective  0.740000");
    let _ = fit.prints("Weights    no × 1, yes × 5");
    let _ = dir.run("verify model.json table.csv").expect(0).prints("objective 0.740000 as stated");
    let eval = dir.run("eval model.json table.csv").expect(0);
    let _ = eval.prints("Accuracy   0.750000  (5 of 8 rows)");
    let found = dir.run("fit table.csv --class-weight balanced --json").expect(0).json();
    assert_eq!(found["class_weights"], json!([8.0 / 14.0, 4.0]));
    // One half of all "no" and all of "yes": the mean of 4 / 7 and 1.
    assert!((found["accuracy"].as_f64().unwrap() - 11.0 / 14.0).abs() < 1e-12);
}

#[test]
fn weights_and_costs_that_do_not_fit_are_refused() {
    let dir = with_costs();
    for (costs, phrase) in [
        ("class,yes\nno,1\nyes,0\n", "it has no column for the class \"no\""),
        ("class,yes,no\nno,1,0\n", "it has no row for the class \"yes\""),
        ("class,yes,no,maybe\nno,1,0,1\nyes,0,5,1\n", "the column \"maybe\" is not a class"),
        ("class,yes,no\nno,1,0\nyes,0,much\n", "where \"yes\" is true costs \"much\""),
        ("class,yes,no\nno,-1,0\nyes,0,1\n", "where \"no\" is true costs \"-1\""),
        ("class,yes,no\nno,0,0\nyes,0,0\n", "every answer costs 0"),
        ("class,yes,no\nno,1\nyes,0,1\n", "bad.csv: line 2 has 2 values"),
        ("", "bad.csv: the table is empty"),
    ] {
        dir.create("bad.csv", costs);
        refused(dir.run("fit table.csv --cost-matrix bad.csv --out model.json"), phrase);
    }
    for (weights, phrase) in [
        ("yes", "or weights such as"),
        ("yes=5", "the class \"no\" has none"),
        ("yes=5,no=-1", "give a number of 0 or more"),
        ("yes=0,no=0", "every row has weight 0"),
        ("yes=5,no=1,maybe=2", "there is no class \"maybe\""),
        ("yes=5,yes=1", "two weights"),
    ] {
        let line = format!("fit table.csv --class-weight {weights} --out model.json");
        refused(dir.run(&line), phrase);
    }
}

#[test]
fn rows_of_weight_0_are_rows() {
    let rows = "red,1,a\nred,1,a\nred,1,a\nblue,1,b\nblue,0,b\nblue,0,a\ngreen,0,b\n";
    let dir = Dir::with("table.csv", format!("colour,w,class\n{rows}"));
    let fit = "fit table.csv --weight w --encoding one-hot --out model.json";
    let three = dir.run(&format!("{fit} --min-leaf 3")).expect(0);
    let three = three.prints("├── yes → b     3 rows  100.0 %").prints("└── no → a      4 rows");
    let _ = three.prints("Accuracy   1.000000  on 7 rows");
    let _ = dir.run("verify model.json table.csv").expect(0).prints("verified: 7 rows");
    let _ = dir.run(&format!("{fit} --min-leaf 4")).expect(0).prints("0 splits, 1 leaf");
    // Only the class b is to be told apart: rows of the class a are counted, but weigh nothing.
    let none = dir.run(&format!("{fit} --class-weight a=0,b=1")).expect(0);
    let _ = none.prints("→ b  7 rows  100.0 %").prints("Accuracy   1.000000  on 7 rows");
    let _ = dir.run("verify model.json table.csv").expect(0);
}

#[test]
fn the_first_split_asks_the_column_that_it_must() {
    let dir = with_costs();
    let fit = dir.run("fit table.csv --first-column y --categorical y").expect(0);
    let _ = fit.prints("y?").prints("proven optimal").prints("1 split, 2 leaves");
    for (line, phrase) in [
        ("--first-column z", "no column \"z\" to ask first; the columns are \"x\", \"y\""),
        ("--first-column x --max-depth 0", "begins with a split on the column \"x\": the limits"),
        ("--first-column y --min-leaf 2", "begins with a split on the column \"y\": the limits"),
        ("--first-column x --max-leaves 1", "begins with a split on the column \"x\": the limits"),
    ] {
        refused(dir.run(&format!("fit table.csv {line}")), phrase);
    }
    dir.create("same.csv", "x,y,class\na,1,no\na,2,yes\n");
    refused(dir.run("fit same.csv --first-column x --header"), "it is the same for every row");
}

#[test]
fn leaves_have_the_share_of_rows_they_are_asked_to_have() {
    let dir = with_costs();
    for (share, leaves) in [("50%", 2), ("50.1%", 1), ("12.5%", 2), ("100%", 1)] {
        let line = format!("fit table.csv --class-weight balanced --min-leaf {share} --json");
        assert_eq!(dir.run(&line).expect(0).json()["leaves"], json!(leaves), "{share}");
    }
    for share in ["0%", "101%", "half", "-1%"] {
        refused(dir.run(&format!("fit table.csv --min-leaf {share}")), "");
    }
}

#[test]
fn rows_count_and_weigh_in_an_evaluation() {
    let dir = Dir::with("table.csv", "x,n,w,class\na,2,1,no\na,1,4,yes\nb,3,1,no\nb,1,1,yes\n");
    let _ = dir.run("fit table.csv --count n --weight w --out model.json").expect(0);
    let eval = dir.run("eval model.json table.csv").expect(0);
    let _ = eval.prints("Accuracy   0.700000  (4 of 7 rows)").says_nothing();
    dir.create("plain.csv", "x,class\na,yes\na,yes\na,yes\nb,no\n");
    let eval = dir.run("eval model.json plain.csv").expect(0);
    let _ = eval.prints("(4 of 4 rows)").says("has no column \"n\"").says("has no column \"w\"");
}

#[test]
fn answers_come_in_the_order_of_rows() {
    let dir = Dir::with("table.csv", FEW);
    let _ = dir.run("fit table.csv --class-weight balanced --out model.json").expect(0);
    let row = |number: usize| if number.is_multiple_of(7) { "a" } else { "b" };
    let table = |rows: std::ops::Range<usize>| -> String {
        let lines = rows.map(|number| format!("{},{number}\n", row(number)));
        "x,y\n".to_string() + &lines.collect::<String>()
    };
    dir.create("one.csv", table(0..6_000));
    dir.create("two.csv", table(6_000..20_000));
    let answer = |number| if row(number) == "a" { "yes\n" } else { "no\n" };
    let expected: String = (0..20_000).map(answer).collect();
    let _ = dir.run("predict model.json one.csv two.csv").expect(0).prints_only(&expected);
    // What comes before a bad line is answered, and then the line is named.
    dir.create("bad.csv", table(0..6_000) + "a\n");
    let predict = dir.run("predict model.json bad.csv").expect(2);
    let _ = predict.prints("no\n").says("bad.csv: line 6002 has 1 value, but line 1 has 2");
}
