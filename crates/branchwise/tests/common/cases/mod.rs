//! Random small tables and settings: plain lists of numbers, so that they shrink well.

mod table;
mod weighting;

pub(crate) use table::Shape;
pub(crate) use weighting::any_weighting;

use super::exhaustive::{Question, Splits};
use branchwise::data::{Column, Target};
use branchwise::{ClassWeight, Costs, Dataset, Encoding, Price, Solver, Table, Thresholds};
use proptest::prelude::*;
use table::{
    ColumnRecipe, MOST_COLUMNS, ORDERED_MISSING, ORDERED_SPELLINGS, SPELLINGS, TableRecipe, table,
};
use weighting::Weighting;

/// λ as text, and as a fraction.
const PENALTIES: [(&str, (i128, i128)); 11] = [
    ("0", (0, 1)),
    ("0.0001", (1, 10_000)),
    ("0.01", (1, 100)),
    ("0.02", (1, 50)),
    ("0.03", (3, 100)),
    ("0.05", (1, 20)),
    ("0.07", (7, 100)),
    ("0.1", (1, 10)),
    ("0.3333333333333333", (3_333_333_333_333_333, 10_000_000_000_000_000)),
    ("0.5", (1, 2)),
    ("0.99", (99, 100)),
];

/// Encodings, and how the oracle calls their splits.
const ENCODINGS: [(Encoding, Splits); 6] = [
    (Encoding::Mixed, Splits::Mixed),
    (Encoding::Auto, Splits::AtMost),
    (Encoding::Multiway, Splits::Multiway),
    (Encoding::OneHot, Splits::OneHot),
    (Encoding::OneHotDropFirst, Splits::DropFirst),
    (Encoding::OneHotDropLast, Splits::DropLast),
];

/// Settings that are chosen from the lists above.
#[derive(Clone, Copy, Debug)]
struct Choice {
    penalty: usize,
    encoding: usize,
    price_per_leaf: bool,
}

/// Which trees are allowed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Allowed {
    pub(crate) max_depth: Option<u32>,
    pub(crate) min_leaf: Option<u64>,
    pub(crate) size: Option<MostSize>,
    /// By a number that is taken modulo the number of columns.
    pub(crate) first_column: Option<usize>,
}

/// The most leaves or splits that a tree may have.
#[derive(Clone, Debug)]
pub(crate) enum MostSize {
    Leaves(u32),
    Splits(u32),
}

/// A table, settings, and the same as a question to the oracle.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) question: Question,
    pub(crate) allowed: Allowed,
    penalty: &'static str,
    encoding: Encoding,
    price: Price,
    /// The values of each column, and the class last, row by row.
    text: Vec<Vec<&'static str>>,
    weights: Option<Vec<&'static str>>,
    class_weight: ClassWeight,
    costs: Option<Costs>,
}

impl Case {
    pub(crate) fn table(&self) -> Table {
        let column = |number: usize| {
            let values: Vec<&str> = self.text.iter().map(|row| row[number]).collect();
            Column::from_values(format!("column {number}"), &values)
        };
        Table::from_columns((0..self.text[0].len()).map(column).collect())
    }

    pub(crate) fn dataset(&self) -> Dataset {
        let dataset = self.table().dataset(&Target::Last).unwrap();
        match &self.weights {
            Some(weights) => dataset.with_weights(weights).unwrap(),
            None => dataset,
        }
    }

    pub(crate) fn solver(&self) -> Solver {
        let solver = Solver::new()
            .split_penalty(self.penalty)
            .encoding(self.encoding)
            .thresholds(Thresholds::All)
            .class_weight(self.class_weight.clone())
            .price(self.price);
        let solver = self.costs.iter().fold(solver, |solver, costs| solver.costs(costs.clone()));
        let Allowed { max_depth, min_leaf, ref size, .. } = self.allowed;
        let first = self.question.first_column.map(|column| format!("column {column}"));
        let solver = first.map_or(solver.clone(), |column| solver.first_column(column));
        let solver = max_depth.map_or(solver.clone(), |most| solver.max_depth(most));
        let solver = min_leaf.map_or(solver.clone(), |least| solver.min_leaf(least));
        match *size {
            Some(MostSize::Leaves(most)) => solver.max_leaves(most),
            Some(MostSize::Splits(most)) => solver.max_splits(most),
            None => solver,
        }
    }

