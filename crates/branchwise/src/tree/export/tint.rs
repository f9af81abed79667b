//! The colours of pictures, for light and dark mode.

use serde::Serialize;

/// The colours of a class: the eight of Okabe and Ito, which the colour-blind can tell apart, then
/// the same again in other strengths.
///
/// Black is softened to grey, and the two colours that differ most come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Tint(pub(super) usize);

type Colour = [u8; 3];

/// How many tints there are; further classes begin again with the first.
pub(crate) const N_TINTS: usize = Tint::BASES.len() * Tint::STRENGTHS.len();

impl Tint {
    const BASES: [Colour; 8] = [
        [0x00, 0x72, 0xb2], // blue
        [0xe6, 0x9f, 0x00], // orange
        [0x00, 0x9e, 0x73], // bluish green
        [0xcc, 0x79, 0xa7], // reddish purple
        [0x56, 0xb4, 0xe9], // sky blue
        [0xd5, 0x5e, 0x00], // vermilion
        [0xf0, 0xe4, 0x42], // yellow
        [0x55, 0x55, 0x55], // grey for black
    ];
    /// How many percent of the colour are left in the filling, round after round.
    const STRENGTHS: [u32; 3] = [28, 38, 14];
    pub(super) fn of(class: u32) -> Self {
        Tint(class as usize % N_TINTS)
    }

    fn base(self) -> Colour {
        Self::BASES[self.0 % Self::BASES.len()]
    }

    fn round(self) -> usize {
        self.0 / Self::BASES.len()
    }

    /// The colours on this paper: the line stands out from the filling and from the paper.
    pub(super) fn colours(self, paper: Paper) -> TintColours {
        let (black, white) = ([0, 0, 0], [255, 255, 255]);
        let (other, strength) = match paper {
            Paper::White => [(black, 100), (black, 60), (white, 55)][self.round()],
            Paper::Dark => [(white, 85), (white, 50), (white, 25)][self.round()],
        };
        TintColours {
            fill: hex(mixed(self.base(), paper.colour(), Self::STRENGTHS[self.round()])),
            line: hex(mixed(self.base(), other, strength)),
        }
    }
}

/// What a picture is drawn on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paper {
    White,
    Dark,
}

impl Paper {
    fn colour(self) -> Colour {
        match self {
            Paper::White => [0xff, 0xff, 0xff],
            Paper::Dark => [0x1c, 0x1e, 0x21],
        }
    }
}

/// The colours of a class, as `#0072b2`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct TintColours {
    /// Of its leaves.
    pub fill: String,
    /// Of the lines around its leaves, and of its part in a bar.
    pub line: String,
}

/// The colours of a picture, as `#0072b2`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Theme {
    /// Behind everything.
    pub paper: String,
    /// Of names, and of labels on edges.
    pub text: String,
    /// Of numbers of rows.
    pub quiet: String,
    /// Of the lines from box to box.
    pub line: String,
    /// Inside the boxes of splits.
    pub split_fill: String,
    /// Around the boxes of splits.
    pub split_line: String,
    /// Of classes, by the number of their tint.
    pub tints: Vec<TintColours>,
}

impl Theme {
    /// The theme on a paper, with the tints of this many classes.
    pub(super) fn on(paper: Paper, n_classes: usize) -> Theme {
        let [text, quiet, line, split_fill, split_line] = match paper {
            Paper::White => ["#1a1a1a", "#4a4a4a", "#8a8a8a", "#f3f4f5", "#7a7a7a"],
            Paper::Dark => ["#ececec", "#c9c9c9", "#8f9397", "#2b2e32", "#8f9397"],
        }
        .map(String::from);
        let tints = (0..n_classes.min(N_TINTS)).map(|tint| Tint(tint).colours(paper)).collect();
        Theme { paper: hex(paper.colour()), text, quiet, line, split_fill, split_line, tints }
    }
}

/// So many percent of one colour, and for the rest the other.
fn mixed(one: Colour, other: Colour, percent: u32) -> Colour {
    std::array::from_fn(|i| {
        ((u32::from(one[i]) * percent + u32::from(other[i]) * (100 - percent)) / 100) as u8
    })
}

/// `#0072b2`.
fn hex([red, green, blue]: Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tints_differ() {
        for paper in [Paper::White, Paper::Dark] {
            let Theme { tints, .. } = Theme::on(paper, 99);
            for colour in [|t: &TintColours| t.fill.clone(), |t: &TintColours| t.line.clone()] {
                let mut colours: Vec<String> = tints.iter().map(colour).collect();
                colours.sort_unstable();
                colours.dedup();
                assert_eq!(colours.len(), 24);
            }
        }
        assert_eq!(Tint::of(25), Tint::of(1));
    }

    #[test]
    fn letters_can_be_read_on_every_colour() {
        /// How much light a colour gives, as WCAG 2 has it.
        fn light(colour: &str) -> f64 {
            let part = |place: usize| {
                let part = u8::from_str_radix(&colour[place..place + 2], 16).unwrap();
                let part = f64::from(part) / 255.0;
                if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
        }
        let contrast = |a: &str, b: &str| {
            let (a, b) = (light(a), light(b));
            (a.max(b) + 0.05) / (a.min(b) + 0.05)
        };
        for paper in [Paper::White, Paper::Dark] {
            let theme = Theme::on(paper, 24);
            let fills = theme.tints.iter().map(|tint| &tint.fill);
            for fill in fills.chain([&theme.paper, &theme.split_fill]) {
                assert!(contrast(&theme.text, fill) >= 4.5, "{} on {fill}", theme.text);
                assert!(contrast(&theme.quiet, fill) >= 3.0, "{} on {fill}", theme.quiet);
            }
        }
    }
}
