//! Asking one program again and again and recording its behaviour; what all steps of the check share.

use std::fmt::Display;
use std::time::Duration;
use std::{io, mem};

use rules::{Answer, Dialect, Escaped, GameKind, Measured, Prompt, Ruling, Sample, Seed, Verdict};

use crate::bot::observations::Observations;
use crate::bot::step::{Step, StepName};
use crate::bot::variation::with_second_chance;
use ::bot::Contender;
use ::bot::sandboxed::{Barriers, SandboxedBot};
use contest::playing::bot::{Bot, is_late};
use contest::playing::{Player, Reply};
use review::Puzzle;
use sandbox::{Limits, Supervisor};
use text::failure::Failure;
use text::system_error;

/// Number of timeouts after which a bot is no longer asked: each takes all of the time limit, and three
/// tell its author as much as thirty.
const TIMEOUTS: usize = 3;

/// Number of further requests before a changed answer is not put down to chance or a clock.
pub(super) const CONFIRMED: usize = 5;

/// Number of kept answers of games.
const LATER: usize = 400;

/// Asks the bot, and keeps its answers.
pub(super) struct Asker {
    bot: Bot,
    dialect: Dialect,
    observations: Observations,
    /// Current step.
    step: String,
    last: Option<Exchange>,
    /// Number of retries after an illegal or malformed answer.
    retries: u32,
    /// Number of timeouts since the first step of this game.
    timeouts: usize,
    /// Requests of games and their answers, except the first of each game.
    later: Vec<Exchange>,
    /// True once the bot was asked in this game.
    is_asked: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Exchange {
    pub prompt: Prompt,
    pub answer: Answer,
    pub measured: Measured,
}

/// An answer to a sample request, and its ruling.
#[derive(Debug, Clone)]
pub(super) struct RuledExchange {
    pub exchange: Exchange,
    pub ruling: Ruling,
    /// Ruling on the answer before a retry.
    pub before: Option<Ruling>,
}

impl Asker {
    pub(super) fn new(bot: Bot, contender: &Contender, retries: u32) -> Asker {
        let (step, observations) = (String::new(), Observations::default());
        let dialect = contender.dialect;
        let (timeouts, later, is_asked) = (0, Vec::new(), false);
        Asker { bot, dialect, observations, step, last: None, retries, timeouts, later, is_asked }
    }

    /// Goes on to another game, where the bot gets a new chance to be in time.
    pub(super) fn begin_game(&mut self) {
        self.timeouts = 0;
    }

    /// Returns the skipped step of this name, if the bot is no longer asked.
    pub(super) fn gives_up(&self, name: &StepName) -> Option<Step> {
        let gives_up = self.timeouts >= TIMEOUTS;
        gives_up.then(|| Step::skipped(name, format!("skipped after {TIMEOUTS} timeouts")))
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Goes on to a step, to which later observations belong.
    pub(super) fn begin(&mut self, step: &StepName) {
        self.step = step.to_string();
    }

    /// Gives the bot a fresh scratch folder, in every dialect.
    pub(super) fn refresh(&mut self) -> Result<(), Failure> {
        let renewed = self.bot.renew_folder();
        renewed.map_err(|error| machine("cannot make a scratch folder", error))
    }

    /// Asks in a fresh scratch folder, with retries if the bot has them, and judges the last
    /// answer.
    pub(super) fn ask_afresh(
        &mut self,
        prompt: &Prompt,
        sample: &Sample,
    ) -> Result<RuledExchange, Failure> {
        self.refresh()?;
        let mut before: Option<Ruling> = None;
        let mut chances = 0;
        loop {
            let prompt = match &before {
                None => prompt.clone(),
                Some(Ruling { detail, .. }) => with_second_chance(prompt, chances, detail),
            };
            let exchange = self.exchange(prompt, None);
            let ruling = sample.rule(self.dialect, exchange.answer.clone());
            match ruling.verdict {
                Verdict::Void => return Err(stopped(ruling.detail)),
                Verdict::Illegal | Verdict::Malformed if chances < self.retries => {
                    chances += 1;
                    before = Some(ruling);
                }
                _ => return Ok(RuledExchange { exchange, ruling, before }),
            }
        }
    }

    pub(super) fn last(&self) -> Option<&Exchange> {
        self.last.as_ref()
    }

    /// Takes the requests of games and their answers, except the first of each game.
    pub(super) fn take_later(&mut self) -> Vec<Exchange> {
        mem::take(&mut self.later)
    }

    /// Closes the bot, and returns all that was noticed.
    pub(super) fn close(mut self) -> Observations {
        let mut observations = self.observations;
        observations.unremoved(self.bot.close());
        observations
    }

    fn exchange(&mut self, prompt: Prompt, time: Option<Duration>) -> Exchange {
        let Reply { answer, measured } = self.bot.ask_while_busy(&prompt, time);
        self.timeouts += usize::from(is_late(&answer));
        self.observations.add(&self.step, &measured, &self.bot.left());
        Exchange { prompt, answer, measured }
    }
}

impl Exchange {
    pub(super) fn output(&self) -> Escaped {
        match &self.answer {
            Answer::Output(output)
            | Answer::Classic { output, .. }
            | Answer::Stopped { output, .. } => Escaped(output.clone()),
            Answer::Void(_) => Escaped::default(),
        }
    }
}

/// In a game it sits at the table as any other player.
impl Player for Asker {
    fn new_game(&mut self) -> io::Result<()> {
        self.is_asked = false;
        self.bot.new_game()
    }

    fn game_over(&mut self) {
        self.bot.game_over();
    }

    fn ask(&mut self, prompt: &Prompt, time: Option<Duration>) -> Reply {
        let exchange = self.exchange(prompt.clone(), time);
        let reply = Reply { answer: exchange.answer.clone(), measured: exchange.measured.clone() };
        if self.is_asked && self.later.len() < LATER {
            self.later.push(exchange.clone());
        }
        self.is_asked = true;
        self.last = Some(exchange);
        reply
    }
}

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

/// Puzzles that a bot is asked: decisions with one clearly best move.
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

impl Check<'_> {
    /// Returns the time limit in requests, in milliseconds.
    pub(super) fn time_ms(&self) -> u64 {
        self.limits().time_ms()
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.contender.limits
    }
}

/// The check stops early, which says nothing about the bot.
pub(super) fn stopped(why: impl Display) -> Failure {
    Failure::Ours(format!("{why}; the check stops"))
}

pub(super) fn machine(doing: &str, error: impl Display) -> Failure {
    stopped(format!("{doing}: {}", system_error(error)))
}
