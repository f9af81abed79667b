//! One column of a table.

use super::location::{Files, Location, Locations};
use super::{Codes, Kind, MissingValues};
use std::sync::Arc;

/// How the values of a column are compared, where the user says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Equal or not.
    Categories,
    /// Equal or not, because the type of the column is text: a column that names its rows is left out.
    Text,
    /// By size: numbers or dates.
    Numbers,
    /// By the order in which they are listed here.
    Ordered(Vec<String>),
}

/// One column: its distinct values, and for each row which of them it has, if any.
#[derive(Clone, Debug)]
pub struct Column {
    pub(super) name: String,
    pub(super) position: usize,
    pub(super) comparison: Option<Comparison>,
    kind: Kind,
    /// Shared between clones of a table, because there may be as many values as rows.
    values: Arc<[String]>,
    has_missing: bool,
    codes: Codes,
    locations: Option<Locations>,
}

/// A column as it was read: its distinct values in any order, and for each row the number of its value.
pub(super) struct RawColumn {
    pub(super) name: String,
    pub(super) values: Vec<String>,
    pub(super) codes: Codes,
    /// The first location of each value.
    pub(super) locations: Vec<Location>,
}

impl Column {
    /// A column from its values, row by row, without the blanks around them. The usual spellings of a
    /// missing value all mean a missing value.
    pub fn from_values<S: AsRef<str>>(name: impl Into<String>, rows: &[S]) -> Self {
        let text = |value: &S| value.as_ref().trim_ascii().to_string();
        let mut values: Vec<String> = rows.iter().map(text).collect();
        values.sort();
        values.dedup();
        let code = |value: &S| {
            let text = value.as_ref().trim_ascii();
            values.binary_search_by(|v| v.as_str().cmp(text)).unwrap_or_default() as u32
        };
        let codes = rows.iter().map(code).collect();
        let raw = RawColumn { name: name.into(), values, codes, locations: Vec::new() };
        Column::assemble(raw, &MissingValues::default())
    }

    /// Put the values in order; all spellings of a missing value become one code behind them.
    pub(super) fn assemble(raw: RawColumn, missing: &MissingValues) -> Self {
        let RawColumn { name, mut values, codes, locations } = raw;
        let is_missing: Vec<bool> = values.iter().map(|value| missing.contains(value)).collect();
        let mut order: Vec<u32> = (0..values.len() as u32).collect();
        order.retain(|&code| !is_missing[code as usize]);
        order.sort_by_cached_key(|&code| OrderKey::of(&values[code as usize]));
        let mut rank = vec![order.len() as u32; values.len()];
        for (new, &old) in order.iter().enumerate() {
            rank[old as usize] = new as u32;
        }
        let locations = (!locations.is_empty()).then(|| Locations {
            of_values: order.iter().map(|&old| locations[old as usize]).collect(),
            missing: locations.iter().zip(&is_missing).filter(|p| *p.1).map(|p| *p.0).min(),
            files: Arc::new(Files { names: Vec::new(), unit: "line" }),
        });
        let values: Vec<String> =
            order.iter().map(|&old| std::mem::take(&mut values[old as usize])).collect();
        let kind = Kind::of(values.iter().map(String::as_str));
        let (codes, has_missing) = (codes.translated(&rank), is_missing.contains(&true));
        Column { locations, ..Column::in_order(name, kind, values, codes, has_missing) }
    }

    /// A column whose values are in order already. The code of a missing value is the number of values.
    pub(super) fn in_order(
        name: String,
        kind: Kind,
        values: Vec<String>,
        codes: Codes,
        has_missing: bool,
    ) -> Self {
        let values = values.into();
        Column {
            name,
            position: 0,
            comparison: None,
            kind,
            values,
            has_missing,
            codes,
            locations: None,
        }
    }

    /// The same column, read from these files.
    pub(super) fn read_from(mut self, files: &Arc<Files>) -> Self {
        if let Some(locations) = &mut self.locations {
            locations.files = files.clone();
        }
        self
    }

    /// The first location of a value, for the end of a message: ` (line 17)`, or nothing if it is not
    /// known. One more than the last code means a missing value.
    pub(crate) fn place_of(&self, code: usize) -> String {
        let place = self.locations.as_ref().and_then(|locations| locations.of(code as u32));
        place.map_or(String::new(), |place| format!(" ({place})"))
    }

    /// The same column, its values compared in this way.
    pub(crate) fn with_comparison(&self, comparison: Comparison) -> Self {
        Column { comparison: Some(comparison), ..self.clone() }
    }

    /// The same column at another position of the table.
    pub(super) fn at_position(self, position: usize) -> Self {
        Column { position, ..self }
    }

    /// The column's name, or `x1`, `x2`, … by position where the table has no header.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the column stands in the table, counted from 0.
    pub fn position(&self) -> usize {
        self.position
    }

    /// What its values are.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How its values are compared, if the user said so.
    pub fn comparison(&self) -> Option<&Comparison> {
        self.comparison.as_ref()
    }

    /// The distinct values, numbers by size and then everything else by spelling.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Whether some row has no value.
    pub fn has_missing(&self) -> bool {
        self.has_missing
    }

    /// For each row, the index of its value; one more than the last where it has none.
    pub fn codes(&self) -> &Codes {
        &self.codes
    }

    /// The value of a row, if it has one.
    pub fn value(&self, row: usize) -> Option<&str> {
        self.values.get(self.codes.at(row) as usize).map(String::as_str)
    }
}

/// Numbers by size, then everything else by spelling; equal numbers by spelling.
#[derive(PartialEq)]
struct OrderKey {
    number: Option<f64>,
    text: String,
}

impl OrderKey {
    fn of(text: &str) -> Self {
        let number = text.parse::<f64>().ok().filter(|x| x.is_finite());
        OrderKey { number, text: text.to_string() }
    }
}

impl Eq for OrderKey {}

impl Ord for OrderKey {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let by_number = match (self.number, other.number) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (None, None) => std::cmp::Ordering::Equal,
        };
        by_number.then_with(|| self.text.cmp(&other.text))
    }
}

impl PartialOrd for OrderKey {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_ordered_by_number_then_spelling() {
        let column = Column::from_values("size", &["10", "9", "small", "10"]);
        assert_eq!(column.values(), ["9", "10", "small"]);
        assert_eq!(column.value(3), Some("10"));
        assert!(!column.has_missing());
    }

    #[test]
    fn missing_values_are_one_and_come_last() {
        let column = Column::from_values("size", &["10", "NA", "9", "", "?"]);
        assert_eq!(column.values(), ["9", "10"]);
        assert_eq!(column.codes().iter().collect::<Vec<_>>(), [1, 2, 0, 2, 2]);
        assert_eq!((column.value(0), column.value(1)), (Some("10"), None));
        assert_eq!((column.has_missing(), column.kind()), (true, Kind::Integer));
    }
}
