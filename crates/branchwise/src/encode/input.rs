//! A column as the encoder remembers it: how values are sorted into cells.
//!
//! A column's values fall into a few numbered *cells*; questions only distinguish cells. There is
//! one for each value that is asked about, or one for each interval between thresholds. A cell for
//! all rare values and one for missing values may follow, in this order.

use super::truth;
use crate::data::{Column, Kind, LeftOut, Number, ValueOrder};
use crate::text::brief;
use serde::{Deserialize, Serialize};

/// A column as the encoder remembers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its position in the training table.
    pub position: usize,
    /// What its values were.
    pub kind: Kind,
    /// How many different values there were.
    pub distinct: usize,
    /// The cells of its values.
    pub levels: Levels,
    /// The name of the cell of missing values, where there were some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// The reason if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<LeftOut>,
}

/// The cells of a column's values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Levels {
    /// A cell for each of these values.
    Categories {
        /// The values, as they are written.
        values: Vec<String>,
        /// The name of the cell of all other values, where rare ones share a cell.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        other: Option<String>,
    },
    /// A cell for each interval between neighbouring thresholds, and for the two ends.
    Order {
        /// What puts values in order.
        #[serde(rename = "line")]
        order: ValueOrder,
        /// The thresholds, ascending; a value equal to one lies below it.
        cuts: Vec<String>,
    },
}

impl Input {
    /// A column that is not asked about: all of its values lie in one cell.
    pub(super) fn left_out(column: &Column, why: LeftOut) -> Self {
        Input {
            name: column.name().to_string(),
            position: column.position(),
            kind: column.kind(),
            distinct: column.values().len(),
            levels: Levels::Categories { values: Vec::new(), other: Some("other".into()) },
            missing: None,
            left_out: Some(why),
        }
    }

    /// The number of cells.
    pub fn n_cells(&self) -> usize {
        self.n_levels() + usize::from(self.missing.is_some())
    }

    /// The number of cells of values that are not missing.
    fn n_levels(&self) -> usize {
        match &self.levels {
            Levels::Categories { values, other } => values.len() + usize::from(other.is_some()),
            Levels::Order { cuts, .. } => cuts.len() + 1,
        }
    }

    /// The cell of missing values, if there is one.
    pub fn missing_cell(&self) -> Option<u32> {
        self.missing.is_some().then(|| self.n_levels() as u32)
    }

    /// The thresholds; none for categories.
    pub fn cuts(&self) -> &[String] {
        match &self.levels {
            Levels::Categories { .. } => &[],
            Levels::Order { cuts, .. } => cuts,
        }
    }

    /// The texts that lie in the cell of a value: the value itself, and for true and false their other
    /// spellings, unless these lie in the cell of all other values.
    pub(crate) fn spellings(&self, cell: usize) -> Vec<&str> {
        let Levels::Categories { values, other } = &self.levels else { return Vec::new() };
        let Some(value) = values.get(cell) else { return Vec::new() };
        let others = match other {
            Some(_) => Vec::new(),
            None => truth::other_spellings(value, values),
        };
        [value.as_str()].into_iter().chain(others).collect()
    }

    /// The names of the cells: values, `other`, `missing`, or the intervals between thresholds.
    pub fn labels(&self) -> Vec<String> {
        let mut labels = match &self.levels {
            Levels::Categories { values, other } => {
                values.iter().chain(other).cloned().collect::<Vec<_>>()
            }
            Levels::Order { cuts, .. } => {
                let mut labels: Vec<String> = cuts.iter().map(|cut| format!("≤ {cut}")).collect();
                labels.push(cuts.last().map_or("any".into(), |cut| format!("> {cut}")));
                labels
            }
        };
        labels.extend(self.missing.clone());
        labels
    }

    /// Prepare to sort values into cells.
    pub(crate) fn coder(&self) -> Coder<'_> {
        let sorter = match &self.levels {
            Levels::Categories { values, other } => Sorter::Categories {
                index: Index::new((0..values.len()).map(|cell| self.spellings(cell))),
                other: other.as_ref().map(|_| values.len() as u32),
            },
            Levels::Order { order, cuts } => Sorter::Order {
                order,
                cuts: cuts.iter().filter_map(|cut| order.position(cut)).collect(),
            },
        };
        Coder { sorter, missing: self.missing_cell() }
    }

    /// What is wrong with a column that was read from a file, if anything.
    pub(super) fn fault(&self) -> Option<String> {
        let name = brief(&self.name);
        match &self.levels {
            Levels::Categories { values, .. } => {
                let mut values: Vec<&String> = values.iter().collect();
                values.sort();
                let twice = values.windows(2).find(|pair| pair[0] == pair[1])?;
                Some(format!("the value \"{}\" of \"{name}\" comes twice", brief(twice[0])))
            }
            Levels::Order { order, cuts } => {
                let places: Option<Vec<Number>> = cuts.iter().map(|c| order.position(c)).collect();
                let ascend = places.is_some_and(|p| p.windows(2).all(|pair| pair[0] < pair[1]));
                (!ascend).then(|| format!("the thresholds of \"{name}\" do not ascend"))
            }
        }
    }
}

