//! Checks that the fields of a model file are consistent. This is done when a file is read, without its
//! table; [`Model::verify`] also compares the model with its table.
//!
//! Each function returns a message that names the fields that contradict each other, or `None`.

use super::Model;
use super::exact::{Yardstick, idle_split, subtree_scores};
use super::summary::ROUNDING;
use crate::decimal::{Decimal, Fraction};
use crate::encode::{ClassWeight, ClassWeights, Feature, features_of};
use crate::error::quoted;
use crate::objective::{Price, Score};
use crate::report::{AnswerCost, CostScale};
use crate::search::Constraints;
use crate::text::visible;
use crate::tree::{Counts, Node, Tree};
use std::collections::BTreeMap;

impl Model {
    /// The first contradiction between the fields of the file.
    pub(super) fn contradiction(&self) -> Option<String> {
        let root = self.tree.node(Tree::ROOT).counts();
        let by = match Yardstick::of(self, root.deciding()) {
            Ok(by) => by,
            Err(error) => return Some(error.to_string()),
        };
        self.offer_fault()
            .or_else(|| self.weights_fault(root))
            .or_else(|| self.counts_fault())
            .or_else(|| self.limits_fault(root.n_rows()))
            .or_else(|| self.first_column_fault())
            .or_else(|| self.summary.fault(self.last_step(&by)))
            .or_else(|| self.figures_fault(&by))
            .or_else(|| self.optimum_fault(&by))
    }

    /// By how much the objective may fall at the last step of the trace, which is for λ itself.
    ///
    /// While it runs, a search may compare trees by a λ′ for which all of them come in the same order (see
    /// `objective/same_order.rs`). With M for the most that a sensible tree pays, λ′W and λW lie between neighbours a/b
    /// and c/d among the fractions of denominators up to M, so that |λ′W − λW| < 1/(bd), and b + d > M
    /// gives bd ≥ M. A tree that pays at most M therefore moves by less than 1/W.
    ///
    /// A root that must be split by extra leaves may cost more than an accuracy of 1, which the search
    /// does not count while it runs: then there is no limit.
    fn last_step(&self, by: &Yardstick) -> f64 {
        match (&self.settings.offer.first_column, self.settings.goal.price) {
            (Some(_), Price::Leaf) => f64::INFINITY,
            _ => 1.0 / by.worth as f64,
        }
    }

    /// The features are those that the encoding makes of the inputs.
    fn offer_fault(&self) -> Option<String> {
        let offer = &self.settings.offer;
        if let Err(error) = offer.check() {
            return Some(format!("\"settings\": {error}"));
        }
        let inputs = self.encoder.inputs().iter().enumerate();
        let features: Vec<Feature> =
            inputs.flat_map(|(number, input)| features_of(offer.encoding, number, input)).collect();
        let found = self.encoder.features();
        let (name, offered) = (offer.encoding.name(), features.len());
        if found.len() != offered {
            let found = found.len();
            return Some(format!(
                "\"encoder.features\" lists {found} features, but \"settings.encoding\", {name}, makes \
                 {offered} of \"encoder.inputs\""
            ));
        }
        let other = (0..offered).find(|&feature| features[feature] != found[feature])?;
        Some(format!(
            "feature {other} of \"encoder.features\" is not the one that \"settings.encoding\", {name}, \
             makes of \"encoder.inputs\""
        ))
    }

    /// The class weights are those that were asked for, and the weights' unit is a part of theirs.
    fn weights_fault(&self, root: &Counts) -> Option<String> {
        let Some(ClassWeights { weights, scale }) = &self.class_weights else {
            let equal = self.settings.goal.class_weight == ClassWeight::Equal;
            let missing =
                "\"settings.class_weight\" weighs classes, but there are no \"class_weights\"";
            return (!equal).then(|| missing.into());
        };
        if !self.weight_scale.is_multiple_of(*scale) {
            return Some(format!(
                "\"weight_scale\" is {}, which is no multiple of \"class_weights.scale\", {scale}",
                self.weight_scale
            ));
        }
        match &self.settings.goal.class_weight {
            ClassWeight::Equal => Some(
                "there are \"class_weights\", but no \"settings.class_weight\" asks for them"
                    .into(),
            ),
            ClassWeight::Balanced => balance_fault(&root.rows, weights, *scale),
            ClassWeight::Named(asked) => self.named_weights_fault(asked, weights, *scale),
        }
    }

    fn named_weights_fault(
        &self,
        asked: &BTreeMap<String, Decimal>,
        weights: &[u64],
        scale: u64,
    ) -> Option<String> {
        let classes = &self.target.classes;
        if let Some(stranger) = asked.keys().find(|&class| !classes.contains(class)) {
            let (stranger, there) = (visible(stranger), quoted(classes));
            return Some(format!(
                "\"settings.class_weight\" names the class \"{stranger}\"; the classes are {there}"
            ));
        }
        let differs = |&class: &usize| {
            let asked = asked.get(&classes[class]).and_then(|weight| weight.fraction().ok());
            let same = |asked: Fraction| {
                let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
                product(weights[class], asked.denominator) == product(asked.numerator, scale)
            };
            !asked.is_some_and(same)
        };
        let class = (0..weights.len()).find(differs)?;
        let (name, weight) = (visible(&classes[class]), weights[class]);
        Some(format!(
            "\"class_weights\" gives the class \"{name}\" the weight {weight} / {scale}, which is not what \
             \"settings.class_weight\" asks for"
        ))
    }

