//! The tree as nested conditions, which every programming language has.
//!
//! A *block* is a list of *arms*, "if the column passes one of these tests, then …", which are tried in
//! order, and the node that answers if no arm applies: a chain of `WHEN`s with an `ELSE`, or of `if`s with
//! a `return`. The "no" of a yes/no split needs no test of its own, so its subtree continues in the same
//! block, which keeps the nesting shallow.

use crate::data::ValueOrder;
use crate::encode::{Feature, Input, Levels};
use crate::model::Model;
use crate::tree::{Child, Node, NodeId, Tree};

/// What a column's value is tested for. No test but [`Test::Missing`] is passed without a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Test<'m> {
    /// There is none.
    Missing,
    /// It is one of these.
    Among(Vec<&'m str>),
    /// It is none of these.
    Other(&'m [String]),
    /// It has a place on the column's line, above the one threshold and at most the other.
    Within { above: Option<&'m str>, at_most: Option<&'m str> },
}

/// If the column passes one of the tests, then this.
#[derive(Debug)]
pub(super) struct Arm<'m> {
    pub(super) column: usize,
    pub(super) tests: Vec<Test<'m>>,
    pub(super) then: Then,
}

/// Where an arm leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// To the answer of a node.
    Answer(NodeId),
    /// To further tests, by number of their block.
    Block(usize),
}

/// Arms, and the node that answers where none fits.
#[derive(Debug)]
struct Block<'m> {
    arms: Vec<Arm<'m>>,
    otherwise: NodeId,
}

/// A tree as nested tests.
#[derive(Debug)]
pub(super) struct Outline<'m> {
    blocks: Vec<Block<'m>>,
}

/// What is written next, from the first line to the last.
#[derive(Debug)]
pub(super) enum Part<'o, 'm> {
    /// An arm. If it leads to a block, that block follows.
    Arm(&'o Arm<'m>),
    /// The answer where no arm of the block fits.
    Otherwise(NodeId),
    /// The end of a block.
    End,
    /// A block that goes on in a function of its own, in place of an answer.
    Elsewhere(usize),
}

/// A block with all that is written in it.
#[derive(Debug)]
pub(super) struct Function<'o, 'm> {
    /// The block's number; 0 is that of the root.
    pub(super) block: usize,
    /// The parts in the order of writing, each with the number of blocks around its own.
    pub(super) parts: Vec<(usize, Part<'o, 'm>)>,
}

impl Function<'_, '_> {
    /// The columns that are asked about, ascending.
    pub(super) fn columns(&self) -> Vec<usize> {
        let column = |(_, part): &(usize, Part)| match part {
            Part::Arm(arm) => Some(arm.column),
            _ => None,
        };
        let mut columns: Vec<usize> = self.parts.iter().filter_map(column).collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }
}

impl<'m> Outline<'m> {
    pub(super) fn of(model: &'m Model) -> Self {
        let mut heads = vec![Tree::ROOT];
        let mut blocks = Vec::new();
        while let Some(&head) = heads.get(blocks.len()) {
            blocks.push(block(model, head, &mut heads));
        }
        Outline { blocks }
    }

    /// The whole tree as one function.
    pub(super) fn whole(&self) -> Function<'_, 'm> {
        self.function(0, usize::MAX)
    }

    /// The tree as functions whose blocks are nested at most this deep: languages limit the nesting.
    pub(super) fn functions(&self, most_depth: usize) -> Vec<Function<'_, 'm>> {
        let mut blocks = vec![0];
        let mut functions = Vec::new();
        while let Some(&block) = blocks.get(functions.len()) {
            let function = self.function(block, most_depth);
            blocks.extend(function.parts.iter().filter_map(|(_, part)| match part {
                Part::Elsewhere(block) => Some(*block),
                _ => None,
            }));
            functions.push(function);
        }
        functions
    }

    fn function(&self, block: usize, most_depth: usize) -> Function<'_, 'm> {
        let mut parts = Vec::new();
        let mut open = vec![(&self.blocks[block], 0)];
        while let Some((block, next)) = open.last_mut() {
            let (block, place) = (*block, *next);
            *next += 1;
            let depth = open.len() - 1;
            let Some(arm) = block.arms.get(place) else {
                parts.push((depth, Part::Otherwise(block.otherwise)));
                parts.push((depth, Part::End));
                open.pop();
                continue;
            };
            parts.push((depth, Part::Arm(arm)));
            match arm.then {
                Then::Answer(_) => {}
                Then::Block(below) if depth < most_depth => open.push((&self.blocks[below], 0)),
                Then::Block(below) => parts.push((depth, Part::Elsewhere(below))),
            }
        }
        Function { block, parts }
    }
}

