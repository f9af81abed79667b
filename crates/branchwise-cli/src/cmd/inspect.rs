//! `branchwise inspect`: the types of a table's columns, and the splits they offer.

use crate::args::InspectArgs;
use crate::failure::{Failure, Outcome};
use crate::input::HeaderJson;
use crate::offered::{self, Offered};
use crate::output::{self, columns, left, right};
use crate::table;
use branchwise::data::{Column, Comparison};
use branchwise::encode::Encoder;
use branchwise::format::{grouped, plural};
use branchwise::search::Limits;
use branchwise::{Dataset, brief};
use serde::Serialize;
use std::process::ExitCode;

pub(crate) fn run(args: &InspectArgs, quiet: bool) -> Outcome {
    let input = table::input(&args.table, None, Limits::default(), quiet)?;
    let (skipped, header) = (input.table.skipped().to_vec(), input.header());
    let headline = input.describe();
    let (dataset, place) = table::dataset(input, &args.table.columns)?;
    let encoder = Encoder::survey(&dataset, &args.table.offer.offer())
        .map_err(|error| Failure::from(error).at(&place))?;
    if !quiet {
        let encoding = args.table.offer.offer().encoding;
        table::remarks(&dataset, encoding).iter().for_each(|remark| output::say(remark));
    }
    let survey = Survey { dataset: &dataset, offered: Offered::of(&encoder), skipped, header };
    output::print(&if args.json { survey.json()? } else { survey.text(&headline) })?;
    Ok(ExitCode::SUCCESS)
}

struct Survey<'d> {
    dataset: &'d Dataset,
    offered: Vec<Offered<'d>>,
    /// Position and name of columns that were not read.
    skipped: Vec<(usize, String)>,
    header: Option<HeaderJson>,
}

/// A line of the overview.
struct Line {
    position: usize,
    cells: [String; 5],
}

const TITLES: [&str; 5] = ["column", "kind", "values", "missing", "splits offered"];

/// The width of the last column.
const WIDEST: usize = 64;

impl Survey<'_> {
    /// Rows that have no value in a column.
    fn n_missing(&self, column: &Column) -> u64 {
        if !column.has_missing() {
            return 0;
        }
        let lacking = (0..self.dataset.n_rows()).filter(|&row| column.value(row).is_none());
        lacking.map(|row| self.dataset.count(row)).sum()
    }

    fn line(&self, column: &Column, distinct: usize, what: String) -> Line {
        let n_missing = self.n_missing(column);
        let missing = if n_missing == 0 { "–".into() } else { grouped(n_missing) };
        let name = brief(column.name());
        let kind = match column.comparison() {
            Some(Comparison::Ordered(_)) => "ordered".to_string(),
            _ => column.kind().name().to_string(),
        };
        let cells = [name, kind, grouped(distinct as u64), missing, what];
        Line { position: column.position(), cells }
    }

    fn lines(&self) -> Vec<Line> {
        let features = self.dataset.features().iter().zip(&self.offered);
        let mut lines: Vec<Line> = features
            .map(|(column, offered)| {
                self.line(column, offered.input.distinct, offered.words(WIDEST))
            })
            .collect();
        let target = self.dataset.target();
        let predicted = format!("to predict: {}", self.classes());
        lines.push(self.line(target, target.values().len(), predicted));
        for (position, name) in &self.skipped {
            let none = || "–".to_string();
            let cells = [brief(name), none(), none(), none(), "ignored".into()];
            lines.push(Line { position: *position, cells });
        }
        lines.sort_by_key(|line| line.position);
        lines
    }

    /// The classes with their shares of the rows, the most frequent first.
    fn classes(&self) -> String {
        const SHOWN: usize = 4;
        let target = self.dataset.target();
        let mut rows = vec![0u64; target.values().len() + 1];
        for row in 0..self.dataset.n_rows() {
            rows[target.codes().at(row) as usize] += self.dataset.count(row);
        }
        let total = rows.iter().sum::<u64>().max(1);
        let mut order: Vec<usize> = (0..target.values().len()).collect();
        order.sort_by_key(|&class| (std::cmp::Reverse(rows[class]), class));
        let share = |&class: &usize| {
            let percent = 100.0 * rows[class] as f64 / total as f64;
            format!("{} {percent:.0} %", brief(&target.values()[class]))
        };
        let mut shown: Vec<String> = order.iter().take(SHOWN).map(share).collect();
        if order.len() > SHOWN {
            shown.push(format!("{} more", order.len() - SHOWN));
        }
        shown.join(", ")
    }

    fn text(&self, headline: &str) -> String {
        let mut lines = self.lines();
        lines.insert(0, Line { position: 0, cells: TITLES.map(String::from) });
        let widths: [usize; 5] = std::array::from_fn(|place| {
            lines.iter().map(|line| columns(&line.cells[place])).max().unwrap_or(0)
        });
        let mut text = format!("{headline}\n\n");
        for Line { cells: [name, kind, values, missing, what], .. } in &lines {
            let row = format!(
                "{}  {}  {}  {}  {what}",
                left(name, widths[0]),
                left(kind, widths[1]),
                right(values, widths[2]),
                right(missing, widths[3]),
            );
            text += &(row.trim_end().to_string() + "\n");
        }
        let n_splits: usize = self.offered.iter().map(Offered::n_splits).sum();
        let rows = plural(self.dataset.n_rows() as u64, "distinct row", "distinct rows");
        text + &format!("\n{}, {rows}\n", plural(n_splits as u64, "split", "splits"))
    }

    fn json(&self) -> Result<String, Failure> {
        let features = self.dataset.features().iter().zip(&self.offered);
        let columns = features.map(|(column, offered)| ColumnJson {
            position: column.position(),
            missing: self.n_missing(column),
            offered: offered.json(),
        });
        let target = self.dataset.target();
        let json = Json {
            schema: 1,
            rows: self.dataset.n_counted_rows(),
            distinct_rows: self.dataset.n_rows(),
            target: target.name(),
            classes: target.values(),
            ignored: self.skipped.iter().map(|(_, name)| name.as_str()).collect(),
            header: self.header.as_ref(),
            columns: columns.collect(),
        };
        output::json(&json)
    }
}

/// What `--json` prints; the fields are documented in docs/formats.md.
#[derive(Serialize)]
struct Json<'d> {
    schema: u32,
    rows: u64,
    distinct_rows: usize,
    target: &'d str,
    classes: &'d [String],
    ignored: Vec<&'d str>,
    header: Option<&'d HeaderJson>,
    columns: Vec<ColumnJson<'d>>,
}

#[derive(Serialize)]
struct ColumnJson<'d> {
    position: usize,
    missing: u64,
    #[serde(flatten)]
    offered: offered::Json<'d>,
}
