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
mod header;
mod interner;
mod lines;
mod meter;
mod rows;
mod text;

#[cfg(feature = "batches")]
mod arrow;
#[cfg(feature = "parquet")]
mod parquet;

pub use builder::{ColumnBuilder, ValueId};
pub use delimiter::Delimiter;
pub use header::HeaderGuess;

use super::location::Files;
use super::{MissingValues, Table};
use crate::error::{Error, FileError, Result};
use crate::limits::Limits;
#[cfg(feature = "arrow")]
use crate::memory;
use crate::observe::Observer;
use collect::{Collector, Taker};
use lines::Lines;
use meter::Meter;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::PathBuf;

/// Whether the first line holds names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Header {
    /// That is found out from its values and those below them: words above numbers, dates or opposites
    /// are names, numbers above numbers are a row; of words it does if fewer than half of them come again
    /// in their columns. `docs/formats.md` has the whole rule.
    #[default]
    Detect,
    /// It does.
    Present,
    /// It does not.
    Absent,
    /// It does if all of the needed names are on it and nothing is twice, or if all known names are on it,
    /// or if these are at least half of what is on it: for tables that a model is applied to.
    Naming {
        /// Columns without which the table is of no use.
        needed: Vec<String>,
        /// Columns that it may have, these among them.
        known: Vec<String>,
    },
}

/// How to read a table; the default detects everything and keeps every row.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// What separates the values of a text; `None`: detect it.
    pub delimiter: Option<Delimiter>,
    /// Whether a text has a header.
    pub header: Header,
    /// Columns that the user speaks of. Where one of them, other than by a position, is on the first line,
    /// that is found to hold names.
    pub names: Vec<String>,
    /// Which values mean that there is none.
    pub missing: MissingValues,
    /// Columns not to keep, by name or by position counted from 1.
    pub skip: Vec<String>,
    /// Merge equal rows into one with a count; their order is then lost.
    pub merge: bool,
    /// When to stop: before there is a table, that is an error ([`Error::Stopped`]).
    pub limits: Limits,
}

/// What a table was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Delimited text.
    Text {
        /// What separates the values.
        delimiter: Delimiter,
        /// Whether it was compressed by gzip.
        compressed: bool,
    },
    /// Arrow's file or stream.
    Arrow,
    /// Parquet.
    Parquet,
}

/// What reading found out or was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assumed {
    /// What the first file is.
    pub format: Format,
    /// Whether its columns have names.
    pub header: bool,
    /// Why its first line was taken as names or as a row, where that is a guess.
    pub guess: Option<HeaderGuess>,
}

/// Something to read a table from.
pub enum Source<'r> {
    /// A file.
    Path(PathBuf),
    /// Anything else, with a name for messages.
    Stream(String, Box<dyn Read + 'r>),
}

impl Source<'_> {
    fn name(&self) -> String {
        match self {
            Source::Path(path) => path.display().to_string(),
            Source::Stream(name, _) => name.clone(),
        }
    }

    /// How many bytes it has, if that can be known before.
    fn size(&self) -> Option<u64> {
        match self {
            Source::Path(path) => path.metadata().ok().filter(|m| m.is_file()).map(|m| m.len()),
            Source::Stream(..) => None,
        }
    }
}

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

/// What the first bytes of a file say it is.
enum Magic {
    Gzip,
    Parquet,
    ArrowFile,
    ArrowStream,
    Text,
}

impl Magic {
    fn of(start: &[u8]) -> Magic {
        match start {
            [0x1f, 0x8b, ..] => Magic::Gzip,
            [b'P', b'A', b'R', b'1', ..] => Magic::Parquet,
            start if start.starts_with(b"ARROW1") => Magic::ArrowFile,
            [0xff, 0xff, 0xff, 0xff, ..] => Magic::ArrowStream,
            _ => Magic::Text,
        }
    }
}

