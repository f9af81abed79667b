//! Optimal sparse decision trees.
//!
//! Of all decision trees on a table, this crate finds one that maximises
//!
//! > accuracy − λ · splits
//!
//! and proves that none is better; stopped early, it returns the best tree found and how much better
//! another one could be at most. Columns may have any number of categories, classes too; splits on
//! categories are multi-way. The algorithm is BRANCHES (Chaouki, Read, Bifet, ICML 2025): AO* search
//! over the AND/OR graph of branches.
//!
//! ```
#![doc = include_str!("../examples/quickstart.rs")]
//! ```
//!
//! # Features
//! The crate reads delimited text by itself. `gzip`, `arrow` and `parquet` add these formats, and what it
//! takes to read them.
//!
//! # The four stages
//! 1. [`data`]: what the user has. Named columns of text, numbers, dates and gaps, and the column to
//!    predict.
//! 2. [`encode`]: columns become features with few categories, multi-way, yes/no or thresholds; equal
//!    rows are merged.
//! 3. [`search`]: from features and counts to a policy and its proof.
//! 4. [`tree`]: the answer, to be read, drawn, saved and applied to new rows.
//!
//! [`Solver`] runs them in this order; a [`Model`] is what is left at the end: the encoder, the tree,
//! and the names to speak of them.

/// The snippets of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

pub mod data;
mod decimal;
pub mod encode;
mod error;
pub mod format;
mod hash;
mod limits;
pub mod memory;
mod model;
mod objective;
pub mod observe;
mod path;
mod plot;
mod problem;
mod report;
mod rowset;
pub mod search;
mod settings;
mod solve;
mod sort;
mod text;
pub mod tree;

pub use data::{Builtin, Dataset, Table};
pub use decimal::{Decimal, Fraction};
pub use encode::{ClassWeight, Costs, Encoding, Missing, Thresholds};
pub use error::{Error, FileError, ModelError, Result};
pub use model::{Candidate, Evaluation, HtmlOptions, Model, Prediction, Predictor};
pub use model::{SqlOptions, Summary, Verification};
pub use objective::{Price, Score};
pub use path::{CrossValidation, HeldOut, PathPlot, PathPoint, RegularizationPath};
pub use report::{AnswerCost, Report, Status};
pub use search::{Engine, StopFlag, StopReason};
pub use settings::{Goal, Settings};
pub use solve::{Solution, Solver};
pub use text::{brief, visible};
