//! The programs of bots that have entered.

use std::path::absolute;

use text::system_error;
use thiserror::Error;

use crate::league::folder::{BOTS, LeagueFolder};
use crate::league::line::EnterLine;
use crate::league::version::BotVersion;
use conditions::bot::BotSpec;
use conditions::bot::manifest::BotFolder;

/// A bot that cannot be opened; one line.
#[derive(Debug, Error)]
#[error("bot `{bot}`: {problem}")]
pub struct NotOpened {
    /// The bot.
    pub bot: BotVersion,
    /// The problem.
    pub problem: String,
}

/// Returns a bot as it entered. If it was handed in as a folder, its command starts at the folder of the league.
///
/// # Errors
///
/// [`NotOpened`]
pub fn bot(folder: &LeagueFolder, entry: &EnterLine) -> Result<BotSpec, NotOpened> {
    if is_copied(&entry.command) {
        return copied(folder, &entry.bot);
    }
    let EnterLine { bot, command, dialect, mode, .. } = entry;
    BotSpec::new(&bot.bot, command, *dialect, *mode)
        .map_err(|error| NotOpened { bot: bot.clone(), problem: error.to_string() })
}

/// Returns true if this is the command of a copied bot, which was handed in as a folder.
pub fn is_copied(command: &str) -> bool {
    command.split_once('/').is_some_and(|(first, _)| first == BOTS)
}

/// Opens the league's copy of a bot that was handed in as a folder.
///
/// # Errors
///
/// [`NotOpened`]
pub fn copied(folder: &LeagueFolder, bot: &BotVersion) -> Result<BotSpec, NotOpened> {
    let failed = |problem: String| NotOpened { bot: bot.clone(), problem };
    let typed = LeagueFolder::bot(bot);
    let path = absolute(folder.path().join(&typed)).map_err(|error| failed(system_error(error)))?;
    let text = path.to_str().ok_or_else(|| {
        failed("the path of the league is not UTF-8, expected another one".to_owned())
    })?;
    let opened = BotFolder::open(text).map_err(|error| failed(error.to_string()))?;
    Ok(BotSpec::from(BotFolder { typed: typed.display().to_string(), ..opened }))
}
