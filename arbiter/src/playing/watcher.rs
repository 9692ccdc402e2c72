//! The events of a series of games while it is played, and who learns of them.

use std::io;

use rules::{GameRecord, Referee};

use crate::playing::game::GameSetup;
use crate::series::SeriesState;
use crate::series::game_status::GameStatus;

/// Watches a series: a match or a tournament, by where it stands.
pub trait Watcher<S: Watched> {
    /// Learns of an event.
    ///
    /// # Errors
    ///
    /// Fails if it cannot tell others: then the series stops.
    fn on(&mut self, event: SeriesEvent<'_, S>) -> io::Result<()>;
}

/// Where a match or a tournament stands while it is played.
pub trait Watched {
    /// What the series is called in a sentence.
    const NAME: &'static str;

    /// What is found out once nothing more is played.
    type Found;

    /// Where its series stands.
    fn series(&self) -> &SeriesState;

    /// Adds an attempt whose turn it is, and says what becomes of it.
    ///
    /// # Errors
    ///
    /// Says why it cannot be counted, one line.
    fn add(&mut self, game: &GameRecord) -> Result<GameStatus, String>;
}

/// Something that happened while a series was played.
pub enum SeriesEvent<'a, S: Watched> {
    /// Games begin to be played; some may have been played before.
    Started(&'a S),
    /// A game begins. If several are played at once, watchers learn of their ends alone.
    GameStarted(&'a GameSetup),
    /// A step of it was made; the lines of the history from `from` on are new.
    Stepped {
        /// The game.
        setup: &'a GameSetup,
        /// Its state.
        referee: &'a Referee,
        /// The first line that is new.
        from: usize,
    },
    /// A game is over, and in the log.
    GameOver {
        /// What was played.
        game: &'a GameRecord,
        /// What becomes of it.
        status: GameStatus,
        /// Where the series stands after it.
        state: &'a S,
    },
    /// Something that no game depends on went wrong with what a bot left behind.
    Warned {
        /// The name of the bot.
        name: &'a str,
        /// What went wrong, one line.
        text: &'a str,
    },
    /// Some time went by.
    Tick {
        /// Where the series stands.
        state: &'a S,
        /// How many games are being played.
        busy: usize,
    },
    /// No more games are begun; `busy` are still being played.
    Stopping {
        /// How many.
        busy: usize,
    },
    /// The series was stopped before its end, for good; a game that was being played counts for
    /// nothing.
    Stopped {
        /// Where it stands.
        state: &'a S,
        /// What is found out anyway.
        found: &'a S::Found,
    },
    /// The series is over.
    Over {
        /// Where it stands.
        state: &'a S,
        /// What is found out at the end.
        found: &'a S::Found,
    },
}

/// Watches nothing.
#[derive(Debug)]
pub struct Unwatched;

impl<S: Watched> Watcher<S> for Unwatched {
    fn on(&mut self, _: SeriesEvent<'_, S>) -> io::Result<()> {
        Ok(())
    }
}
