//! Transposing blocks of 64 × 64 bits, from rows to columns.

/// Transpose 64 × 64 bits: bit c of word r becomes bit r of word c.
///
/// Six rounds: swap the off-diagonal quarters, then those of each quarter, and so on. Rows that swap
/// stand `WIDTH` apart, so that a round is a few loops over neighbouring words.
#[inline(always)]
pub(crate) fn transpose(block: &mut [u64; 64]) {
    swap_quarters::<32>(block, 0x0000_0000_FFFF_FFFF);
    transpose_halves(block);
}

/// The same where only the first 32 columns matter: half of the first round is all it takes, and the
/// others on half of the words.
#[inline(always)]
pub(crate) fn transpose_narrow(block: &mut [u64; 64]) {
    let (upper, lower) = block.split_at_mut(32);
    for (upper, lower) in upper.iter_mut().zip(lower) {
        *upper = *upper & 0x0000_0000_FFFF_FFFF | *lower << 32;
    }
    transpose_halves(upper);
}

/// Transpose 32 × 32 bits in either half of 32 words, and of the 32 after them if there are any.
#[inline(always)]
fn transpose_halves(block: &mut [u64]) {
    swap_quarters::<16>(block, 0x0000_FFFF_0000_FFFF);
    swap_quarters::<8>(block, 0x00FF_00FF_00FF_00FF);
    swap_quarters::<4>(block, 0x0F0F_0F0F_0F0F_0F0F);
    swap_quarters::<2>(block, 0x3333_3333_3333_3333);
    swap_quarters::<1>(block, 0x5555_5555_5555_5555);
}

#[inline(always)]
fn swap_quarters<const WIDTH: usize>(block: &mut [u64], low: u64) {
    for rows in block.chunks_exact_mut(2 * WIDTH) {
        let (upper, lower) = rows.split_at_mut(WIDTH);
        for (upper, lower) in upper.iter_mut().zip(lower) {
            let swap = ((*upper >> WIDTH) ^ *lower) & low;
            *upper ^= swap << WIDTH;
            *lower ^= swap;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::fast::layout::random;

    #[test]
    fn transposing_swaps_rows_and_columns() {
        let mut block: [u64; 64] = std::array::from_fn(|r| random(r as u64, 7) as u64);
        let before = block;
        transpose(&mut block);
        let mut narrow = before;
        transpose_narrow(&mut narrow);
        assert_eq!(narrow[..32], block[..32]);
        for (r, row) in before.iter().enumerate() {
            for (c, column) in block.iter().enumerate() {
                assert_eq!(row >> c & 1, column >> r & 1);
            }
        }
    }
}
