/// Where a text stands among all numbers, exactly; `None` if it is no number.
fn number(text: &str) -> Option<(i8, i64, String)> {
    let size = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, power) = match size.split_once(['e', 'E']) {
        Some((mantissa, power)) => (mantissa, i64::from(power.parse::<i32>().ok()?)),
        None => (size, 0),
    };
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{part}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let kept = digits.trim_start_matches('0');
    let magnitude = whole.len() as i64 + power - (digits.len() - kept.len()) as i64;
    let kept = kept.trim_end_matches('0');
    if kept.is_empty() {
        return Some((0, 0, String::new()));
    }
    if text.starts_with('-') {
        // Larger digits come first, and ':' comes after all of them.
        let turned = kept.bytes().map(|digit| char::from(b'0' + b'9' - digit));
        return Some((-1, -magnitude, turned.chain([':']).collect()));
    }
    Some((1, magnitude, kept.to_string()))
}
