//! A model file that was tampered with is refused, field by field: when it is read, or by `verify`.

#![allow(clippy::unwrap_used, reason = "a test may panic, and so may what it calls")]

use branchwise::data::{ReadOptions, Roles, Target, read_table};
use branchwise::{
    Builtin, ClassWeight, Costs, Encoding, Missing, Model, Price, Solver, Table, Thresholds,
};
use serde_json::{Value, json};

/// A table and the model that was fitted to it.
struct Fitted {
    text: String,
    model: Value,
}

impl Fitted {
    fn new(text: String, roles: &Roles, solver: &Solver) -> Self {
        let table = read_table(text.as_bytes(), &ReadOptions::default()).unwrap().0;
        let model = solver.fit(&table.dataset(roles).unwrap()).unwrap().model;
        let model = serde_json::from_str(&model.to_json()).unwrap();
        Fitted { text, model }
    }

    /// What is wrong with a model, if anything; the table is read as the model asks for.
    fn problem(&self, model: &Value) -> Option<String> {
        let model = match Model::from_json(&model.to_string()) {
            Ok(model) => model,
            Err(error) => return Some(error.to_string()),
        };
        let read = read_table(self.text.as_bytes(), &model.read_options());
        let dataset = read.and_then(|(table, _)| table.dataset(model.roles()));
        match dataset.and_then(|dataset| model.verify(&dataset)) {
            Ok(found) => found.mismatches.into_iter().next(),
            Err(error) => Some(error.to_string()),
        }
    }

    fn edited(&self, place: &str, value: Value) -> Value {
        let mut model = self.model.clone();
        *model.pointer_mut(place).unwrap_or_else(|| panic!("no {place}")) = value;
        model
    }
}

/// Counts, weights, an ignored column, missing and rare values, thresholds, a multi-way split, limits.
fn visits() -> Fitted {
    let mut text = String::from("id,age,town,paid,times,worth,class\n");
    for row in 0..80 {
        let age = if row % 17 == 3 { "NA".into() } else { (row * 7 % 41).to_string() };
        let town = ["Ashford", "Brook", "Cliff", "Dunmore", "Eastwick"][row * row % 11 % 5];
        let paid = ["yes", "no"][row / 3 % 2];
        let class = match (row * 7 % 41 > 20, town) {
            _ if row % 13 == 5 => "late",
            (true, "Ashford" | "Cliff") => "came",
            (true, _) => "late",
            (false, _) => "missed",
        };
        let (times, worth) = (1 + row % 3, ["1", "0.5", "2.25"][row % 3]);
        text += &format!("{row},{age},{town},{paid},{times},{worth},{class}\n");
    }
    let named = |name: &str| Some(name.to_string());
    let roles = Roles {
        count: named("times"),
        weight: named("worth"),
        ignored: vec!["id".into()],
        ..Roles::from(Target::Last)
    };
    let weights = [("came", "1"), ("late", "1.5"), ("missed", "0.75")];
    let weights = weights.map(|(class, weight)| (class.to_string(), weight.into()));
    let solver = Solver::new()
        .split_penalty("0.01")
        .price(Price::Leaf)
        .thresholds(Thresholds::Quantiles(5))
        .max_categories(4)
        .class_weight(ClassWeight::Named(weights.into_iter().collect()))
        .first_column("age")
        .max_depth(3)
        .max_leaves(8)
        .min_leaf_share("0.02");
    Fitted::new(text, &roles, &solver)
}

/// No header, costs, balanced classes, and a search that was stopped.
fn unnamed() -> Fitted {
    let mut text = String::new();
    for row in 0..60u32 {
        let [a, b, c] = [row % 3, row / 3 % 4, row * row % 7 % 3];
        let class = ["n", "y", "z"][if row % 11 == 0 { 2 } else { ((a + b) % 2) as usize }];
        text += &format!("{a},{b},{c},{class}\n");
    }
    let costs = |costs: [&str; 3]| costs.map(|cost| cost.into()).to_vec();
    let names: Vec<String> = ["n", "y", "z"].map(String::from).to_vec();
    let rows =
        names.iter().cloned().zip([["0", "1", "2"], ["1.5", "0", "2"], ["3", "1", "0"]].map(costs));
    let solver = Solver::new()
        .split_penalty("0.001")
        .encoding(Encoding::OneHot)
        .class_weight(ClassWeight::Balanced)
        .costs(Costs::new(names.clone(), rows.collect()))
        .iteration_limit(2)
        .max_splits(6)
        .min_leaf(2);
    Fitted::new(text, &Roles::from(Target::Last), &solver)
}

