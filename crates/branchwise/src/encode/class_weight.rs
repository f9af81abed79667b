//! Weights of classes, by which the weights of rows are multiplied.

use super::merge::merged;
use crate::decimal::{Decimal, Fraction, common_integers};
use crate::error::{Error, Result, quoted};
use crate::limits::{Pulse, StopReason};
use crate::problem::{Problem, Unit};
use crate::text::brief;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the rows of each class weigh. A row's weight is multiplied by that of its class; it still counts
/// as one row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClassWeight {
    /// Every class has weight 1.
    #[default]
    Equal,
    /// n / (K · n_c) for each of the n_c rows of a class, with n rows and K classes in all: every class
    /// has the same total weight, and the accuracy is the mean of the accuracies of the classes.
    Balanced,
    /// By class name; every class must have a number of 0 or more.
    Named(BTreeMap<String, Decimal>),
}

/// Class weights in integers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ClassWeights {
    /// For each class, its weight as a multiple of 1 / `scale`.
    #[serde(rename = "units")]
    pub(crate) weights: Vec<u64>,
    pub(crate) scale: u64,
}

impl ClassWeight {
    /// The weight of each class for the rows of a problem; `None`: all classes have weight 1.
    pub(crate) fn weights(
        &self,
        classes: &[String],
        problem: &Problem,
    ) -> Result<Option<ClassWeights>> {
        let weights = match self {
            ClassWeight::Equal => return Ok(None),
            ClassWeight::Balanced => balanced(problem),
            ClassWeight::Named(weights) => named(weights, classes)?,
        };
        let exact = common_integers(&weights);
        let exact = exact.map(|(weights, scale)| ClassWeights { weights, scale });
        let found = match (self, exact) {
            (ClassWeight::Balanced, Some(exact)) if exact.fits(problem) => exact,
            (ClassWeight::Balanced, _) => ClassWeights::rounded(&weights),
            (_, Some(exact)) => exact,
            (_, None) => {
                let problem = "they need too many digits together; give fewer".into();
                return Err(Error::BadClassWeight { problem });
            }
        };
        match found.total(problem) {
            0 => Err(Error::NoWeight),
            total if total < 1 << 60 => Ok(Some(found)),
            total => Err(Error::Overflow { total, rows: problem.n_units() }),
        }
    }
}

impl ClassWeights {
    /// Weights that are rounded are multiples of one millionth.
    pub(crate) const PARTS: u64 = 1_000_000;

    /// Balanced weights of many classes may have no small common denominator: round to millionths.
    fn rounded(weights: &[Fraction]) -> ClassWeights {
        let nearest = |weight: &Fraction| {
            let (n, d) = (u128::from(weight.numerator), u128::from(weight.denominator));
            ((n * u128::from(Self::PARTS) + d / 2) / d).max(1) as u64
        };
        ClassWeights { weights: weights.iter().map(nearest).collect(), scale: Self::PARTS }
    }

    fn total(&self, problem: &Problem) -> u128 {
        let weight =
            |unit: &Unit| u128::from(unit.weight) * u128::from(self.weights[unit.class as usize]);
        problem.units().iter().map(weight).sum()
    }

    /// Whether the weights, times the factors of an objective, fit into 64 bits.
    fn fits(&self, problem: &Problem) -> bool {
        self.total(problem).saturating_mul(2 * problem.n_units() as u128 + 2) < 1 << 59
    }

    /// The problem with its rows weighted by class.
    pub(crate) fn weigh(
        &self,
        problem: &Problem,
        pulse: &mut Pulse,
    ) -> Result<Problem, StopReason> {
        let weighed =
            |unit: &Unit| Unit { weight: unit.weight * self.weights[unit.class as usize], ..*unit };
        let units = merged(problem.units().iter().map(weighed).collect(), pulse)?;
        Ok(problem.for_units(units, pulse)?.build())
    }
}

