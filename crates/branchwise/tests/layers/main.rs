//! Which module may name which: the drawing of the layers, declared here once and kept true.
//!
//! [`DRAWING`] lists the modules from the bottom up, each with the ones that its code may name. As a module
//! may only name modules above its own line of the list, the crate has no cycle. [`ROOMS`] does the same
//! inside a folder. DESIGN.md shows the drawing, and a test compares the two.

#![allow(clippy::unwrap_used, reason = "a test may panic, and so may what it calls")]

mod source;

use source::Source;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A module, or one file of it, and the modules that it may name.
type Line = (&'static str, &'static [&'static str]);

/// The modules of the crate. A file belongs to the longest path in this list that leads to it.
const DRAWING: &[Line] = &[
    ("text", &[]),
    ("format", &[]),
    ("observe", &["format"]),
    ("hash", &[]),
    ("memory", &[]),
    ("rowset", &[]),
    ("limits", &["memory"]),
    ("sort", &["limits"]),
    ("error", &["limits", "text"]),
    ("decimal", &["error"]),
    ("objective", &["decimal", "error"]),
    ("problem", &["limits", "rowset", "sort"]),
    ("data", &["decimal", "error", "hash", "limits", "memory", "observe", "text"]),
    (
        "encode",
        &["data", "decimal", "error", "hash", "limits", "objective", "problem", "sort", "text"],
    ),
    ("search/bounds", &["objective"]),
    (
        "search",
        &[
            "search/bounds",
            "decimal",
            "error",
            "hash",
            "limits",
            "objective",
            "observe",
            "problem",
            "rowset",
            "sort",
        ],
    ),
    ("tree", &["objective", "text"]),
    ("tree/extract", &["tree", "problem", "search"]),
    ("plot", &["tree"]),
    ("report", &["encode", "limits", "objective", "observe", "search"]),
    ("settings", &["data", "decimal", "encode", "error", "limits", "objective", "search"]),
    (
        "model",
        &[
            "data",
            "decimal",
            "encode",
            "error",
            "format",
            "limits",
            "objective",
            "plot",
            "report",
            "search",
            "settings",
            "text",
            "tree",
        ],
    ),
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
            "observe",
            "problem",
            "report",
            "search/bounds",
            "search",
            "settings",
            "tree",
            "tree/extract",
        ],
    ),
    (
        "path",
        &[
            "data",
            "decimal",
            "error",
            "format",
            "hash",
            "limits",
            "memory",
            "model",
            "objective",
            "observe",
            "report",
            "search/bounds",
            "search",
            "settings",
            "solve",
            "sort",
            "tree",
        ],
    ),
];

/// Inside a folder, its modules from the bottom up, each with the siblings that it may name. A folder that
/// is listed here lists all of its modules.
const ROOMS: &[(&str, &[Line])] = &[
    (
        "search",
        &[
            ("bounds", &[]),
            ("complexity", &[]),
            ("constraints", &[]),
            ("divide", &[]),
            ("journal", &[]),
            ("policy", &[]),
            ("first", &["policy"]),
            ("paper", &["bounds", "divide", "journal", "policy"]),
            ("fast", &["bounds", "constraints", "divide", "first", "journal", "policy"]),
        ],
    ),
    (
        "search/fast",
        &[
            ("layout", &[]),
            ("memo", &[]),
            ("branch", &["layout", "memo"]),
            ("bounding", &["branch", "layout"]),
            ("control", &["bounding", "branch", "layout", "memo"]),
            ("bench", &["bounding", "layout", "memo"]),
        ],
    ),
];

/// Folders whose files still name each other in a circle. In every other folder that is an error.
const TANGLED: &[&str] = &["search/paper"];

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn arrows() -> BTreeSet<(String, String)> {
    Source::read(&crate_folder().join("src")).arrows()
}

/// Whether a module is `path` or below it.
fn is_below(module: &str, path: &str) -> bool {
    module.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The line of the drawing that a module belongs to.
fn line_of(module: &str) -> &'static str {
    let fits = DRAWING.iter().map(|(path, _)| *path).filter(|path| is_below(module, path));
    fits.max_by_key(|path| path.len())
        .unwrap_or_else(|| panic!("{module} is not in the drawing: add it to DRAWING"))
}

/// What each line of the drawing names in the code. A folder may always name what is inside it.
fn named_by_line() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut named: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for (from, to) in arrows() {
        let (line, other) = (line_of(&from), line_of(&to));
        if line != other && !is_below(&to, &from) {
            named.entry(line).or_default().insert(other);
        }
    }
    named
}

