//! The section of the report about the search: its settings, how it ended, and its progress over time.

use super::figures;
use crate::encode::{Missing, Thresholds};
use crate::format::seconds;
use crate::model::Model;
use crate::objective::Price;
use crate::plot::{Axis, Plot, Series, Shape};
use crate::search::{Constraints, TracePoint};
use crate::text::visible;
use crate::tree::export::Escaped;

impl Model {
    /// Facts beside the plot of objective and bound over time.
    pub(super) fn story(&self) -> String {
        let facts: String = (self.facts().iter())
            .map(|(name, fact)| format!("<dt>{name}</dt><dd>{}</dd>\n", Escaped(fact)))
            .collect();
        let plot = trace(&self.summary().trace);
        let costs = self.settings().goal.costs.as_ref();
        let costs = costs.map(|costs| figures::costs(costs, &self.target().classes));
        format!(
            "<div class=\"columns\">\n<div>\n{plot}</div>\n<dl class=\"facts\">\n{facts}</dl>\n</div>\n{}",
            costs.unwrap_or_default()
        )
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let (summary, settings) = (self.summary(), self.settings());
        let price = match settings.goal.price {
            Price::Split => "for each split",
            Price::Leaf => "for each extra leaf",
        };
        let thresholds = match settings.offer.thresholds {
            Thresholds::Quantiles(most) => format!("at most {most} a column"),
            Thresholds::All => "all".into(),
        };
        let missing = match settings.offer.missing {
            Missing::Category => "a value of their own",
            Missing::Drop => "such rows are left out",
            Missing::Refuse => "refused",
        };
        let mut facts = vec![
            ("Ended", summary.verdict()),
            ("Objective", format!("{:.6}", summary.objective)),
            ("Proven bound", format!("{:.6}", summary.upper_bound)),
            ("Gap", format!("{:.6}", summary.gap())),
            ("Time", seconds(summary.seconds)),
            ("Iterations", summary.iterations.to_string()),
            ("Engine", settings.engine.name().into()),
            (
                "Split penalty λ",
                format!("{}, paid {price}", visible(settings.goal.split_penalty.as_str())),
            ),
            ("Encoding", settings.offer.encoding.name().into()),
            ("Thresholds", thresholds),
            ("Missing values", missing.into()),
        ];
        if let Some(most) = settings.offer.max_categories {
            facts.push(("Categories", format!("at most {most} a column")));
        }
        if let Some(column) = &settings.offer.first_column {
            facts.push(("First column", visible(column)));
        }
        facts.extend(limits(&settings.constraints).map(|limits| ("Trees allowed", limits)));
        facts
    }
}

/// Which trees were allowed, unless all were.
fn limits(constraints: &Constraints) -> Option<String> {
    let Constraints { max_depth, min_leaf, min_leaf_share, max_leaves, max_splits } = constraints;
    let limits = [
        max_depth.map(|depth| format!("depth at most {depth}")),
        min_leaf.map(|rows| format!("at least {rows} rows in a leaf")),
        min_leaf_share
            .as_ref()
            .map(|share| format!("at least a share of {} of the rows in a leaf", share.as_str())),
        max_leaves.map(|leaves| format!("at most {leaves} leaves")),
        max_splits.map(|splits| format!("at most {splits} splits")),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    (!limits.is_empty()).then(|| limits.join(", "))
}

/// Objective and bound over time.
fn trace(points: &[TracePoint]) -> String {
    if points.is_empty() {
        return "<p class=\"quiet\">The model does not tell how objective and bound moved.</p>\n"
            .into();
    }
    if let [only] = points {
        return format!(
            "<p>Objective and bound were found at once, after {}, and did not move again.</p>\n",
            seconds(only.seconds)
        );
    }
    // Clocks do not measure shorter times.
    const SHORTEST: f64 = 1e-5;
    let at = |value: fn(&TracePoint) -> f64| -> Vec<(f64, f64)> {
        points.iter().map(|point| (point.seconds.max(SHORTEST), value(point))).collect()
    };
    let plot = Plot {
        title: "Objective and proven bound over the time of the search",
        across: Axis::seconds("time"),
        up: Axis::numbers("objective"),
        shapes: vec![
            Shape::between(at(|p| p.objective), at(|p| p.upper_bound)),
            Shape::steps(Series::Other, "proven bound", at(|p| p.upper_bound)),
            Shape::steps(Series::Main, "best tree", at(|p| p.objective)),
        ],
    };
    let moved = "<p class=\"quiet\">The best tree so far, and what no tree can exceed. Between them \
                 lies the gap; where they meet, the tree is proven.</p>\n";
    format!("{}{moved}", plot.in_page())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_moved_is_plotted() {
        let point =
            |seconds, objective, upper_bound| TracePoint { seconds, objective, upper_bound };
        assert!(trace(&[]).contains("does not tell"));
        assert!(trace(&[point(0.002, 0.5, 0.5)]).contains("at once, after 2 ms,"));
        let plot = trace(&[point(0.0, 0.5, 0.9), point(0.3, 0.6, 0.9), point(2.0, 0.6, 0.6)]);
        assert!(plot.contains("<path class=\"gap\"") && plot.contains(">100 ms</text>"), "{plot}");
    }

    #[test]
    fn limits_are_said() {
        let none = Constraints::default();
        assert_eq!(limits(&none), None);
        let some = Constraints { max_depth: Some(3), min_leaf: Some(5), ..none };
        assert_eq!(limits(&some).unwrap(), "depth at most 3, at least 5 rows in a leaf");
    }
}
