//! `arbiter league replay`: void games are played again.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use league::BotVersion;
use league::audit;
use league::folder::LeagueFolder;
use league::replaying::{self, ReplayRequest};
use league::voiding::VoidScope;
use text::failure::Failure;
use text::shell::word;
use text::terminal::say;

/// The options of `arbiter league replay`.
#[derive(Debug, Args)]
#[command(
    after_help = "The next round replays the tables of these games with new cards, in every seat rotation \
of a deal. Games that still count become void first, with the other games of their deal. Tables with \
inactive bots are skipped. To replay a round of a stage, use `arbiter league void`.

Examples:
  arbiter league replay class 3 --reason \"the machine ran out of memory\"
  arbiter league replay class 3/17,18 --reason \"cards were visible\"
  arbiter league replay class 3 --bot ben@1 --reason \"ben could not read its files\""
)]
pub(super) struct ReplayArgs {
    /// League folder
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Rounds, or games of a round, such as 3, 3/17 or 3/17,18
    #[arg(value_name = "ROUND[/GAME]", required = true)]
    rounds: Vec<VoidScope>,
    /// Only games of this version of a bot
    #[arg(long, value_name = "NAME@VERSION")]
    bot: Option<BotVersion>,
    /// Reason, shown in the log and on the pages
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

impl ReplayArgs {
    /// Has games played again: all that the arguments name, or none if it fails.
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let folder = LeagueFolder::open(&self.dir)?;
        let (rounds, bot, reason) = (&self.rounds, self.bot.as_ref(), &self.reason);
        let (outcome, league) = replaying::replay(&folder, &ReplayRequest { rounds, bot, reason })?;
        for (round, bots, gone) in outcome.left_out {
            say(format!(
                "warning: {bots} in round {round} is not replayed: {gone} no longer plays"
            ));
        }
        for games in outcome.void {
            writeln!(out, "{games}: void")?;
        }
        for games in outcome.replayed {
            writeln!(out, "{games}: to be replayed")?;
            audit::add(&folder, audit::COMMAND, "replay", &format!("{games} ({reason})"));
        }
        if let Some(stage) = league.open_stage() {
            let number = stage.line.stage;
            say(format!("note: games are replayed after stage {number}"));
        }
        Ok(writeln!(out, "next: arbiter league run {}", word(folder.path()))?)
    }
}
