//! Columns as cells, the form in which rows are compared and merged.

use super::Encoder;
use super::levels::cells_of;
use crate::data::{Codes, Dataset};
use crate::limits::{Pulse, StopReason};

/// A column whose codes are translated to cells.
pub(super) struct Celled<'d> {
    codes: &'d Codes,
    /// The cell of each code; it means nothing for a code that no row has.
    cells: Vec<u32>,
    n_cells: u32,
}

impl<'d> Celled<'d> {
    pub(super) fn new(codes: &'d Codes, cells: Vec<u32>) -> Self {
        let n_cells = cells.iter().max().map_or(1, |&most| most + 1);
        Celled { codes, cells, n_cells }
    }

    pub(super) fn n_cells(&self) -> u32 {
        self.n_cells
    }

    /// The number of codes that are translated.
    pub(super) fn n_codes(&self) -> usize {
        self.cells.len()
    }

    /// For each of these rows, what its cell is mapped to.
    pub(super) fn mapped(&self, rows: &[usize], to: impl Fn(u32) -> u32) -> Vec<u32> {
        let of_codes: Vec<u32> = self.cells.iter().map(|&cell| to(cell)).collect();
        let mut mapped = vec![0; rows.len()];
        self.codes.each(rows, mapped.iter_mut(), |into, code| *into = of_codes[code as usize]);
        mapped
    }

    /// Call `tell` with each item and the cell of its row.
    #[inline]
    pub(super) fn cells_of<I>(
        &self,
        rows: &[usize],
        items: impl Iterator<Item = I>,
        mut tell: impl FnMut(I, u32),
    ) {
        self.codes.each(rows, items, |item, code| tell(item, self.cells[code as usize]));
    }
}

/// All columns of a dataset as cells.
pub(super) fn celled<'d>(
    dataset: &'d Dataset,
    encoder: &Encoder,
    pulse: &mut Pulse,
) -> Result<Vec<Celled<'d>>, StopReason> {
    let pairs = dataset.features().iter().zip(encoder.inputs());
    let mut celled = Vec::with_capacity(encoder.inputs().len());
    for (column, input) in pairs {
        celled.push(Celled::new(column.codes(), cells_of(column, input, pulse)?));
    }
    Ok(celled)
}
