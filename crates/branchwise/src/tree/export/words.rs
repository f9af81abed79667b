//! The names behind the numbers of a tree: columns, values and classes.

use super::super::{Child, Node};
use crate::text::visible;
use std::borrow::Cow;

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
    pub(super) fn answers_of(&self, categories: &[u32]) -> Vec<String> {
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
    pub(super) fn listed<'a>(&self, children: &'a [Child]) -> Vec<&'a Child> {
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
}
