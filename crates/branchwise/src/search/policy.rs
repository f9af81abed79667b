//! A tree as an engine hands it over: which split to take where, and nothing else.

use crate::problem::{Clause, FeatureId};

/// A split of a policy, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PolicyId(pub(crate) u32);

/// A split, and the children that are split further.
#[derive(Clone, Debug)]
pub(crate) struct PolicySplit {
    pub(crate) feature: FeatureId,
    pub(crate) children: Vec<(Clause, PolicyId)>,
}

impl PolicySplit {
    /// The split of the child that satisfies this clause, if it is split.
    pub(crate) fn continues(&self, clause: Clause) -> Option<PolicyId> {
        self.children.iter().find(|(c, _)| *c == clause).map(|&(_, split)| split)
    }
}

/// The splits of a tree, the root's first; no split at all is a tree of one leaf.
#[derive(Clone, Debug, Default)]
pub(crate) struct Policy {
    splits: Vec<PolicySplit>,
}

impl Policy {
    /// The root's split, if it has one.
    pub(crate) fn root(&self) -> Option<PolicyId> {
        (!self.splits.is_empty()).then_some(PolicyId(0))
    }

    pub(crate) fn split(&self, id: PolicyId) -> &PolicySplit {
        &self.splits[id.0 as usize]
    }

    /// Add a split below `parent`'s child that satisfies a clause; the first split is the root's.
    pub(crate) fn push(
        &mut self,
        feature: FeatureId,
        parent: Option<(PolicyId, Clause)>,
    ) -> PolicyId {
        let id = PolicyId(self.splits.len() as u32);
        if let Some((parent, clause)) = parent {
            self.splits[parent.0 as usize].children.push((clause, id));
        }
        self.splits.push(PolicySplit { feature, children: Vec::new() });
        id
    }
}
