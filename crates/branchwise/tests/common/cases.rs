//! Random small tables and settings: plain lists of numbers, so that they shrink well.

use super::exhaustive::{Question, Splits};
use branchwise::data::{Column, Target};
use branchwise::{Dataset, Encoding, Price, Solver, Table, Thresholds};
use proptest::prelude::*;

/// λ as text, and as a fraction.
const PENALTIES: [(&str, (i128, i128)); 8] = [
    ("0", (0, 1)),
    ("0.0001", (1, 10_000)),
    ("0.01", (1, 100)),
    ("0.05", (1, 20)),
    ("0.1", (1, 10)),
    ("0.3333333333333333", (3_333_333_333_333_333, 10_000_000_000_000_000)),
    ("0.5", (1, 2)),
    ("0.99", (99, 100)),
];

const ENCODINGS: [(Encoding, Splits); 6] = [
    (Encoding::Mixed, Splits::Mixed),
    (Encoding::Auto, Splits::AtMost),
    (Encoding::Multiway, Splits::Multiway),
    (Encoding::OneHot, Splits::OneHot),
    (Encoding::OneHotDropFirst, Splits::DropFirst),
    (Encoding::OneHotDropLast, Splits::DropLast),
];

/// Weights as text, and in hundredths.
const WHOLE_WEIGHTS: [(&str, u64); 4] = [("1", 100), ("2", 200), ("3", 300), ("0", 0)];
const DECIMAL_WEIGHTS: [(&str, u64); 6] =
    [("1", 100), ("0.25", 25), ("1.5", 150), ("0.1", 10), ("0.0", 0), ("3e-1", 30)];

/// What the values of a column are called. Each list is in the order that columns keep.
const SPELLINGS: [[&str; 4]; 4] =
    [["0", "1", "2", "3"], ["8", "9", "10", "11"], ["a", "b", "c", "d"], ["-1", "2", "o", "x"]];

/// The same where values are compared by size; an empty one is missing.
const ORDERED_SPELLINGS: [[&str; 4]; 4] = [
    ["-1.5", "0", "2.25", "10"],
    ["2024-01-01", "2024-01-31", "2024-02-29T12:00", "2025-01-01"],
    ["1", "2", "30", ""],
    ["0.5", "1e3", "9999999999999999999", "NA"],
];
const ORDERED_MISSING: [Option<u32>; 4] = [None, None, Some(3), Some(3)];

/// Divisible by every number of categories or classes, so that remainders are even.
const CODES: std::ops::Range<u32> = 0..12;
const MOST_COLUMNS: usize = 6;

#[derive(Clone, Debug)]
enum Origin {
    Fresh,
    /// The same as the column before.
    Copy,
    /// The column before with its categories in reverse.
    Reverse,
}

#[derive(Clone, Debug)]
struct ColumnRecipe {
    origin: Origin,
    n_categories: u32,
    spelling: usize,
}

#[derive(Clone, Debug)]
struct RowRecipe {
    codes: [u32; MOST_COLUMNS],
    class: u32,
    /// A row before this one to take the codes from.
    twin: Option<usize>,
    weight: usize,
}

#[derive(Clone, Debug)]
enum Weighing {
    Absent,
    Whole,
    Decimal,
}

#[derive(Clone, Debug)]
struct TableRecipe {
    columns: Vec<ColumnRecipe>,
    rows: Vec<RowRecipe>,
    n_classes: u32,
    /// Whether classes follow from the codes, with some noise.
    by_rule: bool,
    weighing: Weighing,
}

/// How large random tables are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) columns: usize,
    pub(crate) categories: u32,
    pub(crate) rows: usize,
}

/// Which trees are allowed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Allowed {
    pub(crate) max_depth: Option<u32>,
    pub(crate) min_leaf: Option<u64>,
    pub(crate) size: Option<MostSize>,
}

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
            .price(self.price);
        let Allowed { max_depth, min_leaf, ref size } = self.allowed;
        let solver = max_depth.map_or(solver.clone(), |most| solver.max_depth(most));
        let solver = min_leaf.map_or(solver.clone(), |least| solver.min_leaf(least));
        match *size {
            Some(MostSize::Leaves(most)) => solver.max_leaves(most),
            Some(MostSize::Splits(most)) => solver.max_splits(most),
            None => solver,
        }
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
    let settings = (0..PENALTIES.len(), 0..ENCODINGS.len(), any::<bool>());
    (table(shape), settings, allowed).prop_map(|(table, settings, allowed)| {
        let (penalty, encoding, price_per_leaf) = settings;
        make(&table, PENALTIES[penalty], ENCODINGS[encoding], price_per_leaf, allowed)
    })
}

