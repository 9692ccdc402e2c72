//! The queue of test games of a server: several are played at once, and participants take turns.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use text::failure::Failure;
use text::printable;
use text::terminal::say;

use super::{QueuedTestGame, too_many_wait};
use crate::folder::LeagueFolder;
use crate::refusal::Refusal;
use crate::test_games::record::TestGame;

/// Most test games that wait, in all leagues of a server.
const MOST_WAITING: usize = 1_000;
/// Time between two looks whether a league plays again.
const LOOK: Duration = Duration::from_secs(1);

/// The test games of a server that are played or wait.
#[derive(Debug)]
pub struct TestGameQueue {
    /// The most test games that are played at once.
    pub at_once: NonZeroUsize,
    state: Mutex<TestQueueState>,
    changed: Condvar,
    /// Set once the server ends.
    stop: AtomicBool,
}

type Asker = (PathBuf, String);

#[derive(Debug, Default)]
struct TestQueueState {
    /// In the order in which they came.
    waiting: Vec<QueuedTestGame>,
    /// Those whose test games are played.
    turns: Turns,
    threads: Vec<JoinHandle<()>>,
    /// True while a thread begins test games.
    is_begun: bool,
}

#[derive(Debug, Clone, Default)]
struct Turns {
    playing: Vec<Asker>,
    /// The number of the last turn of each.
    last: BTreeMap<Asker, u64>,
    count: u64,
}

impl Turns {
    /// Returns the place of the one that is next: of those with the fewest test games that are played, the one whose last
    /// turn is longest ago, then the one that came first.
    fn next(&self, waiting: &[&Asker]) -> Option<usize> {
        let key = |place: &usize| {
            let asker = waiting[*place];
            let playing = self.playing.iter().filter(|it| *it == asker).count();
            (playing, self.last.get(asker).copied().unwrap_or_default(), *place)
        };
        (0..waiting.len()).min_by_key(key)
    }

    fn take(&mut self, asker: Asker) {
        self.count += 1;
        self.last.insert(asker.clone(), self.count);
        self.playing.push(asker);
    }

    fn leave(&mut self, asker: &Asker) {
        if let Some(place) = self.playing.iter().position(|it| it == asker) {
            self.playing.swap_remove(place);
        }
    }

    /// Returns the places of those that wait in the order of their turns.
    fn order(&self, waiting: &[&Asker]) -> Vec<usize> {
        let mut turns = self.clone();
        let mut left: Vec<usize> = (0..waiting.len()).collect();
        let mut order = Vec::new();
        loop {
            let askers: Vec<&Asker> = left.iter().map(|place| waiting[*place]).collect();
            let Some(next) = turns.next(&askers) else { return order };
            let place = left.remove(next);
            turns.take(waiting[place].clone());
            order.push(place);
        }
    }
}

/// Has a turn for as long as it lives.
struct Turn {
    queue: Arc<TestGameQueue>,
    asker: Asker,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.queue.state().turns.leave(&self.asker);
        self.queue.changed.notify_all();
    }
}

impl TestGameQueue {
    /// Nothing waits yet. At most this number of test games are played at once.
    pub fn new(at_once: NonZeroUsize) -> Arc<TestGameQueue> {
        let (state, changed, stop) = (Mutex::default(), Condvar::new(), AtomicBool::new(false));
        Arc::new(TestGameQueue { at_once, state, changed, stop })
    }

    /// Begins a test game, which is played when it has its turn.
    ///
    /// # Errors
    ///
    /// [`Refusal`], also if very many wait.
    pub fn ask(
        self: &Arc<Self>,
        begin: impl FnOnce() -> Result<QueuedTestGame, Refusal>,
    ) -> Result<TestGame, Refusal> {
        let is_open = |state: &TestQueueState| {
            state.waiting.len() < MOST_WAITING && !self.stop.load(Ordering::SeqCst)
        };
        if !is_open(&self.state()) {
            return Err(too_many_wait());
        }
        let begun = begin()?;
        let game = begun.game.clone();
        let mut state = self.state();
        if !state.is_begun {
            let queue = Arc::clone(self);
            let name = "test games".to_owned();
            // It waits for the lock, and so for this test game.
            let thread = thread::Builder::new().name(name).spawn(move || queue.work());
            state.threads.push(thread?);
            state.is_begun = true;
        }
        state.waiting.push(begun);
        drop(state);
        self.changed.notify_all();
        Ok(game)
    }

