/// The moment of a date or time as ISO 8601 writes it, in nanoseconds; `None` if it is none.
fn moment(text: &str) -> Option<i128> {
    let (date, rest) = text.split_at_checked(10)?;
    let parts: Vec<&str> = date.split('-').collect();
    let [year, month, day] = parts[..] else { return None };
    let (year, month, day) = (digits(year, 4)?, digits(month, 2)?, digits(day, 2)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [31, 28 + i128::from(leap), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    if !(1..=12).contains(&month) || !(1..=lengths[month as usize - 1]).contains(&day) {
        return None;
    }
    let past = year - 1;
    let leaps = past.div_euclid(4) - past.div_euclid(100) + past.div_euclid(400);
    let days = 365 * past + leaps + lengths[..month as usize - 1].iter().sum::<i128>() + day;
    if rest.is_empty() {
        return Some(days * 86_400_000_000_000);
    }
    let (time, ahead) = zone(rest.strip_prefix(['T', 't', ' '])?)?;
    let parts: Vec<&str> = time.split(':').collect();
    let (hour, minute, second) = match parts[..] {
        [hour, minute] => (hour, minute, "00"),
        [hour, minute, second] => (hour, minute, second),
        _ => return None,
    };
    let (second, fraction) = second.split_once('.').unwrap_or((second, ""));
    let (hour, minute, second) = (digits(hour, 2)?, digits(minute, 2)?, digits(second, 2)?);
    let fraction = digits(&format!("{fraction:0<9}"), 9)?;
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let minutes = (days * 24 + hour) * 60 + minute - ahead;
    Some((minutes * 60 + second) * 1_000_000_000 + fraction)
}

/// A time without its zone, and how many minutes the zone is ahead.
fn zone(clock: &str) -> Option<(&str, i128)> {
    if let Some(time) = clock.strip_suffix(['Z', 'z']) {
        return Some((time, 0));
    }
    let Some(sign) = clock.rfind(['+', '-']) else { return Some((clock, 0)) };
    let zone = clock[sign + 1..].replacen(':', "", 1);
    let (hours, minutes) = zone.split_at_checked(2)?;
    let minutes = if minutes.is_empty() { 0 } else { digits(minutes, 2)? };
    let ahead = digits(hours, 2)? * 60 + minutes;
    Some((&clock[..sign], if clock[sign..].starts_with('-') { -ahead } else { ahead }))
}

/// A number with this many digits.
fn digits(text: &str, length: usize) -> Option<i128> {
    let fits = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    if fits { text.parse().ok() } else { None }
}
