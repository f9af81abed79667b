//! Odd input: headers that are hard to tell, line ends, long names, large numbers, rows of no weight.

use crate::util::{COLOURS, Dir, SHAPES};
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
