//! Stage 1: tables, as the user has them.
//!
//! A [`Table`] has named columns of values; [`Table::dataset`] gives the columns their roles and makes a
//! [`Dataset`]: columns to learn from, one to predict, and maybe row counts and weights. Each column keeps
//! its distinct values once, as they were written, in an order that depends on the values alone (numbers
//! by size, everything else by spelling) and not on the order of rows; a row holds codes of values. The
//! [`Kind`] of a column is what all of its values are.

mod builtin;
mod codes;
mod column;
mod dataset;
mod date;
mod kind;
mod left_out;
mod location;
mod missing;
mod number;
mod read;
mod table;
mod value_order;
mod weight_rounding;
mod weights;

pub use builtin::Builtin;
pub use codes::Codes;
pub use column::{Column, Comparison};
pub use dataset::{Dataset, Roles, Target};
pub use kind::Kind;
pub use left_out::LeftOut;
pub use missing::MissingValues;
pub use number::Number;
#[cfg(feature = "batches")]
pub use read::read_batches;
pub use read::{
    Assumed, ColumnBuilder, Delimiter, Format, Header, HeaderGuess, ReadOptions, Source, ValueId,
    read_parts, read_table, read_tables, read_tables_observed,
};
pub use table::{Selection, Table, Types};
pub use value_order::ValueOrder;
pub(crate) use weights::RowWeights;
