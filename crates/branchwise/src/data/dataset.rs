//! A table whose rows are to be learnt from.

use super::table::place_meant;
use super::weights::RowWeights;
use super::{Column, LeftOut, Table};
use crate::decimal::Decimal;
use crate::error::{Error, FileError, Result, quoted};

/// Which column is to be predicted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// The last one that has no other role.
    #[default]
    Last,
    /// The column of this name or, if there is none, at this position counted from 1.
    Named(String),
}

/// What columns are for. A column that is not mentioned is learnt from.
///
/// A column is given by its name or, if no column has that name, by its position counted from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    /// The column to predict.
    pub target: Target,
    /// How many rows each row stands for.
    pub count: Option<String>,
    /// What each row weighs in the accuracy.
    pub weight: Option<String>,
    /// Columns that are left out: names of rows, and whatever must not be learnt from.
    pub ignored: Vec<String>,
}

impl From<Target> for Roles {
    fn from(target: Target) -> Self {
        Roles { target, ..Roles::default() }
    }
}

impl From<&Target> for Roles {
    fn from(target: &Target) -> Self {
        Roles::from(target.clone())
    }
}

impl From<&Roles> for Roles {
    fn from(roles: &Roles) -> Self {
        roles.clone()
    }
}

impl Table {
    /// Give columns their roles: the target, weights, counts, and columns to ignore.
    pub fn dataset(self, roles: impl Into<Roles>) -> Result<Dataset> {
        Dataset::new(self, &roles.into())
    }
}

/// A table whose rows are to be learnt from: feature columns, a target, and maybe weights.
#[derive(Clone, Debug)]
pub struct Dataset {
    features: Vec<Column>,
    /// For each of them, the reason if it is left out.
    left_out: Vec<Option<LeftOut>>,
    target: Column,
    n_rows: usize,
    named: bool,
    width: usize,
    weights: RowWeights,
    roles: Roles,
}

impl Dataset {
    fn new(table: Table, roles: &Roles) -> Result<Self> {
        let find = |name: &Option<String>, what_for| -> Result<Option<usize>> {
            name.as_ref().map(|name| table.find(name, what_for)).transpose()
        };
        let count = find(&roles.count, "to take row counts from")?;
        let weight = find(&roles.weight, "to take weights from")?;
        let ignored = roles.ignored.iter().map(|name| table.find(name, "to ignore"));
        let mut aside: Vec<usize> = ignored.collect::<Result<_>>()?;
        aside.extend(count);
        aside.extend(weight);
        let target = match &roles.target {
            Target::Named(name) => table.find(name, "to predict")?,
            Target::Last => {
                let last = (0..table.columns.len()).rev().find(|place| !aside.contains(place));
                last.ok_or(Error::NoTargetLeft)?
            }
        };
        if aside.contains(&target) {
            let column = table.columns[target].name.clone();
            return Err(Error::TwoRoles { column });
        }
        if table.n_rows == 0 {
            return Err(FileError::EmptyTable.into());
        }
        let column = |place: Option<usize>| place.map(|place| &table.columns[place]);
        let weights = RowWeights::of(&table, column(count), column(weight))?;
        let mut columns: Vec<Option<Column>> = table.columns.into_iter().map(Some).collect();
        let Some(target) = columns[target].take() else { return Err(Error::NoTargetLeft) };
        aside.iter().for_each(|&place| columns[place] = None);
        let features: Vec<Column> = columns.into_iter().flatten().collect();
        if features.is_empty() {
            return Err(Error::NoFeatures { target: target.name });
        }
        let left_out = |column| LeftOut::of(column, |row| weights.count(row));
        let left_out = features.iter().map(left_out).collect();
        let (n_rows, named, width) = (table.n_rows, table.named, table.width);
        let roles = roles.clone();
        Ok(Dataset { features, left_out, target, n_rows, named, width, weights, roles })
    }

    /// The columns to predict from.
    pub fn features(&self) -> &[Column] {
        &self.features
    }

    /// For each of the columns to predict from, the reason if it is left out. All rows decide on that,
    /// before any of them is weighted or held out.
    pub fn left_out(&self) -> &[Option<LeftOut>] {
        &self.left_out
    }

    /// The columns to predict from that are not left out.
    pub(crate) fn kept(&self) -> impl Iterator<Item = &Column> {
        let pairs = self.features.iter().zip(&self.left_out);
        pairs.filter(|(_, left_out)| left_out.is_none()).map(|(column, _)| column)
    }

    /// The index of the column to predict from that a user names, by name or position.
    pub(crate) fn find_feature(&self, wanted: &str, what_for: &'static str) -> Result<usize> {
        place_meant(&self.features, wanted).ok_or_else(|| {
            let names: Vec<&str> = self.features.iter().map(Column::name).collect();
            Error::NoSuchColumn { wanted: wanted.to_string(), what_for, present: quoted(&names) }
        })
    }

    /// The column to predict.
    pub fn target(&self) -> &Column {
        &self.target
    }

