//! `branchwise path`: every tree that is optimal for some λ.

use super::fit::why_no_split;
use crate::args::PathArgs;
use crate::failure::{Failure, Outcome, STOPPED};
use crate::output;
use crate::progress::LiveLine;
use crate::settings::settings;
use crate::signals::Signals;
use crate::training::{self, Training};
use branchwise::format::{grouped, plural, seconds};
use branchwise::{
    CrossValidation, Fraction, HeldOut, HtmlOptions, PathPoint, RegularizationPath, Solver,
};
use serde::Serialize;
use std::process::ExitCode;

pub(crate) fn run(args: &PathArgs, quiet: bool) -> Outcome {
    let signals = Signals::listen(args.search.time_limit)?;
    let settings = settings(&args.table, &args.weights, &args.search)?;
    let mut solver = Solver::new().with_settings(settings).stop_flag(signals.flag());
    solver.check()?;
    for path in args.svg.iter().chain(&args.out).chain(&args.report) {
        output::check_writable(path)?;
    }
    let training = training::read(&args.table, &args.search, &signals, quiet)?;
    let Training { dataset, place, .. } = training;

    let mut live = LiveLine::new(quiet).memory_limit(args.search.memory_limit);
    signals.search_begins();
    solver = solver.time_spent(signals.time_spent());
    let found = solver.path_observed(&dataset, &mut live).map(|path| {
        let validate = |folds| solver.cross_validate(&dataset, &path, folds, args.seed, &mut live);
        let validation = args.folds.map(validate);
        (path, validation)
    });
    signals.search_ended();
    live.clear();
    let (path, validation) = found.map_err(|error| Failure::from(error).at(&place))?;
    let (validation, unvalidated) = match validation {
        Some(Err(error)) => match error.stopped_by() {
            // The path is an answer all the same.
            Some(reason) => {
                output::say(&format!("Not cross-validated: {error}"));
                (None, Some(reason))
            }
            None => return Err(Failure::from(error).at(&place)),
        },
        Some(Ok(validation)) => (Some(validation), None),
        None => (None, None),
    };
    let validation = validation.as_ref();
    let why = path.points.first().and_then(|point| why_no_split(&point.solution));
    if !quiet && let Some(why) = why {
        output::say(&why);
    }

    if let Some(file) = &args.svg {
        output::write_file(file, path.svg(validation).to_string().as_bytes())?;
    }
    let chosen = validation.map_or(path.points.len() - 1, |found| found.one_standard_error);
    let model = &path.points[chosen].solution.model;
    if let Some(file) = &args.out {
        output::write_file(file, model.to_json().as_bytes())?;
    }
    if let Some(file) = &args.report {
        let options = HtmlOptions::default().path(path.candidates(validation));
        output::write_file(file, model.html(&options).as_bytes())?;
    }
    let json = args.json;
    output::print(&if json { as_json(&path, validation)? } else { as_text(&path, validation) })?;
    let stopped = path.stopped.or(unvalidated);
    let stopped = stopped.or(validation.and_then(|validation| validation.stopped));
    Ok(if stopped.is_some() { ExitCode::from(STOPPED) } else { ExitCode::SUCCESS })
}

fn as_text(path: &RegularizationPath, validation: Option<&CrossValidation>) -> String {
    let mut text =
        format!("{:>10}  {:>10}  {:>6}  {:>6}  accuracy", "λ from", "to", "splits", "leaves");
    text += if validation.is_some() { "  held out\n" } else { "\n" };
    for (place, point) in path.points.iter().enumerate() {
        let PathPoint { from, until, solution } = point;
        let report = &solution.report;
        text += &format!(
            "{:>10.6}  {:>10.6}  {:>6}  {:>6}  {:.6}",
            from.to_f64(),
            until.to_f64(),
            report.splits(),
            report.leaves,
            report.accuracy,
        );
        if let Some(validation) = validation {
            let HeldOut { mean, standard_error, .. } = &validation.held_out[place];
            text += &format!("  {mean:.4} ± {standard_error:.4}");
            for (chosen, mark) in [
                (validation.best, "  best"),
                (validation.one_standard_error, "  within one standard error"),
            ] {
                text += if chosen == place { mark } else { "" };
            }
        }
        text += if solution.status.is_optimal() { "\n" } else { "  not proven\n" };
    }
    text += &format!("\n{}\n", path.verdict());
    let expansions = grouped(path.counters.expansions);
    let searches = plural(path.n_searches as u64, "search", "searches");
    text + &format!("{searches}, {expansions} branches expanded, {}\n", seconds(path.seconds))
}

/// What `--json` prints; the fields are documented in docs/formats.md.
#[derive(Serialize)]
struct Json<'a> {
    schema: u32,
    status: &'static str,
    stopped_by: Option<branchwise::StopReason>,
    searches: usize,
    expansions: u64,
    seconds: f64,
    best: Option<usize>,
    one_standard_error: Option<usize>,
    points: Vec<JsonPoint<'a>>,
}

#[derive(Serialize)]
struct JsonPoint<'a> {
    from: f64,
    until: f64,
    /// Numerator and denominator.
    from_exact: [u64; 2],
    until_exact: [u64; 2],
    split_penalty: &'a str,
    objective: f64,
    accuracy: f64,
    splits: u64,
    leaves: usize,
    depth: usize,
    proven: bool,
    held_out: Option<f64>,
    standard_error: Option<f64>,
}

fn as_json(
    path: &RegularizationPath,
    validation: Option<&CrossValidation>,
) -> Result<String, Failure> {
    let exact = |fraction: Fraction| [fraction.numerator, fraction.denominator];
    let penalty_of =
        |place: usize| path.points[place].solution.model.settings().goal.split_penalty.as_str();
    let point = |(place, point): (usize, &PathPoint)| {
        let report = &point.solution.report;
        let held_out = validation.map(|validation| &validation.held_out[place]);
        JsonPoint {
            from: point.from.to_f64(),
            until: point.until.to_f64(),
            from_exact: exact(point.from),
            until_exact: exact(point.until),
            split_penalty: penalty_of(place),
            objective: report.objective,
            accuracy: report.accuracy,
            splits: report.splits(),
            leaves: report.leaves,
            depth: report.depth,
            proven: point.solution.status.is_optimal(),
            held_out: held_out.map(|found| found.mean),
            standard_error: held_out.map(|found| found.standard_error),
        }
    };
    output::json(&Json {
        schema: 1,
        status: if path.stopped.is_none() { "optimal" } else { "stopped" },
        stopped_by: path.stopped,
        searches: path.n_searches,
        expansions: path.counters.expansions,
        seconds: path.seconds,
        best: validation.map(|validation| validation.best),
        one_standard_error: validation.map(|validation| validation.one_standard_error),
        points: path.points.iter().enumerate().map(point).collect(),
    })
}
