//! Parts of messages: numbers with their nouns, lists of names, and what to do when a limit is reached.

use crate::limits::StopReason;
use crate::text::brief;

/// What ended the work.
pub(super) fn happened(reason: StopReason) -> String {
    match reason {
        StopReason::Interrupted => "interrupted".into(),
        limit => format!("the {limit} was reached"),
    }
}

/// What to do about it.
pub(super) fn remedy(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Time => "allow more time, or give fewer rows or columns",
        StopReason::Memory => "allow more memory, or give fewer rows or columns",
        StopReason::Iterations => "allow more iterations",
        StopReason::Interrupted => "nothing was written",
    }
}

/// "1 value", "2 values".
pub(super) fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Names in quotes, with commas, cut after a dozen.
pub(crate) fn quoted<S: AsRef<str>>(names: &[S]) -> String {
    const SHOWN: usize = 12;
    let mut text = names
        .iter()
        .take(SHOWN)
        .map(|name| format!("\"{}\"", brief(name.as_ref())))
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > SHOWN {
        text += &format!(", and {} more", names.len() - SHOWN);
    }
    text
}
