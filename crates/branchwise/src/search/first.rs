//! The tree to begin with: one leaf or, where the root's column is said, its best split into leaves.

use super::{Policy, Task};
use crate::objective::Value;
use crate::problem::{FeatureId, Partition};
use crate::rowset::Support;

/// A tree that is allowed, and its value; `None` if the root must be split and no split is allowed.
pub(crate) fn first_tree(task: Task) -> Option<(Policy, Value)> {
    let mut policy = Policy::default();
    if !task.problem.requires_split() {
        let largest = task.problem.class_totals().into_iter().max().unwrap_or(0);
        return Some((policy, task.objective.correct(largest)));
    }
    let features = task.problem.features().filter(|&(id, _)| task.problem.may_be_first(id));
    let valued = features.filter_map(|(id, feature)| Some((value(task, feature)?, id)));
    let better = |best: (Value, FeatureId), other: (Value, FeatureId)| {
        if other.0 > best.0 { other } else { best }
    };
    let (value, feature) = valued.reduce(better)?;
    policy.push(feature, None);
    Some((policy, value))
}

/// What a split of the root into leaves is worth, if it is allowed.
fn value(task: Task, feature: &Partition) -> Option<Value> {
    let Task { problem, objective, constraints, .. } = task;
    let mut support = Support::default();
    support.fill(problem.all_rows(), problem.class_ends());
    let mut counts = vec![0; problem.n_classes()];
    let n_children = feature.categories.len();
    let has_room = constraints.room().is_none_or(|room| room.after_split(n_children).is_some());
    if constraints.max_depth == Some(0) || !has_room {
        return None;
    }
    let mut value = Value::default() - objective.split(n_children);
    for clause in feature.clauses() {
        problem.class_rows(&support, clause, &mut counts);
        if counts.iter().sum::<u64>() < constraints.least_rows() {
            return None;
        }
        problem.class_weights(&support, clause, &mut counts);
        value += objective.correct(counts.iter().copied().max().unwrap_or(0));
    }
    Some(value)
}
