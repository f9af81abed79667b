//! Limits, signals, closed pipes: the search ends early and answers all the same.

use crate::util::{COLOURS, Dir, fitted, noise, numbered};
use std::fs::File;
use std::io::Read;
use std::thread::sleep;
use std::time::Duration;

// ---------------------------------------------------------------------------------------------
// Limits and signals

#[test]
fn a_limit_ends_with_a_tree_and_its_gap() {
    for (limit, reason, key) in [
        ("--time-limit 0s", "time limit", "time"),
        ("--iteration-limit 0", "iteration limit", "iterations"),
        ("--iteration-limit 3", "iteration limit", "iterations"),
        ("--memory-limit 1KB", "memory limit", "memory"),
    ] {
        let dir = Dir::new();
        let fit = dir.run(&format!("fit --builtin tic-tac-toe --out model.json {limit}")).expect(3);
        let fit = fit.prints(&format!("stopped ({reason}): no tree is above 0."));
        let _ = fit.prints(", gap 0.").prints("→ x won");
        let _ = dir.run("verify model.json --builtin tic-tac-toe").expect(0);
        let _ = dir.run("show model.json").expect(0).prints("→ x won");
        let json = dir.run(&format!("fit --builtin tic-tac-toe --json {limit}")).expect(3).json();
        assert!(json["gap"].as_f64().unwrap() > 0.0, "{json}");
        assert_eq!(json["stopped_by"], key);
    }
}

/// A search that goes on for as long as a test may take.
fn long_search() -> Dir {
    Dir::with("table.csv", noise(400, &numbered("c", 31)))
}

const LONG_SEARCH: &str = "fit table.csv --lambda 0.0001 --time-limit 20s --out model.json";

/// Long enough for a table to be read and a search to begin.
const BEGUN: Duration = Duration::from_millis(500);

#[test]
fn a_signal_ends_the_search_with_its_tree() {
    for name in ["INT", "TERM"] {
        let dir = long_search();
        let running = dir.branchwise(LONG_SEARCH).start();
        sleep(BEGUN);
        running.signal(name);
        let fit = running.end_within(Duration::from_secs(2)).expect(3);
        let _ = fit.prints("stopped (interrupted): no tree is above").prints("└── ");
        let _ = dir.run("verify model.json table.csv").expect(0).prints("verified: 400 rows");
        assert_eq!(dir.names(), ["model.json", "table.csv"], "{name}");
    }
}

#[test]
fn a_second_signal_ends_the_program_at_once() {
    // The first may have been answered already when the second comes: then try again.
    let ended_by_the_second = || {
        let dir = long_search();
        let running = dir.branchwise(LONG_SEARCH).start();
        sleep(BEGUN);
        running.signal("INT");
        running.signal("INT");
        let fit = running.end_within(Duration::from_secs(1));
        if !matches!(fit.code, Some(3 | 130)) {
            fit.fail("expected exit status 130, or 3 if answered before the second signal");
        }
        fit.code == Some(130)
    };
    assert!((0..10).any(|_| ended_by_the_second()), "no second signal ended the program");
}

#[test]
fn a_signal_before_the_search_ends_the_program() {
    let dir = Dir::new();
    let mut running = dir.branchwise("fit - --out model.json").input("").start_waiting();
    sleep(BEGUN);
    running.signal("INT");
    let waiting = running.child.stdin.take();
    let ended = running.end_within(Duration::from_secs(2)).expect(130).prints_only("");
    let _ = ended.says("interrupted before there was a tree; nothing was written");
    drop(waiting);
    assert!(dir.names().is_empty());
}

#[test]
fn time_and_memory_limits_cover_reading() {
    let dir = Dir::new();
    let mut running =
        dir.branchwise("fit - --time-limit 300ms --out model.json").input("").start_waiting();
    let waiting = running.child.stdin.take();
    let ended = running.end_within(Duration::from_secs(3)).expect(4).prints_only("");
    let _ = ended.says("the time limit was reached while the table was being read");
    drop(waiting);
    assert!(dir.names().is_empty());

    let rows: String = (0..20_000).map(|id| format!("name {id},{}\n", id % 2)).collect();
    let dir = Dir::with("table.csv", format!("name,class\n{rows}"));
    let ended = dir.run("fit table.csv --memory-limit 1MB").expect(4).prints_only("");
    let _ = ended.says("table.csv: the memory limit was reached while reading the table (");
    let _ = dir.run("fit table.csv --memory-limit 100MB").expect(0);
}

