//! The `branchwise` program: tables in, provably optimal sparse decision trees out.
//!
//! Data goes to standard output, everything else to standard error. Exit status: 0 done (for `fit`:
//! proven optimal), 3 stopped by a limit with a tree and its gap, 2 bad usage or input, 1 anything
//! else.

mod args;
mod cmd;
mod failure;
mod input;
mod offered;
mod output;
mod progress;
mod signals;
mod table;

use args::{Args, Command};
use clap::Parser;
use failure::Outcome;
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = Args::parse().command;
    match failure::caught(|| run(command)) {
        Ok(code) => code,
        Err(failure) => {
            output::say(&format!("branchwise: {}", failure.message));
            failure.code()
        }
    }
}

fn run(command: Command) -> Outcome {
    match command {
        Command::Inspect(args) => cmd::inspect::run(&args),
        Command::Fit(args) => cmd::fit::run(&args),
        Command::Path(args) => cmd::path::run(&args),
        Command::Predict(args) => cmd::predict::run(&args),
        Command::Eval(args) => cmd::eval::run(&args),
        Command::Show(args) => cmd::show::run(&args),
        Command::Verify(args) => cmd::verify::run(&args),
        Command::Completions(args) => cmd::completions::run(&args),
    }
}
