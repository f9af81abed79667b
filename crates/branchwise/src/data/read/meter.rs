//! Progress of reading: reports to an observer, and limits at which reading stops.

use crate::error::{Error, Result};
use crate::limits::{Limits, Watch};
use crate::observe::{Observer, Reading};
use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How often the observer gets a report.
const TICK: Duration = Duration::from_millis(100);

/// Reports progress to an observer, and checks the limits.
pub(super) struct Meter<'o> {
    observer: &'o mut dyn Observer,
    watch: Watch,
    bytes: Rc<Cell<u64>>,
    size: Option<u64>,
    next: Instant,
}

impl<'o> Meter<'o> {
    /// A meter for files of this total size, if it is known.
    pub(super) fn new(observer: &'o mut dyn Observer, size: Option<u64>, limits: &Limits) -> Self {
        let (watch, next) = (Watch::start(limits), Instant::now() + TICK);
        Meter { observer, watch, bytes: Rc::default(), size, next }
    }

    /// The most bytes that the process may hold, if they are limited.
    pub(super) fn memory_limit(&self) -> Option<u64> {
        self.watch.memory_limit()
    }

    /// Whether reading may go on and take `more` bytes, having read this many rows.
    pub(super) fn check(&self, rows: u64, more: usize) -> Result<()> {
        let checked = self.watch.check().and_then(|()| self.watch.room_for(0, more));
        checked.map_err(|reason| {
            let doing = match rows {
                0 => "reading the table, before there was a tree".to_string(),
                1 => "reading the table (1 row so far), before there was a tree".to_string(),
                rows => format!("reading the table ({rows} rows so far), before there was a tree"),
            };
            Error::Stopped { reason, doing }
        })
    }

    /// The same reader, whose bytes are counted.
    pub(super) fn counted<R: Read>(&self, reader: R) -> Counted<R> {
        Counted { reader, bytes: self.bytes.clone() }
    }

    /// Report the number of rows read, and of those kept.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::read::{ReadOptions, Source, read_tables_observed};

    /// An observer that keeps its reports.
    #[derive(Default)]
    struct Witness(Vec<Reading>);

    impl Observer for Witness {
        fn reading(&mut self, reading: &Reading) {
            self.0.push(*reading);
        }
    }

    /// A reader that takes its time.
    struct Slow(usize);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            std::thread::sleep(TICK);
            let row = b"a,b\n";
            let n_bytes = buffer.len().min(self.0) / row.len() * row.len();
            buffer[..n_bytes].chunks_mut(row.len()).for_each(|line| line.copy_from_slice(row));
            self.0 -= n_bytes;
            Ok(n_bytes)
        }
    }

    #[test]
    fn the_observer_is_told() {
        let mut witness = Witness::default();
        let source = Source::Stream("slow".into(), Box::new(Slow(1 << 18)));
        let options = ReadOptions { merge: true, ..ReadOptions::default() };
        let (table, _) = read_tables_observed(vec![source], &options, &mut witness).unwrap();
        assert_eq!(table.n_merged_rows(), 1 << 16);
        let last = witness.0.last().unwrap();
        assert!(last.rows > 4000 && last.kept == 1 && last.bytes >= 4 * last.rows, "{last:?}");
        assert_eq!(last.size, None);
        assert!(witness.0.is_sorted_by_key(|reading| (reading.rows, reading.bytes)));
    }
}
