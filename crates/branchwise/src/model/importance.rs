//! The importance of each column in a tree.

use super::Model;
use crate::tree::Tree;

impl Model {
    /// For each column of [`Model::column_names`], its share of what the tree's splits earn; all 0
    /// where there is no split that earns anything. The shares add up to 1.
    ///
    /// Without splits every row gets the root's class. What a leaf earns is the weight of the rows
    /// that it gets right, less the weight of those that the root's class would get right there: that
    /// is never negative, and over all leaves it is the accuracy that the splits bring. (Where answers
    /// have costs, it is what they save.) A row comes to its leaf by every split on its way, so that
    /// these share equally in what the leaf earns.
    pub fn importances(&self) -> Vec<f64> {
        let nodes = self.tree.nodes();
        let plain = self.tree.node(Tree::ROOT).counts().answer() as usize;
        let mut earned = vec![0.0; self.encoder.inputs().len()];
        let mut way: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        for (id, node) in nodes.iter().enumerate() {
            if let crate::tree::Node::Split { feature, children, .. } = node {
                let column = self.encoder.features()[*feature].column();
                for child in children {
                    let mut columns = way[id].clone();
                    columns.push(column);
                    way[child.node.0 as usize] = columns;
                }
                continue;
            }
            let merits = node.counts().merits();
            let gain = merits[node.counts().answer() as usize] - merits[plain];
            for &column in &way[id] {
                earned[column] += gain as f64 / way[id].len() as f64;
            }
        }
        let total: f64 = earned.iter().sum();
        if total > 0.0 {
            earned.iter_mut().for_each(|share| *share /= total);
        }
        earned
    }
}

#[cfg(test)]
mod tests {
    use crate::data::{Column, Table, Target};
    use crate::{Dataset, Solver};

    fn importances(columns: &[(&str, [&str; 8])], penalty: f64) -> Vec<f64> {
        let column = |(name, values): &(&str, [&str; 8])| Column::from_values(*name, values);
        let table = Table::from_columns(columns.iter().map(column).collect());
        let dataset: Dataset = table.dataset(Target::Last).unwrap();
        Solver::new().split_penalty(penalty).fit(&dataset).unwrap().model.importances()
    }

    #[test]
    fn splits_on_the_way_share_equally() {
        let a = ("a", ["x", "x", "x", "x", "y", "y", "y", "y"]);
        let b = ("b", ["x", "x", "y", "y", "x", "x", "y", "y"]);
        let c = ("c", ["x", "y", "x", "y", "x", "y", "x", "y"]);
        let either_not_both = ("class", ["0", "0", "1", "1", "1", "1", "0", "0"]);
        assert_eq!(importances(&[a, b, c, either_not_both], 0.01), [0.5, 0.5, 0.0]);
        let both = ("class", ["1", "1", "0", "0", "0", "0", "0", "0"]);
        assert_eq!(importances(&[a, b, both], 0.01), [0.5, 0.5]);
        let only_b = ("class", ["1", "1", "0", "0", "1", "1", "0", "0"]);
        assert_eq!(importances(&[a, b, only_b], 0.01), [0.0, 1.0]);
        assert_eq!(importances(&[a, b, only_b], 0.9), [0.0, 0.0]);
    }
}
