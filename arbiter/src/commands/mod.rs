//! The commands: a file or folder for each, or for two that belong together, which opens with their options.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use text::system_error;

use ::sandbox::SearchPath;
use bot::BotSpec;
use contest::setup;
use contest::stop::StopFlag;
use contest::tournament::folder::shown;
use text::failure::Failure;

pub(crate) mod check;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod league;
pub(crate) mod lists;
pub(crate) mod matches;
pub(crate) mod new;
pub(crate) mod play;
pub(crate) mod request;
pub(crate) mod rerun;
pub(crate) mod review;
pub(crate) mod sandbox;
pub(crate) mod seed;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod simulate;
pub(crate) mod tournament;
pub(crate) mod verify;

pub(crate) fn cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Waits for signals to stop; `leave` is called before a second one ends the program.
fn stop_on_signals(leave: fn()) -> Result<&'static StopFlag, Failure> {
    StopFlag::on_signals(leave)
        .map_err(|error| Failure::Ours(format!("cannot wait for signals: {}", system_error(error))))
}

/// Wrong usage of a file or folder, which the message names.
fn usage_of(path: &Path, error: impl Display) -> Failure {
    Failure::Usage(format!("`{}`: {error}", shown(path)))
}

/// Shows notes and warnings about the files of a bot.
fn remark_on(bot: &BotSpec, name: &str, search: &SearchPath) {
    setup::warn_of_newer_source(bot, name);
    setup::tell_of_unused_venv(bot, name);
    setup::tell_of_unread_version(bot, name, search);
}
