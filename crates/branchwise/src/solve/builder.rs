//! The methods of [`Solver`] that set one option each, for use in Rust programs.

use super::Solver;
use crate::data::MissingValues;
use crate::decimal::Decimal;
use crate::encode::{ClassWeight, Costs, Encoding, Missing, Offer, Thresholds};
use crate::limits::StopFlag;
use crate::model::Model;
use crate::objective::Price;
use crate::search::{Bounds, Engine};
use std::num::NonZeroUsize;
use std::time::Duration;

impl Solver {
    /// λ: how much accuracy a split must bring, at least 0 and less than 1. A float means its
    /// shortest decimal form.
    #[must_use]
    pub fn split_penalty(mut self, penalty: impl Into<Decimal>) -> Self {
        self.settings.goal.split_penalty = penalty.into();
        self
    }

    /// What a multi-way split costs.
    #[must_use]
    pub fn price(mut self, price: Price) -> Self {
        self.settings.goal.price = price;
        self
    }

    /// Which splits columns offer.
    #[must_use]
    pub fn encoding(mut self, encoding: Encoding) -> Self {
        self.settings.offer.encoding = encoding;
        self
    }

    /// Which splits columns offer, in every detail.
    #[must_use]
    pub fn offer(mut self, offer: Offer) -> Self {
        self.settings.offer = offer;
        self
    }

    /// How many thresholds a column of numbers, dates or ordered values offers.
    #[must_use]
    pub fn thresholds(mut self, thresholds: Thresholds) -> Self {
        self.settings.offer.thresholds = thresholds;
        self
    }

    /// Take the rarest values of a column as one, so that it has at most this many.
    #[must_use]
    pub fn max_categories(mut self, most: usize) -> Self {
        self.settings.offer.max_categories = Some(most);
        self
    }

    /// How to treat rows with missing values.
    #[must_use]
    pub fn missing(mut self, missing: Missing) -> Self {
        self.settings.offer.missing = missing;
        self
    }

    /// The spellings of missing values with which the table was read. The model keeps them, so that
    /// new rows are read in the same way.
    #[must_use]
    pub fn missing_values(mut self, missing_values: MissingValues) -> Self {
        self.settings.missing_values = missing_values;
        self
    }

    /// How much the rows of each class weigh.
    #[must_use]
    pub fn class_weight(mut self, class_weight: ClassWeight) -> Self {
        self.settings.goal.class_weight = class_weight;
        self
    }

    /// What answers cost: then the best tree is one that maximises 1 − cost / worst − λ · splits, where
    /// `worst` is what the worst answer for each row would cost, and a leaf answers with the class of
    /// least cost.
    #[must_use]
    pub fn costs(mut self, costs: Costs) -> Self {
        self.settings.goal.costs = Some(costs);
        self
    }

    /// Which search to run.
    #[must_use]
    pub fn engine(mut self, engine: Engine) -> Self {
        self.settings.engine = engine;
        self
    }

    /// Which bounds the engine `fast` uses: for tests and experiments.
    #[must_use]
    pub fn bounds(mut self, bounds: Bounds) -> Self {
        self.bounds = bounds;
        self
    }

    /// The most splits between the root and a leaf.
    #[must_use]
    pub fn max_depth(mut self, depth: u32) -> Self {
        self.settings.constraints.max_depth = Some(depth);
        self
    }

    /// The fewest rows in a leaf.
    #[must_use]
    pub fn min_leaf(mut self, rows: u64) -> Self {
        self.settings.constraints.min_leaf = Some(rows);
        self
    }

    /// The fewest rows in a leaf, as a share of the rows that are learnt from, rounded up.
    #[must_use]
    pub fn min_leaf_share(mut self, share: impl Into<Decimal>) -> Self {
        self.settings.constraints.min_leaf_share = Some(share.into());
        self
    }

    /// The column that the first split must ask about: the best tree is one of those.
    #[must_use]
    pub fn first_column(mut self, column: impl Into<String>) -> Self {
        self.settings.offer.first_column = Some(column.into());
        self
    }

    /// The most leaves.
    #[must_use]
    pub fn max_leaves(mut self, leaves: u32) -> Self {
        self.settings.constraints.max_leaves = Some(leaves);
        self
    }

    /// The most splits.
    #[must_use]
    pub fn max_splits(mut self, splits: u32) -> Self {
        self.settings.constraints.max_splits = Some(splits);
        self
    }

    /// Stop after this time, with the best tree found and its gap.
    #[must_use]
    pub fn time_limit(mut self, time: Duration) -> Self {
        self.settings.limits.time = Some(time);
        self
    }

    /// Stop after this many iterations.
    #[must_use]
    pub fn iteration_limit(mut self, iterations: u64) -> Self {
        self.settings.limits.iterations = Some(iterations);
        self
    }

    /// Stop before holding more bytes than this.
    #[must_use]
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.settings.limits.memory = Some(bytes);
        self
    }

    /// Let the memo of the engine `fast` hold at most this many bytes; the search only takes longer.
    #[must_use]
    pub fn memo_limit(mut self, bytes: u64) -> Self {
        self.settings.limits.memo = Some(bytes);
        self
    }

    /// Let the engine `fast` use this many threads; the proven answer does not depend on it. Without
    /// this it runs on the caller's thread alone.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.settings.limits.threads = Some(threads);
        self
    }

    /// Stop when this flag is raised, by another thread or a signal.
    #[must_use]
    pub fn stop_flag(mut self, flag: StopFlag) -> Self {
        self.settings.limits.stop = flag;
        self
    }

    /// Start from the tree of an earlier model of the same columns, as far as their splits are still
    /// offered: what is found is then at least as good. (The engine `paper` takes no notice.)
    #[must_use]
    pub fn start_from(mut self, model: Model) -> Self {
        self.start = Some(model);
        self
    }
}
