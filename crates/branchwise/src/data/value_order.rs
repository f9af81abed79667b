//! The order of a column's values, for questions such as "age ≤ 41.5?".

use super::{Column, Comparison, Kind, Number, date};
use serde::{Deserialize, Serialize};

/// What puts the values of a column in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueOrder {
    /// They are numbers.
    Numbers,
    /// They are dates or times.
    Dates,
    /// They are listed, the lowest first.
    Ranks(Vec<String>),
}

impl ValueOrder {
    /// The order of a column whose values are compared by thresholds.
    pub(crate) fn of(column: &Column) -> ValueOrder {
        match (column.comparison(), column.kind()) {
            (Some(Comparison::Ordered(order)), _) => ValueOrder::Ranks(order.clone()),
            (_, Kind::Date) => ValueOrder::Dates,
            _ => ValueOrder::Numbers,
        }
    }

    /// Where a value stands in this order, if it has a place in it.
    pub fn position(&self, value: &str) -> Option<Number> {
        match self {
            ValueOrder::Numbers => Number::parse(value),
            ValueOrder::Dates => date::position(value),
            ValueOrder::Ranks(order) => {
                let rank = order.iter().position(|listed| listed == value)?;
                Some(Number::from(rank as i128))
            }
        }
    }

    /// A threshold between two neighbouring values, as text: the lower one and all below it are at most
    /// the threshold, the upper one and all above it are not.
    pub(crate) fn between(&self, lower: &str, upper: &str) -> Option<String> {
        match self {
            ValueOrder::Numbers => {
                let (lower, upper) = (Number::parse(lower)?, Number::parse(upper)?);
                Some(Number::between(&lower, &upper).to_string())
            }
            ValueOrder::Dates => {
                let zoned = date::has_zone(lower) || date::has_zone(upper);
                let moment = date::between(date::parse(lower)?, date::parse(upper)?);
                Some(date::show(moment, zoned))
            }
            ValueOrder::Ranks(_) => Some(lower.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_stand_between_neighbours() {
        let sizes = ValueOrder::Ranks(["small", "medium", "large"].map(String::from).to_vec());
        for (order, lower, upper, threshold) in [
            (ValueOrder::Numbers, "41", "42.0", "41.5"),
            (ValueOrder::Dates, "2024-01-05", "2024-01-10", "2024-01-07"),
            (ValueOrder::Dates, "2024-01-05T10:00+02:00", "2024-01-05T12:00Z", "2024-01-05T10:00Z"),
            (sizes, "small", "large", "small"),
        ] {
            let found = order.between(lower, upper).unwrap();
            assert_eq!(found, threshold);
            let at = |value: &str| order.position(value).unwrap();
            assert!(at(lower) <= at(&found) && at(&found) < at(upper));
        }
        assert_eq!(ValueOrder::Numbers.position("many"), None);
    }
}
