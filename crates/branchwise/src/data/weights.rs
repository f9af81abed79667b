//! How many rows each row of a table stands for, and what it weighs.

use super::table::MOST_ROWS;
use super::{Column, Number, Table};
use crate::decimal::{Decimal, Fraction, common_scale};
use crate::error::{Error, Result};
use crate::text::brief;

/// For each row, how many rows it stands for and what it weighs: 1 and 1 unless the user gives counts or
/// weights.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowWeights {
    counts: Option<Vec<u64>>,
    weights: Option<ScaledWeights>,
}

/// One weight per row, in integers: the weight of row `r` is `integers[r] / scale`.
#[derive(Clone, Debug)]
struct ScaledWeights {
    integers: Vec<u64>,
    scale: u64,
}

impl RowWeights {
    /// From a table in which rows may have been merged, and its columns of counts and weights.
    pub(crate) fn of(
        table: &Table,
        count: Option<&Column>,
        weight: Option<&Column>,
    ) -> Result<Self> {
        let mut counts = table.counts.clone();
        if let Some(column) = count {
            let earlier = counts.unwrap_or_else(|| vec![1; table.n_rows]);
            counts = Some(multiplied(&earlier, &whole_numbers(column)?)?);
        }
        let weights = RowWeights { counts, weights: None };
        let Some(column) = weight else { return Ok(weights) };
        let decimal = |row| Decimal::from(column.value(row).unwrap_or_default());
        let decimals: Vec<Decimal> = (0..table.n_rows).map(decimal).collect();
        weights.with_decimals(&decimals, |row| {
            let place = column.place_of(column.codes().at(row) as usize);
            format!("the column \"{}\"{place}", brief(&column.name))
        })
    }

    /// The same with a weight for each row; `place` says where it stands, for messages.
    pub(super) fn with_decimals(
        self,
        weights: &[Decimal],
        place: impl Fn(usize) -> String,
    ) -> Result<Self> {
        let mut fractions = Vec::with_capacity(weights.len());
        for (row, weight) in weights.iter().enumerate() {
            let found = || weight.as_str().to_string();
            let problem = || weight_problem(weight.as_str());
            let bad =
                |_| Error::BadWeight { place: place(row), found: found(), problem: problem() };
            fractions.push(weight.fraction().map_err(bad)?);
        }
        // Decimals of at most 18 digits have a common scale of 10^19 at most.
        let scale = common_scale(&fractions).unwrap_or(u64::MAX);
        let weigh = |(row, f): (usize, &Fraction)| {
            let one = u128::from(scale / f.denominator) * u128::from(f.numerator);
            one.saturating_mul(self.count(row).into())
        };
        let total = fractions.iter().enumerate().map(weigh).fold(0, u128::saturating_add);
        if total == 0 {
            return Err(Error::NoWeight);
        }
        if total > u64::MAX.into() {
            return Err(Error::Overflow { total, rows: weights.len() });
        }
        let integers =
            fractions.iter().map(|f| (scale / f.denominator).saturating_mul(f.numerator));
        // Only a row that stands for none can weigh more than all rows together.
        Ok(RowWeights {
            weights: Some(ScaledWeights { integers: integers.collect(), scale }),
            ..self
        })
    }

    /// The same with these weights: the weight of row `r` is `integers[r] / scale`.
    pub(super) fn with_integers(self, integers: Vec<u64>, scale: u64) -> Self {
        RowWeights { weights: Some(ScaledWeights { integers, scale }), ..self }
    }

    /// How many rows a row stands for.
    pub(crate) fn count(&self, row: usize) -> u64 {
        self.counts.as_ref().map_or(1, |counts| counts[row])
    }

    /// The same with another count for each row.
    pub(super) fn with_counts(self, counts: Vec<u64>) -> Result<Self> {
        if counts.iter().all(|&count| count == 0) {
            return Err(Error::NoWeight);
        }
        Ok(RowWeights { counts: Some(counts), ..self })
    }

    /// What a row weighs for each of the rows it stands for, as a multiple of 1 / `scale`.
    pub(super) fn weight_of_one(&self, row: usize) -> u64 {
        self.weights.as_ref().map_or(1, |weights| weights.integers[row])
    }

    /// What a row weighs for all the rows it stands for, as a multiple of 1 / `scale`.
    pub(crate) fn weight(&self, row: usize) -> u64 {
        let weight = self.weight_of_one(row);
        self.count(row) * weight
    }

    /// What the integers of [`RowWeights::weight`] are divided by.
    pub(crate) fn scale(&self) -> u64 {
        self.weights.as_ref().map_or(1, |weights| weights.scale)
    }
}

/// Why a text is not a weight.
fn weight_problem(text: &str) -> &'static str {
    match Number::parse(text.trim()) {
        None => "is not a finite number of 0 or more",
        Some(number) if number < Number::from(0) => "is negative; give a number of 0 or more",
        Some(number) if number > Number::from(i128::from(u64::MAX)) => {
            "is too large: a weight must be below 2^64 = 18446744073709551616; only proportions matter, \
             so divide all weights by the same number"
        }
        Some(_) => "has too many digits: at most 18 are taken exactly; round it",
    }
}

/// A row stands for fewer rows than this.
const MOST_COUNT: i128 = 1 << 48;

/// A column of counts, row by row.
fn whole_numbers(column: &Column) -> Result<Vec<u64>> {
    let bad = |code: usize, problem: String| Error::BadCount {
        column: column.name.clone(),
        found: column.values().get(code).cloned().unwrap_or_default(),
        place: column.place_of(code),
        problem,
    };
    let values = column.values();
    if column.has_missing() {
        let problem = "is not a number: give every row a count, or leave such rows out".into();
        return Err(bad(values.len(), problem));
    }
    let read =
        |(code, text): (usize, &String)| count_of(text).map_err(|problem| bad(code, problem));
    let of_values: Vec<u64> = values.iter().enumerate().map(read).collect::<Result<_>>()?;
    Ok(column.codes().iter().map(|code| of_values[code as usize]).collect())
}

/// A count, or what is wrong with it. Whole numbers may be written as `3.0`, as data frames do, or `3e0`.
fn count_of(text: &str) -> std::result::Result<u64, String> {
    let Some(number) = Number::parse(text) else {
        return Err("is not a number; give a whole number of 0 or more".into());
    };
    if number < Number::from(0) {
        return Err("is negative; give a whole number of 0 or more".into());
    }
    if number >= Number::from(MOST_COUNT) {
        return Err(format!("is too large: a count must be below 2^48 = {MOST_COUNT}"));
    }
    let Some(count) = number.whole() else {
        return Err("is not a whole number; for fractions, give weights instead".into());
    };
    u64::try_from(count).map_err(|_| "is not a whole number".into())
}

/// Row by row, the product; the sum must stay far inside 64 bits.
fn multiplied(counts: &[u64], factors: &[u64]) -> Result<Vec<u64>> {
    let product = |(&a, &b): (&u64, &u64)| u128::from(a) * u128::from(b);
    let total: u128 = counts.iter().zip(factors).map(product).sum();
    if total == 0 {
        return Err(Error::NoWeight);
    }
    if total >= MOST_ROWS {
        return Err(Error::TooManyCounted { total, allowed: MOST_ROWS });
    }
    Ok(counts.iter().zip(factors).map(|pair| product(pair) as u64).collect())
}
