//! Columns of equal length, and what the user says about them.

use super::{Column, Comparison, Kind, Number, date};
use crate::error::{Error, Result, quoted};
use crate::text::brief;

/// All rows together stand for fewer rows than this, so that sums stay far inside 64 bits.
pub(super) const MOST_ROWS: u128 = 1 << 60;

/// Columns of equal length.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub(super) columns: Vec<Column>,
    pub(super) n_rows: usize,
    pub(super) named: bool,
    /// The number of columns of the file, kept or not.
    pub(super) width: usize,
    /// Position and name of those that were not kept.
    pub(super) skipped: Vec<(usize, String)>,
    /// For each row, how many were merged into it, where equal rows were merged.
    pub(super) counts: Option<Vec<u64>>,
}

/// Some columns, by name or by position counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Every column to which it applies.
    All,
    /// These.
    Named(Vec<String>),
}

impl Default for Selection {
    fn default() -> Self {
        Selection::Named(Vec::new())
    }
}

/// What the user says about columns; the others are taken as what their values look like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Types {
    /// Columns whose values are categories, even if they look like numbers, and even if they name the
    /// rows. `All` makes no difference to text, whose values are categories anyway.
    pub categorical: Selection,
    /// Columns that are text by their type: their values are categories, even if they look like
    /// numbers, but a column that names its rows is left out ([`LeftOut`](super::LeftOut)).
    pub text: Vec<String>,
    /// Columns whose values are compared by size; `All` means those of numbers or dates.
    pub numeric: Selection,
    /// Columns whose values have the order in which they are listed.
    pub ordered: Vec<(String, Vec<String>)>,
}

impl Table {
    /// A table from its columns, named by the caller; they take their positions from their order.
    ///
    /// # Panics
    /// If the columns differ in length.
    pub fn from_columns(columns: Vec<Column>) -> Self {
        let n_rows = columns.first().map_or(0, |column| column.codes().len());
        assert!(columns.iter().all(|c| c.codes().len() == n_rows), "columns of equal length");
        let width = columns.len();
        let place = |(position, column): (usize, Column)| column.at_position(position);
        let columns = columns.into_iter().enumerate().map(place).collect();
        Table { columns, n_rows, named: true, width, skipped: Vec::new(), counts: None }
    }

    /// The same table with columns named by position, as if it were read without a header.
    #[must_use]
    pub fn without_names(mut self) -> Self {
        for column in &mut self.columns {
            column.name = format!("x{}", column.position + 1);
        }
        Table { named: false, ..self }
    }

    /// The same table, with the number of rows that each row stands for.
    pub fn with_counts(self, counts: Vec<u64>) -> Result<Self> {
        if counts.len() != self.n_rows {
            return Err(Error::WeightCount { found: counts.len(), expected: self.n_rows });
        }
        let total: u128 = counts.iter().map(|&count| u128::from(count)).sum();
        match total {
            0 => Err(Error::NoWeight),
            1..MOST_ROWS => Ok(Table { counts: Some(counts), ..self }),
            _ => Err(Error::TooManyCounted { total, allowed: MOST_ROWS }),
        }
    }

