//! Whether the first line of a text holds the names of the columns.
//!
//! It is judged once, at the end of the first file, by its values and those below them:
//!
//! 1. A name that the user speaks of is on it: it holds names.
//! 2. Some of its values are *unlike* those below: a word above numbers, dates or opposites such as yes
//!    and no, or a word without a digit above values with one. It holds names, unless more of its values
//!    come again in their columns than are unlike: then it is a row.
//! 3. Its numbers count up by one from 0 or from a year, as column names of spreadsheets do, and none of
//!    its values comes again: it holds names.
//! 4. Otherwise a number above numbers, or a date above dates: it is a row.
//! 5. Only words are left. It holds names if fewer than half of them come again in their columns, and no
//!    two of them are equal; else it is a row.
//!
//! A column counts as one of numbers if nine in ten of its values are. What means a missing value says
//! nothing. Where the evidence is mixed, or there is none but that values do not come again, the verdict
//! is a guess, and comes with a reason for the user.

use super::dictionary::Dictionary;
use super::header_guess::HeaderGuess;
use super::options::ReadOptions;
use crate::data::kind::are_opposites;
use crate::data::{MissingValues, Number, date};

/// Whether the first line holds names, and why, if that is a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) is_header: bool,
    pub(super) guess: Option<HeaderGuess>,
}

impl Verdict {
    const NAMES: Verdict = Verdict { is_header: true, guess: None };
    const ROW: Verdict = Verdict { is_header: false, guess: None };

    fn names(guess: HeaderGuess) -> Self {
        Verdict { guess: Some(guess), ..Verdict::NAMES }
    }

    fn row(guess: HeaderGuess) -> Self {
        Verdict { guess: Some(guess), ..Verdict::ROW }
    }
}

/// Judge the first line; `below` has the values below each of its own, where the column is kept.
pub(super) fn judge<'d>(
    first: &[String],
    below: impl Fn(usize) -> Option<&'d Dictionary>,
    options: &ReadOptions,
) -> Verdict {
    let kept: Vec<(&str, &Dictionary)> = (first.iter().enumerate())
        .filter_map(|(position, value)| Some((value.as_str(), below(position)?)))
        .collect();
    let nothing_below = kept.iter().all(|(_, below)| below.values.is_empty());
    let mut wanted = options.names.iter().chain(&options.skip);
    if nothing_below || wanted.any(|name| is_named(name, first)) {
        return Verdict::NAMES;
    }
    let is_value = |(value, _): &(&str, &Dictionary)| !options.missing.contains(value);
    let cells: Vec<Cell> = (kept.into_iter().filter(is_value))
        .map(|(value, below)| Cell::new(value, below, &options.missing))
        .collect();
    weighed(&cells)
}

/// Whether a name that the user speaks of is on the first line. A small number means a position.
fn is_named(name: &str, first: &[String]) -> bool {
    let is_position = name.parse::<usize>().is_ok_and(|number| number <= first.len());
    !is_position && first.iter().any(|value| value == name)
}

/// A value of the first line, and how it compares with those below.
struct Cell<'v> {
    value: &'v str,
    number: Option<Number>,
    likeness: Likeness,
    comes_again: bool,
}

/// How a value compares in kind with those below it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Likeness {
    /// A word above numbers, dates, opposites or values with digits.
    Unlike,
    /// A number above numbers, or a date above dates.
    Like,
    /// Nothing can be said: words, or nothing below it.
    Unknown,
}

fn weighed(cells: &[Cell]) -> Verdict {
    let count = |holds: &dyn Fn(&Cell) -> bool| cells.iter().filter(|cell| holds(cell)).count();
    let unlike = count(&|cell| cell.likeness == Likeness::Unlike);
    let like = count(&|cell| cell.likeness == Likeness::Like);
    let again = count(&|cell| cell.comes_again);
    if unlike > 0 {
        return match (again > unlike, again + like) {
            (true, _) => Verdict::row(HeaderGuess::MostlyLike),
            (false, 0) => Verdict::NAMES,
            (false, _) => Verdict::names(HeaderGuess::MostlyUnlike),
        };
    }
    if again == 0 && counts_up(cells) {
        return Verdict::names(HeaderGuess::CountsUp);
    }
    if like > 0 {
        return if again > 0 { Verdict::ROW } else { Verdict::row(HeaderGuess::NumbersOnly) };
    }
    match again {
        _ if cells.is_empty() => Verdict::row(HeaderGuess::AllMissing),
        again if again == cells.len() => Verdict::ROW,
        again if 2 * again >= cells.len() => Verdict::row(HeaderGuess::ManyAgain),
        _ if has_twice(cells) => Verdict::row(HeaderGuess::SameTwice),
        0 => Verdict::names(HeaderGuess::NoneAgain),
        _ => Verdict::names(HeaderGuess::FewAgain),
    }
}