/// Read a file; Parquet and Arrow's files are read in place.
fn read_file(path: &PathBuf, options: &ReadOptions, collector: &mut Collector) -> Result<Format> {
    let mut file = File::open(path).map_err(Error::Open)?;
    let mut start = Vec::new();
    file.by_ref().take(8).read_to_end(&mut start)?;
    match Magic::of(&start) {
        #[cfg(feature = "parquet")]
        Magic::Parquet if path.is_file() => parquet::read(File::open(path)?, collector),
        #[cfg(feature = "arrow")]
        Magic::ArrowFile if path.is_file() => arrow::read_file(File::open(path)?, collector),
        _ => read_stream(Box::new(start.as_slice().chain(file)), options, collector),
    }
}

/// Read whatever comes.
fn read_stream(
    stream: Box<dyn Read + '_>,
    options: &ReadOptions,
    collector: &mut Collector,
) -> Result<Format> {
    let stream = Peeked::new(Box::new(collector.meter().counted(stream)))?;
    match Magic::of(&stream.start) {
        #[cfg(feature = "gzip")]
        Magic::Gzip => {
            let unpacked = flate2::read::MultiGzDecoder::new(stream.into_reader());
            read_text(Peeked::new(Box::new(unpacked))?, true, options, collector)
        }
        #[cfg(feature = "parquet")]
        Magic::Parquet => parquet::read(bytes_of(stream.into_reader(), collector)?, collector),
        #[cfg(feature = "arrow")]
        Magic::ArrowFile => {
            let bytes = bytes_of(stream.into_reader(), collector)?;
            arrow::read_file(std::io::Cursor::new(bytes), collector)
        }
        #[cfg(feature = "arrow")]
        Magic::ArrowStream => arrow::read_stream(stream.into_reader(), collector),
        Magic::Text => read_text(stream, false, options, collector),
        #[allow(unreachable_patterns, reason = "reached in a build that lacks some format")]
        unknown => Err(FileError::NotBuiltIn {
            format: match unknown {
                Magic::Gzip => "gzip",
                Magic::Parquet => "parquet",
                _ => "arrow",
            },
        }
        .into()),
    }
}

/// A stream whose first bytes have been looked at.
struct Peeked<'r> {
    start: Vec<u8>,
    rest: Box<dyn Read + 'r>,
}

impl<'r> Peeked<'r> {
    /// Enough to tell what it is, and what separates values.
    const ENOUGH: u64 = 1 << 16;

    fn new(mut rest: Box<dyn Read + 'r>) -> Result<Self> {
        let mut start = Vec::new();
        rest.by_ref().take(Self::ENOUGH).read_to_end(&mut start)?;
        Ok(Peeked { start, rest })
    }

    #[cfg(any(feature = "gzip", feature = "arrow"))]
    fn into_reader(self) -> impl std::io::BufRead + 'r {
        reader_of(std::io::Cursor::new(self.start).chain(self.rest))
    }
}

fn reader_of<R: Read>(stream: R) -> BufReader<R> {
    BufReader::with_capacity(1 << 18, stream)
}

/// All of a stream, for formats that are read from their end.
#[cfg(feature = "arrow")]
fn bytes_of(mut reader: impl Read, collector: &mut Collector) -> Result<bytes::Bytes> {
    const PIECE: u64 = 1 << 20;
    let mut bytes = Vec::new();
    loop {
        collector.look(memory::growth(&bytes, PIECE as usize))?;
        if reader.by_ref().take(PIECE).read_to_end(&mut bytes)? == 0 {
            return Ok(bytes.into());
        }
    }
}

