//! What can be wrong with what the caller gave us.
//!
//! Every message says what was found, where, and what is allowed or what to do next. Running out
//! of time or memory is an error only if it happens before there is a tree; afterwards it is a normal
//! [`Status`](crate::Status) of a solution.
//!
//! [`enum@Error`] is the one type that functions of this crate return. What is wrong with the content of a
//! file is a [`FileError`], and what is wrong with a model a [`ModelError`]: both become an [`enum@Error`]
//! by `?` or `into()`.

mod file;
mod model;
mod unfinished;
mod words;

pub use file::FileError;
pub use model::ModelError;
pub(crate) use unfinished::Unfinished;
pub(crate) use words::quoted;

use crate::limits::StopReason;
use crate::text::brief;
use thiserror::Error;
use words::{counted, happened, remedy};

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A table, a setting or a model file that cannot be used as given.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The input could not be read at all.
    #[error("cannot read the table: {0}")]
    Read(#[from] std::io::Error),

    /// The file could not be opened.
    #[error("{0}")]
    Open(std::io::Error),

    /// A limit was reached before there was a tree to answer with.
    #[error("{} while {doing}; {}", happened(*reason), remedy(*reason))]
    Stopped {
        /// Which limit.
        reason: StopReason,
        /// What was being done.
        doing: String,
    },

    /// One file of several, or one with a name, cannot be used.
    #[error("{file}: {error}")]
    InFile {
        /// Its name.
        file: String,
        /// What is wrong with it.
        error: Box<Error>,
    },

    /// A file does not hold a table.
    #[error(transparent)]
    File(#[from] FileError),

    /// A name that no column has.
    #[error("there is no column \"{}\" {what_for}; the columns are {present}", brief(wanted))]
    NoSuchColumn {
        /// What was asked for.
        wanted: String,
        /// What it was to be used for.
        what_for: &'static str,
        /// What is there.
        present: String,
    },

    /// A number that may be a name or a position, depending on whether the first line is a header.
    #[error(
        "whether \"{}\" is the name of a column or its position depends on whether the first line holds \
         names; say whether it does",
        brief(wanted)
    )]
    NameOrPosition {
        /// What was asked for.
        wanted: String,
    },

    /// Nothing to predict from.
    #[error(
        "the table has no feature column: its only column, \"{}\", is the one to predict \
         (is the delimiter right?)",
        brief(target)
    )]
    NoFeatures {
        /// The only column.
        target: String,
    },

    /// Every column has another role than that of the target.
    #[error(
        "no column is left to predict: all of them are ignored, weights or counts; name the target"
    )]
    NoTargetLeft,

    /// A column has two roles.
    #[error(
        "the column \"{}\" is to be predicted, so it cannot also be ignored, a weight or a count",
        brief(column)
    )]
    TwoRoles {
        /// The column.
        column: String,
    },

    /// A column that is to be compared by size, and cannot be.
    #[error(
        "the column \"{}\" cannot be taken as numbers: its value \"{}\"{place} is neither \
         a number nor a date; mend it, or list it among the missing values",
        brief(column),
        brief(found)
    )]
    NotNumeric {
        /// The column.
        column: String,
        /// A value that is no number.
        found: String,
        /// Where it stands, if that is known.
        place: String,
    },

    /// An order that does not fit its column.
    #[error("the order given for the column \"{}\" {problem}", brief(column))]
    BadOrder {
        /// The column.
        column: String,
        /// What is wrong with it.
        problem: String,
    },

    /// Rows without a value where there must be one.
    #[error(
        "the column \"{}\" has no value in {rows} row{}{place}; {}",
        brief(column),
        if *rows == 1 { "" } else { "s" },
        if *to_predict {
            "a row without a class teaches nothing: fill it in, drop such rows, or say \
             which spellings mean a missing value if this is a class"
        } else {
            "fill them in, drop such rows, or let missing be a category of its own"
        }
    )]
    MissingValues {
        /// The column.
        column: String,
        /// How many rows.
        rows: u64,
        /// Where the first of them stands, if that is known.
        place: String,
        /// Whether it is the column to predict.
        to_predict: bool,
    },

    /// Dropping rows left none.
    #[error("every row lacks a value somewhere, so dropping them leaves no row to learn from")]
    NoCompleteRow,

    /// A count that is not a whole number, or too large.
    #[error(
        "the column \"{}\" cannot count rows: \"{}\"{place} {problem}",
        brief(column),
        brief(found)
    )]
    BadCount {
        /// The column.
        column: String,
        /// The count as given.
        found: String,
        /// Where it stands, if that is known.
        place: String,
        /// What is wrong with it.
        problem: String,
    },

    /// More rows than can be counted.
    #[error(
        "the rows stand for {total} rows together, too many: their sum must be below {allowed}; if only \
         their proportions matter, divide all counts by the same number"
    )]
    TooManyCounted {
        /// How many rows they stand for.
        total: u128,
        /// The sum must be below this.
        allowed: u128,
    },

    /// A weight that is not a number of 0 or more.
    #[error("{place}: the weight \"{}\" {problem}", brief(found))]
    BadWeight {
        /// Which row or column.
        place: String,
        /// The weight as given.
        found: String,
        /// What is wrong with it.
        problem: &'static str,
    },

    /// A number of weights other than the number of rows.
    #[error("{} given for {}; give one for each row", counted(*found, "weight"), counted(*expected, "row"))]
    WeightCount {
        /// Weights given.
        found: usize,
        /// Rows of the table.
        expected: usize,
    },

    /// A number of names other than that of what they are for.
    #[error("{} given for {expected} {what}; give one for each", counted(*found, "name"))]
    NameCount {
        /// What is named.
        what: &'static str,
        /// Names given.
        found: usize,
        /// Things to be named.
        expected: usize,
    },

    /// Class weights that do not fit the classes.
    #[error("the class weights cannot be used: {problem}")]
    BadClassWeight {
        /// What is wrong with them.
        problem: String,
    },

    /// A cost matrix that does not fit the classes.
    #[error(
        "the cost matrix cannot be used: {problem} (it has a row for each true class, named in its \
         first column, and a column for each answer)"
    )]
    BadCosts {
        /// What is wrong with it.
        problem: String,
    },

    /// Nothing has any weight.
    #[error("every row has weight 0, so no tree is better than another; give some row a weight")]
    NoWeight,

    /// A number that could not be understood.
    #[error(
        "\"{}\" is not a decimal number such as 0.01 or 1e-3, with at most 18 digits",
        brief(found)
    )]
    BadNumber {
        /// The text as given.
        found: String,
    },

    /// λ outside its range.
    #[error("the split penalty is {}; it must be at least 0 and less than 1", brief(found))]
    BadPenalty {
        /// The value as given.
        found: String,
    },

    /// Settings that cannot be read.
    #[error("the settings cannot be read: {reason}")]
    BadSettings {
        /// What is wrong.
        reason: String,
    },

    /// A limit that no tree can meet.
    #[error("{name} is {found}; {allowed}")]
    BadLimit {
        /// The setting's name.
        name: &'static str,
        /// The value as given.
        found: String,
        /// What is allowed.
        allowed: &'static str,
    },

    /// A column that cannot be asked about first, as it must be.
    #[error(
        "no tree begins with a split on the column \"{}\": {problem}; ask for another first \
         column, or for none",
        brief(column)
    )]
    FirstColumn {
        /// The column.
        column: String,
        /// Why not.
        problem: String,
    },

    /// The exact arithmetic would leave 64 bits.
    #[error(
        "the weights add up to {total} units of their last digit, too large for exact arithmetic with \
         this split penalty and {rows} distinct rows; give weights with fewer digits"
    )]
    Overflow {
        /// The total weight in its own integer unit.
        total: u128,
        /// Distinct rows.
        rows: usize,
    },

    /// A model cannot be read, applied or written.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl Error {
    /// Which limit ended the work before there was a tree, if one did.
    pub fn stopped_by(&self) -> Option<StopReason> {
        match self {
            Error::Stopped { reason, .. } => Some(*reason),
            Error::File(FileError::NoRoom { .. }) => Some(StopReason::Memory),
            Error::InFile { error, .. } => error.stopped_by(),
            _ => None,
        }
    }
}