    /// The number of rows that are kept: equal ones may have been merged.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// How many rows a row stands for.
    pub fn count(&self, row: usize) -> u64 {
        self.weights.count(row)
    }

    /// What the columns of the table are for.
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// The number of rows that all rows together stand for.
    pub fn n_counted_rows(&self) -> u64 {
        (0..self.n_rows).map(|row| self.count(row)).sum()
    }

    /// Whether the columns have names of their own.
    pub fn is_named(&self) -> bool {
        self.named
    }

    /// The number of columns of the table that it was made from.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The same rows with other counts; a row that stands for no rows is left out.
    pub(crate) fn with_counts(self, counts: Vec<u64>) -> Result<Self> {
        Ok(Dataset { weights: self.weights.with_counts(counts)?, ..self })
    }

    /// What a row weighs for each of the rows it stands for, as a multiple of 1 / `weight_scale`.
    pub(crate) fn weight_of_one(&self, row: usize) -> u64 {
        self.weights.weight_of_one(row)
    }

    /// What a row weighs for all the rows it stands for, as a multiple of 1 / `weight_scale`.
    pub(crate) fn weight(&self, row: usize) -> u64 {
        self.weights.weight(row)
    }

    /// What the integers of [`Dataset::weight`] are divided by.
    pub(crate) fn weight_scale(&self) -> u64 {
        self.weights.scale()
    }

    /// Give each row a weight. Weights are taken as decimals and scaled to integers exactly.
    ///
    /// A weight counts in the accuracy; a row of weight 2 is like two rows there, but it is still
    /// one row for the minimum of rows per leaf. A row of weight 0 is a row all the same: it is counted in
    /// every node and for that minimum, but no answer for it is better than another.
    pub fn with_weights<D: Into<Decimal> + Clone>(self, weights: &[D]) -> Result<Self> {
        if weights.len() != self.n_rows {
            return Err(Error::WeightCount { found: weights.len(), expected: self.n_rows });
        }
        let decimals: Vec<Decimal> = weights.iter().map(|weight| weight.clone().into()).collect();
        let place = |row: usize| format!("row {}", row + 1);
        let weights = self.weights.with_decimals(&decimals, place)?;
        Ok(Dataset { weights, ..self })
    }

    /// The same with these weights: the weight of row `r` is `integers[r] / scale`.
    pub(super) fn with_integers(self, integers: Vec<u64>, scale: u64) -> Self {
        Dataset { weights: self.weights.with_integers(integers, scale), ..self }
    }

    /// What all rows weigh, as a multiple of 1 / `weight_scale`.
    pub(super) fn total_weight(&self) -> u128 {
        (0..self.n_rows).map(|row| u128::from(self.weight(row))).sum()
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
            Column::from_values("times", &["2", "0", "1", "3"]),
            Column::from_values("worth", &["0.5", "1.25", "0", "2"]),
        ])
    }

    fn first_three() -> Table {
        Table::from_columns(table().columns()[..3].to_vec())
    }

    #[test]
    fn the_target_is_found_by_name_before_position() {
        let target = |wanted: &str| {
            let target = Target::Named(wanted.into());
            first_three().dataset(target).map(|d| d.target().name().to_string())
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
        let dataset = first_three().dataset(Target::Last).unwrap();
        let weighted = dataset.clone().with_weights(&[0.5, 1.25, 0.0, 2.0]).unwrap();
        let weights: Vec<u64> = (0..4).map(|row| weighted.weight(row)).collect();
        assert_eq!((weighted.weight_scale(), &weights[..]), (4, &[2, 5, 0, 8][..]));
        let problem = |w: &[f64]| dataset.clone().with_weights(w).unwrap_err().to_string();
        assert!(problem(&[1.0]).contains("1 weight given for 4 rows"));
        assert!(problem(&[1.0, -1.0, 1.0, 1.0]).contains("row 2: the weight \"-1\""));
        assert!(problem(&[0.0; 4]).contains("every row has weight 0"));
    }

    #[test]
    fn columns_have_roles() {
        let named = |name: &str| Some(name.to_string());
        let roles = Roles { count: named("times"), weight: named("worth"), ..Roles::default() };
        let dataset = table().dataset(&roles).unwrap();
        assert_eq!((dataset.target().name(), dataset.features().len()), ("class", 2));
        assert_eq!((0..4).map(|row| dataset.count(row)).collect::<Vec<_>>(), [2, 0, 1, 3]);
        assert_eq!((0..4).map(|row| dataset.weight(row)).collect::<Vec<_>>(), [4, 0, 0, 24]);
        let problem = |roles: Roles| table().dataset(roles).unwrap_err().to_string();
        let both = Roles { ignored: vec!["worth".into()], ..Target::Named("5".into()).into() };
        assert!(problem(both).contains("\"worth\" is to be predicted"));
        let bad = Roles { count: named("worth"), ..Roles::default() };
        assert!(problem(bad).contains("\"0.5\" is not a whole number"));
        let bad = Roles { weight: named("size"), ..Roles::default() };
        assert!(problem(bad).contains("the column \"size\": the weight \"small\""));
    }
}
