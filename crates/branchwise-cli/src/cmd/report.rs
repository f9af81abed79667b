//! `branchwise report`: a model as an HTML page.

use crate::args::ReportArgs;
use crate::failure::{Failure, Outcome};
use crate::progress::LiveLine;
use crate::{input, output};
use branchwise::{HtmlOptions, Model};
use std::io::{IsTerminal, stdout};
use std::process::ExitCode;

pub(crate) fn run(args: &ReportArgs, quiet: bool) -> Outcome {
    match &args.out {
        Some(path) => output::check_writable(path)?,
        None if stdout().is_terminal() => {
            return Err(Failure::input("a page is for a browser: name a file with --out"));
        }
        None => {}
    }
    let mut model = input::model(&args.model)?;
    if args.collapse {
        model = model.collapse();
    }
    let mut options = evaluated(&model, args, quiet)?;
    if let Some(title) = &args.title {
        options = options.title(title);
    }
    let page = model.html(&options);
    match &args.out {
        Some(path) => output::write_file(path, page.as_bytes())?,
        None => output::print(&page)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// How the model does on the table, if one is given.
fn evaluated(model: &Model, args: &ReportArgs, quiet: bool) -> Result<HtmlOptions, Failure> {
    let source = match &args.builtin {
        Some(name) => input::builtin(name)?,
        None if args.table.is_empty() => return Ok(HtmlOptions::default()),
        None => {
            input::read(&args.table, &args.read, model.read_options(), &mut LiveLine::new(quiet))?
        }
    };
    let found = model.evaluate(&source.table);
    let found = found.map_err(|error| Failure::from(error).at(&source.place))?;
    Ok(HtmlOptions::default().evaluated(source.place, found))
}
