//! Random tables: a few numbers for each column and row, from which codes, classes and weights follow.

use proptest::prelude::*;

/// Weights as text, and in hundredths.
const WHOLE_WEIGHTS: [(&str, u64); 4] = [("1", 100), ("2", 200), ("3", 300), ("0", 0)];
const DECIMAL_WEIGHTS: [(&str, u64); 6] =
    [("1", 100), ("0.25", 25), ("1.5", 150), ("0.1", 10), ("0.0", 0), ("3e-1", 30)];

/// What the values of a column are called. Each list is in the order that columns keep.
pub(super) const SPELLINGS: [[&str; 4]; 4] =
    [["0", "1", "2", "3"], ["8", "9", "10", "11"], ["a", "b", "c", "d"], ["-1", "2", "o", "x"]];

/// The same where values are compared by size; an empty one is missing.
pub(super) const ORDERED_SPELLINGS: [[&str; 4]; 4] = [
    ["-1.5", "0", "2.25", "10"],
    ["2024-01-01", "2024-01-31", "2024-02-29T12:00", "2025-01-01"],
    ["1", "2", "30", ""],
    ["0.5", "1e3", "9999999999999999999", "NA"],
];
/// The code of the missing value in each of these lists.
pub(super) const ORDERED_MISSING: [Option<u32>; 4] = [None, None, Some(3), Some(3)];

/// Divisible by every number of categories or classes, so that remainders are even.
const CODES: std::ops::Range<u32> = 0..12;
pub(super) const MOST_COLUMNS: usize = 6;

/// Where the codes of a column come from.
#[derive(Clone, Debug)]
enum Origin {
    /// From each row's own numbers.
    Fresh,
    /// The same as the column before.
    Copy,
    /// The column before with its categories in reverse.
    Reverse,
}

/// The numbers that a column is made from.
#[derive(Clone, Debug)]
pub(super) struct ColumnRecipe {
    origin: Origin,
    n_categories: u32,
    pub(super) spelling: usize,
}

/// The numbers that a row is made from.
#[derive(Clone, Debug)]
pub(super) struct RowRecipe {
    codes: [u32; MOST_COLUMNS],
    class: u32,
    /// A row before this one to take the codes from.
    twin: Option<usize>,
    weight: usize,
}

/// What kind of weights rows have.
#[derive(Clone, Debug)]
enum WeightKind {
    Absent,
    Whole,
    Decimal,
}

/// The numbers that a table is made from.
#[derive(Clone, Debug)]
pub(super) struct TableRecipe {
    pub(super) columns: Vec<ColumnRecipe>,
    rows: Vec<RowRecipe>,
    n_classes: u32,
    /// Whether classes follow from the codes, with some noise.
    by_rule: bool,
    weight_kind: WeightKind,
    /// A class whose rows all weigh nothing, where rows have weights.
    weightless: Option<u32>,
}

/// How large random tables are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) columns: usize,
    pub(crate) categories: u32,
    pub(crate) rows: usize,
}

/// Tables of a shape.
pub(super) fn table(shape: Shape) -> impl Strategy<Value = TableRecipe> {
    let origin =
        prop_oneof![5 => Just(Origin::Fresh), 1 => Just(Origin::Copy), 1 => Just(Origin::Reverse)];
    let column = (origin, 1..=shape.categories, 0..SPELLINGS.len()).prop_map(
        |(origin, n_categories, spelling)| ColumnRecipe { origin, n_categories, spelling },
    );
    let twin = prop::option::weighted(0.3, 0..shape.rows);
    let row = (prop::array::uniform6(CODES), CODES, twin, CODES).prop_map(
        |(codes, class, twin, weight)| RowRecipe { codes, class, twin, weight: weight as usize },
    );
    let weight_kind =
        prop_oneof![Just(WeightKind::Absent), Just(WeightKind::Whole), Just(WeightKind::Decimal)];
    let columns = prop::collection::vec(column, 1..=shape.columns);
    let rows = prop::collection::vec(row, 1..=shape.rows);
    let weightless = prop::option::weighted(0.2, 0u32..4);
    (columns, rows, 1u32..=4, any::<bool>(), weight_kind, weightless).prop_map(
        |(columns, rows, n_classes, by_rule, weight_kind, weightless)| TableRecipe {
            columns,
            rows,
            n_classes,
            by_rule,
            weight_kind,
            weightless,
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

    /// The codes of each row.
    pub(super) fn rows(&self) -> Vec<Vec<u32>> {
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

    /// The class of each row.
    pub(super) fn classes(&self, rows: &[Vec<u32>]) -> Vec<u32> {
        self.rows.iter().zip(rows).map(|(recipe, row)| self.class(recipe, row)).collect()
    }

    fn class(&self, recipe: &RowRecipe, row: &[u32]) -> u32 {
        let noisy = recipe.class == 0;
        let ruled = row.iter().sum::<u32>();
        if self.by_rule && !noisy { ruled % self.n_classes } else { recipe.class % self.n_classes }
    }

    /// The weights as text and in hundredths, not all of them 0.
    pub(super) fn weights(&self, classes: &[u32]) -> Option<Vec<(&'static str, u64)>> {
        let menu: &[(&str, u64)] = match self.weight_kind {
            WeightKind::Absent => return None,
            WeightKind::Whole => &WHOLE_WEIGHTS,
            WeightKind::Decimal => &DECIMAL_WEIGHTS,
        };
        let weight = |(row, &class): (&RowRecipe, &u32)| match self.weightless == Some(class) {
            true => ("0", 0),
            false => menu[row.weight % menu.len()],
        };
        let mut weights: Vec<_> = self.rows.iter().zip(classes).map(weight).collect();
        if weights.iter().all(|weight| weight.1 == 0) {
            weights[0] = menu[0];
        }
        Some(weights)
    }
}
