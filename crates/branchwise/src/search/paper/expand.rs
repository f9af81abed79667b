//! Expansion: a branch gets its split actions, and each child is found in the memo or valued.

use super::graph::{BranchId, Draft, SearchGraph, Split};
use super::memo::BranchKey;
use crate::limits::{Pulse, StopReason};
use crate::objective::Value;
use crate::problem::{Clause, FeatureId, Partition};
use crate::rowset::{RowSet, Support};
use crate::search::{Counters, Task, bounds};

/// Makes expansions, and keeps the memory they need between them.
pub(super) struct Expander<'a> {
    task: Task<'a>,
    rows: RowSet,
    support: Support,
    class_weights: Vec<u64>,
    counts: Vec<u64>,
    rest: Vec<u64>,
    tallies: Vec<Tally>,
    clauses: Vec<Clause>,
    drafts: Vec<Draft>,
    split_drafts: Vec<SplitDraft>,
    found: Vec<Option<BranchId>>,
    splits: Vec<Split>,
    children: Vec<BranchId>,
    pulse: Pulse<'a>,
}

/// A split action whose children have not been looked up yet.
#[derive(Clone, Copy, Debug)]
struct SplitDraft {
    feature: FeatureId,
    base: Value,
    room: Option<u32>,
    n_children: usize,
}

/// What was counted of a child that is not empty.
#[derive(Clone, Copy, Debug)]
struct Tally {
    clause: Clause,
    /// The most that any tree gets right.
    weight: u64,
    largest_class: u64,
    n_rows: u64,
}

impl<'a> Expander<'a> {
    pub(super) fn new(task: Task<'a>, pulse: Pulse<'a>) -> Self {
        let n_classes = task.problem.n_classes();
        Expander {
            task,
            rows: task.problem.all_rows().clone(),
            support: Support::default(),
            class_weights: vec![0; n_classes],
            counts: vec![0; n_classes],
            rest: vec![0; n_classes],
            tallies: Vec::new(),
            clauses: Vec::new(),
            drafts: Vec::new(),
            split_drafts: Vec::new(),
            found: Vec::new(),
            splits: Vec::new(),
            children: Vec::new(),
            pulse,
        }
    }

    /// Put the root into an empty graph.
    pub(super) fn plant(&mut self, graph: &mut SearchGraph) {
        let room = self.task.constraints.room().map(|room| room.left);
        let problem = self.task.problem;
        self.support.fill(problem.all_rows(), problem.class_ends());
        problem.all_class_weights(&self.support, &mut self.class_weights);
        let (total, largest_class) = total_and_largest(&self.class_weights);
        let reachable = problem.reachable(&self.support, None, &mut self.counts);
        let weight = reachable.unwrap_or(total);
        problem.all_class_rows(&self.support, &mut self.counts);
        let n_rows = self.counts.iter().sum();
        let clause = Clause(0); // The root has none: it is not looked at.
        let (mut terminal, upper) = self.value(Tally { clause, weight, largest_class, n_rows }, 0);
        if problem.requires_split() {
            terminal = self.task.objective.forbidden();
        }
        let upper = if room == Some(0) { terminal } else { upper };
        graph.insert(&[], &Draft { clause, key: BranchKey::root(room), terminal, upper });
    }

    /// Give a branch its split actions. If a limit is reached on the way, the graph stays as it is.
    pub(super) fn expand(
        &mut self,
        graph: &mut SearchGraph,
        id: BranchId,
        counters: &mut Counters,
    ) -> Result<(), StopReason> {
        self.gather(graph, id);
        self.drafts.clear();
        self.split_drafts.clear();
        let problem = self.task.problem;
        let mut n_used = 0; // Clauses are sorted, and so are their features.
        for (feature_id, feature) in problem.features() {
            let used = self.clauses.get(n_used).map(|&clause| problem.feature_of(clause));
            if used == Some(feature_id) {
                n_used += 1;
                continue;
            }
            if id == SearchGraph::ROOT && !problem.may_be_first(feature_id) {
                continue;
            }
            let n_words = self.rows.words().len();
            self.pulse.spend(feature.categories.len() * (n_words + 1))?;
            self.count_children(feature);
            counters.evaluations += self.draft(feature_id, graph.branch(id).key);
        }
        graph.find_children(&self.clauses, &self.drafts, &mut self.found);
        self.adopt(graph, id, counters);
        counters.expansions += 1;
        Ok(())
    }

    /// Find the branch's rows and count their classes.
    fn gather(&mut self, graph: &SearchGraph, id: BranchId) {
        let problem = self.task.problem;
        self.clauses.clear();
        self.clauses.extend_from_slice(graph.clauses(id));
        self.rows.copy_from(problem.all_rows());
        for &clause in &self.clauses {
            self.rows.intersect(problem.rows_of(clause));
        }
        self.support.fill(&self.rows, problem.class_ends());
        problem.all_class_weights(&self.support, &mut self.class_weights);
    }

