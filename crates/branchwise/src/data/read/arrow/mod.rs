//! Batches of Arrow's columns become rows of codes.
//!
//! A text is looked up without a copy, and an entry of an Arrow dictionary once. Other values are
//! remembered by their bits, so that each distinct value is written as text only once.

#[cfg(feature = "arrow")]
mod claims;
#[cfg(feature = "arrow")]
mod files;
#[cfg(feature = "arrow")]
pub(super) mod room;

#[cfg(feature = "arrow")]
pub(super) use files::{read_file, read_stream};

use super::collect::Collector;
use super::dictionary::Dictionaries;
use super::interner::Interner;
use crate::data::location::Location;
use crate::error::{Error, FileError, Result};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchReader, make_array};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType, Schema};
use std::panic::{AssertUnwindSafe, catch_unwind};

const ARROW: &str = "Arrow";

pub(super) fn damaged(format: &'static str, error: &dyn std::fmt::Display) -> Error {
    FileError::Damaged { format, problem: error.to_string() }.into()
}

/// The readers of these formats may panic on a damaged file: the panic becomes an error.
pub(super) fn guarded<T>(format: &'static str, read: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(damaged(format, &text.unwrap_or("its parts do not fit together")))
    })
}

/// Read batches that are in memory, or come as they are asked for.
pub(super) fn read(batches: impl RecordBatchReader, collector: &mut Collector) -> Result<()> {
    let schema = batches.schema();
    begin(&schema, collector)?;
    kept_columns(&schema, collector)?;
    let batches = batches.map(|batch| batch.map_err(|error| damaged(ARROW, &error)));
    read_batches(ARROW, batches, collector)
}

/// Add the rows of all batches.
pub(super) fn read_batches(
    format: &'static str,
    mut batches: impl Iterator<Item = Result<RecordBatch>>,
    collector: &mut Collector,
) -> Result<()> {
    let mut columns = Columns::default();
    while let Some(batch) = guarded(format, || batches.next().transpose())? {
        guarded(format, || columns.push(&batch, collector))?;
        collector.breathe()?;
    }
    Ok(())
}

/// The names of a schema begin a table, or go on with it.
pub(super) fn begin(schema: &Schema, collector: &mut Collector) -> Result<()> {
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let (found, allowed) = (names.len(), super::collect::MOST_COLUMNS);
    if found > allowed {
        return Err(FileError::TooManyColumns { line: 1, found, allowed }.into());
    }
    if found == 0 {
        return Err(FileError::EmptyTable.into());
    }
    collector.names(&names)
}

/// The positions of the columns that are kept. Each must hold one number, date or text per row.
pub(super) fn kept_columns(schema: &Schema, collector: &mut Collector) -> Result<Vec<usize>> {
    let slots = collector.row().2.iter();
    let kept = slots.enumerate().filter(|(_, slot)| slot.is_some()).map(|(position, _)| position);
    let kept: Vec<usize> = kept.collect();
    for &position in &kept {
        let field = schema.field(position);
        if !is_readable(field.data_type()) {
            let (column, found) = (field.name().clone(), field.data_type().to_string());
            return Err(FileError::UnreadableColumn { column, found }.into());
        }
    }
    Ok(kept)
}

fn is_readable(data_type: &DataType) -> bool {
    match data_type {
        DataType::Null | DataType::Boolean => true,
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_readable(values),
        other => other.primitive_width().is_some(),
    }
}

const UTC: &str = "+00:00";

/// Moments of a named zone are stored in UTC, so they can be written without a table of zones.
fn in_utc(array: &ArrayRef) -> std::result::Result<ArrayRef, ArrowError> {
    let DataType::Timestamp(unit, _) = array.data_type() else { return Ok(array.clone()) };
    let data_type = DataType::Timestamp(*unit, Some(UTC.into()));
    Ok(make_array(array.to_data().into_builder().data_type(data_type).build()?))
}

/// What is remembered between the batches of a file.
#[derive(Default)]
struct Columns {
    interners: Vec<Interner>,
    n_rows: u64,
    n_handed_over: u64,
}

impl Columns {
    /// Add the rows of a batch, which may lack columns that are skipped.
    fn push(&mut self, batch: &RecordBatch, collector: &mut Collector) -> Result<()> {
        if self.n_handed_over != collector.n_handed_over() {
            self.n_handed_over = collector.n_handed_over();
            self.interners.clear();
        }
        let allowed = u32::MAX.into();
        if batch.num_rows() as u64 > allowed {
            return Err(FileError::TooManyRows { allowed }.into());
        }
        let location = collector.location(self.n_rows + 1);
        let slots: Vec<Option<u32>> = collector.row().2.to_vec();
        let is_projected = batch.num_columns() < slots.len();
        let mut codes: Vec<Vec<u32>> = Vec::new();
        let kept =
            slots.iter().enumerate().filter_map(|(position, slot)| slot.map(|s| (position, s)));
        for (position, slot) in kept {
            let slot = slot as usize;
            let column = if is_projected { slot } else { position };
            let name = batch.schema_ref().field(column).name().clone();
            if self.interners.len() <= slot {
                self.interners.resize_with(slot + 1, Interner::default);
            }
            let dictionaries = collector.row().1;
            let mut coder =
                Coder { dictionaries, slot, interner: &mut self.interners[slot], location };
            codes.push(coder.codes(batch.column(column), &name)?);
        }
        for row in 0..batch.num_rows() {
            collector.row().0.extend(codes.iter().map(|column| column[row]));
            collector.end_row()?;
        }
        self.n_rows += batch.num_rows() as u64;
        Ok(())
    }
}

