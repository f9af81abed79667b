//! What was typed.

use branchwise::data::{Builtin, Delimiter};
use branchwise::{Encoding, Engine, Price};
use clap::builder::PossibleValuesParser;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Optimal sparse decision trees: the tree that provably trades accuracy against size best.
#[derive(Debug, Parser)]
#[command(name = "branchwise", version, arg_required_else_help = true, after_help = EXAMPLE)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLE: &str = "Try it:  branchwise fit --builtin tic-tac-toe";

const EXIT_STATUS: &str = "Exit status: 0 proven optimal, 3 stopped by a limit with a tree and its gap, \
2 bad usage or input, 1 anything else.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the best tree for a table
    Fit(Box<FitArgs>),
    /// Answer each row of a table, one class per line
    Predict(PredictArgs),
    /// Compare a model's answers with a table's own
    Eval(EvalArgs),
    /// Print a model's tree
    Show(ShowArgs),
    /// Recompute a model's counts and objective from its table
    Verify(VerifyArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}

/// How to read a table.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadArgs {
    /// What separates values (detected if not given)
    #[arg(long, value_enum)]
    pub(crate) delimiter: Option<DelimiterArg>,

    /// The first line holds the names of the columns (detected if not given)
    #[arg(long, conflicts_with = "no_header")]
    pub(crate) header: bool,

    /// The first line is a row
    #[arg(long)]
    pub(crate) no_header: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct FitArgs {
    /// The table: a path, or - for standard input
    pub(crate) table: Option<PathBuf>,

    /// A built-in table instead
    #[arg(long, value_name = "NAME", conflicts_with = "table", value_parser = builtin_names())]
    pub(crate) builtin: Option<String>,

    /// The column to predict: its name, its position counted from 1, or "last"
    #[arg(long, default_value = "last", value_name = "NAME|INDEX")]
    pub(crate) target: String,

    /// Which columns are categories: all of them
    #[arg(long, default_value = "all", value_parser = PossibleValuesParser::new(["all"]))]
    pub(crate) categorical: String,

    #[command(flatten)]
    pub(crate) read: ReadArgs,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    /// Write the model to this file
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,

    /// Print one JSON object instead of the tree
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Print the tree with equal sibling subtrees shared
    #[arg(long, help_heading = "Output")]
    pub(crate) collapse: bool,

    /// No progress and no remarks
    #[arg(long, short, help_heading = "Output")]
    pub(crate) quiet: bool,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// λ: how much accuracy a split must bring, from 0 to less than 1
    #[arg(
        long,
        visible_alias = "lambda",
        default_value = "0.01",
        value_name = "λ",
        allow_hyphen_values = true
    )]
    pub(crate) split_penalty: String,

    /// What λ is paid for: each split, or each extra leaf
    #[arg(long, value_enum, default_value_t = PriceArg::Split)]
    pub(crate) price: PriceArg,

    /// Which splits a column offers
    #[arg(long, default_value = "auto", value_parser = encoding_names())]
    pub(crate) encoding: String,

    /// The most splits between the root and a leaf
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<u32>,

    /// The fewest rows in a leaf
    #[arg(long, value_name = "N")]
    pub(crate) min_leaf: Option<u64>,

    /// The most leaves
    #[arg(long, value_name = "N")]
    pub(crate) max_leaves: Option<u32>,

    /// The most splits
    #[arg(long, value_name = "N")]
    pub(crate) max_splits: Option<u32>,

    /// Stop after this time with the best tree found, e.g. 60s, 5m, 250ms
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time_limit: Option<Duration>,

    /// Stop before holding more memory than this, e.g. 2GiB, 500MB
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory_limit: Option<u64>,

    /// Let the memo of the engine `fast` hold at most this much; the search only takes longer
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memo_limit: Option<u64>,

    /// How many threads search; all that the machine runs at once if not given. The proven answer does not
    /// depend on it
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Stop after so many iterations
    #[arg(long, value_name = "N")]
    pub(crate) iteration_limit: Option<u64>,

    /// Which search to run
    #[arg(long, value_enum, default_value_t = EngineArg::Auto)]
    pub(crate) engine: EngineArg,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PredictArgs {
    /// A model written by `fit --out`
    pub(crate) model: PathBuf,
    /// The table: a path, or - for standard input
    pub(crate) table: PathBuf,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Print CSV with each class's share among the training rows at the answering node
    #[arg(long)]
    pub(crate) probabilities: bool,
    /// Print CSV with the number of the answering node
    #[arg(long)]
    pub(crate) leaf: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EvalArgs {
    /// A model written by `fit --out`
    pub(crate) model: PathBuf,
    /// The table: a path, or - for standard input
    pub(crate) table: PathBuf,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ShowArgs {
    /// A model written by `fit --out`
    pub(crate) model: PathBuf,
    /// As what to print it
    #[arg(long = "as", value_enum, default_value_t = Form::Text)]
    pub(crate) form: Form,
    /// Share equal sibling subtrees
    #[arg(long)]
    pub(crate) collapse: bool,
    /// SQL: select everything from this table, with the class beside it
    #[arg(long, value_name = "NAME")]
    pub(crate) table: Option<String>,
    /// SQL: add a column with each class's share among the training rows at the answering node
    #[arg(long)]
    pub(crate) probabilities: bool,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct VerifyArgs {
    /// A model written by `fit --out`
    pub(crate) model: PathBuf,
    /// The table that it was fitted to: a path, or - for standard input
    #[arg(required_unless_present = "builtin")]
    pub(crate) table: Option<PathBuf>,
    /// The built-in table that it was fitted to
    #[arg(long, value_name = "NAME", conflicts_with = "table", value_parser = builtin_names())]
    pub(crate) builtin: Option<String>,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
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
pub(crate) enum PriceArg {
    Split,
    Leaf,
}

impl From<PriceArg> for Price {
    fn from(price: PriceArg) -> Self {
        match price {
            PriceArg::Split => Price::Split,
            PriceArg::Leaf => Price::Leaf,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum EngineArg {
    /// `fast`, or `paper` where the number of leaves or splits is limited
    Auto,
    /// Depth-first search over row sets with two-step bounds
    Fast,
    /// AO* with the purification bound, as the BRANCHES paper states it
    Paper,
}

impl From<EngineArg> for Engine {
    fn from(engine: EngineArg) -> Self {
        match engine {
            EngineArg::Auto => Engine::Auto,
            EngineArg::Fast => Engine::Fast,
            EngineArg::Paper => Engine::Paper,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Lines and letters
    Text,
    /// Graphviz
    Dot,
    /// A picture
    Svg,
    /// The model file
    Json,
    /// A CASE expression, or with --table a query
    Sql,
    /// Functions without imports
    Python,
    /// Functions without dependencies
    Rust,
    /// A graph for ONNX runtimes
    Onnx,
}

fn builtin_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Builtin::ALL.map(Builtin::name))
}

fn encoding_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Encoding::ALL.map(Encoding::name))
}

/// The encoding of a name that the parser let through.
pub(crate) fn encoding(name: &str) -> Encoding {
    Encoding::ALL.into_iter().find(|encoding| encoding.name() == name).unwrap_or_default()
}

/// A number followed by a unit.
fn parse_quantity(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    Some((number, text[end..].trim()))
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("expected a time such as 60s, 5m, 1.5h or 250ms, got \"{text}\"");
    let (number, unit) = parse_quantity(text.trim()).ok_or_else(wrong)?;
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())
}

fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("expected a size such as 2GiB, 500MB or 1048576, got \"{text}\"");
    let (number, unit) = parse_quantity(text.trim()).ok_or_else(wrong)?;
    let (kilo, kibi) = (1e3f64, 1024f64);
    let bytes = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => kilo,
        "m" | "mb" => kilo.powi(2),
        "g" | "gb" => kilo.powi(3),
        "kib" => kibi,
        "mib" => kibi.powi(2),
        "gib" => kibi.powi(3),
        _ => return Err(wrong()),
    };
    let total = number * bytes;
    if total < u64::MAX as f64 { Ok(total as u64) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Args::command().debug_assert();
    }

    #[test]
    fn times_and_sizes() {
        assert_eq!(parse_duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_duration("1.5h"), Ok(Duration::from_secs(5400)));
        assert_eq!(parse_duration("7"), Ok(Duration::from_secs(7)));
        assert_eq!(parse_size("2GiB"), Ok(2 << 30));
        assert_eq!(parse_size("500MB"), Ok(500_000_000));
        assert_eq!(parse_size("12"), Ok(12));
        for wrong in ["", "s", "-1s", "5 weeks", "1e400s"] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }
}
