//! Why the first line of a text was taken as names or as a row, for the user to check.

use std::fmt;

/// Why the first line was taken as names or as a row, where that is a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeaderGuess {
    /// Names: words stand above numbers, but some other value is like those below it.
    MostlyUnlike,
    /// A row: words stand above numbers, but more values come again in their columns.
    MostlyLike,
    /// Names: they count up, and none comes again.
    CountsUp,
    /// A row: there are numbers above numbers, but no value comes again.
    NumbersOnly,
    /// Names: no value comes again in its column.
    NoneAgain,
    /// Names: fewer than half of the values come again in their columns.
    FewAgain,
    /// A row: half of the values or more come again in their columns.
    ManyAgain,
    /// A row: two of the values are equal.
    SameTwice,
    /// A row: every value on it is missing.
    AllMissing,
}

impl fmt::Display for HeaderGuess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HeaderGuess::MostlyUnlike => {
                "it has words above numbers, dates or opposites, though another of its values is like \
                 those below"
            }
            HeaderGuess::MostlyLike => {
                "most of its values come again in their columns, though some are words above numbers, \
                 dates or opposites"
            }
            HeaderGuess::CountsUp => "it counts up, and none of its values comes again in its column",
            HeaderGuess::NumbersOnly => {
                "it has numbers or dates above others, though none of its values comes again in its \
                 column"
            }
            HeaderGuess::NoneAgain => "none of its values comes again in its column",
            HeaderGuess::FewAgain => "fewer than half of its values come again in their columns",
            HeaderGuess::ManyAgain => "half of its values or more come again in their columns",
            HeaderGuess::SameTwice => "two of its values are the same",
            HeaderGuess::AllMissing => "it has no value that could be a name",
        })
    }
}
