//! `branchwise show`: print the tree of a model, as a drawing or in another language.

use crate::args::{Form, ShowArgs};
use crate::failure::{Failure, Outcome};
use crate::{input, output};
use branchwise::SqlOptions;
use std::io::{IsTerminal, stdout};
use std::process::ExitCode;

pub(crate) fn run(args: &ShowArgs) -> Outcome {
    if args.form != Form::Sql && (args.table.is_some() || args.probabilities) {
        return Err(Failure::input("--table and --probabilities are for --as sql alone"));
    }
    if args.form == Form::Onnx && args.out.is_none() && stdout().is_terminal() {
        return Err(Failure::input("ONNX is not text: name a file with --out"));
    }
    let mut model = input::model(&args.model)?;
    if args.collapse {
        model = model.collapse();
    }
    let sql = SqlOptions { table: args.table.clone(), probabilities: args.probabilities };
    let shown = match args.form {
        Form::Text => model.text().into_bytes(),
        Form::Dot => model.dot().into_bytes(),
        Form::Svg => model.svg().into_bytes(),
        Form::Picture => output::json(&model.picture())?.into_bytes(),
        Form::Json => model.to_json().into_bytes(),
        Form::Sql => model.sql(&sql)?.into_bytes(),
        Form::Python => model.python().into_bytes(),
        Form::Rust => model.rust().into_bytes(),
        Form::Onnx => model.onnx(),
    };
    match &args.out {
        Some(path) => output::write_file(path, &shown)?,
        None => output::print_bytes(&shown)?,
    }
    Ok(ExitCode::SUCCESS)
}
