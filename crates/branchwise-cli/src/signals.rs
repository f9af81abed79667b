//! What can end a command from outside: Ctrl-C, SIGTERM, and the time limit.
//!
//! Before a search begins there is no tree to save, so the command ends at once with a message. During a
//! search the search is asked to stop, and the command prints the best tree found. A second signal always
//! ends the command.

use crate::failure::{Failure, INTERRUPTED, NO_TREE};
use crate::output;
use branchwise::StopFlag;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// What the program is doing, and so what a signal means.
const PREPARING: u8 = 0; // nothing to save yet: end
const SEARCHING: u8 = 1; // stop the search and answer
const STOPPING: u8 = 2; // asked once already: end
const FINISHING: u8 = 3; // the answer is being written: let it, for a moment

/// How long an answer that is being written may take after a signal.
const TO_FINISH: Duration = Duration::from_millis(50);

/// How long a table that is nearly read may take beyond the limit, so that small ones always have a tree.
const GRACE: Duration = Duration::from_millis(50);

/// Listens for signals, and watches the time until a search begins.
pub(crate) struct Signals {
    state: Arc<AtomicU8>,
    flag: StopFlag,
    start: Instant,
    time: Option<Duration>,
}

impl Signals {
    /// Listen; the time of the command, if it is limited, begins now.
    pub(crate) fn listen(time: Option<Duration>) -> Result<Self, Failure> {
        let (state, flag) = (Arc::new(AtomicU8::new(PREPARING)), StopFlag::default());
        let signals = Signals { state, flag, start: Instant::now(), time };
        let (state, flag) = (signals.state.clone(), signals.flag.clone());
        let handler = move || match state.swap(STOPPING, Ordering::SeqCst) {
            SEARCHING => flag.raise(),
            FINISHING => {
                // Nearly always it is written by then.
                thread::sleep(TO_FINISH);
                end("interrupted while the answer was being written", INTERRUPTED)
            }
            PREPARING => {
                end("interrupted before there was a tree; nothing was written", INTERRUPTED)
            }
            _ => end("interrupted again; nothing more was written", INTERRUPTED),
        };
        ctrlc::set_handler(handler)
            .map_err(|error| Failure::other(format!("cannot listen for signals: {error}")))?;
        signals.watch_time();
        Ok(signals)
    }

    /// End the command if no search has begun when its time is up. (A search looks at the clock itself.)
    fn watch_time(&self) {
        let Some(time) = self.time else { return };
        let state = self.state.clone();
        let watch = move || {
            thread::sleep(time.saturating_add(GRACE));
            let is_preparing = |state| (state == PREPARING).then_some(STOPPING);
            if state.fetch_update(Ordering::SeqCst, Ordering::SeqCst, is_preparing).is_ok() {
                end(
                    "the time limit was reached while the table was being read, before there was a \
                     tree; allow more time, or give fewer rows or columns",
                    NO_TREE,
                );
            }
        };
        // Without the thread, the limit is kept by those who read and search.
        let _ = thread::Builder::new().spawn(watch);
    }

    /// The flag that a signal raises.
    pub(crate) fn flag(&self) -> StopFlag {
        self.flag.clone()
    }

    /// What is left of the command's time, if it is limited.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        self.time.map(|time| time.saturating_sub(self.start.elapsed()))
    }

    /// The time since the command began.
    pub(crate) fn time_spent(&self) -> Duration {
        self.start.elapsed()
    }

    /// From here on there is something to stop and answer with.
    pub(crate) fn search_begins(&self) {
        // The thread that is ending the command goes on with it.
        let _ =
            self.state.compare_exchange(PREPARING, SEARCHING, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// From here on there is something to write.
    pub(crate) fn search_ended(&self) {
        let _ =
            self.state.compare_exchange(SEARCHING, FINISHING, Ordering::SeqCst, Ordering::SeqCst);
    }
}

/// End the command with a message.
fn end(message: &str, status: u8) -> ! {
    output::say(&format!("branchwise: {message}"));
    std::process::exit(status.into())
}
