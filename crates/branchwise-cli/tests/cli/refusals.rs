//! What cannot be used as given: each a clear message, exit status 2, and nothing written. And what can,
//! but makes a tree of one leaf.

use crate::util::{COLOURS, Dir, fitted, refused};
use serde_json::json;

// ---------------------------------------------------------------------------------------------
// Bad input

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
        ("{\"format\": \"branchwise-model\", \"schema\": 1}", "fit the model again"),
        ("{\"format\": \"branchwise-model\", \"schema\": 2}", "missing field"),
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
    refused(dir.run("verify model.json table.csv"), "reads schemas up to 2; update branchwise");
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
fn a_negative_penalty_is_told_its_range() {
    let fit = Dir::new().branchwise("fit - --lambda -0.1").input(COLOURS).run();
    refused(fit, "must be at least 0 and less than 1");
}

// ---------------------------------------------------------------------------------------------
// Nothing to split

#[test]
fn a_single_leaf_is_explained() {
    for (what, table, options, why) in [
        ("one class", "a,b,class\n0,0,y\n1,0,y\n", "", "every row has the class \"y\""),
        ("one row", "0,0,y\n", "--no-header", "every row has the class \"y\""),
        ("one row below a header", "a,b,class\n0,0,y\n", "", "every row has the class \"y\""),
        ("constant columns", "0,0,y\n0,0,n\n0,0,n\n", "", "no column has two different values"),
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
