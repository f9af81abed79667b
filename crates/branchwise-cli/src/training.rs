//! Reading the table that `fit` and `path` learn from.

use crate::args::{SearchArgs, TableArgs};
use crate::failure::Failure;
use crate::input::HeaderJson;
use crate::output;
use crate::signals::Signals;
use crate::table::{self, Kept};
use branchwise::search::{Limits, usable_threads};

/// A table to learn from.
pub(crate) struct Training {
    pub(crate) dataset: Kept,
    /// What messages call the table.
    pub(crate) place: String,
    /// Whether its first line was taken as names.
    pub(crate) header: Option<HeaderJson>,
}

/// Read the table within the limits of the search, and say what was found and what may surprise.
pub(crate) fn read(
    table: &TableArgs,
    search: &SearchArgs,
    signals: &Signals,
    quiet: bool,
) -> Result<Training, Failure> {
    let first = search.first_column.as_ref();
    let source = table::input(table, first, limits(search, signals), quiet)?;
    let header = source.header();
    if !quiet {
        threads_remark(search).iter().for_each(|remark| output::say(remark));
        output::say(&source.describe());
    }
    let (dataset, place) = table::dataset(source, &table.columns)?;
    if !quiet {
        let encoding = table.offer.offer().encoding;
        table::remarks(&dataset, encoding).iter().for_each(|remark| output::say(remark));
    }
    Ok(Training { dataset, place, header })
}

/// The limits while the table is read.
fn limits(args: &SearchArgs, signals: &Signals) -> Limits {
    Limits { time: signals.time_left(), memory: args.memory_limit, ..Limits::default() }
}

/// Where fewer threads will search than were asked for.
fn threads_remark(args: &SearchArgs) -> Option<String> {
    let (asked, usable) = (args.threads?, usable_threads(args.threads?));
    let remark = || format!("Searching with {usable} threads, all that this machine can use well.");
    (usable < asked).then(remark)
}
