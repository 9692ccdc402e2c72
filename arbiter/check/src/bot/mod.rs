//! The check that a bot keeps to the protocol, without a match.
//!
//! # Theory of operation
//!
//! The bot is asked the sample requests of each game (`samples.rs`), or for a custom game those of one random game
//! (`drawn.rs`), in a fresh scratch folder each, also where its
//! dialect lets it keep one for a whole match. [`rules::Sample`] judges whether an answer is legal, without the game
//! that the request comes from. Then some of them are asked again: unchanged, to see whether the bot repeats itself;
//! with lines that a bot must skip; and longer by more than a pipe holds. Those lines are blamed for a changed answer
//! only if it changes each time, since a bot may use chance or look at a clock. Last it plays games against the
//! built-in `random`, in this process. A resident bot is then asked some of the requests of these games again, each
//! in a fresh program. Some requests of the games show what a start costs (`start.rs`).
//!
//! Where there are puzzles, the bot is asked only these (`puzzles.rs`).
//!
//! A failed step does not stop the next ones. Only two kinds are skipped: comparisons with a missing answer, and the
//! rest of a game in which the bot was out of time three times. Each result is reported at once.

use std::io;

use rules::{GameKind, Seed};
use text::system_error;
use thiserror::Error;

use ::bot::Contender;
use ::bot::insider::{Barriers, Insider};
use contest::playing::bot::Bot;
use sandbox::{Limits, StartError, Supervisor};
use series::LimitsLine;

mod asking;
mod drawn;
mod evidence;
mod games;
mod observations;
mod output;
pub mod plan;
mod puzzles;
mod requests;
mod residence;
mod samples;
mod start;
mod step;
mod variation;

use asking::Asker;
pub use contest::tournament::estimate::GamePace;
pub use puzzles::Puzzles;
pub use start::StartTimes;
pub use step::{Evidence, Status, Step, StepName};

#[derive(Debug)]
pub(crate) struct Check<'a> {
    pub contender: &'a Contender,
    pub settings: &'a [Setting],
    /// Number of games of each kind.
    pub games: u64,
    pub seed: &'a Seed,
    /// Number of retries after an illegal or malformed answer.
    pub retries: u32,
    pub supervisor: Supervisor,
    /// Puzzles, which are asked in place of all else.
    pub puzzles: Option<&'a Puzzles>,
    /// The hints that the check may tell.
    pub hints: Hints,
}

/// Hints of a check, by its reader.
#[derive(Debug)]
pub(crate) enum Hints {
    /// The user who runs the bot, and may know what it cannot see.
    User(Box<Insider>),
    /// The author of the bot, who may be a stranger.
    Author(Barriers),
}

/// A game and its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The game.
    pub kind: GameKind,
    /// The options in their one spelling.
    pub options: String,
}

/// Follows a check.
pub(crate) trait Listener {
    /// Takes the name of the step that begins.
    fn begins(&mut self, name: &str);

    /// Takes a finished step. If it cannot be passed on, this fails, and the check stops.
    fn found(&mut self, step: Step) -> io::Result<()>;
}

/// Reason why a check stopped early, which says nothing about the bot.
#[derive(Debug, Error)]
pub(crate) enum Stopped {
    /// The referee or the machine failed.
    #[error("{0}; the check stops")]
    Machine(String),
    /// The listener has failed.
    #[error("cannot write to standard output: {}; the check stops", system_error(.0))]
    Listener(#[from] io::Error),
}

impl Check<'_> {
    /// Makes all steps, and reports them to the listener.
    ///
    /// # Errors
    ///
    /// [`Stopped`]; a fault of the bot is a [`Step`].
    pub(crate) fn run(&self, listener: &mut dyn Listener) -> Result<(), Stopped> {
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
        let mut exchanges = Vec::new();
        if let Some(puzzles) = self.puzzles {
            puzzles::puzzles(self, puzzles, &mut asker, listener)?;
            for step in asker.close().steps(self.limits()) {
                listener.found(step)?;
            }
            return Ok(());
        }
        for setting in self.settings {
            asker.begin_game();
            requests::requests(self, &setting.kind, &setting.options, &mut asker, listener)?;
            games::games(self, setting, &mut asker, listener)?;
            let later = asker.take_later();
            residence::residence(self, &setting.kind, &later, &mut asker, listener)?;
            if exchanges.is_empty() {
                exchanges = later;
            }
        }
        let mut observations = asker.close();
        listener.begins("start");
        if let Some((times, unremoved)) = start::measure(self, &exchanges)? {
            observations.start(times);
            observations.unremoved(unremoved);
        }
        for step in observations.steps(self.limits()) {
            listener.found(step)?;
        }
        Ok(())
    }

    /// Returns the time limit in requests, in milliseconds.
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
