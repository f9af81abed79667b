//! Numbers of any size, read from text and compared exactly.
//!
//! A threshold must divide rows the same way at every later prediction, so numbers are never
//! rounded to floats: they are kept as decimal digits.

use crate::decimal::Written;
use std::cmp::Ordering;
use std::fmt::{self, Display, Formatter};

/// A decimal number: ± 0.DIGITS · 10^magnitude.
///
/// Its digits do not begin or end with 0; zero has no digits. So equal numbers have equal
/// fields, however they were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    negative: bool,
    magnitude: i64,
    digits: String,
}

/// Numbers lie between 10^−LIMIT and 10^LIMIT in size.
///
/// The limit applies to the number itself and not to the exponent in a text, so every number that can
/// be read is also read back from the text that it is shown as.
const MAGNITUDE_LIMIT: i64 = i32::MAX as i64;

impl Number {
    /// The number in a text: `12`, `-0.50`, `1e-3`; not `inf`, `0x1f`, `1,5` or a number
    /// beyond 10^2147483647 in size.
    pub fn parse(text: &str) -> Option<Number> {
        let Written { negative, whole, part, exponent } = Written::parse(text)?;
        let point = exponent.saturating_add(whole.len() as i64);
        Number::new(negative, whole, part, point).within_limit()
    }

    /// From digits in two pieces; the first `point` of all digits stand before the decimal point.
    fn new(negative: bool, whole: &str, part: &str, point: i64) -> Number {
        let after = |text: &str| text.trim_start_matches('0').len();
        let leading = match after(whole) {
            0 => whole.len() + part.len() - after(part),
            kept => whole.len() - kept,
        };
        let (first, second) = match leading.checked_sub(whole.len()) {
            Some(zeros) => ("", part[zeros..].trim_end_matches('0')),
            None => (&whole[leading..], part.trim_end_matches('0')),
        };
        let first = if second.is_empty() { first.trim_end_matches('0') } else { first };
        if first.len() + second.len() == 0 {
            return Number { negative: false, magnitude: 0, digits: String::new() };
        }
        let magnitude = point.saturating_sub(leading as i64);
        Number { negative, magnitude, digits: [first, second].concat() }
    }

    fn within_limit(self) -> Option<Number> {
        (-MAGNITUDE_LIMIT..=MAGNITUDE_LIMIT).contains(&self.magnitude).then_some(self)
    }

    /// The number number · 10^−decimals.
    fn scaled(number: i128, decimals: u32) -> Number {
        let digits = number.unsigned_abs().to_string();
        let point = digits.len() as i64 - i64::from(decimals);
        Number::new(number < 0, &digits, "", point)
    }

    /// The number times 10^decimals, where that is a whole number of moderate size.
    fn times_power(&self, decimals: u32) -> Option<i128> {
        let zeros = self.magnitude + i64::from(decimals) - self.digits.len() as i64;
        if self.digits.is_empty() {
            return Some(0);
        }
        if !(0..=30).contains(&zeros) || self.digits.len() as i64 + zeros > 30 {
            return None;
        }
        let size: i128 = self.digits.parse().ok()?;
        let number = size * 10i128.pow(zeros as u32);
        Some(if self.negative { -number } else { number })
    }

    /// The number, if it is a whole one of moderate size.
    pub(crate) fn whole(&self) -> Option<i128> {
        self.times_power(0)
    }

    /// How many digits stand behind the decimal point.
    fn decimals(&self) -> u32 {
        u32::try_from(self.digits.len() as i64 - self.magnitude).unwrap_or(0)
    }

    /// A number t with lower ≤ t < upper, near the middle and with few digits.
    ///
    /// It lies strictly between the two, unless the middle takes too many digits or is too small
    /// to be written; then it is the lower one.
    pub(crate) fn between(lower: &Number, upper: &Number) -> Number {
        Number::middle(lower, upper).unwrap_or_else(|| lower.clone())
    }

    /// A number strictly between two others, near the middle and with few digits.
    fn middle(lower: &Number, upper: &Number) -> Option<Number> {
        let decimals = lower.decimals().max(upper.decimals());
        let (low, high) = (lower.times_power(decimals)?, upper.times_power(decimals)?);
        // In units of 10^−(decimals + 1), so that the middle is a whole number.
        let (low, high, middle) = (10 * low, 10 * high, 5 * (low + high));
        let mut unit = 10i128.pow(32);
        while unit > 1 {
            let rounded = (middle + unit / 2).div_euclid(unit) * unit;
            if low < rounded && rounded < high {
                return Number::scaled(rounded, decimals + 1).within_limit();
            }
            unit /= 10;
        }
        Number::scaled(middle, decimals + 1).within_limit()
    }
}

