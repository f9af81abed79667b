//! Patience: how far the root goes with one of its actions beyond where another is better.
//!
//! With little patience the proven bound rises steadily, but branches are left early and expanded again
//! and again. With much, the search goes deep where a rising bound would have closed it. Which of the
//! two costs more depends on the table: on small tables with strong features the same branches are met
//! in any order, and only repeats cost; on noisy ones hardly a branch is met twice, and every L of
//! patience opens more of them. So the search watches its own repeats.
//!
//! In thousands of expansions, with the share of repeats, by patience:
//!
//! | L | lymph | balance | 500 noisy rows | 1,000 noisy rows | the same, another seed |
//! |---|---|---|---|---|---|
//! | ½ | 386, .67 | 254, .73 | 335, .25 | 396, .10 | 1,177 |
//! | 1 | 341, .60 | 210, .68 | 378, .21 | 396, .09 | 1,515 |
//! | 3 | 189, .34 | 176, .61 | 519, .13 | 481, .06 | 3,471 |
//! | 6 | 168, .21 | 154, .55 | 1,212, .07 | more than 1,623, .01 | |
//! | by repeats | 187 | 154 | 345 | 412 | 1,237 |
//!
//! To begin with ½ L, to wait for more expansions before each change, or to change at other shares is
//! better on some of these by up to 30 %, and worse on others by as much; in all of them together none of
//! sixteen settings was faster.

use crate::search::bounds::Cost;

/// The patience of a worker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// The price of the cheapest split, L.
    split: Cost,
    beyond: Cost,
    /// Expansions, and those of row sets that had been expanded before.
    expansions: u64,
    repeats: u64,
}

impl Patience {
    pub(crate) fn new(split: Cost) -> Self {
        Patience { split, beyond: split, expansions: 0, repeats: 0 }
    }

    /// A branch is expanded.
    pub(crate) fn count(&mut self, repeated: bool) {
        self.expansions += 1;
        self.repeats += u64::from(repeated);
    }

    /// How far to go now.
    pub(crate) fn beyond(&mut self) -> Cost {
        if self.expansions >= ENOUGH {
            let share = 100 * self.repeats / self.expansions;
            if share > MOST_REPEATS {
                self.beyond = (self.beyond + self.beyond / 2 + 1).min(8 * self.split);
            } else if share < LEAST_REPEATS {
                self.beyond = (self.beyond - self.beyond / 3).max(self.split / 2);
            }
            // What is long ago counts less and less.
            self.expansions -= self.expansions / 4;
            self.repeats -= self.repeats / 4;
        }
        self.beyond
    }
}

/// The share of repeats is judged after this many expansions.
const ENOUGH: u64 = 1000;

/// Repeats in a hundred expansions: with more, patience grows; with fewer, it shrinks.
const MOST_REPEATS: u64 = 35;
const LEAST_REPEATS: u64 = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_make_patient_and_news_impatient() {
        let mut patience = Patience::new(1000);
        let mut after = |n: u64, repeats_in_ten: u64| {
            (0..n).for_each(|i| patience.count(i % 10 < repeats_in_ten));
            patience.beyond()
        };
        assert_eq!(after(ENOUGH - 1, 10), 1000);
        assert_eq!(after(1, 10), 1501);
        for _ in 0..20 {
            after(ENOUGH, 10);
        }
        assert_eq!(after(ENOUGH, 3), 8000);
        for _ in 0..50 {
            after(ENOUGH, 1);
        }
        assert_eq!(after(ENOUGH, 1), 500);
        assert_eq!(after(ENOUGH, 3), 500);
    }
}
