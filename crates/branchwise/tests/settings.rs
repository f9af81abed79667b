//! Settings in model files: none is lost, and files of earlier versions are still read.

#![allow(clippy::unwrap_used, reason = "a test may panic, and so may what it calls")]

use branchwise::encode::Offer;
use branchwise::search::{Constraints, Limits};
use branchwise::{
    Builtin, ClassWeight, Costs, Encoding, Engine, Goal, Missing, Model, Price, Settings, Solver,
    Thresholds,
};
use serde_json::Value;
use std::num::NonZeroUsize;
use std::time::Duration;

/// A model file of version 0.1.0, before limits were stored: tic-tac-toe with several options.
const EARLIER: &str = include_str!("data/earlier-model.json");

fn costs() -> Costs {
    let classes = ["x won", "x did not win"].map(String::from);
    let rows = [["0", "2.5"], ["1", "0"]].map(|row| row.map(Into::into).to_vec());
    Costs::new(classes.to_vec(), classes.into_iter().zip(rows).collect())
}

/// Settings that all differ from the default. A new setting does not compile before it is here.
fn unusual() -> Settings {
    Settings {
        goal: Goal {
            split_penalty: "0.02".into(),
            price: Price::Leaf,
            class_weight: ClassWeight::Balanced,
            costs: Some(costs()),
        },
        offer: Offer {
            encoding: Encoding::OneHot,
            thresholds: Thresholds::All,
            max_categories: Some(3),
            missing: Missing::Drop,
            first_column: Some("5".into()),
        },
        missing_values: branchwise::data::MissingValues::new(["-"]),
        constraints: Constraints {
            max_depth: Some(3),
            min_leaf: Some(20),
            min_leaf_share: Some("0.02".into()),
            max_leaves: Some(6),
            max_splits: Some(5),
        },
        engine: Engine::Paper,
        limits: Limits {
            time: Some(Duration::from_millis(2500)),
            iterations: Some(100_000),
            memory: Some(1 << 30),
            memo: Some(1 << 20),
            threads: NonZeroUsize::new(2),
            ..Limits::default()
        },
    }
}

/// Every setting with its value, those of groups one by one.
fn listed(settings: &Value) -> Vec<(String, Value)> {
    let of_one = |(name, value): (&String, &Value)| match name.as_str() {
        "constraints" | "limits" => listed(value),
        _ => vec![(name.clone(), value.clone())],
    };
    settings.as_object().unwrap().iter().flat_map(of_one).collect()
}

#[test]
fn every_setting_survives_json() {
    let [default, given] = [Settings::default(), unusual()].map(|settings| settings.to_json());
    let values = |json: &str| listed(&serde_json::from_str(json).unwrap());
    for ((name, default), (_, given)) in values(&default).into_iter().zip(values(&given)) {
        assert_ne!(default, given, "{name} is not told apart from its default");
    }
    assert_eq!(Settings::from_json(&given).unwrap(), unusual());
}

#[test]
fn a_model_file_keeps_the_settings_of_its_solver() {
    // Of two pairs only one can be given; a model stores the share and the number of rows that it means, and
    // not the number of threads, which changes no answer.
    let mut settings = unusual();
    settings.constraints.min_leaf = None;
    settings.constraints.max_splits = None;
    let tiles = Builtin::TicTacToe.dataset().unwrap();
    let solution = Solver::new().with_settings(settings.clone()).fit(&tiles).unwrap();
    let read = Model::from_json(&solution.model.to_json()).unwrap();
    settings.constraints.min_leaf = Some(20);
    settings.limits.threads = None;
    assert_eq!(read.settings(), &settings);
}

#[test]
fn a_model_file_of_an_earlier_version_is_read() {
    let model = Model::from_json(EARLIER).unwrap();
    let mut expected = unusual();
    expected.offer.thresholds = Thresholds::default();
    expected.missing_values = Default::default();
    expected.constraints.min_leaf_share = Some("2e-2".into());
    expected.constraints.max_splits = None;
    expected.engine = Engine::Fast;
    expected.limits = Limits::default();
    assert_eq!(model.settings(), &expected);
    let checked = model.verify(&Builtin::TicTacToe.dataset().unwrap()).unwrap();
    assert!(checked.mismatches.is_empty(), "{:?}", checked.mismatches);
}
