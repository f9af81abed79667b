//! Small line plots with axes and round numbers.
//!
//! A [`Plot`] is written as SVG in one of two ways: inside a page that contains [`Palette::style`], or as
//! an image with its own styles. Both look the same: the name of the vertical axis is above it, the name
//! of the horizontal axis below on the right, and the legend below on the left. Lines differ by dashes and
//! dots as well as by colour, so that they can be distinguished in print.

mod axis;
mod style;

pub(crate) use axis::Axis;
pub(crate) use style::Palette;

use crate::tree::export::{Escaped, text_width};
use std::fmt::Write;

const WIDTH: f64 = 480.0;
/// The frame that lines are drawn in. Numbers stand to its left and below.
const LEFT: f64 = 54.0;
const RIGHT: f64 = 468.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 206.0;
/// From the frame down to the numbers, and to the first line of names.
const NUMBERS: f64 = 19.0;
const NAMES: f64 = 40.0;
/// From one line of names to the next, and from the last one to the border.
const LINE: f64 = 18.0;
const BORDER: f64 = 10.0;
/// The line beside a name.
const SAMPLE: f64 = 24.0;

/// How much larger a picture is that stands by itself: as large as text is read.
const ENLARGED: f64 = 1.3;

/// A plot, to be written as SVG.
pub(crate) struct Plot {
    pub(crate) title: &'static str,
    pub(crate) across: Axis,
    pub(crate) up: Axis,
    pub(crate) shapes: Vec<Shape>,
}

/// Points as they are drawn: to the right, and upwards.
type Points = Vec<(f64, f64)>;

/// Something that is drawn.
pub(crate) struct Shape {
    form: Form,
    series: Series,
    name: Option<&'static str>,
    points: Points,
}

/// What a shape shows: the main series of the plot, or one to compare it with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Series {
    Main,
    Other,
}

impl Series {
    fn class(self) -> &'static str {
        match self {
            Series::Main => "main",
            Series::Other => "other",
        }
    }
}

enum Form {
    /// A line that keeps its height until the next point.
    Steps,
    /// Dots joined by a line.
    Dots,
    /// Circles around points that are drawn anyway.
    Rings,
    /// From each point up to the one of these at the same place.
    Bars(Points),
    /// What is between the steps of the points and those of these.
    Between(Points),
}

impl Shape {
    /// A line that keeps its height until the next point.
    pub(crate) fn steps(series: Series, name: &'static str, points: Points) -> Self {
        Shape { form: Form::Steps, series, name: Some(name), points }
    }

    /// Points joined by a line.
    pub(crate) fn dots(series: Series, name: &'static str, points: Points) -> Self {
        Shape { form: Form::Dots, series, name: Some(name), points }
    }

    /// Points that stand out.
    pub(crate) fn rings(series: Series, name: &'static str, points: Points) -> Self {
        Shape { form: Form::Rings, series, name: Some(name), points }
    }

    /// How far points may be off, from their lower ends to their upper ends.
    pub(crate) fn bars(series: Series, lower: Points, upper: Points) -> Self {
        Shape { form: Form::Bars(upper), series, name: None, points: lower }
    }

    /// The area between two lines of steps.
    pub(crate) fn between(lower: Points, upper: Points) -> Self {
        Shape { form: Form::Between(upper), series: Series::Other, name: None, points: lower }
    }

    /// Whether there is nothing to draw.
    pub(crate) fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    fn all_points(&self) -> impl Iterator<Item = &(f64, f64)> {
        let upper = match &self.form {
            Form::Bars(upper) | Form::Between(upper) => upper.as_slice(),
            Form::Steps | Form::Dots | Form::Rings => &[],
        };
        self.points.iter().chain(upper)
    }
}

impl Plot {
    /// As a part of a page.
    pub(crate) fn in_page(&self) -> String {
        self.svg("", "")
    }

    /// As a file.
    pub(crate) fn by_itself(&self) -> String {
        let height = self.height();
        let size = format!(
            " xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0}\" height=\"{:.0}\"",
            WIDTH * ENLARGED,
            height * ENLARGED
        );
        let paper = format!("<rect class=\"paper\" width=\"{WIDTH}\" height=\"{height}\"/>");
        self.svg(&size, &format!("<style>\n{}</style>\n{paper}\n", style::by_itself()))
    }

