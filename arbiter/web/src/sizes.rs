//! The sizes of the parts of a league. To count them takes as long as there are files, so a page waits for a count only
//! for a moment, and shows the last one otherwise.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use league::disk_budget;
use league::folder::LeagueFolder;

/// The longest wait for the first count, and for a later one.
const PATIENCE: [Duration; 2] = [Duration::from_millis(40), Duration::from_millis(10)];
/// A count takes at most this fraction of the time, as its denominator.
const SHARE: u32 = 20;

/// Sizes in bytes; none where they are not known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PartSizes {
    pub(super) rounds: Option<u64>,
    pub(super) bots: Option<u64>,
    pub(super) submissions: Option<u64>,
}

/// The last counts.
#[derive(Debug, Default)]
pub(super) struct SizeCache(Arc<SizeCounter>);

#[derive(Debug, Default)]
struct SizeCounter {
    state: Mutex<CounterState>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct CounterState {
    last: PartSizes,
    is_counting: bool,
    /// The time of the next count.
    due: Option<Instant>,
}

impl SizeCache {
    /// Returns the sizes of a league, the same one each time. They may be a little old, and unknown at first.
    pub(super) fn sizes_of(&self, folder: &LeagueFolder) -> PartSizes {
        self.counted(PATIENCE, {
            let folder = folder.clone();
            move || {
                let below = |name: &str| disk_budget::size(&folder.path().join(name));
                PartSizes {
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
        count: impl FnOnce() -> PartSizes + Send + 'static,
    ) -> PartSizes {
        let mut state = self.0.state();
        if !state.is_counting && state.due.is_none_or(|due| due <= Instant::now()) {
            let counting = Arc::clone(&self.0);
            let begun = thread::Builder::new().name("sizes".to_owned()).spawn(move || {
                let running = RunningCount { counting: &counting, begun: Instant::now() };
                let counted = count();
                counting.state().last = counted;
                drop(running);
            });
            // Without a thread the next look tries again.
            state.is_counting = begun.is_ok();
        }
        let patience = if state.last == PartSizes::default() { first } else { later };
        let waited = self.0.ended.wait_timeout_while(state, patience, |state| state.is_counting);
        waited.unwrap_or_else(PoisonError::into_inner).0.last
    }
}

/// A count that is running; it ends also where it panics.
struct RunningCount<'a> {
    counting: &'a SizeCounter,
    begun: Instant,
}

impl Drop for RunningCount<'_> {
    fn drop(&mut self) {
        let mut state = self.counting.state();
        state.is_counting = false;
        state.due = Some(Instant::now() + self.begun.elapsed() * SHARE);
        self.counting.ended.notify_all();
    }
}

impl SizeCounter {
    fn state(&self) -> MutexGuard<'_, CounterState> {
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
        let sizes = SizeCache::default();
        let (end, ended) = mpsc::channel::<()>();
        let counted = |bots| PartSizes { bots: Some(bots), ..PartSizes::default() };
        let long = move || {
            let _ = ended.recv();
            counted(1)
        };
        assert_eq!(sizes.counted([Duration::ZERO; 2], long), PartSizes::default());
        let second = || -> PartSizes { unreachable!("a count is running") };
        assert_eq!(sizes.counted([Duration::ZERO; 2], second), PartSizes::default());
        end.send(()).expect("it waits");
        let last = sizes.counted([Duration::from_secs(600); 2], move || counted(2));
        assert!([counted(1), counted(2)].contains(&last), "{last:?}");
    }

    /// A count that panicked was taken for one that runs for ever.
    #[test]
    fn a_count_that_panics_has_ended() {
        let sizes = SizeCache::default();
        let failing = || -> PartSizes { panic!("a count fails") };
        sizes.counted([Duration::from_secs(600); 2], failing);
        assert!(!sizes.0.state().is_counting);
    }
}
