//! What searches with other λ have learnt, carried over.
//!
//! # Theory
//! Let l be λ in units of weight, and f(l) the least of errors + l · paid over the trees for some rows.
//! As the least of straight lines that rise, one for each tree, f rises and is concave, and f(0) ≥ 0.
//! So bounds at two values of λ bound f in between, and one bound is worth something on both its sides:
//!
//! > a ≤ l ≤ b: f(l) ≥ ((b − l) · f(a) + (l − a) · f(b)) / (b − a)
//! > a ≤ l: f(l) ≥ f(a)  l ≤ b: f(l) ≥ f(b) · l / b
//!
//! Where the same tree is best for a and for b, the first bound is what it costs: rows that both
//! searches have solved alike are solved for every λ in between.
//!
//! # In integers
//! A cost is N · (E · errors + L · paid) + splits, with l = L / E. The whole part of a bound over N bounds
//! E · errors + L · paid. The first bound, times E, has the integer denominator D = L_b · E_a − L_a · E_b:
//!
//! > E · f(l) ≥ ((L_b · E − L · E_b) · x_a + (L · E_a − L_a · E) · x_b) / D
//!
//! rounded up. Where nothing is rounded, a tree that reaches it reaches both x_a and x_b (if a < l < b),
//! and so has at least the splits of either bound: they are the remainder over N.

use super::known::Known;
use super::slots::Slots;
use crate::objective::Prices;
use crate::search::bounds::Cost;
use std::sync::Arc;

/// What a search with some λ has learnt.
#[derive(Clone, Debug)]
pub(crate) struct Past {
    table: Arc<Slots>,
    prices: Prices,
}

impl Past {
    pub(super) fn new(slots: Arc<Slots>, prices: Prices) -> Self {
        Past { table: slots, prices }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.table.bytes()
    }
}

/// What searches of the same problem with smaller and with larger λ have learnt, the nearest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pasts {
    pub(crate) smaller: Vec<Past>,
    pub(crate) larger: Vec<Past>,
}

impl Pasts {
    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.smaller.iter().chain(&self.larger).map(Past::bytes).sum()
    }
}

/// Searches of the same problem with smaller and with larger λ, and the way from their bounds to ours.
#[derive(Debug)]
pub(crate) struct Carry {
    pasts: Pasts,
    prices: Prices,
    /// Whether λ is paid once for each split, so that the cost of a tree tells its splits and errors.
    pays_by_split: bool,
}

impl Carry {
    /// From the nearest searches on both sides; none where there are none.
    pub(crate) fn new(pasts: Pasts, prices: Prices, pays_by_split: bool) -> Option<Self> {
        let any = !pasts.smaller.is_empty() || !pasts.larger.is_empty();
        any.then_some(Carry { pasts, prices, pays_by_split })
    }

    /// What is known of a row set.
    pub(crate) fn find(&self, key: u128) -> Option<Known> {
        let find = |pasts: &[Past]| {
            pasts.iter().find_map(|past| Some((past.prices, past.table.find(key)?)))
        };
        let (smaller, larger) = (find(&self.pasts.smaller), find(&self.pasts.larger));
        let lower = self.lower(smaller, larger)?;
        let trees = smaller.into_iter().chain(larger).filter_map(|(prices, known)| {
            let upper = self.upper(prices, known.upper)?;
            Some(Known { lower, upper, best: known.best })
        });
        let known = trees.min_by_key(|known| known.upper);
        Some(known.unwrap_or(Known { lower, upper: Cost::MAX, best: None }))
    }

    /// The best of the three bounds.
    fn lower(
        &self,
        smaller: Option<(Prices, Known)>,
        larger: Option<(Prices, Known)>,
    ) -> Option<Cost> {
        let at = |(prices, known): (Prices, Known)| {
            let ties = Cost::from(prices.ties);
            (prices, known.lower.div_euclid(ties).into(), known.lower.rem_euclid(ties))
        };
        let (smaller, larger): (Option<(Prices, i128, Cost)>, Option<_>) =
            (smaller.map(at), larger.map(at));
        let [error, price] = [self.prices.error, self.prices.price].map(i128::from);
        let from_smaller =
            smaller.and_then(|(a, x, _)| rounded_up(error.checked_mul(x)?, a.error.into(), 0));
        let from_larger =
            larger.and_then(|(b, x, _)| rounded_up(price.checked_mul(x)?, b.price.into(), 0));
        let between = smaller.zip(larger).and_then(|((a, x_a, splits_a), (b, x_b, splits_b))| {
            let [error_a, price_a, error_b, price_b] =
                [a.error, a.price, b.error, b.price].map(i128::from);
            let weight_a = price_b.checked_mul(error)? - price.checked_mul(error_b)?;
            let weight_b = price.checked_mul(error_a)? - price_a.checked_mul(error)?;
            let whole = price_b.checked_mul(error_a)? - price_a.checked_mul(error_b)?;
            let sum = weight_a.checked_mul(x_a)?.checked_add(weight_b.checked_mul(x_b)?)?;
            let counts = |weight: i128, splits| if weight > 0 { splits } else { 0 };
            rounded_up(sum, whole, counts(weight_a, splits_a).max(counts(weight_b, splits_b)))
        });
        let ties = Cost::from(self.prices.ties);
        let bounds = [from_smaller, from_larger, between].into_iter().flatten();
        bounds
            .filter_map(|(whole, splits)| {
                Cost::try_from(whole).ok()?.checked_mul(ties)?.checked_add(splits)
            })
            .max()
    }

