//! The options that limit what an answer may take, for every command that starts bots.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::bot::limits::{AskedLimit, AskedLimits, asked};
use crate::process::{LIMITS, LimitKind, Unit};

const HEADING: &str = "Limits of each answer, for all bots or as NAME=VALUE for one";

/// Limits of an answer, each for all bots or, as `NAME=VALUE`, for one.
#[derive(Debug)]
pub(super) struct LimitArgs(Vec<AskedLimit>);

impl LimitArgs {
    /// What was asked for.
    pub(super) fn asked(self) -> AskedLimits {
        self.0.into_iter().collect()
    }

    /// Whether nothing was asked for.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Args for LimitArgs {
    fn augment_args(command: Command) -> Command {
        command.next_help_heading(HEADING).args(LIMITS.iter().map(option))
    }

    fn augment_args_for_update(command: Command) -> Command {
        LimitArgs::augment_args(command)
    }
}

impl FromArgMatches for LimitArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<LimitArgs, clap::Error> {
        let asked = LIMITS.iter().filter_map(|kind| matches.get_many(kind.name)).flatten();
        Ok(LimitArgs(asked.cloned().collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = LimitArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The option that asks for a limit.
fn option(kind: &'static LimitKind) -> Arg {
    let value = match kind.unit {
        Unit::Duration => "DURATION",
        Unit::Size { .. } => "SIZE",
        Unit::Count { .. } => "N",
    };
    Arg::new(kind.name)
        .long(kind.name)
        .value_name(value)
        .help(format!("{} [default: {}]", kind.help, kind.default_text()))
        .action(ArgAction::Append)
        .value_parser(move |text: &str| asked(kind, text))
}
