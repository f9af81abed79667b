//! Random columns of every kind, with values that are hard to tell apart, to write, or to read.

use serde_json::{Value, json};

/// The same numbers on every run.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// A number below the limit.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    pub(crate) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn pick<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len())]
    }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Words,
    Flags,
    /// True and false, and in new rows in any case.
    Truths,
    /// Whole numbers that are names.
    Codes,
    Ranks,
    Wholes,
    Reals,
    Days,
    Times,
}

pub(crate) const SORTS: [Sort; 9] = [
    Sort::Words,
    Sort::Flags,
    Sort::Truths,
    Sort::Codes,
    Sort::Ranks,
    Sort::Wholes,
    Sort::Reals,
    Sort::Days,
    Sort::Times,
];

pub(crate) const RANKS: [&str; 5] = ["tiny", "it's small", "medium", "LARGE", "大"];

const WORDS: [&str; 22] = [
    "a",
    "b",
    "A",
    "it's",
    "say \"hi\"",
    "two\nlines",
    "tab\tand\r\nmore",
    "back\\slash",
    "大",
    "\u{e9}",
    "e\u{301}",
    "1",
    "1.0",
    "01",
    "'; DROP TABLE rows; --",
    "/* no */ # comment",
    "{0} ${x} %s",
    "\u{202e}turned\u{2066}",
    "🙂",
    "\u{7f}\u{1}",
    "true",
    "None of them",
];

const MISSING: [&str; 5] = ["", "NA", "?", "nan", "NULL"];

const WHOLES: [&str; 14] = [
    "-3",
    "0",
    "7",
    "8",
    "12",
    "40",
    "41",
    "1000000",
    "16777216",
    "16777217",
    "9007199254740992",
    "9007199254740993",
    "9007199254740994",
    "-9007199254740993",
];

const REALS: [&str; 24] = [
    "0.1",
    "0.10000000149011612",
    "0.3",
    "0.30000000000000002",
    "0.30000000000000004",
    "-0.0",
    "0",
    "5e-324",
    "1e-323",
    "-5e-324",
    "1e-7",
    "2.5",
    "-2.5",
    "-2.5000000000000004",
    "16777216.0",
    "16777217.5",
    "123456.12345678901",
    "123456.12345678903",
    "1e22",
    "1.152921504606847e18",
    "1e308",
    "1.7976931348623157e308",
    "-1e308",
    "0.0001220703125",
];

/// Texts that are no numbers, no dates, or odd spellings of them.
const ODD: [&str; 22] = [
    "many",
    "inf",
    "-inf",
    "1_000",
    "1,5",
    " 1",
    "٣",
    "+5",
    "007",
    "1e3",
    "1E+2",
    ".5",
    "5.",
    "1e99999999999",
    "1e400",
    "-1e400",
    "0.300000000000000018",
    "2024-02-30",
    "2024-02-29T13:45:60Z",
    "2024-01-01T10:00:00.1234567891",
    "0000-01-01",
    "2024-03-05t10:00-0330",
];

/// A value: as text, and as databases and runtimes hold it.
pub(crate) struct Cell {
    pub(crate) text: String,
    /// For databases: null, text, a number, or microseconds. `None` if they cannot hold it.
    pub(crate) stored: Option<Value>,
    /// For ONNX, which takes text as well: null, a float, or microseconds. `None` if it cannot hold
    /// it as such.
    pub(crate) fed: Option<Value>,
}

impl Cell {
    fn text(text: &str) -> Self {
        Cell { text: text.into(), stored: Some(json!(text)), fed: None }
    }

    fn missing(dice: &mut Dice) -> Cell {
        let text = dice.pick(&MISSING).to_string();
        Cell { text, stored: Some(Value::Null), fed: Some(Value::Null) }
    }

    fn odd(text: &str) -> Self {
        Cell { text: text.into(), stored: None, fed: None }
    }

    /// The same with blanks around it, which do not count. Databases take away no others than spaces.
    fn in_blanks(self, before: &str, after: &str) -> Self {
        let text = format!("{before}{}{after}", self.text);
        let spaces = [before, after].concat().chars().all(|blank| blank == ' ');
        let stored = match self.stored {
            Some(Value::String(_)) => spaces.then(|| json!(text)),
            other => other,
        };
        Cell { text, stored, ..self }
    }
}

