//! The rows of a branch's children: what they are known by, and which they are.

use super::frame::Frame;
use crate::limits::{Pulse, StopReason};
use crate::search::fast::layout::{Kernel, LANES, Matrix, Weight, lanes};

impl<T: Weight> Frame<T> {
    /// Find the keys of all children, sixteen columns at a time: nearly all of them are looked up. They are
    /// found as a whole or, if a limit is reached, not at all.
    pub(crate) fn find_keys(
        &mut self,
        matrix: &Matrix,
        kernel: Kernel,
        pulse: &mut Pulse,
    ) -> Result<(), StopReason> {
        let mut keys = std::mem::take(&mut self.children.key);
        keys.clear();
        keys.resize(self.bits.n_children(), 0);
        kernel.run(
            #[inline(always)]
            || {
                for start in (0..self.bits.stride).step_by(LANES) {
                    pulse.spend(self.units.len() * LANES / 2)?;
                    self.find_keys_from(matrix, start, &mut keys[start..start + LANES]);
                }
                Ok(())
            },
        )?;
        for span in &self.bits.spans {
            let columns = keys[span.columns()].iter();
            keys[span.rest] = columns.fold(self.key, |rest, &key| rest ^ key);
        }
        self.children.key = keys;
        Ok(())
    }

    /// (A mask by shifts takes three quarters of the time of a test of each bit: the compiler finds a
    /// shorter sequence for it, in wider registers.)
    #[inline(always)]
    fn find_keys_from(&self, matrix: &Matrix, start: usize, keys: &mut [u128]) {
        let (mut low, mut high) = ([0u64; LANES], [0u64; LANES]);
        for (word, units) in self.words() {
            let mut columns = *lanes(word, start);
            for &unit in units {
                let key = matrix.key(unit);
                let halves = (key as u64, (key >> 64) as u64);
                for lane in 0..LANES {
                    // All ones if the unit has the column.
                    let has = ((columns[lane] << 63) as i64 >> 63) as u64;
                    low[lane] ^= has & halves.0;
                    high[lane] ^= has & halves.1;
                    columns[lane] >>= 1;
                }
            }
        }
        for (lane, key) in keys.iter_mut().enumerate() {
            *key = u128::from(high[lane]) << 64 | u128::from(low[lane]);
        }
    }

    /// The units of a child.
    pub(crate) fn child_units(&self, child: usize, into: &mut Vec<u32>) {
        into.clear();
        let (columns, rest) = self.bits.columns_of(child);
        for (word, units) in self.words() {
            let any = word[columns.clone()].iter().fold(0, |any, bits| any | bits);
            let mut chosen = if rest { !any & (u64::MAX >> (64 - units.len())) } else { any };
            let start = into.len();
            into.resize(start + chosen.count_ones() as usize, 0);
            for unit in &mut into[start..] {
                *unit = units[chosen.trailing_zeros() as usize];
                chosen &= chosen - 1;
            }
        }
    }

    /// A word of every column at a time, with the units that its bits stand for.
    #[inline(always)]
    fn words(&self) -> impl Iterator<Item = (&[u64], &[u32])> {
        let mut units = &self.units[..];
        let of_groups = self.bits.groups.iter().flat_map(
            #[inline(always)]
            move |group| {
                let of_group = units.split_off(..group.n_units).unwrap_or_default();
                of_group.chunks(64)
            },
        );
        self.bits.words.chunks_exact(self.bits.stride.max(1)).zip(of_groups)
    }
}
