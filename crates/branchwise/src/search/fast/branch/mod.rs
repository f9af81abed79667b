//! A branch on the search's stack: its rows, its children and split actions with their bounds, and what
//! remains of the limits on depth and size.
//!
//! [`Frame`] holds it all. Bounds of children become bounds of actions, and these a bound of the branch,
//! in `sums`. Where leaves or splits are limited, an action's children share the room that is left:
//! `sharing` keeps bounds for each child and each amount of room. [`Remaining`] tells what is left to a
//! branch, and is part of what it is remembered by.

mod children;
mod frame;
mod keys;
mod remaining;
mod shares;
mod sharing;
mod sums;

pub(crate) use children::{Actions, Children};
pub(crate) use frame::Frame;
pub(crate) use remaining::Remaining;
pub(crate) use shares::Visit;
