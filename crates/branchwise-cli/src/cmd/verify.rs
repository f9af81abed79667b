//! `branchwise verify`: check a model against its table, and report what was checked.

use crate::args::VerifyArgs;
use crate::failure::{Failure, Outcome};
use crate::progress::LiveLine;
use crate::{input, output};
use branchwise::data::ReadOptions;
use branchwise::format::plural;
use std::process::ExitCode;

pub(crate) fn run(args: &VerifyArgs, quiet: bool) -> Outcome {
    const SHOWN: usize = 10;
    let model = input::model(&args.model)?;
    let source = match &args.builtin {
        Some(name) => input::builtin(name)?,
        None => {
            let options = ReadOptions { merge: true, ..model.read_options() };
            input::read(&args.table, &args.read, options, &mut LiveLine::new(quiet))?
        }
    };
    let (dataset, place) = (source.table.dataset(model.roles()), source.place);
    let found = dataset.and_then(|dataset| model.verify(&dataset));
    let found = found.map_err(|error| Failure::from(error).at(&place))?;
    if found.mismatches.is_empty() {
        let nodes = model.tree().nodes().len() as u64;
        output::print(&format!(
            "verified: {} led through {}; accuracy {:.6} and objective {:.6} as stated\n{}\n",
            plural(found.rows, "row", "rows"),
            plural(nodes, "node", "nodes"),
            found.accuracy,
            found.objective,
            found.extent(),
        ))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut message = String::from("the model does not agree with the table:");
    for mismatch in found.mismatches.iter().take(SHOWN) {
        message += &format!("\n  {mismatch}");
    }
    if found.mismatches.len() > SHOWN {
        message += &format!("\n  and {} more", found.mismatches.len() - SHOWN);
    }
    Err(Failure::other(message))
}
