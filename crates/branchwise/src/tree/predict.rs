//! The path of a row through the tree.

use super::{Child, Node, NodeId, Tree};

/// Where a row's way down the tree ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The nodes passed, from the root to the one that answers.
    pub path: Vec<NodeId>,
}

impl Walk {
    /// The node that answers: a leaf, or a split that has no child for the row's category.
    pub fn end(&self) -> NodeId {
        self.path.last().copied().unwrap_or(Tree::ROOT)
    }
}

impl Tree {
    /// Walk a row down, given its category (if it has one) for a feature.
    ///
    /// Where no child takes the category, because it was never seen in training or never at this
    /// node, the row stops and the node answers with its own counts.
    pub fn walk(&self, category: impl Fn(usize) -> Option<u32>) -> Walk {
        let mut path = vec![Tree::ROOT];
        let mut id = Tree::ROOT;
        while let Node::Split { feature, children, .. } = self.node(id) {
            let Some(category) = category(*feature) else { break };
            match child_for(children, category) {
                Some(child) => id = child.node,
                None => break,
            }
            path.push(id);
        }
        Walk { path }
    }
}

/// The child that takes a category. Children are in the order of their first categories, so it is
/// found at once, unless a collapsed child has it as a further one.
fn child_for(children: &[Child], category: u32) -> Option<&Child> {
    match children.binary_search_by_key(&Some(&category), |child| child.categories.first()) {
        Ok(place) => children.get(place),
        Err(_) => children
            .iter()
            .find(|child| child.categories.len() > 1 && child.categories.contains(&category)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Counts;
    use super::*;

    #[test]
    fn rows_stop_where_their_category_leads_nowhere() {
        let counts = |rows: [u64; 2]| Counts { rows: rows.to_vec(), ..Counts::default() };
        let child = |categories: &[u32], node| Child {
            categories: categories.to_vec(),
            node: NodeId(node),
        };
        let tree = Tree {
            nodes: vec![
                Node::Split {
                    feature: 5,
                    children: vec![child(&[0, 2], 1), child(&[3], 2)],
                    counts: counts([3, 4]),
                },
                Node::Leaf { counts: counts([3, 0]) },
                Node::Leaf { counts: counts([0, 4]) },
            ],
        };
        let end = |category| tree.walk(|_| category).end();
        assert_eq!(end(Some(2)), NodeId(1));
        assert_eq!(end(Some(3)), NodeId(2));
        assert_eq!(end(Some(1)), Tree::ROOT);
        assert_eq!(end(None), Tree::ROOT);
    }
}
