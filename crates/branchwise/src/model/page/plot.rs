//! Small plots: axes with round numbers, lines, and what is between them.

use crate::tree::export::Escaped;
use std::fmt::Write;

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 250.0;
/// The free space to the left, on top, to the right and below, where the axes' numbers stand.
const LEFT: f64 = 52.0;
const TOP: f64 = 30.0;
const RIGHT: f64 = 18.0;
const BELOW: f64 = 46.0;

/// A plot, to be written as SVG.
pub(super) struct Plot {
    pub(super) title: String,
    pub(super) across: Axis,
    pub(super) up: Axis,
    pub(super) shapes: Vec<Shape>,
}

/// How numbers become places.
pub(super) struct Axis {
    name: &'static str,
    /// Whether equal factors are equally far apart: for times, whose beginning is crowded.
    factors: bool,
}

impl Axis {
    pub(super) fn linear(name: &'static str) -> Self {
        Axis { name, factors: false }
    }

    pub(super) fn time(name: &'static str) -> Self {
        Axis { name, factors: true }
    }

    fn scaled(&self, value: f64) -> f64 {
        if self.factors { value.log10() } else { value }
    }

    /// The number at a mark.
    fn label(&self, value: f64) -> String {
        match value {
            v if !self.factors => plain(v),
            v if v < 0.000_999 => format!("{} µs", plain(v * 1e6)),
            v if v < 0.999 => format!("{} ms", plain(v * 1e3)),
            v => format!("{} s", plain(v)),
        }
    }

    /// Round numbers in a range of scaled values.
    fn marks(&self, (low, high): (f64, f64)) -> Vec<f64> {
        if self.factors {
            let wide = high - low > 1.5;
            let steps: &[f64] = if wide { &[1.0] } else { &[1.0, 2.0, 5.0] };
            let powers = low.floor() as i32..=high.ceil() as i32;
            let all = powers.flat_map(|power| steps.iter().map(move |s| s * 10f64.powi(power)));
            return all.filter(|mark| (low..=high).contains(&mark.log10())).collect();
        }
        let rough = (high - low) / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let fits = |step: &&f64| **step * power >= rough;
        let step = [1.0, 2.0, 5.0].iter().find(fits).map_or(10.0 * power, |step| step * power);
        let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
        (first..=last).map(|mark| mark as f64 * step).collect()
    }
}

/// A number without zeros at its end.
fn plain(number: f64) -> String {
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// Something that is drawn.
pub(super) struct Shape {
    form: Form,
    class: &'static str,
    name: Option<&'static str>,
    points: Vec<(f64, f64)>,
}

enum Form {
    Steps,
    Dots,
    /// What is between the steps of the points and those of these.
    Between(Vec<(f64, f64)>),
}

impl Shape {
    /// A line that keeps its height until the next point.
    pub(super) fn steps(class: &'static str, name: &'static str, points: Vec<(f64, f64)>) -> Self {
        Shape { form: Form::Steps, class, name: Some(name), points }
    }

    /// Points joined by a line.
    pub(super) fn dots(class: &'static str, name: &'static str, points: Vec<(f64, f64)>) -> Self {
        Shape { form: Form::Dots, class, name: Some(name), points }
    }

    /// The area between two lines of steps.
    pub(super) fn between(lower: Vec<(f64, f64)>, upper: Vec<(f64, f64)>) -> Self {
        Shape { form: Form::Between(upper), class: "gap", name: None, points: lower }
    }
}

/// The smallest and the largest of some numbers, a little widened so that nothing is at the border.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (value.min(low), value.max(high))
    });
    let room = if high > low { (high - low) * 0.06 } else { 0.05 };
    (low - room, high + room)
}

impl Plot {
    pub(super) fn svg(&self) -> String {
        let points = || self.shapes.iter().flat_map(|shape| &shape.points);
        let over = || {
            self.shapes.iter().flat_map(|shape| match &shape.form {
                Form::Between(upper) => upper.as_slice(),
                _ => &[],
            })
        };
        let across = range(points().map(|&(x, _)| self.across.scaled(x)));
        let up = range(points().chain(over()).map(|&(_, y)| self.up.scaled(y)));
        let frame = Frame { plot: self, across, up };
        let mut svg = format!(
            "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n",
            Escaped(&self.title)
        );
        frame.write_axes(&mut svg);
        self.shapes.iter().for_each(|shape| frame.write_shape(&mut svg, shape));
        self.write_names(&mut svg);
        svg + "</svg>\n"
    }

