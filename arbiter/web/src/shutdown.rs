//! The end of a server, while bots of its visitors still think or are being built.

use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The time that a bot that thinks, or is being built, has once the server is to end.
const FAREWELL: Duration = Duration::from_secs(5);

/// Waits for these threads for a while, and returns true if all of them have ended.
pub(super) fn have_ended<'a, T: 'a>(
    threads: impl Iterator<Item = &'a JoinHandle<T>> + Clone,
) -> bool {
    let begun = Instant::now();
    let ended = || threads.clone().all(JoinHandle::is_finished);
    while begun.elapsed() < FAREWELL && !ended() {
        thread::sleep(Duration::from_millis(20));
    }
    ended()
}
