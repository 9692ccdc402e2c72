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
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::Router;
use rand::TryRng;
use rand::rngs::SysRng;
use tokio::sync::Notify;

use crate::submissions::state::SubmissionPage;
pub use alone::{RemoteServer, remote_server};
use hub::Hub;
use league::remote::SOCKET;
pub use routes::GamesOffer;

/// The longest time between two looks at the deadlines.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// The hub of a server, for several threads.
#[derive(Debug)]
pub(crate) struct RemoteHub {
    hub: Mutex<Hub>,
    /// Wakes the polls.
    changed: Notify,
    /// Wakes the clock.
    woken: Condvar,
}

impl RemoteHub {
    pub(crate) fn new() -> Arc<RemoteHub> {
        // Events of a later server have greater numbers.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let first = u64::try_from(since.as_millis()).unwrap_or_default();
        let hub = Mutex::new(Hub::new(Instant::now(), first));
        Arc::new(RemoteHub { hub, changed: Notify::new(), woken: Condvar::new() })
    }

    /// Changes the hub, and wakes the polls and the clock.
    fn change<T>(&self, change: impl FnOnce(&mut Hub) -> T) -> T {
        let changed = self.with(change);
        self.changed.notify_waiters();
        self.woken.notify_all();
        changed
    }

    fn with<T>(&self, look: impl FnOnce(&mut Hub) -> T) -> T {
        look(&mut self.hub.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Ends requests when their time is over, in a thread, as long as the hub is used.
    fn start_clock(self: &Arc<Self>) -> io::Result<()> {
        let hub = Arc::downgrade(self);
        let keep_time = move || {
            while let Some(hub) = hub.upgrade() {
                let mut state = hub.hub.lock().unwrap_or_else(PoisonError::into_inner);
                let now = Instant::now();
                let next = state.look(now).unwrap_or(now + LONGEST_PAUSE);
                // A deadline is over a moment after it.
                let pause = next.saturating_duration_since(now) + Duration::from_millis(1);
                drop(hub.woken.wait_timeout(state, pause.min(LONGEST_PAUSE)));
            }
        };
        thread::Builder::new().name("remote clock".to_owned()).spawn(keep_time).map(drop)
    }
}

/// The routes for the remote bots of a league, whose games come at a socket in its folder.
///
/// # Errors
///
/// Fails if another server asks them.
pub(crate) fn of_league(league: Arc<SubmissionPage>) -> io::Result<Router> {
    let hub = RemoteHub::new();
    #[cfg(unix)]
    {
        let path = league.folder().path().join(SOCKET);
        // It lasts as long as the server; what it leaves behind is replaced by the next one.
        std::mem::forget(socket::GameSocket::listen(&path, Arc::clone(&hub))?);
    }
    hub.start_clock()?;
    Ok(routes::routes(routes::Entrance::of_league(hub, league)))
}

/// A new secret of 128 bits in hexadecimal digits.
fn drawn_id() -> io::Result<String> {
    let mut bits = [0; 16];
    SysRng.try_fill_bytes(&mut bits).map_err(io::Error::other)?;
    Ok(bits.iter().map(|byte| format!("{byte:02x}")).collect())
}