    fn svg(&self, attributes: &str, head: &str) -> String {
        let frame = self.frame();
        let mut svg = format!(
            "<svg{attributes} class=\"branchwise-plot\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\" \
             aria-label=\"{}\">\n{head}",
            self.height(),
            Escaped(self.title)
        );
        frame.write_axes(&mut svg);
        self.shapes.iter().for_each(|shape| frame.write_shape(&mut svg, shape));
        self.named().for_each(|(shape, x, y)| write_name(&mut svg, shape, (x, y)));
        svg + "</svg>\n"
    }

    fn frame(&self) -> Frame<'_> {
        let points = || self.shapes.iter().flat_map(Shape::all_points);
        let across = self.across.range(points().map(|&(x, _)| x));
        let up = self.up.range(points().map(|&(_, y)| y));
        Frame { plot: self, across, up }
    }

    /// The shapes that have a name, and where it stands: one after the other, on as many lines as it takes.
    fn named(&self) -> impl Iterator<Item = (&Shape, f64, f64)> {
        let end = RIGHT - width(self.across.name) - SAMPLE;
        let (mut x, mut y) = (LEFT, BOTTOM + NAMES);
        self.shapes.iter().filter_map(move |shape| {
            let needed = SAMPLE + 6.0 + width(shape.name?);
            if x > LEFT && x + needed > end {
                (x, y) = (LEFT, y + LINE);
            }
            let place = (shape, x, y);
            x += needed + 14.0;
            Some(place)
        })
    }

    fn height(&self) -> f64 {
        self.named().last().map_or(BOTTOM + NAMES, |(_, _, y)| y) + BORDER
    }
}

/// About how wide a text is, at the size that it has on a narrow screen.
fn width(text: &str) -> f64 {
    text_width(text) as f64
}

/// What a shape is, beside a piece of it.
fn write_name(svg: &mut String, shape: &Shape, (x, y): (f64, f64)) {
    let Some(name) = shape.name else { return };
    let (class, middle) = (shape.series.class(), (x + SAMPLE / 2.0, y - 4.0));
    let _ = match shape.form {
        Form::Rings => write_circle(svg, shape, middle),
        _ => writeln!(svg, "<path class=\"{class}\" d=\"M{x} {}h{SAMPLE}\"/>", middle.1),
    };
    let x = x + SAMPLE + 6.0;
    let _ = writeln!(svg, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{name}</text>");
}

/// A dot, or a ring.
fn write_circle(svg: &mut String, shape: &Shape, (x, y): (f64, f64)) -> std::fmt::Result {
    let (form, radius) = if matches!(shape.form, Form::Rings) { ("ring", 7) } else { ("dot", 4) };
    let class = shape.series.class();
    writeln!(svg, "<circle class=\"{class} {form}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>")
}

/// A plot with the ranges that it shows.
struct Frame<'p> {
    plot: &'p Plot,
    across: (f64, f64),
    up: (f64, f64),
}

impl Frame<'_> {
    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let share = |value: f64, (low, high): (f64, f64)| (value - low) / (high - low);
        let right = share(self.plot.across.scaled(x), self.across);
        let up = share(self.plot.up.scaled(y), self.up);
        (LEFT + right * (RIGHT - LEFT), BOTTOM - up * (BOTTOM - TOP))
    }

    fn places(&self, points: &[(f64, f64)]) -> Points {
        points.iter().map(|&point| self.place(point)).collect()
    }

    fn write_axes(&self, svg: &mut String) {
        let Plot { across, up, .. } = self.plot;
        for mark in up.marks(self.up) {
            let (_, y) = self.place((0.0, mark));
            let (x, below, label) = (LEFT - 7.0, y + 4.0, up.label(mark));
            let _ = writeln!(
                svg,
                "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{RIGHT}\"/>\
                 <text x=\"{x}\" y=\"{below:.1}\" text-anchor=\"end\">{label}</text>"
            );
        }
        for mark in across.marks(self.across) {
            let (x, _) = self.place((mark, 0.0));
            let (y, label) = (BOTTOM + NUMBERS, across.label(mark));
            let _ = writeln!(
                svg,
                "<path class=\"axis\" d=\"M{x:.1} {BOTTOM}v5\"/>\
                 <text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{label}</text>"
            );
        }
        let (y, across, up) = (BOTTOM + NAMES, across.name, up.name);
        let _ = writeln!(
            svg,
            "<path class=\"axis\" d=\"M{LEFT} {BOTTOM}H{RIGHT}\"/>\
             <text x=\"{RIGHT}\" y=\"{y}\" text-anchor=\"end\">{across}</text>\
             <text x=\"4\" y=\"14\">{up}</text>"
        );
    }

    /// A line of steps; the last one goes on to the end of the plot.
    fn steps(&self, points: &[(f64, f64)]) -> Points {
        let mut line: Points = Vec::new();
        for (x, y) in self.places(points) {
            line.extend(line.last().map(|&(_, before)| (x, before)));
            line.push((x, y));
        }
        line.extend(line.last().map(|&(_, y)| (RIGHT, y)));
        line
    }

    fn write_shape(&self, svg: &mut String, shape: &Shape) {
        let class = shape.series.class();
        let mut path = |class: &str, line: String| {
            let _ = writeln!(svg, "<path class=\"{class}\" d=\"{line}\"/>");
        };
        match &shape.form {
            Form::Steps => path(class, joined(&self.steps(&shape.points))),
            Form::Between(upper) => {
                let mut outline = self.steps(&shape.points);
                outline.extend(self.steps(upper).into_iter().rev());
                path("gap", joined(&outline) + "Z");
            }
            Form::Bars(upper) => {
                let ends = self.places(&shape.points).into_iter().zip(self.places(upper));
                let bars: String = ends.map(|(low, high)| joined(&[low, high])).collect();
                path(&format!("{class} bars"), bars);
            }
            Form::Dots => path(class, joined(&self.places(&shape.points))),
            Form::Rings => {}
        }
        if matches!(shape.form, Form::Dots | Form::Rings) {
            for place in self.places(&shape.points) {
                let _ = write_circle(svg, shape, place);
            }
        }
    }
}

