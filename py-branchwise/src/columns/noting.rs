//! Collects the values of a column, spelt as in the model where they are for a model.

use branchwise::data::{Column, ColumnBuilder, Kind};
use branchwise::encode::{Input, Levels};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// How a model spells numbers that it takes as categories. In Python 1, 1.0 and True are equal, and a
/// gap turns a column of whole numbers into one of floats: they must stay the same categories.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Spelling {
    /// As they come.
    #[default]
    AsTheyCome,
    /// `1`
    Whole,
    /// `1.0`
    Fractional,
    /// `true`
    Opposites,
}

impl Spelling {
    /// The spelling of a model's column.
    pub(super) fn of(input: &Input) -> Self {
        let Levels::Categories { values, .. } = &input.levels else { return Spelling::AsTheyCome };
        let is_word =
            |value: &String| ["true", "false"].iter().any(|word| value.eq_ignore_ascii_case(word));
        match input.kind {
            _ if !values.is_empty() && values.iter().all(is_word) => Spelling::Opposites,
            Kind::Integer | Kind::Boolean => Spelling::Whole,
            Kind::Real => Spelling::Fractional,
            Kind::Date | Kind::Text => Spelling::AsTheyCome,
        }
    }
}

/// A column of floats that are spelt as they come, which is quicker than one by one.
pub(super) fn floats(
    spelling: Spelling,
    name: &str,
    values: &Bound<'_, PyAny>,
) -> PyResult<Option<Column>> {
    let as_they_come = spelling == Spelling::AsTheyCome;
    if as_they_come && let Ok(array) = values.cast::<PyArray1<f32>>() {
        let array = array.try_readonly()?;
        let rows = array.as_array();
        refuse_infinite(rows.iter().map(|&number| number.into()))?;
        return Ok(Some(Column::from_short_floats(name, rows.iter().copied())));
    }
    if !as_they_come && spelling != Spelling::Fractional {
        return Ok(None);
    }
    let Ok(array) = values.cast::<PyArray1<f64>>() else { return Ok(None) };
    let array = array.try_readonly()?;
    let rows = array.as_array();
    refuse_infinite(rows.iter().copied())?;
    Ok(Some(Column::from_floats(name, rows.iter().copied())))
}

fn refuse_infinite(mut numbers: impl Iterator<Item = f64>) -> PyResult<()> {
    if numbers.any(f64::is_infinite) { Err(infinite()) } else { Ok(()) }
}

/// A column that is being written down.
pub(super) struct Noting {
    builder: ColumnBuilder,
    spelling: Spelling,
}

/// Floats below this are exact as whole numbers.
const EXACT: f64 = 9e15;

impl Noting {
    pub(super) fn new(spelling: Spelling) -> Self {
        Noting { builder: ColumnBuilder::default(), spelling }
    }

    pub(super) fn missing(&mut self) -> PyResult<()> {
        let value = self.builder.missing();
        self.builder.push(value);
        Ok(())
    }

    pub(super) fn text(&mut self, text: &str) -> PyResult<()> {
        let value = self.builder.text(text);
        self.builder.push(value);
        Ok(())
    }

    pub(super) fn float(&mut self, number: f64) -> PyResult<()> {
        if number.is_infinite() {
            return Err(infinite());
        }
        let value = match self.spelling {
            Spelling::Whole if number.fract() == 0.0 && number.abs() < EXACT => {
                self.builder.integer(number as i64)
            }
            Spelling::Opposites if number == 0.0 || number == 1.0 => {
                self.builder.boolean(number == 1.0)
            }
            _ => self.builder.float(number),
        };
        self.builder.push(value);
        Ok(())
    }

    pub(super) fn short_float(&mut self, number: f32) -> PyResult<()> {
        if self.spelling != Spelling::AsTheyCome || !number.is_finite() {
            return self.float(number.into());
        }
        let value = self.builder.short_float(number);
        self.builder.push(value);
        Ok(())
    }

    pub(super) fn integer(&mut self, number: i64) -> PyResult<()> {
        let value = match (self.spelling, number) {
            (Spelling::Fractional, _) => self.builder.float(number as f64),
            (Spelling::Opposites, 0 | 1) => self.builder.boolean(number == 1),
            _ => self.builder.integer(number),
        };
        self.builder.push(value);
        Ok(())
    }

    pub(super) fn large_integer(&mut self, number: u64) -> PyResult<()> {
        match i64::try_from(number) {
            Ok(number) => self.integer(number),
            Err(_) => self.text(&number.to_string()),
        }
    }

    pub(super) fn boolean(&mut self, is_so: bool) -> PyResult<()> {
        match self.spelling {
            Spelling::Whole | Spelling::Fractional => self.integer(is_so.into()),
            Spelling::AsTheyCome | Spelling::Opposites => {
                let value = self.builder.boolean(is_so);
                self.builder.push(value);
                Ok(())
            }
        }
    }

    pub(super) fn finish(self, name: String) -> Column {
        self.builder.finish(name)
    }
}

/// In scikit-learn's words, which its users know.
pub(super) fn infinite() -> pyo3::PyErr {
    PyValueError::new_err("Input X contains infinity or a value too large for dtype('float64').")
}
