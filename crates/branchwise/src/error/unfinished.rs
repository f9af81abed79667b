//! Why a stage of the work did not finish: a limit, which may still leave a solution, or an error.

use super::Error;
use crate::limits::StopReason;

/// Why work was not finished.
#[derive(Debug)]
pub(crate) enum Unfinished {
    /// A limit was reached.
    Stopped(StopReason),
    /// Something is wrong with what was given.
    Failed(Error),
}

impl From<StopReason> for Unfinished {
    fn from(reason: StopReason) -> Self {
        Unfinished::Stopped(reason)
    }
}

impl From<Error> for Unfinished {
    fn from(error: Error) -> Self {
        Unfinished::Failed(error)
    }
}

impl From<Unfinished> for Error {
    fn from(unfinished: Unfinished) -> Self {
        match unfinished {
            Unfinished::Failed(error) => error,
            Unfinished::Stopped(reason) => Error::Stopped {
                reason,
                doing: "encoding the table, before there was a tree".into(),
            },
        }
    }
}
