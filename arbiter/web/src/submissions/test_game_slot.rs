//! The one place of a server at which test games are played.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use league::test_games::record::TestGame;
use league::test_games::{BeginTestGameError, StartedTestGame};
use text::failure::Failure;
use text::printable;
use text::terminal::say;

use crate::shutdown::have_ended;

/// The place, at which one test game of all leagues of a server is played at a time.
#[derive(Debug, Default)]
pub(crate) struct TestGameSlot(Mutex<SlotState>);

#[derive(Debug, Default)]
struct SlotState {
    /// The thread of the last test game.
    thread: Option<JoinHandle<()>>,
    /// True while that test game has the place.
    is_taken: Arc<AtomicBool>,
    /// Set once the server ends.
    stop: Arc<AtomicBool>,
}

/// Has the place for as long as it lives.
struct OccupiedSlot(Arc<AtomicBool>);

impl OccupiedSlot {
    fn new(is_taken: &Arc<AtomicBool>) -> OccupiedSlot {
        is_taken.store(true, Ordering::SeqCst);
        OccupiedSlot(Arc::clone(is_taken))
    }
}

impl Drop for OccupiedSlot {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

impl TestGameSlot {
    /// Begins a test game if none is played, and plays it in a thread of its own.
    pub(super) fn begin(
        &self,
        begin: impl FnOnce() -> Result<StartedTestGame, BeginTestGameError>,
    ) -> Result<TestGame, BeginTestGameError> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_taken.load(Ordering::SeqCst) || state.stop.load(Ordering::SeqCst) {
            return Err(BeginTestGameError::Busy);
        }
        if let Some(last) = state.thread.take() {
            // It has left the place, and only writes down how it ended.
            let _ = last.join();
        }
        let begun = begin()?;
        let game = begun.game().clone();
        let stop = Arc::clone(&state.stop);
        let taken = OccupiedSlot::new(&state.is_taken);
        let play = move || match begun.play(&stop, || drop(taken)) {
            // Its participant learns of a bot that does not start.
            Ok(_) | Err(Failure::Start(_)) => {}
            Err(failure) => say(format!("warning: test game: {}", printable(&failure.to_string()))),
        };
        let thread = thread::Builder::new().name("test game".to_owned()).spawn(play);
        state.thread = Some(thread.map_err(BeginTestGameError::Failed)?);
        Ok(game)
    }

    /// Cuts off the test game that is played, begins none any more, and returns true if it has ended.
    pub(super) fn close(&self) -> bool {
        let thread = {
            let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            state.stop.store(true, Ordering::SeqCst);
            state.thread.take()
        };
        have_ended(thread.iter())
    }
}
