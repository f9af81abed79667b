//! Delimited text from any reader becomes a [`Table`]; errors carry line and column.
//!
//! Every line is first taken as a row. Whether the first one is a header is decided at the end,
//! when the whole of each column is known: it is one if none of its values comes again in its
//! column.

use super::{Codes, Column, MissingValues, Table};
use crate::error::{Error, Result};
use hashbrown::HashTable;
use std::io::{BufRead, BufReader, Read};

/// The most columns that a table can have.
pub(crate) const MOST_COLUMNS: usize = 1 << 16;

/// What separates the values of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// A tabulator.
    Tab,
    /// One or more blanks or tabulators.
    Spaces,
}

impl Delimiter {
    /// The delimiter's name.
    pub fn name(self) -> &'static str {
        match self {
            Delimiter::Comma => "comma",
            Delimiter::Semicolon => "semicolon",
            Delimiter::Tab => "tab",
            Delimiter::Spaces => "spaces",
        }
    }
}

/// Whether the first line holds names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Header {
    /// It does if none of its values comes again in its column.
    #[default]
    Detect,
    /// It does.
    Present,
    /// It does not.
    Absent,
    /// It does if all of these names are on it, or if they are at least half of what is on it: for
    /// tables that a model is applied to.
    Naming(Vec<String>),
}

/// How to read a table; the default detects everything.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// What separates the values; `None`: detect it.
    pub delimiter: Option<Delimiter>,
    /// Whether there is a header.
    pub header: Header,
    /// Which values mean that there is none.
    pub missing: MissingValues,
}

/// What reading found out or was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assumed {
    /// What separates the values.
    pub delimiter: Delimiter,
    /// Whether the first line was taken as a header.
    pub header: bool,
}

/// Read a table.
pub fn read_table(reader: impl Read, options: &ReadOptions) -> Result<(Table, Assumed)> {
    let mut reader = BufReader::with_capacity(1 << 16, reader);
    skip_byte_order_mark(&mut reader)?;
    let delimiter = match options.delimiter {
        Some(delimiter) => delimiter,
        None => detect(reader.fill_buf()?),
    };
    let mut rows = Rows::new(delimiter);
    match delimiter {
        Delimiter::Comma => read_separated(reader, b',', &mut rows)?,
        Delimiter::Semicolon => read_separated(reader, b';', &mut rows)?,
        Delimiter::Tab => read_separated(reader, b'\t', &mut rows)?,
        Delimiter::Spaces => read_spaced(reader, &mut rows)?,
    }
    let (table, header) = rows.finish(&options.header, &options.missing)?;
    Ok((table, Assumed { delimiter, header }))
}

fn skip_byte_order_mark(reader: &mut impl BufRead) -> Result<()> {
    if reader.fill_buf()?.starts_with(b"\xEF\xBB\xBF") {
        reader.consume(3);
    }
    Ok(())
}

/// The character that every one of the first lines has equally often, the most frequent of these
/// on the first line; blanks if there is none.
fn detect(start: &[u8]) -> Delimiter {
    let complete = start.iter().rposition(|&b| b == b'\n').map_or(start, |end| &start[..end]);
    let lines: Vec<&[u8]> = complete
        .split(|&b| b == b'\n')
        .filter(|line| !line.trim_ascii().is_empty())
        .take(20)
        .collect();
    let count = |line: &[u8], separator: u8| {
        let mut quoted = false;
        let outside = |&&b: &&u8| {
            quoted ^= b == b'"';
            b == separator && !quoted
        };
        line.iter().filter(outside).count()
    };
    let candidates =
        [(Delimiter::Tab, b'\t'), (Delimiter::Semicolon, b';'), (Delimiter::Comma, b',')];
    let mut best = (false, 0, Delimiter::Spaces);
    for (delimiter, separator) in candidates {
        let counts: Vec<usize> = lines.iter().map(|line| count(line, separator)).collect();
        let Some(&first) = counts.first() else { continue };
        let steady = counts.iter().all(|&c| c == first);
        if first > 0 && (steady, first) > (best.0, best.1) {
            best = (steady, first, delimiter);
        }
    }
    best.2
}

fn read_separated(reader: impl Read, separator: u8, rows: &mut Rows) -> Result<()> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(reader);
    let mut record = csv::ByteRecord::new();
    loop {
        match reader.read_byte_record(&mut record) {
            Ok(true) => {
                let line = record.position().map_or(0, csv::Position::line);
                if record.len() > 1 || !record[0].is_empty() {
                    rows.push(line, record.len(), record.iter())?;
                }
            }
            Ok(false) => return Ok(()),
            Err(error) => return Err(Error::Read(error.into())),
        }
    }
}

