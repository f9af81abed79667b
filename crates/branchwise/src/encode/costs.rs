//! What answers cost, and how a row votes for them.
//!
//! # A row votes
//! Let C(c, l) be the cost of the answer l for a row of class c, and W(c) = max C(c, ·) its worst cost. The
//! answer l saves W(c) − C(c, l). So let each row cast that many votes for every l: a leaf answers with the
//! label of most votes, which is the one of least cost, and the number of those votes is what it saves. To
//! the search, a row with votes for several labels looks like equal rows of several classes, so it need not
//! know about costs. The objective is
//!
//! > 1 − cost / worst − λ · splits = saved / worst − λ · splits.
//!
//! # Rows without a preference
//! A row whose answers all cost the same, or that has weight 0, prefers no answer. It is still a row: it
//! counts towards the minimum of rows in a leaf, and makes a child non-empty. It casts one vote for every
//! label, which every tree gets, so the search never sees a row of weight 0. A table without costs that has
//! such rows is searched by votes too, with
//! [`CostMatrix::of_errors`]: every wrong answer costs 1.

use super::merge::merged;
use crate::data::{Column, Table};
use crate::decimal::{Decimal, Fraction, common_integers};
use crate::error::{Error, Result, Unfinished, quoted};
use crate::limits::Pulse;
use crate::objective::Whole;
use crate::problem::{Problem, Unit};
use crate::text::brief;
use num_integer::gcd;
use serde::{Deserialize, Serialize};

/// The cost of each answer for a row of each class: a number of 0 or more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Costs {
    answers: Vec<String>,
    classes: Vec<String>,
    /// By class, then answer.
    costs: Vec<Vec<Decimal>>,
}

impl Costs {
    /// From the names of the answers, and for each class its name and what each answer costs.
    pub fn new(answers: Vec<String>, rows: Vec<(String, Vec<Decimal>)>) -> Self {
        let (classes, costs) = rows.into_iter().unzip();
        Costs { answers, classes, costs }
    }

    /// From a table: its first column names the classes, its other columns the answers.
    ///
    /// ```text
    /// class,came,missed
    /// came,0,1
    /// missed,5,0
    /// ```
    pub fn from_table(table: &Table) -> Self {
        let (names, answers) = table.columns().split_at(table.columns().len().min(1));
        let value = |column: &Column, row| column.value(row).unwrap_or_default().to_string();
        let row = |row: usize| {
            let name = names.iter().map(|names| value(names, row)).collect();
            (name, answers.iter().map(|column| Decimal::from(value(column, row))).collect())
        };
        let rows = (0..table.n_rows()).map(row).collect();
        Costs::new(answers.iter().map(|column| column.name().to_string()).collect(), rows)
    }

    /// What an answer costs for a row of a class, as it was given.
    pub(crate) fn given(&self, class: &str, answer: &str) -> Option<&str> {
        let row = self.classes.iter().position(|name| name == class)?;
        let column = self.answers.iter().position(|name| name == answer)?;
        self.costs.get(row)?.get(column).map(Decimal::as_str)
    }

    /// The costs as integers, for classes in this order.
    pub(crate) fn matrix(&self, classes: &[String]) -> Result<CostMatrix> {
        let problem = |problem: String| Error::BadCosts { problem };
        let rows = places(&self.classes, classes, "row").map_err(problem)?;
        let columns = places(&self.answers, classes, "column").map_err(problem)?;
        let is_long = |row: &Vec<Decimal>| row.len() > self.answers.len();
        if self.costs.len() > self.classes.len() || self.costs.iter().any(is_long) {
            return Err(problem("it has more numbers than rows and columns with names".into()));
        }
        let fraction = |row: usize, column: usize| -> Result<Fraction> {
            let found = self.costs.get(row).and_then(|costs| costs.get(column));
            let found = found.map_or("", Decimal::as_str);
            Decimal::from(found).fraction().map_err(|_| {
                let (class, answer) = (&self.classes[row], &self.answers[column]);
                problem(format!(
                    "to answer \"{answer}\" where \"{class}\" is true costs \"{found}\"; give a \
                     number of 0 or more, with at most 18 digits"
                ))
            })
        };
        let of_class = |&row: &usize| columns.iter().map(|&column| fraction(row, column)).collect();
        let fractions: Vec<Vec<Fraction>> = rows.iter().map(of_class).collect::<Result<_>>()?;
        CostMatrix::new(&fractions)
            .ok_or_else(|| problem("its numbers need too many digits together; give fewer".into()))
    }
}

