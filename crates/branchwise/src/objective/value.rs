//! What the paper engine adds up and compares: one integer per tree.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

/// The worth of a (partial) tree, or a bound on it, in the integers of its [`Objective`](super::Objective).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Value(i64);

impl Value {
    /// The integer of this value, for arithmetic that is not about trees.
    pub(crate) fn get(self) -> i64 {
        self.0
    }

    /// A value from its integer.
    pub(crate) fn new(value: i64) -> Value {
        Value(value)
    }
}

impl Add for Value {
    type Output = Value;
    fn add(self, other: Value) -> Value {
        Value(self.0 + other.0)
    }
}

impl AddAssign for Value {
    fn add_assign(&mut self, other: Value) {
        self.0 += other.0;
    }
}

impl Sub for Value {
    type Output = Value;
    fn sub(self, other: Value) -> Value {
        Value(self.0 - other.0)
    }
}

impl Sum for Value {
    fn sum<I: Iterator<Item = Value>>(values: I) -> Value {
        Value(values.map(|value| value.0).sum())
    }
}