fn read_spaced(mut reader: impl BufRead, rows: &mut Rows) -> Result<()> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if reader.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let values = || line.split(u8::is_ascii_whitespace).filter(|value| !value.is_empty());
        let found = values().count();
        if found > 0 {
            rows.push(number, found, values())?;
        }
    }
    Ok(())
}

/// The columns read so far.
struct Rows {
    delimiter: Delimiter,
    columns: Vec<Interner>,
    first_line: u64,
    n_rows: usize,
}

impl Rows {
    fn new(delimiter: Delimiter) -> Self {
        Rows { delimiter, columns: Vec::new(), first_line: 0, n_rows: 0 }
    }

    fn push<'a>(
        &mut self,
        line: u64,
        found: usize,
        mut values: impl Iterator<Item = &'a [u8]>,
    ) -> Result<()> {
        if self.n_rows == 0 {
            if found > MOST_COLUMNS {
                return Err(Error::TooManyColumns { line, found, allowed: MOST_COLUMNS });
            }
            self.columns.resize_with(found, Interner::default);
            self.first_line = line;
        }
        if found != self.columns.len() {
            return Err(Error::Ragged {
                line,
                found,
                expected: self.columns.len(),
                first_line: self.first_line,
                delimiter: self.delimiter.name(),
                quoted_break: values.any(|value| value.contains(&b'\n')),
            });
        }
        if self.n_rows as u64 >= u32::MAX.into() {
            return Err(Error::TooManyRows { allowed: u32::MAX.into() });
        }
        for (position, (value, column)) in values.zip(&mut self.columns).enumerate() {
            let bad = |_| Error::NotUtf8 { line, column: position + 1 };
            column.push(std::str::from_utf8(value).map_err(bad)?);
        }
        self.n_rows += 1;
        Ok(())
    }

    fn finish(self, header: &Header, missing: &MissingValues) -> Result<(Table, bool)> {
        if self.n_rows == 0 {
            return Err(Error::EmptyTable);
        }
        let header = match header {
            Header::Present => true,
            Header::Absent => false,
            Header::Detect => self.columns.iter().all(|column| !column.first_comes_again()),
            Header::Naming(names) => {
                let is_name = |column: &&Interner| names.iter().any(|name| name == column.first());
                let n_names = self.columns.iter().filter(is_name).count();
                n_names >= names.len() || 2 * n_names >= self.columns.len()
            }
        };
        if header && self.n_rows == 1 {
            return Err(Error::HeaderOnly);
        }
        let columns: Vec<Column> = self
            .columns
            .into_iter()
            .enumerate()
            .map(|(position, column)| column.finish(position, header, missing))
            .collect();
        if header {
            refuse_equal_names(&columns)?;
        }
        let n_rows = self.n_rows - usize::from(header);
        let width = columns.len();
        Ok((Table { columns, n_rows, named: header, width, counts: None }, header))
    }
}

fn refuse_equal_names(columns: &[Column]) -> Result<()> {
    let mut order: Vec<&Column> = columns.iter().collect();
    order.sort_by(|a, b| a.name.cmp(&b.name).then(a.position.cmp(&b.position)));
    match order.windows(2).find(|pair| pair[0].name == pair[1].name) {
        Some(pair) => Err(Error::DuplicateColumn {
            name: pair[0].name.clone(),
            first: pair[0].position + 1,
            second: pair[1].position + 1,
        }),
        None => Ok(()),
    }
}

/// A column being read: each value is kept once, in order of appearance.
#[derive(Default)]
struct Interner {
    values: Vec<String>,
    index: HashTable<u32>,
    codes: Codes,
}

impl Interner {
    fn push(&mut self, value: &str) {
        let values = &mut self.values;
        let found = self.index.find(hash(value), |&code| values[code as usize] == value);
        let code = match found {
            Some(&code) => code,
            None => {
                let code = values.len() as u32;
                values.push(value.to_string());
                self.index.insert_unique(hash(value), code, |&code| hash(&values[code as usize]));
                code
            }
        };
        self.codes.push(code);
    }

    fn first(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }

    /// The first line's value has code 0.
    fn first_comes_again(&self) -> bool {
        self.codes.iter().skip(1).any(|code| code == 0)
    }