/// Whether the numbers, at least two, count up by one from 0 or from a year.
fn counts_up(cells: &[Cell]) -> bool {
    let numbers = cells.iter().filter(|cell| cell.number.is_some());
    let whole: Option<Vec<u64>> = numbers.map(|cell| cell.value.parse().ok()).collect();
    let Some(whole) = whole else { return false };
    let starts = matches!(whole.first(), Some(0 | 1800..=2200));
    whole.len() > 1 && starts && whole.windows(2).all(|pair| pair[1] == pair[0] + 1)
}

fn has_twice(cells: &[Cell]) -> bool {
    let mut values: Vec<&str> = cells.iter().map(|cell| cell.value).collect();
    values.sort_unstable();
    values.windows(2).any(|pair| pair[0] == pair[1])
}

impl<'v> Cell<'v> {
    fn new(value: &'v str, below: &Dictionary, missing: &MissingValues) -> Self {
        let (number, body) = (Number::parse(value), Body::of(below, missing));
        let is_date = || date::parse(value).is_some();
        let likeness = match body {
            Body::Numbers if number.is_some() => Likeness::Like,
            Body::Dates if is_date() => Likeness::Like,
            Body::Numbers | Body::Dates => Likeness::Unlike,
            Body::Opposites if number.is_none() && !below.contains_in_any_case(value) => {
                Likeness::Unlike
            }
            Body::Digits if !has_digit(value) => Likeness::Unlike,
            Body::Opposites | Body::Digits | Body::Other => Likeness::Unknown,
        };
        Cell { value, number, likeness, comes_again: below.contains(value) }
    }
}

/// What the values of a column are, nearly all of them.
#[derive(Clone, Copy)]
enum Body {
    Numbers,
    Dates,
    Opposites,
    /// Values with a digit in them.
    Digits,
    /// Words, or nothing.
    Other,
}

impl Body {
    /// The most values that are looked at: a column may have millions.
    const ENOUGH: usize = 1000;

    fn of(below: &Dictionary, missing: &MissingValues) -> Self {
        let present = |value: &&String| !missing.contains(value);
        let values: Vec<&str> =
            (below.values.iter().filter(present)).map(String::as_str).take(Self::ENOUGH).collect();
        let nearly_all = |fits: fn(&str) -> bool| {
            let others = values.iter().filter(|value| !fits(value)).count();
            !values.is_empty() && 10 * others <= values.len()
        };
        if nearly_all(|value| Number::parse(value).is_some()) {
            Body::Numbers
        } else if nearly_all(|value| date::parse(value).is_some()) {
            Body::Dates
        } else if are_opposites(values.iter().copied()) {
            Body::Opposites
        } else if nearly_all(has_digit) {
            Body::Digits
        } else {
            Body::Other
        }
    }
}

