//! The compiled part of the Python package `branchwise`.
//!
//! Python hands over columns (`columns`) and settings (`settings`); the library does the rest, and
//! a `model` comes back. While it searches, Python's other threads run, and signals are heard
//! (`search`). What values, kinds, missing values, trees and exports are is said by the library alone.

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
