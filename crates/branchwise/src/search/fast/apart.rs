//! On cache lines of its own: what one thread writes often must not slow down what others read.

use std::ops::Deref;

/// A thing apart.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Apart<T>(pub(super) T);

impl<T> Deref for Apart<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
