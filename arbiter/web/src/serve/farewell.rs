//! What the end of a server waits for.

use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long a bot that thinks, or is being built, may go on once the server is to end.
const LONGEST: Duration = Duration::from_secs(5);
/// How long it is between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// Waits for these threads, and says whether all of them have ended.
pub(super) fn have_ended<'a, T: 'a>(
    threads: impl Iterator<Item = &'a JoinHandle<T>> + Clone,
) -> bool {
    let begun = Instant::now();
    let ended = || threads.clone().all(JoinHandle::is_finished);
    while begun.elapsed() < LONGEST && !ended() {
        thread::sleep(PAUSE);
    }
    ended()
}
