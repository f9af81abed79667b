//! The result of the search as the model stores it, and the one function that puts it in words.

use crate::report::{AnswerCost, Report, Status};
use crate::search::{Counters, StopReason, TracePoint};
use serde::{Deserialize, Serialize};

/// What was found, as it is kept with the model.
///
/// A [`Model`](super::Model) only ever holds a summary whose fields agree: a file in which they
/// contradict each other is refused when it is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Whether the search says that the tree is optimal; [`Summary::is_optimal`] asks the other fields, too.
    pub optimal: bool,
    /// Which limit ended the search, if it was ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<StopReason>,
    /// accuracy − λ · splits or, where answers have costs, 1 − cost / worst − λ · splits.
    pub objective: f64,
    /// No tree has a larger objective.
    pub upper_bound: f64,
    /// The share of weight classified correctly.
    pub accuracy: f64,
    /// What the answers cost, where they have costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<AnswerCost>,
    /// The number of splits.
    pub splits: u64,
    /// Seconds that encoding and search took.
    pub seconds: f64,
    /// Iterations that it took.
    pub iterations: u64,
    /// Objective and bound over time, thinned out to at most a few hundred points.
    #[serde(default)]
    pub trace: Vec<TracePoint>,
}

/// What rounding may do to a share.
pub(super) const ROUNDING: f64 = 1e-12;

impl Summary {
    const MOST_POINTS: usize = 200;

    pub(crate) fn new(status: Status, report: &Report) -> Self {
        let Counters { iterations, .. } = report.counters;
        Summary {
            optimal: status.is_optimal(),
            stopped_by: match status {
                Status::Optimal => None,
                Status::Stopped(reason) => Some(reason),
            },
            objective: report.objective,
            upper_bound: report.upper_bound,
            accuracy: report.accuracy,
            cost: report.cost,
            splits: report.splits(),
            seconds: report.seconds,
            iterations,
            trace: thinned(&report.trace, Self::MOST_POINTS),
        }
    }

    /// Whether the tree is proven to be optimal: the search says so, and no other field contradicts it.
    pub fn is_optimal(&self) -> bool {
        self.optimal && self.ending_fault().is_none()
    }

    /// By how much another tree could be better at most.
    pub fn gap(&self) -> f64 {
        self.upper_bound - self.objective
    }

    /// How the search ended: `proven optimal`, or what is known instead. The command line, reports,
    /// exports and Python all print these words after the objective.
    pub fn verdict(&self) -> String {
        if self.is_optimal() {
            return "proven optimal".into();
        }
        let ended = match self.stopped_by {
            Some(reason) => format!("stopped ({reason})"),
            None => "not proven optimal".into(),
        };
        if self.gap() == 0.0 {
            return format!(
                "{ended}: no tree has a larger one, but a smaller tree may have the same"
            );
        }
        format!("{ended}: no tree is above {:.6}, gap {:.6}", self.upper_bound, self.gap())
    }

    /// The objective, how the search ended and how long it took, as one sentence.
    pub fn sentence(&self) -> String {
        let Summary { objective, seconds, .. } = self;
        format!("Objective {objective:.6}, {} (in {seconds:.2} s).", self.verdict())
    }

    /// What contradicts itself here, if anything does; `slack` is how much the objective may fall at the
    /// last step of the trace.
    pub(super) fn fault(&self, slack: f64) -> Option<String> {
        self.ending_fault().or_else(|| self.range_fault()).or_else(|| self.trace_fault(slack))
    }

    /// What speaks against how the search is said to have ended.
    fn ending_fault(&self) -> Option<String> {
        let Summary { optimal, objective, upper_bound, .. } = self;
        match (optimal, self.stopped_by) {
            (true, Some(reason)) => Some(format!(
                "\"summary.optimal\" is true, but \"summary.stopped_by\" names a limit ({reason})"
            )),
            (false, None) => Some(
                "\"summary.optimal\" is false, but no \"summary.stopped_by\" says what ended the search"
                    .into(),
            ),
            _ if upper_bound < objective => Some(format!(
                "\"summary.upper_bound\" is {upper_bound}, below \"summary.objective\", {objective}"
            )),
            (true, None) if upper_bound != objective => Some(format!(
                "\"summary.optimal\" is true, but \"summary.upper_bound\", {upper_bound}, is not \
                 \"summary.objective\", {objective}"
            )),
            _ => None,
        }
    }

