//! The width of texts on a page and on a terminal, and line breaks in long texts.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How many columns of a terminal a text takes.
pub(super) fn columns(text: &str) -> usize {
    text.width()
}

/// About how many pixels wide a text is in a sans-serif font of 13 pixels; rather too many.
pub(crate) fn text_width(text: &str) -> usize {
    text.chars().map(letter_width).sum()
}

fn letter_width(letter: char) -> usize {
    match letter {
        ' ' | '.' | ',' | ':' | ';' | '\'' | '!' | '|' | 'i' | 'j' | 'l' => 4,
        'f' | 't' | 'r' | 'I' | '(' | ')' | '[' | ']' | '-' | '/' => 6,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 13,
        'A'..='Z' => 10,
        _ => letter.width().unwrap_or(0) * 8,
    }
}

/// The widest of some lines.
pub(super) fn widest(lines: &[String]) -> usize {
    lines.iter().map(|line| text_width(line)).max().unwrap_or(0)
}

/// A text broken into lines at most `limit` pixels wide; words that are wider are broken too.
pub(super) fn wrapped(text: &str, limit: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_whitespace() {
        let (space, width) = (text_width(" "), text_width(word));
        if used > 0 && used + space + width <= limit {
            push(&mut lines, ' ');
            used += space;
        } else if used > 0 {
            lines.push(String::new());
            used = 0;
        }
        for letter in word.chars() {
            let width = letter_width(letter);
            if used > 0 && used + width > limit {
                lines.push(String::new());
                used = 0;
            }
            push(&mut lines, letter);
            used += width;
        }
    }
    lines
}

fn push(lines: &mut [String], letter: char) {
    if let Some(line) = lines.last_mut() {
        line.push(letter);
    }
}

/// A text in at most this many lines of at most `limit` pixels; what does not fit becomes `…`.
pub(super) fn fitted(text: &str, limit: usize, most_lines: usize) -> Vec<String> {
    let mut lines = wrapped(text, limit);
    if lines.len() > most_lines {
        lines.truncate(most_lines);
        if let Some(last) = lines.last_mut() {
            while text_width(last) + text_width("…") > limit && last.pop().is_some() {}
            last.truncate(last.trim_end_matches([' ', ',']).len());
            last.push('…');
        }
    }
    lines
}

/// A set in at most this many lines: as many of its members as there is room for, and how many more
/// there are.
pub(super) fn fitted_set(members: &[String], limit: usize, most_lines: usize) -> Vec<String> {
    /// More than that never fit.
    const MOST: usize = 60;
    for n_shown in (1..=members.len().min(MOST)).rev() {
        let mut text = members[..n_shown].join(", ");
        if n_shown < members.len() {
            text += &format!(" and {} more", members.len() - n_shown);
        }
        let lines = wrapped(&text, limit);
        if lines.len() <= most_lines {
            return lines;
        }
    }
    fitted(&members.join(", "), limit, most_lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_broken() {
        assert_eq!(wrapped("one two three", 60), ["one two", "three"]);
        assert_eq!(wrapped("aaaaaaaa bb", 40), ["aaaaa", "aaa", "bb"]);
        assert_eq!(wrapped("", 40), [""]);
        for line in wrapped(&"word and_a_much_longer_word ".repeat(20), 90) {
            assert!(text_width(&line) <= 90, "{line}");
        }
        assert_eq!(fitted("one two three four", 60, 2), ["one two", "three…"]);
        assert_eq!(fitted("one two", 60, 2), ["one two"]);
    }

    #[test]
    fn long_sets_say_how_many_more_there_are() {
        let set = |members: &[&str]| -> Vec<String> {
            members.iter().map(|member| member.to_string()).collect()
        };
        let towns = set(&["Ashford", "Brookhaven", "Cliffside", "Dunmore", "Eastwick"]);
        assert_eq!(fitted_set(&towns[..2], 120, 2), ["Ashford,", "Brookhaven"]);
        assert_eq!(fitted_set(&towns, 150, 2), ["Ashford, Brookhaven,", "Cliffside and 2 more"]);
        assert_eq!(fitted_set(&set(&[&"a".repeat(99)]), 80, 1), ["aaaaaaaa…"]);
        assert_eq!(fitted_set(&[], 80, 1), [""]);
    }

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!([columns("größe"), columns("日本"), columns("e\u{301}")], [5, 4, 1]);
        assert_eq!(text_width("日本"), 32);
        assert_eq!(text_width("e\u{301}"), 8);
    }
}
