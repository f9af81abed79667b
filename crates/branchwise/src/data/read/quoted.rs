//! Values in quotation marks, read byte by byte: they may hold delimiters and line breaks.

use crate::memory;

/// The values of a line with quotation marks.
#[derive(Default)]
pub(super) struct Quoted {
    bytes: Vec<u8>,
    /// Where each value ends.
    ends: Vec<usize>,
    /// Where the value that is being read starts.
    start: usize,
    state: State,
}

/// Where in a value the next byte stands.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// At the beginning, after nothing but blanks.
    #[default]
    Start,
    /// Inside quotation marks.
    Inside,
    /// Behind a quotation mark that may have been the closing one.
    Behind,
    /// In a value without quotation marks, or behind the closing one.
    Bare,
}

impl Quoted {
    /// The bytes of memory that are needed for `more` bytes of text.
    pub(super) fn growth(&self, more: usize) -> usize {
        memory::growth(&self.bytes, more)
    }

    /// Begin a new line.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.start = 0;
        self.state = State::Start;
    }

    /// Whether a quotation mark is open.
    pub(super) fn is_open(&self) -> bool {
        self.state == State::Inside
    }

    /// Read on, to the end of the line or of the text. Returns the number of bytes read.
    pub(super) fn read(&mut self, text: &[u8], separator: u8) -> usize {
        for (place, &byte) in text.iter().enumerate() {
            if matches!(byte, b'\n' | b'\r') && !self.is_open() {
                return place + break_length(&text[place..]);
            }
            self.state = match (self.state, byte) {
                (State::Inside, b'"') => State::Behind,
                (State::Inside, _) => self.keep(byte, State::Inside),
                (State::Behind, b'"') => self.keep(byte, State::Inside),
                (_, _) if byte == separator => self.end_value(),
                (State::Start, b'"') => State::Inside,
                (State::Start, b' ' | b'\t') => State::Start,
                (State::Start | State::Bare | State::Behind, _) => self.keep(byte, State::Bare),
            };
        }
        text.len()
    }

    fn keep(&mut self, byte: u8, next: State) -> State {
        self.bytes.push(byte);
        next
    }

    /// Blanks around a value do not belong to it.
    fn end_value(&mut self) -> State {
        let value = &self.bytes[self.start..];
        let trimmed = self.start + value.trim_ascii_end().len();
        self.bytes.truncate(trimmed);
        self.ends.push(trimmed);
        self.start = trimmed;
        State::Start
    }

    /// The line ends, and with it its last value.
    pub(super) fn end(&mut self) {
        self.state = self.end_value();
    }

    /// The bytes of all values, one after the other.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The values of the line.
    pub(super) fn values(&self) -> impl Iterator<Item = &[u8]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| self.bytes[start..end].trim_ascii())
    }
}

/// The length of the line break at the beginning of a text.
pub(super) fn break_length(text: &[u8]) -> usize {
    if text.starts_with(b"\r\n") { 2 } else { 1 }
}
