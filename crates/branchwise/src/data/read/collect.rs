//! Rows from any reader, of one file or several, become a [`Table`].
//!
//! The first line of text may be a header. Unless the user says whether it is, that is decided at the end
//! of the first file, when all of its values are known ([`header`]). Until then the line is set aside.

use super::dictionary::{Dictionaries, Dictionary};
use super::header::{self, Verdict};
use super::header_guess::HeaderGuess;
use super::meter::Meter;
use super::rows::Rows;
use super::{Header, ReadOptions};
use crate::data::Table;
use crate::data::column::{Column, RawColumn};
use crate::data::location::{Files, Location};
use crate::error::{Error, FileError, Result, quoted};
use crate::text::brief;
use std::sync::Arc;

/// The most columns that a table can have.
pub(crate) const MOST_COLUMNS: usize = 1 << 16;

/// Bytes needed to put one value in order.
const BYTES_TO_SORT: usize = 100;

/// A table that is being read.
pub(super) struct Collector<'o> {
    options: &'o ReadOptions,
    /// The first line of the first file.
    first: Option<FirstLine>,
    names: Names,
    /// Why the first line was taken as it was, where that is a guess.
    guess: Option<HeaderGuess>,
    /// For each column of the file, the one of `dictionaries` that keeps it.
    slots: Vec<Option<u32>>,
    dictionaries: Dictionaries,
    rows: Rows,
    file: u32,
    /// Lines or rows of all files.
    n_read: u64,
    /// Rows until the limits are checked again.
    until_look: u64,
    taker: Option<Taker<'o>>,
    /// How often rows were handed over.
    n_handed_over: u64,
    meter: Meter<'o>,
}

/// Takes the rows part by part while they are read: `most` rows at a time, or somewhat more.
pub(super) struct Taker<'o> {
    pub(super) most: usize,
    pub(super) take: &'o mut dyn FnMut(Table) -> Result<()>,
}

struct FirstLine {
    values: Vec<String>,
    location: Location,
}

/// Whether columns have names.
enum Names {
    /// That is decided at the end of the first file.
    Undecided,
    /// These.
    Given(Vec<String>),
    /// They have none.
    Absent,
}

impl<'o> Collector<'o> {
    /// The number of values read between two checks of the limits: well below a hundredth of a second.
    const BETWEEN_LOOKS: u64 = 1 << 16;

    pub(super) fn new(
        options: &'o ReadOptions,
        meter: Meter<'o>,
        taker: Option<Taker<'o>>,
    ) -> Self {
        Collector {
            options,
            meter,
            first: None,
            names: Names::Undecided,
            guess: None,
            slots: Vec::new(),
            dictionaries: Dictionaries::default(),
            rows: Rows::default(),
            file: 0,
            n_read: 0,
            until_look: 0,
            taker,
            n_handed_over: 0,
        }
    }

    /// Hand over the rows read so far, if they are taken part by part and there are enough of them. Codes
    /// that were given out before are no longer valid.
    #[inline]
    pub(super) fn breathe(&mut self) -> Result<()> {
        match &self.taker {
            Some(taker) if self.rows.len() >= taker.most => self.hand_over(),
            _ => Ok(()),
        }
    }

    /// How often rows were handed over. When it changes, codes that were kept must be forgotten.
    #[cfg(feature = "batches")]
    pub(super) fn n_handed_over(&self) -> u64 {
        self.n_handed_over
    }

    fn hand_over(&mut self) -> Result<()> {
        // Only the end of the first file shows whether its first line is a header.
        if matches!(self.names, Names::Undecided) {
            return Ok(());
        }
        let files = Arc::new(Files { names: Vec::new(), unit: "row" });
        let table = self.table(&files)?;
        self.n_handed_over += 1;
        self.taker.as_mut().map_or(Ok(()), |taker| (taker.take)(table))
    }

    /// Hand over the rest, even if it is a header without rows: a table to be answered may be empty.
    pub(super) fn finish_handing_over(mut self) -> Result<Verdict> {
        let verdict = match self.refuse_nothing() {
            Err(Error::File(FileError::HeaderOnly)) => {
                Verdict { is_header: true, guess: self.guess }
            }
            other => other?,
        };
        if self.rows.len() > 0 || self.n_read == 0 {
            self.hand_over()?;
        }
        Ok(verdict)
    }

    /// The most bytes that the process may hold, if they are limited.
    #[cfg(feature = "batches")]
    pub(super) fn memory_limit(&self) -> Option<u64> {
        self.meter.memory_limit()
    }

