//! Cross-validation along the path, to choose λ.
//!
//! The rows are divided into folds. For each fold a path is computed on all other rows, and its trees for
//! the λ of each point of the whole table's path predict the rows of the fold. The mean accuracy over
//! folds estimates how good the λ of a point is on new rows.

use super::{PathPoint, RegularizationPath};
use crate::data::{Column, Dataset};
use crate::decimal::Fraction;
use crate::error::{Error, Result};
use crate::hash::{GOLDEN, split_mix};
use crate::limits::{Pulse, StopReason};
use crate::search::Observer;
use crate::solve::Solver;
use crate::sort::sort;
use std::time::Duration;

/// How the points of a path do on rows that were held out.
#[derive(Clone, Debug)]
pub struct CrossValidation {
    /// For each point of the path.
    pub held_out: Vec<HeldOut>,
    /// The point of the highest mean; of several the one with the fewest splits.
    pub best: usize,
    /// The point with the fewest splits whose mean is at most one standard error of the best one below it.
    pub one_standard_error: usize,
    /// Which limit was reached before all folds were tried, if any was. The others count all the same.
    pub stopped: Option<StopReason>,
}

/// The accuracy on held-out rows.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldOut {
    /// In each fold.
    pub folds: Vec<f64>,
    /// Their mean.
    pub mean: f64,
    /// The standard error of the mean: the standard deviation between folds over the root of their number.
    pub standard_error: f64,
}

impl HeldOut {
    fn new(folds: Vec<f64>) -> Self {
        let n = folds.len() as f64;
        let mean = folds.iter().sum::<f64>() / n;
        let variance = folds.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
        HeldOut { folds, mean, standard_error: (variance / n).sqrt() }
    }
}

impl Solver {
    /// Try each point of this table's path on rows that were held out, in this many folds of equal size with
    /// equal shares of the classes.
    ///
    /// The same `seed` deals the rows alike, whatever their order. A limit on time is one for the path and
    /// all folds together. A fold whose path it cuts short does not count; if not even two folds are done,
    /// that is an error ([`Error::Stopped`]).
    pub fn cross_validate(
        &self,
        dataset: &Dataset,
        path: &RegularizationPath,
        folds: usize,
        seed: u64,
        observer: &mut dyn Observer,
    ) -> Result<CrossValidation> {
        let most = dataset.n_counted_rows();
        if folds < 2 || folds as u64 > most {
            return Err(Error::BadLimit {
                name: "the number of folds",
                found: folds.to_string(),
                allowed: "at least 2, and no more than rows",
            });
        }
        let penalties: Vec<Fraction> = path.points.iter().map(penalty).collect::<Result<_>>()?;
        let spent = Duration::try_from_secs_f64(path.seconds).unwrap_or_default();
        let watch = self.watch_after(spent);
        let doing = |fold: usize| format!("cross-validating (fold {fold} of {folds})");
        let dealt = Deal::new(dataset, folds, seed, &mut watch.pulse());
        let dealt = dealt.map_err(|reason| Error::Stopped { reason, doing: doing(1) })?;
        let mut stopped = None;
        let mut by_fold = Vec::with_capacity(folds);
        for fold in 1..=folds {
            observer.fold(fold, folds);
            let held_out = dealt.fold(dataset, fold - 1);
            let kept = (0..dataset.n_rows()).map(|row| dataset.count(row) - held_out[row]);
            let training = dataset.clone().with_counts(kept.collect())?;
            let path = self.path_within(&training, &watch, observer)?;
            stopped = path.stopped;
            if let Some(reason) = stopped {
                if by_fold.len() < 2 {
                    return Err(Error::Stopped { reason, doing: doing(fold) });
                }
                break;
            }
            let shares: Vec<f64> = (path.points.iter())
                .map(|point| point.solution.model.share_of(dataset, &held_out))
                .collect::<Result<_>>()?;
            let at = |penalty: &Fraction| shares[path.place_of(*penalty)];
            by_fold.push(penalties.iter().map(at).collect::<Vec<f64>>());
        }
        let of_point = |point| HeldOut::new(by_fold.iter().map(|fold| fold[point]).collect());
        let held_out: Vec<HeldOut> = (0..penalties.len()).map(of_point).collect();
        let (best, one_standard_error) = chosen(&held_out);
        Ok(CrossValidation { held_out, best, one_standard_error, stopped })
    }
}