fn read_text(
    mut stream: Peeked,
    compressed: bool,
    options: &ReadOptions,
    collector: &mut Collector,
) -> Result<Format> {
    const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
    if stream.start.starts_with(BYTE_ORDER_MARK) {
        stream.start.drain(..BYTE_ORDER_MARK.len());
    }
    let delimiter = options.delimiter.unwrap_or_else(|| Delimiter::detect(&stream.start));
    let start = std::mem::take(&mut stream.start);
    let mut reader = reader_of(start.as_slice().chain(stream.rest));
    text::read(Lines::new(&mut reader, &start), delimiter, collector)?;
    Ok(Format::Text { delimiter, compressed })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Table, Assumed)> {
        read_table(text.as_bytes(), &ReadOptions::default())
    }

    fn delimiter_of(text: &str) -> Delimiter {
        match read(text).unwrap().1.format {
            Format::Text { delimiter, .. } => delimiter,
            other => panic!("{other:?}"),
        }
    }

    fn rows(table: &Table) -> Vec<Vec<&str>> {
        let row = |r| table.columns().iter().map(|c| c.value(r).unwrap_or("-")).collect();
        (0..table.n_rows()).map(row).collect()
    }

    #[test]
    fn delimiters_are_detected() {
        for (text, delimiter) in [
            ("a,b\n1,2\n1,3\n", Delimiter::Comma),
            ("a;b\n1,5;2,5\n1,5;3\n", Delimiter::Semicolon),
            ("a\tb c\n1\t2 3\n1\t4\n", Delimiter::Tab),
            ("0 1  0\n1 0 1 \n\n 1 1 0\n", Delimiter::Spaces),
            ("x\nx\n", Delimiter::Spaces),
            ("\"a,b\";c\n1;2\n", Delimiter::Semicolon),
        ] {
            assert_eq!(delimiter_of(text), delimiter, "{text:?}");
        }
    }

    #[test]
    fn a_header_is_found_and_a_first_row_kept() {
        let (table, assumed) = read("colour,size\nred,1\nblue,2\nred,1\n").unwrap();
        assert!(assumed.header && table.is_named());
        assert_eq!(table.columns()[0].name(), "colour");
        assert_eq!(table.columns()[0].values(), ["blue", "red"]);
        assert_eq!(rows(&table), [["red", "1"], ["blue", "2"], ["red", "1"]]);

        let (table, assumed) = read("0 1 1\n1 1 0\n1 0 1\n").unwrap();
        assert!(!assumed.header);
        assert_eq!(table.columns()[2].name(), "x3");
        assert_eq!(table.n_rows(), 3);
    }

    #[test]
    fn a_header_can_be_forced() {
        let with = |header| {
            let options = ReadOptions { header, ..ReadOptions::default() };
            read_table("a,b\na,c\nb,c\n".as_bytes(), &options).unwrap().0
        };
        assert_eq!(rows(&with(Header::Present)), [["a", "c"], ["b", "c"]]);
        assert_eq!(with(Header::Absent).n_rows(), 3);
        let naming = |needed: &[&str], known: &[&str]| {
            let texts = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
            with(Header::Naming { needed: texts(needed), known: texts(known) }).n_rows()
        };
        assert_eq!(naming(&["b"], &["b"]), 2);
        assert_eq!(naming(&["d"], &["b", "d"]), 2, "half of what is on it");
        assert_eq!(naming(&["c"], &["c"]), 3);
        assert_eq!(naming(&[], &["c", "d"]), 3, "that nothing is needed says nothing");
    }

    #[test]
    fn quotes_blanks_and_a_byte_order_mark() {
        let (table, _) =
            read("\u{feff}name,class\n\"a, \"\"b\"\"\", 1\n\"two\nlines\",2\n").unwrap();
        assert_eq!(table.columns()[0].name(), "name");
        assert_eq!(rows(&table), [["a, \"b\"", "1"], ["two\nlines", "2"]]);
    }

    #[test]
    fn bad_tables_are_refused_with_their_place() {
        let message = |text: &[u8]| {
            read_table(text, &ReadOptions::default())
                .err()
                .map(|e| e.to_string())
                .unwrap_or_default()
        };
        assert!(message(b"").contains("empty"));
        assert!(message(b"\n \n").contains("empty"));
        assert!(message(b"a,b,c\n").contains("no rows below it"));
        let ragged = message(b"1,2\n1,2\n1\n");
        assert!(
            ragged.contains("line 3 has 1 value, but line 1 has 2 (delimiter: comma)"),
            "{ragged}"
        );
        let open = message(b"1,2\n\"1,2\n1,2\n1,2\n");
        assert!(open.contains("was a quotation mark left open?"), "{open}");
        assert_eq!(message(b"  \n1,2\n1,3\n \n"), "");
        assert!(message(b"1 2\n3 \xff\n").contains("line 2, column 2: the bytes are not UTF-8"));
        assert!(message(b"a,a\n1,2\n3,4\n").contains("columns 1 and 2 are both called \"a\""));
        let wide = "1,".repeat(1_000_000) + "1\n";
        assert!(message(wide.as_bytes()).contains("line 1 has 1000001 columns; at most 65536"));
    }
}
