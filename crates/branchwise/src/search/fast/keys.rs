//! The rows of a branch's children: what they are known by, and which they are.

use super::bits::LANES;
use super::expand::Expander;
use super::frame::Frame;
use super::look_ahead::lanes;
use super::weight::Weight;
use crate::limits::StopReason;

impl<T: Weight> Expander<'_, T> {
    /// What a child is known by.
    pub(super) fn key(&mut self, frame: &mut Frame<T>, child: usize) -> Result<u128, StopReason> {
        if frame.children.key.is_empty() {
            self.find_keys(frame)?;
        }
        Ok(frame.children.key[child])
    }

    /// Find the keys of all children, sixteen columns at a time: nearly all of them are looked up.
    pub(super) fn find_keys(&mut self, frame: &mut Frame<T>) -> Result<(), StopReason> {
        let mut keys = std::mem::take(&mut frame.children.key);
        keys.clear();
        keys.resize(frame.bits.n_children(), 0);
        self.kernel.run(
            #[inline(always)]
            || {
                for start in (0..frame.bits.stride).step_by(LANES) {
                    self.pulse.spend(frame.units.len() * LANES / 2)?;
                    self.find_keys_from(frame, start, &mut keys[start..start + LANES]);
                }
                Ok(())
            },
        )?;
        for span in &frame.bits.spans {
            let columns = keys[span.columns()].iter();
            keys[span.rest] = columns.fold(frame.key, |rest, &key| rest ^ key);
        }
        // They are there as a whole or not at all.
        frame.children.key = keys;
        Ok(())
    }

    /// (A mask by shifts takes three quarters of the time of a test of each bit: the compiler finds a
    /// shorter sequence for it, in wider registers.)
    #[inline(always)]
    fn find_keys_from(&self, frame: &Frame<T>, start: usize, keys: &mut [u128]) {
        let (mut low, mut high) = ([0u64; LANES], [0u64; LANES]);
        for (word, units) in frame.words() {
            let mut columns = *lanes(word, start);
            for &unit in units {
                let key = self.matrix.key(unit);
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
}

impl<T: Weight> Frame<T> {
    /// The units of a child.
    pub(super) fn child_units(&self, child: usize, into: &mut Vec<u32>) {
        into.clear();
        let (columns, rest) = match child < self.bits.stride {
            true => (child..child + 1, false),
            false => (self.bits.spans[self.action_of_rest(child)].columns(), true),
        };
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
