/// A value, unless it is missing.
fn present(value: Option<&str>) -> Option<&str> {
    value.filter(|value| !MISSING.contains(value))
}
