//! Files become a [`Table`]: delimited text, plain or compressed by gzip, Parquet, and Arrow's files
//! and streams. What a file is, its first bytes tell.
//!
//! A reader hands over rows of codes: each column has a `dictionary` of its distinct values. Rows
//! are kept in order, or equal ones are merged while they are read ([`ReadOptions::merge`]), so that
//! a table may be larger than memory if its distinct rows are not. Errors tell line and column.

mod builder;
mod collect;
mod delimiter;
mod dictionary;
mod floats;
mod formats;
mod header;
mod header_guess;
mod interner;
mod lines;
mod meter;
mod options;
mod quoted;
mod rows;
mod text;

#[cfg(feature = "batches")]
mod arrow;
#[cfg(feature = "parquet")]
mod parquet;

pub use builder::{ColumnBuilder, ValueId};
pub use delimiter::Delimiter;
pub use header_guess::HeaderGuess;
pub use options::{Assumed, Format, Header, ReadOptions, Source};

use super::Table;
use super::location::Files;
use crate::error::{Error, FileError, Result};
use crate::observe::Observer;
use collect::{Collector, Taker};
use formats::{read_file, read_stream};
use meter::Meter;
use std::io::Read;

/// Read a table.
pub fn read_table<'r>(reader: impl Read + 'r, options: &ReadOptions) -> Result<(Table, Assumed)> {
    let mut nobody = ();
    let mut collector =
        Collector::new(options, Meter::new(&mut nobody, None, &options.limits), None);
    let format = read_stream(Box::new(reader), options, &mut collector)?;
    collector.end_file()?;
    finish(collector, format, Vec::new())
}

/// Read a table from one source or several with the same columns. Errors name the source.
pub fn read_tables(sources: Vec<Source>, options: &ReadOptions) -> Result<(Table, Assumed)> {
    read_tables_observed(sources, options, &mut ())
}

/// Read a table from one source or several, telling somebody how it goes.
pub fn read_tables_observed(
    sources: Vec<Source>,
    options: &ReadOptions,
    observer: &mut dyn Observer,
) -> Result<(Table, Assumed)> {
    let names: Vec<String> = sources.iter().map(Source::name).collect();
    let size = sources.iter().map(Source::size).sum();
    let mut collector = Collector::new(options, Meter::new(observer, size, &options.limits), None);
    let format = read_all(sources, options, &mut collector)?;
    let place = names.join(", ");
    let several = if names.len() > 1 { names } else { Vec::new() };
    finish(collector, format, several).map_err(at(&place))
}

/// Read a table from batches of Arrow's columns, as another program hands them over.
#[cfg(feature = "batches")]
pub fn read_batches(
    batches: impl arrow_array::RecordBatchReader,
    options: &ReadOptions,
) -> Result<Table> {
    let mut nobody = ();
    let mut collector =
        Collector::new(options, Meter::new(&mut nobody, None, &options.limits), None);
    arrow::read(batches, &mut collector)?;
    collector.end_file()?;
    Ok(collector.finish(Files { names: Vec::new(), unit: "row" })?.0)
}

/// Read a table part by part, in order: `take` gets `most` rows at a time, or somewhat more, and an error
/// from it ends the reading. What it takes of memory does not grow with the table, except that a first
/// file of which nobody says whether it has a header is read as a whole.
pub fn read_parts(
    sources: Vec<Source>,
    options: &ReadOptions,
    most: usize,
    take: &mut dyn FnMut(Table) -> Result<()>,
    observer: &mut dyn Observer,
) -> Result<Assumed> {
    let place = sources.iter().map(Source::name).collect::<Vec<_>>().join(", ");
    let size = sources.iter().map(Source::size).sum();
    let meter = Meter::new(observer, size, &options.limits);
    let mut collector = Collector::new(options, meter, Some(Taker { most, take }));
    let format = read_all(sources, options, &mut collector)?;
    let verdict = collector.finish_handing_over().map_err(at(&place))?;
    Ok(Assumed { format, header: verdict.is_header, guess: verdict.guess })
}

/// Where an error comes from.
fn at(file: &str) -> impl FnOnce(Error) -> Error + use<> {
    let file = file.to_string();
    move |error| Error::InFile { file, error: Box::new(error) }
}

/// Read one source after the other; the first one's format.
fn read_all(
    sources: Vec<Source>,
    options: &ReadOptions,
    collector: &mut Collector,
) -> Result<Format> {
    let mut first_format = None;
    for source in sources {
        let name = source.name();
        let read = match source {
            Source::Path(path) => read_file(&path, options, collector),
            Source::Stream(_, reader) => read_stream(reader, options, collector),
        };
        let read = read.and_then(|format| collector.end_file().map(|()| format));
        first_format.get_or_insert(read.map_err(at(&name))?);
    }
    Ok(first_format.ok_or(FileError::EmptyTable)?)
}

fn finish(collector: Collector, format: Format, names: Vec<String>) -> Result<(Table, Assumed)> {
    let unit = if matches!(format, Format::Text { .. }) { "line" } else { "row" };
    let (table, verdict) = collector.finish(Files { names, unit })?;
    Ok((table, Assumed { format, header: verdict.is_header, guess: verdict.guess }))
}

#[cfg(test)]
mod tests;