    /// The columns alone.
    pub fn into_columns(self) -> Vec<Column> {
        self.columns
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The number of rows that are kept.
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The number of rows before equal ones were merged.
    pub fn n_merged_rows(&self) -> u64 {
        self.counts.as_ref().map_or(self.n_rows as u64, |counts| counts.iter().sum())
    }

    /// The number of rows that were merged into a row.
    pub fn count(&self, row: usize) -> u64 {
        self.counts.as_ref().map_or(1, |counts| counts[row])
    }

    /// The number of columns of the file, including those that were not kept.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Position and name of the columns that were not kept.
    pub fn skipped(&self) -> &[(usize, String)] {
        &self.skipped
    }

    /// Whether the columns have names of their own (a header) rather than made-up ones.
    pub fn is_named(&self) -> bool {
        self.named
    }

    /// The column of this name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The column at this position of the file, counted from 0, if it was kept.
    pub(crate) fn at_position(&self, position: usize) -> Option<&Column> {
        self.columns.iter().find(|column| column.position == position)
    }

    /// The place among `columns` of the one that a user means: by name or, where none has it, by
    /// position counted from 1.
    pub(super) fn find(&self, wanted: &str, what_for: &'static str) -> Result<usize> {
        place_meant(&self.columns, wanted).ok_or_else(|| {
            let names: Vec<&str> = self.columns.iter().map(Column::name).collect();
            let wanted = wanted.to_string();
            Error::NoSuchColumn { wanted, what_for, present: quoted(&names) }
        })
    }

    /// The column that a user means, by name or position, if there is one.
    pub(crate) fn meant(&self, wanted: &str) -> Option<&Column> {
        place_meant(&self.columns, wanted).map(|place| &self.columns[place])
    }

    /// The same table, with the types of columns that the user gives.
    pub fn with_types(mut self, types: &Types) -> Result<Self> {
        for name in &types.text {
            let place = self.find(name, "to take as text")?;
            self.columns[place].comparison = Some(Comparison::Text);
        }
        if types.categorical == Selection::All {
            let others = self.columns.iter_mut().filter(|c| c.kind() != Kind::Text);
            others.for_each(|c| c.comparison = Some(Comparison::Categories));
        }
        if types.numeric == Selection::All {
            let numeric = self.columns.iter_mut().filter(|c| is_numeric(c));
            numeric.for_each(|c| c.comparison = Some(Comparison::Numbers));
        }
        if let Selection::Named(names) = &types.categorical {
            for name in names {
                let place = self.find(name, "to take as categories")?;
                self.columns[place].comparison = Some(Comparison::Categories);
            }
        }
        if let Selection::Named(names) = &types.numeric {
            for name in names {
                let place = self.find(name, "to take as numbers")?;
                check_numbers(&self.columns[place])?;
                self.columns[place].comparison = Some(Comparison::Numbers);
            }
        }
        for (name, order) in &types.ordered {
            let place = self.find(name, "to put in order")?;
            check_order(&self.columns[place], order)?;
            self.columns[place].comparison = Some(Comparison::Ordered(order.clone()));
        }
        Ok(self)
    }
}

/// The place of the column that a user means: by name or, where none has it, by position counted from 1.
pub(super) fn place_meant(columns: &[Column], wanted: &str) -> Option<usize> {
    let by_name = columns.iter().position(|column| column.name == wanted);
    let by_position = || {
        let position = wanted.parse::<usize>().ok()?.checked_sub(1)?;
        columns.iter().position(|column| column.position == position)
    };
    by_name.or_else(by_position)
}

fn is_numeric(column: &Column) -> bool {
    matches!(column.kind(), Kind::Integer | Kind::Real | Kind::Date)
}

/// Every value must be a number, or every value a date.
fn check_numbers(column: &Column) -> Result<()> {
    let values = column.values();
    let stranger = |fits: fn(&str) -> bool| values.iter().position(|value| !fits(value));
    let no_number = stranger(|value| Number::parse(value).is_some());
    let no_date = stranger(|value| date::parse(value).is_some());
    match (no_number, no_date) {
        (Some(found), Some(_)) => Err(Error::NotNumeric {
            column: column.name().to_string(),
            found: values[found].clone(),
            place: column.place_of(found),
        }),
        _ => Ok(()),
    }
}

/// Every value must be listed, and none twice.
fn check_order(column: &Column, order: &[String]) -> Result<()> {
    let bad = |problem: String| Error::BadOrder { column: column.name().to_string(), problem };
    if let Some(twice) = order.iter().enumerate().find(|(i, v)| order[..*i].contains(v)) {
        return Err(bad(format!("lists \"{}\" twice", brief(twice.1))));
    }
    let values = column.values();
    let Some(unlisted) = values.iter().position(|value| !order.contains(value)) else {
        return Ok(());
    };
    let (value, place) = (brief(&values[unlisted]), column.place_of(unlisted));
    Err(bad(format!("does not list \"{value}\"{place}; list every value, the least first")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        Table::from_columns(vec![
            Column::from_values("size", &["small", "large", "medium", "small"]),
            Column::from_values("age", &["7", "8", "", "9"]),
            Column::from_values("class", &["no", "yes", "no", "yes"]),
        ])
    }

    fn types(categorical: &[&str], numeric: &[&str], order: &[&str]) -> Types {
        let named =
            |names: &[&str]| Selection::Named(names.iter().map(|n| n.to_string()).collect());
        let ordered = vec![("size".to_string(), order.iter().map(|v| v.to_string()).collect())];
        let (categorical, numeric) = (named(categorical), named(numeric));
        Types { categorical, numeric, ordered, ..Types::default() }
    }

    #[test]
    fn the_user_says_what_columns_are() {
        let order = ["small", "medium", "large"];
        let typed = table().with_types(&types(&["age"], &["2"], &order)).unwrap();
        assert_eq!(
            typed.columns()[1].comparison(),
            Some(&Comparison::Numbers),
            "the later word holds"
        );
        assert!(matches!(typed.columns()[0].comparison(), Some(Comparison::Ordered(_))));
        assert_eq!(typed.columns()[2].comparison(), None);
        let all = Types { numeric: Selection::All, ..Types::default() };
        let typed = table().with_types(&all).unwrap();
        assert_eq!(typed.columns()[0].comparison(), None);
        assert_eq!(typed.columns()[1].comparison(), Some(&Comparison::Numbers));
    }

    #[test]
    fn rows_stand_for_many_and_names_can_be_taken_away() {
        let counted = table().with_counts(vec![2, 0, 1, 3]).unwrap();
        assert_eq!((counted.count(3), counted.n_merged_rows()), (3, 6));
        let problem = |counts| table().with_counts(counts).unwrap_err().to_string();
        assert!(problem(vec![1]).contains("1 weight given for 4 rows"));
        assert!(problem(vec![0; 4]).contains("every row has weight 0"));
        assert!(
            problem(vec![1 << 59; 4])
                .contains("too many: their sum must be below 1152921504606846976")
        );
        let unnamed = table().without_names();
        assert_eq!((unnamed.is_named(), unnamed.columns()[2].name()), (false, "x3"));
        assert_eq!(unnamed.into_columns().len(), 3);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let order = ["small", "medium", "large"];
        let problem = |types: Types| table().with_types(&types).unwrap_err().to_string();
        let message = problem(types(&["sighs"], &[], &order));
        assert!(message.contains("no column \"sighs\" to take as categories"), "{message}");
        let message = problem(types(&[], &["size"], &order));
        assert!(message.contains("\"large\" is neither a number nor a date"), "{message}");
        let message = problem(types(&[], &[], &order[..2]));
        assert!(message.contains("does not list \"large\""), "{message}");
        let message = problem(types(&[], &[], &["small", "small"]));
        assert!(message.contains("lists \"small\" twice"), "{message}");
    }
}
