//! From what was typed to a dataset.

use crate::args::{ColumnArgs, ReadArgs};
use crate::failure::Failure;
use crate::input::{self, Input};
use branchwise::Dataset;
use branchwise::data::ReadOptions;
use std::path::PathBuf;

const NO_TABLE: &str = "no table given: name a file, or - for standard input.\n\
Without one, this works at once:  branchwise fit --builtin tic-tac-toe";

/// Read the tables that were named, equal rows merged, without the columns that are ignored.
pub(crate) fn input(
    paths: &[PathBuf],
    builtin: &Option<String>,
    (read, columns): (&ReadArgs, &ColumnArgs),
) -> Result<Input, Failure> {
    if let Some(name) = builtin {
        return input::builtin(name);
    }
    if paths.is_empty() {
        return Err(Failure::input(NO_TABLE));
    }
    let options = ReadOptions { skip: columns.skipped(), merge: true, ..ReadOptions::default() };
    input::read(paths, read, options)
}

/// Give its columns what they are and what they are for; and the place to speak of.
pub(crate) fn dataset(input: Input, columns: &ColumnArgs) -> Result<(Dataset, String), Failure> {
    let Input { table, place, .. } = input;
    let mut roles = columns.roles();
    if table.skipped().is_empty() {
        // A built-in table has all of its columns.
        roles.ignored = columns.skipped();
    }
    let dataset = table.with_types(&columns.types()).and_then(|table| table.dataset(roles));
    match dataset {
        Ok(dataset) => Ok((dataset, place)),
        Err(error) => Err(Failure::from(error).at(&place)),
    }
}
