//! A live line while the search runs, on a terminal only.

use crate::output::{bytes, grouped};
use branchwise::search::{Observer, Progress};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};

/// Shows objective, bound, gap, speed and memory.
pub(crate) struct LiveLine {
    bar: ProgressBar,
    memory_limit: Option<u64>,
}

impl LiveLine {
    /// A live line if somebody is there to see it.
    pub(crate) fn new(quiet: bool, memory_limit: Option<u64>) -> Self {
        let seen = !quiet && stderr().is_terminal();
        let bar = if seen { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
            bar.set_style(style);
        }
        LiveLine { bar, memory_limit }
    }

    /// Take the line away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for LiveLine {
    fn tick(&mut self, progress: &Progress) {
        let speed = progress.branches as f64 / progress.seconds.max(1e-9);
        let limit = self.memory_limit.map(|limit| format!(" of {}", bytes(limit)));
        self.bar.set_message(format!(
            "objective {:.4}  bound {:.4}  gap {:.4}  {} branches/s  {}{}",
            progress.objective,
            progress.upper_bound,
            progress.upper_bound - progress.objective,
            grouped(speed as u64),
            bytes(progress.bytes),
            limit.unwrap_or_default(),
        ));
        self.bar.tick();
    }
}
