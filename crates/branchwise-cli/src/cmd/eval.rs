//! `branchwise eval`: evaluate a model on a table with known classes.

use crate::args::EvalArgs;
use crate::failure::{Failure, Outcome};
use crate::output::{columns, left, right};
use crate::{input, output};
use branchwise::format::grouped;
use branchwise::{Evaluation, brief};
use serde::Serialize;
use std::process::ExitCode;

#[derive(Serialize)]
struct Json<'a> {
    schema: u32,
    rows: u64,
    correct: u64,
    accuracy: f64,
    cost: Option<f64>,
    worst_cost: Option<f64>,
    objective: f64,
    classes: &'a [String],
    confusion: &'a [Vec<u64>],
}

pub(crate) fn run(args: &EvalArgs, quiet: bool) -> Outcome {
    let (model, source) = input::applied(&args.apply, quiet)?;
    let found = model.evaluate(&source.table);
    let found = found.map_err(|error| Failure::from(error).at(&source.place))?;
    for column in &found.unweighed {
        let column = brief(column);
        output::say(&format!("The table has no column \"{column}\": its rows count and weigh 1."));
    }
    output::print(&if args.json { as_json(&found)? } else { as_text(&found) })?;
    Ok(ExitCode::SUCCESS)
}

fn as_json(found: &Evaluation) -> Result<String, Failure> {
    output::json(&Json {
        schema: 1,
        rows: found.rows,
        correct: found.correct,
        accuracy: found.accuracy,
        cost: found.cost.map(|cost| cost.total),
        worst_cost: found.cost.map(|cost| cost.worst),
        objective: found.objective,
        classes: &found.classes,
        confusion: &found.confusion,
    })
}

fn as_text(found: &Evaluation) -> String {
    let (correct, rows) = (grouped(found.correct), grouped(found.rows));
    let cost = found.cost.map_or(String::new(), output::cost_line);
    let mut text = format!(
        "Accuracy   {:.6}  ({correct} of {rows} rows)\n{cost}Objective  {:.6}\n\n",
        found.accuracy, found.objective
    );
    let cells = found.confusion.iter().flatten().map(|n| n.to_string().len());
    let classes: Vec<String> = found.classes.iter().map(|class| brief(class)).collect();
    let names = classes.iter().map(|class| columns(class));
    let width = cells.chain(names.clone()).max().unwrap_or(1);
    let side = names.max().unwrap_or(0).max("true \\ said".len());
    text += &format!("{:side$}", "true \\ said");
    for class in &classes {
        text += &format!("  {}", right(class, width));
    }
    text.push('\n');
    for (class, counts) in classes.iter().zip(&found.confusion) {
        text += &left(class, side);
        for count in counts {
            text += &format!("  {count:>width$}");
        }
        text.push('\n');
    }
    text
}
