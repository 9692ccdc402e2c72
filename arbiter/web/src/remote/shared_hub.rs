//! The hub of a server, for several threads, with a clock.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
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
pub(super) struct SharedHub {
    state: Mutex<HubState>,
    /// Wakes the clock.
    woken: Condvar,
}

#[derive(Debug)]
struct HubState {
    hub: Hub,
    /// Wakes the polls of each bot.
    polls: HashMap<String, Arc<Notify>>,
    /// The time at which the clock looks at the deadlines, unless it is woken.
    looks_at: Instant,
}

impl SharedHub {
    pub(super) fn new() -> Arc<SharedHub> {
        // Events of a later server have greater numbers.
        let first = u64::try_from(calendar::now().as_millisecond()).unwrap_or_default();
        let now = Instant::now();
        let hub = Hub::new(now, first);
        let state = Mutex::new(HubState { hub, polls: HashMap::new(), looks_at: now });
        Arc::new(SharedHub { state, woken: Condvar::new() })
    }

    /// Changes what concerns a bot, and wakes its polls.
    pub(super) fn change<T>(&self, bot: &str, change: impl FnOnce(&mut Hub) -> T) -> T {
        let mut state = self.state();
        let changed = change(&mut state.hub);
        self.look_at(bot, &mut state);
        if let Some(polls) = state.polls.get(bot) {
            polls.notify_waiters();
        }
        changed
    }

    /// Changes what concerns a bot without any news for its polls.
    pub(super) fn change_quietly<T>(&self, bot: &str, change: impl FnOnce(&mut Hub) -> T) -> T {
        let mut state = self.state();
        let changed = change(&mut state.hub);
        self.look_at(bot, &mut state);
        changed
    }

    pub(super) fn with<T>(&self, look: impl FnOnce(&Hub) -> T) -> T {
        look(&self.state().hub)
    }

    /// Says that no more games come.
    pub(super) fn finish(&self) {
        let mut state = self.state();
        state.hub.finish();
        state.polls.values().for_each(|polls| polls.notify_waiters());
    }

    /// What wakes the polls of a bot.
    pub(super) fn polls(&self, bot: &str) -> Arc<Notify> {
        Arc::clone(self.state().polls.entry(bot.to_owned()).or_default())
    }

    /// Ends requests when their time is over, in a thread, as long as the hub is used.
    pub(super) fn start_clock(self: &Arc<Self>) -> io::Result<()> {
        let hub = Arc::downgrade(self);
        let keep_time = move || {
            while let Some(hub) = hub.upgrade() {
                let now = Instant::now();
                let mut state = hub.state();
                let next = state.hub.look(past(now));
                state.looks_at = next.map_or(now + LONGEST_PAUSE, look_after);
                let pause = state.looks_at.saturating_duration_since(now).min(LONGEST_PAUSE);
                drop(hub.woken.wait_timeout(state, pause));
            }
        };
        thread::Builder::new().name("remote clock".to_owned()).spawn(keep_time).map(drop)
    }

    fn state(&self) -> MutexGuard<'_, HubState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the clock if a deadline of a bot comes before its next look.
    fn look_at(&self, bot: &str, state: &mut HubState) {
        let next = state.hub.look_at(bot, past(Instant::now()));
        if next.is_some_and(|next| look_after(next) < state.looks_at) {
            self.woken.notify_all();
        }
    }
}

/// The time whose deadlines are over: an answer that came in time may still be on its way to the hub.
fn past(now: Instant) -> Instant {
    now.checked_sub(ALLOWANCE).unwrap_or(now)
}

/// The time at which a deadline is over: a moment after it.
fn look_after(deadline: Instant) -> Instant {
    deadline + ALLOWANCE + Duration::from_millis(1)
}

/// A new secret of 128 bits in hexadecimal digits.
pub(super) fn drawn_id() -> io::Result<String> {
    let mut bits = [0; 16];
    SysRng.try_fill_bytes(&mut bits).map_err(io::Error::other)?;
    Ok(bits.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    #[test]
    fn news_of_a_bot_wakes_its_own_polls_alone() {
        let hub = SharedHub::new();
        let (anna, boris) = (hub.polls("anna"), hub.polls("boris"));
        let (mut anna, mut boris) = (pin!(anna.notified()), pin!(boris.notified()));
        let mut context = Context::from_waker(Waker::noop());
        assert_eq!(anna.as_mut().poll(&mut context), Poll::Pending);
        assert_eq!(boris.as_mut().poll(&mut context), Poll::Pending);
        hub.change_quietly("anna", |_| ());
        assert_eq!(anna.as_mut().poll(&mut context), Poll::Pending);
        hub.change("anna", |_| ());
        assert_eq!(anna.as_mut().poll(&mut context), Poll::Ready(()));
        assert_eq!(boris.as_mut().poll(&mut context), Poll::Pending);
        hub.finish();
        assert_eq!(boris.as_mut().poll(&mut context), Poll::Ready(()));
    }
}
