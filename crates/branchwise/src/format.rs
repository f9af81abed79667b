//! Times and sizes with their units, as people write them.

use std::time::Duration;

/// A number followed by a unit.
fn parse_quantity(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    Some((number, text[end..].trim()))
}

/// A time such as `60s`, `5m`, `1.5h` or `250ms`; a number alone is seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("expected a time such as 60s, 5m, 1.5h or 250ms, got \"{text}\"");
    let (number, unit) = parse_quantity(text.trim()).ok_or_else(wrong)?;
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())
}

/// A size such as `2GiB`, `500 MB` or `1048576`, in bytes.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("expected a size such as 2GiB, 500MB or 1048576, got \"{text}\"");
    let (number, unit) = parse_quantity(text.trim()).ok_or_else(wrong)?;
    let (kilo, kibi) = (1e3f64, 1024f64);
    let bytes = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => kilo,
        "m" | "mb" => kilo.powi(2),
        "g" | "gb" => kilo.powi(3),
        "kib" => kibi,
        "mib" => kibi.powi(2),
        "gib" => kibi.powi(3),
        _ => return Err(wrong()),
    };
    let total = number * bytes;
    if total < u64::MAX as f64 { Ok(total as u64) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes() {
        assert_eq!(parse_duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        assert_eq!(parse_duration("1.5h"), Ok(Duration::from_secs(5400)));
        assert_eq!(parse_duration("7"), Ok(Duration::from_secs(7)));
        assert_eq!(parse_size("2GiB"), Ok(2 << 30));
        assert_eq!(parse_size("500MB"), Ok(500_000_000));
        assert_eq!(parse_size("12"), Ok(12));
        for wrong in ["", "s", "-1s", "5 weeks", "1e400s"] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }
}
