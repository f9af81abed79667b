//! A column of floats: each distinct float is written as text once, and not parsed again.
//!
//! A float means its shortest decimal form. That form gives the float back, so floats are in order as their
//! texts are, and equal where their texts are: rows can be told apart by bits, values sorted as floats, and
//! only what is left is written. The column is the one that [`ColumnBuilder`](super::ColumnBuilder) makes.

use super::interner::Interner;
use crate::data::{Codes, Column, Kind};
use std::cmp::Ordering;

impl Column {
    /// A column of floats, by their shortest decimal forms. What is not a number is missing.
    ///
    /// ```
    /// use branchwise::data::Column;
    /// let ages = Column::from_floats("age", [41.5, f64::NAN, 8.0, 41.5]);
    /// assert_eq!((ages.value(0), ages.value(1), ages.values().len()), (Some("41.5"), None, 2));
    /// ```
    pub fn from_floats(name: impl Into<String>, rows: impl IntoIterator<Item = f64>) -> Column {
        of_floats(name.into(), rows.into_iter(), |number| format!("{number:?}"))
    }

    /// The same of floats of 32 bits, by their own shortest decimal forms.
    pub fn from_short_floats(
        name: impl Into<String>,
        rows: impl IntoIterator<Item = f32>,
    ) -> Column {
        let rows = rows.into_iter().map(f64::from);
        of_floats(name.into(), rows, |number| format!("{:?}", number as f32))
    }
}

fn of_floats(
    name: String,
    rows: impl Iterator<Item = f64>,
    spell: impl Fn(f64) -> String,
) -> Column {
    let (mut distinct, codes) = distinct(rows);
    distinct.sort_unstable_by(|&(a, _), &(b, _)| by_size(a, b));
    let mut rank = vec![0; distinct.len()];
    for (new, &(_, old)) in (0..).zip(&distinct) {
        rank[old as usize] = new;
    }
    // One that is not a number is the last, as a missing value's code is.
    let has_missing = distinct.pop_if(|(number, _)| number.is_nan()).is_some();
    let values: Vec<String> = distinct.iter().map(|&(number, _)| spell(number)).collect();
    // Every finite float is written with a point or a power.
    let are_real = distinct.last().is_some_and(|(number, _)| number.is_finite());
    let kind = if are_real { Kind::Real } else { Kind::of(values.iter().map(String::as_str)) };
    Column::in_order(name, kind, values, codes.translated(&rank), has_missing)
}

/// The distinct floats with their codes, and the code of each row.
fn distinct(rows: impl Iterator<Item = f64>) -> (Vec<(f64, u32)>, Codes) {
    let (mut distinct, mut interner) = (Vec::new(), Interner::default());
    let mut codes = Codes::default();
    for number in rows {
        // Without the sign of −0, and with one way not to be a number.
        let number = if number.is_nan() { f64::NAN } else { number + 0.0 };
        let bits = number.to_bits().into();
        let code = interner.find(bits).unwrap_or_else(|| {
            let code = distinct.len() as u32;
            distinct.push((number, code));
            interner.insert(bits, code);
            code
        });
        codes.push(code);
    }
    (distinct, codes)
}

/// Numbers by size, then words by spelling: `-inf`, `inf`. NaN comes last.
fn by_size(a: f64, b: f64) -> Ordering {
    let class = |number: f64| (number.is_nan(), number.is_infinite());
    class(a).cmp(&class(b)).then_with(|| a.total_cmp(&b))
}

#[cfg(test)]
mod tests {
    use super::super::ColumnBuilder;
    use super::*;

    /// The column as it would be value by value.
    fn built<T: Copy>(
        rows: &[T],
        note: fn(&mut ColumnBuilder, T) -> super::super::ValueId,
    ) -> Column {
        let mut builder = ColumnBuilder::default();
        for &row in rows {
            let value = note(&mut builder, row);
            builder.push(value);
        }
        builder.finish("x")
    }

    fn assert_same(found: &Column, expected: &Column) {
        assert_eq!(found.values(), expected.values());
        assert_eq!(
            found.codes().iter().collect::<Vec<_>>(),
            expected.codes().iter().collect::<Vec<_>>()
        );
        assert_eq!((found.kind(), found.has_missing()), (expected.kind(), expected.has_missing()));
    }

    #[test]
    fn floats_are_what_a_builder_makes_of_them() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let odd = [0.1, -0.0, 0.0, 1e16, 1e-7, 123456789.0, 5e-324, f64::MAX, -1.5, 0.1 + 0.2, 0.3];
        for rows in
            [&[][..], &[nan], &[inf], &[1.0, 0.0], &[2.0, nan, -nan, 1.0], &[inf, 1.0, -inf, nan]]
        {
            assert_same(
                &Column::from_floats("x", rows.to_vec()),
                &built(rows, ColumnBuilder::float),
            );
        }
        // Bits of all kinds: numbers of any size, and some that are none.
        let mixed = |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (n << 7);
        let rows: Vec<f64> =
            odd.into_iter().chain((0..500).map(|n| f64::from_bits(mixed(n)))).collect();
        let twice = [rows.clone(), rows].concat();
        assert_same(&Column::from_floats("x", twice.clone()), &built(&twice, ColumnBuilder::float));
        let short: Vec<f32> = twice.iter().map(|&x| x as f32).collect();
        let expected = built(&short, ColumnBuilder::short_float);
        assert_same(&Column::from_short_floats("x", short), &expected);
    }
}
