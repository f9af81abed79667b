//! The pages of a Parquet file, each checked before it is unpacked and before it is decoded.
//!
//! The reader of the format allocates what headers say: the size of an unpacked page, the entries of a
//! dictionary, the number of texts. Here these claims are checked against the bytes of the file.

use super::super::arrow::damaged;
use super::super::arrow::room::Room;
use super::thrift::PageHeader;
use super::{PARQUET, delta};
use crate::error::{Error, Result};
use parquet::arrow::arrow_reader::RowGroups;
use parquet::basic::{Compression, Encoding, Type};
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, SerializedPageReader};
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// Why reading was refused: the reader of the format passes on only the text of an error.
#[derive(Clone, Debug, Default)]
pub(super) struct Refusal(Arc<Mutex<Option<Error>>>);

impl Refusal {
    fn because(&self, error: Error) -> ParquetError {
        let text = error.to_string();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        ParquetError::General(text)
    }

    /// The reason, if there is one.
    pub(super) fn take(&self) -> Option<Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// All row groups of a file.
#[derive(Debug)]
pub(super) struct Checked<R> {
    pub(super) file: Arc<R>,
    pub(super) metadata: Arc<ParquetMetaData>,
    pub(super) room: Room,
    pub(super) refusal: Refusal,
}

impl<R> Clone for Checked<R> {
    fn clone(&self) -> Self {
        let (file, metadata) = (self.file.clone(), self.metadata.clone());
        Checked { file, metadata, room: self.room, refusal: self.refusal.clone() }
    }
}

impl<R: ChunkReader + 'static> RowGroups for Checked<R> {
    fn num_rows(&self) -> usize {
        let rows = self.metadata.row_groups().iter().map(|group| group.num_rows());
        rows.fold(0usize, |sum, rows| sum.saturating_add(usize::try_from(rows).unwrap_or(0)))
    }

    fn column_chunks(&self, column: usize) -> Result<Box<dyn PageIterator>, ParquetError> {
        let groups = 0..self.metadata.num_row_groups();
        Ok(Box::new(Chunks { from: self.clone(), column, groups }))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(self.metadata.row_groups().iter())
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
}

/// The parts of one column, group by group.
struct Chunks<R> {
    from: Checked<R>,
    column: usize,
    groups: std::ops::Range<usize>,
}

impl<R: ChunkReader + 'static> Iterator for Chunks<R> {
    type Item = Result<Box<dyn PageReader>, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        let group = self.groups.next()?;
        Some(Pages::new(&self.from, group, self.column).map(|pages| Box::new(pages) as _))
    }
}

impl<R: ChunkReader + 'static> PageIterator for Chunks<R> {}

/// The pages of one column in one row group.
struct Pages<R: ChunkReader> {
    reader: SerializedPageReader<R>,
    file: Arc<R>,
    chunk: ColumnChunkMetaData,
    /// Where the next page begins, and where the last one ends.
    at: u64,
    end: u64,
    room: Room,
    refusal: Refusal,
}

impl<R: ChunkReader> Pages<R> {
    fn new(from: &Checked<R>, group: usize, column: usize) -> Result<Self, ParquetError> {
        let group = from.metadata.row_group(group);
        let chunk = group.column(column).clone();
        let rows = usize::try_from(group.num_rows()).unwrap_or(0);
        let reader = SerializedPageReader::new(from.file.clone(), &chunk, rows, None)?;
        let (at, length) = chunk.byte_range();
        let end = at.checked_add(length).filter(|&end| end <= from.file.len());
        let outside = || from.refusal.because(broken("a column lies beyond its end"));
        let end = end.ok_or_else(outside)?;
        let (file, room, refusal) = (from.file.clone(), from.room, from.refusal.clone());
        Ok(Pages { reader, file, chunk, at, end, room, refusal })
    }

    /// Check the header of the next page, and go on behind that page.
    fn check_next(&mut self) -> Result<()> {
        while self.at < self.end {
            let stop = |error: ParquetError| broken(&error);
            let header = self.file.get_read(self.at).map_err(stop)?.take(self.end - self.at);
            let header = PageHeader::read(header);
            let header = header.map_err(|error| broken(&format!("a page's header: {error}")))?;
            let data = self.at + header.length;
            self.check_header(&header, data)?;
            self.at = data + header.packed as u64;
            if header.page_type != PageHeader::INDEX {
                break;
            }
        }
        Ok(())
    }

    fn check_header(&self, header: &PageHeader, data: u64) -> Result<()> {
        let PageHeader { packed, unpacked, n_values, levels, .. } = *header;
        let is_data = [PageHeader::DATA, PageHeader::DATA_V2].contains(&header.page_type);
        if packed < 0 || packed as u64 > self.end - data {
            return Err(broken(&format!("a page of {packed} bytes lies beyond its column")));
        }
        if unpacked < 0 || !(0..=i64::from(packed)).contains(&levels) {
            return Err(broken(&format!("a page of {unpacked} bytes, {levels} of them levels")));
        }
        let of = self.chunk.num_values();
        if n_values < 0 || is_data && i64::from(n_values) > of {
            return Err(broken(&format!("a page of {n_values} values in a column of {of}")));
        }
        if header.is_raw || self.chunk.compression() == Compression::UNCOMPRESSED {
            return Ok(());
        }
        let (packed, claim) = (i64::from(packed) - levels, i64::from(unpacked) - levels);
        let (packed, claim) = (packed as u64, u64::try_from(claim).unwrap_or(0));
        self.room.check(PARQUET, unpacked as u64)?;
        let start = data + levels as u64;
        if claim == 0 || self.can_unpack(start, packed, claim)? {
            return Ok(());
        }
        Err(broken(&format!("{packed} bytes of a page cannot unpack to {claim}, as they claim")))
    }

