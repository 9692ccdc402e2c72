//! The events of a series of games while it is played, and their watchers.

use std::io;

use rules::{GameRecord, Referee};

use crate::playing::game::GameSetup;
use crate::playing::state::State;
use record::{LastLog, LastLogWriter, Line};
use series::committed_seed::CommittedSeed;
use series::game_status::GameStatus;

/// Watches a series: a match or a tournament.
pub trait Watcher {
    /// Takes an event.
    fn on(&mut self, event: SeriesEvent<'_>) -> io::Result<()>;
}

/// Something that happened while a series was played.
pub enum SeriesEvent<'a> {
    /// Games begin to be played; some may have been played before.
    Started(&'a State),
    /// A game begins. Not sent if several are played at once.
    GameStarted(&'a GameSetup),
    /// A step of a game; the lines of the history from `from` on are new.
    Stepped {
        setup: &'a GameSetup,
        /// Its state.
        referee: &'a Referee,
        /// The first new line.
        from: usize,
    },
    GameOver {
        game: &'a GameRecord,
        status: GameStatus,
        /// State of the series after it.
        state: &'a State,
    },
    /// A problem with something that a bot left behind; no game depends on it.
    Warned {
        name: &'a str,
        /// The problem, one line.
        text: &'a str,
    },
    /// Some time went by.
    Tick {
        state: &'a State,
        /// Number of games being played.
        busy: usize,
        /// Number of games that are over and wait for an earlier one before they count.
        ahead: usize,
    },
    /// No more games are begun; `busy` are still being played.
    Stopping { busy: usize },
    /// The series was stopped before its end for good, or something failed. A game that was being played
    /// does not count.
    Stopped {
        state: &'a State,
        /// The seed, which is no longer a secret.
        seed: &'a CommittedSeed,
    },
    Over {
        state: &'a State,
        /// The seed, which is no longer a secret.
        seed: &'a CommittedSeed,
    },
}

/// Ignores all events.
#[derive(Debug)]
pub struct Unwatched;

impl Watcher for Unwatched {
    fn on(&mut self, _: SeriesEvent<'_>) -> io::Result<()> {
        Ok(())
    }
}

/// A watcher that keeps the log of a match as its user's last one, and passes on all events.
pub struct Keeping<'a> {
    watcher: &'a mut dyn Watcher,
    log: Option<LastLogWriter>,
    /// The number of games that count.
    finished: u64,
}

impl<'a> Keeping<'a> {
    /// Keeps the log in this place, if given.
    pub fn new(watcher: &'a mut dyn Watcher, place: Option<LastLog>) -> Self {
        Keeping { watcher, log: place.map(LastLogWriter::new), finished: 0 }
    }

    /// Returns true once a game was played to its end.
    pub fn has_finished_game(&self) -> bool {
        self.finished > 0
    }

    /// Makes this log the last one of the user. Returns true on success.
    pub fn keep(self) -> bool {
        self.log.is_some_and(LastLogWriter::keep)
    }
}

impl Watcher for Keeping<'_> {
    fn on(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
        if let SeriesEvent::GameOver { status: GameStatus::Counts, .. } = &event {
            self.finished += 1;
        }
        if let Some(log) = &mut self.log {
            match &event {
                SeriesEvent::Started(state) => {
                    log.append(&Line::Header(Box::new(state.games.series.header().clone())));
                }
                SeriesEvent::GameOver { game, .. } => {
                    log.append(&Line::Game(Box::new((*game).clone())));
                }
                SeriesEvent::Over { state, seed } => log.append(&Line::End(state.games.end(seed))),
                _ => {}
            }
        }
        self.watcher.on(event)
    }
}
