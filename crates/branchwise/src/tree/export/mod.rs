//! The tree in the user's words, as [text](Text) for a terminal, [DOT](Dot) for Graphviz,
//! [SVG](Svg) for a page, and as a [`Picture`] for whoever wants to draw it otherwise.
//!
//! A [`Tree`] knows numbers only: feature 5, categories 0 and 2, class 1. [`Words`] says what they
//! mean. Each output is a small wrapper that borrows both and is written by `Display`, so that
//! nothing is drawn before it is asked for:
//!
//! ```text
//! let words = Words::new(
//!     vec![Question::values("odor", ["almond", "anise", "none"]), Question::is("ring", "large")],
//!     ["edible", "poisonous"],
//! );
//! write!(file, "{}", tree.svg(&words))?;
//! ```
//!
//! # What the outputs agree on
//! * A question ends in a question mark: `odor?`, `ring = large?`. An answer never does.
//! * Children come in the order of their first category; of a yes/no question, yes comes first.
//! * The percentage is the share, by weight, of the class that the leaf answers. It says 100.0 %
//!   only where the leaf is pure: just below, it says >99.9 %.
//! * Every line ends in a newline, the last one too.
//! * Names are shown on one line: control characters, and characters that would turn the writing
//!   direction, are escaped as Rust escapes them, and an empty name is shown as `(empty)`.
//! * A number that has no word is shown as a number (`feature 7`): no tree fails to print.
//! * The tree is walked with a stack of its own, so its depth is not limited by the thread's stack.

mod dot;
mod layout;
mod measure;
mod picture;
mod svg;
mod text;
mod tint;

pub use dot::Dot;
pub use layout::{Direction, Point, Spacing};
pub(crate) use measure::text_width;
pub use picture::{Area, Bar, Block, Edge, Picture, Style, Written};
pub use svg::Svg;
pub use text::Text;
pub(crate) use tint::N_TINTS;
pub use tint::{Theme, TintColours};

use super::{Child, Counts, Node, NodeId, Tree};
use crate::text::visible;
use std::borrow::Cow;
use std::fmt::{self, Display, Formatter, Write};

impl Tree {
    /// The tree drawn with lines and letters, for a terminal.
    pub fn text<'a>(&'a self, words: &'a Words) -> Text<'a> {
        Text::new(self, words)
    }

    /// The tree in the language of Graphviz.
    pub fn dot<'a>(&'a self, words: &'a Words) -> Dot<'a> {
        Dot::new(self, words)
    }

    /// The tree as a picture for a page.
    pub fn svg<'a>(&'a self, words: &'a Words) -> Svg<'a> {
        Svg::new(self, words)
    }
}

/// What the numbers in a tree mean to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    questions: Vec<Question>,
    classes: Vec<String>,
}

impl Words {
    /// One question for each feature, one name for each class, in the order of their numbers.
    pub fn new(
        questions: Vec<Question>,
        classes: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Self {
        Words { questions, classes: classes.into_iter().map(|name| shown(name.as_ref())).collect() }
    }

    /// What a feature asks.
    pub fn question(&self, feature: usize) -> Cow<'_, Question> {
        match self.questions.get(feature) {
            Some(question) => Cow::Borrowed(question),
            None => Cow::Owned(Question::values(format!("feature {feature}"), [""; 0])),
        }
    }

    /// The name of a class.
    pub fn class(&self, class: u32) -> Cow<'_, str> {
        match self.classes.get(class as usize) {
            Some(name) => Cow::Borrowed(name),
            None => Cow::Owned(format!("class {class}")),
        }
    }

    /// What a node asks, or the class that it answers.
    pub fn name(&self, node: &Node) -> String {
        match node {
            Node::Split { feature, .. } => self.question(*feature).asked(),
            Node::Leaf { counts } => self.class(counts.answer()).into_owned(),
        }
    }
}

/// What one feature asks, in the user's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    column: String,
    answers: Answers,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Answers {
    /// Category c is value c of the column.
    Values(Vec<String>),
    /// Category 1 is this value of the column, category 0 is every other value.
    Is(String),
    /// Category 1 is at most this threshold, category 0 is above it, category 2 is no value.
    AtMost { threshold: String, missing: String },
}

