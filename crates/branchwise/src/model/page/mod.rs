//! The model as a report: a single HTML page that works offline.
//!
//! The static parts (verdict, tree, rules, figures) are written here as HTML, so that the page can be read
//! and printed without its script. The script in `assets/` expands, collapses and zooms the tree, shows the
//! details of a node, and predicts rows. It gets the model as one JSON object, in the format of the model
//! file. Its code for predicting rows and placing nodes repeats the library's, and is tested against it.
//!
//! Names and values come from the user's table: they are escaped in HTML, `<` is escaped in JSON, and the
//! script only ever sets text. The page forbids itself to load anything.
//!
//! The HTML is written by hand, and everything from the user passes through `Escaped`. A template that
//! escapes by construction would not make this shorter, as most of the page is CSS, SVG and JSON from other
//! modules; `maud` also writes no line breaks, which would make the source of the page unreadable.

mod candidates;
mod figures;
mod island;
mod rules;
mod story;

pub use candidates::Candidate;
pub(crate) use candidates::accuracy_against_splits;

use super::{Evaluation, Model};
use crate::plot::Palette;
use crate::text::visible;
use crate::tree::export::{Escaped, Picture, Theme, counted};
use std::fmt::Write;

/// What a page shows besides the model.
///
/// ```
/// use branchwise::{Builtin, HtmlOptions, Solver};
/// let robots = Builtin::Monk1.dataset()?;
/// let model = Solver::new().fit(&robots)?.model;
/// let evaluation = model.evaluate(&Builtin::Monk1.table())?;
/// let page = model.html(&HtmlOptions::default().evaluated("monk1", evaluation));
/// assert!(page.starts_with("<!DOCTYPE html>"));
/// # Ok::<(), branchwise::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct HtmlOptions {
    title: Option<String>,
    evaluated: Option<(String, Evaluation)>,
    path: Vec<Candidate>,
}

impl HtmlOptions {
    /// The title of the page, in place of one that names what is predicted.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// How the model does on a table of this name.
    #[must_use]
    pub fn evaluated(mut self, table: impl Into<String>, evaluation: Evaluation) -> Self {
        self.evaluated = Some((table.into(), evaluation));
        self
    }

    /// The best trees for other split penalties, the fewest splits first.
    #[must_use]
    pub fn path(mut self, points: Vec<Candidate>) -> Self {
        self.path = points;
        self
    }
}

const STYLE: &str = include_str!("assets/page.css");
/// The colours of plots: the page's own.
const PLOTS: Palette = Palette {
    paper: "var(--paper)",
    text: "var(--quiet)",
    grid: "var(--rule)",
    axis: "var(--quiet)",
    main: "var(--good)",
    other: "var(--bound)",
};
const ANSWERING: &str = include_str!("assets/answer.js");
const SCRIPT: &str = include_str!("assets/page.js");

/// Nothing is loaded from anywhere.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src data:; base-uri 'none'; form-action 'none'";

impl Model {
    /// The model as one page of HTML that needs nothing besides.
    pub fn html(&self, options: &HtmlOptions) -> String {
        let picture = self.picture();
        let target = visible(&self.target().name);
        let title = options.title.as_deref().map(visible);
        let title = title.unwrap_or_else(|| format!("What decides “{target}”"));
        let sections = self.sections(options, &picture);
        let links: String = (sections.iter())
            .map(|section| format!("<a href=\"#{}\">{}</a>\n", section.id, section.title))
            .collect();
        let body: String = sections.iter().map(Section::html).collect();
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <link rel=\"icon\" href=\"data:,\">\n\
             <title>{title}</title>\n<style>\n{plots}{STYLE}{tints}</style>\n</head>\n<body>\n\
             <header>\n<h1>{title}</h1>\n{verdict}<nav aria-label=\"Sections\">\n{links}</nav>\n\
             </header>\n<main>\n{body}</main>\n\
             <footer>Written by branchwise {version}. This page needs no network.</footer>\n\
             <script type=\"application/json\" id=\"model\">{island}</script>\n\
             <script id=\"answering\">\n{ANSWERING}</script>\n\
             <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
            title = Escaped(&title),
            plots = PLOTS.style(),
            tints = tints(&picture.light, &picture.dark),
            verdict = self.verdict(),
            version = env!("CARGO_PKG_VERSION"),
            island = self.island(&picture),
        )
    }

    fn sections(&self, options: &HtmlOptions, picture: &Picture) -> Vec<Section> {
        // Such a tree does not fit on a page of paper.
        let tall = 2 * picture.height > 3 * picture.width;
        let tree = Section::new("tree", "The tree", stage(&picture.to_string()));
        let tree = Section { class: if tall { "tall" } else { "" }, ..tree };
        let figures = options.evaluated.as_ref().map(|(table, evaluation)| {
            Section::new("figures", "How well it does", figures::evaluation(table, evaluation))
        });
        let path = (!options.path.is_empty()).then(|| {
            Section::new("path", "Smaller and larger trees", candidates::html(&options.path))
        });
        let mut sections = vec![tree, Section::new("rules", "The rules", self.rules(picture))];
        sections.extend(figures);
        sections.push(Section::new("search", "How it was found", self.story()));
        sections.extend(path);
        sections.push(Section::new("data", "The data", self.data()));
        sections
    }

    /// What the page says first.
    fn verdict(&self) -> String {
        let summary = self.summary();
        let rows = self.tree().node(crate::tree::Tree::ROOT).counts().n_rows();
        let gain = if self.settings().goal.costs.is_some() { "cost" } else { "accuracy" };
        let meaning = match summary.is_optimal() {
            true => format!(
                ": of all trees on the splits that were offered, none trades {gain} against size better"
            ),
            false => String::new(),
        };
        let proof = capitalised(&format!("{}{meaning}.", summary.verdict()));
        let figures = [
            ("Objective", format!("{:.6}", summary.objective)),
            ("Accuracy", format!("{:.2} %", summary.accuracy * 100.0)),
            ("Splits", self.tree().n_splits().to_string()),
            ("Leaves", self.tree().n_leaves().to_string()),
            ("Training rows", rows.to_string()),
        ];
        let mut html = format!("<p class=\"verdict\">{proof}</p>\n<dl class=\"figures\">\n");
        for (name, figure) in figures {
            let _ = writeln!(html, "<div><dt>{name}</dt><dd>{figure}</dd></div>");
        }
        html + "</dl>\n"
    }
}

