//! A Parquet file in its parts: one number of its metadata, or the bytes of one page, can be changed, and
//! the file is put together again so that everything else is consistent.

use crate::dice::Dice;
use crate::mutate;
use crate::thrift::Value;

/// A file in its parts.
struct Parts {
    /// For each part of a column, its pages.
    chunks: Vec<Vec<Page>>,
    metadata: Value,
}

struct Page {
    header: Value,
    data: Vec<u8>,
}

const MARK: &[u8] = b"PAR1";

/// Numbers of fields in the metadata of a part of a column.
mod field {
    pub(super) const SCHEMA_OF_CHUNK: i16 = 3;
    pub(super) const ROW_GROUPS: i16 = 4;
    pub(super) const COLUMNS: i16 = 1;
    pub(super) const PACKED_SIZE: i16 = 7;
    pub(super) const DATA_AT: i16 = 9;
    pub(super) const DICTIONARY_AT: i16 = 11;
    pub(super) const PAGE_UNPACKED: i16 = 2;
    pub(super) const PAGE_PACKED: i16 = 3;
}

/// Change the structure of a file, if it is a Parquet file.
pub fn mutate(bytes: &[u8], dice: &mut Dice) -> Option<Vec<u8>> {
    let mut parts = Parts::of(bytes)?;
    let of_footer = dice.one_in(3);
    if !of_footer {
        let chunk = dice.below(parts.chunks.len());
        let pages = parts.chunks.get_mut(chunk)?;
        let page = dice.below(pages.len());
        pages.get_mut(page)?.mutate(dice);
    }
    Some(parts.assemble(|metadata| {
        if of_footer {
            change_number(metadata, dice);
        }
    }))
}

fn change_number(value: &mut Value, dice: &mut Dice) {
    let position = dice.below(value.n_numbers());
    value.change(position, |number| mutate::edge(number, dice));
}

impl Page {
    fn mutate(&mut self, dice: &mut Dice) {
        if dice.one_in(2) {
            return change_number(&mut self.header, dice);
        }
        let before = self.data.len() as i64;
        match dice.below(3) {
            0 => mutate::change_varint(&mut self.data, dice),
            1 => mutate::change_integer(&mut self.data, dice),
            _ => mutate::change_byte(&mut self.data, dice),
        }
        let change = self.data.len() as i64 - before;
        for id in [field::PAGE_PACKED, field::PAGE_UNPACKED] {
            if let Some(size) = self.header.field(id).and_then(Value::number) {
                *size += change;
            }
        }
    }
}

impl Parts {
    fn of(bytes: &[u8]) -> Option<Parts> {
        let body = bytes.strip_suffix(MARK)?;
        let (body, length) = body.split_last_chunk()?;
        let start = body.len().checked_sub(u32::from_le_bytes(*length) as usize)?;
        let (mut metadata, _) = Value::read(&body[start..])?;
        let mut chunks = Vec::new();
        for_each_chunk(&mut metadata, |chunk| {
            let at = |chunk: &mut Value, id| chunk.field(id)?.number().copied();
            let data = at(chunk, field::DATA_AT);
            let start = at(chunk, field::DICTIONARY_AT).into_iter().chain(data).min();
            let size = at(chunk, field::PACKED_SIZE);
            let range = || {
                let (start, size) = (usize::try_from(start?).ok()?, usize::try_from(size?).ok()?);
                Some(start..start.checked_add(size)?)
            };
            let range = range();
            chunks.push(range.and_then(|range| pages(bytes.get(range)?)));
        });
        Some(Parts { chunks: chunks.into_iter().collect::<Option<_>>()?, metadata })
    }

    /// The file; `change` may change its metadata at the end.
    fn assemble(mut self, change: impl FnOnce(&mut Value)) -> Vec<u8> {
        let mut bytes = MARK.to_vec();
        let mut chunks = self.chunks.iter();
        for_each_chunk(&mut self.metadata, |chunk| {
            let start = bytes.len() as i64;
            let mut first_data = start;
            for (position, page) in chunks.next().into_iter().flatten().enumerate() {
                if position == 1 && chunk.field(field::DICTIONARY_AT).is_some() {
                    first_data = bytes.len() as i64;
                }
                page.header.write(&mut bytes);
                bytes.extend(&page.data);
            }
            let size = bytes.len() as i64 - start;
            let places = [
                (field::DICTIONARY_AT, start),
                (field::DATA_AT, first_data),
                (field::PACKED_SIZE, size),
            ];
            for (id, number) in places {
                if let Some(place) = chunk.field(id).and_then(Value::number) {
                    *place = number;
                }
            }
        });
        change(&mut self.metadata);
        let start = bytes.len();
        self.metadata.write(&mut bytes);
        bytes.extend(((bytes.len() - start) as u32).to_le_bytes());
        bytes.extend(MARK);
        bytes
    }
}

fn for_each_chunk(metadata: &mut Value, mut visit: impl FnMut(&mut Value)) {
    let Some(groups) = metadata.field(field::ROW_GROUPS) else { return };
    for group in groups.elements() {
        let columns = group.field(field::COLUMNS).into_iter().flat_map(Value::elements);
        columns.filter_map(|column| column.field(field::SCHEMA_OF_CHUNK)).for_each(&mut visit);
    }
}

fn pages(mut bytes: &[u8]) -> Option<Vec<Page>> {
    let mut pages = Vec::new();
    while !bytes.is_empty() {
        let (mut header, length) = Value::read(bytes)?;
        let size = usize::try_from(*header.field(field::PAGE_PACKED)?.number()?).ok()?;
        let (data, rest) = bytes[length..].split_at_checked(size)?;
        let data = data.to_vec();
        bytes = rest;
        pages.push(Page { header, data });
    }
    Some(pages)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::{Shape, seeds};
    use branchwise::data::{ReadOptions, read_table};

    #[test]
    fn a_file_that_is_put_together_again_is_the_same_table() {
        let mut n_files = 0;
        for seed in seeds().iter().filter(|seed| seed.shape == Shape::Parquet) {
            let again = Parts::of(&seed.bytes).unwrap().assemble(|_| {});
            let rows = |bytes: &[u8]| {
                let options = ReadOptions { skip: vec!["list".into()], ..ReadOptions::default() };
                let plain = |_| read_table(bytes, &ReadOptions::default());
                let (table, _) = read_table(bytes, &options).or_else(plain).unwrap();
                let values = |row| table.columns().iter().map(move |column| column.value(row));
                let row = |row| values(row).map(|v| v.map(String::from)).collect::<Vec<_>>();
                (0..table.n_rows()).map(row).collect::<Vec<_>>()
            };
            assert_eq!(rows(&again), rows(&seed.bytes));
            n_files += 1;
        }
        assert!(n_files > 10);
    }
}
