//! What is at stake in each row: its weight, and what answers cost.
//!
//! The search maximises the weight of the right answers. Class weights change what rows weigh. Costs
//! change who gets the weight: rows vote for the answers that cost them least, and the search is for
//! the tree of most votes. The tree that is found then counts rows by their true classes again.

use crate::encode::{ClassUnits, ClassWeight, CostUnits, Costs};
use crate::error::Unfinished;
use crate::limits::Pulse;
use crate::objective::{Score, Whole};
use crate::problem::Problem;
use crate::report::Cost;
use crate::search::Policy;
use crate::tree::{self, Tree};

/// What is at stake in each row: the problem with its rows weighed by class and, where answers have costs,
/// the votes that rows cast.
pub(crate) struct Stakes {
    /// Rows by their true classes: what the tree counts.
    problem: Problem,
    class_units: Option<ClassUnits>,
    election: Option<Election>,
}

struct Election {
    costs: CostUnits,
    votes: Problem,
    whole: Whole,
}

impl Stakes {
    /// From what classes weigh and answers cost, for rows of these classes.
    pub(crate) fn new(
        (class_weight, costs): (&ClassWeight, Option<&Costs>),
        problem: Problem,
        classes: &[String],
        pulse: &mut Pulse,
    ) -> Result<Self, Unfinished> {
        let class_units = class_weight.units(classes, &problem)?;
        let problem = match &class_units {
            Some(units) => units.weigh(&problem, pulse)?,
            None => problem,
        };
        let hold = |costs: &Costs| -> Result<Election, Unfinished> {
            let costs = costs.units(classes)?;
            let (votes, whole) = costs.votes(&problem, pulse)?;
            Ok(Election { costs, votes, whole })
        };
        let election = costs.map(hold).transpose()?;
        Ok(Stakes { problem, class_units, election })
    }

    /// What is searched.
    pub(crate) fn searched(&self) -> &Problem {
        self.election.as_ref().map_or(&self.problem, |election| &election.votes)
    }

    /// What its objective is measured by.
    pub(crate) fn whole(&self) -> Whole {
        let total = || Whole::from(self.problem.total_weight());
        self.election.as_ref().map_or_else(total, |election| election.whole)
    }

    /// The tree that was found, with true counts.
    pub(crate) fn tree(&self, policy: &Policy) -> Tree {
        let tree = tree::extract(policy, &self.problem);
        match &self.election {
            Some(Election { costs, .. }) => tree.with_saved(|weights| costs.saved(weights)),
            None => tree,
        }
    }

    /// What the answers of a tree cost.
    pub(crate) fn cost(&self, score: Score, weight_scale: u64) -> Option<Cost> {
        let Election { costs, whole, .. } = self.election.as_ref()?;
        let class_scale = self.class_units.as_ref().map_or(1, |units| units.scale);
        let parts = weight_scale as f64 * class_scale as f64;
        let in_words = |units: u64| units as f64 * costs.unit.to_f64() / parts;
        Some(Cost { total: in_words(whole.worth - score.correct), worst: in_words(whole.worth) })
    }

    /// What each class weighs, for the model.
    pub(crate) fn class_units(&self) -> Option<ClassUnits> {
        self.class_units.clone()
    }
}
