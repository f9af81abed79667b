//! How the values of a training column are sorted into cells: thresholds are chosen, and rare values share
//! a cell.

use super::{Encoding, Input, Levels, Missing, Offer, Thresholds};
use crate::data::{Column, Number, ValueOrder};
use crate::limits::{Pulse, StopReason};

/// How a column is asked about; `frequency` gives the number of rows with each of its codes.
pub(crate) fn input_of(
    column: &Column,
    offer: &Offer,
    frequency: &dyn Fn() -> Vec<u64>,
    pulse: &mut Pulse,
) -> Result<Input, StopReason> {
    pulse.spend(4 * column.codes().len())?;
    let (levels, distinct) = if offer.encoding.takes_in_order(column) {
        in_order(column, offer.thresholds, &frequency(), pulse)?
    } else {
        (one_by_one(column, offer.max_categories, frequency, pulse)?, column.values().len())
    };
    let missing = column.has_missing() && offer.missing == Missing::Category;
    Ok(Input {
        name: column.name().to_string(),
        position: column.position(),
        kind: column.kind(),
        distinct,
        levels,
        missing: missing.then(|| unused_name("missing", column)),
        left_out: None,
    })
}

/// The cell of each code of the column that an input was made of; the last one is of missing values.
pub(super) fn cells_of(
    column: &Column,
    input: &Input,
    pulse: &mut Pulse,
) -> Result<Vec<u32>, StopReason> {
    let values = column.values();
    let mut cells = Vec::with_capacity(values.len() + 1);
    match &input.levels {
        // Those that are kept stand in the order of the column's values.
        Levels::Categories { values: kept, .. } => {
            let mut next = 0;
            for value in values {
                pulse.spend(8)?;
                let is_kept = kept.get(next) == Some(value);
                cells.push(if is_kept { next } else { kept.len() } as u32);
                next += usize::from(is_kept);
            }
        }
        Levels::Order { .. } => {
            let coder = input.coder();
            for value in values {
                pulse.spend(100)?;
                cells.push(coder.cell(Some(value)).unwrap_or_default());
            }
        }
    }
    cells.push(input.missing_cell().unwrap_or_default());
    Ok(cells)
}

/// A name for a cell that is not also a value of the column.
fn unused_name(name: &str, column: &Column) -> String {
    let mut name = name.to_string();
    while column.values().contains(&name) {
        name = format!("({name})");
    }
    name
}

/// Where there are too many values, the most frequent ones stay; of equally frequent ones, those
/// that come first in the column's order.
fn one_by_one(
    column: &Column,
    most: Option<usize>,
    frequency: &dyn Fn() -> Vec<u64>,
    pulse: &mut Pulse,
) -> Result<Levels, StopReason> {
    let values = column.values();
    let Some(most) = most.filter(|&most| values.len() > most) else {
        let mut kept = Vec::with_capacity(values.len());
        for value in values {
            pulse.spend(50 + value.len())?;
            kept.push(value.clone());
        }
        return Ok(Levels::Categories { values: kept, other: None });
    };
    let frequency = frequency();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|&code| (std::cmp::Reverse(frequency[code]), code));
    order.truncate(most - 1);
    order.sort_unstable();
    let kept = order.into_iter().map(|code| values[code].clone()).collect();
    Ok(Levels::Categories { values: kept, other: Some(unused_name("other", column)) })
}

/// The thresholds of a column, and its number of different values in order.
fn in_order(
    column: &Column,
    thresholds: Thresholds,
    frequency: &[u64],
    pulse: &mut Pulse,
) -> Result<(Levels, usize), StopReason> {
    let order = ValueOrder::of(column);
    let points = points(column, &order, frequency, pulse)?;
    let rows: Vec<u64> = points.iter().map(|point| point.rows).collect();
    let gaps = match thresholds {
        Thresholds::Quantiles(most) if most + 1 < points.len() => quantiles(&rows, most),
        _ => (0..points.len().saturating_sub(1)).collect(),
    };
    let cut = |gap: usize| order.between(points[gap].value, points[gap + 1].value);
    let mut cuts = Vec::with_capacity(gaps.len());
    for gap in gaps {
        pulse.spend(300)?;
        cuts.extend(cut(gap));
    }
    Ok((Levels::Order { order, cuts }, points.len()))
}

