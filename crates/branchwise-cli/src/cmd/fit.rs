//! `branchwise fit`: find the best tree for a table.

use crate::args::FitArgs;
use crate::failure::{Failure, Outcome, STOPPED};
use crate::input::HeaderJson;
use crate::offered::{self, Offered};
use crate::output::{self, short};
use crate::progress::LiveLine;
use crate::settings::settings;
use crate::signals::Signals;
use crate::training::{self, Training};
use branchwise::encode::{Missing, Thresholds};
use branchwise::format::{bytes, grouped, plural, seconds};
use branchwise::search::Constraints;
use branchwise::{Dataset, Engine, Fraction, Solution, Solver, Status, brief};
use serde::Serialize;
use std::process::ExitCode;

pub(crate) fn run(args: &FitArgs, quiet: bool) -> Outcome {
    let signals = Signals::listen(args.search.time_limit)?;
    let settings = settings(&args.table, &args.weights, &args.search)?;
    let mut solver = Solver::new().with_settings(settings).stop_flag(signals.flag());
    solver.check()?;
    if let Some(path) = &args.out {
        output::check_writable(path)?;
        if args.table.table.iter().any(|table| output::is_same_file(table, path)) {
            return Err(Failure::input("--out names the table itself; name another file"));
        }
    }
    let training = training::read(&args.table, &args.search, &signals, quiet)?;
    let Training { dataset, place, header } = training;

    let mut live = LiveLine::new(quiet).memory_limit(args.search.memory_limit);
    signals.search_begins();
    solver = solver.time_spent(signals.time_spent());
    let fitted = solver.fit_observed(&dataset, &mut live);
    signals.search_ended();
    live.clear();
    let solution = fitted.map_err(|error| Failure::from(error).at(&place))?;

    if let Some(path) = &args.out {
        output::write_file(path, solution.model.to_json().as_bytes())?;
    }
    output::print(&match args.json {
        true => as_json(&solution, &dataset, header)?,
        false => as_text(&solution, args),
    })?;
    let why = || (!args.json).then(|| why_one_leaf(&solution, &dataset)).flatten();
    if !quiet && let Some(why) = why_no_split(&solution).or_else(why) {
        output::say(&why);
    }
    Ok(match solution.status {
        Status::Optimal => ExitCode::SUCCESS,
        Status::Stopped(_) => ExitCode::from(STOPPED),
    })
}

fn as_text(solution: &Solution, args: &FitArgs) -> String {
    let Solution { model, report, .. } = solution;
    let shown = if args.collapse { &model.collapse() } else { model };
    let shared = shown.tree().n_splits() as u64;
    let splits = plural(report.splits(), "split", "splits");
    let splits = if args.collapse { format!("{splits} ({shared} shown)") } else { splits };
    format!(
        "{}\n\
         Objective  {:.6}  {}\n\
         Accuracy   {:.6}  on {}\n\
         {}\
         Size       {splits}, {}, depth {}\n\
         Offered    {}\n\
         Search     {}, {}, {}\n",
        shown.text(),
        report.objective,
        model.summary().verdict(),
        report.accuracy,
        rows_line(solution),
        weights_lines(solution),
        plural(report.leaves as u64, "leaf", "leaves"),
        report.depth,
        offered_line(solution),
        seconds(report.seconds),
        plural(report.counters.iterations, "iteration", "iterations"),
        bytes(report.counters.peak_bytes),
    )
}

/// What classes weigh and answers cost, where that was said.
fn weights_lines(solution: &Solution) -> String {
    let Solution { model, report, .. } = solution;
    let mut lines = String::new();
    if let Some(weights) = model.class_weights() {
        let pairs = model.target().classes.iter().zip(weights);
        let weighed =
            pairs.map(|(class, weight)| format!("{} × {}", brief(class), short(weight.to_f64())));
        lines += &format!("Weights    {}\n", weighed.collect::<Vec<_>>().join(", "));
    }
    if let Some(cost) = report.cost {
        lines += &output::cost_line(cost);
    }
    lines
}

/// How many rows were learnt from, and how many were left out.
fn rows_line(solution: &Solution) -> String {
    let reduction = solution.report.reduction;
    let rows = plural(reduction.rows, "row", "rows");
    match reduction.dropped_rows {
        0 => rows,
        dropped => format!("{rows} ({} left out: a value is missing)", grouped(dropped)),
    }
}

/// The splits of which the guarantee speaks.
fn offered_line(solution: &Solution) -> String {
    const SHOWN: usize = 4;
    let columns = Offered::of(solution.model.encoder());
    let splits = plural(solution.report.reduction.offered as u64, "split", "splits");
    let cut_short = |offered: &&Offered| offered.thresholds().is_some_and(|(n, all)| n < all);
    let limited: Vec<&Offered> = columns.iter().filter(cut_short).collect();
    let thresholds = |offered: &&Offered| {
        let (n, all) = offered.thresholds()?;
        Some(format!("{} {n} of {all}", brief(&offered.input.name)))
    };
    let mut shown: Vec<String> = limited.iter().take(SHOWN).filter_map(thresholds).collect();
    if limited.len() > SHOWN {
        shown.push(format!("{} more columns", limited.len() - SHOWN));
    }
    let has_thresholds = columns.iter().any(|offered| offered.thresholds().is_some());
    match (has_thresholds, limited.is_empty()) {
        (false, _) => splits,
        (true, true) => format!("{splits}, with every threshold"),
        (true, false) => format!("{splits}; thresholds at quantiles: {}", shown.join(", ")),
    }
}

