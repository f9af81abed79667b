//! How objective and bound moved while the search ran, and who was told.

use crate::limits::Watch;
use crate::objective::{Objective, Value};
use crate::observe::{Observer, Progress};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Objective and bound at the moment when one of them moved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TracePoint {
    /// Seconds since the search began.
    pub seconds: f64,
    /// The objective of the best tree so far.
    pub objective: f64,
    /// No tree has a larger one.
    pub upper_bound: f64,
}

const TICK: Duration = Duration::from_millis(100);

/// The trace of a search, and its observer.
pub(crate) struct Journal<'a> {
    objective: &'a Objective,
    observer: &'a mut dyn Observer,
    last: Option<(Value, Value)>,
    next_tick: Duration,
    trace: Vec<TracePoint>,
}

impl<'a> Journal<'a> {
    pub(crate) fn new(objective: &'a Objective, observer: &'a mut dyn Observer) -> Self {
        Journal { objective, observer, last: None, next_tick: TICK, trace: Vec::new() }
    }

    /// Note where the search stands: the value of the best tree, the bound, and
    /// (iterations, branches, bytes).
    pub(crate) fn note(&mut self, watch: &Watch, values: (Value, Value), sizes: (u64, u64, u64)) {
        let moved = self.last != Some(values);
        let elapsed = watch.elapsed();
        let ticks = elapsed >= self.next_tick;
        if !moved && !ticks {
            return;
        }
        let progress = Progress {
            seconds: elapsed.as_secs_f64(),
            objective: self.objective.nominal(values.0),
            upper_bound: self.objective.bound(values.1),
            iterations: sizes.0,
            branches: sizes.1,
            bytes: sizes.2,
        };
        if moved {
            self.last = Some(values);
            let Progress { seconds, objective, upper_bound, .. } = progress;
            let point = TracePoint { seconds, objective, upper_bound };
            let same = |p: &TracePoint| (p.objective, p.upper_bound) == (objective, upper_bound);
            if !self.trace.last().is_some_and(same) {
                self.trace.push(point);
                self.observer.moved(&progress);
            }
        }
        if ticks {
            self.next_tick = elapsed + TICK;
            self.observer.tick(&progress);
        }
    }

    /// Note how it ended, if that is not where the last point stands.
    pub(crate) fn close(mut self, last: Progress) -> Vec<TracePoint> {
        let Progress { seconds, objective, upper_bound, .. } = last;
        let stands = |p: &TracePoint| (p.objective, p.upper_bound) == (objective, upper_bound);
        if !self.trace.last().is_some_and(stands) {
            self.trace.push(TracePoint { seconds, objective, upper_bound });
            self.observer.moved(&last);
        }
        self.trace
    }
}
