//! Arguments about a table: how to read it, the types and roles of its columns, the splits they offer.

use branchwise::data::{Delimiter, MissingValues, Roles, Selection, Target, Types};
use branchwise::encode::Offer;
use branchwise::{Encoding, Missing, Thresholds};
use clap::builder::PossibleValuesParser;
use clap::{Args as ClapArgs, ValueEnum};

/// How to read a table.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadArgs {
    /// The delimiter between values (by default it is detected)
    #[arg(long, value_enum)]
    pub(crate) delimiter: Option<DelimiterArg>,

    /// The first line holds the names of the columns (by default this is detected)
    #[arg(long, conflicts_with = "no_header")]
    pub(crate) header: bool,

    /// The first line is a row of values
    #[arg(long)]
    pub(crate) no_header: bool,

    /// Values that mean "missing", instead of the usual ones (?, NA, N/A, NaN, null, None …); an empty
    /// field is always missing
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) missing_values: Option<Vec<String>>,
}

impl ReadArgs {
    pub(crate) fn missing_values(&self) -> Option<MissingValues> {
        self.missing_values.as_ref().map(MissingValues::new)
    }
}

/// The types and roles of columns. A column is given by its name, or by its position counted from 1.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Columns")]
pub(crate) struct ColumnArgs {
    /// The column to predict: its name, its position counted from 1, or "last"
    #[arg(long, default_value = "last", value_name = "COLUMN")]
    pub(crate) target: String,

    /// Columns to treat as categories even if they look like numbers or row names, or "all"
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) categorical: Vec<String>,

    /// Columns to compare as numbers or dates, or "all" for every such column
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) numeric: Vec<String>,

    /// A column with ordered values, and their order, e.g. "size=small<medium<large"
    #[arg(long, value_name = "COLUMN=ORDER", value_parser = parse_order)]
    pub(crate) ordered: Vec<(String, Vec<String>)>,

    /// Columns that the tree must not use
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) ignore: Vec<String>,

    /// Columns that identify rows; they are ignored as well
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) id: Vec<String>,

    /// The column of counts: how many equal rows each row stands for
    #[arg(long, value_name = "COLUMN")]
    pub(crate) count: Option<String>,

    /// The column of weights: how much each row counts in the accuracy
    #[arg(long, value_name = "COLUMN")]
    pub(crate) weight: Option<String>,
}

impl ColumnArgs {
    /// The types of columns.
    pub(crate) fn types(&self) -> Types {
        let selection = |names: &[String]| match names {
            [all] if all == "all" => Selection::All,
            names => Selection::Named(names.to_vec()),
        };
        Types {
            categorical: selection(&self.categorical),
            numeric: selection(&self.numeric),
            ordered: self.ordered.clone(),
            ..Types::default()
        }
    }

    /// The roles of columns, without those that are skipped while the table is read.
    pub(crate) fn roles(&self) -> Roles {
        let target = match self.target.as_str() {
            "last" => Target::Last,
            name => Target::Named(name.to_string()),
        };
        let (count, weight) = (self.count.clone(), self.weight.clone());
        Roles { target, count, weight, ignored: Vec::new() }
    }

    /// All columns that options name.
    pub(crate) fn names(&self) -> Vec<String> {
        let ordered = self.ordered.iter().map(|(name, _)| name);
        let alone = [&self.count, &self.weight].into_iter().flatten().chain([&self.target]);
        let lists =
            [&self.categorical, &self.numeric, &self.ignore, &self.id].into_iter().flatten();
        lists.chain(alone).chain(ordered).cloned().collect()
    }

    /// Columns that need not be read.
    pub(crate) fn skipped(&self) -> Vec<String> {
        self.ignore.iter().chain(&self.id).cloned().collect()
    }
}

/// Which splits columns offer.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Splits")]
pub(crate) struct OfferArgs {
    /// How columns are split. auto: thresholds for numbers and dates, one child per value for the others
    #[arg(long, default_value = "auto", value_parser = encoding_names())]
    pub(crate) encoding: String,

    /// The maximum number of thresholds per column, placed at quantiles, or "all"
    #[arg(long, default_value = "8", value_name = "K|all", value_parser = parse_thresholds)]
    pub(crate) thresholds: Thresholds,

    /// The maximum number of categories per column; the rarest values are merged into one
    #[arg(long, value_name = "N")]
    pub(crate) max_categories: Option<usize>,

    /// Treat missing values as a category, drop rows that have them, or refuse the table
    #[arg(long, value_enum, default_value_t = MissingArg::Category)]
    pub(crate) missing: MissingArg,
}

impl OfferArgs {
    pub(crate) fn offer(&self) -> Offer {
        let named = |encoding: &Encoding| encoding.name() == self.encoding;
        Offer {
            encoding: Encoding::ALL.into_iter().find(named).unwrap_or_default(),
            thresholds: self.thresholds,
            max_categories: self.max_categories,
            missing: self.missing.into(),
            first_column: None,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum DelimiterArg {
    Comma,
    Semicolon,
    Tab,
    Spaces,
}

impl From<DelimiterArg> for Delimiter {
    fn from(delimiter: DelimiterArg) -> Self {
        match delimiter {
            DelimiterArg::Comma => Delimiter::Comma,
            DelimiterArg::Semicolon => Delimiter::Semicolon,
            DelimiterArg::Tab => Delimiter::Tab,
            DelimiterArg::Spaces => Delimiter::Spaces,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MissingArg {
    Category,
    Drop,
    Refuse,
}

impl From<MissingArg> for Missing {
    fn from(missing: MissingArg) -> Self {
        match missing {
            MissingArg::Category => Missing::Category,
            MissingArg::Drop => Missing::Drop,
            MissingArg::Refuse => Missing::Refuse,
        }
    }
}

fn encoding_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Encoding::ALL.map(Encoding::name))
}

fn parse_thresholds(text: &str) -> Result<Thresholds, String> {
    match text {
        "all" => Ok(Thresholds::All),
        _ => text.parse().map(Thresholds::Quantiles).map_err(|_| {
            format!("expected a number of thresholds such as 8, or \"all\", got \"{text}\"")
        }),
    }
}

/// `column=first<second<third`.
fn parse_order(text: &str) -> Result<(String, Vec<String>), String> {
    let wrong = || {
        format!(
            "expected a column and the order of its values, such as \"size=small<medium<large\", got \"{text}\""
        )
    };
    let (column, order) = text.split_once('=').ok_or_else(wrong)?;
    let values: Vec<String> = order.split('<').map(|value| value.trim().to_string()).collect();
    let complete = values.len() > 1 && values.iter().all(|value| !value.is_empty());
    if complete { Ok((column.trim().to_string(), values)) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_and_thresholds() {
        let order = parse_order("size = small < large").unwrap();
        assert_eq!(order, ("size".into(), vec!["small".into(), "large".into()]));
        assert!(parse_order("size").is_err() && parse_order("size=a<").is_err());
        assert_eq!(parse_thresholds("12"), Ok(Thresholds::Quantiles(12)));
        assert_eq!(parse_thresholds("all"), Ok(Thresholds::All));
        assert!(parse_thresholds("some").is_err());
    }
}
