//! What was typed.

mod table;
mod weights;

pub(crate) use table::{ColumnArgs, OfferArgs, ReadArgs};
pub(crate) use weights::{MinLeaf, WeightArgs};

use branchwise::data::Builtin;
use branchwise::format::{parse_duration, parse_size};
use branchwise::{Engine, Price};
use clap::builder::PossibleValuesParser;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use weights::parse_min_leaf;

/// Optimal sparse decision trees: the tree that provably trades accuracy against size best.
#[derive(Debug, Parser)]
#[command(name = "branchwise", version, arg_required_else_help = true, after_help = EXAMPLE)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// No progress and no remarks
    #[arg(long, short, global = true, help_heading = "Output")]
    pub(crate) quiet: bool,
}

const EXAMPLE: &str = "Try it:  branchwise fit --builtin tic-tac-toe";

const EXIT_STATUS: &str = "Exit status: 0 proven optimal, 3 stopped by a limit or signal with a tree and its \
gap, 4 stopped by a limit before there was a tree, 130 by a signal before there was a tree, 2 bad usage or \
input, 1 anything else.";

const PATH_EXIT_STATUS: &str = "λ is the smallest one that is asked about; the limit on iterations holds for \
each search, those on time and memory for the command.\nExit status: 0 all proven, 3 stopped by a limit or \
signal, 4 stopped by a limit before there was a tree, 130 by a signal before there was a tree, 2 bad usage or \
input, 1 anything else.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show what a table's columns are, and which splits they offer
    Inspect(Box<InspectArgs>),
    /// Find the best tree for a table
    Fit(Box<FitArgs>),
    /// Find every tree that is optimal for some λ, and where each takes over
    Path(Box<PathArgs>),
    /// Answer each row of a table, one class per line
    Predict(PredictArgs),
    /// Compare a model's answers with a table's own
    Eval(EvalArgs),
    /// Print a model's tree
    Show(ShowArgs),
    /// Write a page with the tree, its rules and figures, for a browser
    Report(ReportArgs),
    /// Compare all that a model says with its table, and say what was checked
    Verify(VerifyArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}

/// A table to learn from.
#[derive(Debug, ClapArgs)]
pub(crate) struct TableArgs {
    /// The table: paths or patterns of files with the same columns, or - for standard input
    pub(crate) table: Vec<PathBuf>,

    /// A built-in table instead
    #[arg(long, value_name = "NAME", conflicts_with = "table", value_parser = builtin_names())]
    pub(crate) builtin: Option<String>,

    #[command(flatten)]
    pub(crate) read: ReadArgs,

    #[command(flatten)]
    pub(crate) columns: ColumnArgs,

    #[command(flatten)]
    pub(crate) offer: OfferArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) table: TableArgs,

    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = EXIT_STATUS)]
pub(crate) struct FitArgs {
    #[command(flatten)]
    pub(crate) table: TableArgs,

    #[command(flatten)]
    pub(crate) weights: WeightArgs,

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
}

#[derive(Debug, ClapArgs)]
#[command(after_help = PATH_EXIT_STATUS)]
pub(crate) struct PathArgs {
    #[command(flatten)]
    pub(crate) table: TableArgs,

    #[command(flatten)]
    pub(crate) weights: WeightArgs,

    /// Try the trees on rows that were held out, in so many folds
    #[arg(long, value_name = "K", help_heading = "Validation")]
    pub(crate) folds: Option<usize>,

    /// Another number deals the rows to other folds
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Validation")]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    /// Draw accuracy against splits
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,

    /// Write a report: one page with the model that --out would write, and the path
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,

    /// Write a model to this file: with --folds the smallest within one standard error of the best, else
    /// the largest
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,

    /// Print one JSON object instead of a table
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
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

    /// The most splits between the root and a leaf
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<u32>,

    /// The fewest rows in a leaf: a number, or a share of all rows such as 5%
    #[arg(long, value_name = "N|P%", value_parser = parse_min_leaf, allow_hyphen_values = true)]
    pub(crate) min_leaf: Option<MinLeaf>,

    /// The column that the first split must ask about
    #[arg(long, value_name = "COLUMN")]
    pub(crate) first_column: Option<String>,

    /// The most leaves
    #[arg(long, value_name = "N")]
    pub(crate) max_leaves: Option<u32>,

    /// The most splits
    #[arg(long, value_name = "N")]
    pub(crate) max_splits: Option<u32>,

    /// Stop this time after the start with the best tree found, e.g. 60s, 5m, 250ms
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time_limit: Option<Duration>,

    /// Stop before the process allocates more memory than this, e.g. 2GiB, 500MB
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory_limit: Option<u64>,

    /// Let the memo of the engine `fast` hold at most this much; the search only takes longer
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memo_limit: Option<u64>,

    /// How many threads search, at most eight for each processor; all that the machine runs at once if not
    /// given. The proven answer does not depend on it
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Stop after so many iterations
    #[arg(long, value_name = "N")]
    pub(crate) iteration_limit: Option<u64>,

    /// Which search to run
    #[arg(long, value_enum, default_value_t = EngineArg::Auto)]
    pub(crate) engine: EngineArg,
}

/// A model and the table that it is applied to.
#[derive(Debug, ClapArgs)]
pub(crate) struct ApplyArgs {
    /// A model written by `fit --out`
    pub(crate) model: PathBuf,
    /// The table: paths or patterns of files with the same columns, or - for standard input
    #[arg(required = true)]
    pub(crate) table: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PredictArgs {
    #[command(flatten)]
    pub(crate) apply: ApplyArgs,
    /// Print CSV with each class's share among the training rows at the answering node
    #[arg(long)]
    pub(crate) probabilities: bool,
    /// Print CSV with the number of the answering node
    #[arg(long)]
    pub(crate) leaf: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EvalArgs {
    #[command(flatten)]
    pub(crate) apply: ApplyArgs,
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
pub(crate) struct ReportArgs {
    /// A model written by `fit --out`
    pub(crate) model: PathBuf,
    /// A table with known classes, to tell how well the model does on it
    pub(crate) table: Vec<PathBuf>,
    /// A built-in table instead
    #[arg(long, value_name = "NAME", conflicts_with = "table", value_parser = builtin_names())]
    pub(crate) builtin: Option<String>,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// The title of the page
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// Share equal sibling subtrees
    #[arg(long)]
    pub(crate) collapse: bool,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct VerifyArgs {
    /// A model written by `fit --out`
    pub(crate) model: PathBuf,
    /// The table that it was fitted to: paths or patterns of files, or - for standard input
    #[arg(required_unless_present = "builtin")]
    pub(crate) table: Vec<PathBuf>,
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
    /// The one that suits: `fast`
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
    /// The same picture as JSON: boxes, lines and texts with their places
    Picture,
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Args::command().debug_assert();
    }
}
