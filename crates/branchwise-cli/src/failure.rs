//! Errors of the command line, and the exit status of each.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

/// What a command ends with.
pub(crate) type Outcome = Result<ExitCode, Failure>;

/// The exit status for "stopped by a limit, with a tree and its gap".
pub(crate) const STOPPED: u8 = 3;

/// The exit status for "stopped by a limit before there was a tree".
pub(crate) const NO_TREE: u8 = 4;

/// The exit status for "ended by Ctrl-C or SIGTERM before there was a tree", as shells have it.
pub(crate) const INTERRUPTED: u8 = 130;

/// A message for the user.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) message: String,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// The user can mend it: exit status 2.
    Input,
    /// A limit was reached before there was a tree.
    NoTree,
    /// Anything else: exit status 1.
    Other,
}

impl Failure {
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Failure { message: message.into(), kind: Kind::Input }
    }

    pub(crate) fn other(message: impl Into<String>) -> Self {
        Failure { message: message.into(), kind: Kind::Other }
    }

    /// Say first what was being done, or to which file.
    pub(crate) fn at(self, place: &str) -> Self {
        Failure { message: format!("{place}: {}", self.message), ..self }
    }

    pub(crate) fn code(&self) -> ExitCode {
        match self.kind {
            Kind::Input => ExitCode::from(2),
            Kind::NoTree => ExitCode::from(NO_TREE),
            Kind::Other => ExitCode::FAILURE,
        }
    }
}

/// Run a command; a panic is a mistake in the program, and says what it can. (A reader's panic at a damaged
/// file is not: the library makes an error of it, and nothing is printed.)
pub(crate) fn caught(command: impl FnOnce() -> Outcome) -> Outcome {
    let last = Arc::new(Mutex::new(String::new()));
    let noted = last.clone();
    set_hook(Box::new(move |panic| {
        *noted.lock().unwrap_or_else(PoisonError::into_inner) = panic.to_string();
    }));
    catch_unwind(AssertUnwindSafe(command)).unwrap_or_else(|_| {
        let what = last.lock().unwrap_or_else(PoisonError::into_inner);
        Err(Failure::other(format!("this is a mistake in the program, please report it: {what}")))
    })
}

impl From<branchwise::Error> for Failure {
    fn from(error: branchwise::Error) -> Self {
        let kind = if error.stopped_by().is_some() { Kind::NoTree } else { Kind::Input };
        Failure { message: error.to_string(), kind }
    }
}