fn has_digit(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::super::{Header, read_table};
    use super::*;
    use HeaderGuess::*;

    fn judged(text: &str, names: &[&str]) -> (bool, Option<HeaderGuess>) {
        let names = names.iter().map(|name| name.to_string()).collect();
        let options = ReadOptions { names, ..ReadOptions::default() };
        let (_, assumed) = read_table(text.as_bytes(), &options).unwrap();
        (assumed.header, assumed.guess)
    }

    #[test]
    fn the_first_line_is_judged_by_the_values_below() {
        let (names, row) = (true, false);
        for (text, is_header, guess) in [
            // Words above numbers, dates, opposites or values with digits.
            ("age,b\n1,x\n2,y\n", names, None),
            ("b,day\nx,2024-01-01\ny,2024-01-02\n", names, None),
            ("x1,x2\n0,1\n1,1\n", names, None),
            ("a,smoker\nx,yes\ny,no\nz,yes\n", names, None),
            ("patient,b\np1,x\np2,y\n", names, None),
            ("rate,b\n12%,x\n9%,y\n", names, None),
            ("age,b\n1,x\n?,y\n", names, None),
            (",age,b\n0,4,x\n1,5,y\n", names, None),
            ("\"age\",\"b\"\n\"1\",x\n\"2\",y\n", names, None),
            ("age,age2\n1,2\n3,4\n", names, None),
            // Evidence for both.
            ("smoker,age,y\nmaybe,41,y\nno,30,n\nyes,41,n\n", names, Some(MostlyUnlike)),
            ("id,2010,2020\n1,3.5,9\n2,2.5,9\n", names, Some(MostlyUnlike)),
            ("unknown,41,x,y\n12,41,x,y\n13,30,z,y\n", row, Some(MostlyLike)),
            // Numbers above numbers.
            ("0 1 1\n1 1 0\n1 0 1\n", row, None),
            ("5.1,3.5,setosa\n4.9,3.0,setosa\n", row, None),
            ("5.1,3.5\n4.9,3.0\n", row, Some(NumbersOnly)),
            ("\"5\",\"3\"\n\"4\",\"2\"\n", row, Some(NumbersOnly)),
            ("2024-01-01,x\n2024-01-02,x\n", row, None),
            ("1,2,3\n4,5,6\n", row, Some(NumbersOnly)),
            // Names that are numbers.
            ("2019,2020,2021\n5,6.5,7\n8,6,5\n", names, Some(CountsUp)),
            ("country,2019,2020\nFrance,6.5,7\nSpain,6,5\n", names, Some(CountsUp)),
            (",0,1,2\na,6.5,7,x\nb,6,5,x\n", names, Some(CountsUp)),
            ("0,1,1\n1,1,0\n", row, None),
            ("0,1\n1,0\n1,1\n", row, None),
            // Words only.
            ("colour,shape\nred,round\nred,square\n", names, Some(NoneAgain)),
            ("colour,shape,red\nred,round,red\nred,square,blue\n", names, Some(FewAgain)),
            ("red,shape\nred,round\nred,square\n", row, Some(ManyAgain)),
            ("red,round\nred,round\nblue,square\n", row, None),
            ("colour,colour\nred,round\nred,square\n", row, Some(SameTwice)),
            ("?,?\nred,round\nred,square\n", row, Some(AllMissing)),
            ("yes,x\nyes,x\nno,x\n", row, None),
            // One column.
            ("age\n1\n2\n", names, None),
            ("1\n1\n2\n", row, None),
            ("colour\nred\n", names, Some(NoneAgain)),
            ("red\nred\nblue\n", row, None),
        ] {
            assert_eq!(judged(text, &[]), (is_header, guess), "{text}");
        }
    }

    #[test]
    fn a_name_that_the_user_speaks_of_is_a_name() {
        let text = "red,round,3\nred,round,3\nblue,square,4\n";
        assert_eq!(judged(text, &[]), (false, None));
        assert_eq!(judged(text, &["green", "round"]), (true, None));
        assert_eq!(judged(text, &["last", "3"]), (false, None), "the third column");
        assert_eq!(judged("1,2019\n1,2019\n", &["2019"]), (true, None), "no position");
    }

    #[test]
    fn nearly_all_values_tell_the_kind() {
        let with = |words: usize| {
            let numbers = (0..20).map(|number| format!("{number},x\n"));
            let words =
                ["none,x\n", "few,x\n", "many,x\n"].iter().take(words).map(ToString::to_string);
            let rows: String = numbers.chain(words).collect();
            judged(&format!("age,x\n{rows}"), &[])
        };
        assert_eq!(with(2), (true, Some(MostlyUnlike)));
        assert_eq!(
            with(3),
            (false, Some(ManyAgain)),
            "every value has a digit, but for three words"
        );
    }

    #[test]
    fn a_column_is_not_skipped_by_a_name_that_is_none() {
        let read = |text: &str, skip: &str, header: Header| {
            let options = ReadOptions { skip: vec![skip.into()], header, ..ReadOptions::default() };
            let read = read_table(text.as_bytes(), &options);
            read.map(|(table, _)| table.skipped()[0].0).map_err(|error| error.to_string())
        };
        let row = "a,3,2\na,3,2\nb,4,5\n";
        let message = read(row, "2", Header::Detect).unwrap_err();
        assert!(
            message.contains("whether \"2\" is the name of a column or its position"),
            "{message}"
        );
        assert_eq!(read(row, "2", Header::Absent), Ok(1));
        assert_eq!(read(row, "2", Header::Present), Ok(2));
        assert_eq!(read(row, "1", Header::Detect), Ok(0));
        assert_eq!(read(row, "a", Header::Detect), Ok(0), "a name that is asked for");
    }
}
