//! Pair counts with features of more than two categories.
//!
//! For every child x of a feature i, and every multi-way feature j after it, the classes of x are
//! counted by j's categories. That tells what x gets right by a split on j, and, summed over the
//! children of i, what j's children get right by a split on i.

use super::counts::{Counts, count_rows};
use crate::limits::{Pulse, StopReason};
use crate::objective::Objective;
use crate::search::bounds;
use crate::search::fast::layout::{Bits, Weight, reset};

/// For every child x of a feature and every child y of a multi-way feature after it, at
/// x · width + (number of y among the children of multi-way features).
#[derive(Debug, Default)]
pub(crate) struct Pairs<T> {
    /// The weight of the rows in both, and that of their largest class.
    weight: Vec<T>,
    largest: Vec<T>,
    /// For each class, the child being counted, by y.
    child: Vec<T>,
    /// For each multi-way feature: (feature, number of its first y); its rest is the last of them.
    features: Vec<(usize, usize)>,
    width: usize,
}

impl<T: Weight> Pairs<T> {
    /// Count, and rate each child's single splits by a multi-way feature, or of one.
    #[inline(always)]
    pub(crate) fn count(
        &mut self,
        found: &mut Counts<T>,
        bits: &Bits,
        objective: &Objective,
        pulse: &mut Pulse,
    ) -> Result<(), StopReason> {
        self.features.clear();
        self.width = 0;
        for j in bits.n_binary..bits.spans.len() {
            self.features.push((j, self.width));
            self.width += bits.spans[j].n + 1;
        }
        reset(&mut self.weight, bits.n_children() * self.width);
        reset(&mut self.largest, bits.n_children() * self.width);
        for i in 0..bits.spans.len() {
            for x in bits.spans[i].children() {
                pulse.spend(self.width * bits.n_classes)?;
                self.count_child(found, bits, (i, x), pulse)?;
                self.rate(found, bits, (i, x), objective);
            }
            pulse.spend((bits.spans[i].n + 1) * self.width)?;
            self.rate_later(found, bits, i, objective);
        }
        Ok(())
    }

    /// The bytes that counting the pairs of a branch takes.
    pub(crate) fn bytes_for(bits: &Bits) -> usize {
        let width: usize = bits.spans[bits.n_binary..].iter().map(|span| span.n + 1).sum();
        2 * size_of::<T>() * bits.n_children() * width
    }

