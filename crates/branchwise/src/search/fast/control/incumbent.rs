//! The best tree known, read off the memo branch by branch.
//!
//! It is read as soon as it is found, while its branches are remembered, and kept: so what a search
//! that is stopped brings back is the best tree it has found, however little the memo can hold.

use super::shared::Incumbent;
use super::step::look_up_rooms;
use super::worker::Worker;
use crate::limits::StopReason;
use crate::problem::Clause;
use crate::search::bounds::Cost;
use crate::search::fast::branch::Remaining;
use crate::search::fast::layout::Weight;
use crate::search::fast::memo::Known;
use crate::search::{Policy, PolicyId, Room};

/// A branch of the best tree known.
#[derive(Debug)]
pub(crate) struct TreeNode {
    pub(crate) units: Vec<u32>,
    pub(crate) remaining: Remaining,
    pub(crate) key: u128,
    /// The feature it is split on, by its number in the matrix, and the price of that.
    split: Option<(u32, Cost)>,
    /// The node above and the clause that leads here.
    above: Option<(usize, Clause)>,
    /// What its tree costs.
    cost: Cost,
}

/// How a branch is split, if it is: by which feature, and what remains to the parts where room is shared.
type Choice = Option<(u32, Option<Vec<Remaining>>)>;

impl<T: Weight> Worker<'_, T> {
    /// The best tree known: what is remembered of each branch or, where nothing is, what looking two
    /// steps ahead finds. Nodes come after those they grow from.
    pub(crate) fn nodes(&mut self) -> Result<Vec<TreeNode>, StopReason> {
        let mut nodes = self.grow(|worker, node| {
            let Some(feature) = worker.best_split(node)? else { return Ok(None) };
            Ok(Some((feature, worker.best_share(node, feature)?)))
        })?;
        self.add_up(&mut nodes);
        Ok(nodes)
    }

    /// Remember a tree that is given, as far as it is allowed: the search starts from it. What it costs.
    pub(crate) fn adopt(&mut self, policy: &Policy) -> Result<Cost, StopReason> {
        let mut splits: Vec<Option<PolicyId>> = Vec::new();
        let mut room = self.task.constraints.room();
        let mut nodes = self.grow(|worker, node| {
            let split = match node.above {
                None => policy.root(),
                Some((above, clause)) => {
                    splits[above].and_then(|above| policy.split(above).continues(clause))
                }
            };
            let feature =
                split.and_then(|split| worker.matrix.question_about(policy.split(split).feature));
            let allowed = feature.filter(|&feature| worker.is_allowed(node, feature, &mut room));
            splits.push(split.filter(|_| allowed.is_some()));
            Ok(allowed.map(|feature| (feature, None)))
        })?;
        self.give_room_taken(&mut nodes);
        self.add_up(&mut nodes);
        Ok(nodes[0].cost)
    }

    /// Whether a branch may be split on a feature with the room that the whole tree has left; if so, the
    /// room is taken.
    fn is_allowed(&self, node: &TreeNode, feature: u32, room: &mut Option<Room>) -> bool {
        let least_rows = self.task.constraints.least_rows();
        let parts = self.matrix.parts(&node.units, feature);
        let n_rows =
            |units: &[u32]| units.iter().map(|&unit| self.matrix.n_rows(unit)).sum::<u64>();
        let id = self.matrix.question(feature).id();
        let may_be_here = node.above.is_some() || self.task.problem.may_be_first(id);
        let left = room.map(|room| Some(room.with(room.after_split(parts.len())?)));
        let allowed = may_be_here
            && node.remaining.depth != Some(0)
            && left != Some(None)
            && parts.len() > 1
            && parts.iter().all(|(_, units)| n_rows(units) >= least_rows);
        *room = if allowed { left.flatten() } else { *room };
        allowed
    }

    /// Where room is limited, leave to each node below the first what its tree takes.
    fn give_room_taken(&self, nodes: &mut [TreeNode]) {
        let Some(room) = self.task.constraints.room() else { return };
        let mut n_parts = vec![0; nodes.len()];
        let mut taken = vec![0; nodes.len()];
        for number in (1..nodes.len()).rev() {
            let TreeNode { units, remaining, split, above, .. } = &mut nodes[number];
            if split.is_some() {
                let all = room.with(u32::MAX);
                taken[number] += all.after_split(n_parts[number]).map_or(0, |rest| all.left - rest);
            }
            let with_room = Remaining { room: Some(room.with(taken[number])), ..*remaining };
            *remaining = self.expander.remaining_for(units, with_room);
            if let Some((above, _)) = *above {
                n_parts[above] += 1;
                taken[above] += taken[number];
            }
        }
    }

    /// The tree whose branches are split as `choose` says, asked from the top down: by which feature, and
    /// what remains to the parts where room is shared.
    fn grow(
        &mut self,
        mut choose: impl FnMut(&mut Self, &TreeNode) -> Result<Choice, StopReason>,
    ) -> Result<Vec<TreeNode>, StopReason> {
        let mut nodes = vec![self.node(self.matrix.all_units(), self.remaining_for_all(), None)];
        let mut next = 0;
        while next < nodes.len() {
            self.expander.pulse().spend(nodes[next].units.len())?;
            if let Some((feature, remainings)) = choose(self, &nodes[next])? {
                let TreeNode { units, remaining, .. } = &nodes[next];
                let parts = self.matrix.parts(units, feature);
                let remainings =
                    remainings.unwrap_or_else(|| vec![remaining.deeper(); parts.len()]);
                let price = self.task.objective.split(parts.len()).get();
                nodes[next].split = Some((feature, price));
                for ((clause, units), remaining) in parts.into_iter().zip(remainings) {
                    nodes.push(self.node(units, remaining, Some((next, clause))));
                }
            }
            next += 1;
        }
        Ok(nodes)
    }

    fn node(
        &self,
        units: Vec<u32>,
        remaining: Remaining,
        above: Option<(usize, Clause)>,
    ) -> TreeNode {
        let key = self.matrix.key_of(&units);
        let leaf = self.task.objective.correct(self.matrix.errors(&units)).get();
        let must_split = above.is_none() && self.task.problem.requires_split();
        let cost = if must_split { Cost::MAX } else { leaf };
        TreeNode { units, remaining, key, split: None, above, cost }
    }

    /// The first split of a branch's best tree.
    fn best_split(&mut self, node: &TreeNode) -> Result<Option<u32>, StopReason> {
        if !node.remaining.may_split() || node.cost == 0 {
            return Ok(None);
        }
        // What is carried over from another λ may be a lower bound only.
        if let Some(known) = self.memo.find(node.remaining.key(node.key))
            && known.upper <= node.cost.min(Cost::MAX - 1)
        {
            return Ok(known.best);
        }
        self.reading.begin(self.matrix, node.units.clone(), node.remaining);
        self.expander.expand(&mut self.reading, None)?;
        Ok(self.reading.best)
    }

    /// What remains to the children of a branch's best tree, where they share room: enough for the best
    /// trees known of them have room.
    fn best_share(
        &mut self,
        node: &TreeNode,
        feature: u32,
    ) -> Result<Option<Vec<Remaining>>, StopReason> {
        if node.remaining.room.is_none() {
            return Ok(None);
        }
        let frame = &mut self.reading;
        frame.begin(self.matrix, node.units.clone(), node.remaining);
        self.expander.expand(frame, None)?;
        let Some(action) = frame.bits.questions.iter().position(|&other| other == feature) else {
            return Ok(None);
        };
        look_up_rooms(&mut self.memo, &mut self.expander, frame, action)?;
        let shared = frame.share(action, None, |visit| frame.bounds_of(visit).1);
        let occupied = shared.into_iter().filter(|visit| frame.children.is_occupied(visit.child));
        Ok(Some(occupied.map(|visit| frame.remaining_for(visit)).collect()))
    }

    /// Sum the costs up from the leaves; a split that does not pay is taken back. What a branch costs
    /// less than was known is remembered.
    pub(crate) fn add_up(&mut self, nodes: &mut [TreeNode]) {
        let mut below: Vec<Cost> = vec![0; nodes.len()];
        for number in (0..nodes.len()).rev() {
            let node = &mut nodes[number];
            if let Some((feature, price)) = node.split {
                let cost = price + below[number];
                if cost < node.cost {
                    node.cost = cost;
                    let known = Known { lower: 0, upper: cost, best: Some(feature) };
                    self.memo.insert(node.remaining.key(node.key), known, 1);
                } else {
                    node.split = None;
                }
            }
            if let Some((above, _)) = nodes[number].above {
                below[above] += nodes[number].cost;
            }
        }
    }

    /// Make the best tree known the incumbent, if it is better.
    pub(crate) fn keep_best(&mut self) -> Result<(), StopReason> {
        let nodes = self.nodes()?;
        let mut policy = Policy::default();
        let mut splits = vec![None; nodes.len()];
        for (number, node) in nodes.iter().enumerate() {
            let above = node.above.map(|(above, clause)| (splits[above], clause));
            let parent = match above {
                Some((None, _)) => continue,
                Some((Some(split), clause)) => Some((split, clause)),
                None => None,
            };
            if let Some((feature, _)) = node.split {
                splits[number] = Some(policy.push(self.matrix.question(feature).id(), parent));
            }
        }
        self.shared.tighten(0, nodes[0].cost);
        self.shared.offer(Incumbent { cost: nodes[0].cost, policy });
        Ok(())
    }
}