/// n / (K · n_c) for each class; 1 for a class without rows.
fn balanced(problem: &Problem) -> Vec<Fraction> {
    let mut rows = vec![0u128; problem.n_classes()];
    problem.units().iter().for_each(|unit| rows[unit.class as usize] += u128::from(unit.n_rows));
    let n: u128 = rows.iter().sum();
    let k = rows.iter().filter(|&&of_class| of_class > 0).count() as u128;
    let weight = |&of_class: &u128| {
        // The weight of a class without rows makes no difference.
        let (above, below) = if of_class == 0 { (1, 1) } else { (n, k * of_class) };
        let Fraction { numerator, denominator } = Fraction::reduced(above, below);
        // Both terms are at most K times the rows: a table of 2^60 rows has few classes.
        let term = |number: u128| u64::try_from(number).unwrap_or(u64::MAX);
        Fraction { numerator: term(numerator), denominator: term(denominator) }
    };
    rows.iter().map(weight).collect()
}

fn named(weights: &BTreeMap<String, Decimal>, classes: &[String]) -> Result<Vec<Fraction>> {
    let problem = |problem: String| Error::BadClassWeight { problem };
    if let Some(stranger) = weights.keys().find(|name| !classes.contains(name)) {
        let there = quoted(classes);
        let stranger = brief(stranger);
        return Err(problem(format!("there is no class \"{stranger}\"; the classes are {there}")));
    }
    let weight = |class: &String| {
        let Some(weight) = weights.get(class) else {
            let class = brief(class);
            return Err(problem(format!("the class \"{class}\" has none; give each class one")));
        };
        let bad = || {
            let (class, found) = (brief(class), brief(weight.as_str()));
            problem(format!("that of \"{class}\" is \"{found}\"; give a number of 0 or more"))
        };
        weight.fraction().map_err(|_| bad())
    };
    classes.iter().map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Watch;
    use crate::problem::ProblemBuilder;

    fn problem(rows: &[u64]) -> Problem {
        let unit = |(class, &n_rows): (usize, &u64)| Unit {
            row: class as u32,
            class: class as u32,
            weight: 2 * n_rows,
            n_rows,
        };
        ProblemBuilder::of_sorted(rows.iter().enumerate().map(unit).collect(), rows.len()).build()
    }

    fn classes(n: usize) -> Vec<String> {
        (0..n).map(|class| format!("c{class}")).collect()
    }

    #[test]
    fn balanced_classes_weigh_the_same() {
        let problem = problem(&[30, 10, 5]);
        let found = ClassWeight::Balanced.weights(&classes(3), &problem).unwrap().unwrap();
        // 45 / (3 · 30), 45 / (3 · 10), 45 / (3 · 5).
        assert_eq!((found.weights.as_slice(), found.scale), (&[1, 3, 6][..], 2));
        let totals = found.weigh(&problem, &mut Watch::endless().pulse()).unwrap().class_totals();
        assert_eq!(totals, [60, 60, 60]);
    }

    #[test]
    fn weights_without_a_small_unit_are_rounded() {
        let rows: Vec<u64> = (0..40).map(|class| 1_000_003 + 2 * class).collect();
        let found = ClassWeight::Balanced.weights(&classes(40), &problem(&rows)).unwrap().unwrap();
        assert_eq!(found.scale, 1_000_000);
        assert!(found.weights.iter().all(|&weight| weight.abs_diff(1_000_000) < 100));
    }

    #[test]
    fn named_weights_are_checked() {
        let weights = |pairs: &[(&str, &str)]| {
            let pairs = pairs.iter().map(|&(class, weight)| (class.into(), weight.into()));
            ClassWeight::Named(pairs.collect()).weights(&classes(2), &problem(&[1, 1]))
        };
        let found = weights(&[("c0", "0.5"), ("c1", "3")]).unwrap().unwrap();
        assert_eq!((found.weights.as_slice(), found.scale), (&[1, 6][..], 2));
        let message = |pairs: &[(&str, &str)]| weights(pairs).unwrap_err().to_string();
        assert!(message(&[("c0", "1")]).contains("\"c1\" has none"));
        assert!(message(&[("c0", "1"), ("c1", "1"), ("c9", "1")]).contains("no class \"c9\""));
        let found = weights(&[("c0", "0"), ("c1", "1")]).unwrap().unwrap();
        assert_eq!(found.weights, [0, 1]);
        assert!(message(&[("c0", "0"), ("c1", "0")]).contains("every row has weight 0"));
        assert!(message(&[("c0", "-1"), ("c1", "1")]).contains("a number of 0 or more"));
        assert!(message(&[("c0", "x"), ("c1", "1")]).contains("\"x\""));
    }
}
