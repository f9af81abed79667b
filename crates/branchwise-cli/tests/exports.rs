//! docs/exports.md is run from the first line to the last: its commands, and its programs in other
//! languages, print what it shows.

#![allow(clippy::unwrap_used)] // clippy's own exception for tests stops at their helpers

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../../docs/exports.md");

/// The language and the text of each block of code.
fn blocks() -> Vec<(&'static str, &'static str)> {
    let fenced = PAGE.split("```").skip(1).step_by(2);
    fenced.map(|block| block.split_once('\n').unwrap()).collect()
}

fn run(command: &mut Command, folder: &Path) -> String {
    let output = command.current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}\n{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "{command:?}");
    text(&output.stdout).replace("\r\n", "\n")
}

/// Run a block of commands, each followed by what it prints, up to `…`.
fn run_console(block: &str, folder: &Path) {
    for part in block.split("$ branchwise ").skip(1) {
        let (arguments, shown) = part.split_once('\n').unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_branchwise"));
        let printed = run(command.args(arguments.split_whitespace()), folder);
        match shown.split_once("…") {
            Some((start, _)) => assert!(printed.starts_with(start), "{arguments}\n{printed}"),
            None => assert_eq!(printed, shown, "{arguments}"),
        }
    }
}

/// The Python to run a program with, if it is there.
fn python_for(program: &str) -> Option<OsString> {
    if program.contains("onnxruntime") {
        return std::env::var_os("BRANCHWISE_EXPORTS_PYTHON");
    }
    Command::new("python3").arg("--version").output().is_ok().then(|| "python3".into())
}

/// What a program of the page prints; `None` if there is nothing to run it with.
fn output_of(language: &str, program: &str, folder: &Path) -> Option<String> {
    if language == "python" {
        let python = python_for(program).or_else(|| {
            eprintln!("SKIPPED: no Python to run this part of docs/exports.md with:\n{program}");
            None
        })?;
        fs::write(folder.join("program.py"), program).unwrap();
        return Some(run(Command::new(python).arg("program.py"), folder));
    }
    fs::write(folder.join("main.rs"), program).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiled = folder.join(format!("main{}", std::env::consts::EXE_SUFFIX));
    let flags = ["--edition", "2024", "-D", "warnings", "main.rs", "-o"];
    run(Command::new(rustc).args(flags).arg(&compiled), folder);
    Some(run(&mut Command::new(compiled), folder))
}

#[test]
fn the_page_on_exports_shows_what_happens() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let blocks = blocks();
    let mut programs = 0;
    for (place, (language, text)) in blocks.iter().enumerate() {
        match *language {
            "console" => run_console(text, folder),
            "python" | "rust" => {
                let printed = output_of(language, text, folder);
                let (follows, shown) = blocks[place + 1];
                assert_eq!(follows, "text", "what the program prints follows it:\n{text}");
                assert_eq!(printed.as_deref().unwrap_or(shown), shown, "{text}");
                programs += 1;
            }
            "text" if blocks[place - 1].0 == "console" => {
                let file = fs::read_to_string(folder.join("scales.py")).unwrap();
                assert!(file.contains(text), "scales.py has\n{file}");
            }
            "text" => {}
            other => panic!("nothing runs {other}"),
        }
    }
    assert_eq!(programs, 4);
}
