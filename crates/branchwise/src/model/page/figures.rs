//! The section of the report with figures by class: the confusion matrix, precision, recall and costs.

use super::{chip, named, rows_of};
use crate::encode::Costs;
use crate::model::Evaluation;
use crate::text::visible;
use crate::tree::export::Escaped;
use std::fmt::Write;

/// Accuracy, confusion, and precision and recall of each class.
pub(super) fn evaluation(table: &str, found: &Evaluation) -> String {
    let wrong = found.rows - found.correct;
    let mut html = format!(
        "<p>On {} ({}), {:.2} % of the answers are right; {} {} not.</p>\n<div class=\"columns\">\n",
        Escaped(&visible(table)),
        rows_of(found.rows),
        found.accuracy * 100.0,
        wrong,
        if wrong == 1 { "is" } else { "are" },
    );
    html += &confusion(found);
    html += &per_class(found);
    html + "</div>\n"
}

fn confusion(found: &Evaluation) -> String {
    by_class_and_answer(&found.classes, |truth, said| {
        let counts = &found.confusion[truth];
        let share = counts[said] as f64 / counts.iter().sum::<u64>().max(1) as f64;
        (counts[said].to_string(), share)
    })
}

/// What each answer costs for each class, as it was given.
pub(super) fn costs(costs: &Costs, classes: &[String]) -> String {
    let amount = |truth: usize, said: usize| costs.given(&classes[truth], &classes[said]);
    let number = |truth, said| amount(truth, said).and_then(|cost| cost.parse().ok());
    let places = || (0..classes.len()).flat_map(|t| (0..classes.len()).map(move |said| (t, said)));
    let highest = places().filter_map(|(truth, said)| number(truth, said)).fold(0.0, f64::max);
    let table = by_class_and_answer(classes, |truth, said| {
        let share =
            number(truth, said).map_or(0.0, |cost: f64| cost / highest.max(f64::MIN_POSITIVE));
        (visible(amount(truth, said).unwrap_or("–")), share)
    });
    format!(
        "<h3>What answers cost</h3>\n<p>For a row of each class. The tree is the one that trades the \
         cost of its answers against its size best.</p>\n{table}"
    )
}

/// A table with a row for each true class and a column for each answer, whose cells have a text and a
/// shade from 0 to 1.
fn by_class_and_answer(classes: &[String], cell: impl Fn(usize, usize) -> (String, f64)) -> String {
    let mut html = String::from(
        "<div class=\"wide\"><table class=\"by-answer\">\n<thead><tr><th>true ╲ answered</th>",
    );
    for class in classes {
        let _ = write!(html, "<th class=\"number\">{}</th>", named(&visible(class)));
    }
    html += "</tr></thead>\n<tbody>\n";
    for (truth, class) in classes.iter().enumerate() {
        let _ = write!(html, "<tr><th scope=\"row\">{}</th>", chip(truth, &visible(class)));
        for said in 0..classes.len() {
            let right = if said == truth { " right" } else { "" };
            let (text, share) = cell(truth, said);
            let text = Escaped(&text);
            let _ = write!(
                html,
                "<td class=\"number{right}\" style=\"--share:{share:.3}\">{text}</td>"
            );
        }
        html += "</tr>\n";
    }
    html + "</tbody></table></div>\n"
}

fn per_class(found: &Evaluation) -> String {
    let mut html = String::from(
        "<div class=\"wide\"><table>\n<thead><tr><th>class</th><th class=\"number\">rows</th>\
         <th class=\"number\">precision</th><th class=\"number\">recall</th></tr></thead>\n<tbody>\n",
    );
    for (class, name) in found.classes.iter().enumerate() {
        let right = found.confusion[class][class];
        let rows: u64 = found.confusion[class].iter().sum();
        let said: u64 = found.confusion.iter().map(|counts| counts[class]).sum();
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td class=\"number\">{rows}</td><td class=\"number\">{}</td>\
             <td class=\"number\">{}</td></tr>",
            chip(class, &visible(name)),
            share(right, said),
            share(right, rows),
        );
    }
    html + "</tbody></table></div>\n"
}

/// A share in percent; a share of nothing is none.
fn share(part: u64, whole: u64) -> String {
    match whole {
        0 => "–".into(),
        _ => format!("{:.1} %", part as f64 / whole as f64 * 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_shown_as_given_in_the_order_of_classes() {
        let names = |names: [&str; 2]| names.map(String::from).to_vec();
        let row = |name: &str, costs: [&str; 2]| (name.into(), costs.map(Into::into).to_vec());
        let given =
            Costs::new(names(["b", "<a>"]), vec![row("b", ["0", "2.50"]), row("<a>", ["10", "0"])]);
        let html = costs(&given, &names(["<a>", "b"]));
        let cells = |class: usize, name, cells: [(&str, &str, &str); 2]| {
            let cells = cells.map(|(right, share, text)| {
                format!("<td class=\"number{right}\" style=\"--share:{share}\">{text}</td>")
            });
            format!("<tr><th scope=\"row\">{}</th>{}</tr>", chip(class, name), cells.concat())
        };
        let first = cells(0, "<a>", [(" right", "0.000", "0"), ("", "1.000", "10")]);
        let second = cells(1, "b", [("", "0.250", "2.50"), (" right", "0.000", "0")]);
        assert!(html.contains(&first) && html.contains(&second), "{html}");
        assert!(!html.contains("<a>"), "{html}");
    }

    #[test]
    fn precision_and_recall() {
        let found = Evaluation {
            rows: 10,
            correct: 7,
            accuracy: 0.7,
            objective: 0.6,
            cost: None,
            unweighed: Vec::new(),
            classes: ["a", "<b>", "c"].map(String::from).to_vec(),
            confusion: vec![vec![4, 1, 0], vec![2, 3, 0], vec![0, 0, 0]],
        };
        let html = evaluation("t", &found);
        let row = |class: usize, name: &str, figures: &str| {
            let chip = chip(class, name);
            assert!(html.contains(&format!("<tr><td>{chip}</td>{figures}</tr>")), "{html}");
        };
        let cells = |cells: [&str; 3]| {
            cells.map(|cell| format!("<td class=\"number\">{cell}</td>")).concat()
        };
        row(0, "a", &cells(["5", "66.7 %", "80.0 %"]));
        row(1, "<b>", &cells(["5", "75.0 %", "60.0 %"]));
        row(2, "c", &cells(["0", "–", "–"]));
        assert!(html.contains("70.00 % of the answers are right; 3 are not"), "{html}");
    }
}
