//! A stop of a tournament that waits for deals.

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering};

/// A stop that waits for deals: a deal that a table has begun is played in all of its games.
#[derive(Debug, Clone, Copy)]
pub struct AfterDeals<'a> {
    /// Set once it is to come.
    pub asked: &'a AtomicBool,
    /// Number of games of a table with the same deal.
    pub games: NonZeroU64,
}

impl AfterDeals<'_> {
    /// Returns true if the stop was asked for, and a deal of a table begins with this game.
    pub(super) fn comes_before(self, game: u64) -> bool {
        self.asked.load(Ordering::SeqCst) && game.is_multiple_of(self.games.get())
    }
}
