//! Axes: how numbers become coordinates, and which numbers are written beside a plot.

/// One direction of a plot.
pub(crate) struct Axis {
    pub(super) name: &'static str,
    scale: Scale,
}

/// What the numbers are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scale {
    Numbers,
    /// Whole numbers: nothing is written between them.
    Counts,
    /// Parts of one, written in percent.
    Shares,
    /// Equal factors are equally far apart, because the beginning is crowded.
    Seconds,
}

impl Axis {
    pub(crate) fn numbers(name: &'static str) -> Self {
        Axis { name, scale: Scale::Numbers }
    }

    pub(crate) fn counts(name: &'static str) -> Self {
        Axis { name, scale: Scale::Counts }
    }

    pub(crate) fn shares(name: &'static str) -> Self {
        Axis { name, scale: Scale::Shares }
    }

    pub(crate) fn seconds(name: &'static str) -> Self {
        Axis { name, scale: Scale::Seconds }
    }

    pub(super) fn scaled(&self, value: f64) -> f64 {
        if self.scale == Scale::Seconds { value.log10() } else { value }
    }

    /// The smallest and the largest of some values, scaled, a little widened so that nothing is at the
    /// border.
    pub(super) fn range(&self, values: impl Iterator<Item = f64>) -> (f64, f64) {
        let scaled = values.map(|value| self.scaled(value));
        let nothing = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = scaled.fold(nothing, |(low, high), v| (v.min(low), v.max(high)));
        let room = if high > low { (high - low) * 0.06 } else { 0.05 };
        (low - room, high + room)
    }

    /// Round numbers in a range of scaled values.
    pub(super) fn marks(&self, (low, high): (f64, f64)) -> Vec<f64> {
        if self.scale == Scale::Seconds {
            let wide = high - low > 1.5;
            let steps: &[f64] = if wide { &[1.0] } else { &[1.0, 2.0, 5.0] };
            let powers = low.floor() as i32..=high.ceil() as i32;
            let all = powers.flat_map(|power| steps.iter().map(move |s| s * 10f64.powi(power)));
            return all.filter(|mark| (low..=high).contains(&mark.log10())).collect();
        }
        let least = if self.scale == Scale::Counts { 1.0 } else { 0.0 };
        let step = step(high - low).max(least);
        let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
        (first..=last).map(|mark| mark as f64 * step).collect()
    }

    /// The number at a mark.
    pub(super) fn label(&self, value: f64) -> String {
        match self.scale {
            Scale::Numbers | Scale::Counts => plain(value),
            Scale::Shares => format!("{} %", plain(value * 100.0)),
            Scale::Seconds if value < 0.000_999 => format!("{} µs", plain(value * 1e6)),
            Scale::Seconds if value < 0.999 => format!("{} ms", plain(value * 1e3)),
            Scale::Seconds => format!("{} s", plain(value)),
        }
    }
}

/// The step between marks: 1, 2 or 5 times a power of ten, so that there are at most seven.
fn step(span: f64) -> f64 {
    let rough = span / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let fits = |step: &&f64| **step * power >= rough;
    [1.0, 2.0, 5.0].iter().find(fits).map_or(10.0 * power, |step| step * power)
}

/// A number without zeros at its end.
fn plain(number: f64) -> String {
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round() {
        for (axis, range, marks) in [
            (Axis::numbers("x"), (0.83, 1.01), "0.85|0.9|0.95|1"),
            (Axis::numbers("x"), (-0.4, 9.2), "0|2|4|6|8"),
            (Axis::numbers("x"), (-0.06, 1.06), "0|0.2|0.4|0.6|0.8|1"),
            (Axis::counts("x"), (-0.06, 1.06), "0|1"),
            (Axis::counts("x"), (-1.2, 21.2), "0|5|10|15|20"),
            (Axis::shares("x"), (0.83, 1.01), "85 %|90 %|95 %|100 %"),
            (Axis::shares("x"), (0.825, 0.887), "84 %|86 %|88 %"),
            (Axis::seconds("t"), (-4.2, 0.1), "100 µs|1 ms|10 ms|100 ms|1 s"),
            (Axis::seconds("t"), (-0.1, 1.1), "1 s|2 s|5 s|10 s"),
        ] {
            let found: Vec<String> = axis.marks(range).iter().map(|&m| axis.label(m)).collect();
            assert_eq!(found.join("|"), marks);
        }
    }
}