impl RegularizationPath {
    /// The point that is optimal for a λ.
    fn place_of(&self, penalty: Fraction) -> usize {
        let below = self.points.iter().position(|point| !point.from.exceeds(penalty));
        below.unwrap_or(self.points.len() - 1)
    }
}

/// The λ that a point's model is set for.
fn penalty(point: &PathPoint) -> Result<Fraction> {
    point.solution.model.settings().goal.split_penalty.fraction()
}

/// The best point, and the smallest tree within one standard error of it.
fn chosen(held_out: &[HeldOut]) -> (usize, usize) {
    let mut best = 0;
    for (place, found) in held_out.iter().enumerate() {
        if found.mean > held_out[best].mean {
            best = place;
        }
    }
    let least = held_out[best].mean - held_out[best].standard_error;
    (best, held_out.iter().position(|found| found.mean >= least).unwrap_or(best))
}

/// How rows are dealt to folds.
///
/// Rows are put in an order that depends on their values and the seed, and dealt one after the other,
/// class by class: so the folds' sizes, and their shares of each class, differ by one row at most, and
/// equal rows may as well have been merged.
struct Deal {
    /// For each row, the first fold that gets one of the rows it stands for more than the others.
    first: Vec<usize>,
    folds: usize,
}

impl Deal {
    fn new(
        dataset: &Dataset,
        folds: usize,
        seed: u64,
        pulse: &mut Pulse,
    ) -> Result<Self, StopReason> {
        let of_values: Vec<Vec<u64>> = dataset.features().iter().map(hashes).collect();
        let hash = |row: usize| {
            let values = dataset.features().iter().zip(&of_values);
            values.fold(mixed(seed), |hash, (column, of_values)| {
                mixed(hash ^ of_values[column.codes().at(row) as usize])
            })
        };
        let class = |row: usize| dataset.target().codes().at(row);
        let mut order: Vec<(u32, u64, usize)> = Vec::with_capacity(dataset.n_rows());
        for row in 0..dataset.n_rows() {
            pulse.spend(4 * dataset.features().len())?;
            order.push((class(row), hash(row), row));
        }
        sort(&mut order, pulse, |&place| place)?;
        let mut first = vec![0; dataset.n_rows()];
        let mut next = 0;
        for (_, _, row) in order {
            first[row] = next;
            next = (next + (dataset.count(row) % folds as u64) as usize) % folds;
        }
        Ok(Deal { first, folds })
    }

    /// How many of the rows that each row stands for are held out in a fold; the first is 0.
    fn fold(&self, dataset: &Dataset, fold: usize) -> Vec<u64> {
        let held_out = |(row, &first): (usize, &usize)| {
            let (folds, count) = (self.folds as u64, dataset.count(row));
            let turn = (fold + self.folds - first) % self.folds;
            count / folds + u64::from((turn as u64) < count % folds)
        };
        self.first.iter().enumerate().map(held_out).collect()
    }
}

/// A number for each value of a column, and one for a missing value behind them. It depends on the value
/// alone, and not on the other values of the column.
fn hashes(column: &Column) -> Vec<u64> {
    let of = |text: &String| text.bytes().fold(1, |hash, byte| mixed(hash ^ u64::from(byte)));
    column.values().iter().map(of).chain([0]).collect()
}

