//! The lines of a text, one at a time.
//!
//! A line ends with a line feed, a carriage return, or both, and one text may mix them: files of today, of
//! old Macs, and what was pasted together from both. Text is read up to the kind of break that comes first
//! in it, which is nearly always the only kind; then breaks of the other kind are looked for inside.

use super::collect::Collector;
use super::delimiter::Delimiter;
use super::quoted::{Quoted, break_length};
use crate::error::Result;
use crate::memory;
use std::io::{BufRead, Read};

const LINE_FEED: u8 = b'\n';
const CARRIAGE_RETURN: u8 = b'\r';

/// The bytes of a line that are read between two checks of the limits.
const PIECE: u64 = 1 << 20;

/// The lines of a text, one at a time.
pub(super) struct Lines<'r> {
    reader: &'r mut dyn BufRead,
    /// The kind of break that text is read up to.
    end: u8,
    /// The text that was read, and the part of it that is the line.
    bytes: Vec<u8>,
    from: usize,
    to: usize,
    /// The number of the line, counted from 1.
    pub(super) number: u64,
    next: u64,
}

impl<'r> Lines<'r> {
    /// The lines of a text that begins with these bytes, and maybe others.
    pub(super) fn new(reader: &'r mut dyn BufRead, start: &[u8]) -> Self {
        let has = |byte: u8| start.contains(&byte);
        let end = match (has(LINE_FEED), has(CARRIAGE_RETURN)) {
            (false, true) => CARRIAGE_RETURN,
            _ => LINE_FEED,
        };
        Lines { reader, end, bytes: Vec::new(), from: 0, to: 0, number: 0, next: 1 }
    }

    /// The line, with the break at its end.
    #[inline]
    pub(super) fn line(&self) -> &[u8] {
        &self.bytes[self.from..self.to]
    }

    /// Read the next line; false at the end.
    pub(super) fn read(&mut self, collector: &mut Collector) -> Result<bool> {
        self.number = self.next;
        self.next += 1;
        self.from = self.to;
        if self.from == self.bytes.len() && !self.fill(collector)? {
            return Ok(false);
        }
        self.to = self.from + first_line(&self.bytes[self.from..], self.end);
        Ok(true)
    }

    /// Read up to the next break, replacing the text before; false at the end. A text that seems to have no
    /// break is read piece by piece.
    fn read_on(&mut self, collector: &mut Collector) -> Result<bool> {
        self.bytes.clear();
        (self.from, self.to) = (0, 0);
        loop {
            let piece = &mut self.reader.take(PIECE);
            if piece.read_until(self.end, &mut self.bytes)? < PIECE as usize {
                return Ok(!self.bytes.is_empty());
            }
            if self.bytes.last() == Some(&self.end) {
                return Ok(true);
            }
            collector.look(2 * memory::growth(&self.bytes, PIECE as usize))?;
        }
    }

    /// Read on up to the next line; false at the end.
    fn fill(&mut self, collector: &mut Collector) -> Result<bool> {
        loop {
            if !self.read_on(collector)? {
                return Ok(false);
            }
            // A line feed after the carriage return that ended the previous line belongs to that line.
            if self.end == CARRIAGE_RETURN && self.bytes[0] == LINE_FEED {
                self.from = 1;
            }
            if self.from < self.bytes.len() {
                return Ok(true);
            }
        }
    }

    /// Split a line with quotation marks into values; it goes on as long as a quotation mark is open.
    pub(super) fn complete(
        &mut self,
        delimiter: Delimiter,
        quoted: &mut Quoted,
        collector: &mut Collector,
    ) -> Result<()> {
        let separator = delimiter.byte().unwrap_or(b',');
        quoted.clear();
        loop {
            self.to = self.from + quoted.read(&self.bytes[self.from..], separator);
            if !quoted.is_open() {
                break;
            }
            if !self.read_on(collector)? {
                break;
            }
            collector.look(quoted.growth(self.bytes.len()))?;
            self.next += 1;
        }
        quoted.end();
        Ok(())
    }
}

/// The length of the first line of a text that was read up to a break of one kind: the whole text, unless
/// there is a break of the other kind inside.
#[inline]
fn first_line(text: &[u8], end: u8) -> usize {
    let other = if end == LINE_FEED { CARRIAGE_RETURN } else { LINE_FEED };
    if !text.contains(&other) {
        return text.len();
    }
    let found = text.iter().position(|&byte| byte == other);
    found.map_or(text.len(), |place| place + break_length(&text[place..]))
}

#[cfg(test)]
mod tests {
    use super::super::{Header, ReadOptions, read_table};
    use crate::error::Error;

    fn rows(text: &str) -> Result<Vec<Vec<String>>, Error> {
        let options = ReadOptions { header: Header::Present, ..ReadOptions::default() };
        let (table, _) = read_table(text.as_bytes(), &options)?;
        let row =
            |row| table.columns().iter().map(|c| c.value(row).unwrap_or("-").into()).collect();
        let names = table.columns().iter().map(|column| column.name().into()).collect();
        Ok([names].into_iter().chain((0..table.n_rows()).map(row)).collect())
    }

    #[test]
    fn any_line_break_ends_a_line() {
        let expected = rows("a,b\n1,x\n2,y\n3,z\n").unwrap();
        assert_eq!(expected, [["a", "b"], ["1", "x"], ["2", "y"], ["3", "z"]]);
        let breaks = ["\n", "\r", "\r\n", "\n\r", "\r\r", "\n\n", "\r\n\r\n"];
        for one in breaks {
            for other in breaks {
                for last in ["", "\n", "\r", "\r\n"] {
                    let text = format!("a,b{one}1,x{other}2,y{one}3,z{last}");
                    assert_eq!(rows(&text).unwrap(), expected, "{text:?}");
                }
            }
        }
    }

    #[test]
    fn breaks_in_quotation_marks_are_kept() {
        for end in ["\n", "\r", "\r\n"] {
            let other = if end == "\r" { "\n" } else { "\r" };
            for inside in ["\n", "\r", "\r\n", "\n\n"] {
                let text = format!(
                    "a,b{end}\"x{inside}y\",1{end}\"z\",\"{inside}w\"{other}u,\"v\"{other}p,q{end}"
                );
                let expected = [
                    ["a".to_string(), "b".into()],
                    [format!("x{inside}y"), "1".into()],
                    ["z".into(), "w".into()],
                    ["u".into(), "v".into()],
                    ["p".into(), "q".into()],
                ];
                assert_eq!(rows(&text).unwrap(), expected, "{text:?}");
            }
        }
    }

    #[test]
    fn lines_are_counted_by_any_break() {
        for end in ["\n", "\r", "\r\n"] {
            let message = rows(&format!("a,b{end}1,2{end}{end}1{end}")).unwrap_err().to_string();
            assert!(message.contains("line 4 has 1 value, but line 1 has 2"), "{end:?}: {message}");
        }
        let message = rows("a,b\n1,2\r3,4\n1\n").unwrap_err().to_string();
        assert!(message.contains("line 4 has 1 value"), "{message}");
    }

    #[test]
    fn long_texts_with_either_break_are_read() {
        let table = |end: &str| {
            let rows: String = (0..30_000).map(|row| format!("{row},{}{end}", row % 7)).collect();
            format!("a,b{end}{rows}")
        };
        let expected = rows(&table("\n")).unwrap();
        for text in [table("\r"), table("\r\n"), table("\n") + &table("\r")[4..]] {
            let found = rows(&text).unwrap();
            assert_eq!(found[..expected.len()], expected);
            assert!([30_001, 60_001].contains(&found.len()), "{}", found.len());
        }
    }
}