    /// Count the classes of the children by a feature; the last child has what the others leave.
    fn count_children(&mut self, feature: &Partition) {
        let problem = self.task.problem;
        self.tallies.clear();
        self.rest.copy_from_slice(&self.class_weights);
        let last = feature.clauses().last();
        for clause in feature.clauses() {
            let counts = if Some(clause) == last {
                &mut self.rest
            } else {
                problem.class_weights(&self.support, clause, &mut self.counts);
                self.rest.iter_mut().zip(&self.counts).for_each(|(rest, count)| *rest -= count);
                &mut self.counts
            };
            let (total, largest_class) = total_and_largest(counts);
            if total == 0 {
                continue;
            }
            let mut n_rows = total;
            if !problem.weights_are_row_counts() && self.task.constraints.least_rows() > 1 {
                problem.class_rows(&self.support, clause, counts);
                n_rows = counts.iter().sum();
            }
            let reachable = problem.reachable(&self.support, Some(clause), counts);
            let weight = reachable.unwrap_or(total);
            self.tallies.push(Tally { clause, weight, largest_class, n_rows });
        }
    }

    /// The terminal value and the bound of a branch with this many clauses.
    fn value(&self, tally: Tally, n_clauses: usize) -> (Value, Value) {
        let Task { problem, objective, constraints, .. } = self.task;
        let terminal = objective.correct(tally.largest_class);
        let least = constraints.least_rows();
        let can_split = n_clauses < problem.n_features()
            && constraints.max_depth.is_none_or(|most| n_clauses < most as usize)
            && (least == 1 || tally.n_rows >= least.saturating_mul(2));
        let upper = if can_split {
            bounds::purification(objective, tally.weight, tally.largest_class)
        } else {
            terminal
        };
        (terminal, upper)
    }

    /// Draft the split action that the tallies describe, unless no allowed tree could use it; the
    /// number of children that needed no look-up.
    ///
    /// A feature that is constant in the branch would only add its price: it is left out. So is one
    /// that makes a child with too few rows, or more children than there is room for.
    fn draft(&mut self, feature: FeatureId, parent: BranchKey) -> u64 {
        let Task { objective, constraints, .. } = self.task;
        let n_tallies = self.tallies.len();
        let least = constraints.least_rows();
        if n_tallies < 2 || (least > 1 && self.tallies.iter().any(|tally| tally.n_rows < least)) {
            return 0;
        }
        let room = match (constraints.room(), parent.room) {
            (Some(whole), Some(left)) => match whole.with(left).after_split(n_tallies) {
                Some(left) => Some(left),
                None => return 0,
            },
            _ => None,
        };
        let mut base = Value::default() - objective.split(n_tallies);
        let (mut n_solved, before) = (0, self.drafts.len());
        for index in 0..n_tallies {
            let tally = self.tallies[index];
            let (terminal, upper) = self.value(tally, self.clauses.len() + 1);
            if upper == terminal || room == Some(0) {
                // Solved at birth: it needs no place in the graph.
                base += terminal;
                n_solved += 1;
                continue;
            }
            // A version for each amount of room that it could be given.
            for version in 1..=room.unwrap_or(1) {
                let key = parent.with(tally.clause, room.map(|_| version));
                self.drafts.push(Draft { clause: tally.clause, key, terminal, upper });
            }
        }
        let n_children = self.drafts.len() - before;
        self.split_drafts.push(SplitDraft { feature, base, room, n_children });
        n_solved
    }

    /// Add the children that were not found, and with all of them the branch's split actions.
    fn adopt(&mut self, graph: &mut SearchGraph, id: BranchId, counters: &mut Counters) {
        self.splits.clear();
        let mut drafts = self.drafts.iter().zip(&self.found);
        for split in &self.split_drafts {
            self.children.clear();
            for (draft, found) in drafts.by_ref().take(split.n_children) {
                self.children.push(found.unwrap_or_else(|| {
                    let place = self.clauses.partition_point(|&clause| clause < draft.clause);
                    self.clauses.insert(place, draft.clause);
                    let child = graph.insert(&self.clauses, draft);
                    self.clauses.remove(place);
                    child
                }));
                counters.memo_hits += u64::from(found.is_some());
                counters.evaluations += u64::from(found.is_none());
            }
            let (made, sum) =
                graph.make_split(split.feature, split.base, &self.children, split.room);
            graph.propose(id, sum.greedy, split.feature);
            self.splits.push(made);
        }
        graph.expand(id, &mut self.splits);
    }
}

fn total_and_largest(class_weights: &[u64]) -> (u64, u64) {
    class_weights.iter().fold((0, 0), |(total, largest), &w| (total + w, largest.max(w)))
}
