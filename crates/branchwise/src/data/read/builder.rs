//! A column that grows value by value, for tables that are in memory already.

use super::dictionary::{Dictionaries, Dictionary};
use super::interner::Interner;
use crate::data::column::RawColumn;
use crate::data::location::Location;
use crate::data::{Codes, Column, MissingValues, date};

/// A column that grows value by value. Values are written as the readers of files write them, so that
/// a table is the same table wherever it comes from.
///
/// A value is registered first, which gives its number, and then pushed for each row that has it:
///
/// ```
/// use branchwise::data::ColumnBuilder;
/// let mut ages = ColumnBuilder::default();
/// for age in [Some(41.5), None, Some(41.5)] {
///     let value = match age {
///         Some(age) => ages.float(age),
///         None => ages.missing(),
///     };
///     ages.push(value);
/// }
/// let column = ages.finish("age");
/// assert_eq!((column.value(0), column.value(1), column.values().len()), (Some("41.5"), None, 1));
/// ```
pub struct ColumnBuilder {
    dictionaries: Dictionaries,
    interner: Interner,
    codes: Codes,
}

/// A value of a column that is being built, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueId(u32);

/// What bits stand for: the same bits are different values as a float and as an integer.
#[derive(Clone, Copy)]
enum Bits {
    Integer = 1,
    Float = 2,
    ShortFloat = 3,
    Moment = 4,
    UtcMoment = 5,
}

impl Default for ColumnBuilder {
    fn default() -> Self {
        let dictionaries = Dictionaries::new(1);
        ColumnBuilder { dictionaries, interner: Interner::default(), codes: Codes::default() }
    }
}

impl ColumnBuilder {
    /// A text, without the blanks around it. An empty one is missing.
    pub fn text(&mut self, text: &str) -> ValueId {
        // Values of tables in memory have no line number.
        const NOWHERE: Location = Location { file: 0, line: 0 };
        ValueId(self.dictionaries.code(0, text.trim_ascii().as_bytes(), NOWHERE))
    }

    /// No value.
    pub fn missing(&mut self) -> ValueId {
        self.text("")
    }

    /// A float, by its shortest decimal form. What is not a number is missing.
    pub fn float(&mut self, number: f64) -> ValueId {
        if number.is_nan() {
            return self.missing();
        }
        let number = number + 0.0; // Without the sign of −0.
        self.spelt(Bits::Float, number.to_bits(), || format!("{number:?}"))
    }

    /// A float of 32 bits, by its own shortest decimal form.
    pub fn short_float(&mut self, number: f32) -> ValueId {
        if number.is_nan() {
            return self.missing();
        }
        let number = number + 0.0;
        self.spelt(Bits::ShortFloat, number.to_bits().into(), || format!("{number:?}"))
    }

    /// A whole number.
    pub fn integer(&mut self, number: i64) -> ValueId {
        self.spelt(Bits::Integer, number as u64, || number.to_string())
    }

    /// One of two opposites.
    pub fn boolean(&mut self, is_so: bool) -> ValueId {
        self.text(if is_so { "true" } else { "false" })
    }

    /// A moment, in nanoseconds since the beginning of 1970, as it stands or in UTC.
    pub fn moment(&mut self, nanoseconds: i128, is_utc: bool) -> ValueId {
        let what = if is_utc { Bits::UtcMoment } else { Bits::Moment };
        match i64::try_from(nanoseconds) {
            // The few before 1678 and after 2262 are written out every time.
            Ok(bits) => self.spelt(what, bits as u64, || date::show(nanoseconds, is_utc)),
            Err(_) => self.text(&date::show(nanoseconds, is_utc)),
        }
    }

    fn spelt(&mut self, what: Bits, bits: u64, spell: impl FnOnce() -> String) -> ValueId {
        let key = (what as u128) << 64 | u128::from(bits);
        if let Some(code) = self.interner.find(key) {
            return ValueId(code);
        }
        let value = self.text(&spell());
        self.interner.insert(key, value.0);
        value
    }

    /// The next row has this value.
    pub fn push(&mut self, value: ValueId) {
        self.codes.push(value.0);
    }

    /// The column, all of whose rows have been pushed. Values that no row has are left out.
    pub fn finish(self, name: impl Into<String>) -> Column {
        let dictionary = self.dictionaries.into_columns().pop().unwrap_or_default();
        let Dictionary { values, .. } = dictionary;
        let mut used = vec![false; values.len()];
        self.codes.iter().for_each(|code| used[code as usize] = true);
        let (name, locations) = (name.into(), Vec::new());
        let (values, codes) = match used.contains(&false) {
            false => (values, self.codes),
            true => without_unused(values, self.codes, &used),
        };
        let raw = RawColumn { name, values, codes, locations };
        Column::assemble(raw, &MissingValues::new([""; 0]))
    }
}

fn without_unused(values: Vec<String>, codes: Codes, used: &[bool]) -> (Vec<String>, Codes) {
    let mut next = 0..;
    let new: Vec<u32> = used
        .iter()
        .map(|&used| if used { next.next() } else { None }.unwrap_or_default())
        .collect();
    let kept = values.into_iter().zip(used).filter(|(_, used)| **used).map(|(value, _)| value);
    (kept.collect(), codes.translated(&new))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Kind;

    fn built(fill: impl FnOnce(&mut ColumnBuilder) -> Vec<ValueId>) -> Column {
        let mut builder = ColumnBuilder::default();
        let rows = fill(&mut builder);
        rows.into_iter().for_each(|value| builder.push(value));
        builder.finish("x")
    }

    fn rows(column: &Column) -> Vec<Option<&str>> {
        (0..column.codes().len()).map(|row| column.value(row)).collect()
    }

    #[test]
    fn values_are_written_as_readers_write_them() {
        let floats = built(|b| vec![b.float(1.0), b.float(-0.0), b.float(f64::NAN), b.float(0.1)]);
        assert_eq!(rows(&floats), [Some("1.0"), Some("0.0"), None, Some("0.1")]);
        assert_eq!((floats.kind(), floats.has_missing()), (Kind::Real, true));
        let short = built(|b| vec![b.short_float(0.1), b.short_float(1e10)]);
        assert_eq!(rows(&short), [Some("0.1"), Some("10000000000.0")]);
        let mixed = built(|b| vec![b.integer(1), b.float(f64::from_bits(1)), b.boolean(true)]);
        assert_eq!(rows(&mixed), [Some("1"), Some("5e-324"), Some("true")]);
        let day = 86_400_000_000_000;
        let days = built(|b| vec![b.moment(day, false), b.moment(-day, false), b.moment(1, true)]);
        let expected = ["1970-01-02", "1969-12-31", "1970-01-01T00:00:00.000000001Z"];
        assert_eq!(rows(&days), expected.map(Some));
        assert_eq!(days.kind(), Kind::Date);
        let texts = built(|b| vec![b.text(" NA "), b.text("  "), b.text("1"), b.integer(1)]);
        assert_eq!(rows(&texts), [Some("NA"), None, Some("1"), Some("1")]);
    }

    #[test]
    fn values_that_no_row_has_are_left_out() {
        let column = built(|b| {
            let all = ["d", "c", "b", "a"].map(|text| b.text(text));
            vec![all[2], all[0], all[2]]
        });
        assert_eq!(column.values(), ["b", "d"]);
        assert_eq!(rows(&column), ["b", "d", "b"].map(Some));
    }
}
