//! What the README shows is what the program does.

#![allow(clippy::unwrap_used)] // clippy's own exception for tests stops at their helpers

use std::path::Path;
use std::process::Command;

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn branchwise(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_branchwise")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The lines below `$ cargo run --release -- ARGUMENTS`, up to `…` or the end of the block.
#[test]
fn its_first_command_prints_what_it_shows() {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let (_, after) = readme.split_once("$ cargo run --release -- ").unwrap();
    let (arguments, block) = after.split_once('\n').unwrap();
    let shown: Vec<&str> = block.lines().take_while(|line| !["…", "```"].contains(line)).collect();
    let printed = branchwise(&arguments.split_whitespace().collect::<Vec<_>>());
    assert_eq!(shown, printed.lines().take(shown.len()).collect::<Vec<_>>());
    assert!(shown.len() > 10);
}

#[test]
fn its_picture_is_drawn_by_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model.json");
    let model = model.to_str().unwrap();
    branchwise(&["fit", "--builtin", "monk1", "--encoding", "one-hot", "--out", model]);
    let drawn = branchwise(&["show", model, "--as", "svg"]);
    let kept = std::fs::read_to_string(repository().join("docs/monk1.svg")).unwrap();
    assert!(drawn == kept, "redraw docs/monk1.svg with the two commands of this test");
}