/// Bits well mixed.
fn mixed(bits: u64) -> u64 {
    split_mix(bits.wrapping_add(GOLDEN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Builtin, Table, Target};

    fn deal(dataset: &Dataset, folds: usize, seed: u64) -> Vec<Vec<u64>> {
        let endless = crate::limits::Watch::endless();
        let dealt = Deal::new(dataset, folds, seed, &mut endless.pulse()).unwrap();
        (0..folds).map(|fold| dealt.fold(dataset, fold)).collect()
    }

    #[test]
    fn a_limit_on_time_is_one_for_all_folds() {
        let monk = Builtin::Monk3.dataset().unwrap();
        let solver = Solver::new().split_penalty(0.01);
        let path = solver.path(&monk).unwrap();
        let hurried = solver.clone().time_limit(Duration::from_secs_f64(path.seconds));
        let error = hurried.cross_validate(&monk, &path, 5, 0, &mut ()).err().unwrap();
        assert_eq!(error.stopped_by(), Some(StopReason::Time));
        assert!(error.to_string().contains("fold 1 of 5"), "{error}");
    }

    #[test]
    fn rows_are_dealt_evenly_whatever_their_order() {
        let monk = Builtin::Monk3.dataset().unwrap();
        let folds = deal(&monk, 5, 1);
        let sizes: Vec<u64> = folds.iter().map(|fold| fold.iter().sum()).collect();
        assert_eq!(sizes.iter().sum::<u64>(), monk.n_counted_rows());
        assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);

        let table = |order: &[usize]| {
            let column = |name: &str, values: [&str; 7]| {
                let values: Vec<&str> = order.iter().map(|&row| values[row]).collect();
                Column::from_values(name, &values)
            };
            let columns = vec![
                column("a", ["1", "2", "3", "1", "2", "2", "2"]),
                column("class", ["x", "x", "x", "y", "y", "x", "x"]),
            ];
            Table::from_columns(columns).dataset(Target::Last).unwrap()
        };
        // How many rows "a = 2, class = x" each fold holds out.
        let of_twos = |order: &[usize]| -> Vec<u64> {
            let folds = deal(&table(order), 2, 7);
            let is_two = |row: &usize| [1, 5, 6].contains(&order[*row]);
            folds.iter().map(|fold| (0..7).filter(is_two).map(|row| fold[row]).sum()).collect()
        };
        assert_eq!(of_twos(&[0, 1, 2, 3, 4, 5, 6]), of_twos(&[6, 4, 2, 0, 5, 3, 1]));
    }

    #[test]
    fn the_smallest_tree_within_one_standard_error_is_chosen() {
        let of = |folds: [f64; 2]| HeldOut::new(folds.to_vec());
        let held_out = [of([0.5, 0.5]), of([0.8, 0.86]), of([0.9, 0.8]), of([0.8, 0.9])];
        assert_eq!(held_out[2].mean, 0.8500000000000001);
        assert!((held_out[2].standard_error - 0.05).abs() < 1e-9);
        assert_eq!(chosen(&held_out), (2, 1));
    }

    #[test]
    fn every_fold_is_told() {
        struct Told(Vec<(usize, usize)>);
        impl Observer for Told {
            fn fold(&mut self, fold: usize, folds: usize) {
                self.0.push((fold, folds));
            }
        }
        let solver = Solver::new().split_penalty(0.1);
        let monk = Builtin::Monk3.dataset().unwrap();
        let mut told = Told(Vec::new());
        let path = solver.path_observed(&monk, &mut told).unwrap();
        assert_eq!(told.0, []);
        let _ = solver.cross_validate(&monk, &path, 3, 0, &mut told).unwrap();
        assert_eq!(told.0, [(1, 3), (2, 3), (3, 3)]);
    }

    #[test]
    fn a_path_is_validated() {
        let solver = Solver::new().split_penalty(0.01);
        let monk = Builtin::Monk3.dataset().unwrap();
        let path = solver.path(&monk).unwrap();
        let found = solver.cross_validate(&monk, &path, 5, 0, &mut ()).unwrap();
        assert_eq!(found.held_out.len(), path.points.len());
        assert!(found.held_out[found.best].mean > found.held_out[0].mean);
        assert!(found.one_standard_error <= found.best);
        assert!(solver.cross_validate(&monk, &path, 1, 0, &mut ()).is_err());
    }
}
