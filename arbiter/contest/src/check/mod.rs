//! Whether a bot keeps to the protocol: what can be found out without playing a match.
//!
//! # Theory of operation
//!
//! The bot is asked the [sample requests](samples) of each game, in a fresh scratch folder each, also
//! where its dialect lets it keep one for a whole match. Whether an answer is legal is found by
//! [`rules::Sample`], without the game that the request comes from. Then some of them are asked
//! again: as they are, which tells whether the bot repeats itself; with lines that a bot must skip;
//! and longer by more than a pipe holds. A changed answer is laid to those lines only if it changes
//! each time, since a bot may use chance or look at a clock. Last it plays games against the built-in `random`, which
//! plays in this process. A bot that lives for a whole game is then asked some of what it was asked in
//! these games once more, by itself.
//!
//! A failed step does not stop the next ones. Only two kinds are left out: comparisons with an answer
//! that was not given, and all that is left of a game in which the bot was out of time three times.
//! Each result is reported as soon as it is there.

use std::io;

use rules::{GameKind, Seed};
use text::system_error;
use thiserror::Error;

use crate::playing::bot::Bot;
use conditions::bot::Contender;
use conditions::bot::insider::Insider;
use conditions::series::LimitsLine;
use sandbox::{Limits, StartError, Supervisor};

pub mod abridged;
mod asking;
mod evidence;
mod games;
pub mod json;
mod noticed;
pub mod plan;
mod requests;
mod residence;
pub mod samples;
mod step;
pub mod told;
pub mod variation;

use asking::Asker;
pub use step::{Evidence, Status, Step, StepName};

/// What is checked, and how.
#[derive(Debug)]
pub struct Check<'a> {
    /// The bot.
    pub contender: &'a Contender,
    /// The games, and how those that are played are set up.
    pub settings: &'a [Setting],
    /// How many games are played of each.
    pub games: u64,
    /// What the deals of these follow from.
    pub seed: &'a Seed,
    /// How many more chances the bot has after an answer that is illegal or malformed.
    pub retries: u32,
    /// How programs are started.
    pub supervisor: Supervisor,
    /// The bot again, where the check may tell what it has missed of the machine.
    pub insider: Option<Insider>,
}

/// A game, and how it is set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The game.
    pub kind: GameKind,
    /// Its options in their one spelling.
    pub options: String,
}

/// Someone who follows a check.
pub trait Listener {
    /// Learns what is looked at now.
    fn begins(&mut self, name: &str);

    /// Learns what was found.
    ///
    /// # Errors
    ///
    /// Fails if it cannot tell others: then the check stops.
    fn found(&mut self, step: Step) -> io::Result<()>;
}

/// Why a check stopped before its end, which says nothing about the bot.
#[derive(Debug, Error)]
pub enum Stopped {
    /// The referee or the machine failed.
    #[error("{0}; the check stops")]
    Machine(String),
    /// The listener cannot be told.
    #[error("cannot write to standard output: {}; the check stops", system_error(.0))]
    Listener(#[from] io::Error),
}

impl Check<'_> {
    /// Makes all steps, and tells them to the listener.
    ///
    /// # Errors
    ///
    /// [`Stopped`]; what is wrong with the bot is told as a [`Step`].
    pub fn run(&self, listener: &mut dyn Listener) -> Result<(), Stopped> {
        listener.begins(&StepName::Starts.to_string());
        let mut bot = Bot::new(self.contender, self.supervisor);
        match bot.probe() {
            Ok(()) => listener.found(Step::passed(StepName::Starts, ""))?,
            Err(StartError::Program(why) | StartError::NotSeen(why)) => {
                return Ok(listener.found(Step::failed(StepName::Starts, why, None))?);
            }
            Err(StartError::Referee(why)) => return Err(Stopped::Machine(why)),
        }
        let mut asker = Asker::new(bot, self.contender, self.retries);
        for setting in self.settings {
            asker.begin_game();
            requests::requests(self, &setting.kind, &mut asker, listener)?;
            games::games(self, setting, &mut asker, listener)?;
            residence::residence(self, &setting.kind, &mut asker, listener)?;
        }
        for step in asker.close().steps(self.limits()) {
            listener.found(step)?;
        }
        Ok(())
    }

    /// The time that requests tell, in milliseconds.
    fn time_ms(&self) -> u64 {
        LimitsLine::from(*self.limits()).time_ms
    }

    fn limits(&self) -> &Limits {
        &self.contender.limits
    }
}

fn machine(doing: &str, error: impl std::fmt::Display) -> Stopped {
    Stopped::Machine(format!("{doing}: {}", system_error(error)))
}
