//! The arguments of the command line.

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

/// Optimal sparse decision trees: the best trade-off between accuracy and size, with a proof
#[derive(Debug, Parser)]
#[command(name = "branchwise", version, arg_required_else_help = true, after_help = EXAMPLE)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Print no progress and no remarks
    #[arg(long, short, global = true, help_heading = "Output")]
    pub(crate) quiet: bool,
}

const EXAMPLE: &str = "Try it:  branchwise fit --builtin tic-tac-toe";

const EXIT_STATUS: &str = "Exit status: 0 proven optimal; 3 stopped by a limit or a signal, with a tree and its \
gap; 4 stopped by a limit before there was a tree; 130 stopped by a signal before there was a tree; 2 wrong \
usage or input; 1 any other error.";

const PATH_EXIT_STATUS: &str = "--split-penalty is the smallest λ of the path. The limit on iterations applies to \
each search, the limits on time and memory to the whole command.\nExit status: 0 all trees proven; 3 stopped \
by a limit or a signal; 4 stopped by a limit before there was a tree; 130 stopped by a signal before there was \
a tree; 2 wrong usage or input; 1 any other error.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the types of a table's columns, and the splits they offer
    Inspect(Box<InspectArgs>),
    /// Find the best tree for a table
    Fit(Box<FitArgs>),
    /// Find every tree that is optimal for some λ, and the interval of λ for each
    Path(Box<PathArgs>),
    /// Predict the class of each row of a table
    Predict(PredictArgs),
    /// Evaluate a model on a table with known classes
    Eval(EvalArgs),
    /// Print the tree of a model, or translate it to another language
    Show(ShowArgs),
    /// Write an HTML page with the tree, its rules and its figures
    Report(ReportArgs),
    /// Check a model against the table it was fitted to
    Verify(VerifyArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}

/// A table to learn from.
#[derive(Debug, ClapArgs)]
pub(crate) struct TableArgs {
    /// The table: one or more files or patterns with the same columns, or - for standard input
    pub(crate) table: Vec<PathBuf>,

    /// Use a built-in table instead
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

    /// Merge equal sibling subtrees in the printed tree
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

    /// Cross-validate the trees with this number of folds
    #[arg(long, value_name = "K", help_heading = "Validation")]
    pub(crate) folds: Option<usize>,

    /// The seed that assigns rows to folds
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Validation")]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) search: SearchArgs,

    /// Write a plot of accuracy against splits to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) svg: Option<PathBuf>,

    /// Write an HTML page with the path and the model that --out would write
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,

    /// Write one model to this file: with --folds the smallest tree within one standard error of the best,
    /// otherwise the largest tree
    #[arg(long, short, value_name = "FILE", help_heading = "Output")]
    pub(crate) out: Option<PathBuf>,

    /// Print one JSON object instead of a table
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// λ: the accuracy that a split must gain, at least 0 and less than 1
    #[arg(
        long,
        visible_alias = "lambda",
        default_value = "0.01",
        value_name = "λ",
        allow_hyphen_values = true
    )]
    pub(crate) split_penalty: String,

    /// Charge λ for each split, or for each extra leaf
    #[arg(long, value_enum, default_value_t = PriceArg::Split)]
    pub(crate) price: PriceArg,

    /// The maximum number of splits between the root and a leaf
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<u32>,

    /// The minimum number of rows in a leaf, or their share of all rows, such as 5%
    #[arg(long, value_name = "N|P%", value_parser = parse_min_leaf, allow_hyphen_values = true)]
    pub(crate) min_leaf: Option<MinLeaf>,

    /// The column that the first split must use
    #[arg(long, value_name = "COLUMN")]
    pub(crate) first_column: Option<String>,

    /// The maximum number of leaves
    #[arg(long, value_name = "N")]
    pub(crate) max_leaves: Option<u32>,

    /// The maximum number of splits
    #[arg(long, value_name = "N")]
    pub(crate) max_splits: Option<u32>,

    /// Stop after this time and return the best tree found, e.g. 60s, 5m, 250ms
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time_limit: Option<Duration>,

    /// Stop before the process allocates more memory than this, e.g. 2GiB, 500MB
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory_limit: Option<u64>,

    /// Limit the memory of the memo of the engine `fast`; a smaller memo only makes the search slower
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memo_limit: Option<u64>,

    /// The number of search threads, at most eight per processor; by default as many as the machine runs at
    /// once. The proven tree does not depend on it
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Stop after this number of iterations
    #[arg(long, value_name = "N")]
    pub(crate) iteration_limit: Option<u64>,

    /// The search algorithm
    #[arg(long, value_enum, default_value_t = EngineArg::Auto)]
    pub(crate) engine: EngineArg,
}

/// A model and the table that it is applied to.
#[derive(Debug, ClapArgs)]
pub(crate) struct ApplyArgs {
    /// A model written by `fit --out`
    pub(crate) model: PathBuf,
    /// The table: one or more files or patterns with the same columns, or - for standard input
    #[arg(required = true)]
    pub(crate) table: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PredictArgs {
    #[command(flatten)]
    pub(crate) apply: ApplyArgs,
    /// Print CSV with the share of each class among the training rows at the node that answers
    #[arg(long)]
    pub(crate) probabilities: bool,
    /// Print CSV with the number of the node that answers
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
    /// The output format
    #[arg(long = "as", value_enum, default_value_t = Form::Text)]
    pub(crate) form: Form,
    /// Merge equal sibling subtrees
    #[arg(long)]
    pub(crate) collapse: bool,
    /// SQL: write a query that selects all columns of this table and the predicted class
    #[arg(long, value_name = "NAME")]
    pub(crate) table: Option<String>,
    /// SQL: add a column with the share of each class among the training rows at the node that answers
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
    /// A table with known classes, on which the model is evaluated
    pub(crate) table: Vec<PathBuf>,
    /// Use a built-in table instead
    #[arg(long, value_name = "NAME", conflicts_with = "table", value_parser = builtin_names())]
    pub(crate) builtin: Option<String>,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    /// The title of the page
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// Merge equal sibling subtrees
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
    /// The table that it was fitted to: files or patterns, or - for standard input
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
    /// The default, `fast`
    Auto,
    /// Depth-first search over sets of rows, with bounds that look two splits ahead
    Fast,
    /// AO* with the purification bound, as published in the BRANCHES paper
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
    /// Plain text
    Text,
    /// Graphviz
    Dot,
    /// An SVG image
    Svg,
    /// The same drawing as JSON: boxes, lines and texts with their coordinates
    Picture,
    /// The model file
    Json,
    /// A CASE expression, or with --table a query
    Sql,
    /// Python functions without imports
    Python,
    /// Rust functions without dependencies
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
