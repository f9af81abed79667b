//! How hard a search looks for better trees while it proves.

/// When to improve, and how hard to try. Work is counted in words of bits read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// The width of the dives.
    pub(super) width: usize,
    /// The most work for one branch.
    pub(super) most: u64,
    /// The next round comes when the proof has done this much work.
    pub(crate) due: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { width: 4, most: 1 << 14, due: 1 << 24 }
    }
}
