//! The `branchwise` program: tables in, provably optimal sparse decision trees out.
//!
//! Results go to standard output, everything else to standard error. Exit status: 0 success (for `fit`:
//! proven optimal); 3 stopped by a limit or a signal, with a tree and its gap; 4 stopped by a limit before
//! there was a tree; 130 stopped by a signal before there was a tree; 2 wrong usage or input; 1 any other
//! error.

mod args;
mod cmd;
mod failure;
mod input;
mod leftovers;
mod offered;
mod output;
mod progress;
mod settings;
mod signals;
mod table;
mod training;

use args::{Args, Command};
use branchwise::memory::{self, Counting};
use clap::Parser;
use failure::Outcome;
use std::process::ExitCode;

/// All memory is counted, so that a limit on it means the whole process.
#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    memory::give_back_large_blocks();
    let Args { command, quiet } = Args::parse();
    match failure::caught(|| run(command, quiet)) {
        Ok(code) => code,
        Err(failure) => {
            output::say(&format!("branchwise: {}", failure.message));
            failure.code()
        }
    }
}

fn run(command: Command, quiet: bool) -> Outcome {
    match command {
        Command::Inspect(args) => cmd::inspect::run(&args, quiet),
        Command::Fit(args) => cmd::fit::run(&args, quiet),
        Command::Path(args) => cmd::path::run(&args, quiet),
        Command::Predict(args) => cmd::predict::run(&args, quiet),
        Command::Eval(args) => cmd::eval::run(&args, quiet),
        Command::Show(args) => cmd::show::run(&args),
        Command::Report(args) => cmd::report::run(&args, quiet),
        Command::Verify(args) => cmd::verify::run(&args, quiet),
        Command::Completions(args) => cmd::completions::run(&args),
    }
}