/// The block that begins with a node. Splits that begin blocks of their own are added to `heads`.
fn block<'m>(model: &'m Model, head: NodeId, heads: &mut Vec<NodeId>) -> Block<'m> {
    let mut arms = Vec::new();
    let mut otherwise = head;
    while let Node::Split { feature, children, .. } = model.tree().node(otherwise) {
        let feature = model.encoder().features()[*feature];
        let ways = Ways::of(feature, &model.encoder().inputs()[feature.column()], children);
        for (tests, goal) in ways.tested {
            let goal = goal.unwrap_or(otherwise);
            let stops = goal == otherwise || model.tree().node(goal).is_leaf();
            let then = if stops { Then::Answer(goal) } else { Then::Block(heads.len()) };
            if !stops {
                heads.push(goal);
            }
            arms.push(Arm { column: feature.column(), tests, then });
        }
        match ways.rest {
            Some(child) => otherwise = child,
            None => break,
        }
    }
    Block { arms, otherwise }
}

/// The ways from a split to its children; `None` stands for the split itself.
struct Ways<'m> {
    tested: Vec<(Vec<Test<'m>>, Option<NodeId>)>,
    rest: Option<NodeId>,
}

impl<'m> Ways<'m> {
    fn of(feature: Feature, input: &'m Input, children: &[Child]) -> Self {
        match feature {
            Feature::Values { .. } => Ways::to_each(children, |cell| test_of(input, cell)),
            Feature::AtMost { cut, .. } => {
                // As elsewhere, "yes" is listed before "no".
                let mut children = children.to_vec();
                children.sort_by_key(|child| !child.categories.contains(&Feature::YES));
                Ways::to_each(&children, |answer| threshold(input, cut as usize, answer))
            }
            Feature::Is { value, .. } => {
                let child = |answer| {
                    let takes = |child: &&Child| child.categories.contains(&answer);
                    children.iter().find(takes).map(|child| child.node)
                };
                let (yes, no) = (child(Feature::YES), child(Feature::NO));
                let arm = (vec![test_of(input, value)], yes);
                Ways { tested: if yes == no { Vec::new() } else { vec![arm] }, rest: no }
            }
        }
    }

    /// A test for each child, and the split itself for the rest.
    fn to_each(children: &[Child], test: impl Fn(u32) -> Test<'m>) -> Self {
        let way = |child: &Child| {
            (merged(child.categories.iter().map(|&c| test(c)).collect()), Some(child.node))
        };
        Ways { tested: children.iter().map(way).collect(), rest: None }
    }
}

/// The test for a value in a cell.
fn test_of(input: &Input, cell: u32) -> Test<'_> {
    let cell = cell as usize;
    match &input.levels {
        Levels::Categories { values, other } => match values.get(cell) {
            Some(_) => Test::Among(input.spellings(cell)),
            None if other.is_some() && cell == values.len() => Test::Other(values),
            None => Test::Missing,
        },
        Levels::Order { cuts, .. } if cell <= cuts.len() => {
            within(input, cell.checked_sub(1), (cell < cuts.len()).then_some(cell))
        }
        Levels::Order { .. } => Test::Missing,
    }
}

/// The test for an answer to "is it at most the threshold?".
fn threshold(input: &Input, cut: usize, answer: u32) -> Test<'_> {
    match answer {
        Feature::YES => within(input, None, Some(cut)),
        Feature::NO => within(input, Some(cut), None),
        _ => Test::Missing,
    }
}

/// The test for a place between two thresholds, by their numbers. Where the order is a list, that is
/// a part of the list.
fn within(input: &Input, above: Option<usize>, at_most: Option<usize>) -> Test<'_> {
    let cut = |number: usize| input.cuts()[number].as_str();
    if let Levels::Order { order: ValueOrder::Ranks(order), .. } = &input.levels {
        let rank = |number: usize| order.iter().position(|value| value == cut(number));
        let start = above.and_then(rank).map_or(0, |rank| rank + 1);
        let end = at_most.and_then(rank).map_or(order.len(), |rank| rank + 1);
        return Test::Among(order[start..end].iter().map(String::as_str).collect());
    }
    Test::Within { above: above.map(cut), at_most: at_most.map(cut) }
}

/// The same tests, with those for single values made one.
fn merged(tests: Vec<Test<'_>>) -> Vec<Test<'_>> {
    let mut merged: Vec<Test> = Vec::new();
    for test in tests {
        match (merged.last_mut(), test) {
            (Some(Test::Among(values)), Test::Among(more)) => values.extend(more),
            (_, test) => merged.push(test),
        }
    }
    merged
}
