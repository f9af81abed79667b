//! A plot of the path: accuracy against splits, on the training table and on held-out rows.

use super::{CrossValidation, RegularizationPath};
use crate::model::accuracy_against_splits;
use std::fmt::{self, Display, Formatter};

/// A path that is drawn as SVG; made by [`RegularizationPath::svg`].
#[derive(Clone, Copy, Debug)]
pub struct PathPlot<'a> {
    path: &'a RegularizationPath,
    validation: Option<&'a CrossValidation>,
}

impl RegularizationPath {
    /// Accuracy against splits, with what is known of held-out rows.
    pub fn svg<'a>(&'a self, validation: Option<&'a CrossValidation>) -> PathPlot<'a> {
        PathPlot { path: self, validation }
    }
}

impl Display for PathPlot<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let candidates = self.path.candidates(self.validation);
        out.write_str(&accuracy_against_splits(&candidates).by_itself())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Builtin, Encoding, Solver};

    #[test]
    fn every_tree_is_a_dot_on_both_lines() {
        let monk = Builtin::Monk3.dataset().unwrap();
        let solver = Solver::new().encoding(Encoding::OneHot).split_penalty(0.002);
        let path = solver.path(&monk).unwrap();
        let dots = |text: &str| ["main dot", "other dot"].map(|class| text.matches(class).count());
        let n = path.points.len();
        assert_eq!(dots(&path.svg(None).to_string()), [n, 0]);
        let validation = solver.cross_validate(&monk, &path, 4, 1, &mut ()).unwrap();
        let text = path.svg(Some(&validation)).to_string();
        assert_eq!(dots(&text), [n, n]);
        assert!(text.contains("± standard error</text>") && text.contains(">chosen</text>"));
    }
}
