//! The time of one call: begun once, absolute, monotonic.

use std::time::Duration;

#[cfg(target_os = "linux")]
use rustix::time::Timespec;

/// Started as soon as the system has started the program. What the program does then to be ready is its own time.
#[derive(Debug)]
pub(super) struct Clock {
    begun: Moment,
    /// `None` if the limit is beyond what the clock can count: then there is no deadline.
    deadline: Option<Moment>,
}

impl Clock {
    pub(super) fn start(limit: Duration) -> Clock {
        let begun = Moment::now();
        Clock { begun, deadline: begun.0.checked_add(limit).map(Moment) }
    }

    /// The deadline as the system's timers count it, if there is one.
    #[cfg(target_os = "linux")]
    pub(super) fn deadline(&self) -> Option<Timespec> {
        Timespec::try_from(self.deadline?.0).ok()
    }

    /// The time since the start.
    pub(super) fn wall(&self) -> Duration {
        Moment::now().0.saturating_sub(self.begun.0)
    }

    /// The time that is left until the deadline; zero when it has passed.
    pub(super) fn time_left(&self) -> Duration {
        self.deadline.map_or(Duration::MAX, |at| at.0.saturating_sub(Moment::now().0))
    }

    /// Returns true if a moment is one before the deadline.
    pub(super) fn is_in_time(&self, at: Moment) -> bool {
        self.deadline.is_none_or(|deadline| at <= deadline)
    }

    pub(super) fn is_over(&self) -> bool {
        self.time_left().is_zero()
    }
}

/// A reading of the monotonic clock, as the time since that clock was zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment(Duration);

impl Moment {
    /// On Linux it is the clock of the system's timers, so that a deadline and its timer come from
    /// one reading.
    #[cfg(target_os = "linux")]
    pub(super) fn now() -> Moment {
        use rustix::time::{ClockId, clock_gettime};
        // This clock is never below zero.
        Moment(clock_gettime(ClockId::Monotonic).try_into().unwrap_or_default())
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn now() -> Moment {
        use std::sync::LazyLock;
        use std::time::Instant;
        static ZERO: LazyLock<Instant> = LazyLock::new(Instant::now);
        Moment(ZERO.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_beyond_the_clock_is_no_deadline() {
        let clock = Clock::start(Duration::MAX);
        assert!(!clock.is_over());
        assert_eq!(clock.time_left(), Duration::MAX);
    }

    #[test]
    fn no_time_at_all_is_over_at_once() {
        assert!(Clock::start(Duration::ZERO).is_over());
    }

    /// A pause at the start of a clock makes neither of the two later.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_timer_and_the_deadline_are_the_same_moment() {
        for limit in [Duration::ZERO, Duration::from_nanos(1), Duration::from_secs(5)] {
            let clock = Clock::start(limit);
            let timer = clock.deadline().map(|at| Duration::try_from(at).expect("it is positive"));
            assert_eq!(timer, Some(clock.begun.0 + limit));
            assert_eq!(timer, clock.deadline.map(|at| at.0));
        }
    }
}
