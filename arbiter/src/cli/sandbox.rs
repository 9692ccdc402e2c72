//! `arbiter sandbox` on the command line.

use std::ffi::OsString;
use std::io::Write;

use clap::Args;

use super::isolation::IsolationArgs;
use super::report_format;
use crate::bot::BadBot;
use crate::commands::sandbox::{self, LookRequest};
use crate::failure::Failure;

const HELP: &str = "Without a BOT, lists the layers that keep bots apart, and how an administrator \
gets those that this machine refuses. The exit code is 0 if all are on, and 5 if one is missing.

With a BOT, named as in `arbiter match`, lists what it finds: the files that it sees besides those of \
the system, where it can write, which user it is, and what it asks for and is not granted.

With a COMMAND, runs that as the bot would be run: in its scratch folder, which is removed afterwards, \
with the usual limits but no limit of time, on your own terminal or pipes. Its program is looked for as \
the bot would find it. The exit code is that of the command, or 128 and the number of the signal that \
ended it; Ctrl-C ends it with all that it has started.

Examples:
  arbiter sandbox
  arbiter sandbox ./my-bot
  arbiter sandbox --allow my-bot:read=/srv/books ./my-bot
  arbiter sandbox \"dialect=classic python3 my_bot.py\" -- python3 -c \"import numpy\"
  arbiter sandbox ./my-bot -- sh";

/// What is to be told of the layers that keep bots apart, or done within them.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct SandboxArgs {
    /// Show a line of JSON for each layer and one for the machine, or one for the bot
    #[arg(long, conflicts_with = "command")]
    json: bool,
    /// The bot
    #[arg(value_name = "BOT")]
    bot: Option<String>,
    /// A command to run in its place
    #[arg(value_name = "COMMAND", last = true)]
    command: Vec<OsString>,
    #[command(flatten)]
    isolation: IsolationArgs,
}

impl SandboxArgs {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let SandboxArgs { json, bot, command, isolation } = self;
        let format = report_format(json);
        let Some(bot) = bot else {
            return match command.is_empty() && isolation.is_empty() {
                true => sandbox::machine(format, out),
                false => Err(Failure::Usage(
                    "a command, --isolation or --allow without a bot, expected BOT before it"
                        .to_owned(),
                )),
            };
        };
        // Not read by clap, whose errors repeat the word as it is, escape sequences and all.
        let bot = bot.parse().map_err(|error: BadBot| Failure::Usage(error.to_string()))?;
        let request = LookRequest { bot, isolation: isolation.asked()? };
        match command.is_empty() {
            true => sandbox::look(&request, format, out),
            false => sandbox::attend(&request, &command),
        }
    }
}