/// The position of each class among names, which must be exactly the classes.
fn places(names: &[String], classes: &[String], what: &str) -> Result<Vec<usize>, String> {
    if let Some((_, twice)) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name))
    {
        return Err(format!("two {what}s are called \"{}\"", brief(twice)));
    }
    if let Some(stranger) = names.iter().find(|name| !classes.contains(name)) {
        let (there, stranger) = (quoted(classes), brief(stranger));
        return Err(format!("the {what} \"{stranger}\" is not a class; the classes are {there}"));
    }
    let place = |class: &String| {
        let found = names.iter().position(|name| name == class);
        found.ok_or_else(|| format!("it has no {what} for the class \"{}\"", brief(class)))
    };
    classes.iter().map(place).collect()
}

/// What answers cost, in integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CostMatrix {
    /// By class, then answer.
    costs: Vec<Vec<u64>>,
    /// For each class, its worst cost, from which savings are counted.
    worst: Vec<u64>,
    /// The cost that the integer 1 stands for.
    pub(crate) unit: Fraction,
}

impl CostMatrix {
    /// Every wrong answer costs 1: the least cost is the best accuracy.
    pub(crate) fn of_errors(n_classes: usize) -> CostMatrix {
        let of_class = |class| (0..n_classes).map(|answer| u64::from(answer != class)).collect();
        let unit = Fraction { numerator: 1, denominator: 1 };
        CostMatrix {
            costs: (0..n_classes).map(of_class).collect(),
            worst: vec![1; n_classes],
            unit,
        }
    }

    fn new(fractions: &[Vec<Fraction>]) -> Option<CostMatrix> {
        let all: Vec<Fraction> = fractions.iter().flatten().copied().collect();
        let (integers, scale) = common_integers(&all)?;
        let common = integers.iter().fold(0, |common, &cost| gcd(common, cost)).max(1);
        let unit = Fraction { numerator: common, denominator: scale };
        let per_class = fractions.len().max(1);
        let costs =
            integers.chunks(per_class).map(|row| row.iter().map(|cost| cost / common).collect());
        let costs: Vec<Vec<u64>> = costs.collect();
        let worst = costs.iter().map(|row| row.iter().copied().max().unwrap_or(0)).collect();
        Some(CostMatrix { costs, worst, unit })
    }

    /// What an answer costs for a row of a class.
    pub(crate) fn cost(&self, class: usize, answer: usize) -> u64 {
        self.costs[class][answer]
    }

    /// The most that an answer can cost for a row of a class.
    pub(crate) fn worst(&self, class: usize) -> u64 {
        self.worst[class]
    }

    /// For each answer, what it saves of the worst, given the weight of each class.
    pub(crate) fn saved(&self, weights: &[u64]) -> Vec<u64> {
        let saves = |sum: u64, (class, &weight): (usize, &u64), answer: usize| {
            sum.saturating_add(weight.saturating_mul(self.worst(class) - self.cost(class, answer)))
        };
        let answer = |answer| {
            weights.iter().enumerate().fold(0, |sum, of_class| saves(sum, of_class, answer))
        };
        (0..self.costs.len()).map(answer).collect()
    }

    /// The problem whose units are votes, and the total that its objective refers to.
    pub(crate) fn votes(
        &self,
        problem: &Problem,
        pulse: &mut Pulse,
    ) -> Result<(Problem, Whole), Unfinished> {
        let whole = self.whole(problem)?;
        let units = problem.units().iter().flat_map(|unit| self.votes_of(unit));
        let mut builder = problem.for_units(merged(units.collect(), pulse)?, pulse)?;
        builder.count_reachable();
        Ok((builder.build(), whole))
    }

    /// The votes of a unit; its rows are counted with the first of them.
    fn votes_of(&self, unit: &Unit) -> Vec<Unit> {
        let cast = (0..self.costs.len()).map(|answer| (answer as u32, self.cast(unit, answer)));
        let cast = cast.filter(|&(_, votes)| votes > 0).enumerate();
        cast.map(|(place, (answer, votes))| Unit {
            row: unit.row,
            class: answer,
            weight: votes,
            n_rows: if place == 0 { unit.n_rows } else { 0 },
        })
        .collect()
    }

    /// The votes of a unit for an answer.
    fn cast(&self, unit: &Unit, answer: usize) -> u64 {
        let class = unit.class as usize;
        unit.weight * (self.worst(class) - self.cost(class, answer)) + self.given(unit)
    }

    /// The votes that a unit casts for every answer: some where it has no preference.
    fn given(&self, unit: &Unit) -> u64 {
        let worst = self.worst(unit.class as usize);
        let alike = self.costs[unit.class as usize].iter().all(|&cost| cost == worst);
        if alike { unit.weight.max(1) } else { u64::from(unit.weight == 0) }
    }