    /// Every node counts rows, and a split as many as its children together; what answers save follows from
    /// the weights.
    fn counts_fault(&self) -> Option<String> {
        let costs = self.cost_matrix().ok().flatten();
        let nodes = self.tree.nodes();
        let weighed = !nodes[0].counts().weights.is_empty();
        for (id, node) in nodes.iter().enumerate() {
            let counts = node.counts();
            if counts.n_rows() == 0 {
                return Some(format!("node {id} counts no row"));
            }
            if counts.weights.is_empty() == weighed {
                return Some(format!("node {id} and node 0 differ in whether rows have weights"));
            }
            if let Some(costs) = &costs
                && costs.saved(counts.deciding()) != counts.saved
            {
                return Some(format!(
                    "node {id} says that its answers save {:?}, but by its weights and \"settings.costs\" \
                     they save {:?}",
                    counts.saved,
                    costs.saved(counts.deciding())
                ));
            }
            let unlike = || self.unlike_children(id, "weighs", |counts| &counts.weights);
            let fault = self.unlike_children(id, "counts", |counts| &counts.rows).or_else(unlike);
            if fault.is_some() {
                return fault;
            }
        }
        None
    }

    /// A split that does not count what its children count together.
    fn unlike_children(
        &self,
        id: usize,
        what: &str,
        of: fn(&Counts) -> &Vec<u64>,
    ) -> Option<String> {
        let nodes = self.tree.nodes();
        let own = of(nodes[id].counts());
        let mut below = vec![0u64; own.len()];
        for child in nodes[id].children() {
            let more = of(nodes[child.node.0 as usize].counts());
            below.iter_mut().zip(more).for_each(|(sum, more)| *sum = sum.saturating_add(*more));
        }
        let differs = !nodes[id].is_leaf() && below != *own;
        differs.then(|| format!("node {id} {what} {own:?}, its children {below:?}"))
    }

    /// The tree keeps to the limits that it was asked to.
    fn limits_fault(&self, rows: u64) -> Option<String> {
        let limits = &self.settings.constraints;
        // A share is kept together with the rows that it came to.
        let asked = match &limits.min_leaf_share {
            Some(_) => Constraints { min_leaf: None, ..limits.clone() },
            None => limits.clone(),
        };
        let meant = match asked.check().and_then(|()| asked.for_rows(rows)) {
            Ok(meant) => meant,
            Err(error) => return Some(format!("\"settings.constraints\": {error}")),
        };
        if meant.min_leaf != limits.min_leaf {
            let said = |rows: Option<u64>| rows.map_or("none".into(), |rows| rows.to_string());
            return Some(format!(
                "\"settings.constraints.min_leaf\" is {}, but the share \"min_leaf_share\" of {rows} rows is {}",
                said(limits.min_leaf),
                said(meant.min_leaf)
            ));
        }
        let too_much = |name: &str, most: Option<u32>, found: u64, what: &str| {
            let most = most.filter(|&most| found > most.into())?;
            Some(format!(
                "\"settings.constraints.{name}\" is {most}, but the tree has {found} {what}"
            ))
        };
        let splits = self.summary.splits.max(self.tree.n_splits() as u64);
        too_much("max_depth", limits.max_depth, self.tree.depth() as u64, "levels of splits")
            .or_else(|| {
                too_much("max_leaves", limits.max_leaves, self.tree.n_leaves() as u64, "leaves")
            })
            .or_else(|| too_much("max_splits", limits.max_splits, splits, "splits"))
            .or_else(|| self.small_leaf(limits.least_rows()))
    }

    /// A leaf with fewer rows than it must have. One that is the whole tree may have fewer.
    fn small_leaf(&self, least: u64) -> Option<String> {
        let nodes = self.tree.nodes();
        let small = |&id: &usize| nodes[id].is_leaf() && nodes[id].counts().n_rows() < least;
        let id = (0..nodes.len()).find(small).filter(|_| nodes.len() > 1)?;
        let rows = nodes[id].counts().n_rows();
        Some(format!(
            "\"settings.constraints.min_leaf\" is {least}, but the leaf {id} has {rows} rows"
        ))
    }

