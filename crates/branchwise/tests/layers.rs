//! Which module may name which: the drawing of the layers, kept true.
//!
//! Every path that begins with `crate::`, and every `super::` that climbs to the top, is an arrow
//! from the file to the module it names. Tests inside a file (from its first `#[cfg(test)]` on) may
//! name more.

#![allow(clippy::unwrap_used, reason = "a test may panic, and so may what it calls")]

use std::fs;
use std::path::{Path, PathBuf};

/// For the files at or below a path, the modules that they may name. The first rule that fits holds.
const RULES: [(&str, &[&str]); 23] = [
    ("text", &[]),
    ("observe", &[]),
    ("units", &[]),
    ("memory", &[]),
    ("limits", &["memory"]),
    ("sort", &["limits"]),
    ("error", &["limits", "text"]),
    ("decimal", &["error"]),
    ("rowset", &[]),
    ("objective", &["decimal", "error"]),
    ("problem", &["rowset", "decimal", "limits", "sort"]),
    ("data", &["data", "decimal", "error", "limits", "memory", "observe", "text"]),
    (
        "encode",
        &["encode", "data", "decimal", "objective", "problem", "error", "limits", "sort", "text"],
    ),
    ("search/bounds", &["objective"]),
    (
        "search",
        &[
            "search",
            "problem",
            "rowset",
            "objective",
            "observe",
            "error",
            "decimal",
            "limits",
            "sort",
        ],
    ),
    ("tree/extract", &["tree", "objective", "problem", "rowset", "search"]),
    ("tree", &["tree", "objective", "text"]),
    ("plot", &["tree"]),
    (
        "model",
        &[
            "model",
            "encode",
            "tree",
            "data",
            "objective",
            "error",
            "decimal",
            "limits",
            "plot",
            "report",
            "search",
            "settings",
            "text",
        ],
    ),
    ("report", &["encode", "objective", "search"]),
    ("settings", &["data", "decimal", "encode", "error", "limits", "objective", "search"]),
    (
        "solve",
        &[
            "data",
            "decimal",
            "encode",
            "error",
            "limits",
            "memory",
            "model",
            "objective",
            "problem",
            "report",
            "search",
            "settings",
            "solve",
            "tree",
        ],
    ),
    (
        "path",
        &[
            "data",
            "decimal",
            "encode",
            "error",
            "limits",
            "memory",
            "model",
            "objective",
            "path",
            "problem",
            "report",
            "search",
            "settings",
            "solve",
            "sort",
            "tree",
        ],
    ),
];

/// What must never come back, whatever the rules above become.
const NEVER: [(&str, &[&str]); 2] = [
    ("search", &["data", "encode", "tree", "model", "solve"]),
    ("tree", &["data", "encode", "model", "solve"]),
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every source file below a folder, in the order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    let all = entries.into_iter().flat_map(below);
    all.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The module that a file is, as a path: `search/paper/expand.rs` is `search/paper/expand`, and
/// `search/mod.rs` is `search`.
fn module_of(file: &Path) -> String {
    let inside = file.strip_prefix(source()).unwrap().with_extension("");
    let parts: Vec<&str> = inside.iter().map(|part| part.to_str().unwrap()).collect();
    parts.strip_suffix(&["mod"]).unwrap_or(&parts).join("/")
}

/// The code of a file before its tests, without comments.
fn code_of(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let lines = text.lines().take_while(|line| !line.contains("#[cfg(test)]"));
    let code = lines.filter(|line| !line.trim_start().starts_with("//"));
    code.map(|line| format!("{line}\n")).collect()
}

/// The first name after each place where a path goes to the top of the crate.
fn names_from_the_top(code: &str, module: &str) -> Vec<String> {
    let climbs = "super::".repeat(module.split('/').count());
    let starts = ["crate::", climbs.as_str()];
    let after = |start: &str| -> Vec<String> {
        let parts = code.split(start).skip(1);
        let name = |part: &str| -> String {
            part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
        };
        parts.map(name).collect()
    };
    starts.into_iter().flat_map(after).collect()
}

/// The module of a name that `lib.rs` exports from the top: `crate::Decimal` is `decimal`'s.
fn home_of(name: &str, front_page: &str) -> String {
    let exports = front_page.lines().filter_map(|line| line.strip_prefix("pub use "));
    let mut homes = exports.filter_map(|export| export.split_once("::"));
    let listed =
        |names: &str| names.split(|c: char| !c.is_alphanumeric()).any(|exported| exported == name);
    let home = homes.find(|(_, names)| listed(names));
    home.map_or(name, |(module, _)| module).to_string()
}

/// Every arrow: (the file's module, the module it names).
fn arrows() -> Vec<(String, String)> {
    let front_page = fs::read_to_string(source().join("lib.rs")).unwrap();
    let mut arrows = Vec::new();
    for file in files(&source()) {
        let module = module_of(&file);
        if module == "lib" {
            continue;
        }
        let names = names_from_the_top(&code_of(&file), &module);
        arrows.extend(names.iter().map(|name| (module.clone(), home_of(name, &front_page))));
    }
    arrows
}

fn is_below(module: &str, rule: &str) -> bool {
    module.strip_prefix(rule).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[test]
fn every_arrow_is_allowed() {
    for (module, named) in arrows() {
        assert!(!named.is_empty(), "{module}: name one module with each `use crate::`");
        let rule = RULES.iter().find(|(path, _)| is_below(&module, path));
        let (_, allowed) = rule.unwrap_or_else(|| panic!("{module} has no rule: give it one"));
        assert!(allowed.contains(&named.as_str()), "{module} must not name {named}");
    }
}

#[test]
fn the_rules_keep_the_stages_apart() {
    for (path, allowed) in RULES {
        for (stage, never) in NEVER {
            let broken = allowed.iter().find(|name| is_below(path, stage) && never.contains(name));
            assert_eq!(broken, None, "{path}");
        }
        let may_search = path == "tree/extract" || !is_below(path, "tree");
        assert!(may_search || !allowed.contains(&"search"), "{path}");
    }
}

#[test]
fn the_reader_of_arrows_finds_them() {
    let found = |module: &str, code: &str| names_from_the_top(code, module);
    assert_eq!(found("tree/extract", "use crate::search::Policy;"), ["search"]);
    assert_eq!(found("tree", "fn f() -> crate::data::Target {"), ["data"]);
    assert_eq!(found("tree/extract", "use super::Tree; use super::super::data::X;"), ["data"]);
    assert_eq!(found("tree", "use super::encode;"), ["encode"]);
    assert_eq!(found("tree", "use crate::{data, encode};"), [""]);
    assert_eq!(home_of("Decimal", "pub use decimal::{Decimal, Fraction};"), "decimal");
    assert!(arrows().contains(&("tree/extract".to_string(), "search".to_string())));
    assert!(arrows().len() > 30, "the source is read");
}