    /// Returns the place of a test game among those of its league that wait, from 1.
    pub fn place(&self, folder: &LeagueFolder, game: &TestGame) -> Option<usize> {
        let state = self.state();
        let askers: Vec<Asker> = state.waiting.iter().map(asker).collect();
        let order = state.turns.order(&askers.iter().collect::<Vec<_>>());
        let waiting = order.into_iter().map(|place| &state.waiting[place]);
        let mut own = waiting.filter(|it| it.folder.path() == folder.path());
        let is_it = |it: &QueuedTestGame| {
            it.game.participant == game.participant && it.game.number == game.number
        };
        own.position(is_it).map(|place| place + 1)
    }

    /// Begins test games as there are turns, until none waits or the server ends.
    fn work(self: Arc<Self>) {
        while let Some((turn, game)) = self.next() {
            let queue = Arc::clone(&self);
            let play = move || {
                let _turn = turn;
                match game.play(&queue.stop) {
                    // Its participant learns of a bot that does not start.
                    Ok(_) | Err(Failure::Start(_)) => {}
                    Err(failure) => {
                        say(format!("warning: test game: {}", printable(&failure.to_string())));
                    }
                }
            };
            match thread::Builder::new().name("test game".to_owned()).spawn(play) {
                Ok(thread) => self.state().threads.push(thread),
                Err(error) => {
                    say(format!("warning: test game: {}", text::system_error(error)));
                }
            }
        }
    }

    /// Waits for a turn and a test game that may begin.
    fn next(self: &Arc<Self>) -> Option<(Turn, QueuedTestGame)> {
        let mut state = self.state();
        loop {
            state.threads.retain(|thread| !thread.is_finished());
            if self.stop.load(Ordering::SeqCst) {
                // They are cut off, and count for no quota.
                state.waiting.clear();
            }
            if state.waiting.is_empty() {
                state.is_begun = false;
                return None;
            }
            if state.turns.playing.len() < self.at_once.get() {
                let playable: Vec<usize> = (0..state.waiting.len())
                    .filter(|place| state.waiting[*place].may_be_played())
                    .collect();
                let askers: Vec<Asker> =
                    playable.iter().map(|place| asker(&state.waiting[*place])).collect();
                if let Some(next) = state.turns.next(&askers.iter().collect::<Vec<_>>()) {
                    let (game, asker) =
                        (state.waiting.remove(playable[next]), askers[next].clone());
                    state.turns.take(asker.clone());
                    return Some((Turn { queue: Arc::clone(self), asker }, game));
                }
            }
            let waited = self.changed.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Cuts off all test games, and begins none any more.
    pub fn close(&self) {
        self.stop.store(true, Ordering::SeqCst);
        self.state().waiting.clear();
        self.changed.notify_all();
    }

    /// Returns the threads that may still run, each of them once.
    pub fn threads(&self) -> Vec<JoinHandle<()>> {
        std::mem::take(&mut self.state().threads)
    }

    fn state(&self) -> MutexGuard<'_, TestQueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn asker(game: &QueuedTestGame) -> Asker {
    (game.folder.path().to_path_buf(), game.participant.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn askers(text: &str) -> Vec<Asker> {
        text.split_whitespace().map(|name| (PathBuf::new(), name.to_owned())).collect()
    }

    #[test]
    fn participants_take_turns_however_many_test_games_each_asks_for() {
        for (before, playing, waiting, expected) in [
            ("", "", "anna anna anna ben", "anna ben anna anna"),
            ("", "anna", "anna anna ben carl", "ben carl anna anna"),
            ("ben", "", "ben anna", "anna ben"),
            // The one whose last turn is longest ago is first.
            ("ben anna carl", "", "carl anna ben carl", "ben anna carl carl"),
            ("anna", "ben", "ben anna", "anna ben"),
            ("", "", "", ""),
        ] {
            let mut turns = Turns::default();
            for asker in askers(before) {
                turns.take(asker.clone());
                turns.leave(&asker);
            }
            askers(playing).into_iter().for_each(|asker| turns.take(asker));
            let waiting = askers(waiting);
            let order = turns.order(&waiting.iter().collect::<Vec<_>>());
            let names: Vec<&str> = order.iter().map(|place| waiting[*place].1.as_str()).collect();
            assert_eq!(names.join(" "), expected, "{before}; {playing}; {waiting:?}");
        }
    }
}
