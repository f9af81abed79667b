//! From the arguments about a table to a dataset.

use crate::args::{ColumnArgs, TableArgs};
use crate::failure::Failure;
use crate::input::{self, Input};
use crate::output;
use crate::progress::LiveLine;
use branchwise::data::{Column, LeftOut, ReadOptions};
use branchwise::search::Limits;
use branchwise::{Dataset, Encoding, brief};
use std::mem::ManuallyDrop;

const NO_TABLE: &str = "no table given: name a file, or - for standard input.\n\
Without one, this works at once:  branchwise fit --builtin tic-tac-toe";

/// Read the tables that were named, equal rows merged, without the columns that are ignored, and say what
/// was guessed and found. `first` is the column to ask first.
pub(crate) fn input(
    args: &TableArgs,
    first: Option<&String>,
    limits: Limits,
    quiet: bool,
) -> Result<Input, Failure> {
    if let Some(name) = &args.builtin {
        return input::builtin(name);
    }
    if args.table.is_empty() {
        return Err(Failure::input(NO_TABLE));
    }
    let skip = args.columns.skipped();
    let names = args.columns.names().into_iter().chain(first.cloned()).collect();
    let options = ReadOptions { skip, names, merge: true, limits, ..ReadOptions::default() };
    let input = input::read(&args.table, &args.read, options, &mut LiveLine::new(quiet))?;
    if !quiet && let Some(guess) = input.guess() {
        output::say(&guess);
    }
    Ok(input)
}

/// Remarks on columns that a user may not want: those that are left out because they seem to identify the
/// rows, and others with a different value in every row, which lead to overfitting.
pub(crate) fn remarks(dataset: &Dataset, encoding: Encoding) -> Vec<String> {
    let columns = || dataset.features().iter().zip(dataset.left_out());
    let left_out = columns().filter_map(|(column, why)| Some(left_out(column, (*why)?)));
    let kept = columns().filter(|(_, why)| why.is_none()).map(|(column, _)| column);
    left_out.chain(telling_rows_apart(dataset, kept, encoding)).collect()
}

fn left_out(column: &Column, why: LeftOut) -> String {
    let name = brief(column.name());
    format!(
        "The column \"{name}\" is left out: {why}. To use it, give --categorical {name}; if it \
         does name them, give --id {name}."
    )
}

fn telling_rows_apart<'d>(
    dataset: &Dataset,
    columns: impl Iterator<Item = &'d Column>,
    encoding: Encoding,
) -> impl Iterator<Item = String> {
    const FEWEST: u64 = 20;
    let n_rows = dataset.n_counted_rows();
    let names_rows = move |column: &&Column| {
        let n_values = column.values().len() as u64;
        let in_order = encoding.takes_in_order(column);
        n_rows >= FEWEST && n_values == n_rows && !in_order
    };
    let remark = |column: &Column| {
        let name = brief(column.name());
        format!(
            "Every row has its own value in \"{name}\": if it names the rows, leave it out with \
             --id {name}"
        )
    };
    columns.filter(names_rows).map(remark)
}

/// A table that is kept until the program ends: to give back millions of values one by one would take
/// longer than a limit on time allows.
pub(crate) type Kept = ManuallyDrop<Dataset>;

/// Assign types and roles to the columns. Returns the dataset, and the name of the table in messages.
pub(crate) fn dataset(input: Input, columns: &ColumnArgs) -> Result<(Kept, String), Failure> {
    let Input { table, place, .. } = input;
    let mut roles = columns.roles();
    if table.skipped().is_empty() {
        // A built-in table has all of its columns.
        roles.ignored = columns.skipped();
    }
    let dataset = table.with_types(&columns.types()).and_then(|table| table.dataset(roles));
    match dataset {
        Ok(dataset) => Ok((ManuallyDrop::new(dataset), place)),
        Err(error) => Err(Failure::from(error).at(&place)),
    }
}