/// Fields for which some other value is accepted, in which of the models, and why: docs/formats.md lists them.
/// All others are refused, whatever they are changed to.
const NOT_CHECKABLE: [(&str, &str, &str); 14] = [
    ("both", "/written_by", "it is for people"),
    ("both", "/settings/engine", "either engine finds the same tree"),
    ("both", "/settings/missing_values", "a spelling that the table does not have changes nothing"),
    ("visits", "/settings/first_column", "without it, the tree is one of those that are allowed"),
    ("both", "/settings/limits", "no table tells which limits there were"),
    ("both", "/settings/constraints", "a tree that keeps to a limit keeps to a looser one"),
    ("both", "/summary/seconds", "no table tells how long it took"),
    ("both", "/summary/iterations", "nor how many steps"),
    ("both", "/summary/trace", "nor how it went, as long as trees got better and bounds closer"),
    ("unnamed", "/summary/stopped_by", "nor which limit it was"),
    ("visits", "/settings/max_categories", "it matters to columns that have more"),
    ("unnamed", "/settings/missing", "no value is missing in this table"),
    ("unnamed", "/settings/price", "every split of this tree has two children"),
    ("unnamed", "/settings/thresholds", "no column of this table is asked about in order"),
];

/// All places of a JSON value, with the values there.
fn places(value: &Value, place: String, into: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| places(value, format!("{place}/{name}"), into));
        }
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(number, value)| places(value, format!("{place}/{number}"), into));
        }
        _ => {}
    }
    if !place.is_empty() {
        into.push((place, value.clone()));
    }
}

/// Other values of the same type.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::Bool(yes) => vec![json!(!yes)],
        Value::String(text) => {
            let longer = format!("{text}x");
            let words = [
                "split", "leaf", "fast", "paper", "time", "memory", "drop", "category", "0.02",
                "text", "real",
            ];
            let words = words.iter().map(|word| word.to_string());
            words
                .chain([longer, String::new()])
                .filter(|other| other != text)
                .map(|t| json!(t))
                .collect()
        }
        Value::Number(number) => match number.as_u64() {
            Some(number) => {
                let others = [number + 1, number.saturating_sub(1), 0, 2 * number + 3, 1 << 40];
                others.into_iter().filter(|&other| other != number).map(|n| json!(n)).collect()
            }
            None => {
                let number = number.as_f64().unwrap();
                [number + 0.01, number - 0.01, -number - 1.0, 0.0, 1e9].map(|n| json!(n)).to_vec()
            }
        },
        Value::Array(items) => {
            let mut others = vec![json!([])];
            others.extend(
                items.last().map(|last| json!([&items[..], std::slice::from_ref(last)].concat())),
            );
            others.extend(items.split_last().map(|(_, rest)| json!(rest)));
            others.extend((items.len() > 1).then(|| items.iter().rev().cloned().collect()));
            others.retain(|other| other != value);
            others
        }
        Value::Null | Value::Object(_) => Vec::new(),
    }
}

/// The model with a field left out; `null` means the same, so that such a field may well be absent.
fn without(model: &Value, place: &str) -> Option<Value> {
    let (parent, name) = place.rsplit_once('/')?;
    let mut model = model.clone();
    model.pointer(place).filter(|value| !value.is_null())?;
    model.pointer_mut(parent)?.as_object_mut()?.remove(name)?;
    Some(model)
}

#[test]
fn whatever_is_changed_is_found() {
    let (visits, unnamed) = (visits(), unnamed());
    let mut accepted = Vec::new();
    for (name, fitted) in [("visits", &visits), ("unnamed", &unnamed)] {
        assert_eq!(fitted.problem(&fitted.model), None, "{name}");
        let mut all = Vec::new();
        places(&fitted.model, String::new(), &mut all);
        assert!(all.len() > 150, "{}", all.len());
        for (place, value) in all {
            let changed = others(&value).into_iter().map(|other| fitted.edited(&place, other));
            for model in changed.chain(without(&fitted.model, &place)) {
                if fitted.problem(&model).is_none() {
                    accepted.push((name, place.clone(), model.pointer(&place).cloned()));
                }
            }
        }
    }
    let covers = |known: &(&str, &str, &str), found: &(&str, String, Option<Value>)| {
        (known.0 == "both" || known.0 == found.0) && found.1.starts_with(known.1)
    };
    let is_known = |found| NOT_CHECKABLE.iter().any(|known| covers(known, found));
    let unknown: Vec<_> = accepted.iter().filter(|found| !is_known(found)).collect();
    assert!(unknown.is_empty(), "accepted: {unknown:#?}");
    for known in NOT_CHECKABLE {
        assert!(accepted.iter().any(|found| covers(&known, found)), "checked after all: {known:?}");
    }
}

