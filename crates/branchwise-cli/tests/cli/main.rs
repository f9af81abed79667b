//! The program as its users meet it: arguments and files in, text, files and exit status out.

#![allow(clippy::unwrap_used)] // clippy's own exception for tests stops at their helpers

mod fitting;
mod limits;
mod odd;
mod path;
mod predicting;
mod refusals;
mod showing;
mod stakes;
mod tables;
mod util;