impl Sort {
    /// What databases are to store.
    pub(crate) fn storage(self) -> &'static str {
        match self {
            Sort::Words | Sort::Flags | Sort::Truths | Sort::Ranks => "text",
            Sort::Codes | Sort::Wholes => "integer",
            Sort::Reals => "real",
            Sort::Days => "day",
            Sort::Times => "time",
        }
    }

    /// A value of the training table.
    pub(crate) fn known(self, dice: &mut Dice) -> Cell {
        if dice.one_in(12) {
            return Cell::missing(dice);
        }
        match self {
            Sort::Words => Cell::text(dice.pick(&WORDS[..9])),
            Sort::Flags => Cell::text(dice.pick(&["yes", "no"])),
            Sort::Truths => Cell::text(dice.pick(&["True", "False"])),
            Sort::Ranks => Cell::text(dice.pick(&RANKS)),
            Sort::Codes => whole(&(dice.below(5) * 5).to_string()),
            Sort::Wholes => whole(dice.pick(&WHOLES)),
            Sort::Reals => real(dice.pick(&REALS)),
            Sort::Days => moment(day(dice), "%d"),
            Sort::Times => moment(time(dice), dice.pick(&["%dT%t", "%d %tZ", "%dT%t+00:00"])),
        }
    }

    /// A value that a later row may have, sometimes with blanks around it.
    pub(crate) fn later(self, dice: &mut Dice) -> Cell {
        let value = self.later_value(dice);
        match dice.below(12) {
            0 => value.in_blanks(" ", "  "),
            1 => value.in_blanks("\t\r\n ", "\u{c}"),
            _ => value,
        }
    }

    fn later_value(self, dice: &mut Dice) -> Cell {
        match dice.below(20) {
            0 => Cell::odd(dice.pick(&ODD)),
            1 if matches!(self, Sort::Words | Sort::Flags | Sort::Ranks) => {
                Cell::text(dice.pick(&WORDS))
            }
            1..=5 if self == Sort::Truths => {
                Cell::text(dice.pick(&["true", "TRUE", "false", "FALSE", "tRUE"]))
            }
            2 | 3 if self == Sort::Wholes => whole(&(dice.below(60) as i64 - 5).to_string()),
            2 | 3 if self == Sort::Codes => whole(&dice.below(30).to_string()),
            2..=9 if self == Sort::Reals => near(dice),
            _ => self.known(dice),
        }
    }
}

/// A whole number of 0 or more, or a missing one.
pub(crate) fn whole_below(limit: usize, dice: &mut Dice) -> Cell {
    if dice.one_in(20) { Cell::missing(dice) } else { whole(&dice.below(limit).to_string()) }
}

fn whole(text: &str) -> Cell {
    let number: i64 = text.parse().unwrap();
    let exact = number.unsigned_abs() <= 1 << 53;
    let fed = exact.then(|| json!(number as f64));
    Cell { text: text.into(), stored: Some(json!(number)), fed }
}

/// A number that is a float by its shortest spelling, or else only text.
fn real(text: &str) -> Cell {
    let number: f64 = text.parse().unwrap();
    let same = branchwise::data::Number::parse(&format!("{number:e}"))
        == branchwise::data::Number::parse(text);
    let held = same.then(|| json!(number));
    Cell { text: text.into(), stored: held.clone(), fed: held }
}

/// One of the floats around a value that training may have seen.
fn near(dice: &mut Dice) -> Cell {
    let mut number: f64 = dice.pick(&REALS).parse().unwrap();
    for _ in 0..dice.below(3) {
        number = if dice.one_in(2) { number.next_up() } else { number.next_down() };
    }
    if dice.one_in(4) {
        number = f64::from(number as f32);
    }
    let number = if number.is_finite() { number } else { f64::MAX };
    real(&format!("{number:e}"))
}

const DAY: i64 = 86_400_000_000;

/// The first microsecond of a day from 2024 on, or of one of two far away.
fn day(dice: &mut Dice) -> i64 {
    match dice.below(20) {
        0 => -719_162 * DAY,
        1 => 2_932_896 * DAY,
        _ => (19_723 + dice.below(40) as i64) * DAY,
    }
}

fn time(dice: &mut Dice) -> i64 {
    let hours = dice.below(24) as i64 * 3_600_000_000;
    let fine = [0, 0, 1_000_000, 500_000, 1, 59_999_999][dice.below(6)];
    day(dice) + hours + fine
}

/// A moment in a form in which `%d` stands for the date and `%t` for the time.
fn moment(microseconds: i64, form: &str) -> Cell {
    let (days, rest) = (microseconds.div_euclid(DAY), microseconds.rem_euclid(DAY));
    let (hour, minute) = (rest / 3_600_000_000, rest / 60_000_000 % 60);
    let time =
        format!("{hour:02}:{minute:02}:{:02}.{:06}", rest / 1_000_000 % 60, rest % 1_000_000);
    let time = time.trim_end_matches('0').trim_end_matches('.');
    let time = if time.len() < 8 { format!("{time:0<8}") } else { time.to_string() };
    let text = form.replace("%d", &date(days)).replace("%t", &time);
    Cell { text, stored: Some(json!(microseconds)), fed: Some(json!(microseconds)) }
}

/// The date this many days after the beginning of 1970.
fn date(days: i64) -> String {
    let (mut year, mut left) = (1, days + 719_162);
    let length = |year: i64| 365 + i64::from(year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
    while left >= length(year) {
        left -= length(year);
        year += 1;
    }
    let february = length(year) - 337;
    let mut month = 0;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        month += 1;
        if left < days {
            break;
        }
        left -= days;
    }
    format!("{year:04}-{month:02}-{:02}", left + 1)
}
