//! Games between built-in players in one process, without pipes and text.
//!
//! A player here is the very code of its program, and is asked as the program would be through
//! pipes: the same heading with the same seed, the same view, the same history, the same list of
//! moves. So it makes the same moves, only thousands of times as fast. Games are typed from end to
//! end ([`play`]), and independent of each other: every one begins with new players. Therefore
//! nothing depends on how they are spread over threads, or on the machine, unless a time limit of
//! a player cuts its search ([`SimulatedGame::cuts`]).
//!
//! A custom game is played by the same code as in a match: its rules are asked, and its players get the texts of requests.
//! Only the programs of players are spared.
//!
//! Deals come from the same streams of the seed as those of a match. [`SeatOrder`] says who sits where;
//! where that is drawn, it follows from the digest of the seed, which may be known before the seed
//! is.

#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "the names and types of a simulation say the most")]

mod game;
mod plan;
mod typed;

pub use game::{CompletedGame, SeatSession, SimulationError, StuckGame, play};
pub use plan::{BuiltInPlayer, GameText, SeatOrder, SimulatedGame, Simulation, TIME};

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use bots::programs::visit;

use crate::typed::{CustomSimulation, PlayableSimulation, TypingVisitor};

impl Simulation {
    /// Plays all games on a number of threads, and tells of each in the order of their numbers, which
    /// changes nothing about them but what time limits cut.
    pub fn run(
        &self,
        workers: NonZeroUsize,
        tell: &mut dyn FnMut(&SimulatedGame),
    ) -> Result<(), SimulationError> {
        let make = |played, _: &dyn GameText| played;
        self.run_each(workers, &make, &mut |played| {
            tell(&played);
            ControlFlow::Continue(())
        })
    }

    /// Plays all games on a number of threads; `make` makes something of each on the thread that has
    /// played it, and `take` takes that in the order of the games, until it wants no more.
    pub fn run_each<T: Send>(
        &self,
        workers: NonZeroUsize,
        make: &(dyn Fn(SimulatedGame, &dyn GameText) -> T + Sync),
        take: &mut dyn FnMut(T) -> ControlFlow<()>,
    ) -> Result<(), SimulationError> {
        let playable = self.playable()?;
        let start = || |game| playable.played(game).map(|(played, text)| make(played, &*text));
        workers::in_order(self.games(), workers, start, take)
    }

    /// Checks all that can be wrong before the first game.
    pub fn check(&self) -> Result<(), SimulationError> {
        self.playable().map(drop)
    }

    /// Plays the game of this number, from 0, and gives its history as the referee sees it: one
    /// event a line, as in the log of a match.
    pub fn events(&self, game: u64) -> Result<Vec<String>, SimulationError> {
        self.playable()?.played(game).map(|(_, text)| text.events())
    }

    fn playable(&self) -> Result<Box<dyn PlayableSimulation + '_>, SimulationError> {
        match self.kind.rules_id() {
            Some(_) => Ok(Box::new(CustomSimulation::new(self)?)),
            None => visit(&self.kind, TypingVisitor(self))?,
        }
    }
}
