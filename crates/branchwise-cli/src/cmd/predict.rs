//! `branchwise predict`: answer each row of a table.

use crate::args::PredictArgs;
use crate::failure::{Failure, Outcome};
use crate::{input, output};
use branchwise::{Model, Prediction};
use std::process::ExitCode;

pub(crate) fn run(args: &PredictArgs, quiet: bool) -> Outcome {
    let (model, source) = input::applied(&args.apply, quiet)?;
    let predicted = model.predict(&source.table);
    let predictions = predicted.map_err(|error| Failure::from(error).at(&source.place))?;
    let text = if args.probabilities || args.leaf {
        as_csv(args, &model, &predictions)?
    } else {
        predictions.iter().map(|prediction| format!("{}\n", prediction.class)).collect()
    };
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn as_csv(
    args: &PredictArgs,
    model: &Model,
    predictions: &[Prediction],
) -> Result<String, Failure> {
    let failed = |error: csv::Error| Failure::other(format!("cannot write CSV: {error}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut header = vec![model.target().name.clone()];
    if args.probabilities {
        header.extend(model.target().classes.iter().map(|class| format!("p({class})")));
    }
    if args.leaf {
        header.push("leaf".into());
    }
    writer.write_record(&header).map_err(failed)?;
    for prediction in predictions {
        let mut record = vec![prediction.class.to_string()];
        if args.probabilities {
            record.extend(prediction.probabilities.iter().map(f64::to_string));
        }
        if args.leaf {
            record.push(prediction.node.0.to_string());
        }
        writer.write_record(&record).map_err(failed)?;
    }
    let bytes = writer.into_inner().map_err(|error| Failure::other(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| Failure::other(error.to_string()))
}
