//! Delimited text: lines of values, quoted or not.
//!
//! A line without a quotation mark is cut at its delimiters and every piece looked up at once. A line
//! with one is read letter by letter: a value that begins with `"` goes on to the next single `"`,
//! over delimiters and line breaks; `""` inside it is a quotation mark.

use super::Delimiter;
use super::collect::{Collector, MOST_COLUMNS};
use super::lines::Lines;
use super::quoted::Quoted;
use crate::error::{FileError, Result};

/// Read all lines of a text.
pub(super) fn read(
    mut lines: Lines,
    delimiter: Delimiter,
    collector: &mut Collector,
) -> Result<()> {
    let mut quoted = Quoted::default();
    let mut first_line = None;
    while lines.read(collector)? {
        let is_quoted = lines.line().contains(&b'"') && delimiter.byte().is_some();
        if is_quoted {
            lines.complete(delimiter, &mut quoted, collector)?;
        }
        let record = if is_quoted {
            Record::Quoted(&quoted)
        } else {
            Record::Plain(lines.line(), delimiter)
        };
        let context = Context { line: lines.number, delimiter, first_line };
        let Some(first) = first_line else {
            first_line = begin(&record, &context, collector)?;
            continue;
        };
        if !record.is_blank() {
            context.push(&record, first, collector)?;
        }
    }
    Ok(())
}

/// The first line with a value on it. Returns its number, or `None` if this one is blank.
fn begin(record: &Record, context: &Context, collector: &mut Collector) -> Result<Option<u64>> {
    if record.is_blank() {
        return Ok(None);
    }
    let values = record.values();
    let (line, found) = (context.line, values.len());
    if found > MOST_COLUMNS {
        return Err(FileError::TooManyColumns { line, found, allowed: MOST_COLUMNS }.into());
    }
    let text = |(position, value): (usize, &&[u8])| {
        let bad = |_| FileError::NotUtf8 { line, column: position + 1 }.into();
        std::str::from_utf8(value).map(String::from).map_err(bad)
    };
    let texts: Vec<String> = values.iter().enumerate().map(text).collect::<Result<_>>()?;
    let known_width = collector.width();
    if !collector.first_line(texts, line)? {
        if known_width > 0 && found != known_width {
            let problem = format!("line {line} has {found} values, the files before {known_width}");
            return Err(FileError::OtherColumns { problem }.into());
        }
        context.push(record, line, collector)?;
    }
    Ok(Some(line))
}

/// One line's values.
enum Record<'l> {
    Plain(&'l [u8], Delimiter),
    Quoted(&'l Quoted),
}

impl Record<'_> {
    fn is_blank(&self) -> bool {
        match self {
            Record::Plain(line, _) => line.trim_ascii().is_empty(),
            Record::Quoted(_) => false,
        }
    }

    /// Hand over each value, in order.
    #[inline]
    fn for_each<'s>(&'s self, take: impl FnMut(&'s [u8])) {
        match self {
            Record::Quoted(quoted) => quoted.values().for_each(take),
            Record::Plain(line, delimiter) => match delimiter.byte() {
                None => {
                    let pieces = line.split(u8::is_ascii_whitespace);
                    pieces.filter(|value| !value.is_empty()).for_each(take);
                }
                Some(separator) => split(line, separator, take),
            },
        }
    }

    fn values(&self) -> Vec<&[u8]> {
        let mut values = Vec::new();
        self.for_each(|value| values.push(value));
        values
    }

    fn is_text(&self) -> bool {
        let bytes = match self {
            Record::Plain(line, _) => line,
            Record::Quoted(quoted) => quoted.bytes(),
        };
        bytes.is_ascii() || std::str::from_utf8(bytes).is_ok()
    }
}

/// Cut a line without quotation marks. Most values of wide tables are one letter: these are found
/// without a search for the next separator.
#[inline]
fn split<'l>(line: &'l [u8], separator: u8, mut take: impl FnMut(&'l [u8])) {
    let mut rest = line;
    loop {
        if let [value, next, ..] = rest
            && *next == separator
            && *value != separator
            && *value > b' '
        {
            take(&rest[..1]);
            rest = &rest[2..];
            continue;
        }
        let Some(end) = rest.iter().position(|&byte| byte == separator) else { break };
        take(rest[..end].trim_ascii());
        rest = &rest[end + 1..];
    }
    take(rest.trim_ascii());
}

/// Where a line stands, for messages.
struct Context {
    line: u64,
    delimiter: Delimiter,
    first_line: Option<u64>,
}

impl Context {
    /// Add the line as a row.
    fn push(&self, record: &Record, first_line: u64, collector: &mut Collector) -> Result<()> {
        if !record.is_text() {
            let values = record.values();
            let is_bad = |value: &&[u8]| std::str::from_utf8(value).is_err();
            let column = values.iter().position(is_bad).unwrap_or(0) + 1;
            return Err(FileError::NotUtf8 { line: self.line, column }.into());
        }
        let location = collector.location(self.line);
        let expected = collector.width();
        let (codes, dictionaries, slots) = collector.row();
        let mut found = 0;
        record.for_each(|value| {
            if let Some(&Some(slot)) = slots.get(found) {
                codes.push(dictionaries.code(slot as usize, value, location));
            }
            found += 1;
        });
        if found == expected {
            collector.end_row()?;
            return collector.breathe();
        }
        Err(FileError::Ragged {
            line: self.line,
            found,
            expected,
            first_line: self.first_line.unwrap_or(first_line),
            delimiter: self.delimiter.name(),
            quoted_break: record
                .values()
                .iter()
                .any(|value| value.contains(&b'\n') || value.contains(&b'\r')),
        }
        .into())
    }
}