    /// Whether packed bytes can be as many as they claim when they are unpacked.
    fn can_unpack(&self, start: u64, packed: u64, claim: u64) -> Result<bool> {
        /// Up to here it does no harm if a page unpacks to more than it claims.
        const HARMLESS: u64 = 1 << 28;
        let most_per_byte = match self.chunk.compression() {
            // Three bytes are a copy of at most 64.
            Compression::SNAPPY => 22,
            // A byte adds at most 255 to the length of a match.
            Compression::LZ4 | Compression::LZ4_RAW => 255,
            // Four bytes are a block, which has at most 128 KiB.
            Compression::ZSTD(_) => 1 << 15,
            // Two bits are a copy of at most 258.
            Compression::GZIP(_) if packed <= HARMLESS / 1032 => 1032,
            // These formats have no bound: the unpacked bytes are counted first.
            Compression::GZIP(_) | Compression::BROTLI(_) => {
                return self.does_unpack(start, packed, claim);
            }
            _ => return Ok(true),
        };
        Ok(claim <= packed.saturating_mul(most_per_byte))
    }

    fn does_unpack(&self, start: u64, packed: u64, claim: u64) -> Result<bool> {
        let packed = self.file.get_read(start).map_err(|error| broken(&error))?.take(packed);
        let count = |unpacked: &mut dyn Read| {
            io::copy(&mut unpacked.take(claim.saturating_add(1)), &mut io::sink())
        };
        let unpacked = match self.chunk.compression() {
            Compression::GZIP(_) => count(&mut flate2::read::MultiGzDecoder::new(packed)),
            _ => count(&mut brotli_decompressor::Decompressor::new(packed, 1 << 12)),
        };
        Ok(unpacked.map_err(|error| broken(&error))? == claim)
    }

    /// Check what an unpacked page says of its values.
    fn check_page(&self, page: &Page) -> Result<()> {
        match page {
            Page::DictionaryPage { buf, num_values, .. } => {
                let width = self.least_width().max(1);
                if u64::from(*num_values).saturating_mul(width) > buf.len() as u64 {
                    let bytes = buf.len();
                    return Err(broken(&format!("{num_values} entries in {bytes} bytes")));
                }
                Ok(())
            }
            _ => self.check_lengths(page),
        }
    }

    /// The fewest bytes of a value that is kept as it is.
    fn least_width(&self) -> u64 {
        match self.chunk.column_type() {
            Type::BOOLEAN => 0,
            Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
            Type::INT64 | Type::DOUBLE => 8,
            Type::INT96 => 12,
            Type::FIXED_LEN_BYTE_ARRAY => {
                u64::try_from(self.chunk.column_descr().type_length()).unwrap_or(0)
            }
        }
    }

    /// Texts in delta encodings come behind a list of their lengths, or two: of what each has in common
    /// with the one before it, and of the rest.
    fn check_lengths(&self, page: &Page) -> Result<()> {
        let n_lists = match page.encoding() {
            Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
            Encoding::DELTA_BYTE_ARRAY => 2,
            _ => return Ok(()),
        };
        let no_lengths = || broken("the lengths of a page's texts are not there");
        let mut bytes = self.values(page).ok_or_else(no_lengths)?;
        let mut needed = 0u64;
        for _ in 0..n_lists {
            let most = u64::from(page.num_values());
            let list = delta::lengths(bytes, most).ok_or_else(no_lengths)?;
            bytes = &bytes[list.end..];
            needed = needed.saturating_add(list.count.saturating_mul(4));
            needed = needed.saturating_add(list.total);
        }
        self.room.check(PARQUET, needed)
    }

    /// What comes behind the levels of a data page.
    fn values<'p>(&self, page: &'p Page) -> Option<&'p [u8]> {
        let column = self.chunk.column_descr();
        match page {
            Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => {
                let levels = def_levels_byte_len.checked_add(*rep_levels_byte_len)?;
                buf.get(levels as usize..)
            }
            Page::DataPage { buf, num_values, def_level_encoding, rep_level_encoding, .. } => {
                let after_repetition =
                    behind_levels(buf, *rep_level_encoding, column.max_rep_level(), *num_values)?;
                let (encoding, most) = (*def_level_encoding, column.max_def_level());
                behind_levels(after_repetition, encoding, most, *num_values)
            }
            Page::DictionaryPage { .. } => None,
        }
    }
}

/// What comes behind a list of levels.
fn behind_levels(bytes: &[u8], encoding: Encoding, most: i16, n: u32) -> Option<&[u8]> {
    if most <= 0 {
        return Some(bytes);
    }
    if encoding == Encoding::RLE {
        let (length, rest) = bytes.split_first_chunk()?;
        return rest.get(u32::from_le_bytes(*length) as usize..);
    }
    let width = 16 - most.leading_zeros();
    let n_bits = u64::from(n) * u64::from(width);
    bytes.get(n_bits.div_ceil(8) as usize..)
}

fn broken(problem: &(impl std::fmt::Display + ?Sized)) -> Error {
    damaged(PARQUET, &problem.to_string())
}

impl<R: ChunkReader> Iterator for Pages<R> {
    type Item = Result<Page, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl<R: ChunkReader> PageReader for Pages<R> {
    fn get_next_page(&mut self) -> Result<Option<Page>, ParquetError> {
        self.check_next().map_err(|error| self.refusal.because(error))?;
        let page = self.reader.get_next_page()?;
        if let Some(page) = &page {
            self.check_page(page).map_err(|error| self.refusal.because(error))?;
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>, ParquetError> {
        self.reader.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<(), ParquetError> {
        self.get_next_page().map(drop)
    }

    fn at_record_boundary(&mut self) -> Result<bool, ParquetError> {
        self.reader.at_record_boundary()
    }
}
