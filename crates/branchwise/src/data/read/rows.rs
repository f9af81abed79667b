//! The rows of a table while it is read: all of them in order, or each distinct one once.

use super::super::Codes;
use crate::error::{FileError, Result};
use crate::hash::{self, Numbering};
use crate::memory;

/// This many codes are gathered before they are moved to their columns: they fit into a processor's cache.
const PENDING: usize = 1 << 16;

/// Rows of codes, kept column by column.
#[derive(Default)]
pub(super) struct Rows {
    n_columns: usize,
    columns: Vec<Codes>,
    n_rows: usize,
    /// Rows that are not in `columns` yet, one after the other.
    pending: Vec<u32>,
    distinct: Option<Distinct>,
    /// A row that belongs before all others.
    first: Option<usize>,
}

/// The distinct rows, by number: where they are merged, a row is found again by its hash.
#[derive(Default)]
struct Distinct {
    numbers: Numbering,
    hashes: Vec<u64>,
    counts: Vec<u64>,
}

impl Rows {
    pub(super) fn new(n_columns: usize, merge: bool) -> Self {
        let mut columns = Vec::new();
        columns.resize_with(n_columns, Codes::default);
        Rows { n_columns, columns, distinct: merge.then(Distinct::default), ..Rows::default() }
    }

    /// The list to which a row's codes are added, column by column, before `end_row`.
    #[inline]
    pub(super) fn row(&mut self) -> &mut Vec<u32> {
        &mut self.pending
    }

    /// The row is complete; where rows are merged, it may be one that is known.
    pub(super) fn end_row(&mut self) -> Result<()> {
        let start = self.pending.len() - self.n_columns;
        if let Some(mut distinct) = self.distinct.take() {
            let hash = hash::of_codes(&self.pending[start..]);
            let same = |row: u32| {
                distinct.hashes[row as usize] == hash && self.is_same(row as usize, start)
            };
            if let Some(row) = distinct.numbers.find(hash, same) {
                distinct.counts[row as usize] += 1;
                self.pending.truncate(start);
            } else {
                distinct.hashes.push(hash);
                distinct.counts.push(1);
                let hashes = &distinct.hashes;
                distinct.numbers.add(hash, |row| hashes[row as usize]);
                self.n_rows += 1;
            }
            self.distinct = Some(distinct);
        } else {
            self.n_rows += 1;
        }
        if self.n_rows as u64 >= u32::MAX.into() {
            return Err(FileError::TooManyRows { allowed: u32::MAX.into() }.into());
        }
        if self.pending.len() >= PENDING.max(64 * self.n_columns) {
            self.flush();
        }
        Ok(())
    }

    /// The bytes that are needed for `more` rows.
    pub(super) fn growth(&self, more: usize) -> usize {
        let of_columns: usize = self.columns.iter().map(|column| column.growth(more)).sum();
        let of_distinct =
            self.distinct.as_ref().map_or(0, |Distinct { numbers, hashes, counts }| {
                memory::growth(hashes, more) + memory::growth(counts, more) + numbers.growth(more)
            });
        memory::growth(&self.pending, more * self.n_columns) + of_columns + of_distinct
    }

    /// The number of rows that are kept.
    pub(super) fn len(&self) -> usize {
        self.n_rows
    }

    /// The next row belongs before all others, where rows are kept in order.
    pub(super) fn next_is_first(&mut self) {
        self.first = Some(self.n_rows);
    }

    /// Whether a kept row is the same as the pending one that starts here.
    fn is_same(&self, row: usize, start: usize) -> bool {
        let candidate = &self.pending[start..];
        let n_flushed = self.columns.first().map_or(0, Codes::len);
        match row.checked_sub(n_flushed) {
            Some(waiting) => {
                let waiting = waiting * self.n_columns;
                self.pending[waiting..waiting + self.n_columns] == *candidate
            }
            None => {
                let mut pairs = self.columns.iter().zip(candidate);
                pairs.all(|(column, &code)| column.at(row) == code)
            }
        }
    }

    /// Move the pending rows to the columns.
    fn flush(&mut self) {
        let Rows { n_columns, columns, pending, .. } = self;
        for (number, column) in columns.iter_mut().enumerate() {
            column.extend(pending.iter().skip(number).step_by(*n_columns).copied());
        }
        pending.clear();
    }

    /// The columns, the number of rows, and how many rows were merged into each, if they were merged.
    pub(super) fn finish(mut self) -> (Vec<Codes>, usize, Option<Vec<u64>>) {
        self.flush();
        let counts = self.distinct.map(|distinct| distinct.counts);
        if let (Some(first), None) = (self.first, &counts) {
            let order = || [first].into_iter().chain(0..first).chain(first + 1..self.n_rows);
            for column in &mut self.columns {
                *column = order().map(|row| column.at(row)).collect();
            }
        }
        (self.columns, self.n_rows, counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(merge: bool, rows: &[[u32; 3]]) -> (Vec<Vec<u32>>, usize, Option<Vec<u64>>) {
        let mut kept = Rows::new(3, merge);
        for row in rows {
            kept.row().extend(row);
            kept.end_row().unwrap();
        }
        let (columns, n_rows, counts) = kept.finish();
        (columns.iter().map(|column| column.iter().collect()).collect(), n_rows, counts)
    }

    #[test]
    fn rows_are_kept_or_merged() {
        let rows = [[0, 1, 2], [0, 0, 0], [0, 1, 2], [3, 3, 3], [0, 0, 0], [0, 1, 2]];
        let (columns, n_rows, counts) = filled(false, &rows);
        assert_eq!((columns[1].as_slice(), n_rows, counts), (&[1, 0, 1, 3, 0, 1][..], 6, None));
        let (columns, n_rows, counts) = filled(true, &rows);
        assert_eq!((columns[1].as_slice(), n_rows), (&[1, 0, 3][..], 3));
        assert_eq!(counts, Some(vec![3, 2, 1]));
    }

    #[test]
    fn many_rows_are_found_again_before_and_after_they_move() {
        let row = |number: u32| [number, number % 2, number % 7];
        let rows: Vec<[u32; 3]> = (0..90_000).map(|number| row(number % 30_000)).collect();
        let (columns, n_rows, counts) = filled(true, &rows);
        assert_eq!((n_rows, counts), (30_000, Some(vec![3; 30_000])));
        let first: Vec<u32> = rows[..n_rows].iter().map(|row| row[2]).collect();
        assert_eq!(columns[2], first);
    }
}
