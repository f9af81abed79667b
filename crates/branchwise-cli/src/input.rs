//! Tables and models from files, standard input or the program itself.

use crate::args::ReadArgs;
use crate::failure::Failure;
use branchwise::Model;
use branchwise::data::{Assumed, Builtin, Header, ReadOptions, Table, read_table};
use std::fs::File;
use std::io::{Read, stdin};
use std::path::Path;

/// A table, and what reading it assumed; a built-in one assumes nothing.
pub(crate) struct Source {
    pub(crate) table: Table,
    pub(crate) assumed: Option<Assumed>,
}

/// The name to speak of a file by.
pub(crate) fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "standard input".into() } else { path.display().to_string() }
}

/// Read the table at a path, or on standard input.
pub(crate) fn read(path: &Path, args: &ReadArgs, header: Header) -> Result<Source, Failure> {
    let header = match (args.header, args.no_header) {
        (true, _) => Header::Present,
        (_, true) => Header::Absent,
        _ => header,
    };
    let delimiter = args.delimiter.map(Into::into);
    let options = ReadOptions { delimiter, header, ..ReadOptions::default() };
    let reader: Box<dyn Read> = if path == Path::new("-") {
        Box::new(stdin().lock())
    } else {
        let opened = File::open(path);
        Box::new(opened.map_err(|error| Failure::input(error.to_string()).at(&name_of(path)))?)
    };
    let read = read_table(reader, &options);
    let (table, assumed) = read.map_err(|error| Failure::from(error).at(&name_of(path)))?;
    Ok(Source { table, assumed: Some(assumed) })
}

/// A built-in table, by a name that the parser let through.
pub(crate) fn builtin(name: &str) -> Result<Source, Failure> {
    let found = Builtin::from_name(name);
    let builtin = found.ok_or_else(|| Failure::input(format!("no built-in table \"{name}\"")))?;
    Ok(Source { table: builtin.table(), assumed: None })
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
