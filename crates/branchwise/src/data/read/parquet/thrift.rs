//! What a Parquet file claims, read from its Thrift structures before anything is allocated for it.
//!
//! Reads the part of the compact protocol that these structures use. Every field must have the type of the
//! specification, so that a second reader finds the same values.

use std::io::{self, Read};

/// Types of fields.
mod kind {
    pub(super) const TRUE: u8 = 1;
    pub(super) const FALSE: u8 = 2;
    pub(super) const BYTE: u8 = 3;
    pub(super) const I16: u8 = 4;
    pub(super) const I32: u8 = 5;
    pub(super) const I64: u8 = 6;
    pub(super) const DOUBLE: u8 = 7;
    pub(super) const BINARY: u8 = 8;
    pub(super) const LIST: u8 = 9;
    pub(super) const SET: u8 = 10;
    pub(super) const STRUCT: u8 = 12;
}

/// Structures do not lie deeper in each other than this.
const MOST_DEPTH: usize = 64;

/// The header of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PageHeader {
    /// How many bytes the header has.
    pub(super) length: u64,
    pub(super) page_type: i32,
    pub(super) unpacked: i32,
    pub(super) packed: i32,
    pub(super) n_values: i32,
    /// Bytes at the beginning of the page that are never compressed.
    pub(super) levels: i64,
    pub(super) is_raw: bool,
}

impl PageHeader {
    pub(super) const DATA: i32 = 0;
    pub(super) const INDEX: i32 = 1;
    pub(super) const DATA_V2: i32 = 3;

    /// Read the header of a page.
    pub(super) fn read(bytes: impl Read) -> io::Result<PageHeader> {
        let mut thrift = Thrift { bytes, n_read: 0 };
        let mut header = PageHeader::default();
        thrift.structure(&mut |thrift, id, kind| {
            match id {
                1 => header.page_type = thrift.i32(kind)?,
                2 => header.unpacked = thrift.i32(kind)?,
                3 => header.packed = thrift.i32(kind)?,
                4 => drop(thrift.i32(kind)?),
                5 if kind == kind::STRUCT => thrift.data_page(&mut header)?,
                7 if kind == kind::STRUCT => thrift.dictionary_page(&mut header)?,
                6 if kind == kind::STRUCT => thrift.skip(kind, 0)?,
                8 if kind == kind::STRUCT => thrift.data_page_v2(&mut header)?,
                5..=8 => return Err(wrong("a field of another type than it should have")),
                _ => thrift.skip(kind, 0)?,
            }
            Ok(())
        })?;
        header.length = thrift.n_read;
        Ok(header)
    }
}

/// Check the list of columns in a file's metadata: no one claims more columns below it than there are
/// behind it, and they do not lie too deep in each other.
pub(super) fn check_schema(metadata: &[u8]) -> io::Result<()> {
    let mut thrift = Thrift { bytes: metadata, n_read: 0 };
    thrift.structure(&mut |thrift, id, kind| match (id, kind) {
        (2, kind::LIST) => thrift.schema(),
        (2, _) => Err(wrong("a schema that is no list")),
        _ => thrift.skip(kind, 0),
    })
}