/// Turns one column of a batch into codes.
struct Coder<'c> {
    dictionaries: &'c mut Dictionaries,
    slot: usize,
    interner: &'c mut Interner,
    /// The first row of the batch.
    location: Location,
}

impl Coder<'_> {
    fn codes(&mut self, array: &ArrayRef, name: &str) -> Result<Vec<u32>> {
        match array.data_type() {
            DataType::Null => Ok(vec![self.missing(0); array.len()]),
            DataType::Boolean => {
                let values = array.as_boolean();
                let text = |row| if values.value(row) { &b"true"[..] } else { b"false" };
                Ok(self.each(array, text))
            }
            DataType::Utf8 => {
                let values = array.as_string::<i32>();
                Ok(self.each(array, |row| values.value(row).trim_ascii().as_bytes()))
            }
            DataType::LargeUtf8 => {
                let values = array.as_string::<i64>();
                Ok(self.each(array, |row| values.value(row).trim_ascii().as_bytes()))
            }
            DataType::Utf8View => {
                let values = array.as_string_view();
                Ok(self.each(array, |row| values.value(row).trim_ascii().as_bytes()))
            }
            DataType::Dictionary(_, _) => self.entries(array, name),
            DataType::Timestamp(_, Some(zone)) if zone.as_ref() != UTC => {
                self.written(&in_utc(array).map_err(|error| damaged(ARROW, &error))?, name)
            }
            other if other.primitive_width().is_some() => self.written(array, name),
            other => Err(FileError::UnreadableColumn {
                column: name.to_string(),
                found: other.to_string(),
            }
            .into()),
        }
    }

    fn missing(&mut self, row: usize) -> u32 {
        self.code(b"", row)
    }

    fn code(&mut self, value: &[u8], row: usize) -> u32 {
        let location = Location { line: self.location.line + row as u64, ..self.location };
        self.dictionaries.code(self.slot, value, location)
    }

    /// Each row's text.
    fn each<'t>(&mut self, array: &ArrayRef, text: impl Fn(usize) -> &'t [u8]) -> Vec<u32> {
        let code = |row| {
            if array.is_null(row) { self.missing(row) } else { self.code(text(row), row) }
        };
        (0..array.len()).map(code).collect()
    }

    /// An Arrow dictionary: entries that no row has must not become values.
    fn entries(&mut self, array: &ArrayRef, name: &str) -> Result<Vec<u32>> {
        let entries = array.as_any_dictionary();
        if entries.values().is_empty() {
            return Ok(self.each(array, |_| b""));
        }
        let keys = entries.normalized_keys();
        let mut used = vec![None; entries.values().len()];
        for (row, &key) in keys.iter().enumerate().filter(|(row, _)| array.is_valid(*row)) {
            used[key].get_or_insert(row);
        }
        let mut codes = vec![0; used.len()];
        let values = entries.values();
        for (key, first_row) in used.iter().enumerate() {
            let Some(row) = *first_row else { continue };
            let location = Location { line: self.location.line + row as u64, ..self.location };
            let Coder { dictionaries, slot, interner, .. } = self;
            let mut coder = Coder { dictionaries, slot: *slot, interner, location };
            codes[key] = coder.codes(&values.slice(key, 1), name)?[0];
        }
        let mut code = |(row, &key): (usize, &usize)| {
            if array.is_null(row) { self.missing(row) } else { codes[key] }
        };
        Ok(keys.iter().enumerate().map(&mut code).collect())
    }

    /// Numbers, dates and times: each different one is written out once.
    fn written(&mut self, array: &ArrayRef, name: &str) -> Result<Vec<u32>> {
        let options = FormatOptions::default();
        let unreadable = |_| FileError::UnreadableColumn {
            column: name.to_string(),
            found: array.data_type().to_string(),
        };
        let formatter = ArrayFormatter::try_new(array, &options).map_err(unreadable)?;
        let data = array.to_data();
        let width = array.data_type().primitive_width().unwrap_or(1);
        let bytes = &data.buffers()[0].as_slice()[data.offset() * width..];
        let mut codes = Vec::with_capacity(array.len());
        for row in 0..array.len() {
            if array.is_null(row) {
                codes.push(self.missing(row));
                continue;
            }
            let mut bits = [0; 16];
            let value = &bytes[row * width..(row + 1) * width];
            bits[..width.min(16)].copy_from_slice(&value[..width.min(16)]);
            let bits = u128::from_le_bytes(bits);
            let known = if width <= 16 { self.interner.find(bits) } else { None };
            let code = match known {
                Some(code) => code,
                None => {
                    let text = formatter.value(row).try_to_string().map_err(unreadable)?;
                    let text = if text == "NaN" { "" } else { text.as_str() };
                    let code = self.code(text.as_bytes(), row);
                    if width <= 16 {
                        self.interner.insert(bits, code);
                    }
                    code
                }
            };
            codes.push(code);
        }
        Ok(codes)
    }
}
