//! Every tree on a small table, with none of the library's code.
//!
//! For a list of rows, [`Oracle::trees`] tells for each size that a tree on them can have how much
//! weight the best tree of that size gets right. λ, the price's worth and the limits on a whole tree
//! come in only at the end, when every size is looked at: nothing is bounded, nothing is pruned.

use std::collections::BTreeMap;

/// Which splits a column offers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Splits {
    Multiway,
    OneHot,
    DropFirst,
    DropLast,
    /// Both of the first two.
    Mixed,
    /// "At most this value?", with a third answer for missing values, and "is it missing?".
    AtMost,
}

/// What the oracle is asked.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The code of each column, row by row.
    pub(crate) rows: Vec<Vec<u32>>,
    pub(crate) classes: Vec<u32>,
    /// In any unit, class weights included. A row of weight 0 is a row like any other.
    pub(crate) weights: Vec<u64>,
    /// What each answer costs for each class, in any unit.
    pub(crate) costs: Option<Vec<Vec<u64>>>,
    pub(crate) splits: Splits,
    /// For each column, the code that means that there is no value.
    pub(crate) missing: Vec<Option<u32>>,
    /// Whether a split costs λ for each child beyond its first, or λ.
    pub(crate) price_per_leaf: bool,
    /// λ = numerator / denominator.
    pub(crate) penalty: (i128, i128),
    pub(crate) max_depth: Option<u32>,
    pub(crate) min_leaf: usize,
    pub(crate) max_leaves: Option<u64>,
    pub(crate) max_splits: Option<u64>,
    /// The column that the root must be split on.
    pub(crate) first_column: Option<usize>,
}

impl Question {
    pub(crate) fn total_weight(&self) -> u64 {
        self.weights.iter().sum()
    }

    /// What an objective of 1 stands for: all weight, or the worst that answers could cost.
    pub(crate) fn whole(&self) -> u64 {
        let Some(costs) = &self.costs else { return self.total_weight() };
        let worst = |row: usize| costs[self.classes[row] as usize].iter().max().unwrap();
        (0..self.rows.len()).map(|row| self.weights[row] * worst(row)).sum()
    }

    /// What an answer costs for some rows.
    pub(crate) fn cost(&self, rows: &[usize], answer: usize) -> u64 {
        let costs = self.costs.as_ref().unwrap();
        rows.iter().map(|&row| self.weights[row] * costs[self.classes[row] as usize][answer]).sum()
    }

    /// Every row.
    pub(crate) fn present(&self) -> Vec<usize> {
        (0..self.rows.len()).collect()
    }

    /// q · whole · (accuracy − λ · paid), or with 1 − cost / whole for the accuracy: an integer.
    pub(crate) fn value(&self, correct: u64, paid: u64) -> i128 {
        let (numerator, denominator) = self.penalty;
        let whole = i128::from(self.whole());
        i128::from(correct) * denominator - numerator * whole * i128::from(paid)
    }

    fn allows(&self, size: Size) -> bool {
        self.max_leaves.is_none_or(|most| size.leaves <= most)
            && self.max_splits.is_none_or(|most| size.splits <= most)
    }

    /// The best tree's value, and the fewest splits of a tree that reaches it; `None` if none is allowed.
    pub(crate) fn best(&self) -> Option<(i128, u64)> {
        let present = self.present();
        let (columns, features) = self.features().into_iter().unzip();
        let mut oracle = Oracle { question: self, columns, features, known: BTreeMap::new() };
        let trees = match self.first_column {
            Some(column) => oracle.trees_from(&present, column),
            None => {
                let mut trees = oracle.trees(&present, self.max_depth);
                // A table with too few rows for a leaf has its one leaf all the same.
                trees.insert(Size::LEAF, self.best_answer(&present));
                trees
            }
        };
        let allowed = trees.into_iter().filter(|&(size, _)| self.allows(size));
        let ranked = allowed.map(|(size, correct)| {
            (self.value(correct, size.paid), std::cmp::Reverse(size.splits))
        });
        ranked.max().map(|(value, splits)| (value, splits.0))
    }

    /// For each feature, its column and the category of each row.
    fn features(&self) -> Vec<(usize, Vec<u32>)> {
        let of_column = |number: usize| {
            let column = self.rows.iter().map(|row| row[number]).collect();
            let features = self.features_of(column, self.missing[number]);
            features.into_iter().map(move |feature| (number, feature))
        };
        (0..self.rows[0].len()).flat_map(of_column).collect()
    }

