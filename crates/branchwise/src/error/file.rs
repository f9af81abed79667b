//! What can be wrong with the content of a file that is read as a table.

use super::words::counted;
use crate::text::brief;
use thiserror::Error;

/// A file that does not hold a table, or not one that can be read here.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// A file whose columns are not those of the files before.
    #[error(
        "its columns differ: {problem}; files that are read as one table need the same columns"
    )]
    OtherColumns {
        /// The first difference.
        problem: String,
    },

    /// A file that is not what its first bytes say.
    #[error("the file begins like {format}, but cannot be read: {problem}")]
    Damaged {
        /// What it begins like.
        format: &'static str,
        /// What reading it ended with.
        problem: String,
    },

    /// A file that needs more memory than there is.
    #[error(
        "the file begins like {format}, and a part of it needs {bytes} bytes of memory, more than \
         there is; write it in smaller batches or row groups, or read it where there is more memory"
    )]
    NoRoom {
        /// What it begins like.
        format: &'static str,
        /// How many bytes a part of it needs at once.
        bytes: u64,
    },

    /// A format that this program was built without.
    #[error(
        "the file is in a format that needs the feature \"{format}\"; build with it, or convert to CSV"
    )]
    NotBuiltIn {
        /// The feature that reads it.
        format: &'static str,
    },

    /// A column of lists, structures or bytes.
    #[error(
        "the column \"{}\" holds {}, not one number, date or text per row; ignore it, or split it into \
         such columns first",
        brief(column),
        brief(found)
    )]
    UnreadableColumn {
        /// The column.
        column: String,
        /// Its type in the file.
        found: String,
    },

    /// The table has no line with a value on it.
    #[error("the table is empty: expected one line per row, with the values separated")]
    EmptyTable,

    /// The table has a header and nothing below it.
    #[error(
        "the table has one line, taken as a header, and no rows below it \
         (if it is a row, say that there is no header)"
    )]
    HeaderOnly,

    /// A line with more or fewer values than the first.
    #[error(
        "line {line} has {}, but line {first_line} has {expected} (delimiter: {delimiter}){}",
        counted(*found, "value"),
        if *quoted_break { "; was a quotation mark left open?" } else { "" }
    )]
    Ragged {
        /// Line of the file, counted from 1.
        line: u64,
        /// Values on that line.
        found: usize,
        /// Values on the first line.
        expected: usize,
        /// The first line that holds values.
        first_line: u64,
        /// What was taken to separate values.
        delimiter: &'static str,
        /// Whether a quoted value on it runs over the end of the line.
        quoted_break: bool,
    },

    /// Bytes that are not text.
    #[error(
        "line {line}, column {column}: the bytes are not UTF-8 text (convert the file to UTF-8)"
    )]
    NotUtf8 {
        /// Line of the file, counted from 1.
        line: u64,
        /// Column, counted from 1.
        column: usize,
    },

    /// More columns than any table of this program can have.
    #[error(
        "line {line} has {found} columns; at most {allowed} are supported (is the delimiter right?)"
    )]
    TooManyColumns {
        /// Line of the file, counted from 1.
        line: u64,
        /// Columns on that line.
        found: usize,
        /// The most that is supported.
        allowed: usize,
    },

    /// More rows than row numbers.
    #[error("the table has more than {allowed} rows; merge equal rows into one with a weight")]
    TooManyRows {
        /// The most that is supported.
        allowed: u64,
    },

    /// Two columns share a name.
    #[error("columns {first} and {second} are both called \"{}\"; rename one of them", brief(name))]
    DuplicateColumn {
        /// The shared name.
        name: String,
        /// Position of the first, counted from 1.
        first: usize,
        /// Position of the second, counted from 1.
        second: usize,
    },
}
