//! Memory for the graph: elements are added, changed in place, and never removed.
//!
//! A [`Pool`] grows by chunks of a fixed size, so that growing never copies and never holds two
//! copies at once: what the pool says it uses is what it uses, which is what lets a memory limit be
//! kept. Elements that belong together form a [`Run`], always within one chunk.

/// Consecutive elements of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    start: u32,
    len: u32,
}

/// Elements in chunks.
#[derive(Debug)]
pub(super) struct Pool<T> {
    chunks: Vec<Vec<T>>,
    /// Elements per chunk are two to this power.
    chunk_bits: u32,
    len: usize,
}

impl<T: Copy> Pool<T> {
    /// A pool whose runs have at most `longest` elements.
    pub(super) fn new(longest: usize) -> Self {
        let chunk_bits = longest.next_power_of_two().max(1 << 12).trailing_zeros();
        Pool { chunks: Vec::new(), chunk_bits, len: 0 }
    }

    /// Add a run.
    pub(super) fn push_run(&mut self, elements: &[T]) -> Run {
        let capacity = 1usize << self.chunk_bits;
        assert!(elements.len() <= capacity, "a run fits into a chunk");
        let fits = |chunk: &Vec<T>| chunk.len() + elements.len() <= capacity;
        if !self.chunks.last().is_some_and(fits) {
            self.chunks.push(Vec::with_capacity(capacity));
        }
        let number = self.chunks.len() - 1;
        let chunk = &mut self.chunks[number];
        let start = number << self.chunk_bits | chunk.len();
        chunk.extend_from_slice(elements);
        self.len += elements.len();
        Run { start: u32::try_from(start).expect("checked by is_full"), len: elements.len() as u32 }
    }

    /// Add one element; its index.
    pub(super) fn push(&mut self, element: T) -> u32 {
        self.push_run(std::slice::from_ref(&element)).start
    }

    /// Whether the next chunks could run out of indices.
    pub(super) fn is_full(&self) -> bool {
        (self.chunks.len() + 2) << self.chunk_bits > u32::MAX as usize
    }

    pub(super) fn at(&self, index: u32) -> &T {
        &self.chunks[(index >> self.chunk_bits) as usize][self.offset(index)]
    }

    pub(super) fn at_mut(&mut self, index: u32) -> &mut T {
        let offset = self.offset(index);
        &mut self.chunks[(index >> self.chunk_bits) as usize][offset]
    }

    pub(super) fn run(&self, run: Run) -> &[T] {
        let offset = self.offset(run.start);
        match self.chunks.get((run.start >> self.chunk_bits) as usize) {
            Some(chunk) => &chunk[offset..offset + run.len as usize],
            None => &[],
        }
    }

    pub(super) fn run_mut(&mut self, run: Run) -> &mut [T] {
        let offset = self.offset(run.start);
        match self.chunks.get_mut((run.start >> self.chunk_bits) as usize) {
            Some(chunk) => &mut chunk[offset..offset + run.len as usize],
            None => &mut [],
        }
    }

    fn offset(&self, index: u32) -> usize {
        index as usize & ((1 << self.chunk_bits) - 1)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Bytes in use; what a chunk has set aside but not touched takes no memory yet.
    pub(super) fn bytes(&self) -> usize {
        self.len * size_of::<T>() + self.chunks.len() * size_of::<Vec<T>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_stay_together_and_keep_their_contents() {
        let mut pool = Pool::new(3000);
        let runs: Vec<Run> = (0..10u32).map(|i| pool.push_run(&vec![i; 1500])).collect();
        let single = pool.push(77);
        for (i, &run) in runs.iter().enumerate() {
            assert_eq!(pool.run(run), vec![i as u32; 1500]);
        }
        pool.run_mut(runs[4])[7] = 99;
        *pool.at_mut(single) += 1;
        assert_eq!((pool.run(runs[4])[7], *pool.at(single)), (99, 78));
        assert_eq!(pool.len(), 15_001);
        assert!(pool.bytes() >= 60_004 && !pool.is_full());
        let nothing = Pool::<u8>::new(1).push_run(&[]);
        assert_eq!(nothing.len, 0);
    }
}
