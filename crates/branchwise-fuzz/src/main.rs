//! Run many mutated cases, in batches, each in a process of its own:
//! `cargo run -p branchwise-fuzz -- --cases 1000000`.

use branchwise_fuzz::allocator::Counting;
use branchwise_fuzz::seeds::{Kind, seeds};
use branchwise_fuzz::{Most, bytes_of, check};
use clap::Parser;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Fuzz with mutated tables and models; cases that panic, hang or need too much memory are written to a folder
#[derive(Debug, Parser)]
struct Args {
    /// How many cases to run
    #[arg(long, default_value_t = 10_000)]
    cases: u64,
    /// The number of the first case
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// The seed; other seeds make other cases
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for failing cases
    #[arg(long, default_value = "fuzz-findings")]
    out: PathBuf,
    /// Run the cases in this process, and write the number of each to this file before it begins
    #[arg(long, hide = true)]
    inside: Option<PathBuf>,
}

/// How many cases a process runs.
const BATCH: u64 = 5_000;

fn main() -> io::Result<ExitCode> {
    let args = Args::parse();
    match &args.inside {
        Some(note) => work(&args, note),
        None => watch(&args),
    }
}

/// Start a process for each batch. If one dies, report the case and continue with the next case.
fn watch(args: &Args) -> io::Result<ExitCode> {
    let start = Instant::now();
    std::fs::create_dir_all(&args.out)?;
    let note = args.out.join("running");
    let (mut next, end, mut died) = (args.first, args.first + args.cases, 0u64);
    while next < end {
        let cases = BATCH.min(end - next);
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("--inside").arg(&note).arg("--out").arg(&args.out);
        command.args(["--first", &next.to_string(), "--cases", &cases.to_string()]);
        let status = command.args(["--seed", &args.seed.to_string()]).status()?;
        if status.success() {
            next += cases;
            continue;
        }
        let number: u64 = std::fs::read_to_string(&note)?.trim().parse().unwrap_or(next);
        died += 1;
        found(args, number, &format!("the process ended: {status}"))?;
        next = number + 1;
    }
    drop(std::fs::remove_file(&note));
    let n_found = std::fs::read_dir(&args.out)?.count();
    let seconds = start.elapsed().as_secs();
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{} cases in {seconds} s: {n_found} findings in {}, {died} of them ended the process",
        args.cases,
        args.out.display()
    )?;
    Ok(if n_found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Run a batch here.
fn work(args: &Args, note: &Path) -> io::Result<ExitCode> {
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        std::panic::set_hook(Box::new(|_| {}));
    }
    let seeds = seeds();
    let most = Most::default();
    let begun = Arc::new(AtomicU64::new(0));
    kill_when_late(begun.clone(), most.time * 3);
    for number in args.first..args.first + args.cases {
        std::fs::write(note, number.to_string())?;
        begun.fetch_add(1, Relaxed);
        let (kind, bytes, dice) = bytes_of(&seeds, args.seed, number);
        if let Err(wrong) = check(kind, &bytes, dice, most) {
            found(args, number, &wrong)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// End the process if a case does not finish.
fn kill_when_late(begun: Arc<AtomicU64>, most: Duration) {
    std::thread::spawn(move || {
        loop {
            let before = begun.load(Relaxed);
            std::thread::sleep(most);
            if begun.load(Relaxed) == before {
                std::process::abort();
            }
        }
    });
}

/// Write a failing case to the folder, and report it.
fn found(args: &Args, number: u64, wrong: &str) -> io::Result<()> {
    let (kind, bytes, _) = bytes_of(&seeds(), args.seed, number);
    let ending = if kind == Kind::Model { "model" } else { "table" };
    let name = format!("{}-{number}.{ending}", args.seed);
    std::fs::write(args.out.join(&name), &bytes)?;
    writeln!(io::stderr().lock(), "case {number} of seed {} ({name}): {wrong}", args.seed)
}
