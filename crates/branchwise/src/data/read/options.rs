//! What to read and how, and what was found out about it.

use super::{Delimiter, HeaderGuess};
use crate::data::MissingValues;
use crate::limits::Limits;
use std::io::Read;
use std::path::PathBuf;

/// Whether the first line holds names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Header {
    /// Decide by its values and those below them: words above numbers, dates or opposites are names,
    /// numbers above numbers are a row; words above words are names if fewer than half of them occur again
    /// in their columns. `docs/formats.md` has the whole rule.
    #[default]
    Detect,
    /// It does.
    Present,
    /// It does not.
    Absent,
    /// It does if it has all needed names and no value twice, or if it has all known names, or if at least
    /// half of its values are known names: for tables that a model is applied to.
    Naming {
        /// Columns that the model cannot do without.
        needed: Vec<String>,
        /// Columns that the table may have, including the needed ones.
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
    /// Columns that the user names. If one of these names, and not only a position, is on the first line,
    /// the line is a header.
    pub names: Vec<String>,
    /// Which texts mean that a value is missing.
    pub missing: MissingValues,
    /// Columns not to keep, by name or by position counted from 1.
    pub skip: Vec<String>,
    /// Merge equal rows into one with a count; their order is then lost.
    pub merge: bool,
    /// When to stop: before there is a table, that is an error ([`Error::Stopped`](crate::Error::Stopped)).
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

/// What reading assumed: found out by itself, or set by the user.
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
    pub(super) fn name(&self) -> String {
        match self {
            Source::Path(path) => path.display().to_string(),
            Source::Stream(name, _) => name.clone(),
        }
    }

    /// Its size in bytes, if it is known before reading.
    pub(super) fn size(&self) -> Option<u64> {
        match self {
            Source::Path(path) => path.metadata().ok().filter(|m| m.is_file()).map(|m| m.len()),
            Source::Stream(..) => None,
        }
    }
}
