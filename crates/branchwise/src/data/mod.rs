//! Stage 1: what the user has.
//!
//! A [`Table`] is named columns of text values, one row per line; [`Table::dataset`] sets one column
//! apart as the target and gives a [`Dataset`]. Values are kept once per column, in an order that
//! depends on the values alone (numbers by size, everything else by spelling), never on the order
//! of rows; a row holds their codes.

mod builtin;
mod codes;
mod read;

pub use builtin::Builtin;
pub use codes::Codes;
pub use read::{Assumed, Delimiter, Header, ReadOptions, read_table};

use crate::decimal::{Decimal, gcd};
use crate::error::{Error, Result, quoted};

/// One column: its distinct values, and for each row which of them it has.
#[derive(Clone, Debug)]
pub struct Column {
    name: String,
    position: usize,
    values: Vec<String>,
    codes: Codes,
}

impl Column {
    /// A column from its values, row by row.
    pub fn from_values<S: AsRef<str>>(name: impl Into<String>, rows: &[S]) -> Self {
        let mut values: Vec<String> = rows.iter().map(|v| v.as_ref().to_string()).collect();
        sort_values(&mut values);
        let code = |value: &S| {
            let found = values.binary_search_by(|v| compare_values(v, value.as_ref()));
            found.unwrap_or_default() as u32
        };
        let codes = rows.iter().map(code).collect();
        Column { name: name.into(), position: 0, values, codes }
    }

    /// The column's name, or `x1`, `x2`, … by position where the table has no header.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the column stands in the table, counted from 0.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The distinct values, in their order.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// For each row, the index of its value.
    pub fn codes(&self) -> &Codes {
        &self.codes
    }

    /// The value of a row.
    pub fn value(&self, row: usize) -> &str {
        &self.values[self.codes.at(row) as usize]
    }
}

/// Numbers by size, then everything else by spelling; equal numbers by spelling.
fn compare_values(a: &str, b: &str) -> std::cmp::Ordering {
    let number = |text: &str| text.parse::<f64>().ok().filter(|x| x.is_finite());
    match (number(a), number(b)) {
        (Some(x), Some(y)) => x.total_cmp(&y).then_with(|| a.cmp(b)),
        (Some(_), None) => std::cmp::Ordering::Less,
        (None, Some(_)) => std::cmp::Ordering::Greater,
        (None, None) => a.cmp(b),
    }
}

fn sort_values(values: &mut Vec<String>) {
    values.sort_by(|a, b| compare_values(a, b));
    values.dedup();
}

/// Columns of equal length.
#[derive(Clone, Debug, Default)]
pub struct Table {
    columns: Vec<Column>,
    n_rows: usize,
    named: bool,
}

/// Which column is to be predicted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// The last one.
    #[default]
    Last,
    /// The one of this name or, where none has it, at this position counted from 1.
    Named(String),
}

impl Table {
    /// A table from its columns, named by the caller; they take their positions from their order.
    ///
    /// # Panics
    /// If the columns differ in length.
    pub fn from_columns(columns: Vec<Column>) -> Self {
        let n_rows = columns.first().map_or(0, |column| column.codes.len());
        assert!(columns.iter().all(|c| c.codes.len() == n_rows), "columns of equal length");
        let place = |(position, column)| Column { position, ..column };
        Table { columns: columns.into_iter().enumerate().map(place).collect(), n_rows, named: true }
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Whether the columns have names of their own (a header) rather than made-up ones.
    pub fn is_named(&self) -> bool {
        self.named
    }

    /// The column of this name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Set the target apart.
    pub fn dataset(self, target: &Target) -> Result<Dataset> {
        let names: Vec<&str> = self.columns.iter().map(Column::name).collect();
        let position = match target {
            Target::Last => self.columns.len().checked_sub(1),
            Target::Named(wanted) => names.iter().position(|name| name == wanted).or_else(|| {
                let position = wanted.parse::<usize>().ok()?.checked_sub(1)?;
                (position < names.len()).then_some(position)
            }),
        };
        let Some(position) = position else {
            let wanted = match target {
                Target::Last => "last".to_string(),
                Target::Named(wanted) => wanted.clone(),
            };
            return Err(Error::NoSuchColumn { wanted, present: quoted(&names) });
        };
        if self.n_rows == 0 {
            return Err(Error::EmptyTable);
        }
        let mut features = self.columns;
        let target = features.remove(position);
        if features.is_empty() {
            return Err(Error::NoFeatures { target: target.name });
        }
        Ok(Dataset { features, target, n_rows: self.n_rows, named: self.named, weights: None })
    }
}

/// A table whose rows are to be learnt from: feature columns, a target, and maybe weights.
#[derive(Clone, Debug)]
pub struct Dataset {
    features: Vec<Column>,
    target: Column,
    n_rows: usize,
    named: bool,
    weights: Option<Weights>,
}

/// One weight per row, in integers: the weight of row `r` is `units[r] / scale`.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    pub(crate) units: Vec<u64>,
    pub(crate) scale: u64,
}

