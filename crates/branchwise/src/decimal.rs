//! Decimal numbers, read exactly.
//!
//! A float given by a caller means its shortest decimal form (`0.1` means one tenth, not the
//! binary number nearest to it), so that "accuracy − 0.01 · splits" is compared in integers and a
//! tie is a tie on every platform.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// A number as somebody wrote it: text, or a float by its shortest decimal form.
///
/// It is checked where it is used, so that settings can be built without error handling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Decimal(String);

impl Decimal {
    /// The number as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is a number below 0.
    pub(crate) fn is_negative(&self) -> bool {
        self.0.trim().strip_prefix('-').and_then(parse).is_some_and(|size| size.numerator > 0)
    }

    /// The number as an exact, reduced fraction; negative numbers and more than 18 significant
    /// digits are refused.
    pub fn fraction(&self) -> Result<Fraction> {
        parse(self.0.trim()).ok_or_else(|| Error::BadNumber { found: self.0.clone() })
    }
}

impl From<f64> for Decimal {
    fn from(number: f64) -> Self {
        Decimal(format!("{number}"))
    }
}

impl From<&str> for Decimal {
    fn from(text: &str) -> Self {
        Decimal(text.to_string())
    }
}

impl From<String> for Decimal {
    fn from(text: String) -> Self {
        Decimal(text)
    }
}

/// A fraction of 0 or more, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    /// Above the line.
    pub numerator: u64,
    /// Below the line, at least 1.
    pub denominator: u64,
}

impl Fraction {
    /// Which of two is larger.
    pub(crate) fn compare(self, other: Fraction) -> Ordering {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        let (left, right) = (self.numerator, other.numerator);
        product(left, other.denominator).cmp(&product(right, self.denominator))
    }

    /// Whether it is larger than another.
    pub(crate) fn exceeds(self, other: Fraction) -> bool {
        self.compare(other) == Ordering::Greater
    }

    /// In lowest terms; the denominator must not be 0.
    pub(crate) fn reduced(numerator: u64, denominator: u64) -> Self {
        let common = gcd(numerator.into(), denominator.into()) as u64;
        Fraction { numerator: numerator / common, denominator: denominator / common }
    }

    /// The nearest float.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

/// The greatest common divisor; `gcd(x, 0) = x`.
pub(crate) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The least number that every fraction is a whole number of parts of, if it is not too large.
pub(crate) fn common_scale(fractions: &[Fraction]) -> Option<u64> {
    fractions.iter().try_fold(1u64, |scale, fraction| {
        let common = gcd(scale.into(), fraction.denominator.into()) as u64;
        (scale / common).checked_mul(fraction.denominator)
    })
}

fn parse(text: &str) -> Option<Fraction> {
    let text = text.strip_prefix('+').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{part}");
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let trimmed = digits.trim_end_matches('0');
    let dropped = (digits.len() - trimmed.len()) as i32;
    let number: u64 = if trimmed.is_empty() { 0 } else { trimmed.parse().ok()? };
    if number == 0 {
        return Some(Fraction { numerator: 0, denominator: 1 });
    }
    let scale = exponent.checked_sub(part.len() as i32)?.checked_add(dropped)?;
    let power = 10u64.checked_pow(scale.unsigned_abs())?;
    if scale >= 0 {
        return Some(Fraction { numerator: number.checked_mul(power)?, denominator: 1 });
    }
    Some(Fraction::reduced(number, power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_exactly() {
        for (text, numerator, denominator) in [
            ("0.01", 1, 100),
            (".5", 1, 2),
            ("5.", 5, 1),
            ("1e-3", 1, 1000),
            ("2.50E2", 250, 1),
            ("+0.000", 0, 1),
            ("0.3333333333333333", 3333333333333333, 10000000000000000),
        ] {
            let read = Decimal::from(text).fraction().unwrap();
            assert_eq!((read.numerator, read.denominator), (numerator, denominator), "{text}");
        }
    }

    #[test]
    fn a_float_means_its_shortest_decimal() {
        assert_eq!(
            Decimal::from(0.1).fraction().unwrap(),
            Fraction { numerator: 1, denominator: 10 }
        );
        assert_eq!(Decimal::from(1e-7).as_str(), "0.0000001");
    }

    #[test]
    fn what_is_not_a_number_is_refused() {
        for text in ["", ".", "-0.1", "0,1", "NaN", "inf", "1e99", "1e-99", "0x1", "1.2.3", "e5"] {
            assert!(Decimal::from(text).fraction().is_err(), "{text}");
        }
        assert!(Decimal::from(f64::NAN).fraction().is_err());
        assert!(Decimal::from(-1.0).fraction().is_err());
    }
}
