//! The order of a column's values, for questions such as "age ≤ 41.5?".

use super::{Column, Comparison, Kind, Number, date};
use serde::{Deserialize, Serialize};

/// What puts the values of a column in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    /// They are numbers.
    Numbers,
    /// They are dates or times.
    Dates,
    /// They are listed, the first the least.
    Ranks(Vec<String>),
}

impl Line {
    /// The order of a column's values, given that they are to be compared by it.
    pub(crate) fn of(column: &Column) -> Line {
        match (column.comparison(), column.kind()) {
            (Some(Comparison::Ordered(order)), _) => Line::Ranks(order.clone()),
            (_, Kind::Date) => Line::Dates,
            _ => Line::Numbers,
        }
    }

    /// Where a value stands, if it has a place in this order.
    pub fn position(&self, value: &str) -> Option<Number> {
        match self {
            Line::Numbers => Number::parse(value),
            Line::Dates => date::position(value),
            Line::Ranks(order) => {
                let rank = order.iter().position(|listed| listed == value)?;
                Some(Number::from(rank as i128))
            }
        }
    }

    /// A threshold in words that parts two neighbouring values: the lower one and all below it are
    /// at most that, the upper one and all above it are not.
    pub(crate) fn between(&self, lower: &str, upper: &str) -> Option<String> {
        match self {
            Line::Numbers => {
                let (lower, upper) = (Number::parse(lower)?, Number::parse(upper)?);
                Some(Number::between(&lower, &upper).to_string())
            }
            Line::Dates => {
                let zoned = date::has_zone(lower) || date::has_zone(upper);
                let moment = date::between(date::parse(lower)?, date::parse(upper)?);
                Some(date::show(moment, zoned))
            }
            Line::Ranks(_) => Some(lower.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_stand_between_neighbours() {
        let sizes = Line::Ranks(["small", "medium", "large"].map(String::from).to_vec());
        for (line, lower, upper, threshold) in [
            (Line::Numbers, "41", "42.0", "41.5"),
            (Line::Dates, "2024-01-05", "2024-01-10", "2024-01-07"),
            (Line::Dates, "2024-01-05T10:00+02:00", "2024-01-05T12:00Z", "2024-01-05T10:00Z"),
            (sizes, "small", "large", "small"),
        ] {
            let found = line.between(lower, upper).unwrap();
            assert_eq!(found, threshold);
            let at = |value: &str| line.position(value).unwrap();
            assert!(at(lower) <= at(&found) && at(&found) < at(upper));
        }
        assert_eq!(Line::Numbers.position("many"), None);
    }
}
