//! What the README shows is what the program does.

#![allow(clippy::unwrap_used)] // clippy's own exception for tests stops at their helpers

use std::path::Path;
use std::process::Command;

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn branchwise(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_branchwise"));
    let output = command.args(arguments).current_dir(repository()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The arguments of a command line: separated by blanks, except between quotation marks.
fn arguments(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for (place, piece) in line.split('"').enumerate() {
        match place % 2 {
            0 => parts.extend(piece.split_whitespace()),
            _ => parts.push(piece),
        }
    }
    parts
}

/// Each command that is shown with what it prints, up to `…` or the end of the block.
fn shown(readme: &str) -> Vec<(&str, Vec<&str>)> {
    let mut commands = Vec::new();
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for part in block.split("$ ").skip(1) {
            let (line, printed) = part.split_once('\n').unwrap();
            let printed: Vec<&str> = printed.lines().take_while(|line| *line != "…").collect();
            let program = ["cargo run --release -- ", "branchwise "];
            let line = program.iter().find_map(|start| line.strip_prefix(start));
            if let Some(line) = line.filter(|_| !printed.is_empty()) {
                commands.push((line, printed));
            }
        }
    }
    commands
}

#[test]
fn its_commands_print_what_it_shows() {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    let commands = shown(&readme);
    assert_eq!(commands.len(), 4);
    for (line, shown) in commands {
        let printed = branchwise(&arguments(line));
        assert_eq!(shown, printed.lines().take(shown.len()).collect::<Vec<_>>(), "{line}");
        assert!(shown.len() > 5);
    }
}

#[test]
fn its_pictures_are_drawn_by_the_program() {
    let clinic = "fit examples/clinic.csv --id appointment --ordered pain=low<medium<high";
    for (name, line) in [("monk1", "fit --builtin monk1 --encoding one-hot"), ("clinic", clinic)] {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("model.json");
        let model = model.to_str().unwrap();
        branchwise(&[&arguments(line)[..], &["--out", model]].concat());
        let drawn = branchwise(&["show", model, "--as", "svg"]);
        let path = repository().join("docs").join(name).with_extension("svg");
        let kept = std::fs::read_to_string(&path).unwrap();
        assert!(drawn == kept, "redraw {} with {line} and show --as svg", path.display());
    }
}