#[test]
#[cfg(target_os = "linux")]
fn a_line_without_an_end_ends_at_the_memory_limit() {
    let ended = Dir::new().run("fit /dev/zero --memory-limit 20MB").expect(4);
    let _ = ended.says("the memory limit was reached while reading the table");
}

#[test]
fn more_threads_than_the_machine_can_use_are_not_started() {
    let fit = Dir::new().run("fit --builtin monk1 --threads 100000").expect(0);
    let _ = fit.says("threads, all that this machine can use well").prints("proven optimal");
    let json = Dir::new().run("fit --builtin monk1 --threads 1 --json").expect(0).json();
    assert_eq!(json["threads"], 1);
}

#[test]
fn a_limit_on_time_is_one_for_path_and_folds() {
    let dir = long_search();
    let line = "path table.csv --lambda 0.0001 --folds 10 --time-limit 500ms";
    let ended = dir.branchwise(line).start().end_within(Duration::from_secs(3)).expect(3);
    let _ = ended.says("Not cross-validated: the time limit was reached").prints("not proven");
}

#[test]
fn a_killed_program_leaves_no_model() {
    let dir = long_search();
    let running = dir.branchwise(LONG_SEARCH).start();
    sleep(BEGUN);
    running.signal("KILL");
    let fit = running.end_within(Duration::from_secs(2));
    assert_eq!(fit.code, None, "ended by the signal");
    assert_eq!(dir.names(), ["table.csv"]);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let dir = fitted(COLOURS, "");
    for (line, code) in [
        ("show model.json", 0),
        ("predict model.json table.csv", 0),
        ("fit table.csv --quiet", 0),
        ("fit table.csv --quiet --iteration-limit 0", 3),
        ("completions bash", 0),
    ] {
        let mut running = dir.branchwise(line).start();
        drop(running.child.stdout.take());
        let _ = running.end().expect(code).says_nothing();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let dir = fitted(COLOURS, "");
    for line in ["show model.json", "fit table.csv", "completions zsh", "eval model.json table.csv"]
    {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let outcome = dir.branchwise(line).output_to(full).run();
        let _ = outcome.expect(1).says("cannot write to standard output: No space left");
    }
}

/// The tree's text is longer than a pipe holds: having read one byte of it, we meet the program
/// waiting with its search behind it, and can ask for its peak.
#[test]
#[cfg(target_os = "linux")]
fn memory_stays_within_its_limit() {
    const LIMIT: u64 = 64 << 10; // KiB
    let names = numbered(&"c".repeat(10_000), 31);
    let dir = Dir::with("table.csv", noise(400, &names));
    // The graph of `paper` fills its memory and stops; the memo of `fast` makes do with it.
    for (engine, time, ending) in [("paper", "20s", "memory limit"), ("fast", "3s", "time limit")] {
        let line = format!(
            "fit table.csv --engine {engine} --lambda 0.0001 --memory-limit 64MiB --time-limit {time}"
        );
        let mut running = dir.branchwise(&line).start();
        running.child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        let file = format!("/proc/{}/status", running.child.id());
        let status = std::fs::read_to_string(file).unwrap();
        let _ = running.end().expect(3).prints(&format!("stopped ({ending})"));
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("VmHWM");
        let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(engine == "fast" || peak > LIMIT / 2, "the search was stopped early: {peak} KiB");
        assert!(peak < LIMIT + LIMIT / 10 + (20 << 10), "{engine}: peak {peak} KiB");
    }
}

#[test]
fn a_signal_ends_the_encoding_too() {
    let rows: String = (0..100_000).map(|id| format!("{id},{},{}\n", id % 3, id % 2)).collect();
    let dir = Dir::with("table.csv", format!("id,b,class\n{rows}"));
    let running = dir.branchwise("fit table.csv --encoding one-hot").start();
    sleep(2 * BEGUN);
    running.signal("TERM");
    let _ = running.end_within(Duration::from_secs(2)).expect(3).prints("stopped (interrupted)");
}