    fn whole(&self, problem: &Problem) -> Result<Whole> {
        let sum =
            |of_unit: &dyn Fn(&Unit) -> u128| problem.units().iter().map(of_unit).sum::<u128>();
        let weighed = |unit: &Unit, cost: u64| u128::from(unit.weight) * u128::from(cost);
        let worth = sum(&|unit| weighed(unit, self.worst(unit.class as usize)));
        let given = sum(&|unit| self.given(unit).into());
        let n_answers = self.costs.len();
        let saved = |unit: &Unit| -> u128 {
            let class = unit.class as usize;
            let saves = |answer| weighed(unit, self.worst(class) - self.cost(class, answer));
            (0..n_answers).map(saves).sum()
        };
        let total = sum(&saved) + n_answers as u128 * given;
        if worth == 0 {
            let problem = "every answer costs 0, so no tree is better than another".into();
            return Err(Error::BadCosts { problem });
        }
        let largest = worth.max(total);
        match u64::try_from(largest).ok().filter(|&largest| largest < 1 << 60) {
            Some(_) => Ok(Whole { worth: worth as u64, total: total as u64, given: given as u64 }),
            None => Err(Error::Overflow { total: largest, rows: problem.n_units() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Watch;
    use crate::problem::ProblemBuilder;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| name.to_string()).collect()
    }

    fn costs(answers: &[&str], rows: &[(&str, &[&str])]) -> Costs {
        let row = |&(class, costs): &(&str, &[&str])| {
            (class.to_string(), costs.iter().map(|&cost| Decimal::from(cost)).collect())
        };
        Costs::new(names(answers), rows.iter().map(row).collect())
    }

    #[test]
    fn rows_vote_for_what_they_save() {
        let matrix = costs(&["b", "a"], &[("a", &["2.5", "0"]), ("b", &["0", "5"])]);
        let matrix = matrix.matrix(&names(&["a", "b"])).unwrap();
        assert_eq!(matrix.costs, [[0, 1], [2, 0]]);
        assert_eq!(matrix.unit, Fraction { numerator: 5, denominator: 2 });
        assert_eq!(matrix.saved(&[3, 4]), [3, 8]);
        let unit = |row, class, weight| Unit { row, class, weight, n_rows: weight };
        let problem = ProblemBuilder::of_sorted(vec![unit(0, 0, 3), unit(1, 1, 4)], 2).build();
        let (votes, whole) = matrix.votes(&problem, &mut Watch::endless().pulse()).unwrap();
        assert_eq!(whole, Whole { worth: 11, total: 11, given: 0 });
        assert_eq!(votes.class_totals(), [3, 8]);
    }

    #[test]
    fn rows_without_a_preference_stay_rows() {
        let matrix = costs(&["a", "b"], &[("a", &["3", "3"]), ("b", &["1", "0"])]);
        let matrix = matrix.matrix(&names(&["a", "b"])).unwrap();
        let unit = |row, class, weight| Unit { row, class, weight, n_rows: weight };
        let problem = ProblemBuilder::of_sorted(vec![unit(0, 0, 3), unit(0, 1, 4)], 2).build();
        let (votes, whole) = matrix.votes(&problem, &mut Watch::endless().pulse()).unwrap();
        assert_eq!(whole, Whole { worth: 13, total: 10, given: 3 });
        assert_eq!(votes.class_totals(), [3, 7]);
        let rows: u64 = votes.units().iter().map(|unit| unit.n_rows).sum();
        assert_eq!(rows, 7, "each row is counted once");
    }

    #[test]
    fn what_is_wrong_with_costs_is_told() {
        let classes = names(&["a", "b"]);
        let message = |matrix: Costs| matrix.matrix(&classes).unwrap_err().to_string();
        let right: [(&str, &[&str]); 2] = [("a", &["0", "1"]), ("b", &["1", "0"])];
        assert!(message(costs(&["a", "c"], &right)).contains("column \"c\" is not a class"));
        assert!(message(costs(&["a"], &right)).contains("no column for the class \"b\""));
        assert!(message(costs(&["a", "a"], &right)).contains("two columns are called \"a\""));
        assert!(message(costs(&["a", "b"], &right[..1])).contains("no row for the class \"b\""));
        let bad = [right[0], ("b", &["-1", "0"])];
        assert!(message(costs(&["a", "b"], &bad)).contains("where \"b\" is true costs \"-1\""));
        let short = [right[0], ("b", &["1"])];
        assert!(message(costs(&["a", "b"], &short)).contains("costs \"\""));
        let long = [right[0], ("b", &["1", "0", "2"])];
        assert!(message(costs(&["a", "b"], &long)).contains("more numbers than"));
        let whole = costs(&["a", "b"], &right);
        let cut = Costs { costs: whole.costs[..1].to_vec(), ..whole };
        assert!(message(cut).contains("where \"b\" is true costs \"\""));
    }
}
