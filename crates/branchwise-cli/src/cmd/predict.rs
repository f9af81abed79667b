//! `branchwise predict`: predict the class of each row while the table is read.

use crate::args::PredictArgs;
use crate::failure::{Failure, Outcome};
use crate::progress::LiveLine;
use crate::{input, output};
use branchwise::{Error, Model, Prediction, Table};
use std::process::ExitCode;

pub(crate) fn run(args: &PredictArgs, quiet: bool) -> Outcome {
    let model = input::model(&args.apply.model)?;
    let form = Form { args, model: &model };
    let predictor = model.predictor();
    let mut header = form.header()?;
    // The reading also ends if the answers cannot be written, or if the reader of the output has gone.
    let mut ended: Option<Result<(), Failure>> = None;
    let mut take = |table: Table| -> branchwise::Result<()> {
        let lines = form.lines(&predictor.predict(&table)?);
        let text = lines.map(|lines| std::mem::take(&mut header) + &lines);
        match text.and_then(|text| output::stream(text.as_bytes())) {
            Ok(true) => return Ok(()),
            Ok(false) => ended = Some(Ok(())),
            Err(failure) => ended = Some(Err(failure)),
        }
        Err(Error::Read(std::io::ErrorKind::BrokenPipe.into()))
    };
    let options = model.read_options();
    let mut live = LiveLine::new(quiet);
    let read = input::read_parts(&args.apply, options, &mut take, &mut live);
    ended.unwrap_or(read).map(|()| ExitCode::SUCCESS)
}

/// How answers are written: the class alone, or CSV.
struct Form<'a> {
    args: &'a PredictArgs,
    model: &'a Model,
}

impl Form<'_> {
    fn is_csv(&self) -> bool {
        self.args.probabilities || self.args.leaf
    }

    fn header(&self) -> Result<String, Failure> {
        if !self.is_csv() {
            return Ok(String::new());
        }
        let mut header = vec![self.model.target().name.clone()];
        if self.args.probabilities {
            header.extend(self.model.target().classes.iter().map(|class| format!("p({class})")));
        }
        if self.args.leaf {
            header.push("leaf".into());
        }
        as_csv([header])
    }

    fn lines(&self, predictions: &[Prediction]) -> Result<String, Failure> {
        if !self.is_csv() {
            return Ok(predictions.iter().map(|answer| format!("{}\n", answer.class)).collect());
        }
        as_csv(predictions.iter().map(|prediction| {
            let mut record = vec![prediction.class.to_string()];
            if self.args.probabilities {
                record.extend(prediction.probabilities.iter().map(f64::to_string));
            }
            if self.args.leaf {
                record.push(prediction.node.0.to_string());
            }
            record
        }))
    }
}

fn as_csv(records: impl IntoIterator<Item = Vec<String>>) -> Result<String, Failure> {
    let failed = |error: csv::Error| Failure::other(format!("cannot write CSV: {error}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records {
        writer.write_record(&record).map_err(failed)?;
    }
    let bytes = writer.into_inner().map_err(|error| Failure::other(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| Failure::other(error.to_string()))
}
