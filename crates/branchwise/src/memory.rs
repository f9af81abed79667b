//! How much memory the process holds: an allocator that counts.
//!
//! A limit on memory means the whole process, from the first byte that is read to the last one that is
//! written, and no part of it can know what the others hold. So a program that wants its limit kept
//! installs [`Counting`] as its allocator:
//!
//! ```
//! #[global_allocator]
//! static ALLOCATOR: branchwise::memory::Counting = branchwise::memory::Counting;
//!
//! fn main() {
//!     assert!(branchwise::memory::in_use().is_some());
//! }
//! ```
//!
//! The command line and the Python package do. Where it is not installed, the search adds up what its own
//! structures hold, and the limit covers those alone.

#![allow(
    unsafe_code,
    reason = "an allocator cannot be written without; all requests go to the system's"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator, counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// What a block takes, with what the system's allocators add to it: a word before it, and padding.
const fn taken(size: usize) -> usize {
    let padded = size.saturating_add(8 + 15) & !15;
    if padded < 32 { 32 } else { padded }
}

fn count(bytes: usize) {
    let in_use = IN_USE.fetch_add(bytes, Relaxed) + bytes;
    if in_use > PEAK.load(Relaxed) {
        PEAK.fetch_max(in_use, Relaxed);
    }
}

/// Ask the system's allocator to give large blocks back as soon as they are freed.
///
/// The C library's default keeps more and more of them for later use, so that a process holds up to a third
/// more than it has in use. A program calls this first; it changes the whole process, so a library that is
/// loaded into another program must not.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn give_back_large_blocks() {
    const SMALLEST: i32 = 1 << 20;
    // SAFETY: both settings may be changed at any time, and concern later requests alone.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, SMALLEST);
        libc::mallopt(libc::M_TRIM_THRESHOLD, SMALLEST);
    }
}

/// Other allocators are left as they are.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_back_large_blocks() {}

/// Blocks from this size on are to be made of large pages, if the system has them.
const LARGE: usize = 16 << 20;

/// Ask for large pages: a block of a gigabyte is then given back in a millisecond instead of a tenth of a
/// second, so that a search which holds much memory still ends in time.
#[cfg(target_os = "linux")]
fn advise(block: *mut u8, size: usize) -> *mut u8 {
    const PAGE: usize = 4096;
    let inside = block.align_offset(PAGE);
    if size >= LARGE && !block.is_null() && inside < size {
        // SAFETY: whole pages inside a block that is ours; the advice changes none of its bytes, and if it
        // is not taken, nothing is lost.
        unsafe { libc::madvise(block.add(inside).cast(), size - inside, libc::MADV_HUGEPAGE) };
    }
    block
}

#[cfg(not(target_os = "linux"))]
fn advise(block: *mut u8, _: usize) -> *mut u8 {
    block
}

// SAFETY: every request is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(taken(layout.size()));
        // SAFETY: the caller's layout, unchanged.
        advise(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(taken(layout.size()));
        // SAFETY: the caller's layout, unchanged.
        advise(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(taken(layout.size()), Relaxed);
        // SAFETY: the pointer came from this allocator, and so from the system's, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Large blocks are moved without a copy: they are never there twice.
        let (before, after) = (taken(layout.size()), taken(size));
        match after.checked_sub(before) {
            Some(more) => count(more),
            None => drop(IN_USE.fetch_sub(before - after, Relaxed)),
        }
        // SAFETY: the pointer came from this allocator, and so from the system's, with this layout.
        advise(unsafe { System.realloc(pointer, layout, size) }, size)
    }
}

/// Lists that are no larger than this may grow unasked.
pub(crate) const SMALL: usize = 1 << 10;

/// The bytes that a list takes more when it grows by `more` elements: nothing as long as it has room,
/// otherwise it doubles. Small ones do not count.
pub(crate) fn growth<T>(list: &Vec<T>, more: usize) -> usize {
    let (grows, bytes) =
        (list.len() + more > list.capacity(), size_of::<T>() * list.capacity().max(more));
    if grows && bytes > SMALL { bytes } else { 0 }
}

/// The bytes that the process holds through [`Counting`]; none if it is not installed.
pub fn in_use() -> Option<usize> {
    // A running program always holds something.
    Some(IN_USE.load(Relaxed)).filter(|&bytes| bytes > 0)
}

/// The bytes that the process may come to hold before the system runs out of memory: what it holds, and
/// nine tenths of what is free at this moment. None if it does not count, or the system does not tell.
pub(crate) fn ceiling() -> Option<u64> {
    let free = free_memory()?;
    Some(in_use()? as u64 + free / 10 * 9)
}

/// The memory that is free, for all processes and within the group of this one.
#[cfg(target_os = "linux")]
fn free_memory() -> Option<u64> {
    let number = |path: &str| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let of_all = std::fs::read_to_string("/proc/meminfo").ok()?;
    let of_all = of_all.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let of_all = 1024 * of_all.trim().strip_suffix(" kB")?.parse::<u64>().ok()?;
    let of_group = number("/sys/fs/cgroup/memory.max")
        .map(|most| most.saturating_sub(number("/sys/fs/cgroup/memory.current").unwrap_or(0)));
    Some(of_group.map_or(of_all, |of_group| of_all.min(of_group)))
}

#[cfg(not(target_os = "linux"))]
fn free_memory() -> Option<u64> {
    None
}

/// Whether the system would hand out this many bytes at this moment. They do not count as held.
#[cfg(feature = "batches")]
pub(crate) fn can_allocate(bytes: u64) -> bool {
    let layout = usize::try_from(bytes).ok().and_then(|size| Layout::array::<u8>(size).ok());
    let Some(layout) = layout.filter(|layout| layout.size() > 0) else { return bytes == 0 };
    // SAFETY: the layout is not empty, and what is handed out is given back as it came.
    unsafe {
        // An allocation that nobody looks at may be left out by the compiler, and taken as a success.
        let pointer = std::hint::black_box(System.alloc(layout));
        if !pointer.is_null() {
            System.dealloc(pointer, layout);
        }
        !pointer.is_null()
    }
}

/// The most bytes that were held since the last call of [`restart_peak`]; none if [`Counting`] is not
/// installed.
pub fn peak() -> Option<usize> {
    in_use().map(|bytes| bytes.max(PEAK.load(Relaxed)))
}

/// Begin to look for the most bytes anew, from what is held now.
pub fn restart_peak() {
    PEAK.store(IN_USE.load(Relaxed), Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_counted_with_what_the_system_adds() {
        assert_eq!([0, 1, 24, 25, 1000].map(taken), [32, 32, 32, 48, 1008]);
        assert_eq!((in_use(), peak(), ceiling()), (None, None, None), "tests do not count");
    }

    #[test]
    fn lists_double_when_they_are_full() {
        let list: Vec<u64> = Vec::with_capacity(1000);
        assert_eq!((growth(&list, 1000), growth(&list, 1001)), (0, 8008));
        assert_eq!(growth(&Vec::<u64>::new(), 10), 0, "small ones do not count");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_system_tells_how_much_is_free() {
        assert!(free_memory().unwrap() > 1 << 20);
    }
}
