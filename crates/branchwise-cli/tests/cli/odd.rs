//! Odd input: headers that are hard to tell, line ends, long names, large numbers, rows of no weight.

use crate::util::{COLOURS, Dir, SHAPES, refused};
use serde_json::{Value, json};

#[test]
fn a_header_is_told_from_a_row() {
    let people = "smoker,age,y\nmaybe,41,y\nno,30,n\nyes,41,n\nno,22,y\n";
    let dir = Dir::with("people.csv", people);
    let guess = "people.csv: the first line is guessed to hold the names of columns: it has words above \
                 numbers, dates or opposites, though another of its values is like those below. If it is \
                 a row, say --no-header.\n";
    let overview = dir.run("inspect people.csv").expect(0).prints("age     integer       3");
    assert_eq!(overview.stderr, guess);
    for line in ["fit people.csv", "path people.csv"] {
        let outcome = dir.run(line).expect(0);
        assert!(outcome.stderr.starts_with(guess), "{}", outcome.stderr);
        let _ = dir.run(&format!("{line} --quiet")).expect(0).says_nothing();
    }
    for (options, present) in [
        ("--header", true),
        ("--no-header", false),
        ("--target smoker", true),
        ("--id smoker", true),
        ("--ignore smoker", true),
        ("--weight age", true),
        ("--count age", true),
        ("--categorical smoker", true),
        ("--numeric age", true),
        ("--ordered smoker=no<maybe<yes", true),
        ("--first-column smoker", true),
    ] {
        let fit = dir.run(&format!("fit people.csv --json {options}")).expect(0);
        assert_eq!(fit.json()["header"], json!({"present": present, "guessed": null}), "{options}");
        assert!(!fit.stderr.contains("guessed"), "{options}: {}", fit.stderr);
    }
}

#[test]
fn the_guess_is_in_the_json() {
    let dir = Dir::with("shapes.csv", SHAPES);
    dir.create("colours.csv", COLOURS);
    let why = "none of its values comes again in its column";
    for command in ["fit", "inspect"] {
        let found = dir.run(&format!("{command} shapes.csv --json")).expect(0).json();
        assert_eq!(found["header"], json!({"present": true, "guessed": why}), "{command}");
        let found = dir.run(&format!("{command} colours.csv --json")).expect(0).json();
        assert_eq!(found["header"], json!({"present": true, "guessed": null}), "{command}");
        let found = dir.run(&format!("{command} --builtin monk1 --json")).expect(0).json();
        assert_eq!(found["header"], Value::Null, "{command}");
    }
    let row = dir.branchwise("inspect -").input("5.1,3.5,1\n4.9,3.0,0\n").run().expect(0);
    let _ = row
        .says("standard input: the first line is guessed to be a row: it has numbers")
        .says("say --header");
}

#[test]
fn what_is_quoted_is_cut() {
    let long = "x".repeat(100_000);
    let dir = Dir::new();
    let columns: Vec<String> = (0..40).map(|column| format!("{column}{long}")).collect();
    let wide = format!("{}\n{}\n", columns.join(","), vec!["1"; 40].join(","));
    for (table, options) in [
        (format!("{long},{long},class\n1,2,y\n3,4,n\n"), ""),
        (format!("{long},class\n1,y\n2,n\n"), "--target nope"),
        (wide, "--target nope"),
        (format!("a,class\n1,y\n{long},n\n"), "--header --numeric a"),
        (format!("a,class\n1,y\n{long},n\n"), "--header --weight a"),
        (format!("a,class\n1,y\n{long},n\n"), "--header --count a"),
        (format!("a,class\n1,y\n{long},n\n"), "--header --ordered a=1<2"),
        (format!("{long},class\n1,y\n,n\n"), "--header --missing refuse"),
        (format!("class,{long}\n1,\n2,n\n"), "--header"),
        (format!("a,class\n1,{long}\n2,n\n"), "--header --class-weight n=2"),
    ] {
        let fit = dir
            .branchwise(&format!("fit - --quiet --delimiter comma {options}"))
            .input(table)
            .run()
            .expect(2);
        let said = fit.stderr.len();
        assert!(said < 1800 && fit.stderr.contains("x… (1000"), "{options}: {said} bytes");
    }
    let table = format!("{long},class\n1,y\n2,{long}\n");
    let overview =
        dir.branchwise("inspect - --header --delimiter comma").input(table).run().expect(0);
    assert!(overview.stdout.len() < 1500, "{} bytes", overview.stdout.len());
}

