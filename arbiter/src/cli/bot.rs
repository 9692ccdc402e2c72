//! `arbiter bot`: the built-in bots, which this program is by itself.

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use bots::programs;
use clap::{Args, builder::PossibleValuesParser};

/// The subcommand that makes this program a bot.
pub(super) const SUBCOMMAND: &str = "bot";

/// Exit code of wrong usage.
const MISUSED: u8 = 2;

const BOT_HELP: &str =
    "You rarely need this: in matches, write just `greedy`. Options go after the name of the bot.

Examples:
  arbiter bot greedy --help
  arbiter bot greedy < request.txt
  arbiter match --game tablic random greedy";

/// The bot that this program is to be, and its options.
#[derive(Debug, Args)]
#[command(after_help = BOT_HELP)]
pub(super) struct BotArgs {
    /// Built-in bot
    #[arg(value_name = "BOT", value_parser = names())]
    name: String,
    /// Options of the bot (see `arbiter bot BOT --help`)
    #[arg(value_name = "OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<OsString>,
}

impl BotArgs {
    /// Runs the bot on the standard streams.
    pub(super) fn run(self) -> ExitCode {
        played(&self.name, self.options).unwrap_or(ExitCode::from(MISUSED))
    }
}

/// Runs the bot of this command line, if it is one of a bot.
///
/// It asks clap nothing, because a bot may be started for every move: clap alone takes longer than an answer.
pub(super) fn run_at_once(arguments: &[OsString]) -> Option<ExitCode> {
    let [_, command, name, options @ ..] = arguments else { return None };
    let name = name.to_str().filter(|_| command == OsStr::new(SUBCOMMAND))?;
    played(name, options.to_vec())
}

fn played(name: &str, options: Vec<OsString>) -> Option<ExitCode> {
    programs::run_named(name, &format!("arbiter {SUBCOMMAND} {name}"), options)
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(programs::ALL.map(|bot| bot.name))
}
