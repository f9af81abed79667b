/// A value without the blanks around it, unless it is missing.
fn present(value: Option<&str>) -> Option<&str> {
    let blanks: &[char] = &[' ', '\t', '\n', '\u{c}', '\r'];
    let value = value.map(|value| value.trim_matches(blanks));
    value.filter(|value| !MISSING.contains(value))
}
