//! Playing games: the players, one game, and a series of several.

pub mod bot;
pub mod game;
pub mod match_text;
pub mod matches;
pub mod remote;
pub mod series_runner;
pub mod simulated;
pub mod state;

use std::io;
use std::time::Duration;

use rules::{Answer, Measured, Outcome, Prompt, Ruling, Void};

pub(crate) use matches::pause_before;

/// Reply to one request, with measurements.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The answer that counts.
    pub answer: Answer,
    pub measured: Measured,
}

impl Reply {
    /// Makes a void reply: no answer through no fault of the player, and no measurements.
    pub fn void(why: Void) -> Reply {
        Reply { answer: Answer::Void(why), measured: Measured::default() }
    }
}

/// Answers the requests of a seat: a program, a person or a built-in player.
pub trait Player {
    /// Prepares for a new game. Nothing is left of earlier games, except what a program of the classic dialect
    /// keeps in its folder for the whole match.
    ///
    /// # Errors
    ///
    /// Only the machine can fail.
    fn new_game(&mut self) -> io::Result<()>;

    /// Ends everything that lives for one game: no more requests come in it.
    fn game_over(&mut self) {}

    /// Answers one request, in this time if it is not the usual one of its answers.
    fn ask(&mut self, prompt: &Prompt, time: Option<Duration>) -> Reply;

    /// Learns the verdict on its last answer.
    fn judged(&mut self, _ruling: &Ruling) {}

    /// Learns how its game ended, before [`game_over`](Player::game_over).
    fn learn_outcome(&mut self, _outcome: &Outcome) {}

    /// Takes the warnings for the user, one line each, such as a scratch folder that could not be removed. They do
    /// not affect games.
    fn take_warnings(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Cleans up, and returns the warnings that were not taken. No requests come after it.
    fn close(&mut self) -> Vec<String> {
        self.take_warnings()
    }
}

/// Time between two checks of whether the answer is still wanted.
const LOOK: Duration = Duration::from_millis(50);

/// Milliseconds with three decimals: more would be noise in the log.
fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}
