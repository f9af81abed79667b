//! The modules of a crate, and which of them names which.
//!
//! The source is read as tokens, so comments and strings never count. Reading starts at `lib.rs` and
//! follows every `mod name;`. Items that exist only in tests (`#[cfg(test)]`, `#[cfg(doctest)]`) are skipped,
//! and nothing else is.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module as the names that lead to it: `search/paper/expand.rs` is `["search", "paper", "expand"]`.
pub(crate) type Module = Vec<String>;

/// Every module of a crate with the paths that its code names.
pub(crate) struct Source {
    modules: BTreeMap<Module, Code>,
}

/// What the code of one module names.
#[derive(Default)]
struct Code {
    /// Every path from the top of the crate.
    paths: BTreeSet<Module>,
    /// What each imported or re-exported name stands for.
    imports: BTreeMap<String, Module>,
}

impl Source {
    /// The crate whose `lib.rs` is in this folder.
    pub(crate) fn read(folder: &Path) -> Source {
        let mut source = Source { modules: BTreeMap::new() };
        let mut pending = vec![(Module::new(), folder.join("lib.rs"))];
        while let Some((module, file)) = pending.pop() {
            let text = fs::read_to_string(&file)
                .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            for child in source.add(&module, &text) {
                let file = file_of(folder, &child);
                pending.push((child, file));
            }
        }
        source
    }

    /// Add a module, and return the children that have files of their own.
    pub(crate) fn add(&mut self, module: &[String], text: &str) -> Vec<Module> {
        let tokens: TokenStream =
            text.parse().unwrap_or_else(|error| panic!("{}: {error}", module.join("/")));
        let mut reader =
            Reader { module: module.to_vec(), code: Code::default(), children: vec![] };
        reader.read(tokens);
        self.modules.insert(module.to_vec(), reader.code);
        reader.children
    }

    /// Every arrow from a module to a different one that it names, re-exports followed to their origin.
    pub(crate) fn arrows(&self) -> BTreeSet<(String, String)> {
        let mut arrows = BTreeSet::new();
        for (module, code) in &self.modules {
            for path in &code.paths {
                let home = self.home(path);
                if home != *module && !home.is_empty() && !module.is_empty() {
                    arrows.insert((module.join("/"), home.join("/")));
                }
            }
        }
        arrows
    }

    /// The module that defines what a path names.
    fn home(&self, path: &[String]) -> Module {
        let mut path = path.to_vec();
        // Imports could name each other in a circle only in code that does not compile.
        for _ in 0..20 {
            let is_module = |length: &usize| self.modules.contains_key(&path[..*length]);
            let length = (0..=path.len()).rev().find(is_module).unwrap_or(0);
            let (module, rest) = path.split_at(length);
            let import = rest.first().and_then(|name| self.modules[module].imports.get(name));
            match import {
                Some(import) => path = [import, &rest[1..]].concat(),
                None => return module.to_vec(),
            }
        }
        panic!("{} is imported in a circle", path.join("::"))
    }
}

/// The file of a module: `name.rs`, or `mod.rs` in the folder `name`.
fn file_of(folder: &Path, module: &[String]) -> PathBuf {
    let path: PathBuf = module.iter().fold(folder.to_path_buf(), |path, name| path.join(name));
    let file = path.with_extension("rs");
    if file.exists() { file } else { path.join("mod.rs") }
}

/// Reads the code of one module.
struct Reader {
    module: Module,
    code: Code,
    children: Vec<Module>,
}

impl Reader {
    fn read(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let rest = &tokens[at..];
            at += match token {
                TokenTree::Punct(_) if is_test_attribute(rest) => item_length(rest),
                TokenTree::Ident(word) if *word == "use" => self.import(rest),
                TokenTree::Ident(word) if *word == "mod" => self.child(rest),
                TokenTree::Ident(_) => self.path(rest),
                TokenTree::Group(group) => {
                    self.read(group.stream());
                    1
                }
                _ => 1,
            };
        }
    }

    /// `mod name;`, or `mod name { … }`, whose code counts as its parent's.
    fn child(&mut self, tokens: &[TokenTree]) -> usize {
        if let Some(TokenTree::Punct(_)) = tokens.get(2) {
            let name = tokens[1].to_string();
            self.children.push([self.module.as_slice(), &[name]].concat());
        }
        2
    }

    /// A path in the code. One that starts with an imported name leads on from there.
    fn path(&mut self, tokens: &[TokenTree]) -> usize {
        let (names, length) = path_at(tokens);
        if names.len() > 1 {
            let path = self.full_path(&names);
            self.code.paths.insert(path);
        }
        length
    }

    /// `use` with all that it lists.
    fn import(&mut self, tokens: &[TokenTree]) -> usize {
        let is_end = |token: &TokenTree| is_punct(token, ';');
        // `use<'a>` in a type is not an import.
        if tokens.get(1).is_some_and(|token| is_punct(token, '<')) {
            return 1;
        }
        let end = tokens.iter().position(is_end).unwrap_or(tokens.len());
        self.tree(&[], &tokens[1..end]);
        end + 1
    }

    /// One tree of an import: a path that ends in a name, an alias, or a list of further trees.
    fn tree(&mut self, above: &[String], tokens: &[TokenTree]) {
        let (names, length) = path_at(tokens);
        let path = [above, &names].concat();
        match tokens.get(length..).unwrap_or_default() {
            [TokenTree::Group(list), ..] if list.delimiter() == Delimiter::Brace => {
                let trees: Vec<TokenTree> = list.stream().into_iter().collect();
                trees.split(|token| is_punct(token, ',')).for_each(|tree| self.tree(&path, tree));
            }
            [_, alias, ..] => self.note(&path, alias.to_string()),
            [] | [_] => {
                let Some(name) = path.last().filter(|_| !names.is_empty()) else { return };
                let name = if name == "self" { above.last().unwrap_or(name) } else { name };
                self.note(&path, name.clone());
            }
        }
    }

    fn note(&mut self, path: &[String], name: String) {
        let path = self.full_path(path);
        self.code.paths.insert(path.clone());
        // A child module is no import of its own name.
        if path != [self.module.as_slice(), std::slice::from_ref(&name)].concat() {
            self.code.imports.insert(name, path);
        }
    }

    /// A path as names from the top of the crate. One that starts with a plain name is looked up in the
    /// module itself; the names of other crates are found nowhere, and so come to nothing.
    fn full_path(&self, path: &[String]) -> Module {
        let mut module = self.module.clone();
        for name in path {
            match name.as_str() {
                "crate" => module.clear(),
                "super" => drop(module.pop()),
                "self" => {}
                _ => module.push(name.clone()),
            }
        }
        module
    }
}

