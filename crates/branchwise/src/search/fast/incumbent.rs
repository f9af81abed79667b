//! The best tree known, read off the memo branch by branch.
//!
//! It is read as soon as it is found, while its branches are remembered, and kept: so what a search
//! that is stopped brings back is the best tree it has found, however little the memo can hold.

use super::control::look_up_rooms;
use super::left::Left;
use super::memo::Known;
use super::shared::Incumbent;
use super::weight::Weight;
use super::worker::Worker;
use crate::limits::StopReason;
use crate::problem::Clause;
use crate::search::bounds::Cost;
use crate::search::{Policy, PolicyId, Room};

/// A branch of the best tree known.
#[derive(Debug)]
pub(super) struct Twig {
    pub(super) units: Vec<u32>,
    pub(super) left: Left,
    pub(super) key: u128,
    /// The feature it is split on, by its number in the matrix, and the price of that.
    split: Option<(u32, Cost)>,
    /// The twig above and the clause that leads here.
    above: Option<(usize, Clause)>,
    /// What its tree costs.
    cost: Cost,
}

/// How a branch is split, if it is: by which feature, and what is left to the parts where room is shared.
type Choice = Option<(u32, Option<Vec<Left>>)>;

impl<T: Weight> Worker<'_, T> {
    /// The best tree known: what is remembered of each branch or, where nothing is, what looking two
    /// steps ahead finds. Twigs come after those they grow from.
    pub(super) fn twigs(&mut self) -> Result<Vec<Twig>, StopReason> {
        let mut twigs = self.grow(|worker, twig| {
            let Some(feature) = worker.best_split(twig)? else { return Ok(None) };
            Ok(Some((feature, worker.best_share(twig, feature)?)))
        })?;
        self.add_up(&mut twigs);
        Ok(twigs)
    }

    /// Remember a tree that is given, as far as it is allowed: the search starts from it. What it costs.
    pub(super) fn adopt(&mut self, policy: &Policy) -> Result<Cost, StopReason> {
        let mut splits: Vec<Option<PolicyId>> = Vec::new();
        let mut room = self.task.constraints.room();
        let mut twigs = self.grow(|worker, twig| {
            let split = match twig.above {
                None => policy.root(),
                Some((above, clause)) => {
                    splits[above].and_then(|above| policy.split(above).continues(clause))
                }
            };
            let feature =
                split.and_then(|split| worker.matrix.feature_of(policy.split(split).feature));
            let allowed = feature.filter(|&feature| worker.is_allowed(twig, feature, &mut room));
            splits.push(split.filter(|_| allowed.is_some()));
            Ok(allowed.map(|feature| (feature, None)))
        })?;
        self.give_room_taken(&mut twigs);
        self.add_up(&mut twigs);
        Ok(twigs[0].cost)
    }

    /// Whether a branch may be split on a feature, with so much room for the whole tree; it is then taken.
    fn is_allowed(&self, twig: &Twig, feature: u32, room: &mut Option<Room>) -> bool {
        let least_rows = self.task.constraints.least_rows();
        let parts = self.matrix.parts(&twig.units, feature);
        let n_rows =
            |units: &[u32]| units.iter().map(|&unit| self.matrix.n_rows(unit)).sum::<u64>();
        let id = self.matrix.features[feature as usize].id;
        let may_be_here = twig.above.is_some() || self.task.problem.may_be_first(id);
        let left = room.map(|room| Some(room.with(room.after_split(parts.len())?)));
        let allowed = may_be_here
            && twig.left.depth != Some(0)
            && left != Some(None)
            && parts.len() > 1
            && parts.iter().all(|(_, units)| n_rows(units) >= least_rows);
        *room = if allowed { left.flatten() } else { *room };
        allowed
    }

    /// Where room is limited, leave to each twig below the first what its tree takes.
    fn give_room_taken(&self, twigs: &mut [Twig]) {
        let Some(room) = self.task.constraints.room() else { return };
        let mut n_parts = vec![0; twigs.len()];
        let mut taken = vec![0; twigs.len()];
        for number in (1..twigs.len()).rev() {
            let Twig { units, left, split, above, .. } = &mut twigs[number];
            if split.is_some() {
                let all = room.with(u32::MAX);
                taken[number] += all.after_split(n_parts[number]).map_or(0, |rest| all.left - rest);
            }
            let with_room = Left { room: Some(room.with(taken[number])), ..*left };
            *left = self.expander.left_to(units, with_room);
            if let Some((above, _)) = *above {
                n_parts[above] += 1;
                taken[above] += taken[number];
            }
        }
    }

    /// The tree whose branches are split as `choose` says, asked from the top down: by which feature, and
    /// what is left to the parts where room is shared.
    fn grow(
        &mut self,
        mut choose: impl FnMut(&mut Self, &Twig) -> Result<Choice, StopReason>,
    ) -> Result<Vec<Twig>, StopReason> {
        let mut twigs = vec![self.twig(self.matrix.all_units(), self.left_to_all(), None)];
        let mut next = 0;
        while next < twigs.len() {
            self.expander.pulse.spend(twigs[next].units.len())?;
            if let Some((feature, lefts)) = choose(self, &twigs[next])? {
                let Twig { units, left, .. } = &twigs[next];
                let parts = self.matrix.parts(units, feature);
                let lefts = lefts.unwrap_or_else(|| vec![left.deeper(); parts.len()]);
                let price = self.task.objective.split(parts.len()).units();
                twigs[next].split = Some((feature, price));
                for ((clause, units), left) in parts.into_iter().zip(lefts) {
                    twigs.push(self.twig(units, left, Some((next, clause))));
                }
            }
            next += 1;
        }
        Ok(twigs)
    }

    fn twig(&self, units: Vec<u32>, left: Left, above: Option<(usize, Clause)>) -> Twig {
        let key = self.matrix.key_of(&units);
        let leaf = self.task.objective.correct(self.matrix.errors(&units)).units();
        let must_split = above.is_none() && self.task.problem.requires_split();
        let cost = if must_split { Cost::MAX } else { leaf };
        Twig { units, left, key, split: None, above, cost }
    }

    /// The first split of a branch's best tree.
    fn best_split(&mut self, twig: &Twig) -> Result<Option<u32>, StopReason> {
        if !twig.left.may_split() || twig.cost == 0 {
            return Ok(None);
        }
        // What is carried over from another λ may be a lower bound only.
        if let Some(known) = self.memo.find(twig.left.key(twig.key))
            && known.upper <= twig.cost.min(Cost::MAX - 1)
        {
            return Ok(known.best);
        }
        self.reading.begin(self.matrix, twig.units.clone(), twig.left);
        self.expander.expand(&mut self.reading, None)?;
        Ok(self.reading.best)
    }

    /// What is left to the children of a branch's best tree, where they share room: so much that the best
    /// trees known of them have room.
    fn best_share(&mut self, twig: &Twig, feature: u32) -> Result<Option<Vec<Left>>, StopReason> {
        if twig.left.room.is_none() {
            return Ok(None);
        }
        let frame = &mut self.reading;
        frame.begin(self.matrix, twig.units.clone(), twig.left);
        self.expander.expand(frame, None)?;
        let Some(action) = frame.features.iter().position(|&other| other == feature) else {
            return Ok(None);
        };
        look_up_rooms(&mut self.memo, &mut self.expander, frame, action)?;
        let shared = frame.share(action, None, |visit| frame.bounds_of(visit).1);
        let occupied = shared.into_iter().filter(|visit| frame.children.is_occupied(visit.child));
        Ok(Some(occupied.map(|visit| frame.left_to(visit)).collect()))
    }

    /// Sum the costs up from the leaves; a split that does not pay is taken back. What a branch costs
    /// less than was known is remembered.
    pub(super) fn add_up(&mut self, twigs: &mut [Twig]) {
        let mut below: Vec<Cost> = vec![0; twigs.len()];
        for number in (0..twigs.len()).rev() {
            let twig = &mut twigs[number];
            if let Some((feature, price)) = twig.split {
                let cost = price + below[number];
                if cost < twig.cost {
                    twig.cost = cost;
                    let known = Known { lower: 0, upper: cost, best: Some(feature) };
                    self.memo.insert(twig.left.key(twig.key), known, 1);
                } else {
                    twig.split = None;
                }
            }
            if let Some((above, _)) = twigs[number].above {
                below[above] += twigs[number].cost;
            }
        }
    }

    /// Make the best tree known the incumbent, if it is better.
    pub(super) fn keep_best(&mut self) -> Result<(), StopReason> {
        let twigs = self.twigs()?;
        let mut policy = Policy::default();
        let mut splits = vec![None; twigs.len()];
        for (number, twig) in twigs.iter().enumerate() {
            let above = twig.above.map(|(above, clause)| (splits[above], clause));
            let parent = match above {
                Some((None, _)) => continue,
                Some((Some(split), clause)) => Some((split, clause)),
                None => None,
            };
            if let Some((feature, _)) = twig.split {
                splits[number] =
                    Some(policy.push(self.matrix.features[feature as usize].id, parent));
            }
        }
        self.shared.tighten(0, twigs[0].cost);
        self.shared.offer(Incumbent { cost: twigs[0].cost, policy });
        Ok(())
    }
}