impl Question {
    /// Which value does the column have? Category c is value c.
    pub fn values(
        column: impl AsRef<str>,
        values: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Self {
        let values = values.into_iter().map(|value| shown(value.as_ref())).collect();
        Question { column: shown(column.as_ref()), answers: Answers::Values(values) }
    }

    /// Does the column have this value? Category 0 is no, category 1 is yes.
    pub fn is(column: impl AsRef<str>, value: impl AsRef<str>) -> Self {
        Question { column: shown(column.as_ref()), answers: Answers::Is(shown(value.as_ref())) }
    }

    /// Is the column's value at most this threshold? Category 0 is no, category 1 is yes,
    /// category 2 is that there is no value, called `missing` or what is given here.
    pub fn at_most(
        column: impl AsRef<str>,
        threshold: impl AsRef<str>,
        missing: Option<&str>,
    ) -> Self {
        let threshold = shown(threshold.as_ref());
        let missing = shown(missing.unwrap_or("missing"));
        let answers = Answers::AtMost { threshold, missing };
        Question { column: shown(column.as_ref()), answers }
    }

    /// What is asked: `odor`, `odor = none`, or `age ≤ 41.5`.
    pub fn text(&self) -> String {
        match &self.answers {
            Answers::Values(_) => self.column.clone(),
            Answers::Is(value) => format!("{} = {value}", self.column),
            Answers::AtMost { threshold, .. } => format!("{} ≤ {threshold}", self.column),
        }
    }

    /// The text with a question mark, unless the user's name already ends in one.
    pub fn asked(&self) -> String {
        let text = self.text();
        if text.ends_with('?') { text } else { text + "?" }
    }

    /// The label of an edge that these categories follow: `almond, anise`, or `yes`.
    pub fn edge(&self, categories: &[u32]) -> String {
        match self.answers_of(categories) {
            answers if answers.is_empty() => "(nothing)".into(),
            answers => answers.join(", "),
        }
    }

    /// What is known of a row in one of these categories: `odor = almond`,
    /// `odor is almond or anise`, `odor ≠ none`, `age > 41.5`, `age ≤ 41.5 or missing`.
    pub fn clause(&self, categories: &[u32]) -> String {
        let column = &self.column;
        let has = |category| categories.contains(&category);
        match &self.answers {
            Answers::Values(_) => match self.answers_of(categories).as_slice() {
                [] => format!("{column} is nothing"),
                [value] => format!("{column} = {value}"),
                [values @ .., last] => format!("{column} is {} or {last}", values.join(", ")),
            },
            Answers::Is(value) => match categories {
                [0] => format!("{column} ≠ {value}"),
                [1] => format!("{column} = {value}"),
                _ => format!("{} is {}", self.asked(), self.answers_of(categories).join(" or ")),
            },
            Answers::AtMost { threshold, missing } => match (has(1), has(0), has(2)) {
                (true, true, true) => format!("{column} is anything"),
                (true, true, false) => format!("{column} ≠ {missing}"),
                (false, false, true) => format!("{column} = {missing}"),
                (false, false, false) => format!("{column} is nothing"),
                (at_most, _, or_missing) => {
                    let sign = if at_most { "≤" } else { ">" };
                    let or = if or_missing { format!(" or {missing}") } else { String::new() };
                    format!("{column} {sign} {threshold}{or}")
                }
            },
        }
    }

    /// The answers that the categories stand for, in the order in which they are listed.
    fn answers_of(&self, categories: &[u32]) -> Vec<String> {
        let mut categories = categories.to_vec();
        categories.sort_unstable_by_key(|&category| self.place(category));
        let answer = |category: u32| match (&self.answers, category) {
            (Answers::Is(_) | Answers::AtMost { .. }, 0) => "no".into(),
            (Answers::Is(_) | Answers::AtMost { .. }, 1) => "yes".into(),
            (Answers::AtMost { missing, .. }, 2) => missing.clone(),
            (Answers::Values(values), _) if (category as usize) < values.len() => {
                values[category as usize].clone()
            }
            _ => format!("category {category}"),
        };
        categories.into_iter().map(answer).collect()
    }

    /// Where a category is listed: in the order of the numbers, but yes before no.
    fn place(&self, category: u32) -> u32 {
        match (&self.answers, category) {
            (Answers::Is(_) | Answers::AtMost { .. }, 0 | 1) => 1 - category,
            _ => category,
        }
    }

    /// The children of a split that asks this, in the order in which they are listed.
    fn listed<'a>(&self, children: &'a [Child]) -> Vec<&'a Child> {
        let mut listed: Vec<&Child> = children.iter().collect();
        listed.sort_by_key(|child| child.categories.iter().map(|&c| self.place(c)).min());
        listed
    }
}