/// The names of a path, `a::b::c`, and how many tokens it takes.
fn path_at(tokens: &[TokenTree]) -> (Vec<String>, usize) {
    let mut names = Vec::new();
    let mut length = 0;
    while let Some(TokenTree::Ident(name)) = tokens.get(length) {
        names.push(name.to_string());
        length += 1;
        let colons = |token: &TokenTree| is_punct(token, ':');
        if !tokens.get(length..length + 2).is_some_and(|next| next.iter().all(colons)) {
            break;
        }
        length += 2;
    }
    (names, length)
}

/// Whether an attribute that keeps an item out of the crate proper starts here.
fn is_test_attribute(tokens: &[TokenTree]) -> bool {
    let [TokenTree::Punct(hash), TokenTree::Group(attribute), ..] = tokens else { return false };
    let content: String = attribute.stream().to_string().split_whitespace().collect();
    hash.as_char() == '#' && ["cfg(test)", "cfg(doctest)"].contains(&content.as_str())
}

/// How many tokens an item takes: up to its semicolon or its body in braces.
fn item_length(tokens: &[TokenTree]) -> usize {
    let is_body = |group: &Group| group.delimiter() == Delimiter::Brace;
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => is_body(group),
        token => is_punct(token, ';'),
    };
    tokens.iter().position(ends).map_or(tokens.len(), |end| end + 1)
}

fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The arrows of a crate made of these modules.
    fn arrows(modules: &[(&str, &str)]) -> Vec<String> {
        let mut source = Source { modules: BTreeMap::new() };
        source.add(&[], "");
        for (path, text) in modules {
            let module: Module = path.split('/').map(String::from).collect();
            source.add(&module, text);
        }
        source.arrows().iter().map(|(from, to)| format!("{from} > {to}")).collect()
    }

    #[test]
    fn every_way_to_name_a_module_is_an_arrow() {
        let others = [("data", ""), ("tree", ""), ("tree/extract", ""), ("tree/collapse", "")];
        let named_by = |text: &str| arrows(&[&others[..], &[("tree/walk", text)]].concat());
        assert_eq!(named_by("use crate::data::Column;"), ["tree/walk > data"]);
        assert_eq!(named_by("fn f() -> crate::data::Target {}"), ["tree/walk > data"]);
        assert_eq!(named_by("fn f() { assert!(crate::data::is_empty()) }"), ["tree/walk > data"]);
        assert_eq!(named_by("use super::super::data;"), ["tree/walk > data"]);
        let through_import = named_by("use crate::tree; fn f() { tree::extract::go() }");
        assert!(through_import.contains(&"tree/walk > tree/extract".into()));
        assert_eq!(named_by("use super::{Tree, extract::X};").len(), 2);
        assert_eq!(named_by("use crate::{data, tree::{collapse as c, extract}};").len(), 3);
        assert_eq!(named_by("/// crate::data\nconst A: &str = \"crate::data\";"), [""; 0]);
        assert_eq!(named_by("use std::fmt; fn f() -> impl Sized + use<'_> {}"), [""; 0]);
    }

    #[test]
    fn only_test_items_are_skipped() {
        let text = "#[cfg(test)] use crate::a::{A, B}; #[cfg(test)] fn f() { crate::b::g() } \
                    fn h() { crate::c::g() } #[cfg(test)] mod tests { use crate::d; } \
                    use crate::e;";
        let modules = ["a", "b", "c", "d", "e"].map(|name| (name, ""));
        let found = arrows(&[&modules[..], &[("x", text)]].concat());
        assert_eq!(found, ["x > c", "x > e"]);
    }

    #[test]
    fn re_exports_lead_to_where_a_name_comes_from() {
        let modules = [
            ("tree", "mod extract; pub use extract::{Part as Piece, self};"),
            ("tree/extract", "struct Part;"),
            ("model", "use crate::tree::Piece;"),
            ("solve", "use crate::tree::extract::Part;"),
            ("path", "use crate::tree::Tree;"),
        ];
        let expected =
            ["model > tree/extract", "path > tree", "solve > tree/extract", "tree > tree/extract"];
        assert_eq!(arrows(&modules), expected);
    }
}
