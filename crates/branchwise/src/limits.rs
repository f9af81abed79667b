//! When to stop: the same limits for every stage, from the first byte read to the last tree found.
//!
//! [`Limits`] do not change the question, they end the work on it: whatever a search has by then, a tree and
//! a bound on how much better one there can be, is the result.
//!
//! A `Watch` is started with a piece of work, and keeps its limits. No loop may run for long without asking
//! it, whatever the shape of the table. Since a clock is slow to read, loops ask through a `Pulse`, which
//! counts work and looks at the watch about once a millisecond. Whoever is about to hold much more memory
//! asks for room before.

use crate::memory;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A flag that another thread, or a signal, can raise to end the work.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Ask the work to stop.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it has been asked to.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// When to stop; the default never does.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// The longest that the work may take: encoding and search together, or reading.
    #[serde(with = "seconds")]
    pub time: Option<Duration>,
    /// The most iterations of a search.
    pub iterations: Option<u64>,
    /// The most bytes that the process may hold, if it counts them ([`memory::Counting`]); otherwise the
    /// most that problem and search may hold. Where none is set, a process that counts stops when nine
    /// tenths of the memory that was free at the start are used up.
    pub memory: Option<u64>,
    /// The most bytes of the memo of the engine `fast`, which then forgets what took least work: it
    /// does not end the search, which only takes longer.
    pub memo: Option<u64>,
    /// The number of threads that the engine `fast` may use: one, the caller's own, unless more are asked
    /// for; at most [`usable_threads`].
    pub threads: Option<NonZeroUsize>,
    /// A flag to be watched.
    #[serde(skip)]
    pub stop: StopFlag,
}

/// Two limits are equal if they stop the same work at the same point; each piece of work has its own flag.
impl PartialEq for Limits {
    fn eq(&self, other: &Self) -> bool {
        let parts = |l: &Limits| (l.time, l.iterations, l.memory, l.memo, l.threads);
        parts(self) == parts(other)
    }
}

/// A duration as a number of seconds.
mod seconds {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use std::time::Duration;

    pub(super) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(|time| time.as_secs_f64()).serialize(out)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(
        input: D,
    ) -> Result<Option<Duration>, D::Error> {
        let seconds = Option::<f64>::deserialize(input)?;
        seconds.map(Duration::try_from_secs_f64).transpose().map_err(D::Error::custom)
    }
}

/// Which limit ended the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum StopReason {
    /// The time was up.
    Time,
    /// The iterations were used up.
    Iterations,
    /// The memory was used up.
    Memory,
    /// The stop flag was raised.
    Interrupted,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Time => "time limit",
            StopReason::Iterations => "iteration limit",
            StopReason::Memory => "memory limit",
            StopReason::Interrupted => "interrupted",
        })
    }
}

/// As many of these threads as the machine can use: eight for each of its processors at most. More would
/// only wait for each other, and for a limit they would have to be heard one after the other.
pub fn usable_threads(asked: NonZeroUsize) -> NonZeroUsize {
    const FOR_EACH_PROCESSOR: usize = 8;
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    asked.min(NonZeroUsize::MIN.saturating_add(FOR_EACH_PROCESSOR * processors - 1))
}

/// The limits of a piece of work that has begun.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    limits: Limits,
    start: Instant,
    /// The most bytes that may be held: the limit, or what the system has where none is set.
    most_bytes: Option<u64>,
}

impl Watch {
    pub(crate) fn start(limits: &Limits) -> Self {
        let most_bytes = limits.memory.or_else(memory::ceiling);
        Watch { limits: limits.clone(), start: Instant::now(), most_bytes }
    }

    /// Without any limit.
    pub(crate) fn endless() -> Self {
        Watch::start(&Limits::default())
    }

    /// The most bytes for a memo beside what is held, `held` if that is not counted.
    pub(crate) fn memo_limit(&self, held: usize) -> Option<usize> {
        let held = memory::in_use().unwrap_or(held);
        let rest = self.limits.memory.map(|limit| (limit as usize).saturating_sub(held) / 4 * 3);
        let asked = self.limits.memo.map(|limit| limit as usize);
        rest.into_iter().chain(asked).min()
    }

    /// The limit on bytes, if one is set. (What the system has does not count: it is not the same in
    /// every run.)
    pub(crate) fn memory_limit(&self) -> Option<u64> {
        self.limits.memory
    }

