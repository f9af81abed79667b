//! Columns on their way from Python to the library.
//!
//! Each column is passed as a whole, as a NumPy array or an Arrow stream, and read here, without any loop
//! in Python. [`Noting`] collects its values; what its type says about it is stored beside them.

mod noting;
mod objects;
mod stream;

use crate::model::Model;
use branchwise::Builtin;
use branchwise::data::{Column, ColumnBuilder, Selection, Types, ValueId};
use noting::{Noting, Spelling};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// What a column's type says about its values, beyond what they look like.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Said {
    /// Nothing.
    Nothing,
    /// They are text, equal or not.
    Text,
    /// They have this order.
    Ordered(Vec<String>),
}

/// Columns of one table.
#[pyclass(module = "branchwise._core")]
#[derive(Default)]
pub(crate) struct Columns {
    columns: Vec<Column>,
    said: Vec<Said>,
    /// How a model spells the values of its columns, where these are for a model.
    spellings: Vec<Spelling>,
}

#[pymethods]
impl Columns {
    /// No columns yet; they are to be those of `like`, in its order.
    #[new]
    #[pyo3(signature = (like=None))]
    fn new(like: Option<&Model>) -> Self {
        let spellings =
            like.map(|model| model.encoder().inputs().iter().map(Spelling::of).collect());
        Columns { spellings: spellings.unwrap_or_default(), ..Columns::default() }
    }

    /// Add a column of numbers or truth values.
    fn add_numbers(&mut self, name: String, values: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Some(column) = noting::floats(self.spelling(), &name, values)? {
            return self.add(column, Said::Nothing);
        }
        let mut noting = self.noting();
        macro_rules! each {
            ($($type:ty => $note:expr),+ $(,)?) => {
                $(if let Ok(array) = values.cast::<PyArray1<$type>>() {
                    let array = array.try_readonly()?;
                    let note: fn(&mut Noting, $type) -> PyResult<()> = $note;
                    array.as_array().iter().try_for_each(|&value| note(&mut noting, value))?;
                    return self.add(noting.finish(name), Said::Nothing);
                })+
            };
        }
        each! {
            f64 => |noting, number| noting.float(number),
            f32 => |noting, number| noting.short_float(number),
            i64 => |noting, number| noting.integer(number),
            i32 => |noting, number| noting.integer(number.into()),
            i16 => |noting, number| noting.integer(number.into()),
            i8 => |noting, number| noting.integer(number.into()),
            u8 => |noting, number| noting.integer(number.into()),
            u16 => |noting, number| noting.integer(number.into()),
            u32 => |noting, number| noting.integer(number.into()),
            u64 => |noting, number| noting.large_integer(number),
            bool => |noting, is_so| noting.boolean(is_so),
        }
        let found = values.getattr("dtype")?;
        let message = format!("the column \"{name}\" has values of type {found}, not numbers");
        Err(PyTypeError::new_err(message))
    }

    /// Add a column of moments: numbers of units since the beginning of 1970, each unit of this many
    /// nanoseconds. The least integer is no moment.
    fn add_moments(
        &mut self,
        name: String,
        values: PyReadonlyArray1<'_, i64>,
        nanoseconds: i64,
    ) -> PyResult<()> {
        let mut builder = ColumnBuilder::default();
        for &value in values.as_array() {
            let value = match value {
                i64::MIN => builder.missing(),
                value => builder.moment(i128::from(value) * i128::from(nanoseconds), false),
            };
            builder.push(value);
        }
        self.add(builder.finish(name), Said::Nothing)
    }

    /// Add a column of Python's objects.
    fn add_objects(
        &mut self,
        name: String,
        values: PyReadonlyArray1<'_, Py<PyAny>>,
    ) -> PyResult<()> {
        let py = values.py();
        let mut noting = self.noting();
        let mut has_words = false;
        for value in values.as_array() {
            has_words |= noting.object(value.bind(py))?;
        }
        let said = if has_words { Said::Text } else { Said::Nothing };
        self.add(noting.finish(name), said)
    }