    /// The features of a column. Its values are those in the table, in rows of weight 0 too.
    fn features_of(&self, column: Vec<u32>, missing: Option<u32>) -> Vec<Vec<u32>> {
        let mut asked = column.clone();
        asked.sort_unstable();
        asked.dedup();
        match self.splits {
            Splits::Multiway => return vec![column],
            Splits::OneHot => {}
            Splits::DropFirst => drop(asked.remove(0)),
            Splits::DropLast => drop(asked.pop()),
            Splits::Mixed | Splits::AtMost => {}
        }
        let is = |value: u32| -> Vec<u32> {
            column.iter().map(|&code| u32::from(code == value)).collect()
        };
        if self.splits == Splits::AtMost {
            let at_most = |value: u32| -> Vec<u32> {
                let side = |&code: &u32| match Some(code) == missing {
                    true => 2,
                    false => u32::from(code <= value),
                };
                column.iter().map(side).collect()
            };
            return asked.into_iter().map(at_most).chain(missing.map(is)).collect();
        }
        let whole = (self.splits == Splits::Mixed).then(|| column.clone());
        whole.into_iter().chain(asked.into_iter().map(is)).collect()
    }

    /// What the best answer for some rows gets right, or saves of what the worst answers would cost.
    fn best_answer(&self, rows: &[usize]) -> u64 {
        if let Some(costs) = &self.costs {
            let worst = |row: &usize| costs[self.classes[*row] as usize].iter().max().unwrap();
            let worst: u64 = rows.iter().map(|row| self.weights[*row] * worst(row)).sum();
            let least = (0..costs.len()).map(|answer| self.cost(rows, answer)).min();
            return worst - least.unwrap();
        }
        let mut by_class = BTreeMap::<u32, u64>::new();
        for &row in rows {
            *by_class.entry(self.classes[row]).or_default() += self.weights[row];
        }
        by_class.into_values().max().unwrap_or(0)
    }
}

/// How large a tree is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Size {
    splits: u64,
    paid: u64,
    leaves: u64,
}

impl Size {
    const LEAF: Size = Size { splits: 0, paid: 0, leaves: 1 };

    fn plus(self, other: Size) -> Size {
        Size {
            splits: self.splits + other.splits,
            paid: self.paid + other.paid,
            leaves: self.leaves + other.leaves,
        }
    }
}

/// For each size of tree, the most weight that one gets right.
type Trees = BTreeMap<Size, u64>;

struct Oracle<'a> {
    question: &'a Question,
    /// The column of each feature, and its category of each row.
    columns: Vec<usize>,
    features: Vec<Vec<u32>>,
    known: BTreeMap<(Vec<usize>, Option<u32>), Trees>,
}

impl Oracle<'_> {
    /// Every tree on these rows with at most `depth` splits on the way to a leaf.
    fn trees(&mut self, rows: &[usize], depth: Option<u32>) -> Trees {
        let key = (rows.to_vec(), depth);
        if let Some(trees) = self.known.get(&key) {
            return trees.clone();
        }
        let mut trees = Trees::new();
        if rows.len() >= self.question.min_leaf {
            trees.insert(Size::LEAF, self.question.best_answer(rows));
        }
        if depth != Some(0) {
            for feature in 0..self.features.len() {
                let below = depth.map(|depth| depth - 1);
                self.split_trees(rows, feature, below)
                    .into_iter()
                    .for_each(|t| keep(&mut trees, t));
            }
        }
        self.known.insert(key, trees.clone());
        trees
    }

    /// Every tree on these rows whose root asks this column.
    fn trees_from(&mut self, rows: &[usize], column: usize) -> Trees {
        let mut trees = Trees::new();
        let depth = self.question.max_depth;
        if depth == Some(0) {
            return trees;
        }
        let below = depth.map(|depth| depth - 1);
        for feature in 0..self.features.len() {
            if self.columns[feature] == column {
                let from = self.split_trees(rows, feature, below);
                from.into_iter().for_each(|tree| keep(&mut trees, tree));
            }
        }
        trees
    }

    /// Every tree on these rows whose root asks this feature.
    fn split_trees(&mut self, rows: &[usize], feature: usize, below: Option<u32>) -> Trees {
        let mut children = BTreeMap::<u32, Vec<usize>>::new();
        for &row in rows {
            children.entry(self.features[feature][row]).or_default().push(row);
        }
        if children.len() < 2 {
            return Trees::new();
        }
        let extra_leaves = children.len() as u64 - 1;
        let paid = if self.question.price_per_leaf { extra_leaves } else { 1 };
        let mut trees = Trees::from([(Size { splits: 1, paid, leaves: 0 }, 0)]);
        for child in children.values() {
            trees = both(&trees, &self.trees(child, below));
        }
        trees
    }
}

fn keep(trees: &mut Trees, (size, correct): (Size, u64)) {
    let most = trees.entry(size).or_insert(correct);
    *most = correct.max(*most);
}

/// Every pair of one and another.
fn both(some: &Trees, others: &Trees) -> Trees {
    let mut pairs = Trees::new();
    for (&size, &correct) in some {
        for (&more, &also) in others {
            keep(&mut pairs, (size.plus(more), correct + also));
        }
    }
    pairs
}
