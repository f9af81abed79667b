//! An allocator that counts the bytes in use, so that a case that needs too many is noticed.
//!
//! It refuses requests above a limit: a file of a few thousand bytes does not need that much. Code that
//! cannot handle a failed allocation aborts, which the parent process reports; code that asks first
//! (`try_reserve`) gets an error.

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

/// No case may use more than this, so no single request may be larger.
pub const MOST: usize = 1 << 29;

fn note(size: usize) {
    let held = HELD.fetch_add(size, Relaxed) + size;
    PEAK.fetch_max(held, Relaxed);
}

// SAFETY: every request is passed on to the system's allocator as it is, or refused.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > MOST {
            return std::ptr::null_mut();
        }
        note(layout.size());
        // SAFETY: the caller's layout, unchanged.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.size() > MOST {
            return std::ptr::null_mut();
        }
        note(layout.size());
        // SAFETY: the caller's layout, unchanged.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > MOST {
            return std::ptr::null_mut();
        }
        note(size);
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the pointer came from here with this layout; the size is the caller's, unchanged.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the pointer came from `alloc` with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// The bytes in use now. The peak is measured from this call on.
pub fn begin() -> usize {
    let held = HELD.load(Relaxed);
    PEAK.store(held, Relaxed);
    held
}

/// The most bytes that were in use since [`begin`].
pub fn peak() -> usize {
    PEAK.load(Relaxed)
}