    /// What the tree of a cost costs here.
    fn upper(&self, prices: Prices, cost: Cost) -> Option<Cost> {
        if !self.pays_by_split {
            return None;
        }
        let (whole, splits) = (cost.div_euclid(prices.ties), cost.rem_euclid(prices.ties));
        let errors = (whole - prices.price.checked_mul(splits)?) / prices.error;
        let errors = self.prices.error.checked_mul(errors)?;
        let price = self.prices.price.checked_mul(splits)?;
        errors.checked_add(price)?.checked_mul(self.prices.ties)?.checked_add(splits)
    }
}

/// A fraction rounded up and, if it was whole, the splits that come with it.
fn rounded_up(above: i128, below: i128, splits: Cost) -> Option<(i128, Cost)> {
    let whole = above.checked_div_euclid(below)?;
    Some(if whole * below == above { (whole, splits) } else { (whole + 1, 0) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Builtin;
    use crate::decimal::Decimal;
    use crate::encode::{Encoding, Offer, encode};
    use crate::limits::Watch;
    use crate::objective::{Objective, Price};
    use crate::search::fast::Matrix;
    use crate::search::{Bounds, Constraints, Journal, Task};

    /// What three searches on their own know of the same row sets.
    fn pasts(table: Builtin, encoding: Encoding, price: Price) -> [Past; 3] {
        let offer = Offer { encoding, ..Offer::default() };
        let endless = Watch::endless();
        let dataset = table.dataset().unwrap();
        let encoded = encode(&dataset, &offer, &mut endless.pulse(), &mut |_| {}).unwrap();
        let problem = encoded.problem;
        let matrix = Matrix::new(&problem, &mut endless.pulse()).unwrap();
        ["0.003", "0.007", "0.02"].map(|penalty| {
            let penalty = Decimal::from(penalty).fraction().unwrap();
            let objective =
                Objective::new(penalty, price, problem.total_weight(), problem.n_units()).unwrap();
            let task = Task {
                problem: &problem,
                objective: &objective,
                constraints: &Constraints::default(),
                bounds: Bounds::default(),
                start: None,
            };
            let watch = Watch::endless();
            let mut nobody = ();
            let mut journal = Journal::new(&objective, &mut nobody);
            crate::search::fast::run(task, &matrix, &watch, &mut journal, Pasts::default()).1
        })
    }

    #[test]
    fn what_is_carried_over_holds() {
        let mut n_solved_of_all = 0;
        for (table, encoding, price) in [
            (Builtin::Monk1, Encoding::OneHot, Price::Split),
            (Builtin::Monk2, Encoding::OneHot, Price::Split),
            (Builtin::Monk3, Encoding::Multiway, Price::Split),
            (Builtin::Monk2, Encoding::Multiway, Price::Leaf),
        ] {
            let [smaller, middle, larger] = pasts(table, encoding, price);
            let carry = |pasts| Carry::new(pasts, middle.prices, price == Price::Split).unwrap();
            let (smaller, larger) = (vec![smaller], vec![larger]);
            let carries = [
                carry(Pasts { smaller: smaller.clone(), larger: Vec::new() }),
                carry(Pasts { smaller: Vec::new(), larger: larger.clone() }),
                carry(Pasts { smaller, larger }),
            ];
            let (mut n_found, mut n_solved) = (0, 0);
            for (key, known) in middle.table.all() {
                for carried in carries.iter().filter_map(|carry| carry.find(key)) {
                    assert!(carried.lower <= known.upper && carried.upper >= known.lower);
                    n_found += 1;
                    n_solved += usize::from(carried.is_solved());
                }
            }
            assert!(n_found > 10, "the searches meet");
            n_solved_of_all += n_solved;
        }
        assert!(n_solved_of_all > 0, "some are solved without a search");
    }
}