#[test]
fn counts_and_weights_say_what_is_wrong() {
    for (value, option, phrase) in [
        (
            "9000000000000000000",
            "--count n",
            "\"9000000000000000000\" (line 2) is too large: a count must be below 2^48 = 281474976710656",
        ),
        ("9e18", "--count n", "is too large: a count must be below 2^48"),
        ("281474976710656", "--count n", "is too large"),
        ("1e999999", "--count n", "is too large"),
        ("-1", "--count n", "\"-1\" (line 2) is negative"),
        ("0.5", "--count n", "is not a whole number; for fractions, give weights instead"),
        ("many", "--count n", "is not a number"),
        ("", "--count n", "\"\" (line 2) is not a number: give every row a count"),
        ("-1", "--weight n", "the column \"n\" (line 2): the weight \"-1\" is negative"),
        ("1e30", "--weight n", "is too large: a weight must be below 2^64"),
        ("1.23456789012345678912345", "--weight n", "has too many digits"),
        ("inf", "--weight n", "is not a finite number"),
        ("9e18", "--weight n", "the weights add up to"),
    ] {
        let table = format!("a,n,class\nx,{value},y\nz,1,n\nz,9e18,n\n");
        let table = if value == "9e18" { table } else { table.replace("9e18,n", "1,n") };
        let fit = Dir::new().branchwise(&format!("fit - --header {option}")).input(table).run();
        refused(fit, phrase);
    }
    let many: String =
        (0..5000).map(|row| format!("{row},281474976710655,{}\n", row % 2)).collect();
    let fit = Dir::new().branchwise("fit - --count n").input(format!("a,n,class\n{many}")).run();
    refused(fit, "too many: their sum must be below 1152921504606846976");
    let whole = "a,n,class\nx,2.0,y\nz,1e0,n\n";
    let _ =
        Dir::new().branchwise("fit - --count n").input(whole).run().expect(0).prints("on 3 rows");
}

#[test]
fn leaves_that_are_too_large_for_any_split_are_told() {
    let rows: String = (0..60).map(|row| format!("{row},{}\n", row / 30)).collect();
    let dir = Dir::with("table.csv", format!("a,class\n{rows}"));
    for least in ["31", "61", "51%"] {
        for line in ["fit table.csv", "fit table.csv --json", "path table.csv"] {
            let outcome = dir.run(&format!("{line} --min-leaf {least}")).expect(0);
            let _ = outcome.says("or more, but there are 60 in all, so no split is possible");
        }
    }
    let fit = dir.run("fit table.csv --min-leaf 30 --thresholds all").expect(0).prints("1 split");
    assert!(!fit.stderr.contains("no split is possible"), "{}", fit.stderr);
    let _ = dir.run("fit table.csv --min-leaf 61 --quiet").expect(0).says_nothing();
}

#[test]
fn what_a_killed_program_left_is_deleted() {
    let dir = Dir::with("table.csv", COLOURS);
    for (name, days) in [(".branchwise-old", 2), (".branchwise-new", 0), ("old", 2)] {
        dir.create(name, "half");
        let file = std::fs::File::options().write(true).open(dir.path(name)).unwrap();
        let age = std::time::Duration::from_secs(days * 86_400);
        file.set_modified(std::time::SystemTime::now() - age).unwrap();
    }
    let _ = dir.run("fit table.csv --out model.json").expect(0);
    assert_eq!(dir.names(), [".branchwise-new", "model.json", "old", "table.csv"]);
}