    /// Add a column of categories: for each row the number of one, or a negative number for none. The
    /// categories are the rows of a column by itself.
    fn add_categories(
        &mut self,
        name: String,
        codes: PyReadonlyArray1<'_, i64>,
        categories: &Columns,
        ordered: bool,
    ) -> PyResult<()> {
        let [entries] = categories.columns.as_slice() else {
            return Err(PyValueError::new_err("categories are one column"));
        };
        let texts: Vec<Option<&str>> =
            (0..entries.codes().len()).map(|row| entries.value(row)).collect();
        let mut builder = ColumnBuilder::default();
        let missing = builder.missing();
        let ids: Vec<ValueId> =
            texts.iter().map(|text| builder.text(text.unwrap_or_default())).collect();
        for &code in codes.as_array() {
            let id = usize::try_from(code).ok().and_then(|code| ids.get(code).copied());
            builder.push(id.unwrap_or(missing));
        }
        let order = || texts.iter().flatten().map(|text| text.to_string()).collect();
        let said = if ordered { Said::Ordered(order()) } else { Said::Text };
        self.add(builder.finish(name), said)
    }

    /// Add the columns of an object with an Arrow stream.
    fn add_stream(&mut self, table: &Bound<'_, PyAny>) -> PyResult<()> {
        for (column, said) in stream::read(table)? {
            self.add(column, said)?;
        }
        Ok(())
    }

    /// The columns of a built-in table, the one to predict last.
    #[staticmethod]
    fn builtin(name: &str) -> PyResult<Self> {
        let Some(builtin) = Builtin::from_name(name) else {
            let names = Builtin::ALL.map(Builtin::name).join(", ");
            let message = format!("there is no built-in table \"{name}\"; there are {names}");
            return Err(PyValueError::new_err(message));
        };
        let mut columns = Columns::default();
        for column in builtin.table().into_columns() {
            columns.add(column, Said::Text)?;
        }
        Ok(columns)
    }

    /// The names of the columns.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.columns.iter().map(Column::name).collect()
    }

    /// The number of columns.
    fn __len__(&self) -> usize {
        self.columns.len()
    }

    /// The number of rows.
    #[getter]
    fn n_rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.codes().len())
    }

    /// The names of the columns in which some row has no value.
    #[getter]
    fn lacking(&self) -> Vec<&str> {
        self.columns.iter().filter(|c| c.has_missing()).map(Column::name).collect()
    }

    /// The values of a column, row by row, as they are written.
    fn texts(&self, column: usize) -> Vec<Option<&str>> {
        let Some(column) = self.columns.get(column) else { return Vec::new() };
        (0..column.codes().len()).map(|row| column.value(row)).collect()
    }
}

impl Columns {
    /// How the next column is spelt.
    fn spelling(&self) -> Spelling {
        self.spellings.get(self.columns.len()).copied().unwrap_or_default()
    }

    fn noting(&self) -> Noting {
        Noting::new(self.spelling())
    }

    fn add(&mut self, column: Column, said: Said) -> PyResult<()> {
        let (rows, name) = (column.codes().len(), column.name());
        if !self.columns.is_empty() && rows != self.n_rows() {
            let n_rows = self.n_rows();
            let message = format!("the column \"{name}\" has {rows} rows, those before {n_rows}");
            return Err(PyValueError::new_err(message));
        }
        self.columns.push(column);
        self.said.push(said);
        Ok(())
    }

    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// What the columns of these names are: by their types, or by the user's word on which are
    /// categories, all others being what they look like. A column that names its rows is left out if its
    /// type alone says that it is text, and asked about if the user does.
    pub(crate) fn types(&self, names: &[String], categorical: Option<&[bool]>) -> Types {
        let mut types = Types::default();
        let mut categories = Vec::new();
        for (place, (name, said)) in names.iter().zip(&self.said).enumerate() {
            match categorical.map(|mask| mask.get(place).copied().unwrap_or(false)) {
                Some(true) => categories.push(name.clone()),
                Some(false) => {}
                None => match said {
                    Said::Nothing => {}
                    Said::Text => types.text.push(name.clone()),
                    Said::Ordered(order) => types.ordered.push((name.clone(), order.clone())),
                },
            }
        }
        types.categorical = Selection::Named(categories);
        types
    }
}
