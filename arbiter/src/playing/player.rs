//! Who answers a request: a [`Player`]; the bots of a contender are [`Bot`]s.

use std::fmt;
use std::io;

use rules::{Answer, Asked, Measured};

use crate::process::{Left, StartError};

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
    pub fn void(why: &str) -> Reply {
        Reply { answer: Answer::Void(why.to_owned()), measured: Measured::default() }
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

/// A player that is a program in a folder of its own, as the [`factory`](super::factory) makes it of
/// a contender; it may be asked in another thread.
pub trait Bot: Player + Send + fmt::Debug {
    /// Starts the program for a moment, to see that it can be started at all.
    ///
    /// # Errors
    ///
    /// Says whose fault it is that it cannot.
    fn probe(&mut self) -> Result<(), StartError>;

    /// Whether the program can be started just as for a request; it gets none.
    fn can_be_started(&mut self) -> bool;

    /// Gives it a new, empty folder, in every dialect.
    ///
    /// # Errors
    ///
    /// Fails if no folder can be made.
    fn renew_folder(&mut self) -> io::Result<()>;

    /// What the program has left in its folder.
    fn left(&mut self) -> Left;
}
