//! `branchwise show`: print a model's tree.

use crate::args::{Form, ShowArgs};
use crate::failure::Outcome;
use crate::{input, output};
use std::process::ExitCode;

pub(crate) fn run(args: &ShowArgs) -> Outcome {
    let mut model = input::model(&args.model)?;
    if args.collapse {
        model = model.collapse();
    }
    output::print(&match args.form {
        Form::Text => model.text(),
        Form::Dot => model.dot(),
        Form::Svg => model.svg(),
        Form::Json => model.to_json(),
    })?;
    Ok(ExitCode::SUCCESS)
}
