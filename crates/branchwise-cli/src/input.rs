//! Tables and models from files, standard input or the program itself.

use crate::args::{ApplyArgs, ReadArgs};
use crate::failure::Failure;
use crate::progress::LiveLine;
use branchwise::data::{
    self, Assumed, Builtin, Format, Header, MissingValues, ReadOptions, Source, Table,
    read_tables_observed,
};
use branchwise::format::plural;
use branchwise::{Costs, Model};
use serde::Serialize;
use std::fs::File;
use std::io::{Read, stdin};
use std::path::{Path, PathBuf};

/// A table, and where it comes from.
pub(crate) struct Input {
    pub(crate) table: Table,
    /// The file, files or built-in table, for messages.
    pub(crate) place: String,
    /// What reading it assumed; a built-in one assumes nothing.
    assumed: Option<Assumed>,
}

impl Input {
    /// What was guessed of the first line, and how to say that it is otherwise.
    pub(crate) fn guess(&self) -> Option<String> {
        let Assumed { header, guess, .. } = self.assumed?;
        let (guess, place) = (guess?, &self.place);
        Some(match header {
            true => format!(
                "{place}: the first line is guessed to hold the names of columns: {guess}. If it is a \
                 row, say --no-header."
            ),
            false => format!(
                "{place}: the first line is guessed to be a row: {guess}. If it holds the names of \
                 columns, say --header."
            ),
        })
    }

    /// Whether the first line of a text was taken as names, and why; `None` for other tables.
    pub(crate) fn header(&self) -> Option<HeaderJson> {
        let Assumed { format, header, guess } = self.assumed?;
        let is_text = matches!(format, Format::Text { .. });
        let guessed = guess.map(|guess| guess.to_string());
        is_text.then_some(HeaderJson { present: header, guessed })
    }

    /// What was read, in one line.
    pub(crate) fn describe(&self) -> String {
        let rows = plural(self.table.n_merged_rows(), "row", "rows");
        let columns = plural(self.table.width() as u64, "column", "columns");
        let assumed = self.assumed.map_or(String::new(), |assumed| format!(", {}", said(assumed)));
        format!("{}: {rows}, {columns}{assumed}", self.place)
    }
}

/// Documented in docs/formats.md.
#[derive(Debug, Serialize)]
pub(crate) struct HeaderJson {
    present: bool,
    guessed: Option<String>,
}

fn said(assumed: Assumed) -> String {
    let header = if assumed.header { "the first line as names" } else { "no header" };
    match assumed.format {
        Format::Text { delimiter, compressed } => {
            let unpacked = if compressed { "unpacked by gzip, " } else { "" };
            format!("{unpacked}separated by {}, {header}", delimiter.name())
        }
        Format::Arrow => "from Arrow".into(),
        Format::Parquet => "from Parquet".into(),
    }
}

/// The name of a file in messages.
fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "standard input".into() } else { path.display().to_string() }
}

/// Read the tables at these paths as one; `-` is standard input, and a pattern such as `part-*.csv`
/// stands for the files that fit, in the order of their names.
pub(crate) fn read(
    paths: &[PathBuf],
    args: &ReadArgs,
    options: ReadOptions,
    live: &mut LiveLine,
) -> Result<Input, Failure> {
    let options = with_args(args, options);
    let files = files(paths)?;
    let place = place(&files);
    let sources = files.into_iter().map(source).collect();
    let read = read_tables_observed(sources, &options, live);
    live.clear();
    let (table, assumed) = read?;
    Ok(Input { table, place, assumed: Some(assumed) })
}

/// The same, part by part.
pub(crate) fn read_parts(
    args: &ApplyArgs,
    options: ReadOptions,
    take: &mut dyn FnMut(Table) -> branchwise::Result<()>,
    live: &mut LiveLine,
) -> Result<(), Failure> {
    const ROWS: usize = 1 << 12;
    let sources = files(&args.table)?.into_iter().map(source).collect();
    let read = data::read_parts(sources, &with_args(&args.read, options), ROWS, take, live);
    live.clear();
    read?;
    Ok(())
}

/// Arguments take precedence over the options.
fn with_args(args: &ReadArgs, options: ReadOptions) -> ReadOptions {
    let header = match (args.header, args.no_header) {
        (true, _) => Header::Present,
        (_, true) => Header::Absent,
        _ => options.header,
    };
    let delimiter = args.delimiter.map(Into::into);
    let missing = args.missing_values().unwrap_or(options.missing);
    ReadOptions { delimiter, header, missing, ..options }
}

fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        files.extend(expanded(path)?);
    }
    Ok(files)
}

/// The file or files, for messages.
fn place(files: &[PathBuf]) -> String {
    match files {
        [one] => name_of(one),
        several => plural(several.len() as u64, "file", "files"),
    }
}

/// A model, and the table that it is applied to.
pub(crate) fn applied(args: &ApplyArgs, quiet: bool) -> Result<(Model, Input), Failure> {
    let model = model(&args.model)?;
    let mut live = LiveLine::new(quiet);
    let options = ReadOptions { merge: true, ..model.read_options() };
    let table = read(&args.table, &args.read, options, &mut live)?;
    Ok((model, table))
}

/// The files that a pattern stands for; anything that is there stands for itself.
fn expanded(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let pattern = path.to_string_lossy();
    if !pattern.contains(['*', '?', '[']) || path.exists() {
        return Ok(vec![path.to_path_buf()]);
    }
    let wrong = |message: String| Failure::input(message).at(&name_of(path));
    let found = glob::glob(&pattern).map_err(|error| wrong(error.to_string()))?;
    let mut files = Vec::new();
    for file in found {
        files.push(file.map_err(|error| wrong(error.to_string()))?);
    }
    if files.is_empty() { Err(wrong("no file fits this pattern".into())) } else { Ok(files) }
}

/// Read what answers cost.
pub(crate) fn costs(path: &Path) -> Result<Costs, Failure> {
    let missing = MissingValues::new([""; 0]);
    let options = ReadOptions { header: Header::Present, missing, ..ReadOptions::default() };
    let (table, _) = data::read_tables(vec![source(path.to_path_buf())], &options)?;
    Ok(Costs::from_table(&table))
}

/// Something to read from.
fn source(path: PathBuf) -> Source<'static> {
    match path == Path::new("-") {
        true => Source::Stream(name_of(&path), Box::new(stdin().lock())),
        false => Source::Path(path),
    }
}

/// A built-in table, by a name that the parser let through.
pub(crate) fn builtin(name: &str) -> Result<Input, Failure> {
    let found = Builtin::from_name(name);
    let builtin = found.ok_or_else(|| Failure::input(format!("no built-in table \"{name}\"")))?;
    Ok(Input { table: builtin.table(), place: name.to_string(), assumed: None })
}

/// Read a model.
pub(crate) fn model(path: &Path) -> Result<Model, Failure> {
    let place = name_of(path);
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        stdin().lock().read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    read.map_err(|error| Failure::input(error.to_string()).at(&place))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::input("not a branchwise model: the bytes are not text").at(&place))?;
    Model::from_json(&text).map_err(|error| Failure::from(error).at(&place))
}
