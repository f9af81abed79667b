//! Real tables: kinds, thresholds, gaps, counts, several files.

use crate::util::{Dir, refused};
use serde_json::{Value, json};

/// Text, numbers, dates, gaps and an order; old patients who wait long and were not reminded stay
/// away.
const VISITS: &str = "\
id,booked,age,town,reminder,size,outcome
1,2024-01-05,20,Ashford,no,small,came
2,2024-01-09,31,Brook,no,large,came
3,2024-02-01,NA,Ashford,no,medium,came
4,2024-02-11,44,,no,small,came
5,2024-03-01,52,Ashford,no,small,missed
6,2024-03-02,67,Brook,no,medium,missed
7,2024-03-09,71,Clare,yes,large,came
8,2024-04-01,75,Clare,no,large,missed
";

const COLUMNS: &str = "--id id --ordered size=small<medium<large";

#[test]
fn a_table_is_inspected() {
    let dir = Dir::with("visits.csv", VISITS);
    let overview = "\
visits.csv: 8 rows, 7 columns, separated by comma, the first line as names

column    kind     values  missing  splits offered
id        –             –        –  ignored
booked    date          8        –  7 thresholds: ≤ 2024-01-07 … ≤ 2024-03-20
age       integer       7        1  6 thresholds: ≤ 30 … ≤ 73, = missing
town      text          3        1  4 ways: Ashford, Brook, Clare, missing
reminder  boolean       2        –  2 ways: no, yes
size      ordered       3        –  2 thresholds: ≤ small, ≤ medium
outcome   text          2        –  to predict: came 62 %, missed 38 %

18 splits, 8 distinct rows
";
    let _ = dir.run(&format!("inspect visits.csv {COLUMNS}")).expect(0).prints_only(overview);
    let line = format!("inspect visits.csv {COLUMNS} --thresholds 3 --encoding mixed --json");
    let found = dir.run(&line).expect(0).json();
    assert_eq!((&found["rows"], &found["ignored"]), (&json!(8), &json!(["id"])));
    assert_eq!(found["classes"], json!(["came", "missed"]));
    let column = |name: &str| -> Value {
        let columns = found["columns"].as_array().unwrap();
        columns.iter().find(|column| column["name"] == name).unwrap().clone()
    };
    assert_eq!(column("booked")["thresholds"].as_array().unwrap().len(), 3);
    assert_eq!(column("booked")["all_thresholds"], false);
    assert_eq!(column("town")["thresholds"], Value::Null);
    assert_eq!((&column("town")["splits"], &column("age")["missing"]), (&json!(5), &json!(1)));
}

#[test]
fn a_mixed_table_is_fitted_shown_and_applied() {
    let dir = Dir::with("visits.csv", VISITS);
    let columns = format!("{COLUMNS} --ignore booked");
    let fit = dir.run(&format!("fit visits.csv {columns} --out model.json")).expect(0);
    let fit = fit.prints("age ≤ 50?").prints("missing → came").prints("reminder?");
    let _ = fit.prints("Offered    11 splits, with every threshold");
    let _ = dir.run("verify model.json visits.csv").expect(0).prints("verified: 8 rows");
    let new = "age,reminder,town,booked,size\n50.0,no,Nowhere,,small\n50.1,no,,2030-01-01,huge\n,yes,,,\nold,no,,,\n";
    dir.create("new.csv", new);
    let predict = dir.run("predict model.json new.csv").expect(0);
    let _ = predict.prints_only("came\nmissed\ncame\ncame\n");
    let _ = dir.run("show model.json --as svg").expect(0).prints("age ≤ 50?");
    let few = dir.run(&format!("fit visits.csv {columns} --thresholds 2")).expect(0);
    let _ = few.prints("7 splits; thresholds at quantiles: age 2 of 6");
}

#[test]
fn the_user_says_what_columns_are() {
    let dir = Dir::with("visits.csv", VISITS);
    let offered = |options: &str, name: &str| {
        let found = dir.run(&format!("inspect visits.csv --json {options}")).expect(0).json();
        let columns = found["columns"].as_array().unwrap().clone();
        let column = columns.into_iter().find(|column| column["name"] == name).unwrap();
        (column["splits"].as_u64().unwrap(), column["thresholds"].is_array())
    };
    for (options, name, splits, in_order) in [
        ("", "age", 7, true),
        ("--categorical age", "age", 1, false),
        ("--categorical 3", "age", 1, false),
        ("--categorical all", "booked", 1, false),
        ("--categorical all --numeric age", "age", 7, true),
        ("--encoding one-hot", "age", 8, false),
        ("--encoding one-hot --numeric all", "age", 7, true),
        ("--encoding one-hot", "booked", 7, true),
        ("--encoding one-hot", "town", 4, false),
        ("--encoding mixed", "town", 5, false),
        ("--max-categories 2", "town", 1, false),
        ("--missing drop", "age", 5, true),
        ("--missing-values Ashford,NA", "town", 1, false),
        ("--numeric id", "id", 7, true),
    ] {
        assert_eq!(offered(options, name), (splits, in_order), "{options}: {name}");
    }
    let few = dir.run("inspect visits.csv --max-categories 2").expect(0);
    let _ = few.prints("3 ways: Ashford, other, missing");
}

