//! Decimal numbers, read exactly.
//!
//! A float given by a caller means its shortest decimal form (`0.1` means one tenth, not the
//! binary number nearest to it), so that "accuracy − 0.01 · splits" is compared in integers and a
//! tie is a tie on every platform.

mod fraction;
mod written;

pub use fraction::Fraction;
pub(crate) use fraction::{common_integers, common_scale};
pub(crate) use written::Written;

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

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
        let written = Written::parse(self.0.trim()).filter(|number| number.negative);
        written.and_then(|number| size(&number)).is_some_and(|size| size.numerator > 0)
    }

    /// The number as an exact, reduced fraction; negative numbers and more than 18 significant
    /// digits are refused.
    pub fn fraction(&self) -> Result<Fraction> {
        let written = Written::parse(self.0.trim()).filter(|number| !number.negative);
        let fraction = written.and_then(|number| size(&number));
        fraction.ok_or_else(|| Error::BadNumber { found: self.0.clone() })
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

/// The size of a number without its sign, exactly.
fn size(number: &Written) -> Option<Fraction> {
    let exponent = i32::try_from(number.exponent).ok()?;
    let digits = [number.whole, number.part].concat();
    let trimmed = digits.trim_end_matches('0');
    let dropped = (digits.len() - trimmed.len()) as i32;
    let numerator: u64 = if trimmed.is_empty() { 0 } else { trimmed.parse().ok()? };
    if numerator == 0 {
        return Some(Fraction { numerator: 0, denominator: 1 });
    }
    let scale = exponent.checked_sub(number.part.len() as i32)?.checked_add(dropped)?;
    let power = 10u64.checked_pow(scale.unsigned_abs())?;
    if scale >= 0 {
        return Some(Fraction { numerator: numerator.checked_mul(power)?, denominator: 1 });
    }
    Some(Fraction::reduced(numerator, power))
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