/// For each folder, what each of its modules names of its siblings.
fn siblings() -> BTreeMap<String, BTreeMap<String, BTreeSet<String>>> {
    let mut folders: BTreeMap<_, BTreeMap<_, BTreeSet<_>>> = BTreeMap::new();
    for (from, to) in arrows() {
        let (from, to): (Vec<&str>, Vec<&str>) =
            (from.split('/').collect(), to.split('/').collect());
        let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        if let (Some(one), Some(other)) = (from.get(shared), to.get(shared)) {
            let folder = folders.entry(from[..shared].join("/")).or_default();
            folder.entry(one.to_string()).or_default().insert(other.to_string());
        }
    }
    folders
}

/// The modules that are left when those that name no other one left are taken away again and again: the
/// cycles, and what leads to them.
fn circular(mut named: BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    loop {
        let left: BTreeSet<String> = named.keys().cloned().collect();
        let before = named.len();
        named.retain(|_, names| names.iter().any(|name| left.contains(name)));
        if named.len() == before {
            return named.into_keys().collect();
        }
    }
}

/// Each line may only name lines before it.
fn assert_bottom_up(lines: &[Line]) {
    for (place, (module, may_name)) in lines.iter().enumerate() {
        let above = |name: &&&str| lines[..place].iter().any(|(earlier, _)| *earlier == **name);
        let wrong = may_name.iter().find(|name| !above(name));
        assert_eq!(wrong, None, "{module} may only name modules that are listed before it");
    }
}

#[test]
fn the_drawing_goes_from_the_bottom_up() {
    assert_bottom_up(DRAWING);
    ROOMS.iter().for_each(|(_, lines)| assert_bottom_up(lines));
}

#[test]
fn the_code_keeps_to_the_drawing() {
    let named = named_by_line();
    for (module, may_name) in DRAWING {
        let names = named.get(module).cloned().unwrap_or_default();
        let allowed: BTreeSet<&str> = may_name.iter().copied().collect();
        let (more, fewer): (Vec<_>, Vec<_>) =
            (names.difference(&allowed).collect(), allowed.difference(&names).collect());
        assert!(more.is_empty(), "{module} must not name {more:?}");
        assert!(fewer.is_empty(), "{module} no longer names {fewer:?}: take it out of DRAWING");
    }
}

#[test]
fn the_code_keeps_to_the_rooms() {
    let folders = siblings();
    for (folder, lines) in ROOMS {
        for (module, names) in &folders[*folder] {
            let line = lines.iter().find(|(path, _)| path == module);
            let (_, may_name) = line.unwrap_or_else(|| panic!("{folder}/{module} is not in ROOMS"));
            let wrong = names.iter().find(|name| !may_name.contains(&name.as_str()));
            assert_eq!(wrong, None, "{folder}/{module} must not name it");
        }
    }
}

#[test]
fn no_two_files_of_a_folder_name_each_other() {
    for (folder, named) in siblings() {
        let circular = circular(named);
        let known = TANGLED.contains(&folder.as_str());
        assert!(known || circular.is_empty(), "{folder}: {circular:?} name each other in a circle");
        assert!(
            !known || !circular.is_empty(),
            "{folder} is free of cycles: take it out of TANGLED"
        );
    }
}

/// The search knows nothing of tables, and a tree nothing of what is made of it, whatever the drawing becomes.
#[test]
fn the_stages_stay_apart() {
    let never = [
        ("search", ["data", "encode", "tree", "model"]),
        ("tree", ["data", "encode", "search", "model"]),
    ];
    for (module, may_name) in DRAWING {
        for (stage, forbidden) in never {
            let applies = is_below(module, stage) && *module != "tree/extract";
            let wrong = may_name.iter().find(|name| applies && forbidden.contains(name));
            assert_eq!(wrong, None, "{module}");
        }
    }
}

/// The drawing as DESIGN.md shows it: a line for each module, the top one first.
fn picture() -> String {
    let width = DRAWING.iter().map(|(module, _)| module.len()).max().unwrap();
    let line = |(module, may_name): &Line| match may_name {
        [] => format!("{module}\n"),
        names => format!("{module:width$}  ▶ {}\n", names.join(", ")),
    };
    DRAWING.iter().rev().map(line).collect()
}

#[test]
fn design_shows_the_drawing() {
    let design = fs::read_to_string(crate_folder().join("../../DESIGN.md")).unwrap();
    let (_, after) = design.split_once("<!-- layers: begin -->\n```text\n").unwrap();
    let (shown, _) = after.split_once("```\n<!-- layers: end -->").unwrap();
    let picture = picture();
    assert_eq!(shown, picture, "put this between the markers of DESIGN.md:\n{picture}");
}

#[test]
fn cycles_are_found() {
    let named = |arrows: &[(&str, &str)]| {
        let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (from, to) in arrows {
            named.entry(from.to_string()).or_default().insert(to.to_string());
        }
        circular(named)
    };
    assert_eq!(named(&[("a", "b"), ("b", "c")]), [""; 0]);
    assert_eq!(named(&[("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")]), ["a", "b", "c"]);
}