    /// Figures that no search can have found.
    fn range_fault(&self) -> Option<String> {
        let Summary { accuracy, upper_bound, seconds, cost, .. } = self;
        let share = |name: &str, share: f64| {
            let outside = !(0.0..=1.0).contains(&share);
            outside.then(|| format!("\"summary.{name}\" is {share}, which is not from 0 to 1"))
        };
        let above = |name: &str, found: f64, most: f64| {
            (found > most).then(|| format!("\"summary.{name}\" is {found}, above {most}"))
        };
        let below_nothing = |name: &str, found: f64| {
            (found < 0.0).then(|| format!("\"summary.{name}\" is {found}, below 0"))
        };
        share("accuracy", *accuracy)
            .or_else(|| above("upper_bound", *upper_bound, 1.0))
            .or_else(|| below_nothing("seconds", *seconds))
            .or_else(|| below_nothing("cost.total", cost.as_ref()?.total))
            .or_else(|| above("cost.total", cost.as_ref()?.total, cost.as_ref()?.worst))
    }

    /// What is wrong with the trace: time goes on, trees get better, bounds get closer, and the last point
    /// is where the search ended.
    fn trace_fault(&self, slack: f64) -> Option<String> {
        let last = self.trace.last()?;
        let (objective, bound) = (self.objective, self.upper_bound);
        if (last.objective, last.upper_bound) != (objective, bound) {
            return Some(format!(
                "\"summary.trace\" ends with the objective {} and the bound {}, \"summary\" says \
                 {objective} and {bound}",
                last.objective, last.upper_bound
            ));
        }
        if last.seconds > self.seconds {
            return Some(format!(
                "\"summary.trace\" goes on for {} seconds, \"summary.seconds\" is {}",
                last.seconds, self.seconds
            ));
        }
        let n_points = self.trace.len();
        let bad = |(place, point): (usize, &TracePoint)| {
            let before = place.checked_sub(1).map_or(*point, |before| self.trace[before]);
            let slack = if place + 1 == n_points { slack } else { 0.0 };
            let wrong = if point.seconds < 0.0 || point.seconds < before.seconds {
                "goes back in time"
            } else if point.objective < before.objective - slack - ROUNDING {
                "has a falling objective"
            } else if point.upper_bound > before.upper_bound + ROUNDING {
                "has a rising bound"
            } else if point.upper_bound < point.objective - ROUNDING {
                "has a bound below the objective"
            } else {
                return None;
            };
            Some(format!("\"summary.trace\" {wrong} at its point {}", place + 1))
        };
        self.trace.iter().enumerate().find_map(bad)
    }
}

/// At most `most` points: the last one, and before it those first in equal parts of the range that
/// objective and bound passed through.
fn thinned(trace: &[TracePoint], most: usize) -> Vec<TracePoint> {
    let stride = trace.len().div_ceil(most).max(1);
    let mut kept: Vec<TracePoint> = trace.iter().step_by(stride).copied().collect();
    if let Some(&last) = trace.last()
        && kept.last() != Some(&last)
    {
        kept.push(last);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Builtin, Solver};

    #[test]
    fn only_fields_that_agree_are_called_a_proof() {
        let found = Solver::new().fit(&Builtin::Monk1.dataset().unwrap()).unwrap().model;
        let proven = found.summary().clone();
        assert!(proven.is_optimal() && proven.verdict() == "proven optimal");
        let stopped = Summary { stopped_by: Some(StopReason::Time), ..proven.clone() };
        let above = Summary { upper_bound: proven.objective + 0.01, ..proven.clone() };
        let below = Summary { upper_bound: proven.objective - 0.01, ..proven };
        for contradictory in [stopped, above, below] {
            assert!(!contradictory.is_optimal() && contradictory.fault(0.0).is_some());
            let verdict = contradictory.verdict();
            assert!(!verdict.starts_with("proven"), "{verdict}");
        }
    }

    #[test]
    fn a_search_that_was_stopped_says_what_is_known() {
        let stopped = |objective, upper_bound| Summary {
            optimal: false,
            stopped_by: Some(StopReason::Time),
            objective,
            upper_bound,
            accuracy: 1.0,
            cost: None,
            splits: 3,
            seconds: 1.0,
            iterations: 5,
            trace: Vec::new(),
        };
        let said = stopped(0.5, 0.75).verdict();
        assert_eq!(said, "stopped (time limit): no tree is above 0.750000, gap 0.250000");
        assert!(stopped(0.5, 0.5).verdict().ends_with("a smaller tree may have the same"));
        assert_eq!((stopped(0.5, 0.75).gap(), stopped(0.5, 0.5).fault(0.0)), (0.25, None));
    }
}
