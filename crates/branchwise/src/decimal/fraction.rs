//! Exact fractions of integers.

use num_integer::Integer;
use num_traits::AsPrimitive;
use std::cmp::Ordering;

/// A fraction of 0 or more, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction<T = u64> {
    /// Above the line.
    pub numerator: T,
    /// Below the line, at least 1.
    pub denominator: T,
}

impl<T: Integer + Copy> Fraction<T> {
    /// In lowest terms; the denominator must not be 0.
    pub(crate) fn reduced(numerator: T, denominator: T) -> Self {
        let common = numerator.gcd(&denominator);
        Fraction { numerator: numerator / common, denominator: denominator / common }
    }

    /// Which of two is larger, without products that could overflow: their continued fractions are
    /// compared term by term, and every second term counts the other way round.
    pub(crate) fn compare(self, other: Self) -> Ordering {
        let terms = |fraction: Self| (fraction.numerator, fraction.denominator);
        let (mut a, mut b) = (terms(self), terms(other));
        let mut flipped = false;
        loop {
            let order = match (a.1.is_zero(), b.1.is_zero()) {
                (true, true) => Ordering::Equal,
                (true, false) => Ordering::Greater,
                (false, true) => Ordering::Less,
                (false, false) => (a.0 / a.1).cmp(&(b.0 / b.1)),
            };
            if order != Ordering::Equal || a.1.is_zero() || b.1.is_zero() {
                return if flipped { order.reverse() } else { order };
            }
            (a, b) = ((a.1, a.0 % a.1), (b.1, b.0 % b.1));
            flipped = !flipped;
        }
    }

    /// Whether it is larger than another.
    pub(crate) fn exceeds(self, other: Self) -> bool {
        self.compare(other) == Ordering::Greater
    }
}

impl Fraction<u128> {
    /// The same in 64 bits, if it fits.
    pub(crate) fn narrow(self) -> Option<Fraction> {
        let numerator = u64::try_from(self.numerator).ok()?;
        Some(Fraction { numerator, denominator: u64::try_from(self.denominator).ok()? })
    }
}

impl<T: AsPrimitive<f64>> Fraction<T> {
    /// The nearest float.
    pub fn to_f64(self) -> f64 {
        self.numerator.as_() / self.denominator.as_()
    }
}

/// The least number that is a multiple of every denominator, if it is not too large.
pub(crate) fn common_scale(fractions: &[Fraction]) -> Option<u64> {
    fractions.iter().try_fold(1u64, |scale, fraction| {
        (scale / scale.gcd(&fraction.denominator)).checked_mul(fraction.denominator)
    })
}

/// Fractions as integers, and what these are divided by, if none of them is too large.
pub(crate) fn common_integers(fractions: &[Fraction]) -> Option<(Vec<u64>, u64)> {
    let scale = common_scale(fractions)?;
    let integers = fractions.iter().map(|f| (scale / f.denominator).checked_mul(f.numerator));
    Some((integers.collect::<Option<_>>()?, scale))
}