    /// The number of an answer.
    pub(crate) fn answer(&self, class: &str) -> usize {
        SPELLINGS[2].iter().position(|name| *name == class).unwrap()
    }

    /// The class of a row, as the table spells it.
    pub(crate) fn class(&self, row: usize) -> &'static str {
        self.text[row][self.text[row].len() - 1]
    }
}

/// Tables of this shape, with settings and whatever is allowed.
pub(crate) fn case(
    shape: Shape,
    allowed: impl Strategy<Value = Allowed>,
) -> impl Strategy<Value = Case> {
    case_with(shape, allowed, Just(Weighting::default()))
}

/// The same with class weights and costs.
pub(crate) fn case_with(
    shape: Shape,
    allowed: impl Strategy<Value = Allowed>,
    weighting: impl Strategy<Value = Weighting>,
) -> impl Strategy<Value = Case> {
    let choice = (0..PENALTIES.len(), 0..ENCODINGS.len(), any::<bool>()).prop_map(
        |(penalty, encoding, price_per_leaf)| Choice { penalty, encoding, price_per_leaf },
    );
    (table(shape), choice, allowed, weighting).prop_map(|(table, choice, allowed, weighting)| {
        Case::new(&table, choice, allowed).with_weighting(&weighting)
    })
}

/// Every combination of constraints.
pub(crate) fn any_allowed() -> impl Strategy<Value = Allowed> {
    let size =
        prop_oneof![(1u32..=6).prop_map(MostSize::Leaves), (0u32..=4).prop_map(MostSize::Splits),];
    let first_column = prop::option::weighted(0.3, 0..MOST_COLUMNS);
    (prop::option::of(0u32..=3), prop::option::of(1u64..=4), prop::option::of(size), first_column)
        .prop_map(|(max_depth, min_leaf, size, first_column)| Allowed {
            max_depth,
            min_leaf,
            size,
            first_column,
        })
}

impl Case {
    fn new(table: &TableRecipe, choice: Choice, allowed: Allowed) -> Case {
        let (penalty, fraction) = PENALTIES[choice.penalty];
        let (encoding, splits) = ENCODINGS[choice.encoding];
        let price_per_leaf = choice.price_per_leaf;
        let rows = table.rows();
        let classes = table.classes(&rows);
        let weights = table.weights(&classes);
        let in_order = splits == Splits::AtMost;
        let spellings = if in_order { ORDERED_SPELLINGS } else { SPELLINGS };
        let missing = |column: &ColumnRecipe| ORDERED_MISSING[column.spelling].filter(|_| in_order);
        let spelt = |(row, &class): (&Vec<u32>, &u32)| -> Vec<&'static str> {
            let values = row.iter().zip(&table.columns);
            let values = values.map(|(&code, column)| spellings[column.spelling][code as usize]);
            values.chain([SPELLINGS[2][class as usize]]).collect()
        };
        let text = rows.iter().zip(&classes).map(spelt).collect();
        let question = Question {
            weights: weights
                .as_ref()
                .map_or(vec![1; rows.len()], |w| w.iter().map(|w| w.1).collect()),
            costs: None,
            rows,
            classes,
            splits,
            missing: table.columns.iter().map(missing).collect(),
            price_per_leaf,
            penalty: fraction,
            first_column: allowed.first_column.map(|column| column % table.columns.len()),
            max_depth: allowed.max_depth,
            min_leaf: allowed.min_leaf.unwrap_or(1) as usize,
            max_leaves: match allowed.size {
                Some(MostSize::Leaves(most)) => Some(most.into()),
                _ => None,
            },
            max_splits: match allowed.size {
                Some(MostSize::Splits(most)) => Some(most.into()),
                _ => None,
            },
        };
        let price = if price_per_leaf { Price::Leaf } else { Price::Split };
        let weights = weights.map(|weights| weights.into_iter().map(|weight| weight.0).collect());
        let class_weight = ClassWeight::Equal;
        Case {
            question,
            allowed,
            penalty,
            encoding,
            price,
            text,
            weights,
            class_weight,
            costs: None,
        }
    }
}
