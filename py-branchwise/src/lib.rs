//! The compiled part of the Python package `branchwise`.
//!
//! Python passes columns (`columns`) and settings (`settings`); the library fits a `model` and returns it.
//! During a search Python's other threads keep running, and signals are handled (`search`). The library
//! alone defines values, kinds, missing values, trees and exports.

mod columns;
mod model;
mod search;
mod settings;

use branchwise::memory::Counting;
use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

/// Memory is counted, so that a limit on it means all that the package holds.
#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What is wrong with a table or a setting, as Python says it.
fn refused(error: branchwise::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use crate::columns::Columns;
    #[pymodule_export]
    use crate::model::{Model, Node};
    #[pymodule_export]
    use crate::search::{fit, path};
    #[pymodule_export]
    use crate::settings::{default_settings, parse_size};
}
