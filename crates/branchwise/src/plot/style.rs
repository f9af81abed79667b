//! The style of plots, for standalone images and for those inside a page.

use std::fmt::Write;

/// What does not depend on colours. Everything is below the class of the outermost element, so that a
/// page with the picture in it keeps its own looks.
const SHAPES: &str = "\
.branchwise-plot text{font:11px 'Helvetica Neue',Helvetica,Arial,sans-serif}
.branchwise-plot .main,.branchwise-plot .other{fill:none;stroke-width:2.2px}
.branchwise-plot .other{stroke-dasharray:7 3}
.branchwise-plot circle.other,.branchwise-plot .bars{stroke-dasharray:none}
.branchwise-plot .bars{stroke-width:1.2px}
.branchwise-plot .gap{opacity:.13}
.branchwise-plot text.main,.branchwise-plot text.other{stroke:none}
";

/// Colours by the names of what they are for.
pub(crate) struct Palette {
    pub(crate) paper: &'static str,
    pub(crate) text: &'static str,
    pub(crate) grid: &'static str,
    pub(crate) axis: &'static str,
    pub(crate) main: &'static str,
    pub(crate) other: &'static str,
}

/// Colours that readers with any kind of colour blindness tell apart, by day and by night.
const LIGHT: Palette = Palette {
    paper: "#ffffff",
    text: "#4a4f55",
    grid: "#e3e5e7",
    axis: "#7a7a7a",
    main: "#0072b2",
    other: "#b86a00",
};
const DARK: Palette = Palette {
    paper: "#1c1e21",
    text: "#c4c9ce",
    grid: "#33373b",
    axis: "#8f9397",
    main: "#4aa8e0",
    other: "#e9ad26",
};

impl Palette {
    fn rules(&self) -> String {
        let Palette { paper, text, grid, axis, main, other } = self;
        let mut rules = String::new();
        for (what, colours) in [
            (".paper", format!("fill:{paper}")),
            ("text", format!("fill:{text}")),
            (".grid", format!("stroke:{grid}")),
            (".axis", format!("stroke:{axis}")),
            (".main", format!("stroke:{main}")),
            (".other", format!("stroke:{other}")),
            ("text.main", format!("fill:{main}")),
            ("text.other", format!("fill:{other}")),
            (".gap", format!("fill:{other}")),
            ("circle.main.dot", format!("fill:{main}")),
            ("circle.other.dot", format!("fill:{paper}")),
        ] {
            let _ = writeln!(rules, ".branchwise-plot {what}{{{colours}}}");
        }
        rules
    }

    /// The style of all plots in a page, in its own colours.
    pub(crate) fn style(&self) -> String {
        format!("{SHAPES}{}", self.rules())
    }
}

/// The style of a picture that stands by itself: as light or as dark as its reader prefers.
pub(super) fn by_itself() -> String {
    let (light, dark) = (LIGHT.style(), DARK.rules());
    format!("{light}@media (prefers-color-scheme:dark){{\n{dark}}}\n")
}
