//! The time of one call: begun once, absolute, monotonic.

use std::time::{Duration, Instant};

/// Started before the spawn, so that a slow start is the program's own time.
pub(super) struct Clock {
    begun: Instant,
    /// Nothing where the limit is beyond what the clock can count: then there is no deadline.
    deadline: Option<Instant>,
}

impl Clock {
    pub(super) fn start(limit: Duration) -> Clock {
        let begun = Instant::now();
        Clock { begun, deadline: begun.checked_add(limit) }
    }

    /// The time since the start.
    pub(super) fn wall(&self) -> Duration {
        self.begun.elapsed()
    }

    /// The time that is left until the deadline; zero when it has passed.
    pub(super) fn left(&self) -> Duration {
        self.deadline.map_or(Duration::MAX, |at| at.saturating_duration_since(Instant::now()))
    }

    pub(super) fn is_over(&self) -> bool {
        self.left().is_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_beyond_the_clock_is_no_deadline() {
        let clock = Clock::start(Duration::MAX);
        assert!(!clock.is_over());
        assert_eq!(clock.left(), Duration::MAX);
    }

    #[test]
    fn no_time_at_all_is_over_at_once() {
        assert!(Clock::start(Duration::ZERO).is_over());
    }
}