    /// What counts the bytes that are read.
    pub(super) fn meter(&self) -> &Meter<'o> {
        &self.meter
    }

    /// The number of columns; 0 before the first line.
    pub(super) fn width(&self) -> usize {
        self.slots.len()
    }

    /// A line or row of the file that is being read.
    pub(super) fn location(&self, line: u64) -> Location {
        Location { file: self.file, line }
    }

    /// The names of columns in a file that has them: they begin a table, or must be those of the
    /// files before.
    pub(super) fn names(&mut self, found: &[String]) -> Result<()> {
        if self.slots.is_empty() {
            self.begin(found, true)?;
            self.names = Names::Given(found.to_vec());
            return Ok(());
        }
        let Names::Given(names) = &self.names else {
            return Err(FileError::OtherColumns {
                problem: "the files before have no names".into(),
            }
            .into());
        };
        let differs = |(position, (name, found)): (usize, (&String, &String))| {
            (name != found).then(|| {
                let column = position + 1;
                let (found, name) = (brief(found), brief(name));
                format!("column {column} is called \"{found}\", in the files before \"{name}\"")
            })
        };
        let problem = if names.len() == found.len() {
            names.iter().zip(found).enumerate().find_map(differs)
        } else {
            let (found, names) = (found.len(), names.len());
            Some(format!("there are {found} columns, in the files before {names}"))
        };
        problem.map_or(Ok(()), |problem| Err(FileError::OtherColumns { problem }.into()))
    }

    /// Take the first line of a text. Returns whether it was used up; otherwise it is a row.
    pub(super) fn first_line(&mut self, values: Vec<String>, line: u64) -> Result<bool> {
        if !self.slots.is_empty() {
            return match &self.names {
                Names::Given(_) => self.names(&values).map(|()| true),
                _ => Ok(false),
            };
        }
        let is_header = match &self.options.header {
            Header::Detect => {
                // Columns are rarely named by numbers, so a number means a position.
                let may_name = values.iter().any(|value| value.parse::<f64>().is_err());
                self.begin(&values, may_name)?;
                self.first = Some(FirstLine { values, location: self.location(line) });
                return Ok(true);
            }
            Header::Present => true,
            Header::Absent => false,
            Header::Naming { needed, known } => {
                let has = |names: &[String]| {
                    !names.is_empty() && names.iter().all(|name| values.contains(name))
                };
                let comes_again = |(place, value)| values[..place].contains(value);
                let may_be_names = !values.iter().enumerate().any(comes_again);
                let n_known = values.iter().filter(|value| known.contains(value)).count();
                (may_be_names && has(needed)) || has(known) || 2 * n_known >= values.len()
            }
        };
        if is_header {
            return self.names(&values).map(|()| true);
        }
        self.begin(&values, false)?;
        self.names = Names::Absent;
        Ok(false)
    }

    /// Make room for the columns that are kept: those whose name or position is not to be skipped.
    fn begin(&mut self, first: &[String], may_name: bool) -> Result<()> {
        let mut skipped = vec![false; first.len()];
        for skip in &self.options.skip {
            let Some(position) = place_to_skip(skip, first, may_name) else {
                let (wanted, present) = (skip.clone(), quoted(first));
                return Err(Error::NoSuchColumn { wanted, what_for: "to ignore", present });
            };
            skipped[position] = true;
        }
        let mut slots = 0..;
        let slot = |&skipped: &bool| if skipped { None } else { slots.next() };
        self.slots = skipped.iter().map(slot).collect();
        let n_kept = self.slots.iter().flatten().count();
        if n_kept == 0 {
            return Err(Error::NoTargetLeft);
        }
        self.dictionaries = Dictionaries::new(n_kept);
        self.rows = Rows::new(n_kept, self.options.merge);
        Ok(())
    }

    /// Begin a row: the list to which the codes of kept columns are added, and the dictionaries.
    #[inline]
    pub(super) fn row(&mut self) -> (&mut Vec<u32>, &mut Dictionaries, &[Option<u32>]) {
        (self.rows.row(), &mut self.dictionaries, &self.slots)
    }

    /// The row has as many codes as there are kept columns.
    #[inline]
    pub(super) fn end_row(&mut self) -> Result<()> {
        self.n_read += 1;
        if self.until_look == 0 {
            self.look(0)?;
        }
        self.until_look -= 1;
        self.rows.end_row()
    }

    /// Report progress, and stop if a limit is reached, or would be reached by `more` bytes and the rows
    /// until the next check.
    pub(super) fn look(&mut self, more: usize) -> Result<()> {
        self.until_look = (Self::BETWEEN_LOOKS / self.slots.len().max(1) as u64).max(1);
        self.meter.note(self.n_read, self.rows.len() as u64);
        let growth = if self.meter.memory_limit().is_some() {
            let rows = self.until_look as usize;
            self.rows.growth(rows) + self.dictionaries.growth(rows)
        } else {
            0
        };
        self.meter.check(self.n_read, more.saturating_add(growth))
    }

    /// Add a row of text.
    fn push_row(&mut self, values: &[String], location: Location) -> Result<()> {
        for (position, value) in values.iter().enumerate() {
            if let Some(slot) = self.slots[position] {
                let code = self.dictionaries.code(slot as usize, value.as_bytes(), location);
                self.rows.row().push(code);
            }
        }
        self.end_row()
    }

    /// End the file. After the first one, it is decided whether there is a header.
    pub(super) fn end_file(&mut self) -> Result<()> {
        self.file += 1;
        if !matches!(self.names, Names::Undecided) {
            return Ok(());
        }
        let Some(FirstLine { values, location }) = self.first.take() else {
            return Err(FileError::EmptyTable.into());
        };
        let below = |position: usize| {
            self.slots[position].map(|slot| self.dictionaries.column(slot as usize))
        };
        let Verdict { is_header, guess } = header::judge(&values, below, self.options);
        self.guess = guess;
        self.refuse_other_skips(&values, is_header)?;
        if is_header {
            self.names = Names::Given(values);
            return Ok(());
        }
        self.names = Names::Absent;
        self.rows.next_is_first();
        self.push_row(&values, location)
    }

    /// Columns are skipped before it is known whether the first line names them. Refuse what would then
    /// have skipped another column.
    fn refuse_other_skips(&self, first: &[String], is_header: bool) -> Result<()> {
        let is_other = |skip: &&String| {
            let place = place_to_skip(skip, first, is_header);
            place.is_none_or(|position| self.slots[position].is_some())
        };
        match self.options.skip.iter().find(is_other) {
            Some(skip) => Err(Error::NameOrPosition { wanted: skip.clone() }),
            None => Ok(()),
        }
    }

    /// The table, and whether it has a header.
    pub(super) fn finish(mut self, files: Files) -> Result<(Table, Verdict)> {
        let verdict = self.refuse_nothing()?;
        Ok((self.table(&Arc::new(files))?, verdict))
    }

    /// Whether the columns have names; an error if nothing was read.
    fn refuse_nothing(&self) -> Result<Verdict> {
        let is_header = matches!(self.names, Names::Given(_));
        match (self.n_read, is_header) {
            (0, true) => Err(FileError::HeaderOnly.into()),
            (0, false) => Err(FileError::EmptyTable.into()),
            _ => Ok(Verdict { is_header, guess: self.guess }),
        }
    }

    /// What was read as a table; the next row begins another one.
    fn table(&mut self, files: &Arc<Files>) -> Result<Table> {
        let width = self.slots.len();
        let (kept, left_out): (Vec<usize>, Vec<usize>) =
            (0..width).partition(|&position| self.slots[position].is_some());
        let rows = Rows::new(kept.len(), self.options.merge);
        let (codes, n_rows, counts) = std::mem::replace(&mut self.rows, rows).finish();
        let empty = Dictionaries::new(kept.len());
        let dictionaries = std::mem::replace(&mut self.dictionaries, empty);
        let names = match &self.names {
            Names::Given(names) => Some(names),
            _ => None,
        };
        let name_of = |position: usize| match names {
            Some(names) => names[position].clone(),
            None => format!("x{}", position + 1),
        };
        let skipped = left_out.into_iter().map(|place| (place, name_of(place))).collect();
        let parts = kept.into_iter().zip(dictionaries.into_columns().into_iter().zip(codes));
        let mut columns: Vec<Column> = Vec::with_capacity(parts.len());
        for (position, (dictionary, codes)) in parts {
            let Dictionary { values, locations, .. } = dictionary;
            // Sorting values needs keys, an order and a new list; codes are translated.
            self.meter.check(self.n_read, BYTES_TO_SORT * values.len() + 4 * codes.len())?;
            let raw = RawColumn { name: name_of(position), values, codes, locations };
            let column = Column::assemble(raw, &self.options.missing);
            columns.push(column.at_position(position).read_from(files));
        }
        if names.is_some() {
            refuse_equal_names(&columns)?;
        }
        let counts = counts.filter(|counts| counts.iter().any(|&count| count > 1));
        Ok(Table { columns, n_rows, named: names.is_some(), width, skipped, counts })
    }
}

/// The place of a column that is to be skipped: by name, if the first line may hold names, or else by
/// position counted from 1, also as the `x1` that a column without a name is called.
fn place_to_skip(skip: &str, first: &[String], may_name: bool) -> Option<usize> {
    let by_name = first.iter().position(|value| may_name && value == skip);
    by_name.or_else(|| {
        let number: usize = skip.strip_prefix('x').unwrap_or(skip).parse().ok()?;
        number.checked_sub(1).filter(|&position| position < first.len())
    })
}

fn refuse_equal_names(columns: &[Column]) -> Result<()> {
    let mut order: Vec<&Column> = columns.iter().collect();
    order.sort_by(|a, b| a.name.cmp(&b.name).then(a.position.cmp(&b.position)));
    match order.windows(2).find(|pair| pair[0].name == pair[1].name) {
        Some(pair) => Err(FileError::DuplicateColumn {
            name: pair[0].name.clone(),
            first: pair[0].position + 1,
            second: pair[1].position + 1,
        }
        .into()),
        None => Ok(()),
    }
}
