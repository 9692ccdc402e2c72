//! The events of a series of games while it is played, and who learns of them.

use std::io;

use rules::{GameRecord, Referee};

use crate::playing::game::GameSetup;
use crate::playing::state::State;
use conditions::series::committed_seed::CommittedSeed;
use conditions::series::game_status::GameStatus;

/// Watches a series: a match or a tournament.
pub trait Watcher {
    /// Learns of an event.
    ///
    /// # Errors
    ///
    /// Fails if it cannot tell others: then the series stops.
    fn on(&mut self, event: SeriesEvent<'_>) -> io::Result<()>;
}

/// Something that happened while a series was played.
pub enum SeriesEvent<'a> {
    /// Games begin to be played; some may have been played before.
    Started(&'a State),
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
        state: &'a State,
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
        state: &'a State,
        /// How many games are being played.
        busy: usize,
    },
    /// No more games are begun; `busy` are still being played.
    Stopping {
        /// How many.
        busy: usize,
    },
    /// The series was stopped before its end, for good, or something failed; a game that was being played
    /// counts for nothing.
    Stopped {
        /// Where it stands.
        state: &'a State,
        /// The seed, which is no longer a secret.
        seed: &'a CommittedSeed,
    },
    /// The series is over.
    Over {
        /// Where it stands.
        state: &'a State,
        /// The seed, which is no longer a secret.
        seed: &'a CommittedSeed,
    },
}

/// Watches nothing.
#[derive(Debug)]
pub struct Unwatched;

impl Watcher for Unwatched {
    fn on(&mut self, _: SeriesEvent<'_>) -> io::Result<()> {
        Ok(())
    }
}