/// A line from place to place.
fn joined(places: &[(f64, f64)]) -> String {
    let places: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1} {y:.1}")).collect();
    format!("M{}", places.join("L"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(shapes: Vec<Shape>) -> Plot {
        let (across, up) = (Axis::seconds("time"), Axis::numbers("objective"));
        Plot { title: "<one>", across, up, shapes }
    }

    #[test]
    fn one_point_makes_a_plot() {
        let svg = plot(vec![Shape::steps(Series::Main, "best", vec![(1e-5, 0.5)])]).in_page();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert!(svg.contains("aria-label=\"&lt;one&gt;\""), "{svg}");
    }

    #[test]
    fn everything_is_inside_the_frame() {
        let points = |factor: f64| -> Points {
            (1..30).map(|n| (f64::from(n), factor * f64::from(n % 7))).collect()
        };
        let shapes = vec![
            Shape::between(points(1.0), points(4.0)),
            Shape::bars(Series::Other, points(-1.0), points(3.0)),
            Shape::dots(Series::Other, "dots", points(2.0)),
            Shape::rings(Series::Main, "rings", vec![(3.0, 2.0)]),
        ];
        let plot = plot(shapes);
        let frame = plot.frame();
        for &point in plot.shapes.iter().flat_map(Shape::all_points) {
            let (x, y) = frame.place(point);
            assert!(LEFT < x && x < RIGHT && TOP < y && y < BOTTOM, "{x} {y}");
        }
        let svg = plot.in_page();
        assert_eq!(svg.matches(" dot\"").count(), 29);
        assert_eq!(svg.matches(" ring\"").count(), 2, "a point, and what rings are");
        let bars = svg.split("bars\" d=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        assert_eq!(bars.matches('M').count(), 29);
    }

    #[test]
    fn names_take_as_many_lines_as_they_need() {
        let named = |name| Shape::dots(Series::Main, name, vec![(1.0, 1.0)]);
        let places = |shapes| -> Vec<(bool, f64)> {
            let plot = plot(shapes);
            let named = plot.named().map(|(_, x, y)| (x == LEFT, (y - BOTTOM - NAMES) / LINE));
            named.collect()
        };
        assert_eq!(places(vec![named("one"), named("two")]), [(true, 0.0), (false, 0.0)]);
        let long = "a name that takes more than half of the width";
        assert_eq!(places(vec![named(long), named(long)]), [(true, 0.0), (true, 1.0)]);
    }

    #[test]
    fn a_picture_by_itself_brings_its_looks() {
        let plot = plot(vec![Shape::steps(Series::Main, "best", vec![(0.1, 0.5), (0.2, 0.7)])]);
        let (page, file) = (plot.in_page(), plot.by_itself());
        assert!(!page.contains("<style>") && file.contains("prefers-color-scheme:dark"));
        assert!(!file.contains("var("), "programs that draw SVG need not know variables");
        let drawn = page.split_once('\n').unwrap().1;
        assert!(file.ends_with(drawn), "the same is drawn");
    }
}