/// A value that rows have, with its position in the order.
struct Point<'c> {
    position: Number,
    value: &'c str,
    rows: u64,
}

/// The values that rows have, ascending; values with the same position are one point.
fn points<'c>(
    column: &'c Column,
    order: &ValueOrder,
    frequency: &[u64],
    pulse: &mut Pulse,
) -> Result<Vec<Point<'c>>, StopReason> {
    pulse.room_for(0, size_of::<Point>() * column.values().len())?;
    let mut points: Vec<Point> = Vec::with_capacity(column.values().len());
    for (value, &rows) in column.values().iter().zip(frequency).filter(|&(_, &rows)| rows > 0) {
        pulse.spend(150)?;
        points.extend(order.position(value).map(|position| Point { position, value, rows }));
    }
    // Numbers are sorted already; dates and listed values are not.
    points.sort_by(|a, b| a.position.cmp(&b.position));
    points.dedup_by(|later, kept| {
        let same = later.position == kept.position;
        if same {
            kept.rows += later.rows;
        }
        same
    });
    Ok(points)
}

/// The points, by number, after which to cut so that at most `most` cuts divide the rows as evenly as
/// possible.
///
/// From below, each part takes points until its number of rows is as near as possible to its share of the
/// rows that are left. A point with very many rows is a part of its own, and the others share the rest.
fn quantiles(rows: &[u64], most: usize) -> Vec<usize> {
    let mut left: u128 = rows.iter().map(|&rows| u128::from(rows)).sum();
    let mut parts = most as u128 + 1;
    let mut cuts = Vec::new();
    let mut part: u128 = 0;
    for (place, pair) in rows.windows(2).enumerate() {
        let (here, next) = (u128::from(pair[0]), u128::from(pair[1]));
        part += here;
        // With the next point, the part would be further above its share than it is below it now.
        if parts > 1 && parts * (2 * part + next) >= 2 * left {
            cuts.push(place);
            left -= part;
            parts -= 1;
            part = 0;
        }
    }
    cuts
}

