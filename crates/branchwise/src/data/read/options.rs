//! What to read and how, and what was found out about it.

use super::{Delimiter, HeaderGuess};
use crate::data::MissingValues;
use crate::limits::Limits;
use std::io::Read;
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

    /// How many bytes it has, if that can be known before.
    pub(super) fn size(&self) -> Option<u64> {
        match self {
            Source::Path(path) => path.metadata().ok().filter(|m| m.is_file()).map(|m| m.len()),
            Source::Stream(..) => None,
        }
    }
}
