//! Who answers a request.

use std::io;

use rules::{Answer, Asked, Measured, Void};

/// What came back of one request, and what was measured of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The answer that counts.
    pub answer: Answer,
    /// What the log keeps beside it.
    pub measured: Measured,
}

impl Reply {
    /// No answer, through no fault of the player, and nothing measured.
    pub fn void(why: Void) -> Reply {
        Reply { answer: Answer::Void(why), measured: Measured::default() }
    }
}

/// Someone who answers requests.
pub trait Player {
    /// Prepares for a new game: nothing is left of those before, but what a program of the classic
    /// dialect keeps in its folder for the whole match.
    ///
    /// # Errors
    ///
    /// Fails through the machine alone.
    fn new_game(&mut self) -> io::Result<()>;

    /// Ends what lives for one game: there are no more requests in it.
    fn game_over(&mut self) {}

    /// Answers one request.
    fn ask(&mut self, asked: &Asked) -> Reply;

    /// Takes what its user should know and no game depends on, one line each: scratch folders that
    /// could not be removed.
    fn take_warnings(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Removes what it leaves, and gives the warnings that were not taken; it is asked no more.
    fn close(&mut self) -> Vec<String> {
        self.take_warnings()
    }
}
