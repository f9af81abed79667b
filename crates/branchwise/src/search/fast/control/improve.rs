//! Better trees while the proof goes on: the branches of the best tree are searched again.
//!
//! The proof of a large table takes long, and comes by better trees late. So from time to time the
//! branches of the best tree known, the smallest first, are searched on their own for a while: a dive
//! that is wider in every round, then the search itself. Small branches are soon solved, and what is
//! found stands in the memo, where the proof meets it. A branch that has got better makes all those above
//! it better.

use super::incumbent::TreeNode;
use super::worker::Worker;
use crate::limits::StopReason;
use crate::search::bounds::Cost;
use crate::search::fast::layout::Weight;

/// The proof does this many times the work of improving.
const SHARE: u64 = 12;

impl<T: Weight> Worker<'_, T> {
    /// Search the branches of the best tree known again, if that is due, given the work of the proof.
    pub(crate) fn improve(&mut self, proof: u64) -> Result<(), StopReason> {
        if proof < self.effort.due {
            return Ok(());
        }
        let (before, start) = (self.shared.incumbent_cost(), self.work);
        let mut nodes = self.nodes()?;
        nodes.sort_by_key(|node| node.units.len());
        for node in nodes {
            self.search_again(node)?;
            if self.shared.end().is_some() {
                break;
            }
        }
        self.keep_best()?;
        if self.shared.incumbent_cost() == before {
            self.effort.width *= 2;
            self.effort.most *= 2;
        }
        self.effort.due = proof + SHARE * (self.work - start);
        Ok(())
    }

    /// Search a branch on its own, for a while.
    fn search_again(
        &mut self,
        TreeNode { units, remaining, key, .. }: TreeNode,
    ) -> Result<(), StopReason> {
        let known = self.memo.find(remaining.key(key));
        if !remaining.may_split() || known.is_some_and(|known| known.lower >= known.upper) {
            return Ok(());
        }
        let end = self.work + self.effort.most;
        self.plant(units, remaining)?;
        self.frames[0].known_upper = known.map_or(Cost::MAX, |known| known.upper);
        self.look_up_children()?;
        self.dive(self.effort.width, end)?;
        while self.depth > 0 && self.work < end && self.shared.end().is_none() {
            self.step()?;
            self.poll()?;
        }
        while self.depth > 0 {
            self.update_top();
            self.finish()?;
        }
        Ok(())
    }
}
