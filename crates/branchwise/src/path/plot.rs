//! The path as a picture: accuracy against splits, on the table and on rows that were held out.

use super::{CrossValidation, HeldOut, Path};
use std::fmt::{self, Display, Formatter};

/// The whole picture, and the frame that the curves are drawn in.
const SIZE: (f64, f64) = (640.0, 400.0);
const LEFT: f64 = 64.0;
const RIGHT: f64 = 616.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 346.0;

/// Colours that readers with any kind of colour blindness tell apart, by day and by night.
const STYLE: &str = "\
.branchwise-path text{font:13px 'Helvetica Neue',Helvetica,Arial,sans-serif;fill:#1a1a1a}
.branchwise-path .paper{fill:#ffffff}
.branchwise-path .grid{stroke:#e3e5e7}
.branchwise-path .axis{stroke:#7a7a7a}
.branchwise-path .trained{stroke:#0072b2;fill:#0072b2}
.branchwise-path .held-out{stroke:#d55e00;fill:#d55e00}
.branchwise-path .curve{fill:none;stroke-width:1.6px}
.branchwise-path .chosen{fill:none;stroke-width:1.6px}
@media (prefers-color-scheme:dark){
.branchwise-path text{fill:#ececec}
.branchwise-path .paper{fill:#1c1e21}
.branchwise-path .grid{stroke:#33373b}
.branchwise-path .axis{stroke:#8f9397}
.branchwise-path .trained{stroke:#56b4e9;fill:#56b4e9}
.branchwise-path .held-out{stroke:#e69f00;fill:#e69f00}
}
";

/// A path that is drawn as SVG; made by [`Path::svg`].
#[derive(Clone, Copy, Debug)]
pub struct PathPlot<'a> {
    path: &'a Path,
    validation: Option<&'a CrossValidation>,
}

impl Path {
    /// Accuracy against splits, with what is known of held-out rows.
    pub fn svg<'a>(&'a self, validation: Option<&'a CrossValidation>) -> PathPlot<'a> {
        PathPlot { path: self, validation }
    }
}

/// Where numbers go: splits to the right, accuracies upwards.
struct Frame {
    most_splits: f64,
    lowest: f64,
    highest: f64,
}

impl Frame {
    fn x(&self, splits: f64) -> f64 {
        LEFT + (RIGHT - LEFT) * splits / self.most_splits
    }

    fn y(&self, accuracy: f64) -> f64 {
        let share = (accuracy - self.lowest) / (self.highest - self.lowest);
        BOTTOM - (BOTTOM - TOP) * share.clamp(0.0, 1.0)
    }
}

/// The step between marks on an axis: 1, 2 or 5 times a power of ten, so that there are at most eight.
fn step(span: f64) -> f64 {
    let power = 10f64.powf((span / 8.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    steps.into_iter().find(|step| span / step <= 8.0).unwrap_or(span)
}

impl PathPlot<'_> {
    fn held_out(&self) -> &[HeldOut] {
        self.validation.map_or(&[], |validation| &validation.held_out)
    }

    /// Splits and accuracy of each point.
    fn trained(&self) -> Vec<(f64, f64)> {
        let of = |report: &crate::Report| (report.splits() as f64, report.accuracy);
        self.path.points.iter().map(|point| of(&point.solution.report)).collect()
    }

    fn frame(&self) -> Frame {
        let trained = self.trained();
        let held_out = self.held_out().iter();
        let ends = held_out.flat_map(|h| [h.mean - h.standard_error, h.mean + h.standard_error]);
        let all: Vec<f64> = trained.iter().map(|point| point.1).chain(ends).collect();
        let lowest = all.iter().copied().fold(1.0, f64::min);
        let highest = all.iter().copied().fold(0.0, f64::max);
        let step = step((highest - lowest).max(0.01));
        let most_splits = trained.iter().map(|point| point.0).fold(1.0, f64::max);
        Frame {
            most_splits,
            lowest: ((lowest / step).floor() * step).max(0.0),
            highest: ((highest / step).ceil() * step).min(1.0).max(lowest + step / 2.0),
        }
    }

    fn axes(&self, out: &mut Formatter<'_>, frame: &Frame) -> fmt::Result {
        let by = step(frame.highest - frame.lowest);
        let digits = (-(by * 100.0).log10().floor()).max(0.0) as usize;
        let n_marks = ((frame.highest - frame.lowest) / by).round() as u32;
        for mark in 0..=n_marks {
            let accuracy = frame.lowest + f64::from(mark) * by;
            let (y, percent) = (frame.y(accuracy), 100.0 * accuracy);
            writeln!(out, r#"<path class="grid" d="M{LEFT} {y:.1}H{RIGHT}"/>"#)?;
            let (x, y) = (LEFT - 8.0, y + 4.0);
            writeln!(
                out,
                r#"<text x="{x}" y="{y:.1}" text-anchor="end">{percent:.digits$} %</text>"#
            )?;
        }
        let by = step(frame.most_splits).max(1.0);
        let y = BOTTOM + 20.0;
        for mark in 0..=(frame.most_splits / by) as u32 {
            let splits = f64::from(mark) * by;
            let x = frame.x(splits);
            writeln!(out, r#"<path class="axis" d="M{x:.1} {BOTTOM}v5"/>"#)?;
            writeln!(out, r#"<text x="{x:.1}" y="{y}" text-anchor="middle">{splits}</text>"#)?;
        }
        writeln!(out, r#"<path class="axis" d="M{LEFT} {BOTTOM}H{RIGHT}"/>"#)?;
        let (x, y) = ((LEFT + RIGHT) / 2.0, BOTTOM + 42.0);
        writeln!(out, r#"<text x="{x}" y="{y}" text-anchor="middle">splits</text>"#)
    }

    /// A line through points, and a dot at each.
    fn curve(
        out: &mut Formatter<'_>,
        class: &str,
        points: impl Iterator<Item = (f64, f64)> + Clone,
    ) -> fmt::Result {
        let line: Vec<String> = points.clone().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
        writeln!(
            out,
            r#"<path class="curve {class}" style="fill:none" d="M{}"/>"#,
            line.join("L")
        )?;
        for (x, y) in points {
            writeln!(out, r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="3.2"/>"#)?;
        }
        Ok(())
    }

    /// The curve of held-out rows with its standard errors; the chosen points with rings around them.
    fn validated(&self, out: &mut Formatter<'_>, frame: &Frame) -> fmt::Result {
        let Some(validation) = self.validation else { return Ok(()) };
        let splits: Vec<f64> = self.trained().iter().map(|point| frame.x(point.0)).collect();
        for (x, held_out) in splits.iter().zip(&validation.held_out) {
            let HeldOut { mean, standard_error, .. } = held_out;
            let (low, high) = (frame.y(mean - standard_error), frame.y(mean + standard_error));
            writeln!(out, r#"<path class="held-out" d="M{x:.1} {low:.1}V{high:.1}"/>"#)?;
        }
        let means = validation.held_out.iter().map(|held_out| frame.y(held_out.mean));
        Self::curve(out, "held-out", splits.iter().copied().zip(means))?;
        for place in [validation.best, validation.one_standard_error] {
            let (x, y) = (splits[place], frame.y(validation.held_out[place].mean));
            writeln!(
                out,
                r#"<circle class="held-out chosen" style="fill:none" cx="{x:.1}" cy="{y:.1}" r="7"/>"#
            )?;
        }
        Ok(())
    }

    fn legend(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let mut entries = vec![("trained", "accuracy on the table")];
        if self.validation.is_some() {
            entries.push(("held-out", "on held-out rows (± standard error; rings: chosen)"));
        }
        let mut x = LEFT;
        for (class, text) in entries {
            writeln!(out, r#"<circle class="{class}" cx="{}" cy="22" r="4"/>"#, x + 4.0)?;
            writeln!(out, r#"<text x="{}" y="26">{text}</text>"#, x + 14.0)?;
            x += 28.0 + 6.6 * text.len() as f64;
        }
        Ok(())
    }
}

impl Display for PathPlot<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (width, height) = SIZE;
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"branchwise-path\" role=\"img\" \
             aria-label=\"Accuracy against splits\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">"
        )?;
        writeln!(out, "<style>\n{STYLE}</style>")?;
        writeln!(out, r#"<rect class="paper" width="{width}" height="{height}"/>"#)?;
        let frame = self.frame();
        self.axes(out, &frame)?;
        let trained = self.trained();
        Self::curve(out, "trained", trained.iter().map(|&(s, a)| (frame.x(s), frame.y(a))))?;
        self.validated(out, &frame)?;
        self.legend(out)?;
        writeln!(out, "</svg>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Builtin, Encoding, Solver};

    #[test]
    fn marks_are_round_numbers() {
        assert_eq!([7.0, 8.0, 9.0, 70.0].map(step), [1.0, 1.0, 2.0, 10.0]);
        assert!((step(0.31) - 0.05).abs() < 1e-12);
    }

    #[test]
    fn everything_is_inside_the_frame() {
        let monk = Builtin::Monk3.dataset().unwrap();
        let solver = Solver::new().encoding(Encoding::OneHot).split_penalty(0.002);
        let path = solver.path(&monk).unwrap();
        let validation = solver.cross_validate(&monk, &path, 4, 1, &mut ()).unwrap();
        let text = path.svg(Some(&validation)).to_string();
        let numbers = |name: &str| -> Vec<f64> {
            let before = format!(" {name}=\"");
            let after = text.split(&before).skip(1);
            after.filter_map(|rest| rest.split('"').next()?.parse().ok()).collect()
        };
        assert_eq!(numbers("cx").len(), 2 * path.points.len() + 2 + 2);
        assert!(numbers("cx").iter().all(|&x| (LEFT..=RIGHT).contains(&x)));
        assert!(numbers("cy").iter().all(|&y| y == 22.0 || (TOP..=BOTTOM).contains(&y)));
    }
}
