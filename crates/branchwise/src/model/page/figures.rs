//! How the model does on a table: which classes it takes for which.

use super::{chip, rows_of};
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
    let mut html = String::from(
        "<div class=\"wide\"><table class=\"confusion\">\n<thead><tr><th>true ╲ answered</th>",
    );
    for class in &found.classes {
        let _ = write!(html, "<th class=\"number\">{}</th>", Escaped(&visible(class)));
    }
    html += "</tr></thead>\n<tbody>\n";
    for (truth, counts) in found.confusion.iter().enumerate() {
        let total = counts.iter().sum::<u64>().max(1) as f64;
        let _ = write!(
            html,
            "<tr><th scope=\"row\">{}</th>",
            chip(truth, &visible(&found.classes[truth]))
        );
        for (said, &count) in counts.iter().enumerate() {
            let right = if said == truth { " right" } else { "" };
            let share = count as f64 / total;
            let _ = write!(
                html,
                "<td class=\"number{right}\" style=\"--share:{share:.3}\">{count}</td>"
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