/// A name as it is shown: never empty, always on one line.
fn shown(name: &str) -> String {
    if name.is_empty() {
        return "(empty)".into();
    }
    if name.trim().is_empty() {
        return "(blank)".into();
    }
    visible(name)
}

/// A node on the way through the tree, in the order in which it is shown.
struct Step<'a> {
    id: NodeId,
    node: &'a Node,
    depth: usize,
    /// How the walk came here; the root has no way.
    way: Option<Way<'a>>,
    /// Whether no sibling follows.
    last: bool,
}

/// The edge that leads to a node.
struct Way<'a> {
    /// The place of the parent among the steps.
    parent: usize,
    /// The feature that the parent asks.
    feature: usize,
    categories: &'a [u32],
}

/// All nodes, parents before children, siblings as [`Question::listed`] orders them.
fn steps<'a>(tree: &'a Tree, words: &Words) -> Vec<Step<'a>> {
    let mut steps: Vec<Step<'a>> = Vec::with_capacity(tree.nodes().len());
    let root =
        Step { id: Tree::ROOT, node: tree.node(Tree::ROOT), depth: 0, way: None, last: true };
    let mut waiting = vec![root];
    while let Some(step) = waiting.pop() {
        if let Node::Split { feature, children, .. } = step.node {
            let listed = words.question(*feature).listed(children);
            for (place, child) in listed.iter().enumerate().rev() {
                let way =
                    Way { parent: steps.len(), feature: *feature, categories: &child.categories };
                waiting.push(Step {
                    id: child.node,
                    node: tree.node(child.node),
                    depth: step.depth + 1,
                    way: Some(way),
                    last: place + 1 == listed.len(),
                });
            }
        }
        steps.push(step);
    }
    steps
}

/// `1 row`, `2 rows`.
pub(crate) fn counted(number: u64, noun: &str, nouns: &str) -> String {
    format!("{number} {}", if number == 1 { noun } else { nouns })
}

