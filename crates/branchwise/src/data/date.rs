//! Dates and times in the form of ISO 8601: `2024-02-29`, `2024-02-29T13:45:00.5+01:00`.
//!
//! Each is a moment, counted in nanoseconds from the beginning of 1970. A date is its first moment; a time
//! without a zone is taken as UTC.
//!
//! The calendar is written out here because a library such as jiff accepts more texts (`20240229`, names of
//! zones), clamps leap seconds and ends with the year 9999, as columns of Arrow do not: to undo that would
//! take as much code.

use super::Number;

const SECOND: i128 = 1_000_000_000;
const MINUTE: i128 = 60 * SECOND;
const HOUR: i128 = 60 * MINUTE;
const DAY: i128 = 24 * HOUR;

/// The moment that a text gives.
pub(crate) fn parse(text: &str) -> Option<i128> {
    let (date, rest) = text.split_at_checked(10)?;
    let midnight = parse_date(date)? * DAY;
    let Some(clock) = rest.strip_prefix(['T', 't', ' ']) else {
        return rest.is_empty().then_some(midnight);
    };
    let (time, offset) = split_zone(clock)?;
    Some(midnight + parse_time(time)? - offset)
}

/// Whether a text gives a time zone.
pub(crate) fn has_zone(text: &str) -> bool {
    let clock = text.get(11..).and_then(split_zone);
    clock.is_some_and(|(time, _)| time.len() + 11 < text.len())
}

/// A number of exactly `length` digits.
fn digits(text: &str, length: usize) -> Option<i128> {
    let fits = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    if fits { text.parse().ok() } else { None }
}

/// Days since the beginning of 1970 at `YYYY-MM-DD`.
fn parse_date(text: &str) -> Option<i128> {
    let mut parts = text.split('-');
    let mut part = |length| digits(parts.next()?, length);
    let (year, month, day) = (part(4)?, part(2)?, part(2)?);
    if parts.next().is_some() || !(1..=12).contains(&month) {
        return None;
    }
    (1..=days_in(year, month)).contains(&day).then(|| days_before(year, month) + day - 1)
}

