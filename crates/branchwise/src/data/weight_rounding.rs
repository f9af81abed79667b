//! Weights that come from computations, and may have to be rounded: [`Dataset::with_weights_up_to`].

use super::Dataset;
use crate::error::{Error, Result};

impl Dataset {
    /// Give each row a weight, exactly if the total as an integer is then at most `most` (see
    /// [`Solver::most_weight`](crate::Solver::most_weight)). Otherwise weights are rounded to as many
    /// decimals as there is room for, or to whole shares of the total if they are too large for any.
    /// No positive weight becomes 0.
    pub fn with_weights_up_to(self, weights: &[f64], most: u64) -> Result<Self> {
        let exact = self.clone().with_weights(weights);
        let total = exact.as_ref().map(Dataset::total_weight);
        if total.as_ref().is_ok_and(|&total| total <= most.into()) {
            return exact;
        }
        let is_weight = |weight: &f64| *weight >= 0.0 && weight.is_finite();
        if weights.len() != self.n_rows() || !weights.iter().all(is_weight) {
            return exact;
        }
        let total: f64 = (0..self.n_rows()).map(|r| weights[r] * self.count(r) as f64).sum();
        if total == 0.0 {
            return Err(Error::NoWeight);
        }
        // Rounding up adds at most 1 per row.
        let room = most.saturating_sub(self.n_counted_rows()).max(1) as f64;
        let power = (0..18).rev().map(|decimals| 10u64.pow(decimals));
        let scale = power.into_iter().find(|&scale| total * scale as f64 <= room);
        let factor = scale.map_or(room / total, |scale| scale as f64);
        let round = |&weight: &f64| match weight {
            0.0 => 0,
            weight => ((weight * factor).round() as u64).max(1),
        };
        let integers = weights.iter().map(round).collect();
        Ok(self.with_integers(integers, scale.unwrap_or(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Column, Table, Target};

    fn weighed(weights: &[f64], most: u64) -> (Vec<u64>, u64) {
        let rows: Vec<String> = (0..weights.len()).map(|row| row.to_string()).collect();
        let columns = [Column::from_values("x", &rows), Column::from_values("y", &rows)];
        let dataset = Table::from_columns(columns.to_vec()).dataset(Target::Last).unwrap();
        let weighed = dataset.with_weights_up_to(weights, most).unwrap();
        ((0..weights.len()).map(|row| weighed.weight(row)).collect(), weighed.weight_scale())
    }

    #[test]
    fn weights_are_exact_or_rounded() {
        assert_eq!(weighed(&[0.5, 1.25, 2.0], 1000), (vec![2, 5, 8], 4));
        assert_eq!(weighed(&[1.0 / 3.0, 2.0 / 3.0], 1_000_000), (vec![33_333, 66_667], 100_000));
        assert_eq!(weighed(&[1e-30, 1.0, 0.0], 1000), (vec![1, 100, 0], 100));
        assert_eq!(weighed(&[1e30, 3e30], 402), (vec![100, 300], 1));
        let dataset = Table::from_columns(vec![
            Column::from_values("x", &["a", "b"]),
            Column::from_values("y", &["a", "b"]),
        ]);
        let dataset = dataset.dataset(Target::Last).unwrap();
        for wrong in [&[1.0][..], &[1.0, -1.0], &[1.0, f64::NAN], &[0.0, 0.0]] {
            assert!(dataset.clone().with_weights_up_to(wrong, 100).is_err(), "{wrong:?}");
        }
    }
}
