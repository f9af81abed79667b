//! Settings, as the estimator hands them over.

use crate::refused;
use branchwise::encode::Offer;
use branchwise::{Costs, Decimal, Solver, Thresholds, units};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use std::num::NonZeroUsize;
use std::time::Duration;

/// What to search for, and how long; from a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings {
    split_penalty: String,
    price: String,
    encoding: String,
    /// `None`: all.
    thresholds: Option<usize>,
    max_categories: Option<usize>,
    missing: String,
    first_column: Option<String>,
    /// What the classes are called, and what each answer costs for each of them, as decimals.
    costs: Option<(Vec<String>, Vec<Vec<String>>)>,
    engine: String,
    max_depth: Option<u32>,
    min_leaf: u64,
    max_leaves: Option<u32>,
    max_splits: Option<u32>,
    time_limit: Option<f64>,
    iteration_limit: Option<u64>,
    memory_limit: Option<u64>,
    memo_limit: Option<u64>,
    threads: usize,
}

impl Settings {
    pub(crate) fn solver(&self) -> PyResult<Solver> {
        let offer = Offer {
            encoding: named("encoding", &self.encoding)?,
            thresholds: self.thresholds.map_or(Thresholds::All, Thresholds::Quantiles),
            max_categories: self.max_categories,
            missing: named("missing", &self.missing)?,
            first_column: self.first_column.clone(),
        };
        let mut solver = Solver::new()
            .split_penalty(self.split_penalty.as_str())
            .price(named("price", &self.price)?)
            .engine(named("engine", &self.engine)?)
            .offer(offer)
            .missing_values(branchwise::data::MissingValues::new([""; 0]))
            .min_leaf(self.min_leaf);
        if let Some((classes, costs)) = &self.costs {
            let decimals = |row: &Vec<String>| row.iter().cloned().map(Decimal::from).collect();
            let rows = classes.iter().cloned().zip(costs.iter().map(decimals)).collect();
            solver = solver.costs(Costs::new(classes.clone(), rows));
        }
        if let Some(threads) = NonZeroUsize::new(self.threads) {
            solver = solver.threads(threads);
        }
        if let Some(depth) = self.max_depth {
            solver = solver.max_depth(depth);
        }
        if let Some(leaves) = self.max_leaves {
            solver = solver.max_leaves(leaves);
        }
        if let Some(splits) = self.max_splits {
            solver = solver.max_splits(splits);
        }
        self.limited(solver)
    }

    fn limited(&self, mut solver: Solver) -> PyResult<Solver> {
        if let Some(seconds) = self.time_limit {
            let time = Duration::try_from_secs_f64(seconds).map_err(|error| {
                PyValueError::new_err(format!("time_limit is {seconds} seconds: {error}"))
            })?;
            solver = solver.time_limit(time);
        }
        if let Some(iterations) = self.iteration_limit {
            solver = solver.iteration_limit(iterations);
        }
        if let Some(bytes) = self.memory_limit {
            solver = solver.memory_limit(bytes);
        }
        if let Some(bytes) = self.memo_limit {
            solver = solver.memo_limit(bytes);
        }
        solver.check().map_err(refused)?;
        Ok(solver)
    }
}

/// A choice by the name that model files give it.
fn named<T: DeserializeOwned>(parameter: &str, name: &str) -> PyResult<T> {
    serde_json::from_value(name.into())
        .map_err(|error| PyValueError::new_err(format!("{parameter}: {error}")))
}

/// A size such as "2 GiB" or "500MB", in bytes.
#[pyfunction]
pub(crate) fn parse_size(text: &str) -> PyResult<u64> {
    units::parse_size(text).map_err(PyValueError::new_err)
}