/// The features that a column offers, by number of its input.
pub(crate) fn features_of(encoding: Encoding, number: usize, input: &Input) -> Vec<super::Feature> {
    use super::Feature::{AtMost, Is, Values};
    let column = number;
    let is =
        |cells: std::ops::Range<usize>| cells.map(move |cell| Is { column, value: cell as u32 });
    let n_cells = input.n_cells();
    if input.left_out.is_some() {
        return Vec::new();
    }
    if let Levels::Order { cuts, .. } = &input.levels {
        let at_most = (0..cuts.len() as u32).map(|cut| AtMost { column, cut });
        let missing = input.missing_cell().map(|value| Is { column, value });
        return at_most.chain(missing).collect();
    }
    match encoding {
        Encoding::Auto | Encoding::Multiway => vec![Values { column }],
        Encoding::OneHot => is(0..n_cells).collect(),
        Encoding::OneHotDropFirst => is(1..n_cells).collect(),
        Encoding::OneHotDropLast => is(0..n_cells.saturating_sub(1)).collect(),
        // For two values, "is it this one?" and "which one?" are the same question.
        Encoding::Mixed if n_cells <= 2 => vec![Values { column }],
        Encoding::Mixed => [Values { column }].into_iter().chain(is(0..n_cells)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::Feature;
    use crate::limits::Watch;

    fn input(values: &[&str], offer: Offer) -> Input {
        let column = Column::from_values("x", values);
        let frequency = || {
            let mut frequency = vec![0; column.values().len() + 1];
            column.codes().iter().for_each(|code| frequency[code as usize] += 1);
            frequency
        };
        input_of(&column, &offer, &frequency, &mut Watch::endless().pulse()).unwrap()
    }

    fn cuts(values: &[&str], thresholds: Thresholds) -> Vec<String> {
        input(values, Offer { thresholds, ..Offer::default() }).cuts().to_vec()
    }

    #[test]
    fn thresholds_are_midpoints_or_quantiles() {
        let ages = ["1", "2", "2.0", "3", "4", "5", "6", "7", "8"];
        assert_eq!(cuts(&ages, Thresholds::All), ["1.5", "2.5", "3.5", "4.5", "5.5", "6.5", "7.5"]);
        assert_eq!(cuts(&ages, Thresholds::Quantiles(7)).len(), 7);
        assert_eq!(cuts(&ages, Thresholds::Quantiles(1)), ["3.5"]);
        assert_eq!(cuts(&ages, Thresholds::Quantiles(2)), ["2.5", "5.5"]);
        assert_eq!(cuts(&["5", "5"], Thresholds::All), [""; 0]);
        let skewed: Vec<&str> = ["0"; 90].into_iter().chain(["1", "2", "3", "4"]).collect();
        assert_eq!(cuts(&skewed, Thresholds::Quantiles(2)), ["0.5", "2.5"]);
        assert_eq!(cuts(&["2024-01-01", "2024-01-05"], Thresholds::All), ["2024-01-03"]);
    }

    #[test]
    fn quantiles_part_evenly() {
        assert_eq!(quantiles(&[1; 12], 3), [2, 5, 8]);
        assert_eq!(quantiles(&[1; 10], 2), [2, 5]);
        assert_eq!(quantiles(&[100, 1, 1, 1], 2), [0, 1]);
        assert_eq!(quantiles(&[1, 1, 1, 100], 2), [2]);
        assert_eq!(quantiles(&[5, 1, 1, 5], 1), [1]);
    }

    #[test]
    fn rare_values_become_one() {
        let few = Offer { max_categories: Some(3), ..Offer::default() };
        let grouped = input(&["d", "b", "b", "c", "a", "e", "e"], few.clone());
        assert_eq!(grouped.labels(), ["b", "e", "other"]);
        assert_eq!((grouped.distinct, grouped.coder().cell(Some("d"))), (5, Some(2)));
        assert_eq!(input(&["a", "b", "c", ""], few.clone()).labels(), ["a", "b", "c", "missing"]);
        let taken = input(&["other", "other", "missing", "x", "y", "y", ""], few);
        assert_eq!(taken.labels(), ["other", "y", "(other)", "(missing)"]);
    }

    #[test]
    fn encodings_offer_their_features() {
        let offered = |values: &[&str], encoding| {
            let offer = Offer { encoding, ..Offer::default() };
            features_of(encoding, 0, &input(values, offer)).len()
        };
        let (three, two, gap) = (["a", "b", "c"], ["a", "b"], ["a", "b", ""]);
        let numbers = ["1.5", "2", "3", ""];
        for (encoding, counts) in [
            (Encoding::Auto, [1, 1, 1, 3]),
            (Encoding::Multiway, [1, 1, 1, 3]),
            (Encoding::OneHot, [3, 2, 3, 3]),
            (Encoding::OneHotDropFirst, [2, 1, 2, 3]),
            (Encoding::OneHotDropLast, [2, 1, 2, 3]),
            (Encoding::Mixed, [4, 1, 4, 3]),
        ] {
            let found = [&three[..], &two, &gap, &numbers].map(|values| offered(values, encoding));
            assert_eq!(found, counts, "{encoding:?}");
        }
        let codes =
            input(&["1", "2", "3"], Offer { encoding: Encoding::Mixed, ..Offer::default() });
        assert_eq!(codes.labels(), ["1", "2", "3"]);
        let missing = features_of(Encoding::Auto, 0, &input(&numbers, Offer::default()));
        assert_eq!(missing[2], Feature::Is { column: 0, value: 3 });
    }
}
