//! Progress while the program works: a live line on a terminal, a line every few seconds in a log, nothing
//! with `--quiet`.

use crate::output;
use branchwise::format::{bytes, grouped, plural};
use branchwise::observe::{Observer, Progress, Reading};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// Work that takes no longer shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);
/// The time between two lines of a log.
const INTERVAL: Duration = Duration::from_secs(10);

/// Shows what the program is doing, and how far it is.
pub(crate) struct LiveLine {
    place: Place,
    memory_limit: Option<u64>,
    /// The fold that is being worked on, and how many there are.
    fold: Option<(usize, usize)>,
    /// When the next line is due.
    due: Instant,
}

/// Where progress is shown.
enum Place {
    /// On one line of a terminal, which is overwritten.
    Terminal(ProgressBar),
    /// On a line of its own each time.
    Log,
    Nowhere,
}

impl LiveLine {
    /// A live line on a terminal, a log elsewhere.
    pub(crate) fn new(quiet: bool) -> Self {
        let place = match (quiet, stderr().is_terminal()) {
            (true, _) => Place::Nowhere,
            (false, true) => Place::Terminal(spinner()),
            (false, false) => Place::Log,
        };
        LiveLine::at(place, Instant::now())
    }

    fn at(place: Place, now: Instant) -> Self {
        let wait = if matches!(place, Place::Log) { INTERVAL } else { PATIENCE };
        LiveLine { place, memory_limit: None, fold: None, due: now + wait }
    }

    /// The limit to show beside the memory in use.
    pub(crate) fn memory_limit(mut self, limit: Option<u64>) -> Self {
        self.memory_limit = limit;
        self
    }

    /// Remove the line.
    pub(crate) fn clear(&self) {
        if let Place::Terminal(bar) = &self.place {
            bar.finish_and_clear();
        }
    }

    /// Whether to show a line now: on a terminal at every call after the first second.
    fn is_due(&mut self, now: Instant) -> bool {
        let due = now >= self.due;
        if due && matches!(self.place, Place::Log) {
            self.due = now + INTERVAL;
        }
        due
    }

    /// `fold 3 of 10  searching  …`
    fn in_fold(&self, line: &str) -> String {
        match self.fold {
            Some((fold, folds)) => format!("fold {fold} of {folds}  {line}"),
            None => line.into(),
        }
    }

    fn say(&mut self, line: impl FnOnce(&Self) -> String) {
        if matches!(self.place, Place::Nowhere) || !self.is_due(Instant::now()) {
            return;
        }
        let line = self.in_fold(&line(self));
        match &self.place {
            Place::Terminal(bar) => {
                bar.set_message(line);
                bar.tick();
            }
            Place::Log => output::say(&line),
            Place::Nowhere => {}
        }
    }
}

fn spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
        bar.set_style(style);
    }
    bar
}

impl Observer for LiveLine {
    fn reading(&mut self, reading: &Reading) {
        self.say(|_| read_line(reading));
    }

    fn encoding(&mut self, features: usize) {
        self.say(|_| format!("encoding  {}", plural(features as u64, "feature", "features")));
    }

    fn fold(&mut self, fold: usize, folds: usize) {
        self.fold = Some((fold, folds));
        self.say(|_| "begins".into());
    }

    fn tick(&mut self, progress: &Progress) {
        self.say(|line| search_line(progress, line.memory_limit));
    }
}

/// `reading  120.0 MiB of 480.0 MiB  25 %  1,200,000 rows  45,123 distinct`
fn read_line(reading: &Reading) -> String {
    let Reading { bytes: n_bytes, size, rows, kept } = *reading;
    let mut line = String::from("reading  ");
    if n_bytes > 0 {
        line += &bytes(n_bytes);
        if let Some(size) = size.filter(|&size| size > 0) {
            let percent = (n_bytes * 100 / size).min(100);
            line += &format!(" of {}  {percent} %", bytes(size));
        }
        line += "  ";
    }
    line += &plural(rows, "row", "rows");
    if kept < rows {
        line += &format!("  {} distinct", grouped(kept));
    }
    line
}

fn search_line(progress: &Progress, memory_limit: Option<u64>) -> String {
    let limit = memory_limit.map(|limit| format!(" of {}", bytes(limit)));
    format!("searching  {progress}{}", limit.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_how_far_it_is() {
        let reading = Reading { bytes: 3 << 20, size: Some(12 << 20), rows: 1000, kept: 1000 };
        assert_eq!(read_line(&reading), "reading  3.0 MiB of 12.0 MiB  25 %  1,000 rows");
        let merged = Reading { size: None, kept: 7, ..reading };
        assert_eq!(read_line(&merged), "reading  3.0 MiB  1,000 rows  7 distinct");
        let parquet = Reading { bytes: 0, ..reading };
        assert_eq!(read_line(&parquet), "reading  1,000 rows");
        let progress = Progress {
            seconds: 2.0,
            objective: 0.5,
            upper_bound: 0.75,
            iterations: 9,
            branches: 4000,
            bytes: 2048,
        };
        assert_eq!(
            search_line(&progress, Some(1 << 30)),
            "searching  objective 0.5000  bound 0.7500  gap 0.2500  2,000 branches/s  2.0 KiB of 1.0 GiB"
        );
    }

    #[test]
    fn lines_say_which_fold_it_is() {
        let mut line = LiveLine::at(Place::Nowhere, Instant::now());
        assert_eq!(line.in_fold("encoding  3 features"), "encoding  3 features");
        line.fold(3, 10);
        assert_eq!(line.in_fold("encoding  3 features"), "fold 3 of 10  encoding  3 features");
    }

    #[test]
    fn a_log_gets_a_line_now_and_then() {
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        let due = |place, times: &[u64]| -> Vec<bool> {
            let mut line = LiveLine::at(place, start);
            times.iter().map(|&seconds| line.is_due(after(seconds))).collect()
        };
        assert_eq!(
            due(Place::Log, &[1, 9, 11, 12, 20, 22]),
            [false, false, true, false, false, true]
        );
        let terminal = Place::Terminal(ProgressBar::hidden());
        assert_eq!(due(terminal, &[0, 1, 2, 2]), [false, true, true, true]);
    }
}
