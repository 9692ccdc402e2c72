//! The hub of a server, for several threads, with a clock.

use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rand::TryRng;
use rand::rngs::SysRng;
use tokio::sync::Notify;

use super::hub::Hub;
use league::calendar;

/// The longest time between two looks at the deadlines.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// The time by which the end of a deadline is seen later than it is.
const ALLOWANCE: Duration = Duration::from_millis(250);

/// The hub of a server, for several threads.
#[derive(Debug)]
pub(super) struct RemoteHub {
    hub: Mutex<Hub>,
    /// Wakes the polls.
    pub(super) changed: Notify,
    /// Wakes the clock.
    pub(super) woken: Condvar,
}

impl RemoteHub {
    pub(super) fn new() -> Arc<RemoteHub> {
        // Events of a later server have greater numbers.
        let first = u64::try_from(calendar::now().as_millisecond()).unwrap_or_default();
        let hub = Mutex::new(Hub::new(Instant::now(), first));
        Arc::new(RemoteHub { hub, changed: Notify::new(), woken: Condvar::new() })
    }

    /// Changes the hub, and wakes the polls and the clock.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Hub) -> T) -> T {
        let changed = self.with(change);
        self.changed.notify_waiters();
        self.woken.notify_all();
        changed
    }

    pub(super) fn with<T>(&self, look: impl FnOnce(&mut Hub) -> T) -> T {
        look(&mut self.hub.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Ends requests when their time is over, in a thread, as long as the hub is used.
    pub(super) fn start_clock(self: &Arc<Self>) -> io::Result<()> {
        let hub = Arc::downgrade(self);
        let keep_time = move || {
            while let Some(hub) = hub.upgrade() {
                let mut state = hub.hub.lock().unwrap_or_else(PoisonError::into_inner);
                // An answer that came in time may still be on its way to the hub.
                let now = Instant::now();
                let past = now.checked_sub(ALLOWANCE).unwrap_or(now);
                let next = state.look(past).map_or(now + LONGEST_PAUSE, |next| next + ALLOWANCE);
                // A deadline is over a moment after it.
                let pause = next.saturating_duration_since(now) + Duration::from_millis(1);
                drop(hub.woken.wait_timeout(state, pause.min(LONGEST_PAUSE)));
            }
        };
        thread::Builder::new().name("remote clock".to_owned()).spawn(keep_time).map(drop)
    }
}

/// A new secret of 128 bits in hexadecimal digits.
pub(super) fn drawn_id() -> io::Result<String> {
    let mut bits = [0; 16];
    SysRng.try_fill_bytes(&mut bits).map_err(io::Error::other)?;
    Ok(bits.iter().map(|byte| format!("{byte:02x}")).collect())
}
