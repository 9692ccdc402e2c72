//! The program of `arbiter review --by`: found and started once, and what it left out.

use std::path::PathBuf;

use review::{ReviewedGame, ReviewedLog};
use rules::Dialect;
use text::{counted, printable};

use bot::sandboxed::SandboxedBots;
use bot::{BotSpec, Contender};
use contest::playing::bot::Bot;
use contest::reviewing::ReviewingBots;
use contest::setup;
use sandbox::{Guard, Supervisor};
use series::Conditions;
use text::failure::Failure;

/// A program of the user that values moves, as it is asked for.
#[derive(Debug)]
pub(crate) struct ValuingProgramOptions {
    pub bot: BotSpec,
    /// Its limits and its isolation.
    pub conditions: Conditions,
}

/// The program, which can be started.
#[derive(Debug)]
pub(super) struct ReadyProgram {
    contender: Contender,
    supervisor: Supervisor,
    _guard: Guard,
}

impl ValuingProgramOptions {
    /// Finds the program, and starts it for a moment. It cannot see the paths in `kept`.
    pub(super) fn ready(
        &self,
        logs: &[ReviewedLog],
        kept: &[PathBuf],
    ) -> Result<ReadyProgram, Failure> {
        let bot = self.bot.clone().opened()?;
        for log in logs {
            let series = log.games.series();
            setup::must_play(&bot, series.kind(), &series.header().options)?;
        }
        if bot.dialect() != Dialect::Native {
            let (command, dialect) = (printable(bot.command()), bot.dialect());
            return Err(Failure::Usage(format!(
                "bot `{command}` speaks the {dialect} dialect: reviewers must read requests"
            )));
        }
        let mut contenders = super::matches::contenders(&[bot], &self.conditions, kept)?;
        let supervisor = super::matches::supervisor(&self.conditions)?;
        let guard = setup::guard()?;
        setup::warn_of_exposed(&SandboxedBots::new(&contenders, supervisor));
        Bot::try_all(&contenders, supervisor)?;
        let contender = contenders.swap_remove(0);
        Ok(ReadyProgram { contender, supervisor, _guard: guard })
    }
}

impl ReadyProgram {
    /// The name of the program.
    pub(super) fn name(&self) -> &str {
        &self.contender.name
    }

    /// The program for each thread.
    pub(super) fn programs(&self) -> ReviewingBots<'_> {
        ReviewingBots { contender: &self.contender, supervisor: self.supervisor }
    }
}

/// The decisions for which a program gave no values.
#[derive(Debug, Default)]
pub(super) struct UnvaluedDecisions {
    count: u64,
    /// The first of them, with the reason.
    first: String,
}

impl UnvaluedDecisions {
    /// Adds those of a game; `log` is the name of its log if there are several.
    pub(super) fn add(&mut self, log: Option<&str>, game: &ReviewedGame) {
        if let (0, Some(left_out)) = (self.count, game.left_out.first()) {
            let log = log.map(|log| format!("{log}, ")).unwrap_or_default();
            let (game, number, why) = (game.number, left_out.number, &left_out.why);
            self.first = format!("{log}game {game}, move {number}: {why}");
        }
        self.count += game.left_out.len() as u64;
    }

    /// A note about them, if there are any.
    ///
    /// # Errors
    ///
    /// [`Failure::Check`] if the program has valued no decision at all.
    pub(super) fn note(&self, name: &str, valued: u64) -> Result<Option<String>, Failure> {
        let UnvaluedDecisions { count, first } = self;
        let decisions = counted(count, "decision", "decisions");
        match (count, valued) {
            (0, _) => Ok(None),
            (_, 0) => Err(Failure::Check(format!(
                "bot `{name}` rated none of {decisions}; first problem: {first}"
            ))),
            _ => Ok(Some(format!(
                "note: {name} rated no moves for {decisions}; first problem: {first}"
            ))),
        }
    }
}