    /// Put the values in their order, and take the first line's away if it is a header.
    fn finish(self, position: usize, header: bool, missing: &MissingValues) -> Column {
        let name = if header { self.first().to_string() } else { format!("x{}", position + 1) };
        let drop_first = header && !self.first_comes_again();
        let skipped = u32::from(drop_first);
        let codes = self.codes.iter().skip(usize::from(header)).map(|code| code - skipped);
        let values = self.values.into_iter().skip(skipped as usize).collect();
        Column::assemble(name, values, codes, missing).at_position(position)
    }
}

/// FNV-1a: values are short.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Table, Assumed)> {
        read_table(text.as_bytes(), &ReadOptions::default())
    }

    fn rows(table: &Table) -> Vec<Vec<&str>> {
        let row = |r| table.columns().iter().map(|c| c.value(r).unwrap_or("-")).collect();
        (0..table.n_rows()).map(row).collect()
    }

    #[test]
    fn delimiters_are_detected() {
        for (text, delimiter) in [
            ("a,b\n1,2\n1,3\n", Delimiter::Comma),
            ("a;b\n1,5;2,5\n1,5;3\n", Delimiter::Semicolon),
            ("a\tb c\n1\t2 3\n1\t4\n", Delimiter::Tab),
            ("0 1  0\n1 0 1 \n\n 1 1 0\n", Delimiter::Spaces),
            ("x\nx\n", Delimiter::Spaces),
            ("\"a,b\";c\n1;2\n", Delimiter::Semicolon),
        ] {
            assert_eq!(read(text).unwrap().1.delimiter, delimiter, "{text:?}");
        }
    }

    #[test]
    fn a_header_is_a_line_whose_values_do_not_come_again() {
        let (table, assumed) = read("colour,size\nred,1\nblue,2\nred,1\n").unwrap();
        assert!(assumed.header && table.is_named());
        assert_eq!(table.columns()[0].name(), "colour");
        assert_eq!(table.columns()[0].values(), ["blue", "red"]);
        assert_eq!(rows(&table), [["red", "1"], ["blue", "2"], ["red", "1"]]);

        let (table, assumed) = read("0 1 1\n1 1 0\n1 0 1\n").unwrap();
        assert!(!assumed.header);
        assert_eq!(table.columns()[2].name(), "x3");
        assert_eq!(table.n_rows(), 3);
    }

    #[test]
    fn a_header_can_be_forced() {
        let with = |header| {
            let options = ReadOptions { header, ..ReadOptions::default() };
            read_table("a,b\na,c\nb,c\n".as_bytes(), &options).unwrap().0
        };
        assert_eq!(rows(&with(Header::Present)), [["a", "c"], ["b", "c"]]);
        assert_eq!(with(Header::Absent).n_rows(), 3);
        assert_eq!(with(Header::Naming(vec!["b".into()])).n_rows(), 2);
        assert_eq!(with(Header::Naming(vec!["b".into(), "d".into()])).n_rows(), 2);
        assert_eq!(with(Header::Naming(vec!["c".into()])).n_rows(), 3);
    }

    #[test]
    fn quotes_blanks_and_a_byte_order_mark() {
        let (table, _) =
            read("\u{feff}name,class\n\"a, \"\"b\"\"\", 1\n\"two\nlines\",2\n").unwrap();
        assert_eq!(table.columns()[0].name(), "name");
        assert_eq!(rows(&table), [["a, \"b\"", "1"], ["two\nlines", "2"]]);
    }

    #[test]
    fn bad_tables_are_refused_with_their_place() {
        let message = |text: &[u8]| {
            read_table(text, &ReadOptions::default())
                .err()
                .map(|e| e.to_string())
                .unwrap_or_default()
        };
        assert!(message(b"").contains("empty"));
        assert!(message(b"\n \n").contains("empty"));
        assert!(message(b"a,b,c\n").contains("no rows below it"));
        let ragged = message(b"1,2\n1,2\n1\n");
        assert!(
            ragged.contains("line 3 has 1 value, but line 1 has 2 (delimiter: comma)"),
            "{ragged}"
        );
        let open = message(b"1,2\n\"1,2\n1,2\n1,2\n");
        assert!(open.contains("was a quotation mark left open?"), "{open}");
        assert_eq!(message(b"  \n1,2\n1,3\n \n"), "");
        assert!(message(b"1 2\n3 \xff\n").contains("line 2, column 2: the bytes are not UTF-8"));
        assert!(message(b"a,a\n1,2\n3,4\n").contains("columns 1 and 2 are both called \"a\""));
        let wide = "1,".repeat(1_000_000) + "1\n";
        assert!(message(wide.as_bytes()).contains("line 1 has 1000001 columns; at most 65536"));
    }
}
