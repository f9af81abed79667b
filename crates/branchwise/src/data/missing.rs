//! Which texts mean that a value is missing.

use serde::{Deserialize, Serialize};

/// The spellings of a missing value. An empty field is always missing.
///
/// ```
/// use branchwise::data::MissingValues;
/// let missing = MissingValues::default();
/// assert!(missing.contains("NA") && missing.contains("") && !missing.contains("unknown"));
/// assert!(MissingValues::new(["unknown"]).contains("unknown"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MissingValues(Vec<String>);

/// What spreadsheets, databases and data frames write for a missing value. Words that may be values,
/// such as `unknown`, `none` in small letters or `-1`, are not among them.
const USUAL: [&str; 12] =
    ["?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "None", "NaT"];

impl Default for MissingValues {
    fn default() -> Self {
        MissingValues::new(USUAL)
    }
}

impl MissingValues {
    /// These spellings, and the empty field.
    pub fn new(spellings: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let mut list: Vec<String> = spellings.into_iter().map(Into::into).collect();
        list.retain(|spelling| !spelling.is_empty());
        list.sort();
        list.dedup();
        MissingValues(list)
    }

    /// Whether a text means that the value is missing.
    pub fn contains(&self, value: &str) -> bool {
        value.is_empty() || self.0.iter().any(|spelling| spelling == value)
    }

    /// The spellings, in order; the empty field is not among them.
    pub fn spellings(&self) -> &[String] {
        &self.0
    }
}