    /// The root asks about the column that it must ask about.
    fn first_column_fault(&self) -> Option<String> {
        let wanted = self.settings.offer.first_column.as_ref()?;
        let Some(column) = self.first_column() else {
            let names = quoted(&self.column_names());
            return Some(format!(
                "\"settings.first_column\" is \"{}\"; the columns are {names}",
                visible(wanted)
            ));
        };
        let asked = match self.tree.node(Tree::ROOT) {
            Node::Leaf { .. } => "nothing".into(),
            Node::Split { feature, .. } => {
                let asked = self.encoder.features()[*feature].column();
                if asked == column {
                    return None;
                }
                format!("about \"{}\"", visible(&self.encoder.inputs()[asked].name))
            }
        };
        Some(format!(
            "\"settings.first_column\" is \"{}\", but the first split asks {asked}",
            visible(wanted)
        ))
    }

    /// The number, among the inputs, of the column that must be asked about first: by its name or, where none
    /// has it, by its position counted from 1.
    pub(super) fn first_column(&self) -> Option<usize> {
        let wanted = self.settings.offer.first_column.as_ref()?;
        let inputs = self.encoder.inputs();
        let by_position = || {
            let position = wanted.parse::<usize>().ok()?.checked_sub(1)?;
            inputs.iter().position(|input| input.position == position)
        };
        inputs.iter().position(|input| input.name == *wanted).or_else(by_position)
    }

    /// Accuracy, cost, splits and objective are those of the tree's own counts.
    ///
    /// Where equal subtrees are shared, a tree does not tell how many splits it stands for, nor what they
    /// cost; that takes the rows ([`Model::verify`]).
    fn figures_fault(&self, by: &Yardstick) -> Option<String> {
        let (tree, summary) = (&self.tree, &self.summary);
        let score = tree.score(self.settings.goal.price);
        let collapsed = tree.is_collapsed();
        if summary.splits < score.splits || (!collapsed && summary.splits != score.splits) {
            return Some(format!(
                "\"summary.splits\" is {}, but the tree has {} splits",
                summary.splits, score.splits
            ));
        }
        let unlike = |name: &str, said: f64, found: f64| {
            let differs = (said - found).abs() > ROUNDING * said.abs().max(1.0);
            differs.then(|| {
                format!("\"summary.{name}\" is {said}, but the tree's counts give {found}")
            })
        };
        let accuracy = tree.correct_weight() as f64 / tree.total_weight().max(1) as f64;
        let known = match (collapsed, self.settings.goal.price) {
            (false, _) => Some(score),
            (true, Price::Split) => Some(Score { paid: summary.splits, ..score }),
            (true, Price::Leaf) => None,
        };
        unlike("accuracy", summary.accuracy, accuracy)
            .or_else(|| match (summary.cost, self.cost_of(score, by)) {
                (None, None) => None,
                (Some(said), Some(found)) => unlike("cost.total", said.total, found.total)
                    .or_else(|| unlike("cost.worst", said.worst, found.worst)),
                _ => Some("\"summary.cost\" and \"settings.costs\" are not both there".into()),
            })
            .or_else(|| unlike("objective", summary.objective, by.objective(known?)))
    }

    fn cost_of(&self, score: Score, by: &Yardstick) -> Option<AnswerCost> {
        let unit = self.cost_matrix().ok()??.unit.to_f64();
        let scale = CostScale { unit, weight: self.weight_scale as f64 };
        let total = by.worth.saturating_sub(score.correct);
        Some(AnswerCost::new(total.into(), by.worth.into(), scale))
    }

    /// A tree that is said to be optimal has no split that a leaf could replace without loss (the proof
    /// stands at [`idle_split`]).
    fn optimum_fault(&self, by: &Yardstick) -> Option<String> {
        if !self.summary.is_optimal() || self.tree.is_collapsed() {
            return None;
        }
        let scores = subtree_scores(&self.tree, self.settings.goal.price);
        let must_split = self.settings.offer.first_column.is_some();
        let idle = idle_split(&self.tree, &scores, by, must_split)?;
        Some(format!(
            "\"summary.optimal\" is true, but a leaf in place of node {idle}, which is a split, loses nothing"
        ))
    }
}

/// What is wrong with weights that are said to be balanced: n / (K · nᶜ) for the nᶜ rows of each of K
/// classes, exactly or to the nearest millionth.
fn balance_fault(rows: &[u64], weights: &[u64], scale: u64) -> Option<String> {
    let n: u128 = rows.iter().map(|&of_class| u128::from(of_class)).sum();
    let k = rows.iter().filter(|&&of_class| of_class > 0).count() as u128;
    let differs = |&class: &usize| {
        let of_class = u128::from(rows[class]);
        // A class without rows weighs nothing whatever it weighs.
        let (above, below) = if of_class == 0 { (1, 1) } else { (n, k * of_class) };
        let said = u128::from(weights[class]).saturating_mul(below);
        let exact = above.saturating_mul(scale.into());
        let nearest = scale == ClassWeights::PARTS
            && (said.abs_diff(exact).saturating_mul(2) <= below || weights[class] == 1);
        said != exact && !nearest
    };
    let class = (0..weights.len()).find(differs)?;
    let (weight, rows) = (weights[class], rows[class]);
    Some(format!(
        "\"class_weights\" gives class {class}, of {rows} rows, the weight {weight} / {scale}, which does not \
         balance {n} rows of {k} classes"
    ))
}
