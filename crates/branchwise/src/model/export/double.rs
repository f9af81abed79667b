//! Thresholds for values that are floats.
//!
//! A model compares decimals: the float 0.1 means one tenth, its shortest spelling. A runtime that
//! compares floats must therefore ask for the largest float whose shortest spelling is at most the
//! threshold. That is nearly always the float nearest to the threshold, but not if the threshold
//! has more digits than floats can hold: 0.30000000000000002, between the floats 0.3 and
//! 0.30000000000000004, is nearest to the upper one, which is above it.

use crate::data::Number;

/// The largest float whose shortest spelling is at most the threshold; −∞ if there is none.
pub(super) fn at_most(threshold: &Number) -> f64 {
    // Every spelling of a number is one of a float, if only of an infinite one.
    let nearest: f64 = threshold.to_string().parse().unwrap_or(f64::NAN);
    match spelled(nearest) {
        Some(number) if number <= *threshold => nearest,
        _ => nearest.next_down(),
    }
}

/// The shortest decimal that means a float.
pub(super) fn spelled(float: f64) -> Option<Number> {
    Number::parse(&format!("{float:e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_compared_as_they_are_spelled() {
        for (threshold, float) in [
            ("41.5", 41.5),
            ("0.1", 0.1),
            ("-0.1", -0.1),
            ("0", 0.0),
            ("0.30000000000000002", 0.3),
            ("-0.30000000000000002", -0.30000000000000004),
            ("9007199254740992.5", 9007199254740992.0),
            ("9007199254740993.5", 9007199254740992.0),
            ("1152921504606846976", 1152921504606846848.0),
            ("1152921504606847000", 1152921504606846976.0),
            ("1e400", f64::MAX),
            ("-1e400", f64::NEG_INFINITY),
            ("1e-400", 0.0),
            ("-1e-400", -5e-324),
            ("5e-324", 5e-324),
            ("7e-324", 5e-324),
        ] {
            let number = Number::parse(threshold).unwrap();
            let found = at_most(&number);
            assert_eq!(found, float, "{threshold}");
            let is_at_most = |float: f64| spelled(float).is_some_and(|spelled| spelled <= number);
            assert!(!found.is_finite() || is_at_most(found), "{threshold}");
            assert!(!is_at_most(found.next_up()), "{threshold}");
        }
    }
}
