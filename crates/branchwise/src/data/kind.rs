//! What the values of a column are: numbers, dates, opposites or text, decided by all of them.

use super::{Number, date};
use serde::{Deserialize, Serialize};

/// What every value of a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One of two opposites: true/false, yes/no, on/off, their initials, 0/1.
    Boolean,
    /// Whole numbers.
    Integer,
    /// Numbers, some of them with a decimal point or a power of ten.
    Real,
    /// Dates, or dates with times, in the form of ISO 8601.
    Date,
    /// Anything else.
    Text,
}

const OPPOSITES: [[&str; 2]; 6] =
    [["false", "true"], ["no", "yes"], ["off", "on"], ["f", "t"], ["n", "y"], ["0", "1"]];

impl Kind {
    /// The narrowest kind that fits all these values.
    pub fn of<'v>(values: impl Iterator<Item = &'v str> + Clone) -> Kind {
        let all = |fits: fn(&str) -> bool| values.clone().all(fits);
        if values.clone().next().is_none() {
            Kind::Text
        } else if are_opposites(values.clone()) {
            Kind::Boolean
        } else if all(is_integer) {
            Kind::Integer
        } else if all(is_number) {
            Kind::Real
        } else if all(|value| date::parse(value).is_some()) {
            Kind::Date
        } else {
            Kind::Text
        }
    }

    /// The kind's name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Boolean => "boolean",
            Kind::Integer => "integer",
            Kind::Real => "real",
            Kind::Date => "date",
            Kind::Text => "text",
        }
    }
}

/// Whether there are two values, and these are opposites, in any case.
pub(super) fn are_opposites<'v>(mut values: impl Iterator<Item = &'v str>) -> bool {
    let (Some(one), Some(other), None) = (values.next(), values.next(), values.next()) else {
        return false;
    };
    OPPOSITES.iter().any(|[no, yes]| {
        let are = |a: &str, b: &str| a.eq_ignore_ascii_case(no) && b.eq_ignore_ascii_case(yes);
        are(one, other) || are(other, one)
    })
}

/// A number has no leading zeros: `007` is a name.
fn is_number(value: &str) -> bool {
    let size = value.trim_start_matches(['-', '+']);
    let padded = size.len() > 1 && size.starts_with('0') && size.as_bytes()[1].is_ascii_digit();
    !padded && Number::parse(value).is_some()
}

fn is_integer(value: &str) -> bool {
    is_number(value) && !value.contains(['.', 'e', 'E'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_found() {
        let cases: [(&[&str], Kind); 20] = [
            (&["true", "false"], Kind::Boolean),
            (&["Yes", "NO"], Kind::Boolean),
            (&["1", "0"], Kind::Boolean),
            (&["1"], Kind::Integer),
            (&["yes"], Kind::Text),
            (&["yes", "no", "maybe"], Kind::Text),
            (&["yes", "true"], Kind::Text),
            (&["1", "2"], Kind::Integer),
            (&["-3", "+4", "0"], Kind::Integer),
            (&["1", "2.5"], Kind::Real),
            (&["1.0", "0.0"], Kind::Real),
            (&["1e5", "3"], Kind::Real),
            (&["01", "12"], Kind::Text),
            (&["0.5", "-0.25"], Kind::Real),
            (&["1,5", "2"], Kind::Text),
            (&["2024-01-31", "2024-02-01T10:00Z"], Kind::Date),
            (&["2024-01-31", "2024-02-30"], Kind::Text),
            (&["20240131", "20240201"], Kind::Integer),
            (&["inf", "1"], Kind::Text),
            (&[], Kind::Text),
        ];
        for (values, kind) in cases {
            assert_eq!(Kind::of(values.iter().copied()), kind, "{values:?}");
        }
    }
}
