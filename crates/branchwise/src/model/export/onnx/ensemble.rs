//! The tree in the form of the operator `TreeEnsembleRegressor`: lists of nodes that compare a number with
//! a threshold and end in a number.
//!
//! The compared numbers are codes of cells. A split with many branches becomes a binary search among
//! codes: half of them on either side, until one child is left. The resulting number is the index of an
//! answer. All numbers are small integers, and therefore exact as 32-bit floats.

use super::cells::Column;
use super::protobuf::Message;
use super::schema::{Attribute, attribute};
use crate::model::Model;
use crate::tree::{Node, NodeId, Tree};

/// A node of the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// If the column's code is at most this, go on to the first, else to the second.
    Ask { column: usize, at_most: usize, yes: usize, no: usize },
    /// The number of the answer.
    Answer(usize),
}

/// Where a run of codes leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// To a node, which may ask further.
    Node(NodeId),
    /// To the answer of a node, whatever it may ask.
    Answer(NodeId),
}

/// A place that needs a step.
#[derive(Clone, Debug)]
enum Slot {
    Goal(Goal),
    /// A search among runs of a column's codes, each with its last code.
    Search {
        column: usize,
        runs: Vec<(usize, Goal)>,
    },
}

/// The tree as steps, the first one first, and the nodes that answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Ensemble {
    steps: Vec<Step>,
    /// The nodes that answer, by number of the answer.
    pub(super) answers: Vec<NodeId>,
}

impl Ensemble {
    pub(super) fn of(model: &Model, columns: &[Column]) -> Self {
        let mut ensemble = Ensemble::default();
        let mut places = vec![Slot::Goal(Goal::Node(Tree::ROOT))];
        while let Some(place) = places.get(ensemble.steps.len()) {
            let step = match opened(model, columns, place.clone()) {
                Slot::Goal(Goal::Node(node) | Goal::Answer(node)) => {
                    ensemble.answers.push(node);
                    Step::Answer(ensemble.answers.len() - 1)
                }
                Slot::Search { column, runs } => {
                    let (low, high) = runs.split_at(runs.len() / 2);
                    let at_most = low.last().map_or(0, |(code, _)| *code);
                    let yes = places.len();
                    places.extend(
                        [low, high].map(|runs| Slot::Search { column, runs: runs.to_vec() }),
                    );
                    Step::Ask { column, at_most, yes, no: yes + 1 }
                }
            };
            ensemble.steps.push(step);
        }
        ensemble
    }

    /// The attributes of the operator.
    pub(super) fn attributes(&self) -> Vec<Message> {
        let ints = |of: &dyn Fn(&Step) -> usize| {
            Attribute::Ints(self.steps.iter().map(|step| of(step) as i64).collect())
        };
        let asked = |of: fn(usize, usize, usize, usize) -> usize| {
            move |step: &Step| match *step {
                Step::Ask { column, at_most, yes, no } => of(column, at_most, yes, no),
                Step::Answer(_) => 0,
            }
        };
        let modes = self.steps.iter().map(|step| match step {
            Step::Ask { .. } => "BRANCH_LEQ".to_string(),
            Step::Answer(_) => "LEAF".to_string(),
        });
        let thresholds = self.steps.iter().map(|step| match step {
            Step::Ask { at_most, .. } => *at_most as f32,
            Step::Answer(_) => 0.0,
        });
        let leaves = self.steps.iter().enumerate().filter_map(|(id, step)| match step {
            Step::Ask { .. } => None,
            Step::Answer(answer) => Some((id as i64, *answer as f32)),
        });
        let (leaves, answers): (Vec<i64>, Vec<f32>) = leaves.unzip();
        let zeros = || Attribute::Ints(vec![0; leaves.len()]);
        vec![
            attribute("nodes_treeids", ints(&|_| 0)),
            attribute("nodes_nodeids", Attribute::Ints((0..self.steps.len() as i64).collect())),
            attribute("nodes_featureids", ints(&asked(|column, _, _, _| column))),
            attribute("nodes_modes", Attribute::Texts(modes.collect())),
            attribute("nodes_values", Attribute::Floats(thresholds.collect())),
            attribute("nodes_truenodeids", ints(&asked(|_, _, yes, _| yes))),
            attribute("nodes_falsenodeids", ints(&asked(|_, _, _, no| no))),
            attribute("target_treeids", zeros()),
            attribute("target_ids", zeros()),
            attribute("target_nodeids", Attribute::Ints(leaves.clone())),
            attribute("target_weights", Attribute::Floats(answers)),
            attribute("n_targets", Attribute::Int(1)),
            attribute("aggregate_function", Attribute::Text("SUM")),
            attribute("post_transform", Attribute::Text("NONE")),
        ]
    }
}

/// The place, once nothing but a question or an answer is left of it.
fn opened(model: &Model, columns: &[Column], mut place: Slot) -> Slot {
    loop {
        place = match place {
            Slot::Search { runs, .. } if runs.len() == 1 => Slot::Goal(runs[0].1),
            Slot::Goal(Goal::Node(id)) if !model.tree().node(id).is_leaf() => {
                search(model, columns, id)
            }
            other => return other,
        }
    }
}

/// The search for the child that a split leads to.
fn search(model: &Model, columns: &[Column], split: NodeId) -> Slot {
    let Node::Split { feature, children, .. } = model.tree().node(split) else {
        return Slot::Goal(Goal::Answer(split));
    };
    let asked = model.encoder().features()[*feature].column();
    let place = columns.iter().position(|column| column.number == asked).unwrap_or_default();
    let mut runs: Vec<(usize, Goal)> = Vec::new();
    for (code, &cell) in columns[place].cells.iter().enumerate() {
        let category = model.encoder().category(*feature, cell);
        let child = category.and_then(|category| {
            children.iter().find(|child| child.categories.contains(&category))
        });
        let goal = child.map_or(Goal::Answer(split), |child| Goal::Node(child.node));
        match runs.last_mut() {
            Some((last, same)) if *same == goal => *last = code,
            _ => runs.push((code, goal)),
        }
    }
    Slot::Search { column: place, runs }
}
