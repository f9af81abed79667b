/// The class of a row, given the value of each column by its name, or `None` for a missing one.
#[allow(dead_code)]
pub fn predict<'v>(value: impl Fn(&str) -> Option<&'v str>) -> &'static str {
    answer(&value).0
}

/// The share of each of `CLASSES` among the training rows that end where the row ends.
#[allow(dead_code)]
pub fn probabilities<'v>(value: impl Fn(&str) -> Option<&'v str>) -> [f64; CLASSES.len()] {
    let counts = answer(&value).1;
    let total = counts.iter().sum::<u64>().max(1) as f64;
    counts.map(|count| count as f64 / total)
}