fn wrong(problem: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

/// A field that must be true or false, which its type says.
fn truth(kind: u8) -> io::Result<bool> {
    match kind {
        kind::TRUE => Ok(true),
        kind::FALSE => Ok(false),
        _ => Err(wrong("a field that is neither true nor false")),
    }
}

struct Thrift<R> {
    bytes: R,
    n_read: u64,
}

impl<R: Read> Thrift<R> {
    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.bytes.read_exact(&mut byte).map_err(|_| wrong("it ends in the middle"))?;
        self.n_read += 1;
        Ok(byte[0])
    }

    /// A number in groups of seven bits, the lowest first.
    fn unsigned(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(wrong("a number of more than 64 bits"))
    }

    /// A number whose sign is its lowest bit.
    fn signed(&mut self) -> io::Result<i64> {
        let number = self.unsigned()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// A field that must be a number of 32 bits.
    fn i32(&mut self, kind: u8) -> io::Result<i32> {
        if kind != kind::I32 {
            return Err(wrong("a field that is no number of 32 bits"));
        }
        i32::try_from(self.signed()?).map_err(|_| wrong("a number of more than 32 bits"))
    }

    /// Visit the fields of a structure: their numbers and types.
    fn structure(
        &mut self,
        visit: &mut dyn FnMut(&mut Self, i16, u8) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut id = 0i16;
        loop {
            let head = self.byte()?;
            let (step, kind) = (head >> 4, head & 0xf);
            if kind == 0 {
                return Ok(());
            }
            id = match step {
                0 => i16::try_from(self.signed()?).ok(),
                step => id.checked_add(step.into()),
            }
            .ok_or_else(|| wrong("a field without a number"))?;
            visit(self, id, kind)?;
        }
    }

    fn data_page(&mut self, header: &mut PageHeader) -> io::Result<()> {
        self.structure(&mut |thrift, id, kind| match id {
            1 => thrift.i32(kind).map(|n| header.n_values = n),
            2..=4 => thrift.i32(kind).map(drop),
            _ => thrift.skip(kind, 0),
        })
    }

    fn dictionary_page(&mut self, header: &mut PageHeader) -> io::Result<()> {
        self.structure(&mut |thrift, id, kind| match id {
            1 => thrift.i32(kind).map(|n| header.n_values = n),
            2 => thrift.i32(kind).map(drop),
            3 => truth(kind).map(drop),
            _ => thrift.skip(kind, 0),
        })
    }

    fn data_page_v2(&mut self, header: &mut PageHeader) -> io::Result<()> {
        self.structure(&mut |thrift, id, kind| match id {
            1 => thrift.i32(kind).map(|n| header.n_values = n),
            2..=4 => thrift.i32(kind).map(drop),
            5 | 6 => thrift.i32(kind).map(|n| header.levels += i64::from(n)),
            7 => truth(kind).map(|is_packed| header.is_raw = !is_packed),
            _ => thrift.skip(kind, 0),
        })
    }

    /// The type of a list's elements, and how many there are.
    fn list(&mut self) -> io::Result<(u8, u64)> {
        let head = self.byte()?;
        let n = if head >> 4 == 15 { self.unsigned()? } else { u64::from(head >> 4) };
        Ok((head & 0xf, n))
    }

    /// The columns of a file, each one before those below it.
    fn schema(&mut self) -> io::Result<()> {
        let (kind, n) = self.list()?;
        if n > 0 && kind != kind::STRUCT {
            return Err(wrong("a schema of another type than it should have"));
        }
        // For each column around the next one, how many below it are still to come.
        let mut open: Vec<u64> = Vec::new();
        for position in 0..n {
            let n_below = self.schema_element()?;
            if n_below > n - position - 1 {
                let below = n - position - 1;
                return Err(wrong(&format!("{n_below} columns in one, where {below} come")));
            }
            if let Some(missing) = open.last_mut() {
                *missing -= 1;
            }
            open.push(n_below);
            open.truncate(open.iter().rposition(|&missing| missing > 0).map_or(0, |last| last + 1));
            if open.len() > MOST_DEPTH {
                return Err(wrong(&format!("columns in columns, more than {MOST_DEPTH} deep")));
            }
        }
        Ok(())
    }

    /// One column; how many are below it.
    fn schema_element(&mut self) -> io::Result<u64> {
        let mut n_below = 0;
        self.structure(&mut |thrift, id, kind| match (id, kind) {
            (5, _) => thrift.i32(kind).map(|n| n_below = n),
            (1..=3 | 6..=9, _) => thrift.i32(kind).map(drop),
            (4, kind::BINARY) | (10, kind::STRUCT) => thrift.skip(kind, 0),
            (4 | 10, _) => Err(wrong("a field of another type than it should have")),
            _ => thrift.skip(kind, 0),
        })?;
        u64::try_from(n_below).map_err(|_| wrong("a negative number of columns"))
    }

    fn skip(&mut self, kind: u8, depth: usize) -> io::Result<()> {
        if depth > MOST_DEPTH {
            return Err(wrong("structures in structures, too deep"));
        }
        match kind {
            kind::TRUE | kind::FALSE => Ok(()),
            kind::BYTE => self.byte().map(drop),
            kind::I16 | kind::I32 | kind::I64 => self.unsigned().map(drop),
            kind::DOUBLE => self.skip_bytes(8),
            kind::BINARY => {
                let length = self.unsigned()?;
                self.skip_bytes(length)
            }
            kind::LIST | kind::SET => {
                let (kind, n) = self.list()?;
                if kind == kind::TRUE || kind == kind::FALSE {
                    return self.skip_bytes(n);
                }
                (0..n).try_for_each(|_| self.skip(kind, depth + 1))
            }
            kind::STRUCT => self.structure(&mut |thrift, _, kind| thrift.skip(kind, depth + 1)),
            _ => Err(wrong("a field of an unknown type")),
        }
    }

    fn skip_bytes(&mut self, n: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.bytes.by_ref().take(n), &mut io::sink())?;
        self.n_read += skipped;
        if skipped == n { Ok(()) } else { Err(wrong("it ends in the middle")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_pages_are_read() {
        // A data page of 200 bytes, packed in 100, with a checksum, 6 values and statistics.
        let data = [
            0x15, 0, 0x15, 0x90, 3, 0x15, 0xc8, 1, 0x15, 9, 0x1c, 0x15, 12, 0x15, 0, 0x15, 6, 0x15,
            6, 0x1c, 0x18, 2, b'a', b'b', 0x21, 0, 0, 0,
        ];
        let header = PageHeader::read(&[&data[..], b"rest"].concat()[..]).unwrap();
        let expected = PageHeader {
            length: data.len() as u64,
            page_type: PageHeader::DATA,
            unpacked: 200,
            packed: 100,
            n_values: 6,
            ..PageHeader::default()
        };
        assert_eq!(header, expected);
        for end in 0..data.len() {
            assert!(PageHeader::read(&data[..end]).is_err(), "{end}");
        }
        // A page of the second version: 3 and 4 bytes of levels, not compressed.
        let second = [
            0x15, 6, 0x15, 20, 0x15, 20, 0x5c, 0x15, 12, 0x15, 0, 0x15, 12, 0x15, 0, 0x15, 6, 0x15,
            8, 0x12, 0, 0,
        ];
        let header = PageHeader::read(&second[..]).unwrap();
        assert_eq!((header.levels, header.is_raw, header.n_values), (7, true, 6));
        // A size that is a text, and one of more than 32 bits.
        assert!(PageHeader::read(&[0x15, 0, 0x18, 0, 0][..]).is_err());
        assert!(PageHeader::read(&[0x15, 0, 0x15, 0x80, 0x80, 0x80, 0x80, 0x20, 0][..]).is_err());
    }

    /// Metadata with these columns: how many are below each.
    fn metadata(below: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0x15, 2, 0x19, 0xfc, below.len() as u8];
        for n in below {
            bytes.extend([0x48, 1, b'x', 0x15, 2 * n, 0]);
        }
        bytes.extend([0x16, 8, 0]);
        bytes
    }

    #[test]
    fn no_column_has_more_below_it_than_come() {
        for good in [&[3, 0, 0, 0][..], &[2, 0, 1, 0], &[1, 1, 1, 0], &[0], &[]] {
            assert!(check_schema(&metadata(good)).is_ok(), "{good:?}");
        }
        for bad in [&[4, 0, 0, 0][..], &[1, 0, 1], &[1, 63, 0]] {
            assert!(check_schema(&metadata(bad)).is_err(), "{bad:?}");
        }
        let mut deep = vec![1; 64];
        assert!(check_schema(&metadata(&[&deep[..], &[0]].concat())).is_ok());
        deep.push(1);
        assert!(check_schema(&metadata(&[&deep[..], &[0]].concat())).is_err());
        let bytes = metadata(&[1, 0]);
        for end in 0..bytes.len() {
            assert!(check_schema(&bytes[..end]).is_err(), "{end}");
        }
    }
}