    /// The number of threads that may be used.
    pub(crate) fn threads(&self) -> usize {
        self.limits.threads.map_or(1, |asked| usable_threads(asked).get())
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the work may go on: flag, clock, and memory where it is counted.
    pub(crate) fn check(&self) -> Result<(), StopReason> {
        self.room_for(0, 0)?;
        self.poll_clock().map_or(Ok(()), Err)
    }

    /// Whether `more` bytes may be taken beside what is held: `held`, if that is not counted.
    pub(crate) fn room_for(&self, held: usize, more: usize) -> Result<(), StopReason> {
        if self.limits.stop.is_raised() {
            return Err(StopReason::Interrupted);
        }
        let bytes = memory::in_use().unwrap_or(held).saturating_add(more);
        let is_too_much = self.most_bytes.is_some_and(|most| bytes as u64 > most);
        if is_too_much { Err(StopReason::Memory) } else { Ok(()) }
    }

    /// Whether a search must stop that has done this many iterations and will hold `more` bytes beside what
    /// it holds; whatever the time is, for a clock is slow to read.
    pub(crate) fn poll_but_clock(
        &self,
        iterations: u64,
        held: usize,
        more: usize,
    ) -> Option<StopReason> {
        if self.limits.iterations.is_some_and(|most| iterations >= most) {
            return Some(StopReason::Iterations);
        }
        self.room_for(held, more).err()
    }

    /// Whether the time is up.
    pub(crate) fn poll_clock(&self) -> Option<StopReason> {
        let time = self.limits.time.filter(|&time| self.elapsed() >= time);
        time.map(|_| StopReason::Time)
    }

    /// A pulse for a loop.
    pub(crate) fn pulse(&self) -> Pulse<'_> {
        Pulse { watch: self, left: Pulse::BETWEEN_LOOKS }
    }
}

/// Counts the work of a loop, and looks at the watch about once a millisecond.
#[derive(Clone, Debug)]
pub(crate) struct Pulse<'w> {
    watch: &'w Watch,
    /// The work until the next look.
    left: u64,
}

impl<'w> Pulse<'w> {
    /// The work between two looks, in steps of about a nanosecond: a word or a value that is touched.
    const BETWEEN_LOOKS: u64 = 1 << 20;

    /// So much work was done, or is about to be; whether to go on.
    #[inline(always)]
    pub(crate) fn spend(&mut self, work: usize) -> Result<(), StopReason> {
        match self.left.checked_sub(work as u64) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => self.look(),
        }
    }

    /// Allow this much work before the next look, for an answer that is to be read off in any case.
    pub(crate) fn grant(&mut self, work: u64) {
        self.left = work;
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) -> Result<(), StopReason> {
        self.left = Self::BETWEEN_LOOKS;
        self.watch.check()
    }

    /// Let a list of words grow to a length by zeros, piece by piece: to write to fresh memory takes time.
    pub(crate) fn extend_zeros(
        &mut self,
        list: &mut Vec<u64>,
        len: usize,
    ) -> Result<(), StopReason> {
        const PIECE: usize = 1 << 16;
        while list.len() < len {
            let next = len.min(list.len() + PIECE);
            self.spend(next - list.len())?;
            list.resize(next, 0);
        }
        Ok(())
    }

    /// Ask for room before more memory is taken, as [`Watch::room_for`].
    pub(crate) fn room_for(&self, held: usize, more: usize) -> Result<(), StopReason> {
        self.watch.room_for(held, more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poll(watch: &Watch, iterations: u64, held: usize) -> Option<StopReason> {
        watch.poll_but_clock(iterations, held, 0).or_else(|| watch.poll_clock())
    }

    #[test]
    fn every_limit_is_polled() {
        let poll = |limits: Limits| poll(&Watch::start(&limits), 10, 1000);
        assert_eq!(poll(Limits::default()), None);
        let time = Limits { time: Some(Duration::ZERO), ..Limits::default() };
        assert_eq!(poll(time), Some(StopReason::Time));
        let iterations = |n| Limits { iterations: Some(n), ..Limits::default() };
        assert_eq!(poll(iterations(10)), Some(StopReason::Iterations));
        assert_eq!(poll(iterations(11)), None);
        let memory = |bytes| Limits { memory: Some(bytes), ..Limits::default() };
        assert_eq!(poll(memory(999)), Some(StopReason::Memory));
        assert_eq!(poll(memory(1000)), None);
        let flagged = Limits::default();
        flagged.stop.raise();
        assert_eq!(poll(flagged), Some(StopReason::Interrupted));
    }

    #[test]
    fn a_pulse_looks_now_and_then() {
        let flagged = Limits::default();
        let watch = Watch::start(&flagged);
        let mut pulse = watch.pulse();
        flagged.stop.raise();
        let looks = (0..100_000).filter(|_| pulse.spend(100).is_err()).count();
        assert!((5..=10).contains(&looks), "{looks}");
        assert_eq!(pulse.spend(usize::MAX), Err(StopReason::Interrupted));
    }

    #[test]
    fn no_more_threads_than_the_machine_can_use() {
        let usable = |asked| usable_threads(NonZeroUsize::new(asked).unwrap()).get();
        assert_eq!(usable(1), 1);
        assert_eq!(usable(usize::MAX) % 8, 0);
    }
}
