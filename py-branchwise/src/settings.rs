//! Settings, which Python passes as JSON with the names of model files.

use crate::refused;
use branchwise::{Settings, Solver, format};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A solver with settings that were written as JSON.
pub(crate) fn solver(json: &str) -> PyResult<Solver> {
    let solver = Solver::new().with_settings(Settings::from_json(json).map_err(refused)?);
    solver.check().map_err(refused)?;
    Ok(solver)
}

/// The default settings as JSON: every setting that there is.
#[pyfunction]
pub(crate) fn default_settings() -> String {
    Settings::default().to_json()
}

/// A size such as "2 GiB" or "500MB", in bytes.
#[pyfunction]
pub(crate) fn parse_size(text: &str) -> PyResult<u64> {
    format::parse_size(text).map_err(PyValueError::new_err)
}