/// The share of the majority class by weight, rounded so that only a pure node has 100.0 %.
pub(crate) fn percent(counts: &Counts) -> String {
    let right = u128::from(counts.correct());
    let total = counts.deciding().iter().map(|&weight| u128::from(weight)).sum::<u128>().max(1);
    let tenths = (right * 2000 + total) / (2 * total);
    if tenths == 1000 && right < total {
        return ">99.9 %".into();
    }
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// A text as XML or HTML, in an element or an attribute. Control characters are gone already.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '<' => out.write_str("&lt;")?,
                '>' => out.write_str("&gt;")?,
                '&' => out.write_str("&amp;")?,
                '"' => out.write_str("&quot;")?,
                '\'' => out.write_str("&#39;")?,
                _ => out.write_char(letter)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod samples {
    //! Trees for the tests of the outputs.
    use super::*;

    pub(super) fn counts(rows: &[u64]) -> Counts {
        Counts { rows: rows.to_vec(), ..Counts::default() }
    }

    pub(super) fn leaf(rows: &[u64]) -> Node {
        Node::Leaf { counts: counts(rows) }
    }

    pub(super) fn split(feature: usize, rows: &[u64], children: &[(&[u32], u32)]) -> Node {
        let child = |&(categories, node): &(&[u32], u32)| Child {
            categories: categories.to_vec(),
            node: NodeId(node),
        };
        let children = children.iter().map(child).collect();
        Node::Split { feature, children, counts: counts(rows) }
    }

    /// A multi-way split over a yes/no split.
    pub(super) fn mushrooms() -> (Tree, Words) {
        let nodes = vec![
            split(0, &[4208, 3916], &[(&[3], 1), (&[2], 2), (&[1, 0], 5)]),
            leaf(&[0, 3796]),
            split(1, &[3408, 120], &[(&[0], 3), (&[1], 4)]),
            leaf(&[3408, 48]),
            leaf(&[0, 72]),
            leaf(&[800, 0]),
        ];
        let odor = Question::values("odor", ["almond", "anise", "none", "foul"]);
        let spores = Question::is("spore print color", "green");
        (Tree { nodes }, Words::new(vec![odor, spores], ["edible", "poisonous"]))
    }

    /// A tree of one leaf.
    pub(super) fn single() -> (Tree, Words) {
        (Tree { nodes: vec![leaf(&[4208, 3916])] }, Words::new(Vec::new(), ["edible", "poisonous"]))
    }

    /// Yes/no splits below one another, each with one leaf and the last with two.
    pub(super) fn chain(depth: u32) -> (Tree, Words) {
        let mut nodes = Vec::new();
        for level in 0..depth {
            let id = 2 * level;
            nodes.push(split(0, &[u64::from(depth), 1], &[(&[1], id + 1), (&[0], id + 2)]));
            nodes.push(leaf(&[1, 0]));
        }
        nodes.push(leaf(&[0, 1]));
        (Tree { nodes }, Words::new(vec![Question::is("a", "b")], ["edible", "poisonous"]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_speak() {
        let odor = Question::values("odor", ["almond", "anise", ""]);
        let none = Question::is("odor", "none");
        let age = Question::at_most("age", "41.5", None);
        let cases: [(&Question, &[u32], &str, &str); 14] = [
            (&odor, &[0], "almond", "odor = almond"),
            (&odor, &[1, 0], "almond, anise", "odor is almond or anise"),
            (&odor, &[0, 1, 2], "almond, anise, (empty)", "odor is almond, anise or (empty)"),
            (&odor, &[9], "category 9", "odor = category 9"),
            (&odor, &[], "(nothing)", "odor is nothing"),
            (&none, &[0], "no", "odor ≠ none"),
            (&none, &[1], "yes", "odor = none"),
            (&none, &[0, 1], "yes, no", "odor = none? is yes or no"),
            (&age, &[0], "no", "age > 41.5"),
            (&age, &[1], "yes", "age ≤ 41.5"),
            (&age, &[2], "missing", "age = missing"),
            (&age, &[1, 2], "yes, missing", "age ≤ 41.5 or missing"),
            (&age, &[0, 2], "no, missing", "age > 41.5 or missing"),
            (&age, &[0, 1], "yes, no", "age ≠ missing"),
        ];
        for (question, categories, edge, clause) in cases {
            assert_eq!(question.edge(categories), edge);
            assert_eq!(question.clause(categories), clause);
        }
        assert_eq!((odor.text(), odor.asked()), ("odor".into(), "odor?".into()));
        assert_eq!((none.text(), none.asked()), ("odor = none".into(), "odor = none?".into()));
        assert_eq!((age.text(), age.asked()), ("age ≤ 41.5".into(), "age ≤ 41.5?".into()));
        assert_eq!(Question::is("sure?", "yes?").asked(), "sure? = yes?");
    }

    #[test]
    fn numbers_without_words_are_shown_as_numbers() {
        let words = Words::new(Vec::new(), [""; 0]);
        assert_eq!(words.question(7).asked(), "feature 7?");
        assert_eq!(words.question(7).edge(&[2]), "category 2");
        assert_eq!(words.class(3), "class 3");
    }

    #[test]
    fn names_stay_on_their_line() {
        let cases = [
            ("", "(empty)"),
            (" ", "(blank)"),
            ("two\nlines\t", "two\\nlines\\t"),
            ("\u{1b}[31mred", "\\u{1b}[31mred"),
            ("\u{202e}turned", "\\u{202e}turned"),
            ("größe ≤ 3 日本", "größe ≤ 3 日本"),
        ];
        for (name, expected) in cases {
            assert_eq!(shown(name), expected);
        }
    }

    #[test]
    fn only_pure_nodes_have_all_percent() {
        let cases: [(&[u64], &str); 5] = [
            (&[0, 5], "100.0 %"),
            (&[1, 100_000], ">99.9 %"),
            (&[1, 2], "66.7 %"),
            (&[], "0.0 %"),
            (&[u64::MAX / 2, u64::MAX / 2], "50.0 %"),
        ];
        for (rows, expected) in cases {
            assert_eq!(percent(&samples::counts(rows)), expected);
        }
        let weighed = Counts { rows: vec![9, 1], weights: vec![10, 30], saved: Vec::new() };
        assert_eq!(percent(&weighed), "75.0 %");
    }
}
