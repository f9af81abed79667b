//! Text that is safe to show.

/// Text on one line: control characters, and characters that would turn the writing direction, are
/// escaped as Rust escapes them.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        let turns = matches!(letter, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}');
        let isolates = matches!(letter, '\u{2066}'..='\u{2069}' | '\u{fffe}'..='\u{ffff}');
        if letter.is_control() || turns || isolates {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}