fn is_leap(year: i128) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i128, month: i128) -> i128 {
    match month {
        2 => 28 + i128::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from the beginning of 1970 to the beginning of a month.
fn days_before(year: i128, month: i128) -> i128 {
    let to_year = |year: i128| {
        let past = year - 1;
        365 * past + past.div_euclid(4) - past.div_euclid(100) + past.div_euclid(400)
    };
    to_year(year) - to_year(1970) + (1..month).map(|month| days_in(year, month)).sum::<i128>()
}

/// The text of the time of day, and how far the zone is ahead of UTC.
fn split_zone(clock: &str) -> Option<(&str, i128)> {
    if let Some(time) = clock.strip_suffix(['Z', 'z']) {
        return Some((time, 0));
    }
    let Some(sign) = clock.rfind(['+', '-']) else { return Some((clock, 0)) };
    let zone = clock.get(sign + 1..)?.replacen(':', "", 1);
    let (hours, minutes) = (zone.get(..2)?, zone.get(2..)?);
    let minutes = if minutes.is_empty() { 0 } else { digits(minutes, 2)? };
    let ahead = digits(hours, 2)? * HOUR + minutes * MINUTE;
    Some((&clock[..sign], if clock[sign..].starts_with('-') { -ahead } else { ahead }))
}

/// Nanoseconds since midnight at `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fraction`.
fn parse_time(text: &str) -> Option<i128> {
    let mut parts = text.split(':');
    let hour = digits(parts.next()?, 2)?;
    let minute = digits(parts.next()?, 2)?;
    let (second, fraction) = match parts.next() {
        Some(seconds) => seconds.split_once('.').unwrap_or((seconds, "0")),
        None => ("00", "0"),
    };
    let second = digits(second, 2)?;
    let fraction = digits(&format!("{fraction:0<9}"), 9)?;
    let in_range = hour < 24 && minute < 60 && second < 61 && parts.next().is_none();
    in_range.then(|| hour * HOUR + minute * MINUTE + second * SECOND + fraction)
}

/// A moment as text: a date if it is a midnight, else with as much of the time as it needs.
pub(crate) fn show(moment: i128, zoned: bool) -> String {
    let (day, rest) = (moment.div_euclid(DAY), moment.rem_euclid(DAY));
    // A year that is not too late, and from there on to the right one.
    let mut year = 1970 + day.div_euclid(if day < 0 { 365 } else { 366 });
    while days_before(year + 1, 1) <= day {
        year += 1;
    }
    let month = (1..=12).rev().find(|&month| days_before(year, month) <= day).unwrap_or(1);
    let mut text = format!("{year:04}-{month:02}-{:02}", day - days_before(year, month) + 1);
    if rest == 0 {
        return text;
    }
    let part = |unit: i128, of: i128| rest / unit % (of / unit);
    text += &format!("T{:02}:{:02}", part(HOUR, DAY), part(MINUTE, HOUR));
    if rest % MINUTE != 0 {
        text += &format!(":{:02}", part(SECOND, MINUTE));
    }
    if rest % SECOND != 0 {
        text += format!(".{:09}", rest % SECOND).trim_end_matches('0');
    }
    text + if zoned { "Z" } else { "" }
}

/// A moment t with lower ≤ t < upper, near the middle, on a full day, hour, minute or second if
/// there is one.
pub(crate) fn between(lower: i128, upper: i128) -> i128 {
    let middle = (lower + upper).div_euclid(2);
    let rounded = [DAY, HOUR, MINUTE, SECOND].map(|unit| middle.div_euclid(unit) * unit);
    rounded.into_iter().find(|&moment| moment >= lower).unwrap_or(middle)
}

/// The moment in a text, as a number.
pub(crate) fn position(text: &str) -> Option<Number> {
    parse(text).map(Number::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read() {
        for (text, seconds) in [
            ("1970-01-01", 0),
            ("1969-12-31", -86_400),
            ("2000-02-29", 951_782_400),
            ("2024-02-29T13:45:00", 1_709_214_300),
            ("2024-02-29 13:45", 1_709_214_300),
            ("2024-02-29T13:45:00Z", 1_709_214_300),
            ("2024-02-29T14:45:00+01:00", 1_709_214_300),
            ("2024-02-29T10:15-0330", 1_709_214_300),
        ] {
            assert_eq!(parse(text), Some(seconds * SECOND), "{text}");
        }
        assert_eq!(parse("1970-01-01T00:00:00.000000001"), Some(1));
        for text in [
            "",
            "2024",
            "2024-2-29",
            "2023-02-29",
            "2024-13-01",
            "2024-00-10",
            "2024-01-32",
            "2024-01-01T",
            "2024-01-01T25:00",
            "2024-01-01T10:60",
            "01.02.2024",
            "2024-01-01x",
            "2024-01-01T10",
            "2024-01-01T10:00+1",
            "2024/01/01",
            "２024-01-01",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert!(has_zone("2024-01-01T10:00Z") && has_zone("2024-01-01T10:00-03"));
        assert!(!has_zone("2024-01-01") && !has_zone("2024-01-01T10:00"));
    }

    #[test]
    fn moments_are_shown_as_they_are_read() {
        for text in [
            "1970-01-01",
            "1999-12-31",
            "0004-02-29",
            "2024-12-31",
            "2400-02-29",
            "9999-12-31",
            "2024-02-29T13:45",
            "2024-02-29T13:45:07",
            "2024-02-29T00:00:00.25",
        ] {
            assert_eq!(show(parse(text).unwrap(), false), text);
        }
        assert_eq!(show(parse("2024-02-29T13:45+01:00").unwrap(), true), "2024-02-29T12:45Z");
    }

    #[test]
    fn a_middle_is_on_a_full_day_if_there_is_one() {
        for (low, high, middle) in [
            ("2024-01-05", "2024-01-06", "2024-01-05"),
            ("2024-01-05", "2024-01-10", "2024-01-07"),
            ("2024-01-05T10:00", "2024-01-05T14:30", "2024-01-05T12:00"),
            ("2024-01-05T10:00:01", "2024-01-05T10:00:02", "2024-01-05T10:00:01"),
            ("2024-01-05T23:00", "2024-01-07T02:00", "2024-01-06"),
        ] {
            let (low, high) = (parse(low).unwrap(), parse(high).unwrap());
            let found = between(low, high);
            assert_eq!(show(found, false), middle);
            assert!(low <= found && found < high);
        }
    }
}
