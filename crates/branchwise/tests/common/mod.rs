//! What the oracle's tests are made of.

pub(crate) mod cases;
pub(crate) mod exhaustive;
pub(crate) mod means;