/// Every combination of constraints.
pub(crate) fn any_allowed() -> impl Strategy<Value = Allowed> {
    let size =
        prop_oneof![(1u32..=6).prop_map(MostSize::Leaves), (0u32..=4).prop_map(MostSize::Splits),];
    (prop::option::of(0u32..=3), prop::option::of(1u64..=4), prop::option::of(size))
        .prop_map(|(max_depth, min_leaf, size)| Allowed { max_depth, min_leaf, size })
}

fn table(shape: Shape) -> impl Strategy<Value = TableRecipe> {
    let origin =
        prop_oneof![5 => Just(Origin::Fresh), 1 => Just(Origin::Copy), 1 => Just(Origin::Reverse)];
    let column = (origin, 1..=shape.categories, 0..SPELLINGS.len()).prop_map(
        |(origin, n_categories, spelling)| ColumnRecipe { origin, n_categories, spelling },
    );
    let twin = prop::option::weighted(0.3, 0..shape.rows);
    let row = (prop::array::uniform6(CODES), CODES, twin, CODES).prop_map(
        |(codes, class, twin, weight)| RowRecipe { codes, class, twin, weight: weight as usize },
    );
    let weighing =
        prop_oneof![Just(Weighing::Absent), Just(Weighing::Whole), Just(Weighing::Decimal)];
    let columns = prop::collection::vec(column, 1..=shape.columns);
    let rows = prop::collection::vec(row, 1..=shape.rows);
    (columns, rows, 1u32..=4, any::<bool>(), weighing).prop_map(
        |(columns, rows, n_classes, by_rule, weighing)| TableRecipe {
            columns,
            rows,
            n_classes,
            by_rule,
            weighing,
        },
    )
}

impl TableRecipe {
    /// The number of categories of each column: a copied column has its model's.
    fn n_categories(&self) -> Vec<u32> {
        let mut sizes: Vec<u32> = Vec::new();
        for column in &self.columns {
            let size = match (&column.origin, sizes.last()) {
                (Origin::Copy | Origin::Reverse, Some(&before)) => before,
                _ => column.n_categories,
            };
            sizes.push(size);
        }
        sizes
    }

    fn rows(&self) -> Vec<Vec<u32>> {
        let sizes = self.n_categories();
        let mut rows: Vec<Vec<u32>> = Vec::new();
        for recipe in &self.rows {
            let made = match recipe.twin {
                Some(twin) if !rows.is_empty() => rows[twin % rows.len()].clone(),
                _ => self.row(recipe, &sizes),
            };
            rows.push(made);
        }
        rows
    }

    fn row(&self, recipe: &RowRecipe, sizes: &[u32]) -> Vec<u32> {
        let mut row: Vec<u32> = Vec::new();
        for (number, column) in self.columns.iter().enumerate() {
            let code = match (&column.origin, row.last()) {
                (Origin::Copy, Some(&before)) => before,
                (Origin::Reverse, Some(&before)) => sizes[number] - 1 - before,
                _ => recipe.codes[number] % sizes[number],
            };
            row.push(code);
        }
        row
    }

    fn class(&self, recipe: &RowRecipe, row: &[u32]) -> u32 {
        let noisy = recipe.class == 0;
        let ruled = row.iter().sum::<u32>();
        if self.by_rule && !noisy { ruled % self.n_classes } else { recipe.class % self.n_classes }
    }

    /// The weights as text and in hundredths, not all of them 0.
    fn weights(&self) -> Option<Vec<(&'static str, u64)>> {
        let menu: &[(&str, u64)] = match self.weighing {
            Weighing::Absent => return None,
            Weighing::Whole => &WHOLE_WEIGHTS,
            Weighing::Decimal => &DECIMAL_WEIGHTS,
        };
        let mut weights: Vec<_> = self.rows.iter().map(|r| menu[r.weight % menu.len()]).collect();
        if weights.iter().all(|weight| weight.1 == 0) {
            weights[0] = menu[0];
        }
        Some(weights)
    }
}

fn make(
    table: &TableRecipe,
    (penalty, fraction): (&'static str, (i128, i128)),
    (encoding, splits): (Encoding, Splits),
    price_per_leaf: bool,
    allowed: Allowed,
) -> Case {
    let rows = table.rows();
    let classes: Vec<u32> =
        table.rows.iter().zip(&rows).map(|(recipe, row)| table.class(recipe, row)).collect();
    let weights = table.weights();
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
        weights: weights.as_ref().map_or(vec![1; rows.len()], |w| w.iter().map(|w| w.1).collect()),
        rows,
        classes,
        splits,
        missing: table.columns.iter().map(missing).collect(),
        price_per_leaf,
        penalty: fraction,
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
    Case { question, allowed, penalty, encoding, price, text, weights }
}