#[test]
fn missing_values_are_kept_dropped_or_refused() {
    let dir = Dir::with("visits.csv", VISITS);
    let fit = |options: &str| dir.run(&format!("fit visits.csv --id id {options}"));
    let _ = fit("").expect(0).prints("on 8 rows\n");
    let dropped = fit("--missing drop -o model.json").expect(0);
    let _ = dropped.prints("on 6 rows (2 left out: a value is missing)");
    let _ = dir.run("verify model.json visits.csv").expect(0).prints("verified: 6 rows");
    refused(
        fit("--missing refuse"),
        "visits.csv: the column \"age\" has no value in 1 row (line 4)",
    );
    let no_class = dir.run("fit visits.csv --target town");
    refused(no_class, "the column \"town\" has no value in 1 row (line 5); a row without a class");
    let _ = dir.run("fit visits.csv --target town --missing drop").expect(0);
}

#[test]
fn rows_count_and_weigh() {
    let table = "a,b,times,class\nx,1,3,yes\nx,2,1,no\ny,1,2,no\ny,2,4,yes\n";
    let dir = Dir::with("table.csv", table);
    let fit = dir.run("fit table.csv --count times -o model.json --lambda 0.001").expect(0);
    let _ = fit.says("4 rows, 4 columns").prints("on 10 rows");
    let _ = dir.run("verify model.json table.csv").expect(0).prints("verified: 10 rows");
    let weighed = dir.run("fit table.csv --weight times -o model.json --lambda 0.001").expect(0);
    let _ = weighed.prints("on 4 rows");
    let _ = dir.run("verify model.json table.csv").expect(0).prints("verified: 4 rows");
    let json = dir.run("fit table.csv --weight times --json").expect(0).json();
    assert_eq!(json["target"], "class");
}

#[test]
fn several_files_are_one_table() {
    let dir = Dir::new();
    let lines: Vec<&str> = VISITS.lines().collect();
    let header = lines[0];
    dir.create("part-1.csv", format!("{header}\n{}\n", lines[1..5].join("\n")));
    dir.create("part-2.csv", format!("{header}\n{}\n", lines[5..].join("\n")));
    dir.create("whole.csv", VISITS);
    let tree = |tables: &str| {
        let fit = dir.run(&format!("fit {tables} --id id")).expect(0);
        fit.stdout.split("Search").next().unwrap().to_string()
    };
    assert_eq!(tree("part-1.csv part-2.csv"), tree("whole.csv"));
    assert_eq!(tree("part-*.csv"), tree("whole.csv"));
    let _ = dir.run("fit part-*.csv --id id").expect(0).says("2 files: 8 rows, 7 columns");
    refused(dir.run("fit nothing-*.csv"), "nothing-*.csv: no file fits this pattern");
    dir.create("other.csv", VISITS.replace("town", "city"));
    refused(
        dir.run("fit whole.csv other.csv -o m.json"),
        "other.csv: its columns differ: column 4 is called \"city\", in the files before \"town\"",
    );
    dir.create("narrow.csv", "id,age\n1,2\n");
    refused(dir.run("fit whole.csv narrow.csv"), "narrow.csv: its columns differ: there are 2");
    dir.create("ragged.csv", format!("{header}\n1,2\n"));
    refused(
        dir.run("fit whole.csv ragged.csv"),
        "ragged.csv: line 2 has 2 values, but line 1 has 7",
    );
    dir.create("empty.csv", "");
    refused(dir.run("fit empty.csv whole.csv"), "empty.csv: the table is empty");
}

#[test]
fn what_does_not_fit_is_refused_with_its_place() {
    let dir = Dir::with("visits.csv", VISITS);
    for (options, phrase) in [
        ("--numeric town", "\"town\" cannot be taken as numbers: its value \"Ashford\" (line 2)"),
        ("--numeric where", "no column \"where\" to take as numbers"),
        ("--ignore where", "no column \"where\" to ignore"),
        ("--weight town", "\"town\" (line 2): the weight \"Ashford\" is not"),
        ("--count town", "\"town\" cannot count rows: \"\" (line 5)"),
        (
            "--count booked",
            "\"2024-01-05\" (line 2) is not a number; give a whole number of 0 or more",
        ),
        ("--ordered size=small<large", "does not list \"medium\" (line 4)"),
        ("--ordered size", "such as \"size=small<medium<large\""),
        ("--thresholds 0", "the number of thresholds is 0"),
        ("--thresholds many", "a number of thresholds such as 8"),
        ("--max-categories 1", "the most categories is 1"),
        ("--target age --ignore age", "no column \"age\" to predict"),
        ("--weight outcome --target outcome", "cannot also be ignored, a weight or a count"),
    ] {
        refused(dir.run(&format!("fit visits.csv --out m.json {options}")), phrase);
        assert_eq!(dir.names(), ["visits.csv"], "{options}");
    }
}

