//! Columns that are not learnt from, because of what their values are.

use super::{Column, Comparison, Kind};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a column is not learnt from, although the user did not exclude it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOut {
    /// It is text, and more than half of its values, and more than a hundred, occur in one row only: it
    /// seems to name the rows.
    NamesRows {
        /// The number of its values that occur in one row only.
        once: usize,
        /// The number of its values.
        of: usize,
    },
    /// A limit was reached before it was looked at.
    NotReached,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeftOut::NamesRows { once, of } => {
                write!(
                    f,
                    "{once} of its {of} values come in one row only: it seems to name the rows"
                )
            }
            LeftOut::NotReached => f.write_str("a limit was reached before it was looked at"),
        }
    }
}

impl LeftOut {
    /// A column with at most this many values that occur once is kept, whatever its other values are.
    const MOST_ONCE: usize = 100;

    /// Whether a column is left out; `count` gives the number of rows that a row stands for.
    pub(super) fn of(column: &Column, count: impl Fn(usize) -> u64) -> Option<LeftOut> {
        if !may_name_rows(column) || column.values().len() <= Self::MOST_ONCE {
            return None;
        }
        // How often each value occurs: never, once, or more often.
        let mut times = vec![0u8; column.values().len() + 1];
        for (row, code) in column.codes().iter().enumerate() {
            let times = &mut times[code as usize];
            *times = times.saturating_add(count(row).min(2) as u8).min(2);
        }
        let times = &times[..column.values().len()];
        let of = times.iter().filter(|&&times| times > 0).count();
        let once = times.iter().filter(|&&times| times == 1).count();
        (once > Self::MOST_ONCE && 2 * once > of).then_some(LeftOut::NamesRows { once, of })
    }
}

/// Whether a column holds text, and the user did not ask for it as categories.
fn may_name_rows(column: &Column) -> bool {
    match column.comparison() {
        None => column.kind() == Kind::Text,
        Some(Comparison::Text) => true,
        Some(Comparison::Categories | Comparison::Numbers | Comparison::Ordered(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text column with `once` values that occur once, and `twice` that occur twice.
    fn column(once: usize, twice: usize, spell: fn(usize) -> String) -> Column {
        let again = (once..once + twice).map(spell);
        let rows: Vec<String> = (0..once + twice).map(spell).chain(again).collect();
        Column::from_values("x", &rows)
    }

    fn found(column: &Column) -> Option<LeftOut> {
        LeftOut::of(column, |_| 1)
    }

    #[test]
    fn text_that_names_rows_is_found() {
        let word = |number: usize| format!("w{number}");
        let names = |once, of| Some(LeftOut::NamesRows { once, of });
        assert_eq!(found(&column(101, 0, word)), names(101, 101));
        assert_eq!(found(&column(100, 0, word)), None, "more than a hundred");
        assert_eq!(found(&column(101, 100, word)), names(101, 201));
        assert_eq!(found(&column(101, 101, word)), None, "more than half");
        let number = |number: usize| (number + 5).to_string();
        assert_eq!(found(&column(500, 0, number)), None, "numbers are no names");
        let date = |n: usize| format!("20{:02}-{:02}-{:02}", n / 300, n / 25 % 12 + 1, n % 25 + 1);
        assert_eq!(found(&column(500, 0, date)), None, "nor are dates");
    }

    #[test]
    fn a_row_counts_as_often_as_it_stands_for() {
        let names = column(150, 0, |number| format!("w{number}"));
        let stands_for = |count: u64| LeftOut::of(&names, |_| count);
        assert_eq!(stands_for(1), Some(LeftOut::NamesRows { once: 150, of: 150 }));
        assert_eq!((stands_for(2), stands_for(u64::MAX), stands_for(0)), (None, None, None));
        let some = LeftOut::of(&names, |row| u64::from(row < 120));
        assert_eq!(some, Some(LeftOut::NamesRows { once: 120, of: 120 }));
    }

    #[test]
    fn missing_values_are_none_of_them() {
        let rows: Vec<String> =
            (0..300).map(|n| if n < 150 { format!("w{n}") } else { String::new() }).collect();
        let found = found(&Column::from_values("x", &rows));
        assert_eq!(found, Some(LeftOut::NamesRows { once: 150, of: 150 }));
    }

    #[test]
    fn what_was_said_of_a_column_holds() {
        let said = |comparison| {
            let mut column = column(150, 0, |number| format!("{}", number + 7));
            column.comparison = comparison;
            found(&column).is_some()
        };
        assert!(said(Some(Comparison::Text)) && !said(Some(Comparison::Categories)) && !said(None));
    }
}