    /// What the lines are, above them.
    fn write_names(&self, svg: &mut String) {
        let mut x = LEFT;
        for shape in &self.shapes {
            let Some(name) = shape.name else { continue };
            let class = shape.class;
            let _ = writeln!(
                svg,
                "<path class=\"{class}\" d=\"M{x} 14h26\"/><text class=\"{class}\" x=\"{}\" \
                 y=\"18\">{name}</text>",
                x + 32.0
            );
            x += 60.0 + 7.0 * name.len() as f64;
        }
    }
}

/// A plot with the ranges that it shows.
struct Frame<'p> {
    plot: &'p Plot,
    across: (f64, f64),
    up: (f64, f64),
}

impl Frame<'_> {
    fn x(&self, value: f64) -> f64 {
        let (low, high) = self.across;
        LEFT + (self.plot.across.scaled(value) - low) / (high - low) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        let (low, high) = self.up;
        HEIGHT - BELOW - (self.plot.up.scaled(value) - low) / (high - low) * (HEIGHT - TOP - BELOW)
    }

    fn write_axes(&self, svg: &mut String) {
        let (bottom, end) = (HEIGHT - BELOW, WIDTH - RIGHT);
        for mark in self.plot.up.marks(self.up) {
            let (y, label) = (self.y(mark), self.plot.up.label(mark));
            let _ = writeln!(
                svg,
                "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{end}\"/><text x=\"{}\" y=\"{:.1}\" \
                 text-anchor=\"end\">{label}</text>",
                LEFT - 7.0,
                y + 4.0
            );
        }
        for mark in self.plot.across.marks(self.across) {
            let (x, label) = (self.x(mark), self.plot.across.label(mark));
            let _ = writeln!(
                svg,
                "<path class=\"axis\" d=\"M{x:.1} {bottom}v5\"/><text x=\"{x:.1}\" y=\"{}\" \
                 text-anchor=\"middle\">{label}</text>",
                bottom + 19.0
            );
        }
        let _ = writeln!(
            svg,
            "<path class=\"axis\" d=\"M{LEFT} {bottom}H{end}\"/><text x=\"{end}\" y=\"{}\" \
             text-anchor=\"end\">{}</text><text x=\"{end}\" y=\"18\" text-anchor=\"end\">{}</text>",
            HEIGHT - 7.0,
            self.plot.across.name,
            self.plot.up.name,
        );
    }

    /// A line of steps; the last one goes on to the end of the plot.
    fn steps(&self, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let mut line: Vec<(f64, f64)> = Vec::new();
        for &(x, y) in points {
            line.extend(line.last().map(|&(_, before)| (self.x(x), before)));
            line.push((self.x(x), self.y(y)));
        }
        line.extend(line.last().map(|&(_, y)| (WIDTH - RIGHT, y)));
        line
    }

    fn write_shape(&self, svg: &mut String, shape: &Shape) {
        let class = shape.class;
        let joined = |points: Vec<(f64, f64)>| -> String {
            let points: Vec<String> =
                points.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
            format!("M{}", points.join("L"))
        };
        let line = match &shape.form {
            Form::Steps => joined(self.steps(&shape.points)),
            Form::Dots => {
                joined(shape.points.iter().map(|&(x, y)| (self.x(x), self.y(y))).collect())
            }
            Form::Between(upper) => {
                let mut outline = self.steps(&shape.points);
                outline.extend(self.steps(upper).into_iter().rev());
                joined(outline) + "Z"
            }
        };
        let _ = writeln!(svg, "<path class=\"{class}\" d=\"{line}\"/>");
        if matches!(shape.form, Form::Dots) {
            for &(x, y) in &shape.points {
                let (x, y) = (self.x(x), self.y(y));
                let _ = writeln!(
                    svg,
                    "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round() {
        let labels = |axis: &Axis, range| -> Vec<String> {
            axis.marks(range).into_iter().map(|mark| axis.label(mark)).collect()
        };
        let linear = Axis::linear("x");
        assert_eq!(labels(&linear, (0.83, 1.01)), ["0.85", "0.9", "0.95", "1"]);
        assert_eq!(labels(&linear, (-0.4, 9.2)), ["0", "2", "4", "6", "8"]);
        let time = Axis::time("t");
        assert_eq!(labels(&time, (-4.2, 0.1)), ["100 µs", "1 ms", "10 ms", "100 ms", "1 s"]);
        assert_eq!(labels(&time, (-0.1, 1.1)), ["1 s", "2 s", "5 s", "10 s"]);
    }

    #[test]
    fn one_point_makes_a_plot() {
        let plot = Plot {
            title: "<one>".into(),
            across: Axis::time("time"),
            up: Axis::linear("objective"),
            shapes: vec![Shape::steps("one", "best", vec![(1e-5, 0.5)])],
        };
        let svg = plot.svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(svg.contains("aria-label=\"&lt;one&gt;\""), "{svg}");
    }
}
