//! The sizes of the parts of a league. To count them takes as long as there are files, so a page waits for a count only
//! for a moment, and shows the last one otherwise.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use league::folder::LeagueFolder;
use league::room;

/// The longest wait for the first count, and for a later one.
const PATIENCE: [Duration; 2] = [Duration::from_millis(40), Duration::from_millis(10)];
/// A count takes at most this fraction of the time, as its denominator.
const SHARE: u32 = 20;

/// Sizes in bytes; none where they are not known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) rounds: Option<u64>,
    pub(super) bots: Option<u64>,
    pub(super) submissions: Option<u64>,
}

/// The last counts.
#[derive(Debug, Default)]
pub(super) struct Sizes(Arc<Counting>);

#[derive(Debug, Default)]
struct Counting {
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct State {
    last: Counted,
    is_counting: bool,
    /// The time of the next count.
    due: Option<Instant>,
}

impl Sizes {
    /// Returns the sizes of a league, the same one each time. They may be a little old, and unknown at first.
    pub(super) fn of(&self, folder: &LeagueFolder) -> Counted {
        self.counted(PATIENCE, {
            let folder = folder.clone();
            move || {
                let below = |name: &str| room::size(&folder.path().join(name));
                Counted {
                    rounds: below("rounds"),
                    bots: below("bots"),
                    submissions: below("submissions"),
                }
            }
        })
    }

    fn counted(
        &self,
        [first, later]: [Duration; 2],
        count: impl FnOnce() -> Counted + Send + 'static,
    ) -> Counted {
        let mut state = self.0.state();
        if !state.is_counting && state.due.is_none_or(|due| due <= Instant::now()) {
            let counting = Arc::clone(&self.0);
            let begun = thread::Builder::new().name("sizes".to_owned()).spawn(move || {
                let running = Running { counting: &counting, begun: Instant::now() };
                let counted = count();
                counting.state().last = counted;
                drop(running);
            });
            // Without a thread the next look tries again.
            state.is_counting = begun.is_ok();
        }
        let patience = if state.last == Counted::default() { first } else { later };
        let waited = self.0.ended.wait_timeout_while(state, patience, |state| state.is_counting);
        waited.unwrap_or_else(PoisonError::into_inner).0.last
    }
}

/// A count that is running; it ends also where it panics.
struct Running<'a> {
    counting: &'a Counting,
    begun: Instant,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut state = self.counting.state();
        state.is_counting = false;
        state.due = Some(Instant::now() + self.begun.elapsed() * SHARE);
        self.counting.ended.notify_all();
    }
}

impl Counting {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// The page of a league with 5,000 submissions took a second.
    #[test]
    fn a_page_does_not_wait_for_a_long_count_and_none_begins_meanwhile() {
        let sizes = Sizes::default();
        let (end, ended) = mpsc::channel::<()>();
        let counted = |bots| Counted { bots: Some(bots), ..Counted::default() };
        let long = move || {
            let _ = ended.recv();
            counted(1)
        };
        assert_eq!(sizes.counted([Duration::ZERO; 2], long), Counted::default());
        let second = || -> Counted { unreachable!("a count is running") };
        assert_eq!(sizes.counted([Duration::ZERO; 2], second), Counted::default());
        end.send(()).expect("it waits");
        let last = sizes.counted([Duration::from_secs(600); 2], move || counted(2));
        assert!([counted(1), counted(2)].contains(&last), "{last:?}");
    }

    /// A count that panicked was taken for one that runs for ever.
    #[test]
    fn a_count_that_panics_has_ended() {
        let sizes = Sizes::default();
        let failing = || -> Counted { panic!("a count fails") };
        sizes.counted([Duration::from_secs(600); 2], failing);
        assert!(!sizes.0.state().is_counting);
    }
}
