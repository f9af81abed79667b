//! Whether there is memory for what a file says it needs, asked before any of it is allocated.

use crate::error::{Error, Result};

/// The memory that a reader may take at once. Everything whose size a file decides passes here: a
/// refused allocation would end the program, and this one ends in an error.
#[derive(Clone, Copy, Debug)]
pub(in crate::data::read) struct Room {
    most: u64,
}

impl Room {
    /// As much as the system has.
    pub(in crate::data::read) const UNLIMITED: Room = Room { most: u64::MAX };

    /// What is smaller than this is there.
    const ALWAYS_THERE: u64 = 1 << 24;

    /// Refuse what is larger than the limit or than what the system hands out.
    pub(in crate::data::read) fn check(self, format: &'static str, bytes: u64) -> Result<()> {
        let is_there = bytes <= Self::ALWAYS_THERE || can_allocate(bytes);
        if bytes <= self.most && is_there {
            return Ok(());
        }
        Err(Error::NoRoom { format, bytes })
    }
}

/// Whether the system would hand out so many bytes at this moment.
fn can_allocate(bytes: u64) -> bool {
    let mut room: Vec<u8> = Vec::new();
    let is_there = usize::try_from(bytes).is_ok_and(|bytes| room.try_reserve_exact(bytes).is_ok());
    // An allocation that nobody looks at may be left out by the compiler, and taken as a success.
    std::hint::black_box(&room);
    is_there
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_is_refused_and_not_tried() {
        assert!(Room::UNLIMITED.check("Arrow", 1 << 20).is_ok());
        assert!(Room::UNLIMITED.check("Arrow", 1 << 26).is_ok());
        for bytes in [1 << 60, i64::MAX as u64, u64::MAX] {
            let error = Room::UNLIMITED.check("Arrow", bytes).unwrap_err().to_string();
            assert!(error.contains(&format!("{bytes} bytes")), "{error}");
        }
        assert!(Room { most: 1000 }.check("Arrow", 1000).is_ok());
        assert!(Room { most: 1000 }.check("Arrow", 1001).is_err());
    }
}
