//! `arbiter league`: a competition that stays open.

mod add;
mod found;
mod hand_in;
mod invite;
mod look;
mod newcomer;
mod pairings;
mod retire;
mod run;
mod watch;

pub use add::{AddRequest, add};
pub use found::{FoundRequest, found};
pub use hand_in::{Desk, NotOpened};
pub use invite::{InviteRequest, Invited, invite};
pub use look::{Shown as ShownBots, standings, status};
pub use pairings::pairings;
pub use retire::retire;
pub use run::{RunRequest, Sure, Until, run};
pub use watch::{Looks, WatchRequest, watch};

use crate::bot::{BotSpec, Contender};
use crate::commands::setup;
use crate::failure::Failure;
use crate::league::League;
use crate::league::entered;
use crate::league::folder::{BadLeague, LeagueFolder};
use crate::league::index::BadRound;
use crate::league::line::EnterLine;
use crate::league::participants::NotInvited;
use crate::league::settings::LeagueSettings;
use crate::tournament::folder::shown;
use crate::tournament::read::Unreadable;

impl From<BadLeague> for Failure {
    fn from(problem: BadLeague) -> Failure {
        match problem {
            BadLeague::Log(..) => Failure::Verification(problem.to_string()),
            BadLeague::Running(_) | BadLeague::Entering(_) | BadLeague::Locked(_) => {
                Failure::Later(problem.to_string())
            }
            BadLeague::Taken(_)
            | BadLeague::NotEmpty(_)
            | BadLeague::NoLeague(..)
            | BadLeague::Misplaced(..)
            | BadLeague::Unusable { .. } => Failure::Usage(problem.to_string()),
        }
    }
}

impl From<NotOpened> for Failure {
    fn from(problem: NotOpened) -> Failure {
        match problem {
            NotOpened::Unisolated(_) => Failure::Usage(problem.to_string()),
            NotOpened::Failed(failure) => failure,
        }
    }
}

impl From<NotInvited> for Failure {
    fn from(problem: NotInvited) -> Failure {
        match problem {
            NotInvited::League(problem) => problem.into(),
            NotInvited::Locked(_) => Failure::Later(problem.to_string()),
            NotInvited::Unusable { .. } => Failure::Ours(problem.to_string()),
            NotInvited::BadName(_)
            | NotInvited::SameName(..)
            | NotInvited::TooMany
            | NotInvited::Unknown(_) => Failure::Usage(problem.to_string()),
        }
    }
}

impl From<BadRound> for Failure {
    fn from(bad: BadRound) -> Failure {
        match bad {
            BadRound::Unreadable(_, Unreadable::Log(_)) | BadRound::Changed(_) => {
                Failure::Verification(bad.to_string())
            }
            BadRound::Unreadable(..) => Failure::Usage(bad.to_string()),
            BadRound::Index(_) => Failure::Ours(bad.to_string()),
        }
    }
}

/// How the games of a league are played by now.
fn settings(folder: &LeagueFolder, league: &League) -> Result<LeagueSettings, Failure> {
    let text = folder.settings()?;
    LeagueSettings::read_for(league, &text)
        .map_err(|error| Failure::Usage(format!("`{}/league.toml`: {error}", shown(folder.path()))))
}

/// A bot as it has entered.
fn entered(folder: &LeagueFolder, entry: &EnterLine) -> Result<BotSpec, Failure> {
    entered::bot(folder, entry).map_err(|problem| Failure::Start(problem.to_string()))
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
