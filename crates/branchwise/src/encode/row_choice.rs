//! Which rows of a table are learnt from.

use super::Missing;
use crate::data::{Column, Dataset};
use crate::error::{Error, Result};

/// The rows to learn from, and the number of rows dropped because a value is missing. Rows of weight 0 are
/// learnt from; rows with a count of 0 are not.
pub(crate) fn rows_that_count(
    dataset: &Dataset,
    asked: Vec<&Column>,
    missing: Missing,
) -> Result<(Vec<usize>, u64)> {
    let counted = (0..dataset.n_rows()).filter(|&row| dataset.count(row) > 0);
    let mut required = asked;
    required.retain(|column| column.has_missing() && missing != Missing::Category);
    required.extend(Some(dataset.target()).filter(|target| target.has_missing()));
    let complete = |row: usize| required.iter().all(|column| column.value(row).is_some());
    let (rows, incomplete): (Vec<usize>, Vec<usize>) = counted.partition(|&row| complete(row));
    let lacks = |column: &Column, row: usize| column.value(row).is_none();
    let lacking = required.iter().find(|column| incomplete.iter().any(|&row| lacks(column, row)));
    if let Some(column) = lacking.filter(|_| missing != Missing::Drop) {
        let without = incomplete.iter().filter(|&&row| lacks(column, row));
        return Err(Error::MissingValues {
            column: column.name().to_string(),
            rows: without.map(|&row| dataset.count(row)).sum(),
            place: column.place_of(column.values().len()),
            to_predict: column.position() == dataset.target().position(),
        });
    }
    if rows.is_empty() && !incomplete.is_empty() {
        return Err(Error::NoCompleteRow);
    }
    if rows.iter().all(|&row| dataset.weight(row) == 0) {
        return Err(Error::NoWeight);
    }
    let dropped = incomplete.iter().map(|&row| dataset.count(row)).sum();
    Ok((rows, dropped))
}
