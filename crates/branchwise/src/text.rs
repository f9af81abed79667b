//! Text that is safe to show.

/// Text to quote in a message: on one line, and cut if it is long. Then an ellipsis follows, and how long the
/// text is.
///
/// ```
/// assert_eq!(branchwise::brief("age\n"), "age\\n");
/// let long = branchwise::brief(&"x".repeat(1_000_000));
/// assert!(long.ends_with("xxx… (1000000 letters)") && long.len() < 100);
/// ```
pub fn brief(text: &str) -> String {
    const WHOLE: usize = 80;
    const KEPT: usize = 60;
    if text.chars().nth(WHOLE).is_none() {
        return visible(text);
    }
    let end = text.char_indices().nth(KEPT).map_or(text.len(), |(end, _)| end);
    format!("{}… ({} letters)", visible(&text[..end]), text.chars().count())
}

/// Text on one line: control characters, and characters that would turn the writing direction, are
/// escaped as Rust escapes them.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_hidden(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// Whether a character does not show as itself: it controls, or turns the writing direction.
pub(crate) fn is_hidden(letter: char) -> bool {
    let turns = matches!(letter, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}');
    let isolates = matches!(letter, '\u{2066}'..='\u{2069}' | '\u{fffe}'..='\u{ffff}');
    letter.is_control() || turns || isolates
}
