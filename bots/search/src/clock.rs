//! When a search has to stop.

use std::time::Instant;

/// Says when a search has to stop.
pub trait Clock {
    /// Returns true if time is up. It is asked about every hundred microseconds.
    fn is_up(&mut self) -> bool;
}

/// Time is never up.
#[derive(Debug, Clone, Copy)]
pub struct Unlimited;

impl Clock for Unlimited {
    #[inline]
    fn is_up(&mut self) -> bool {
        false
    }
}

/// Time is up at an instant, if there is one.
#[derive(Debug, Clone, Copy)]
pub struct Deadline(
    /// The instant.
    pub Option<Instant>,
);

impl Clock for Deadline {
    #[inline]
    fn is_up(&mut self) -> bool {
        self.0.is_some_and(|instant| Instant::now() >= instant)
    }
}