/// As at the beginning of a sentence.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A part of the page.
struct Section {
    id: &'static str,
    class: &'static str,
    title: &'static str,
    content: String,
}

impl Section {
    fn new(id: &'static str, title: &'static str, content: String) -> Self {
        Section { id, class: "", title, content }
    }

    fn html(&self) -> String {
        let Section { id, class, title, content } = self;
        // The tree's heading stands between its buttons.
        let heading = if *id == "tree" { String::new() } else { format!("<h2>{title}</h2>\n") };
        format!(
            "<section id=\"{id}\" class=\"{class}\" aria-label=\"{title}\">\n{heading}{content}</section>\n"
        )
    }
}

/// The tree, its buttons, and what stands beside it.
fn stage(svg: &str) -> String {
    let button = |(id, text, title): (&str, &str, &str)| {
        format!(
            "<button type=\"button\" id=\"{id}\" title=\"{title}\" aria-label=\"{title}\">{text}</button>\n"
        )
    };
    let buttons: String = [
        ("smaller", "−", "Smaller"),
        ("larger", "+", "Larger"),
        ("fit", "Fit", "Show the whole tree"),
        ("turn", "Turn", "Let the tree grow the other way"),
        ("open", "Open all", "Open all splits"),
        ("close", "Close all", "Close all splits below the root"),
    ]
    .map(button)
    .concat();
    format!(
        "<div class=\"tools\"><h2>The tree</h2>\n{buttons}</div>\n<div class=\"split-view\">\n<div>\n\
         <div id=\"stage\">\n{svg}</div>\n\
         <p class=\"hint quiet\">A bar shows the classes’ shares. Choose a box to read its rule; its \
         round button closes what is below. In the tree, arrow keys walk, Enter opens and closes, and \
         the wheel, + and − zoom.</p>\n</div>\n<div class=\"side\">\n\
         <form id=\"row\" aria-label=\"Try a row\">\n<h3>Try a row</h3>\n<div id=\"fields\"></div>\n\
         <p id=\"answer\" role=\"status\" aria-live=\"polite\"></p>\n\
         <button type=\"reset\">Clear</button>\n</form>\n\
         <div id=\"node\" aria-live=\"polite\"></div>\n</div>\n</div>\n"
    )
}

/// The colours of classes, by the names under which the page uses them.
fn tints(light: &Theme, dark: &Theme) -> String {
    let list = |theme: &Theme| -> String {
        let tints = theme.tints.iter().enumerate();
        tints.map(|(tint, colours)| format!("--tint{tint}: {}; ", colours.line)).collect()
    };
    format!(
        ":root {{ {}}}\n@media (prefers-color-scheme: dark) {{ :root {{ {}}} }}\n",
        list(light),
        list(dark)
    )
}

/// A coloured square for a class, and its name.
fn chip(class: usize, name: &str) -> String {
    let tint = class % crate::tree::export::N_TINTS;
    let square = format!("<span class=\"chip\" style=\"--colour:var(--tint{tint})\"></span>");
    format!("<span class=\"named\" title=\"{0}\">{square}{0}</span>", Escaped(name))
}

/// A name, of which as much is shown as there is room for.
fn named(name: &str) -> String {
    format!("<span class=\"named\" title=\"{0}\">{0}</span>", Escaped(name))
}

/// `1 row`, `2 rows`.
fn rows_of(number: u64) -> String {
    counted(number, "row", "rows")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Solver;
    use crate::data::{Column, Table, Target};

    #[test]
    fn names_of_the_user_stay_text() {
        let harm = "</script><script>harm()</script><!--";
        let values = [harm, "<b>", harm, "<b>"];
        let classes =
            ["</title>'\"&", "<svg onload=harm()>", "</title>'\"&", "<svg onload=harm()>"];
        let column = Column::from_values(format!("{harm} {harm}"), &values);
        let table = Table::from_columns(vec![column, Column::from_values(harm, &classes)]);
        let dataset = table.clone().dataset(Target::Last).unwrap();
        let model = Solver::new().fit(&dataset).unwrap().model;
        let evaluation = model.evaluate(&table).unwrap();
        let options = HtmlOptions::default().evaluated(harm, evaluation).title(harm);
        let page = model.html(&options);
        for tag in ["<script>harm", "<b>", "<svg onload", "<!--"] {
            assert!(!page.contains(tag), "{tag}");
        }
        // Three elements of the page's own: the data, how rows are answered, what the page does.
        assert_eq!(page.matches("<script").count() - SCRIPT.matches("<script").count(), 3);
        assert_eq!(page.matches("</script>").count(), 3);
        assert!(page.contains("&lt;/script&gt;&lt;script&gt;harm()"));
    }
}
