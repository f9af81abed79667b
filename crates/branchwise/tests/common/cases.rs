//! Random small tables and settings: plain lists of numbers, so that they shrink well.

use super::exhaustive::{Question, Splits};
use branchwise::data::{Column, Target};
use branchwise::{
    ClassWeight, Costs, Dataset, Decimal, Encoding, Price, Solver, Table, Thresholds,
};
use proptest::prelude::*;

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

/// What classes weigh, as text and in quarters; and what answers cost, as text and in halves.
const CLASS_WEIGHTS: [(&str, u64); 5] = [("1", 4), ("0.5", 2), ("3", 12), ("2.25", 9), ("0", 0)];
const COSTS: [(&str, u64); 5] = [("0", 0), ("1", 2), ("2.5", 5), ("7", 14), ("0.0", 0)];

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

/// Which trees are allowed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Allowed {
    pub(crate) max_depth: Option<u32>,
    pub(crate) min_leaf: Option<u64>,
    pub(crate) size: Option<MostSize>,
    /// By a number that is taken modulo the number of columns.
    pub(crate) first_column: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum MostSize {
    Leaves(u32),
    Splits(u32),
}

/// What is at stake: numbers to choose class weights and costs by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stakes {
    class_weight: Option<ClassWeightRecipe>,
    /// By class, then answer.
    costs: Option<[[usize; 4]; 4]>,
}

#[derive(Clone, Debug)]
enum ClassWeightRecipe {
    Balanced,
    Named([usize; 4]),
}

/// Every combination of class weights and costs.
pub(crate) fn any_stakes() -> impl Strategy<Value = Stakes> {
    let class_weight = prop_oneof![
        Just(ClassWeightRecipe::Balanced),
        prop::array::uniform4(0..CLASS_WEIGHTS.len()).prop_map(ClassWeightRecipe::Named),
    ];
    let costs = prop::array::uniform4(prop::array::uniform4(0..COSTS.len()));
    (prop::option::of(class_weight), prop::option::weighted(0.7, costs))
        .prop_map(|(class_weight, costs)| Stakes { class_weight, costs })
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
    case_with(shape, allowed, Just(Stakes::default()))
}

/// The same with class weights and costs.
pub(crate) fn case_with(
    shape: Shape,
    allowed: impl Strategy<Value = Allowed>,
    stakes: impl Strategy<Value = Stakes>,
) -> impl Strategy<Value = Case> {
    let settings = (0..PENALTIES.len(), 0..ENCODINGS.len(), any::<bool>());
    (table(shape), settings, allowed, stakes).prop_map(|(table, settings, allowed, stakes)| {
        let (penalty, encoding, price_per_leaf) = settings;
        let case = make(&table, PENALTIES[penalty], ENCODINGS[encoding], price_per_leaf, allowed);
        case.with_stakes(&stakes)
    })
}

impl Case {
    fn with_stakes(mut self, stakes: &Stakes) -> Case {
        match &stakes.class_weight {
            Some(ClassWeightRecipe::Balanced) => self.balance(),
            Some(ClassWeightRecipe::Named(chosen)) => {
                let mut chosen = chosen.map(|choice| CLASS_WEIGHTS[choice]);
                // Some row must weigh something.
                if self.heavy_classes().all(|class| chosen[class].1 == 0) {
                    self.heavy_classes().for_each(|class| chosen[class] = CLASS_WEIGHTS[0]);
                }
                let named = self
                    .classes()
                    .into_iter()
                    .map(|class| (SPELLINGS[2][class].to_string(), Decimal::from(chosen[class].0)));
                self.class_weight = ClassWeight::Named(named.collect());
                self.weigh(|class| chosen[class].1);
            }
            None => {}
        }
        if let Some(chosen) = &stakes.costs {
            self.set_costs(chosen);
        }
        self
    }

    /// The classes of the table, in order.
    fn classes(&self) -> Vec<usize> {
        let mut classes: Vec<usize> = self.question.classes.iter().map(|&c| c as usize).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    /// The classes of the rows that weigh something.
    fn heavy_classes(&self) -> impl Iterator<Item = usize> {
        let Question { weights, classes, .. } = &self.question;
        let heavy = weights.iter().zip(classes).filter(|(weight, _)| **weight > 0);
        heavy.map(|(_, &class)| class as usize)
    }

    fn weigh(&mut self, weight: impl Fn(usize) -> u64) {
        let Question { weights, classes, .. } = &mut self.question;
        let pairs = weights.iter_mut().zip(classes);
        pairs.for_each(|(row, class)| *row *= weight(*class as usize));
    }

    /// Rows weigh in inverse proportion to the number of rows of their class: the common factor of
    /// scikit-learn's n / (K · n_c) makes no difference.
    fn balance(&mut self) {
        self.class_weight = ClassWeight::Balanced;
        let present = self.question.present();
        let count = |class: usize| {
            present.iter().filter(|&&row| self.question.classes[row] as usize == class).count()
        };
        let counts: Vec<u64> = (0..4).map(|class| count(class).max(1) as u64).collect();
        let common: u64 = counts.iter().product();
        self.weigh(|class| common / counts[class]);
    }

    fn set_costs(&mut self, chosen: &[[usize; 4]; 4]) {
        let classes = self.classes();
        let names = || classes.iter().map(|&class| SPELLINGS[2][class].to_string());
        // Some answer must cost some row something: the first does, where nothing else would.
        let free = |class: usize| classes.iter().all(|&answer| COSTS[chosen[class][answer]].1 == 0);
        let all_zero = self.heavy_classes().all(free);
        let cost = |class: usize, answer: usize| match all_zero && answer == classes[0] {
            true => COSTS[1],
            false => COSTS[chosen[class][answer]],
        };
        let row = |class: usize| classes.iter().map(move |&answer| cost(class, answer));
        let texts = |class: usize| row(class).map(|cost| Decimal::from(cost.0)).collect();
        let rows = classes.iter().map(|&class| (SPELLINGS[2][class].to_string(), texts(class)));
        self.costs = Some(Costs::new(names().collect(), rows.collect()));
        // The oracle numbers answers as it does classes; the others cost too much to be given.
        let of_class = |class: usize| -> Vec<u64> {
            let known = |answer: usize| classes.contains(&answer) && classes.contains(&class);
            let worst = row(class).map(|cost| cost.1).max().unwrap_or(0);
            let cost = |answer| if known(answer) { cost(class, answer).1 } else { worst };
            (0..4).map(cost).collect()
        };
        self.question.costs = Some((0..4).map(of_class).collect());
    }
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
    let weightless = prop::option::weighted(0.2, 0u32..4);
    (columns, rows, 1u32..=4, any::<bool>(), weighing, weightless).prop_map(
        |(columns, rows, n_classes, by_rule, weighing, weightless)| TableRecipe {
            columns,
            rows,
            n_classes,
            by_rule,
            weighing,
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
    fn weights(&self, classes: &[u32]) -> Option<Vec<(&'static str, u64)>> {
        let menu: &[(&str, u64)] = match self.weighing {
            Weighing::Absent => return None,
            Weighing::Whole => &WHOLE_WEIGHTS,
            Weighing::Decimal => &DECIMAL_WEIGHTS,
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
        weights: weights.as_ref().map_or(vec![1; rows.len()], |w| w.iter().map(|w| w.1).collect()),
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
    Case { question, allowed, penalty, encoding, price, text, weights, class_weight, costs: None }
}