/// Sorts a column's values into cells.
pub(crate) struct Coder<'m> {
    sorter: Sorter<'m>,
    missing: Option<u32>,
}

enum Sorter<'m> {
    Categories { index: Index<'m>, other: Option<u32> },
    Order { order: &'m ValueOrder, cuts: Vec<Number> },
}

impl Coder<'_> {
    /// The cell of a value, or of a missing one. `None`: training saw nothing like it.
    pub(crate) fn cell(&self, value: Option<&str>) -> Option<u32> {
        let Some(value) = value else { return self.missing };
        match &self.sorter {
            Sorter::Categories { index, other } => index.number_of(value).or(*other),
            Sorter::Order { order, cuts } => {
                let position = order.position(value)?;
                Some(cuts.partition_point(|cut| *cut < position) as u32)
            }
        }
    }
}

/// The numbers of values, by their spellings in order.
struct Index<'m>(Vec<(&'m str, u32)>);

impl<'m> Index<'m> {
    fn new(spellings: impl Iterator<Item = Vec<&'m str>>) -> Self {
        let numbered = (0..).zip(spellings);
        let each =
            |(number, texts): (u32, Vec<&'m str>)| texts.into_iter().map(move |t| (t, number));
        let mut index: Vec<(&str, u32)> = numbered.flat_map(each).collect();
        index.sort_unstable();
        Index(index)
    }

    fn number_of(&self, value: &str) -> Option<u32> {
        let place = self.0.binary_search_by(|(text, _)| (*text).cmp(value));
        place.ok().map(|place| self.0[place].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(levels: Levels, missing: Option<&str>) -> Input {
        let (name, missing) = ("x".into(), missing.map(String::from));
        let (kind, left_out) = (Kind::Text, None);
        Input { name, position: 0, kind, distinct: 9, levels, missing, left_out }
    }

    fn texts(values: &[&str]) -> Vec<String> {
        values.iter().map(|value| value.to_string()).collect()
    }

    #[test]
    fn values_are_sorted_into_cells() {
        let order = |cuts| Levels::Order { order: ValueOrder::Numbers, cuts: texts(cuts) };
        let values = |other: Option<&str>| Levels::Categories {
            values: texts(&["b", "a"]),
            other: other.map(String::from),
        };
        let truth = |other: Option<&str>| {
            let (values, other) = (texts(&["false", "true"]), other.map(String::from));
            input(Levels::Categories { values, other }, None)
        };
        let ages = input(order(&["1.5", "20"]), Some("missing"));
        let open = input(order(&["1.5", "20"]), None);
        let names = input(values(None), Some("missing"));
        let grouped = input(values(Some("other")), None);
        for (input, value, cell) in [
            (&ages, Some("-3"), Some(0)),
            (&ages, Some("1.50"), Some(0)),
            (&ages, Some("1.51"), Some(1)),
            (&ages, Some("2e1"), Some(1)),
            (&ages, Some("21"), Some(2)),
            (&ages, Some("many"), None),
            (&ages, None, Some(3)),
            (&open, None, None),
            (&names, Some("b"), Some(0)),
            (&names, Some("c"), None),
            (&names, None, Some(2)),
            (&grouped, Some("c"), Some(2)),
            (&grouped, None, None),
            (&truth(None), Some("TRUE"), Some(1)),
            (&truth(None), Some("False"), Some(0)),
            (&truth(Some("other")), Some("TRUE"), Some(2)),
        ] {
            assert_eq!(input.coder().cell(value), cell, "{value:?}");
        }
        assert_eq!(ages.labels(), ["≤ 1.5", "≤ 20", "> 20", "missing"]);
        assert_eq!(grouped.labels(), ["b", "a", "other"]);
        assert_eq!((ages.n_cells(), grouped.n_cells()), (4, 3));
    }

    #[test]
    fn faults_are_found() {
        let order = |cuts| Levels::Order { order: ValueOrder::Numbers, cuts: texts(cuts) };
        assert_eq!(input(order(&["1", "2"]), None).fault(), None);
        assert!(input(order(&["2", "1"]), None).fault().is_some());
        assert!(input(order(&["2", "x"]), None).fault().is_some());
        let twice = Levels::Categories { values: texts(&["a", "b", "a"]), other: None };
        assert!(input(twice, None).fault().unwrap().contains("\"a\""));
    }
}
