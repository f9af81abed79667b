//! One file per subcommand, each with its `run`.

pub(crate) mod completions;
pub(crate) mod eval;
pub(crate) mod fit;
pub(crate) mod inspect;
pub(crate) mod path;
pub(crate) mod predict;
pub(crate) mod show;
pub(crate) mod verify;
