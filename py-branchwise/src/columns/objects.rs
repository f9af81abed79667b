//! Python's own objects: text, numbers, dates and whatever else a column may hold.

use super::noting::Noting;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyString};

impl Noting {
    /// Write an object down; returns whether it is a word rather than a number, a date or nothing.
    pub(super) fn object(&mut self, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        if let Ok(text) = value.cast::<PyString>() {
            self.text(&text.to_string_lossy())?;
            return Ok(true);
        }
        if value.is_none() {
            self.missing()?;
        } else if let Ok(number) = value.cast::<PyFloat>() {
            self.float(number.value())?;
        } else if let Ok(is_so) = value.cast::<PyBool>() {
            self.boolean(is_so.is_true())?;
        } else if let Ok(number) = value.cast::<PyInt>() {
            match number.extract::<i64>() {
                Ok(number) => self.integer(number)?,
                Err(_) => self.text(&number.str()?.to_string_lossy())?,
            }
        } else {
            return self.other(value);
        }
        Ok(false)
    }

    /// An object of a class that is not built in.
    fn other(&mut self, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let class = value.get_type().name()?;
        match class.to_string_lossy().as_ref() {
            "NAType" | "NaTType" => self.missing()?,
            // A decimal is a number in words.
            "Decimal" => match value.call_method0("is_nan")?.extract()? {
                true => self.missing()?,
                false => self.text(&value.str()?.to_string_lossy())?,
            },
            "datetime64" => match value.str()?.to_string_lossy().as_ref() {
                "NaT" => self.missing()?,
                moment => self.text(moment)?,
            },
            "bytes" => {
                let bytes = value.cast::<PyBytes>()?;
                self.text(&String::from_utf8_lossy(bytes.as_bytes()))?;
                return Ok(true);
            }
            // A date, a time, or one of pandas.
            _ if value.hasattr("isoformat")? => {
                let text = value.call_method0("isoformat")?.str()?;
                self.text(&text.to_string_lossy())?;
            }
            // A number or a truth value of NumPy.
            _ if value.hasattr("item")? && value.hasattr("dtype")? => {
                return self.object(&value.call_method0("item")?);
            }
            _ => {
                self.text(&value.str()?.to_string_lossy())?;
                return Ok(true);
            }
        }
        Ok(false)
    }
}
