//! How far reading is, and who wants to know.

use crate::observe::{Observer, Reading};
use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The observer is told this often.
const TICK: Duration = Duration::from_millis(100);

/// Tells an observer how far reading is.
pub(super) struct Meter<'o> {
    observer: &'o mut dyn Observer,
    bytes: Rc<Cell<u64>>,
    size: Option<u64>,
    next: Instant,
}

impl<'o> Meter<'o> {
    /// A meter for files of this size together, if it is known.
    pub(super) fn new(observer: &'o mut dyn Observer, size: Option<u64>) -> Self {
        Meter { observer, bytes: Rc::default(), size, next: Instant::now() + TICK }
    }

    /// The same reader, whose bytes are counted.
    pub(super) fn counted<R: Read>(&self, reader: R) -> Counted<R> {
        Counted { reader, bytes: self.bytes.clone() }
    }

    /// So many rows are read, of which so many are kept.
    pub(super) fn note(&mut self, rows: u64, kept: u64) {
        let now = Instant::now();
        if now >= self.next {
            self.next = now + TICK;
            let (bytes, size) = (self.bytes.get(), self.size);
            self.observer.reading(&Reading { bytes, size, rows, kept });
        }
    }
}

/// A reader whose bytes are counted.
pub(super) struct Counted<R> {
    reader: R,
    bytes: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.reader.read(buffer)?;
        self.bytes.set(self.bytes.get() + n_read as u64);
        Ok(n_read)
    }
}
