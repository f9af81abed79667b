//! Ctrl-C and SIGTERM: once to stop and answer, twice to end at once.

use crate::failure::Failure;
use branchwise::StopFlag;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// What the program is doing, and so what a signal means.
const IDLE: u8 = 0; // nothing to save yet: end
const SEARCHING: u8 = 1; // stop the search and answer
const STOPPING: u8 = 2; // asked once already: end
const FINISHING: u8 = 3; // the answer is being written: let it, unless asked again

/// The status of a program ended by Ctrl-C.
const ENDED: i32 = 130;

/// Listens for signals while a search runs.
pub(crate) struct Signals {
    state: Arc<AtomicU8>,
    flag: StopFlag,
}

impl Signals {
    pub(crate) fn listen() -> Result<Self, Failure> {
        let signals = Signals { state: Arc::new(AtomicU8::new(IDLE)), flag: StopFlag::default() };
        let (state, flag) = (signals.state.clone(), signals.flag.clone());
        let handler = move || match state.swap(STOPPING, Ordering::SeqCst) {
            SEARCHING => flag.raise(),
            FINISHING => {}
            _ => std::process::exit(ENDED),
        };
        ctrlc::set_handler(handler)
            .map_err(|error| Failure::other(format!("cannot listen for signals: {error}")))?;
        Ok(signals)
    }

    /// The flag that a signal raises.
    pub(crate) fn flag(&self) -> StopFlag {
        self.flag.clone()
    }

    /// From here on there is something to stop and answer with.
    pub(crate) fn search_begins(&self) {
        self.state.store(SEARCHING, Ordering::SeqCst);
    }

    /// From here on there is something to write.
    pub(crate) fn search_ended(&self) {
        let _ =
            self.state.compare_exchange(SEARCHING, FINISHING, Ordering::SeqCst, Ordering::SeqCst);
    }
}
