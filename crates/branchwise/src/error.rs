//! What can be wrong with what the caller gave us.
//!
//! Every message says what was found, where, and what is allowed or what to do next. Running out
//! of time or memory is here only if it happens before there is a tree; afterwards it is a normal
//! [`Status`](crate::Status) of a solution.

use crate::limits::StopReason;
use crate::text::brief;
use thiserror::Error;

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
        "the file begins like {format}, and a part of it needs {bytes} bytes of memory, which are not \
         there; write it in smaller batches or row groups, or read it where there is more memory"
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
        "the column \"{}\" holds {}, not one number, date or text per row; ignore it, or take it apart \
         first",
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

    /// A number that would be another column if the first line held names, or did not.
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

    /// One column is to be two things.
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

    /// The file is not a model.
    #[error("not a branchwise model: {reason}")]
    NotAModel {
        /// What is wrong with it.
        reason: String,
    },

    /// A model whose fields do not agree.
    #[error("the model contradicts itself: {reason}; it was changed, or damaged: fit it again")]
    Contradiction {
        /// Which fields, and what they say.
        reason: String,
    },

    /// The model comes from an older program.
    #[error(
        "the model has schema {found}, from before columns had kinds; this program reads schema \
         {supported}: fit the model again"
    )]
    OlderModel {
        /// Schema of the file.
        found: u64,
        /// The schema known here.
        supported: u64,
    },

    /// The model comes from a newer program.
    #[error(
        "the model has schema {found}, but this program reads schemas up to {supported}; \
         update branchwise, or fit the model again"
    )]
    NewerModel {
        /// Schema of the file.
        found: u64,
        /// Newest schema known here.
        supported: u64,
    },

    /// A table lacks columns that a model needs.
    #[error("the model needs the column{} {}, which the table does not have; its columns are {present}",
            if missing.len() == 1 { "" } else { "s" }, quoted(missing))]
    MissingColumns {
        /// Names the model needs.
        missing: Vec<String>,
        /// What is there.
        present: String,
    },

    /// A headerless table with the wrong number of columns for a model.
    #[error(
        "the table has {} and no header that names the model's; the model was fitted \
         on {with_target} columns, or {without_target} without the one it predicts",
        counted(*found, "column")
    )]
    ColumnCount {
        /// Columns of the table.
        found: usize,
        /// Columns of the training table.
        with_target: usize,
        /// The same without its target.
        without_target: usize,
    },

    /// A name or value that cannot be written in SQL.
    #[error(
        "the name or value \"{}\" has a NUL character, which SQL cannot write; replace it in the \
         training table",
        brief(text)
    )]
    NotInSql {
        /// The name or value.
        text: String,
    },

    /// The table has no column with the true classes.
    #[error("the table has no column \"{}\" with the true classes to compare with", brief(target))]
    NoTarget {
        /// The target's name.
        target: String,
    },
}

impl Error {
    /// Which limit ended the work before there was a tree, if one did.
    pub fn stopped_by(&self) -> Option<StopReason> {
        match self {
            Error::Stopped { reason, .. } => Some(*reason),
            Error::NoRoom { .. } => Some(StopReason::Memory),
            Error::InFile { error, .. } => error.stopped_by(),
            _ => None,
        }
    }
}

/// Why work was not finished.
#[derive(Debug)]
pub(crate) enum Unfinished {
    /// A limit was reached.
    Stopped(StopReason),
    /// Something is wrong with what was given.
    Failed(Error),
}

impl From<StopReason> for Unfinished {
    fn from(reason: StopReason) -> Self {
        Unfinished::Stopped(reason)
    }
}

impl From<Error> for Unfinished {
    fn from(error: Error) -> Self {
        Unfinished::Failed(error)
    }
}

impl From<Unfinished> for Error {
    fn from(unfinished: Unfinished) -> Self {
        match unfinished {
            Unfinished::Failed(error) => error,
            Unfinished::Stopped(reason) => Error::Stopped {
                reason,
                doing: "encoding the table, before there was a tree".into(),
            },
        }
    }
}

fn happened(reason: StopReason) -> String {
    match reason {
        StopReason::Interrupted => "interrupted".into(),
        limit => format!("the {limit} was reached"),
    }
}

fn remedy(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Time => "allow more time, or give fewer rows or columns",
        StopReason::Memory => "allow more memory, or give fewer rows or columns",
        StopReason::Iterations => "allow more iterations",
        StopReason::Interrupted => "nothing was written",
    }
}

/// "1 value", "2 values".
fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Names in quotes, with commas, cut after a dozen.
pub(crate) fn quoted<S: AsRef<str>>(names: &[S]) -> String {
    const SHOWN: usize = 12;
    let mut text = names
        .iter()
        .take(SHOWN)
        .map(|name| format!("\"{}\"", brief(name.as_ref())))
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > SHOWN {
        text += &format!(", and {} more", names.len() - SHOWN);
    }
    text
}
