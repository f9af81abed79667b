//! An allocator that counts the bytes in use, so that a case which asks for too many is seen.
//!
//! It refuses to hand out more than a limit at a time: a file of a few hundred bytes has no business with
//! that, and a refusal ends the process, which the one that watches it reports.

#![allow(
    unsafe_code,
    reason = "an allocator cannot be written without; all calls go to the system's"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator, counted.
pub struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// No single request may be larger than this.
const MOST_AT_ONCE: usize = 4 << 30;

// SAFETY: every request is passed on to the system's allocator as it is, or refused.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > MOST_AT_ONCE {
            return std::ptr::null_mut();
        }
        let held = HELD.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(held, Relaxed);
        // SAFETY: the caller's layout, unchanged.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the pointer came from `alloc` with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// The bytes in use; the peak is counted from here.
pub fn begin() -> usize {
    let held = HELD.load(Relaxed);
    PEAK.store(held, Relaxed);
    held
}

/// The most bytes that were in use since [`begin`].
pub fn peak() -> usize {
    PEAK.load(Relaxed)
}
