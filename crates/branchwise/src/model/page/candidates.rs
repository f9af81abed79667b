//! The section of the report with smaller and larger trees: those that are optimal for other λ.

use crate::plot::{Axis, Plot, Series, Shape};
use crate::text::visible;
use crate::tree::export::Escaped;
use std::fmt::Write;

/// A tree that is the best one for some split penalties, as a page shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The largest penalty for which it is, as it is to be shown.
    pub split_penalty: String,
    /// The number of splits.
    pub splits: u64,
    /// The share of the training rows' weight that it classifies correctly.
    pub accuracy: f64,
    /// The same on rows that were held out, where there were any.
    pub held_out: Option<f64>,
    /// How far off that may be, where several folds tell.
    pub standard_error: Option<f64>,
    /// Whether it is the tree of choice.
    pub chosen: bool,
}

/// Accuracy against splits, on the table and on rows that were held out.
pub(crate) fn accuracy_against_splits(candidates: &[Candidate]) -> Plot {
    let points = |height: &dyn Fn(&Candidate) -> Option<f64>| -> Vec<(f64, f64)> {
        candidates.iter().filter_map(|c| Some((c.splits as f64, height(c)?))).collect()
    };
    let lower = points(&|c| Some(c.held_out? - c.standard_error?));
    let upper = points(&|c| Some(c.held_out? + c.standard_error?));
    let name = if lower.is_empty() { "held-out rows" } else { "held-out rows ± standard error" };
    let held_out = points(&|c| c.held_out);
    let chosen = points(&|c| c.held_out.filter(|_| c.chosen));
    let shapes = [
        Shape::bars(Series::Other, lower, upper),
        Shape::dots(Series::Main, "training rows", points(&|c| Some(c.accuracy))),
        Shape::dots(Series::Other, name, held_out),
        Shape::rings(Series::Other, "chosen", chosen),
    ];
    Plot {
        title: "Accuracy of the best trees against their splits",
        across: Axis::counts("splits"),
        up: Axis::shares("accuracy"),
        shapes: shapes.into_iter().filter(|shape| !shape.is_empty()).collect(),
    }
}

/// The plot, and the trees as a table.
pub(super) fn html(candidates: &[Candidate]) -> String {
    let held_out = candidates.iter().any(|candidate| candidate.held_out.is_some());
    let mut html = format!(
        "{}<div class=\"wide\"><table>\n<thead><tr><th>best for λ up to</th>\
         <th class=\"number\">splits</th><th class=\"number\">accuracy</th>{}<th></th></tr></thead>\n\
         <tbody>\n",
        accuracy_against_splits(candidates).in_page(),
        if held_out { "<th class=\"number\">held out</th>" } else { "" },
    );
    for candidate in candidates {
        let held = format!("<td class=\"number\">{}</td>", held_out_text(candidate));
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{:.2} %</td>{}<td>{}</td></tr>",
            Escaped(&visible(&candidate.split_penalty)),
            candidate.splits,
            candidate.accuracy * 100.0,
            if held_out { &held } else { "" },
            if candidate.chosen { "chosen" } else { "" },
        );
    }
    html + "</tbody></table></div>\n"
}

/// `90.00 ± 0.78 %`
fn held_out_text(candidate: &Candidate) -> String {
    match (candidate.held_out, candidate.standard_error) {
        (None, _) => "–".into(),
        (Some(share), None) => format!("{:.2} %", share * 100.0),
        (Some(share), Some(error)) => format!("{:.2} ± {:.2} %", share * 100.0, error * 100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_drawn_and_listed() {
        let candidate = |penalty: &str, splits, accuracy, held_out| Candidate {
            split_penalty: penalty.into(),
            splits,
            accuracy,
            held_out,
            standard_error: held_out.filter(|_| splits == 2).map(|_| 0.012),
            chosen: splits == 2,
        };
        let html = html(&[
            candidate("1/3", 0, 0.5, Some(0.5)),
            candidate("0.1", 2, 0.9, Some(0.8)),
            candidate("<", 4, 1.0, None),
        ]);
        for (class, count) in [("main dot", 3), ("other dot", 2), ("other ring", 2)] {
            let class = format!("<circle class=\"{class}\"");
            assert_eq!(html.matches(&class).count(), count, "{class}");
        }
        let cells = ["2", "90.00 %", "80.00 ± 1.20 %"];
        let cells = cells.map(|cell| format!("<td class=\"number\">{cell}</td>")).concat();
        assert!(html.contains(&format!("<tr><td>0.1</td>{cells}<td>chosen</td></tr>")), "{html}");
        assert!(html.contains("<td>&lt;</td>") && html.contains("<td class=\"number\">–</td>"));
    }
}
