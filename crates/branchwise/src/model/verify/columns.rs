//! Checks that the columns of the table are those that the model names, and that they offer the splits
//! that it lists.

use super::Model;
use crate::data::{Column, Comparison, Dataset, LeftOut, ValueOrder};
use crate::encode::{Encoding, Input, Levels, Missing, input_of, place_of};
use crate::error::{Error, Result};
use crate::limits::Watch;
use crate::model::apply::{FindBy, FoundColumns};
use crate::text::visible;

/// The columns of a table that correspond to those of a model.
pub(super) struct Found<'d> {
    /// For each of the model's inputs, the table's column, if it has one.
    pub(super) columns: FoundColumns<'d>,
}

impl<'d> Found<'d> {
    /// Columns are found by name where both have names, else by position. Those that the tree asks about
    /// must be there and, where rows without a value were left out, all others, too.
    pub(super) fn of(model: &Model, dataset: &'d Dataset) -> Result<Self> {
        let by_name = model.named && dataset.is_named();
        let by = if by_name { FindBy::Name } else { FindBy::Position };
        let columns = model.find_columns(dataset.features(), by);
        let inputs = model.encoder.inputs();
        let asked = model.asked_columns();
        let all = model.settings.offer.missing != Missing::Category;
        let is_needed =
            |number: &usize| all && !names_rows(&inputs[*number]) || asked.contains(number);
        let needed = (0..inputs.len()).filter(is_needed);
        match model.require(needed, &columns, dataset.features()) {
            Err(_) if !by_name => Err(model.wrong_width(dataset.width()).into()),
            required => required.map(|()| Found { columns }),
        }
    }

    /// Whether the table has all columns that the model can ask about.
    pub(super) fn is_whole(&self) -> bool {
        self.columns.iter().all(Option::is_some)
    }

    /// The names of those that it lacks.
    pub(super) fn lacking(&self, model: &Model) -> Vec<String> {
        let pairs = self.columns.iter().zip(model.encoder.inputs());
        pairs.filter(|(column, _)| column.is_none()).map(|(_, input)| input.name.clone()).collect()
    }

    /// The rows that count and have the values that they must have.
    pub(super) fn rows_that_count(&self, model: &Model, dataset: &Dataset) -> Result<Vec<usize>> {
        let missing = model.settings.offer.missing;
        let pairs = self.columns.iter().zip(model.encoder.inputs());
        let inputs = pairs.filter(|(_, input)| missing != Missing::Category && !names_rows(input));
        let required: Vec<&Column> = inputs
            .filter_map(|(column, _)| *column)
            .chain([dataset.target()])
            .filter(|column| column.has_missing())
            .collect();
        let lacks = |row: usize| required.iter().find(|column| column.value(row).is_none());
        let mut rows = Vec::new();
        for row in (0..dataset.n_rows()).filter(|&row| dataset.count(row) > 0) {
            match lacks(row) {
                None => rows.push(row),
                Some(_) if missing == Missing::Drop => {}
                Some(column) => {
                    let lacks = |&row: &usize| column.value(row).is_none();
                    return Err(Error::MissingValues {
                        column: column.name().to_string(),
                        rows: (0..dataset.n_rows())
                            .filter(lacks)
                            .map(|row| dataset.count(row))
                            .sum(),
                        place: column.place_of(column.values().len()),
                        to_predict: column.position() == dataset.target().position(),
                    });
                }
            }
        }
        if rows.is_empty() { Err(Error::NoCompleteRow) } else { Ok(rows) }
    }

    /// Names, places and classes that are not the table's. Places are compared where the table has all of
    /// the model's columns.
    pub(super) fn unlike_columns(&self, model: &Model, dataset: &Dataset) -> Vec<String> {
        let mut mismatches = Vec::new();
        if model.named && !dataset.is_named() {
            mismatches
                .push("\"named\" says that the table names its columns, but it does not".into());
        }
        let target = dataset.target();
        let own = model.encoder.inputs().iter().zip(&self.columns);
        let own = own.filter_map(|(i, column)| Some((i.name.as_str(), i.position, (*column)?)));
        let columns: Vec<(&str, usize, &Column)> =
            own.chain([(model.target.name.as_str(), model.target.position, target)]).collect();
        if self.is_whole() && dataset.width() != model.width {
            let (said, found) = (model.width, dataset.width());
            mismatches
                .push(format!("\"width\" is said to be {said}, the table has {found} columns"));
        } else if self.is_whole() {
            for &(name, said, column) in columns.iter().filter(|(_, p, c)| *p != c.position()) {
                let (name, found) = (visible(name), column.position());
                mismatches.push(format!(
                    "the column \"{name}\" is said to be at position {said}, in the table it is at {found}"
                ));
            }
        }
        if model.named == dataset.is_named() {
            for &(said, _, column) in columns.iter().filter(|(name, _, c)| *name != c.name()) {
                let (said, found) = (visible(said), visible(column.name()));
                mismatches.push(format!(
                    "a column is said to be called \"{said}\", the table calls it \"{found}\""
                ));
            }
        }
        mismatches.extend(unlike_values("class", &model.target.classes, target.values()));
        mismatches
    }