    /// The bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<T>() * (self.weight.capacity() + self.largest.capacity())
    }

    /// The multi-way features after feature i.
    fn later(&self, bits: &Bits, i: usize) -> &[(usize, usize)] {
        &self.features[(i + 1).saturating_sub(bits.n_binary).min(self.features.len())..]
    }

    /// Count the classes of child x of feature i by the categories of the multi-way features after.
    #[inline(always)]
    fn count_child(
        &mut self,
        found: &Counts<T>,
        bits: &Bits,
        (i, x): (usize, usize),
        pulse: &mut Pulse,
    ) -> Result<(), StopReason> {
        let stride = bits.stride;
        let later = self.later(bits, i).to_vec();
        let Some(&(first, _)) = later.first() else { return Ok(()) };
        let columns = bits.spans[first].first..stride;
        reset(&mut self.child, bits.n_classes * stride);
        if x < stride {
            count_rows(&mut self.child, bits, x..x + 1, columns, pulse)?;
        } else {
            // The rest of feature i: everything, less its columns.
            count_rows(&mut self.child, bits, bits.spans[i].columns(), columns, pulse)?;
            let all = found.column_weights.iter();
            self.child.iter_mut().zip(all).for_each(|(has, &all)| *has = all - *has);
        }
        for class in 0..bits.n_classes {
            let of_class = &found.column_weights[class * stride..(class + 1) * stride];
            let total = match x < stride {
                true => of_class[x],
                false => {
                    bits.spans[i].columns().fold(found.class_weights[class], |r, a| r - of_class[a])
                }
            };
            let counts = &self.child[class * stride..(class + 1) * stride];
            for &(j, place) in &later {
                let place = x * self.width + place;
                let mut rest = total;
                for (y, b) in bits.spans[j].columns().enumerate() {
                    rest = rest - counts[b];
                    self.weight[place + y] += counts[b];
                    self.largest[place + y] = self.largest[place + y].max(counts[b]);
                }
                let y = place + bits.spans[j].n;
                self.weight[y] += rest;
                self.largest[y] = self.largest[y].max(rest);
            }
        }
        Ok(())
    }

    /// What child x of feature i gets right by each multi-way feature after i.
    fn rate(
        &self,
        found: &mut Counts<T>,
        bits: &Bits,
        (i, x): (usize, usize),
        objective: &Objective,
    ) {
        for &(j, place) in self.later(bits, i) {
            let range = x * self.width + place..x * self.width + place + bits.spans[j].n + 1;
            let right = self.largest[range.clone()].iter().fold(T::default(), |sum, &l| sum + l);
            let n_children = self.weight[range].iter().filter(|&&w| w > T::default()).count();
            found.best[x] = found.best[x].max(right);
            improve(&mut found.best_multiway[x], worth(objective, right, n_children));
        }
    }

    /// What the children of multi-way features after i get right by feature i.
    fn rate_later(&self, found: &mut Counts<T>, bits: &Bits, i: usize, objective: &Objective) {
        for &(j, place) in self.later(bits, i) {
            for (number, y) in bits.spans[j].children().enumerate() {
                let cells = bits.spans[i].children().map(|x| x * self.width + place + number);
                let right = cells.clone().fold(T::default(), |sum, cell| sum + self.largest[cell]);
                found.best[y] = found.best[y].max(right);
                if i < bits.n_binary {
                    found.best_binary[y] = found.best_binary[y].max(right);
                } else {
                    let n_children = cells.filter(|&cell| self.weight[cell] > T::default()).count();
                    improve(&mut found.best_multiway[y], worth(objective, right, n_children));
                }
            }
        }
    }

    /// Lower the bounds on two splits, by every pair of features of which one is multi-way.
    pub(crate) fn bound_two_splits(
        &self,
        found: &mut Counts<T>,
        bits: &Bits,
        pulse: &mut Pulse,
    ) -> Result<(), StopReason> {
        for i in 0..bits.spans.len() {
            pulse.spend((bits.spans[i].n + 1) * self.width)?;
            for &(j, place) in self.later(bits, i) {
                for x in bits.spans[i].children() {
                    let start = x * self.width + place;
                    self.bound(found, x, start..start + bits.spans[j].n + 1);
                }
                for (number, y) in bits.spans[j].children().enumerate() {
                    let cells = bits.spans[i].children().map(|x| x * self.width + place + number);
                    self.bound(found, y, cells);
                }
            }
        }
        Ok(())
    }

    /// Child x, split into these cells of which all but one are leaves.
    fn bound(&self, found: &mut Counts<T>, x: usize, cells: impl Iterator<Item = usize> + Clone) {
        let weight = found.weight[x];
        let one = weight - found.best[x].min(weight);
        let right = cells.clone().fold(T::default(), |sum, cell| sum + self.largest[cell]);
        for cell in cells {
            let leaves = weight - self.weight[cell];
            let errors = bounds::two_splits(leaves, one, right - self.largest[cell]);
            found.two_splits[x] = found.two_splits[x].min(errors);
        }
    }
}

/// What a split is worth that has this many children and gets this much right.
fn worth<T: Weight>(objective: &Objective, right: T, n_children: usize) -> i64 {
    (objective.correct(right.wide()) - objective.split(n_children.max(2))).get()
}

fn improve(best: &mut Option<i64>, value: i64) {
    *best = Some(best.map_or(value, |best| best.max(value)));
}