#[test]
fn what_is_stated_and_what_was_found_are_said() {
    let fitted = visits();
    let depth = Model::from_json(&fitted.model.to_string()).unwrap().tree().depth();
    let objective = fitted.model["summary"]["objective"].as_f64().unwrap();
    for (place, value, phrase) in [
        ("/settings/constraints/max_depth", json!(depth - 1), "but the tree has"),
        (
            "/settings/constraints/max_leaves",
            json!(2),
            "\"settings.constraints.max_leaves\" is 2, but",
        ),
        ("/settings/constraints/min_leaf", json!(1), "\"settings.constraints.min_leaf\" is 1, but"),
        (
            "/settings/constraints/min_leaf_share",
            json!("0.5"),
            "\"min_leaf_share\" of 159 rows is 80",
        ),
        ("/settings/first_column", json!("town"), "but the first split asks about \"age\""),
        ("/settings/first_column", json!("9"), "the columns are \"age\", \"town\", \"paid\""),
        ("/settings/class_weight/named/late", json!("3"), "the class \"late\" the weight"),
        ("/summary/optimal", json!(false), "no \"summary.stopped_by\" says"),
        ("/summary/upper_bound", json!(objective + 0.1), "\"summary.upper_bound\", "),
        ("/summary/upper_bound", json!(objective - 0.1), "below \"summary.objective\""),
        ("/summary/splits", json!(9), "\"summary.splits\" is 9, but the tree has"),
        (
            "/summary/accuracy",
            json!(0.5),
            "\"summary.accuracy\" is 0.5, but the tree's counts give",
        ),
        ("/summary/seconds", json!(-1.0), "\"summary.seconds\" is -1, below 0"),
        ("/weight_scale", json!(0), "\"weight_scale\" is 0"),
        ("/weight_scale", json!(8), "\"weight_scale\" is said to be 8, the table's weights are 16"),
        ("/width", json!(9), "\"width\" is said to be 9, the table has 7 columns"),
        ("/encoder/inputs/0/distinct", json!(3), "\"age\" is said to have 3 different values"),
        (
            "/encoder/inputs/1/levels/categories/values/0",
            json!("Bath"),
            "by the table it is \"Ashford\"",
        ),
        ("/target/position", json!(0), "is said to be at position 0, in the table it is at 6"),
    ] {
        let problem = fitted.problem(&fitted.edited(place, value.clone())).unwrap_or_default();
        assert!(problem.contains(phrase), "{place} {value}: {problem}");
    }
}

#[test]
fn a_trace_is_the_story_of_a_search() {
    let fitted = visits();
    let summary = &fitted.model["summary"];
    let (objective, bound) = (&summary["objective"], &summary["upper_bound"]);
    let point = |seconds: f64, objective: &Value, bound: &Value| json!({ "seconds": seconds, "objective": objective, "upper_bound": bound });
    let (low, high) = (json!(-1.0), json!(1.0));
    let end = point(1e-9, objective, bound);
    for (trace, phrase) in [
        (vec![point(0.0, &low, &high), end.clone()], None),
        (vec![point(0.0, &low, &high)], Some("ends with the objective -1 and the bound 1")),
        (vec![point(1e-8, &low, &high), end.clone()], Some("goes back in time at its point 2")),
        (vec![point(-1.0, &low, &high), end.clone()], Some("goes back in time at its point 1")),
        (vec![point(0.0, &high, &low), end.clone()], Some("a bound below the objective")),
        (
            vec![point(0.0, &json!(0.1), &high), point(0.0, &low, &high), end.clone()],
            Some("a falling objective at its point 2"),
        ),
        (vec![point(0.0, &low, objective), point(0.0, &low, &high), end], Some("a rising bound")),
        (vec![point(1e9, objective, bound)], Some("goes on for 1000000000 seconds")),
    ] {
        let problem = fitted.problem(&fitted.edited("/summary/trace", json!(trace)));
        let fits =
            problem.as_ref().map_or(phrase.is_none(), |p| phrase.is_some_and(|x| p.contains(x)));
        assert!(fits, "{phrase:?}: {problem:?}");
    }
}

/// Whether somebody came, mostly if they paid and, if not, mostly if they were reminded.
fn simple(solver: &Solver) -> Fitted {
    let mut text = String::from("paid,reminded,weather,class\n");
    for row in 0..40 {
        let (paid, reminded) = (row % 2 == 0, row / 2 % 3 == 0);
        let class = if (paid || reminded) != (row == 7) { "came" } else { "missed" };
        text += &format!("{paid},{reminded},{},{class}\n", ["sun", "rain", "snow"][row % 3]);
    }
    Fitted::new(text, &Roles::from(Target::Last), solver)
}