/// What `--json` prints; the fields are documented in docs/formats.md.
#[derive(Serialize)]
struct Json<'a> {
    schema: u32,
    status: &'static str,
    stopped_by: Option<branchwise::StopReason>,
    objective: f64,
    upper_bound: f64,
    gap: f64,
    relative_gap: f64,
    accuracy: f64,
    correct_weight: u64,
    cost: Option<f64>,
    worst_cost: Option<f64>,
    paid: u64,
    splits: u64,
    leaves: usize,
    depth: usize,
    seconds: f64,
    threads: usize,
    iterations: u64,
    expansions: u64,
    evaluations: u64,
    complexity_bound: Option<f64>,
    memo_size: u64,
    memo_hits: u64,
    peak_bytes: u64,
    engine: Engine,
    split_penalty: &'a str,
    price: branchwise::Price,
    encoding: branchwise::Encoding,
    thresholds: Thresholds,
    max_categories: Option<usize>,
    missing: Missing,
    first_column: Option<&'a str>,
    class_weights: Option<Vec<f64>>,
    target: &'a str,
    rows: u64,
    dropped_rows: u64,
    distinct_rows: usize,
    features: usize,
    constant_features: usize,
    repeated_features: usize,
    classes: usize,
    header: Option<HeaderJson>,
    columns: Vec<offered::Json<'a>>,
}

fn as_json(
    solution: &Solution,
    dataset: &Dataset,
    header: Option<HeaderJson>,
) -> Result<String, Failure> {
    let Solution { model, status, report } = solution;
    let (counters, offer) = (report.counters, &model.settings().offer);
    let weights = model.class_weights();
    let json = Json {
        schema: 1,
        status: if status.is_optimal() { "optimal" } else { "stopped" },
        stopped_by: model.summary().stopped_by,
        objective: report.objective,
        upper_bound: report.upper_bound,
        gap: report.gap(),
        relative_gap: report.relative_gap(),
        accuracy: report.accuracy,
        correct_weight: report.correct_weight,
        cost: report.cost.map(|cost| cost.total),
        worst_cost: report.cost.map(|cost| cost.worst),
        paid: report.score.paid,
        splits: report.splits(),
        leaves: report.leaves,
        depth: report.depth,
        seconds: report.seconds,
        threads: counters.threads,
        iterations: counters.iterations,
        expansions: counters.expansions,
        evaluations: counters.evaluations,
        complexity_bound: Some(report.complexity_bound).filter(|bound| bound.is_finite()),
        memo_size: counters.memo_size,
        memo_hits: counters.memo_hits,
        peak_bytes: counters.peak_bytes,
        engine: model.settings().engine,
        split_penalty: model.settings().goal.split_penalty.as_str(),
        price: model.settings().goal.price,
        encoding: offer.encoding,
        thresholds: offer.thresholds,
        max_categories: offer.max_categories,
        missing: offer.missing,
        first_column: offer.first_column.as_deref(),
        class_weights: weights.map(|weights| weights.into_iter().map(Fraction::to_f64).collect()),
        target: dataset.target().name(),
        rows: report.reduction.rows,
        dropped_rows: report.reduction.dropped_rows,
        distinct_rows: report.reduction.distinct_rows,
        features: report.reduction.offered,
        constant_features: report.reduction.constant,
        repeated_features: report.reduction.repeated,
        classes: dataset.target().values().len(),
        header,
        columns: Offered::of(model.encoder()).iter().map(Offered::json).collect(),
    };
    output::json(&json)
}

/// Two leaves may need more rows than there are: then no tree with a split is allowed.
pub(crate) fn why_no_split(solution: &Solution) -> Option<String> {
    let (least, rows) =
        (solution.model.settings().constraints.min_leaf?, solution.report.reduction.rows);
    (least.saturating_mul(2) > rows).then(|| {
        format!(
            "One leaf: every leaf must have {} or more, but there are {} in all, so no split is possible; \
             try a smaller --min-leaf.",
            plural(least, "row", "rows"),
            grouped(rows)
        )
    })
}

/// A tree of one leaf surprises: say why it is the best.
fn why_one_leaf(solution: &Solution, dataset: &Dataset) -> Option<String> {
    let Solution { model, status, report } = solution;
    if report.splits() > 0 || !status.is_optimal() {
        return None;
    }
    let goal = &model.settings().goal;
    let classes = dataset.target().values();
    let reduction = report.reduction;
    Some(if classes.len() == 1 {
        format!("One leaf: every row has the class \"{}\".", brief(&classes[0]))
    } else if dataset.left_out().iter().all(Option::is_some) {
        "One leaf: every column is left out, so there is nothing to split on.".into()
    } else if reduction.constant == reduction.offered {
        "One leaf: no column has two different values, so there is no split.".into()
    } else if model.settings().constraints != Constraints::default() {
        "One leaf: of the trees that the limits on depth, leaves, splits and rows per leaf allow, \
         none with a split is better."
            .into()
    } else if goal.split_penalty.as_str().parse() == Ok(0.0) {
        "One leaf: no tree classifies more rows correctly.".into()
    } else {
        format!(
            "One leaf: no split gains enough accuracy to outweigh the split penalty of {} \
             ({} offered); try a smaller one.",
            goal.split_penalty.as_str(),
            grouped((reduction.offered - reduction.constant) as u64),
        )
    })
}
