//! Remote bots: programs on the machines of their authors that ask this server for their requests.
//!
//! # Theory of operation
//!
//! Games are played by another process, or by another thread; they hand their requests over at a socket ([`socket`]).
//! Clients fetch them by HTTP ([`routes`]), so they need to be reached by nobody. Between both is the [`hub`], which
//! knows the rules about time. A thread looks at it when the next deadline comes.

mod alone;
pub(crate) mod hub;
#[cfg(test)]
mod route_tests;
mod routes;
#[cfg(unix)]
mod socket;
#[cfg(all(test, target_os = "linux"))]
mod socket_tests;
#[cfg(test)]
mod tests;

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rand::TryRng;
use rand::rngs::SysRng;
use tokio::sync::Notify;

pub use alone::{RemoteServer, remote_server};
use hub::Hub;
pub use routes::GamesOffer;

/// The longest time between two looks at the deadlines.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// The hub of a server, for several threads.
#[derive(Debug)]
pub(crate) struct RemoteHub {
    hub: Mutex<Hub>,
    changed: Notify,
}

impl RemoteHub {
    pub(crate) fn new() -> Arc<RemoteHub> {
        // Events of a later server have greater numbers.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let first = u64::try_from(since.as_millis()).unwrap_or_default();
        let hub = Mutex::new(Hub::new(Instant::now(), first));
        Arc::new(RemoteHub { hub, changed: Notify::new() })
    }

    /// Changes the hub, and wakes the polls and the clock.
    fn change<T>(&self, change: impl FnOnce(&mut Hub) -> T) -> T {
        let changed = self.with(change);
        self.changed.notify_waiters();
        changed
    }

    fn with<T>(&self, look: impl FnOnce(&mut Hub) -> T) -> T {
        look(&mut self.hub.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Ends requests when their time is over, for ever.
    pub(crate) async fn keep_time(self: Arc<Self>) {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            let now = Instant::now();
            let next = self.with(|hub| hub.look(now)).unwrap_or(now + LONGEST_PAUSE);
            // A deadline is over a moment after it.
            let pause = next.saturating_duration_since(now) + Duration::from_millis(1);
            let _ = tokio::time::timeout(pause.min(LONGEST_PAUSE), changed).await;
        }
    }
}

/// A new secret of 128 bits in hexadecimal digits.
fn drawn_id() -> io::Result<String> {
    let mut bits = [0; 16];
    SysRng.try_fill_bytes(&mut bits).map_err(io::Error::other)?;
    Ok(bits.iter().map(|byte| format!("{byte:02x}")).collect())
}