#[test]
fn a_worse_tree_is_not_called_optimal() {
    // Optimal among trees of this size, but no longer without the limit.
    for limited in [Solver::new().max_leaves(1), Solver::new().max_depth(1)] {
        let fitted = simple(&limited);
        assert_eq!(fitted.problem(&fitted.model), None);
        let problem = fitted.problem(&fitted.edited("/settings/constraints", json!({}))).unwrap();
        assert!(problem.contains("into leaves has"), "{problem}");
        assert!(problem.contains("no tree is said to have an objective above"), "{problem}");
    }
    // Optimal for a smaller λ: now its splits cost more than they bring.
    let fitted = simple(&Solver::new().split_penalty("0.01"));
    let mut model = fitted.edited("/settings/split_penalty", json!("0.5"));
    let summary = &mut model["summary"];
    let dearer = summary["accuracy"].as_f64().unwrap() - 0.5 * summary["splits"].as_f64().unwrap();
    (summary["objective"], summary["upper_bound"]) = (json!(dearer), json!(dearer));
    summary["trace"] = json!([]);
    let problem = fitted.problem(&model).unwrap();
    assert!(problem.contains("a leaf in place of node"), "{problem}");
}

#[test]
fn a_bound_that_a_split_exceeds_is_refuted() {
    let fitted = simple(&Solver::new().iteration_limit(0));
    assert_eq!(fitted.model["summary"]["stopped_by"], "iterations");
    assert_eq!(fitted.problem(&fitted.model), None);
    let objective = fitted.model["summary"]["objective"].as_f64().unwrap();
    let mut model = fitted.edited("/summary/upper_bound", json!(objective + 0.001));
    model["summary"]["trace"] = json!([]);
    let problem = fitted.problem(&model).unwrap();
    assert!(problem.contains("the same tree with node 0 split by"), "{problem}");
}

#[test]
fn shared_subtrees_are_told_apart_by_rows() {
    for (price, encoding) in [(Price::Split, Encoding::Multiway), (Price::Leaf, Encoding::Multiway)]
    {
        let solver = Solver::new().price(price).encoding(encoding).split_penalty("0.005");
        let dataset = Builtin::Monk1.dataset().unwrap();
        let model = solver.fit(&dataset).unwrap().model;
        let collapsed = model.collapse();
        assert!(collapsed.tree().n_splits() < model.tree().n_splits());
        let loaded = Model::from_json(&collapsed.to_json()).unwrap();
        assert_eq!(loaded.verify(&dataset).unwrap().mismatches, [""; 0]);
        let splits = model.summary().splits;
        let text = collapsed.to_json();
        let other =
            text.replace(&format!("\"splits\": {splits}"), &format!("\"splits\": {}", splits + 1));
        let problem = match Model::from_json(&other) {
            Err(error) => error.to_string(),
            Ok(model) => model.verify(&dataset).unwrap().mismatches.join("; "),
        };
        assert!(
            problem.contains("summary.objective") || problem.contains("number of splits"),
            "{problem}"
        );
    }
}

#[test]
fn columns_that_are_not_asked_about_may_be_lacking() {
    let fitted = simple(&Solver::new());
    let model = Model::from_json(&fitted.model.to_string()).unwrap();
    let table = read_table(fitted.text.as_bytes(), &ReadOptions::default()).unwrap().0;
    let only = |names: &[&str]| {
        let columns = table.columns().iter().filter(|column| names.contains(&column.name()));
        Table::from_columns(columns.cloned().collect()).dataset(Target::Last).unwrap()
    };
    let whole = model.verify(&table.clone().dataset(Target::Last).unwrap()).unwrap();
    let part = model.verify(&only(&["reminded", "paid", "class"])).unwrap();
    assert_eq!((part.mismatches.len(), part.rows), (0, 40));
    assert!(part.extent().contains("as the table lacks \"weather\""), "{}", part.extent());
    assert!(!whole.extent().contains("lacks"), "{}", whole.extent());
    assert!(whole.extent().starts_with("Checked: the columns"), "{}", whole.extent());
    assert!(
        whole.extent().contains("Not checked: that no other tree is better, which takes a search")
    );
    let problem = model.verify(&only(&["paid", "class"])).unwrap_err().to_string();
    assert!(problem.contains("\"reminded\""), "{problem}");
}

#[test]
fn rows_without_a_value_in_an_ignored_column_count() {
    let mut text = String::from("note,x,class\n");
    for row in 0..20 {
        let class = ["a", "b"][row % 2];
        text += &format!("{},{},{class}\n", ["", "seen"][row / 7 % 2], ["u", "v"][row % 2]);
    }
    let roles = Roles { ignored: vec!["note".into()], ..Roles::from(Target::Last) };
    let fitted = Fitted::new(text, &roles, &Solver::new().missing(Missing::Drop));
    assert_eq!(fitted.problem(&fitted.model), None);
}
