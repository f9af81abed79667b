//! Whether there is memory for what a file says it needs, asked before any of it is allocated.

use crate::error::{FileError, Result};
use crate::memory;

/// The memory that a reader may take at once. Every size that a file decides is checked here: a failed
/// allocation would end the program, while this check returns an error.
#[derive(Clone, Copy, Debug)]
pub(in crate::data::read) struct Room {
    limit: Option<u64>,
}

impl Room {
    /// As much as a limit leaves beside what is held, or as the system has.
    pub(in crate::data::read) fn within(limit: Option<u64>) -> Self {
        Room { limit }
    }

    /// Less memory than this is assumed to be free.
    const ALWAYS_THERE: u64 = 1 << 24;

    /// Refuse what is larger than the limit or than what the system hands out.
    pub(in crate::data::read) fn check(self, format: &'static str, bytes: u64) -> Result<()> {
        let held = memory::in_use().unwrap_or(0) as u64;
        let is_allowed = self.limit.is_none_or(|limit| held.saturating_add(bytes) <= limit);
        let is_there = bytes <= Self::ALWAYS_THERE || memory::can_allocate(bytes);
        if is_allowed && is_there {
            Ok(())
        } else {
            Err(FileError::NoRoom { format, bytes }.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_is_refused_and_not_tried() {
        assert!(Room::within(None).check("Arrow", 1 << 20).is_ok());
        assert!(Room::within(None).check("Arrow", 1 << 26).is_ok());
        for bytes in [1 << 60, i64::MAX as u64, u64::MAX] {
            let error = Room::within(None).check("Arrow", bytes).unwrap_err().to_string();
            assert!(error.contains(&format!("{bytes} bytes")), "{error}");
        }
        assert!(Room::within(Some(1000)).check("Arrow", 1000).is_ok());
        assert!(Room::within(Some(1000)).check("Arrow", 1001).is_err());
    }
}
