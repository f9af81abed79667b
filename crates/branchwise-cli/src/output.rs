//! The only module that writes: results, remarks and files.

use crate::failure::Failure;
use crate::leftovers;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::path::{Path, PathBuf};
use unicode_width::UnicodeWidthStr;

/// Write a result to standard output. A reader that has gone away is not an error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_bytes(text.as_bytes())
}

/// Write a result that may not be text.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    stream(bytes).map(drop)
}

/// Write part of a result; whether anybody still reads.
pub(crate) fn stream(bytes: &[u8]) -> Result<bool, Failure> {
    let mut out = stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::other(format!("cannot write to standard output: {error}"))),
    }
}

/// An object on one line.
pub(crate) fn json(object: &impl serde::Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string(object).map_err(|error| Failure::other(error.to_string()))?;
    Ok(text + "\n")
}

/// Write a remark to standard error; a failure to do so is ignored.
pub(crate) fn say(line: &str) {
    let _ = writeln!(stderr().lock(), "{line}");
}

/// Where a link leads, so that the file is replaced and not the link.
fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// Find out early that a file could not be written.
pub(crate) fn check_writable(path: &Path) -> Result<(), Failure> {
    if is_special(path) { Ok(()) } else { temporary_beside(&resolved(path)).map(drop) }
}

/// Write a file whole or not at all: the bytes go to a temporary file beside it, which then takes
/// its name. What others that were killed left there goes.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if is_special(path) {
        return std::fs::write(path, bytes).map_err(|error| cannot(path, &error));
    }
    let path = &resolved(path);
    let mut file = temporary_beside(path)?;
    leftovers::sweep(folder_of(path));
    let written = file.write_all(bytes).and_then(|()| file.as_file().sync_all());
    written.map_err(|error| cannot(path, &error))?;
    file.persist(path).map(drop).map_err(|error| cannot(path, &error.error))
}

/// Whether two paths lead to the same file.
pub(crate) fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Whether something other than a plain file is there: a device or a pipe is written to as it is.
fn is_special(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

fn temporary_beside(path: &Path) -> Result<tempfile::NamedTempFile, Failure> {
    let wrong = |message: &str| Err(Failure::input(message).at(&path.display().to_string()));
    let ends_in_slash = path.as_os_str().as_encoded_bytes().ends_with(b"/");
    if path.is_dir() || ends_in_slash || path.file_name().is_none() {
        return wrong("it is a directory; name a file");
    }
    if path == Path::new("-") {
        return wrong("this goes to a file; name one");
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        return wrong("there is no such directory to write to");
    }
    let mut builder = tempfile::Builder::new();
    let prefix = leftovers::prefix();
    builder.prefix(&prefix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let made = builder.tempfile_in(folder);
    made.map_err(|error| {
        let message = format!("cannot write there: {}", error.kind());
        Failure::input(message).at(&path.display().to_string())
    })
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

fn cannot(path: &Path, error: &std::io::Error) -> Failure {
    Failure::other(format!("cannot write: {error}")).at(&path.display().to_string())
}

/// How many columns of a terminal a text takes.
pub(crate) fn columns(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// A text padded to this width, at the left.
pub(crate) fn left(text: &str, width: usize) -> String {
    format!("{text}{:1$}", "", width.saturating_sub(columns(text)))
}

/// A text padded to this width, at the right.
pub(crate) fn right(text: &str, width: usize) -> String {
    format!("{:1$}{text}", "", width.saturating_sub(columns(text)))
}

/// A number without needless digits.
pub(crate) fn short(number: f64) -> String {
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// What answers cost.
pub(crate) fn cost_line(cost: branchwise::AnswerCost) -> String {
    format!("Cost       {}  of {} at worst\n", short(cost.total), short(cost.worst))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!(
            [left("日本", 6), right("日本", 6), right("long", 2)],
            ["日本  ", "  日本", "long"]
        );
    }
}
