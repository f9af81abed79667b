//! Tables as Arrow streams: polars, pyarrow, and others with the Arrow C interface.

use super::Said;
use super::noting::infinite;
use crate::refused;
use arrow_array::RecordBatchReader;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_schema::DataType;
use branchwise::data::{Column, MissingValues, ReadOptions, read_batches};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// The columns of an object that has `__arrow_c_stream__`.
pub(super) fn read(table: &Bound<'_, PyAny>) -> PyResult<Vec<(Column, Said)>> {
    let capsule = table.call_method0("__arrow_c_stream__")?;
    let reader = reader(capsule.cast::<PyCapsule>()?)?;
    let schema = reader.schema();
    let options = ReadOptions { missing: MissingValues::new([""; 0]), ..ReadOptions::default() };
    let columns = read_batches(reader, &options).map_err(refused)?.into_columns();
    let said = schema.fields().iter().map(|field| said_by(field.data_type()));
    for (column, field) in columns.iter().zip(schema.fields()) {
        let is_infinite = |value: &String| value == "inf" || value == "-inf";
        if field.data_type().is_floating() && column.values().iter().any(is_infinite) {
            return Err(infinite());
        }
    }
    Ok(columns.into_iter().zip(said).collect())
}

fn said_by(data_type: &DataType) -> Said {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Dictionary(..) => {
            Said::Text
        }
        _ => Said::Nothing,
    }
}

/// The stream in a capsule, which is then spent.
#[allow(unsafe_code, reason = "a C interface is a pointer and a promise")]
fn reader(capsule: &Bound<'_, PyCapsule>) -> PyResult<RecordBatchStreamReader> {
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: a capsule of this name holds a stream, so the interface promises; whoever takes it out
    // leaves an empty one behind, which the capsule then releases.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr().cast()) };
    RecordBatchStreamReader::try_new(stream)
        .map_err(|error| PyValueError::new_err(format!("the Arrow stream cannot be read: {error}")))
}
