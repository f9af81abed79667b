//! Rows as words: the cells of all columns side by side, the first column's in the highest bits.
//!
//! Comparing words is then the same as comparing rows cell by cell; most tables need one or two words.

use super::celled::Celled;
use crate::limits::{Pulse, StopReason};

/// Rows as words.
pub(super) struct Packed {
    words_per_row: usize,
    words: Vec<u64>,
}

/// The bits of a row's words that hold its cell of a column.
struct BitField {
    word: usize,
    shift: u32,
}

impl Packed {
    pub(super) fn new(
        columns: &[Celled],
        rows: &[usize],
        pulse: &mut Pulse,
    ) -> Result<Self, StopReason> {
        let (fields, words_per_row) = lay_out(columns);
        pulse.room_for(0, 8 * rows.len() * words_per_row)?;
        let mut words = vec![0; rows.len() * words_per_row];
        // A few rows at a time, so that their words stay in the cache for all columns.
        let blocks = words.chunks_mut(BLOCK * words_per_row).zip(rows.chunks(BLOCK));
        for (words, rows) in blocks {
            for (column, field) in columns.iter().zip(&fields) {
                pulse.spend(2 * rows.len())?;
                let BitField { word, shift } = *field;
                let words = words[word..].iter_mut().step_by(words_per_row);
                column.cells_of(rows, words, |into, cell| *into |= u64::from(cell) << shift);
            }
        }
        Ok(Packed { words_per_row, words })
    }

    /// The words of a row, by its position in the list.
    pub(super) fn row(&self, position: usize) -> &[u64] {
        &self.words[position * self.words_per_row..][..self.words_per_row]
    }
}

const BLOCK: usize = 256;

/// Put as many cells into each word as fit; there is at least one word.
fn lay_out(columns: &[Celled]) -> (Vec<BitField>, usize) {
    let (mut word, mut room) = (0, u64::BITS);
    let field = |column: &Celled| {
        let bits = u32::BITS - (column.n_cells() - 1).leading_zeros();
        if bits > room {
            (word, room) = (word + 1, u64::BITS);
        }
        room -= bits;
        // A column of one cell needs no bits.
        BitField { word, shift: room.min(u64::BITS - 1) }
    };
    let fields = columns.iter().map(field).collect();
    (fields, word + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Codes;
    use crate::limits::Watch;

    #[test]
    fn words_are_in_the_order_of_cells() {
        // Columns of 1, 2, 3, … cells, so that words are filled in every way.
        let code = |row: usize, column: u32| ((row as u32 * 7919) >> (column % 5)) % (column + 1);
        let codes: Vec<Codes> =
            (0..40).map(|column| (0..500).map(|row| code(row, column)).collect()).collect();
        let columns: Vec<Celled> = codes
            .iter()
            .zip(0..)
            .map(|(codes, column)| Celled::new(codes, (0..=column).collect()))
            .collect();
        let rows: Vec<usize> = (0..500).rev().step_by(3).collect();
        let watch = Watch::endless();
        let packed = Packed::new(&columns, &rows, &mut watch.pulse()).unwrap();
        let cells = |row: usize| (0..40).map(move |column| code(row, column));
        for (a, &row_a) in rows.iter().enumerate() {
            for (b, &row_b) in rows.iter().enumerate() {
                assert_eq!(packed.row(a).cmp(packed.row(b)), cells(row_a).cmp(cells(row_b)));
            }
        }
    }
}
