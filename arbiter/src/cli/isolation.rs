//! The options that sandbox bots, for every command that starts bots, and `arbiter sandbox`.

use std::ffi::OsString;
use std::io::Write;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::arguments::report_format;
use crate::commands::sandbox::{self as commands, SandboxRequest};
use bot::grants::{AskedIsolation, Grant, Grants};
use sandbox::isolation::{Isolation, NotIsolation};
use text::failure::Failure;

/// The level of isolation, and exceptions for single bots.
#[derive(Debug, Args)]
#[command(next_help_heading = "Isolation")]
pub(super) struct IsolationArgs {
    /// Sandbox policy: best effort (auto), all layers required (strict), none (off) [default: auto]
    #[arg(long, value_name = "HOW", value_parser = names())]
    isolation: Option<String>,
    #[command(flatten)]
    allow: AllowArgs,
}

/// Exceptions from isolation for single bots.
#[derive(Debug, Args)]
#[command(next_help_heading = "Isolation")]
pub(super) struct AllowArgs {
    /// Grant a permission: NAME:read=FOLDER, NAME:device=DEVICE or NAME:network; repeatable
    #[arg(long, value_name = "NAME:PERMISSION")]
    allow: Vec<String>,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(Isolation::ALL.map(Isolation::name))
}

impl IsolationArgs {
    /// The isolation asked for.
    pub(super) fn asked(self) -> Result<AskedIsolation, Failure> {
        let isolation = self.isolation.as_deref().map(str::parse).transpose();
        let isolation =
            isolation.map_err(|error: NotIsolation| Failure::Usage(error.to_string()))?;
        Ok(AskedIsolation {
            isolation: isolation.unwrap_or_default(),
            grants: self.allow.granted()?,
        })
    }

    /// True if no option is given.
    pub(super) fn is_empty(&self) -> bool {
        self.isolation.is_none() && self.allow.allow.is_empty()
    }
}

impl AllowArgs {
    /// The rights granted.
    pub(super) fn granted(self) -> Result<Grants, Failure> {
        // Not read by clap, whose errors repeat the word as it is, escape sequences and all.
        let grants = self.allow.iter().map(|text| {
            text.parse::<Grant>().map_err(|error| Failure::Usage(format!("--allow: {error}")))
        });
        grants.collect()
    }
}

const HELP: &str = "Without BOT, lists the sandbox layers and how an administrator can enable \
missing ones. Exits with 5 if a layer is missing.

With BOT, lists the non-system files it can read, the places it can write to, its user, and the \
permissions it requested without being granted.

With COMMAND, runs it in the bot's sandbox, attached to your terminal, in a temporary scratch \
folder, under its limits except the time limit. COMMAND is looked up as for the bot. Exits with \
its exit code, or 128 + the number of the signal that killed it. Ctrl-C kills it and all its \
processes.

Examples:
  arbiter sandbox
  arbiter sandbox ./my-bot
  arbiter sandbox --allow my-bot:read=/srv/books ./my-bot
  arbiter sandbox \"dialect=classic python3 my_bot.py\" -- python3 -c \"import numpy\"
  arbiter sandbox ./my-bot -- sh";

/// `arbiter sandbox`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(super) struct SandboxArgs {
    /// Print JSON lines: one per layer and one for the machine, or one for the bot
    #[arg(long, conflicts_with = "command")]
    json: bool,
    /// Bot to inspect
    #[arg(value_name = "BOT")]
    bot: Option<String>,
    /// Command to run in the bot's sandbox
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
                true => commands::machine(format, out),
                false => Err(Failure::Usage(
                    "a command, --isolation or --allow needs a bot: name BOT before it".to_owned(),
                )),
            };
        };
        // Not read by clap, whose errors repeat the word as it is, escape sequences and all.
        let bot = bot.parse()?;
        let request = SandboxRequest { bot, isolation: isolation.asked()? };
        match command.is_empty() {
            true => commands::look(&request, format, out),
            false => commands::attend(&request, &command),
        }
    }
}
