//! What can be wrong with a model: its file, the tables that it is applied to, what it is written as.

use super::words::{counted, quoted};
use crate::text::brief;
use thiserror::Error;

/// A model that cannot be read, applied to a table or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
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

    /// The table has no column with the true classes.
    #[error("the table has no column \"{}\" with the true classes to compare with", brief(target))]
    NoTarget {
        /// The target's name.
        target: String,
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
}
