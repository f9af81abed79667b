//! What columns offer, what is merged, left out or refused, and where a limit stops.

use super::*;
use crate::data::{Table, Target};
use crate::limits::Watch;

fn dataset() -> Dataset {
    Table::from_columns(vec![
        Column::from_values("colour", &["red", "green", "blue", "red", "red"]),
        Column::from_values("tint", &["r", "g", "b", "r", "r"]),
        Column::from_values("planet", &["earth"; 5]),
        Column::from_values("class", &["a", "b", "a", "b", "a"]),
    ])
    .dataset(Target::Last)
    .unwrap()
}

fn encoded_as(dataset: &Dataset, offer: &Offer) -> Result<Encoded> {
    let endless = Watch::endless();
    encode(dataset, offer, &mut endless.pulse(), &mut |_| {})
}

fn encoded(dataset: &Dataset, encoding: Encoding) -> (Encoder, Problem, Reduction) {
    let offer = Offer { encoding, ..Offer::default() };
    let Encoded { encoder, problem, reduction, .. } = encoded_as(dataset, &offer).unwrap();
    (encoder, problem, reduction)
}

#[test]
fn a_limit_leaves_one_leaf() {
    let limits = crate::limits::Limits { memory: Some(1), ..Default::default() };
    let watch = Watch::start(&limits);
    let dataset = dataset();
    let stopped = encode(&dataset, &Offer::default(), &mut watch.pulse(), &mut |_| {}).unwrap();
    assert_eq!(stopped.stopped, Some(StopReason::Memory));
    assert_eq!((stopped.problem.n_features(), stopped.problem.total_weight()), (0, 5));
    assert_eq!(stopped.problem.class_totals(), [3, 2]);
    assert_eq!(stopped.reduction.rows, 5);
    let first = Offer { first_column: Some("colour".into()), ..Offer::default() };
    let refused = encode(&dataset, &first, &mut watch.pulse(), &mut |_| {}).err().unwrap();
    assert_eq!(refused.stopped_by(), Some(StopReason::Memory));
}

#[test]
fn multiway_offers_a_feature_per_column() {
    let (encoder, problem, reduction) = encoded(&dataset(), Encoding::Multiway);
    assert_eq!(encoder.features().len(), 3);
    assert_eq!((reduction.constant, reduction.repeated), (1, 1));
    assert_eq!((problem.n_features(), problem.n_clauses()), (1, 3));
    assert_eq!((reduction.rows, reduction.distinct_rows), (5, 3));
    // red occurs with both classes: 3 distinct rows, 4 units.
    assert_eq!((problem.n_units(), problem.total_weight()), (4, 5));
}

#[test]
fn one_hot_offers_a_feature_per_value() {
    let offered = |encoding| {
        let (_, problem, reduction) = encoded(&dataset(), encoding);
        (reduction.offered, problem.n_features())
    };
    assert_eq!(offered(Encoding::OneHot), (7, 3));
    assert_eq!(offered(Encoding::OneHotDropFirst), (4, 2));
    assert_eq!(offered(Encoding::OneHotDropLast), (4, 2));
    assert_eq!(offered(Encoding::Mixed), (9, 4));
}

#[test]
fn complementary_features_are_found_once() {
    let two = Table::from_columns(vec![
        Column::from_values("coin", &["heads", "tails", "heads"]),
        Column::from_values("class", &["a", "b", "a"]),
    ]);
    let (_, problem, reduction) = encoded(&two.dataset(Target::Last).unwrap(), Encoding::OneHot);
    assert_eq!((problem.n_features(), reduction.repeated), (1, 1));
}

