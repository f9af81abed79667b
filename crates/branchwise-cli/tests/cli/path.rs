//! `path`: every tree that is optimal for some λ.

use crate::util::Dir;
use serde_json::{Value, json};

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
