//! Random class weights and costs of answers, and what they do to a case.

use super::Case;
use super::table::SPELLINGS;
use crate::common::exhaustive::Question;
use branchwise::{ClassWeight, Costs, Decimal};
use proptest::prelude::*;

/// What classes weigh, as text and in quarters; and what answers cost, as text and in halves.
const CLASS_WEIGHTS: [(&str, u64); 5] = [("1", 4), ("0.5", 2), ("3", 12), ("2.25", 9), ("0", 0)];
const COSTS: [(&str, u64); 5] = [("0", 0), ("1", 2), ("2.5", 5), ("7", 14), ("0.0", 0)];

/// What rows and answers weigh: numbers to choose class weights and costs by.
#[derive(Clone, Debug, Default)]
pub(crate) struct Weighting {
    class_weight: Option<ClassWeightRecipe>,
    /// By class, then answer.
    costs: Option<[[usize; 4]; 4]>,
}

#[derive(Clone, Debug)]
enum ClassWeightRecipe {
    Balanced,
    Named([usize; 4]),
}

/// Every combination of class weights and costs.
pub(crate) fn any_weighting() -> impl Strategy<Value = Weighting> {
    let class_weight = prop_oneof![
        Just(ClassWeightRecipe::Balanced),
        prop::array::uniform4(0..CLASS_WEIGHTS.len()).prop_map(ClassWeightRecipe::Named),
    ];
    let costs = prop::array::uniform4(prop::array::uniform4(0..COSTS.len()));
    (prop::option::of(class_weight), prop::option::weighted(0.7, costs))
        .prop_map(|(class_weight, costs)| Weighting { class_weight, costs })
}

impl Case {
    pub(super) fn with_weighting(mut self, weighting: &Weighting) -> Case {
        match &weighting.class_weight {
            Some(ClassWeightRecipe::Balanced) => self.balance(),
            Some(ClassWeightRecipe::Named(chosen)) => {
                let mut chosen = chosen.map(|choice| CLASS_WEIGHTS[choice]);
                // Some row must weigh something.
                if self.heavy_classes().all(|class| chosen[class].1 == 0) {
                    self.heavy_classes().for_each(|class| chosen[class] = CLASS_WEIGHTS[0]);
                }
                let named = self
                    .classes()
                    .into_iter()
                    .map(|class| (SPELLINGS[2][class].to_string(), Decimal::from(chosen[class].0)));
                self.class_weight = ClassWeight::Named(named.collect());
                self.weigh(|class| chosen[class].1);
            }
            None => {}
        }
        if let Some(chosen) = &weighting.costs {
            self.set_costs(chosen);
        }
        self
    }

    /// The classes of the table, in order.
    fn classes(&self) -> Vec<usize> {
        let mut classes: Vec<usize> = self.question.classes.iter().map(|&c| c as usize).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    /// The classes of the rows that weigh something.
    fn heavy_classes(&self) -> impl Iterator<Item = usize> {
        let Question { weights, classes, .. } = &self.question;
        let heavy = weights.iter().zip(classes).filter(|(weight, _)| **weight > 0);
        heavy.map(|(_, &class)| class as usize)
    }

    fn weigh(&mut self, weight: impl Fn(usize) -> u64) {
        let Question { weights, classes, .. } = &mut self.question;
        let pairs = weights.iter_mut().zip(classes);
        pairs.for_each(|(row, class)| *row *= weight(*class as usize));
    }

    /// Rows weigh in inverse proportion to the number of rows of their class: the common factor of
    /// scikit-learn's n / (K · n_c) makes no difference.
    fn balance(&mut self) {
        self.class_weight = ClassWeight::Balanced;
        let present = self.question.present();
        let count = |class: usize| {
            present.iter().filter(|&&row| self.question.classes[row] as usize == class).count()
        };
        let counts: Vec<u64> = (0..4).map(|class| count(class).max(1) as u64).collect();
        let common: u64 = counts.iter().product();
        self.weigh(|class| common / counts[class]);
    }

    fn set_costs(&mut self, chosen: &[[usize; 4]; 4]) {
        let classes = self.classes();
        let names = || classes.iter().map(|&class| SPELLINGS[2][class].to_string());
        // Some answer must cost some row something: the first does, where nothing else would.
        let free = |class: usize| classes.iter().all(|&answer| COSTS[chosen[class][answer]].1 == 0);
        let all_zero = self.heavy_classes().all(free);
        let cost = |class: usize, answer: usize| match all_zero && answer == classes[0] {
            true => COSTS[1],
            false => COSTS[chosen[class][answer]],
        };
        let row = |class: usize| classes.iter().map(move |&answer| cost(class, answer));
        let texts = |class: usize| row(class).map(|cost| Decimal::from(cost.0)).collect();
        let rows = classes.iter().map(|&class| (SPELLINGS[2][class].to_string(), texts(class)));
        self.costs = Some(Costs::new(names().collect(), rows.collect()));
        // The oracle numbers answers as it does classes; the others cost too much to be given.
        let of_class = |class: usize| -> Vec<u64> {
            let known = |answer: usize| classes.contains(&answer) && classes.contains(&class);
            let worst = row(class).map(|cost| cost.1).max().unwrap_or(0);
            let cost = |answer| if known(answer) { cost(class, answer).1 } else { worst };
            (0..4).map(cost).collect()
        };
        self.question.costs = Some((0..4).map(of_class).collect());
    }
}
