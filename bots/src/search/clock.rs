//! When a search has to stop.

use std::time::Instant;

/// Says when a search has to stop.
pub trait Clock {
    /// Whether time is up. It is asked about every hundred microseconds.
    fn is_up(&mut self) -> bool;
}

/// Time is never up.
#[derive(Debug, Clone, Copy)]
pub struct Unlimited;

impl Clock for Unlimited {
    fn is_up(&mut self) -> bool {
        false
    }
}

/// Time is up at an instant, if there is one.
#[derive(Debug, Clone, Copy)]
pub struct Deadline(
    /// That instant.
    pub Option<Instant>,
);

impl Clock for Deadline {
    fn is_up(&mut self) -> bool {
        self.0.is_some_and(|instant| Instant::now() >= instant)
    }
}
