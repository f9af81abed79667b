//! Where values stand in the files that they were read from, so that messages can name file and line.

use std::sync::Arc;

/// Where a value stands: the first of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Location {
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
    /// What [`Location::line`] counts: "line" for text, "row" for other formats.
    pub(crate) unit: &'static str,
}

/// For each value of a column, its first location.
#[derive(Clone, Debug)]
pub(crate) struct Locations {
    /// One for each value, in the order of values.
    pub(crate) of_values: Vec<Location>,
    /// The first row without a value.
    pub(crate) missing: Option<Location>,
    pub(crate) files: Arc<Files>,
}

impl Locations {
    /// The first location of a code, in words: `line 17`, or `b.csv, line 17`.
    pub(crate) fn of(&self, code: u32) -> Option<String> {
        let location = self.of_values.get(code as usize).copied().or(self.missing)?;
        let file = self.files.names.get(location.file as usize);
        let file = file.map_or(String::new(), |name| format!("{name}, "));
        Some(format!("{file}{} {}", self.files.unit, location.line))
    }
}
