//! Merges equal sibling subtrees (appendix E of the paper).
//!
//! Two subtrees are equal if they have the same splits and answers; their counts may differ, and are added
//! up. Every training row keeps its answer, so the accuracy does not change. The price of the tree does
//! not change either: the collapsed tree is only a shorter way to show it.
//!
//! A category that is empty in one of two subtrees and continued in the other does not make them
//! different, as no training row depends on it. The merged child then continues it.

use super::{Child, Counts, Node, NodeId, Tree};

impl Tree {
    /// The same tree with equal sibling subtrees shared.
    #[must_use]
    pub fn collapse(&self) -> Tree {
        // Bottom up: every child has a larger number than its parent.
        let mut built: Vec<Option<Built>> = self.nodes.iter().map(|_| None).collect();
        for (id, node) in self.nodes.iter().enumerate().rev() {
            let collapsed = match node {
                Node::Leaf { counts } => {
                    Built::Leaf { answer: counts.answer(), counts: counts.clone() }
                }
                Node::Split { feature, children, counts } => {
                    let mut shared: Vec<(Vec<u32>, Built)> = Vec::with_capacity(children.len());
                    for child in children {
                        let Some(subtree) = built[child.node.0 as usize].take() else { continue };
                        match shared.iter_mut().find(|(_, other)| other.agrees(&subtree)) {
                            Some((categories, other)) => {
                                categories.extend(&child.categories);
                                other.absorb(subtree);
                            }
                            None => shared.push((child.categories.clone(), subtree)),
                        }
                    }
                    Built::Split { feature: *feature, children: shared, counts: counts.clone() }
                }
            };
            built[id] = Some(collapsed);
        }
        let root = built.into_iter().next().flatten();
        root.map_or_else(|| self.clone(), flatten)
    }
}

/// A subtree under construction, owning its children.
enum Built {
    Leaf { answer: u32, counts: Counts },
    Split { feature: usize, children: Vec<(Vec<u32>, Built)>, counts: Counts },
}

impl Built {
    /// Whether no training row can tell the two apart.
    fn agrees(&self, other: &Built) -> bool {
        let mut pairs = vec![(self, other)];
        while let Some(pair) = pairs.pop() {
            match pair {
                (Built::Leaf { answer: a, .. }, Built::Leaf { answer: b, .. }) if a == b => {}
                (
                    Built::Split { feature: a, children: mine, .. },
                    Built::Split { feature: b, children: theirs, .. },
                ) if a == b && same_grouping(mine, theirs) => {
                    for (categories, child) in mine {
                        let twin = theirs.iter().find(|(others, _)| meet(categories, others));
                        pairs.extend(twin.map(|(_, twin)| (child, twin)));
                    }
                }
                _ => return false,
            }
        }
        true
    }

    /// Take over the rows of a subtree that agrees.
    fn absorb(&mut self, other: Built) {
        let mut pairs = vec![(self, other)];
        while let Some((into, from)) = pairs.pop() {
            match (into, from) {
                (Built::Leaf { counts, .. }, Built::Leaf { counts: more, .. }) => {
                    add(counts, &more)
                }
                (
                    Built::Split { children, counts, .. },
                    Built::Split { children: theirs, counts: more, .. },
                ) => {
                    add(counts, &more);
                    let (mut twins, new): (Vec<_>, Vec<_>) =
                        theirs.into_iter().partition(|(theirs, _)| {
                            children.iter().any(|(mine, _)| meet(mine, theirs))
                        });
                    children.extend(new);
                    for (categories, child) in children {
                        let twin = twins.iter().position(|(others, _)| meet(categories, others));
                        if let Some(twin) = twin {
                            let (others, subtree) = twins.swap_remove(twin);
                            categories.extend(others);
                            categories.sort_unstable();
                            categories.dedup();
                            pairs.push((child, subtree));
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

fn meet(a: &[u32], b: &[u32]) -> bool {
    a.iter().any(|category| b.contains(category))
}

/// Whether each child of one side meets at most one child of the other.
fn same_grouping(mine: &[(Vec<u32>, Built)], theirs: &[(Vec<u32>, Built)]) -> bool {
    let single = |a: &[(Vec<u32>, Built)], b: &[(Vec<u32>, Built)]| {
        a.iter().all(|(categories, _)| {
            b.iter().filter(|(others, _)| meet(categories, others)).count() <= 1
        })
    };
    single(mine, theirs) && single(theirs, mine)
}

fn add(counts: &mut Counts, more: &Counts) {
    let sum =
        |into: &mut Vec<u64>, from: &[u64]| into.iter_mut().zip(from).for_each(|(a, b)| *a += b);
    sum(&mut counts.rows, &more.rows);
    sum(&mut counts.weights, &more.weights);
    sum(&mut counts.saved, &more.saved);
}

/// Number the nodes in preorder.
fn flatten(root: Built) -> Tree {
    let mut nodes: Vec<Node> = Vec::new();
    let mut pending = vec![(root, None)];
    while let Some((built, parent)) = pending.pop() {
        let id = NodeId(nodes.len() as u32);
        if let Some((parent, categories)) = parent {
            let parent: &mut Node = &mut nodes[parent];
            if let Node::Split { children, .. } = parent {
                children.push(Child { categories, node: id });
            }
        }
        match built {
            Built::Leaf { counts, .. } => nodes.push(Node::Leaf { counts }),
            Built::Split { feature, mut children, counts } => {
                children.iter_mut().for_each(|(categories, _)| categories.sort_unstable());
                children.sort_by(|(a, _), (b, _)| a.first().cmp(&b.first()));
                nodes.push(Node::Split { feature, children: Vec::new(), counts });
                let waiting = children.into_iter().rev();
                let parent = id.0 as usize;
                pending
                    .extend(waiting.map(|(categories, child)| (child, Some((parent, categories)))));
            }
        }
    }
    Tree { nodes }
}
