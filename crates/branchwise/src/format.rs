//! Times, sizes and counts as people write and read them.
//!
//! This is done by hand: crates such as `bytesize` and `humantime` read and write other forms than those
//! that users of the program know from its options and its output.

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

/// A whole number with thousands set apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// "1 split", "2 splits", "3 leaves".
pub fn plural(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// A size, as in `2.0 KiB`.
pub fn bytes(number: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB"];
    let mut size = number as f64;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < units.len() {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{number} B") } else { format!("{size:.1} {}", units[unit]) }
}

/// A time, as in `20 µs`, `250 ms` or `12.00 s`.
pub fn seconds(seconds: f64) -> String {
    if seconds < 0.001 {
        format!("{:.0} µs", seconds * 1e6)
    } else if seconds < 1.0 {
        format!("{:.0} ms", seconds * 1e3)
    } else {
        format!("{seconds:.2} s")
    }
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

    #[test]
    fn numbers_for_people() {
        assert_eq!([7, 1234, 1234567].map(grouped), ["7", "1,234", "1,234,567"]);
        assert_eq!([900, 2048, 3 << 30].map(bytes), ["900 B", "2.0 KiB", "3.0 GiB"]);
        assert_eq!([0.00002, 0.25, 12.0].map(seconds), ["20 µs", "250 ms", "12.00 s"]);
        assert_eq!([1, 1000].map(|n| plural(n, "leaf", "leaves")), ["1 leaf", "1,000 leaves"]);
    }
}
