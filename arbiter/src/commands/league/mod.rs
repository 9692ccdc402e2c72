//! `arbiter league`: a competition that stays open.

mod add;
mod found;
mod look;
mod pairings;
mod run;

pub use add::{AddRequest, add, retire};
pub use found::{FoundRequest, found};
pub use look::{Shown as ShownBots, standings, status};
pub use pairings::pairings;
pub use run::{RunRequest, Sure, Until, run};

use std::path::absolute;

use rules::text::system_error;

use crate::bot::manifest::BotFolder;
use crate::bot::{BotSpec, Contender};
use crate::commands::setup;
use crate::failure::Failure;
use crate::league::folder::{BOTS, BadLeague, LeagueFolder};
use crate::league::line::EnterLine;
use crate::league::settings::LeagueSettings;
use crate::league::tally::BadRound;
use crate::league::{BotVersion, League};
use crate::tournament::folder::shown;
use crate::tournament::read::Unreadable;

impl From<BadLeague> for Failure {
    fn from(problem: BadLeague) -> Failure {
        match problem {
            BadLeague::Log(..) => Failure::Verification(problem.to_string()),
            BadLeague::Misplaced(..) => Failure::Ours(problem.to_string()),
            BadLeague::Running(_) | BadLeague::Locked(_) => Failure::Later(problem.to_string()),
            BadLeague::Taken(_)
            | BadLeague::NotEmpty(_)
            | BadLeague::NoLeague(..)
            | BadLeague::Unusable { .. } => Failure::Usage(problem.to_string()),
        }
    }
}

impl From<BadRound> for Failure {
    fn from(bad: BadRound) -> Failure {
        match bad.problem {
            Unreadable::Log(_) => Failure::Verification(bad.to_string()),
            _ => Failure::Usage(bad.to_string()),
        }
    }
}

/// How the games of a league are played by now.
fn settings(folder: &LeagueFolder, league: &League) -> Result<LeagueSettings, Failure> {
    let text = folder.settings()?;
    LeagueSettings::read_for(league, &text)
        .map_err(|error| Failure::Usage(format!("`{}/league.toml`: {error}", shown(folder.path()))))
}

/// A bot as it has entered; paths of its command start at the folder of the league.
fn entered(folder: &LeagueFolder, entry: &EnterLine) -> Result<BotSpec, Failure> {
    let problem = |error: String| Failure::Start(format!("bot `{}`: {error}", entry.bot));
    let handed_in = entry.command.split_once('/').is_some_and(|(first, _)| first == BOTS);
    if !handed_in {
        let EnterLine { bot, command, dialect, mode, .. } = entry;
        return BotSpec::new(&bot.bot, command, *dialect, *mode)
            .map_err(|error| problem(error.to_string()));
    }
    opened(folder, &entry.bot).map_err(problem)
}

/// A bot that was handed in as a folder.
fn opened(folder: &LeagueFolder, bot: &BotVersion) -> Result<BotSpec, String> {
    let typed = LeagueFolder::bot(bot);
    let path = absolute(folder.path().join(&typed)).map_err(system_error)?;
    let text = path.to_str().ok_or("the path of the league is not UTF-8, expected another one")?;
    let opened = BotFolder::open(text).map_err(|error| error.to_string())?;
    Ok(BotSpec::from(BotFolder { typed: typed.display().to_string(), ..opened }))
}

/// A bot as it can be started, if it is still what has entered.
fn unchanged(folder: &LeagueFolder, entry: &EnterLine) -> Result<Contender, Failure> {
    let spec = entered(folder, entry)?;
    let search = setup::search_path()?;
    let name = entry.bot.to_string();
    let contender = Contender::prepare(&spec, &name, crate::process::Limits::DEFAULT, &search)
        .map_err(|error| Failure::Start(format!("bot `{name}`: {error}")))?;
    match contender.digests() == entry.files {
        true => Ok(contender),
        false => Err(Failure::Start(format!(
            "bot `{name}` has changed since it entered: `arbiter league add` enters its new version"
        ))),
    }
}
