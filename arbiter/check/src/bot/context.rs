//! What the steps of the check of a bot share.

use std::fmt::Display;
use std::io;

use ::bot::Contender;
use ::bot::sandboxed::{Barriers, SandboxedBot};
use review::Puzzle;
use rules::{GameKind, Seed};
use sandbox::{Limits, Supervisor};
use text::system_error;
use thiserror::Error;

/// The bot under check, and how it is checked.
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
    User(Box<SandboxedBot>),
    /// The author of the bot, who may be a stranger.
    Author(Barriers),
}

/// Puzzles that a bot is asked.
#[derive(Debug, Clone)]
pub struct Puzzles {
    /// The puzzles.
    pub list: Vec<Puzzle>,
    /// The number of them that it must solve to pass.
    pub at_least: usize,
}

/// A game and its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    pub kind: GameKind,
    /// The options in their one spelling.
    pub options: String,
}

/// Reason why a check stopped early, which says nothing about the bot.
#[derive(Debug, Error)]
pub(crate) enum Stopped {
    #[error("{0}; the check stops")]
    Machine(String),
    #[error("cannot write to standard output: {}; the check stops", system_error(.0))]
    Listener(#[from] io::Error),
}

impl Check<'_> {
    /// Returns the time limit in requests, in milliseconds.
    pub(super) fn time_ms(&self) -> u64 {
        self.limits().time_ms()
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.contender.limits
    }
}

pub(super) fn machine(doing: &str, error: impl Display) -> Stopped {
    Stopped::Machine(format!("{doing}: {}", system_error(error)))
}
