//! What separates the values of a line, and how to find out.

/// What separates the values of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// A tabulator.
    Tab,
    /// One or more blanks or tabulators.
    Spaces,
}

impl Delimiter {
    /// The delimiter's name.
    pub fn name(self) -> &'static str {
        match self {
            Delimiter::Comma => "comma",
            Delimiter::Semicolon => "semicolon",
            Delimiter::Tab => "tab",
            Delimiter::Spaces => "spaces",
        }
    }

    /// The one byte that separates values; `None` where any number of blanks does.
    pub(super) fn byte(self) -> Option<u8> {
        match self {
            Delimiter::Comma => Some(b','),
            Delimiter::Semicolon => Some(b';'),
            Delimiter::Tab => Some(b'\t'),
            Delimiter::Spaces => None,
        }
    }

    /// The character that every one of the first lines has equally often, the most frequent of these
    /// on the first line; blanks if there is none.
    pub(super) fn detect(start: &[u8]) -> Delimiter {
        let is_break = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let complete = start.iter().rposition(is_break).map_or(start, |end| &start[..end]);
        let lines: Vec<&[u8]> = complete
            .split(is_break)
            .filter(|line| !line.trim_ascii().is_empty())
            .take(20)
            .collect();
        let count = |line: &[u8], separator: u8| {
            let mut quoted = false;
            let outside = |&&b: &&u8| {
                quoted ^= b == b'"';
                b == separator && !quoted
            };
            line.iter().filter(outside).count()
        };
        let candidates =
            [(Delimiter::Tab, b'\t'), (Delimiter::Semicolon, b';'), (Delimiter::Comma, b',')];
        let mut best = (false, 0, Delimiter::Spaces);
        for (delimiter, separator) in candidates {
            let counts: Vec<usize> = lines.iter().map(|line| count(line, separator)).collect();
            let Some(&first) = counts.first() else { continue };
            let steady = counts.iter().all(|&c| c == first);
            if first > 0 && (steady, first) > (best.0, best.1) {
                best = (steady, first, delimiter);
            }
        }
        best.2
    }
}