impl Dataset {
    /// The columns to predict from.
    pub fn features(&self) -> &[Column] {
        &self.features
    }

    /// The column to predict.
    pub fn target(&self) -> &Column {
        &self.target
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// Whether the columns have names of their own.
    pub fn is_named(&self) -> bool {
        self.named
    }

    pub(crate) fn weights(&self) -> Option<&Weights> {
        self.weights.as_ref()
    }

    /// Give each row a weight. Weights are taken as decimals and scaled to integers exactly.
    ///
    /// A weight counts in the accuracy; a row of weight 2 is like two rows there, but it is still
    /// one row for the minimum of rows per leaf. A row of weight 0 is left out.
    pub fn with_weights<D: Into<Decimal> + Clone>(mut self, weights: &[D]) -> Result<Self> {
        if weights.len() != self.n_rows {
            return Err(Error::WeightCount { found: weights.len(), expected: self.n_rows });
        }
        let mut fractions = Vec::with_capacity(weights.len());
        for (row, weight) in weights.iter().enumerate() {
            let weight: Decimal = weight.clone().into();
            let bad = |_| Error::BadWeight { row: row + 1, found: weight.as_str().to_string() };
            fractions.push(weight.fraction().map_err(bad)?);
        }
        let lcm = |scale: u128, d: u64| scale / gcd(scale, d.into()) * u128::from(d);
        let scale = fractions.iter().fold(1u128, |s, f| lcm(s, f.denominator).min(u64::MAX.into()));
        let total: u128 = fractions
            .iter()
            .map(|f| (scale / u128::from(f.denominator)).saturating_mul(f.numerator.into()))
            .fold(0, u128::saturating_add);
        if total == 0 {
            return Err(Error::NoWeight);
        }
        let (Ok(scale), Ok(_)) = (u64::try_from(scale), u64::try_from(total)) else {
            return Err(Error::Overflow { total, rows: self.n_rows });
        };
        let units = fractions.iter().map(|f| scale / f.denominator * f.numerator).collect();
        self.weights = Some(Weights { units, scale });
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table::from_columns(vec![
            Column::from_values("size", &["10", "9", "small", "10"]),
            Column::from_values("3", &["a", "b", "a", "b"]),
            Column::from_values("class", &["no", "yes", "no", "yes"]),
        ])
    }

    #[test]
    fn values_are_ordered_by_number_then_spelling() {
        assert_eq!(table().columns()[0].values(), ["9", "10", "small"]);
        assert_eq!(table().columns()[0].value(3), "10");
    }

    #[test]
    fn the_target_is_found_by_name_before_position() {
        let target = |wanted: &str| {
            table().dataset(&Target::Named(wanted.into())).map(|d| d.target().name().to_string())
        };
        assert_eq!(target("class").unwrap(), "class");
        assert_eq!(target("3").unwrap(), "3");
        assert_eq!(target("1").unwrap(), "size");
        let message = target("4").unwrap_err().to_string();
        assert!(message.contains("\"size\", \"3\", \"class\""), "{message}");
        assert!(target("0").is_err());
    }

    #[test]
    fn weights_are_scaled_exactly() {
        let dataset = table().dataset(&Target::Last).unwrap();
        let weighted = dataset.clone().with_weights(&[0.5, 1.25, 0.0, 2.0]).unwrap();
        let weights = weighted.weights().unwrap();
        assert_eq!((weights.scale, &weights.units[..]), (4, &[2, 5, 0, 8][..]));
        let problem = |w: &[f64]| dataset.clone().with_weights(w).unwrap_err().to_string();
        assert!(problem(&[1.0]).contains("1 weight given for 4 rows"));
        assert!(problem(&[1.0, -1.0, 1.0, 1.0]).contains("row 2: the weight -1"));
        assert!(problem(&[0.0; 4]).contains("every row has weight 0"));
    }
}
