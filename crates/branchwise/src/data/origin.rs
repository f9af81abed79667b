//! Where values come from, for messages.

use std::sync::Arc;

/// Where a value was met first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// The number of the file.
    pub(crate) file: u32,
    /// Its line or row, counted from 1.
    pub(crate) line: u64,
}

/// What a table was read from.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    /// The names of the files, where there are several.
    pub(crate) names: Vec<String>,
    /// What places count: lines of text, or rows.
    pub(crate) unit: &'static str,
}

/// Where each value of a column was met first.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// For each value, in their order.
    pub(crate) places: Vec<Place>,
    /// For a missing value.
    pub(crate) missing: Option<Place>,
    pub(crate) files: Arc<Files>,
}

impl Origin {
    /// Where a code was met first, in words: `line 17`, or `b.csv, line 17`.
    pub(crate) fn of(&self, code: u32) -> Option<String> {
        let place = self.places.get(code as usize).copied().or(self.missing)?;
        let file = self.files.names.get(place.file as usize);
        let file = file.map_or(String::new(), |name| format!("{name}, "));
        Some(format!("{file}{} {}", self.files.unit, place.line))
    }
}