impl From<i128> for Number {
    fn from(number: i128) -> Self {
        Number::scaled(number, 0)
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |n: &Number| match (n.digits.is_empty(), n.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let size = |n: &Number| n.magnitude;
        sign(self).cmp(&sign(other)).then_with(|| {
            let by_size = size(self).cmp(&size(other)).then_with(|| self.digits.cmp(&other.digits));
            if self.negative { by_size.reverse() } else { by_size }
        })
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Display for Number {
    /// Plainly, or with a power of ten where that would take many zeros.
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Number { negative, magnitude, digits } = self;
        if digits.is_empty() {
            return out.write_str("0");
        }
        out.write_str(if *negative { "-" } else { "" })?;
        let n_digits = digits.len() as i64;
        if !(-6..=21).contains(magnitude) {
            let (first, rest) = digits.split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            return write!(out, "{first}{point}{rest}e{}", magnitude - 1);
        }
        if *magnitude <= 0 {
            return write!(out, "0.{}{digits}", "0".repeat(magnitude.unsigned_abs() as usize));
        }
        if n_digits <= *magnitude {
            return write!(out, "{digits}{}", "0".repeat((magnitude - n_digits) as usize));
        }
        let (whole, part) = digits.split_at(*magnitude as usize);
        write!(out, "{whole}.{part}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text).unwrap_or_else(|| panic!("{text} is a number"))
    }

    #[test]
    fn numbers_are_ordered_by_size() {
        let ascending = [
            "-1e400",
            "-20",
            "-3",
            "-2.5",
            "-0.25",
            "0",
            "1e-400",
            "0.1",
            "0.25",
            "2.5",
            "3",
            "20",
            "9007199254740992",
            "9007199254740993",
            "1e400",
        ];
        for (place, a) in ascending.iter().enumerate() {
            for (other, b) in ascending.iter().enumerate() {
                assert_eq!(number(a).cmp(&number(b)), place.cmp(&other), "{a} {b}");
            }
        }
        for same in ["1.50", "1.5", "+1.5", "01.5", "15e-1", "0.15E1"] {
            assert_eq!(number(same), number("1.5"), "{same}");
        }
        assert_eq!(number("-0.0"), number("0"));
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in ["", "-", ".", "e5", "1e", "inf", "NaN", "0x1", "1,5", "1 2", "1.2.3", "٣"] {
            assert_eq!(Number::parse(text), None, "{text}");
        }
    }

    #[test]
    fn every_number_is_read_back_from_what_it_is_shown_as() {
        for text in ["1e2147483646", "12345e2147483642", "-1e-2147483648", "0.001e-2147483645"] {
            let found = number(text);
            assert_eq!(number(&found.to_string()), found, "{text}");
            for (low, high) in [(found.clone(), number("0")), (number("0"), found)] {
                let (low, high) = if low < high { (low, high) } else { (high, low) };
                let middle = number(&Number::between(&low, &high).to_string());
                assert!(low <= middle && middle < high, "{text}: {middle}");
            }
        }
        for text in ["1e2147483647", "10e2147483646", "0.1e-2147483648", "1e9223372036854775807"] {
            assert_eq!(Number::parse(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_shown_plainly() {
        for (text, shown) in [
            ("0.0", "0"),
            ("-1.50", "-1.5"),
            ("1e3", "1000"),
            ("0.00012", "0.00012"),
            ("12.34", "12.34"),
            ("1.25e30", "1.25e30"),
            ("1e-30", "1e-30"),
        ] {
            assert_eq!(number(text).to_string(), shown);
            assert_eq!(number(shown), number(text));
        }
    }

    #[test]
    fn the_middle_is_short_and_between() {
        for (low, high, middle) in [
            ("41", "42", "41.5"),
            ("40", "45", "43"),
            ("0", "1", "0.5"),
            ("-1", "0", "-0.5"),
            ("-7", "12", "0"),
            ("1.5", "1.6", "1.55"),
            ("0.1", "100", "50"),
            ("9007199254740992", "9007199254740993", "9007199254740992.5"),
            ("1e-300", "2e-300", "1.5e-300"),
            ("1e300", "2e300", "1e300"),
        ] {
            let found = Number::between(&number(low), &number(high));
            assert_eq!(found.to_string(), middle, "{low} {high}");
            assert!(number(low) <= found && found < number(high));
        }
    }
}
