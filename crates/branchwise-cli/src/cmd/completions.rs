//! `branchwise completions`: a completion script for a shell.

use crate::args::{Args, CompletionsArgs};
use crate::failure::Outcome;
use crate::output;
use clap::CommandFactory;
use std::process::ExitCode;

pub(crate) fn run(args: &CompletionsArgs) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "branchwise", &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