    /// Inputs that are not what the table's columns make of them.
    pub(super) fn unlike_inputs(
        &self,
        model: &Model,
        dataset: &Dataset,
        rows: &[usize],
    ) -> Vec<String> {
        let pairs = self.columns.iter().zip(model.encoder.inputs());
        let unlike = |(column, input): (&Option<&Column>, &Input)| {
            if input.left_out.is_some() {
                return None;
            }
            let column = taken_as((*column)?, &input.levels, model.settings.offer.encoding);
            let frequency = || {
                let mut frequency = vec![0; column.values().len() + 1];
                for &row in rows {
                    frequency[column.codes().at(row) as usize] += dataset.count(row);
                }
                frequency
            };
            let endless = Watch::endless();
            let made = input_of(&column, &model.settings.offer, &frequency, &mut endless.pulse());
            let made = made.ok()?;
            unlike_input(input, &made)
                .map(|how| format!("the column \"{}\" {how}", visible(&input.name)))
        };
        pairs.filter_map(unlike).collect()
    }
}

/// Whether a column is left out because it seems to name the rows.
fn names_rows(input: &Input) -> bool {
    matches!(input.left_out, Some(LeftOut::NamesRows { .. }))
}

/// The column compared as the model compares its values: whether that was the user's word or follows from
/// the values, the model does not say.
fn taken_as(column: &Column, levels: &Levels, encoding: Encoding) -> Column {
    let in_order = encoding.takes_in_order(column);
    match levels {
        Levels::Order { order: ValueOrder::Ranks(order), .. } => {
            column.with_comparison(Comparison::Ordered(order.clone()))
        }
        Levels::Order { .. } if !in_order => column.with_comparison(Comparison::Numbers),
        Levels::Categories { .. } if in_order => column.with_comparison(Comparison::Categories),
        _ => column.clone(),
    }
}

/// How a model's input differs from the one that the table makes.
fn unlike_input(said: &Input, made: &Input) -> Option<String> {
    if said.kind != made.kind {
        let (said, made) = (said.kind.name(), made.kind.name());
        return Some(format!("is said to be of the kind {said}, in the table it is {made}"));
    }
    if said.distinct != made.distinct {
        let (said, made) = (said.distinct, made.distinct);
        return Some(format!(
            "is said to have {said} different values, in the table it has {made}"
        ));
    }
    if said.missing != made.missing {
        let name = |missing: &Option<String>| match missing {
            Some(name) => format!("called \"{}\"", visible(name)),
            None => "absent".into(),
        };
        let (said, made) = (name(&said.missing), name(&made.missing));
        return Some(format!("has missing values that are said to be {said}, by the table {made}"));
    }
    match (&said.levels, &made.levels) {
        (Levels::Order { order, cuts }, Levels::Order { order: made_order, cuts: made_cuts }) => {
            let other_line = || Some("is compared in another order than the table's".to_string());
            unlike_list("threshold", cuts, made_cuts)
                .or_else(|| if order == made_order { None } else { other_line() })
        }
        (
            Levels::Categories { values, other },
            Levels::Categories { values: made_values, other: made_other },
        ) => {
            let rest = |other: &Option<String>| match other {
                Some(name) => format!("\"{}\"", visible(name)),
                None => "nothing".into(),
            };
            let (said, made) = (rest(other), rest(made_other));
            let unlike_rest = (other != made_other)
                .then(|| format!("is said to take rare values as {said}, by the table as {made}"));
            unlike_values("value", values, made_values).or(unlike_rest)
        }
        _ => Some("is compared in another way than its values in the table".into()),
    }
}

/// How lists of values differ; true and false are the same in any case.
fn unlike_values(what: &str, said: &[String], made: &[String]) -> Option<String> {
    let same = said.len() == made.len()
        && made.iter().enumerate().all(|(place, value)| place_of(value, said) == Some(place));
    if same { None } else { unlike_list(what, said, made) }
}

/// The first difference between two lists.
fn unlike_list(what: &str, said: &[String], made: &[String]) -> Option<String> {
    let differs = |place: &usize| said.get(*place) != made.get(*place);
    let place = (0..said.len().max(made.len())).find(differs)?;
    let name = |list: &[String]| match list.get(place) {
        Some(text) => format!("\"{}\"", visible(text)),
        None => format!("absent, as there are {}", list.len()),
    };
    let (number, said, made) = (place + 1, name(said), name(made));
    Some(format!("has a {what} {number} that is said to be {said}, by the table it is {made}"))
}