#[test]
fn rows_between_the_same_thresholds_are_merged() {
    let ages: Vec<String> = (0..100).map(|age| age.to_string()).collect();
    let class: Vec<&str> = (0..100).map(|age| if age < 50 { "young" } else { "old" }).collect();
    let table = Table::from_columns(vec![
        Column::from_values("age", &ages),
        Column::from_values("class", &class),
    ]);
    let (encoder, problem, reduction) =
        encoded(&table.dataset(Target::Last).unwrap(), Encoding::Auto);
    assert_eq!((encoder.inputs()[0].distinct, encoder.features().len()), (100, 8));
    assert_eq!((reduction.rows, reduction.distinct_rows), (100, 9));
    assert_eq!((problem.n_features(), problem.total_weight()), (8, 100));
}

/// 150 patients, of whom one has no name, two heights and a class.
fn patients(categorical: &[&str]) -> Dataset {
    let name = |n: usize| if n == 7 { String::new() } else { format!("p{n}") };
    let names: Vec<String> = (0..150).map(name).collect();
    let column = |a, b| (0..150).map(|n| if n % 2 == 0 { a } else { b }).collect::<Vec<&str>>();
    let table = Table::from_columns(vec![
        Column::from_values("patient", &names),
        Column::from_values("height", &column("tall", "short")),
        Column::from_values("class", &column("a", "b")),
    ]);
    let categorical = categorical.iter().map(|name| name.to_string()).collect();
    let categorical = crate::data::Selection::Named(categorical);
    let types = crate::data::Types { categorical, ..Default::default() };
    table.with_types(&types).unwrap().dataset(Target::Last).unwrap()
}

#[test]
fn a_column_that_names_rows_is_left_out() {
    for encoding in Encoding::ALL {
        let (encoder, problem, reduction) = encoded(&patients(&[]), encoding);
        let input = &encoder.inputs()[0];
        assert_eq!(input.left_out, Some(LeftOut::NamesRows { once: 149, of: 149 }));
        assert_eq!((input.distinct, encoder.inputs()[1].left_out), (149, None));
        assert!(encoder.features().iter().all(|feature| feature.column() == 1));
        assert_eq!((reduction.distinct_rows, problem.n_features()), (2, 1), "{encoding:?}");
    }
    let (encoder, ..) = encoded(&patients(&["patient"]), Encoding::Auto);
    assert_eq!((encoder.inputs()[0].left_out, encoder.features().len()), (None, 2));
}

#[test]
fn a_column_that_is_left_out_needs_no_values_and_is_not_asked_first() {
    let with = |dataset: &Dataset, offer: Offer| {
        encoded_as(dataset, &offer).map(|encoded| encoded.reduction.rows)
    };
    let dropping = || Offer { missing: Missing::Drop, ..Offer::default() };
    assert_eq!(with(&patients(&[]), dropping()).unwrap(), 150);
    assert_eq!(with(&patients(&["patient"]), dropping()).unwrap(), 149);
    let first = Offer { first_column: Some("patient".into()), ..Offer::default() };
    let message = with(&patients(&[]), first).unwrap_err().to_string();
    assert!(message.contains("\"patient\": it is left out, unless"), "{message}");
}

#[test]
fn missing_values_are_kept_dropped_or_refused() {
    let table = Table::from_columns(vec![
        Column::from_values("age", &["1", "", "3", "4"]),
        Column::from_values("colour", &["red", "red", "?", "blue"]),
        Column::from_values("class", &["a", "b", "a", "b"]),
    ]);
    let dataset = table.dataset(Target::Last).unwrap();
    let with = |missing| {
        let offer = Offer { missing, ..Offer::default() };
        encoded_as(&dataset, &offer).map(|Encoded { encoder, reduction, .. }| {
            (encoder.features().len(), reduction.rows, reduction.dropped_rows)
        })
    };
    assert_eq!(with(Missing::Category).unwrap(), (4, 4, 0));
    assert_eq!(with(Missing::Drop).unwrap(), (2, 2, 2));
    let message = with(Missing::Refuse).unwrap_err().to_string();
    assert!(message.contains("\"age\" has no value in 1 row"), "{message}");
}
