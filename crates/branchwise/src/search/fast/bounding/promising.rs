//! Two steps ahead where there are too many pairs to count: for the most promising features only.
//!
//! A lower bound needs every further split of a child, so none comes from here. But the best tree that
//! some features give is a tree, and dives follow it: splits that pay only together are seen, as long
//! as each of them tells something by itself.

use super::Expander;
use crate::limits::StopReason;
use crate::search::bounds::Cost;
use crate::search::fast::branch::{Children, Frame};
use crate::search::fast::layout::{LANES, Span, Weight};

impl<T: Weight> Expander<'_, T> {
    /// Lower the upper bounds of the most promising yes/no features' children by looking ahead.
    #[inline(always)]
    pub(super) fn look_ahead_of_promising(
        &mut self,
        frame: &mut Frame<T>,
    ) -> Result<(), StopReason> {
        let most = (self.most_pair_words / frame.bits.n_words().max(1)).isqrt() / LANES * LANES;
        let chosen = self.promising(frame, most);
        if chosen.len() < 2 || self.task.constraints.least_rows() > 1 {
            return Ok(());
        }
        self.gather_chosen(frame, &chosen)?;
        let (some, objective) = (&self.some, self.task.objective);
        self.some_ahead.found.count_columns(some, &mut self.pulse)?;
        self.some_ahead.count_pairs(some, objective, false, &mut self.pulse)?;
        let (right, split) =
            (self.task.objective.correct(1).get(), self.task.objective.split(2).get());
        for (place, &feature) in chosen.iter().enumerate() {
            let spans =
                (self.some.spans[place].children()).zip(frame.bits.spans[feature].children());
            for (from, into) in spans {
                let Children { weight, upper, .. } = &mut frame.children;
                let errors = weight[into].wide() - self.some_ahead.found.best_binary[from].wide();
                upper[into] = upper[into].min(right * errors as Cost + split);
            }
        }
        Ok(())
    }

    /// The yes/no features whose children are purest, by the sum over children of Σ w² / weight, in
    /// their order.
    fn promising(&self, frame: &Frame<T>, most: usize) -> Vec<usize> {
        let purity = |feature: usize| -> f64 {
            let of_child = |child: usize| {
                let weights = (0..frame.bits.classes.len())
                    .map(|class| frame.class_weight(class, feature, child).wide() as f64);
                weights.map(|weight| weight * weight).sum::<f64>()
                    / (frame.children.weight[child].wide() as f64).max(1.0)
            };
            frame.children_of(feature).map(of_child).sum()
        };
        let mut chosen: Vec<(f64, usize)> =
            (0..frame.bits.n_binary).map(|feature| (purity(feature), feature)).collect();
        chosen.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        chosen.truncate(most);
        let mut chosen: Vec<usize> = chosen.into_iter().map(|(_, feature)| feature).collect();
        chosen.sort_unstable();
        chosen
    }

    /// Copy the bits of some features.
    fn gather_chosen(&mut self, frame: &Frame<T>, chosen: &[usize]) -> Result<(), StopReason> {
        let stride = chosen.len().next_multiple_of(LANES);
        self.some.stride = stride;
        self.some.n_binary = chosen.len();
        self.some.n_classes = frame.bits.n_classes;
        self.some.groups.clone_from(&frame.bits.groups);
        self.some.spans.clear();
        self.some.spans.extend((0..chosen.len()).map(|i| Span {
            first: i,
            n: 1,
            rest: stride + i,
        }));
        self.some.words.clear();
        let n_words = frame.bits.words.len() / frame.bits.stride.max(1);
        self.pulse.room_for(0, 8 * n_words * stride)?;
        for word in frame.bits.words.chunks_exact(frame.bits.stride.max(1)) {
            self.pulse.spend(stride)?;
            let start = self.some.words.len();
            self.some.words.extend(chosen.iter().map(|&feature| word[feature]));
            self.some.words.resize(start + stride, 0);
        }
        Ok(())
    }
}
