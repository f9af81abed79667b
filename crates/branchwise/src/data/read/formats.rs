//! Which format a file has, by its first bytes, and the reader for it.

use super::collect::Collector;
use super::lines::Lines;
use super::{Delimiter, Format, ReadOptions};
use crate::error::{Error, FileError, Result};
#[cfg(feature = "arrow")]
use crate::memory;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::PathBuf;

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
pub(super) fn read_file(
    path: &PathBuf,
    options: &ReadOptions,
    collector: &mut Collector,
) -> Result<Format> {
    let mut file = File::open(path).map_err(Error::Open)?;
    let mut start = Vec::new();
    file.by_ref().take(8).read_to_end(&mut start)?;
    match Magic::of(&start) {
        #[cfg(feature = "parquet")]
        Magic::Parquet if path.is_file() => super::parquet::read(File::open(path)?, collector),
        #[cfg(feature = "arrow")]
        Magic::ArrowFile if path.is_file() => super::arrow::read_file(File::open(path)?, collector),
        _ => read_stream(Box::new(start.as_slice().chain(file)), options, collector),
    }
}

/// Read a stream of any format.
pub(super) fn read_stream(
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
        Magic::Parquet => {
            super::parquet::read(bytes_of(stream.into_reader(), collector)?, collector)
        }
        #[cfg(feature = "arrow")]
        Magic::ArrowFile => {
            let bytes = bytes_of(stream.into_reader(), collector)?;
            super::arrow::read_file(std::io::Cursor::new(bytes), collector)
        }
        #[cfg(feature = "arrow")]
        Magic::ArrowStream => super::arrow::read_stream(stream.into_reader(), collector),
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
    super::text::read(Lines::new(&mut reader, &start), delimiter, collector)?;
    Ok(Format::Text { delimiter, compressed })
}
