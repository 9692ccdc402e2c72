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

/// Time is up at an instant.
#[derive(Debug, Clone, Copy)]
pub struct Deadline(
    /// That instant.
    pub Instant,
);

impl Clock for Deadline {
    fn is_up(&mut self) -> bool {
        Instant::now() >= self.0
    }
}
