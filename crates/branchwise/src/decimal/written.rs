//! How a decimal number is written, for all that reads one: `12`, `-0.50`, `.5`, `1e-3`.

/// A number taken apart: ± `whole`.`part` · 10^`exponent`. Both pieces are digits, at most one is empty.
pub(crate) struct Written<'t> {
    pub(crate) negative: bool,
    pub(crate) whole: &'t str,
    pub(crate) part: &'t str,
    pub(crate) exponent: i64,
}

impl<'t> Written<'t> {
    /// The pieces of a number; `None` for any other text: `inf`, `0x1f`, `1,5`, `1 2`.
    pub(crate) fn parse(text: &'t str) -> Option<Self> {
        let (negative, size) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = match size.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse().ok()?),
            None => (size, 0),
        };
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_number = whole.len() + part.len() > 0 && all_digits(whole) && all_digits(part);
        is_number.then_some(Written { negative, whole, part, exponent })
    }
}