#[test]
fn names_of_rows_are_noticed() {
    let rows: String = (0..30).map(|row| format!("p{row},{},{}\n", row % 7, row % 2)).collect();
    let dir = Dir::with("table.csv", format!("patient,b,class\n{rows}"));
    let remark = "Every row has its own value in \"patient\"";
    let _ = dir.run("fit table.csv").expect(0).says(remark).says("--id patient");
    let _ = dir.run("inspect table.csv").expect(0).says(remark);
    let _ = dir.run("fit table.csv --quiet").expect(0).says_nothing();
    let silent = dir.run("fit table.csv --id patient").expect(0);
    assert!(!silent.stderr.contains("Every row"), "{}", silent.stderr);
}

#[test]
fn a_text_column_that_names_rows_is_left_out() {
    let row = |row: u64| {
        let (name, seed) = (if row == 3 { String::new() } else { format!("p{row}") }, row % 7);
        format!("{name},{seed},{}\n", if seed > 2 { "ill" } else { "well" })
    };
    let rows: String = (0..150).map(row).collect();
    let dir = Dir::with("table.csv", format!("patient,b,class\n{rows}"));
    let remark = "The column \"patient\" is left out: 149 of its 149 values come in one row only";
    for line in ["fit table.csv -o model.json", "inspect table.csv", "path table.csv"] {
        let _ = dir.run(line).expect(0).says(remark).says("give --categorical patient");
        let _ = dir.run(&format!("{line} --quiet")).expect(0).says_nothing();
    }
    let overview = dir.run("inspect table.csv").expect(0);
    let _ = overview.prints("149        1  left out: 149 of its 149 values come in one row only");
    for encoding in ["auto", "multiway", "one-hot", "one-hot-drop-first", "mixed"] {
        let line = format!("fit table.csv --json --missing refuse --encoding {encoding}");
        let found = dir.run(&line).expect(0).json();
        let (patient, other) = (&found["columns"][0], &found["columns"][1]);
        assert_eq!((&patient["name"], &patient["splits"]), (&json!("patient"), &json!(0)));
        assert_eq!(patient["left_out"], json!({"names-rows": {"once": 149, "of": 149}}));
        assert_eq!(other["left_out"], Value::Null);
    }
    for asked in ["--categorical patient", "--categorical 1"] {
        let found = dir.run(&format!("fit table.csv --json {asked}")).expect(0).json();
        assert_eq!(found["columns"][0]["splits"], 1, "{asked}");
        assert_eq!(found["columns"][0]["left_out"], Value::Null, "{asked}");
    }
    refused(dir.run("fit table.csv --first-column patient"), "\"patient\": it is left out, unless");
    let all = dir.run("fit table.csv --json --categorical all").expect(0).json();
    assert_eq!(
        (&all["columns"][0]["splits"], &all["columns"][1]["splits"]),
        (&json!(0), &json!(1))
    );
    // New rows need no such column, whether they have a header or not.
    let _ = dir.run("verify model.json table.csv").expect(0).prints("verified: 150 rows");
    dir.create("new.csv", "b\n1\n5\n");
    let _ = dir.run("predict model.json new.csv").expect(0).prints_only("well\nill\n");
    dir.create("alone.csv", rows.replace(",1,", ",x,").replace(",5,", ",x,"));
    let alone = dir.run("fit alone.csv --ignore 2 --no-header").expect(0);
    let _ = alone.says("One leaf: every column is left out");
}

#[test]
fn a_damaged_file_is_refused() {
    let dir = Dir::new();
    for (bytes, phrase) in [
        (&b"PAR1 and then nothing"[..], "damaged: the file begins like Parquet"),
        (b"ARROW1\0\0 and then nothing", "damaged: the file begins like Arrow"),
        (b"\xff\xff\xff\xff\x10\0\0\0 and then", "damaged: the file begins like Arrow"),
        (b"\x1f\x8b\x08 and then nothing", "damaged: cannot read the table"),
    ] {
        dir.create("damaged", bytes);
        refused(dir.run("fit damaged --out m.json"), phrase);
        assert_eq!(dir.names(), ["damaged"]);
    }
}
