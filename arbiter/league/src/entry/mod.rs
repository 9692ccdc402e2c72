//! The entry of bots: they are found, copied, built and checked, and enter or are refused.

pub mod at_once;
pub mod checks;
pub mod dealing;
pub mod kept_checks;
pub mod newcomer;
pub mod queue;
pub mod scratch;
pub mod submitted;
pub mod unpacked;

use crate::League;
use crate::backup::BadBackup;
use crate::folder::{BadLeague, LeagueFolder};
use crate::index::BadRound;
use crate::keys::BadKey;
use crate::notices::BadNotice;
use crate::participants::NotInvited;
use crate::settings::LeagueSettings;
use contest::tournament::folder::shown;
use contest::tournament::read::Unreadable;
use queue::NotOpened;
use sandbox::is_of_machine;
use text::failure::Failure;

/// Returns the present settings of a league.
///
/// # Errors
///
/// [`Failure::Usage`], with the wrong line of `league.toml`.
pub fn settings(folder: &LeagueFolder, league: &League) -> Result<LeagueSettings, Failure> {
    let text = folder.settings()?;
    LeagueSettings::read_for(league, &text)
        .map_err(|error| Failure::Usage(format!("`{}/league.toml`: {error}", shown(folder.path()))))
}

/// Returns the options of the games of a league. They are the usual ones where its settings cannot be read,
/// which the check of a bot reports.
pub fn options(folder: &LeagueFolder, league: &League) -> String {
    settings(folder, league).map(|settings| settings.settings.options).unwrap_or_default()
}

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
            | BadLeague::Misplaced(..) => Failure::Usage(problem.to_string()),
            BadLeague::Unusable { ref source, .. } if is_of_machine(source) => {
                Failure::Ours(problem.to_string())
            }
            BadLeague::Unusable { .. } => Failure::Usage(problem.to_string()),
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

impl From<BadBackup> for Failure {
    fn from(problem: BadBackup) -> Failure {
        match problem {
            BadBackup::League(problem) => problem.into(),
            BadBackup::Full(_) | BadBackup::Unwritten(..) => Failure::Ours(problem.to_string()),
            BadBackup::Taken(_) | BadBackup::Inside(_) | BadBackup::NotBackup(..) => {
                Failure::Usage(problem.to_string())
            }
        }
    }
}

impl From<BadKey> for Failure {
    fn from(problem: BadKey) -> Failure {
        match problem {
            BadKey::NotInvited(problem) => problem.into(),
            BadKey::League(problem) => problem.into(),
            BadKey::WrongCode | BadKey::UsedUp | BadKey::Missing(_) => {
                Failure::Usage(problem.to_string())
            }
        }
    }
}

impl From<BadNotice> for Failure {
    fn from(problem: BadNotice) -> Failure {
        match problem {
            BadNotice::League(problem) => problem.into(),
            BadNotice::Length(_) | BadNotice::TooMany | BadNotice::Unknown(_) => {
                Failure::Usage(problem.to_string())
            }
        }
    }
}

impl From<NotInvited> for Failure {
    fn from(problem: NotInvited) -> Failure {
        match problem {
            NotInvited::League(problem) => problem.into(),
            NotInvited::BadName(_)
            | NotInvited::SameName(..)
            | NotInvited::LooksLike(..)
            | NotInvited::Unclear(..)
            | NotInvited::Reserved(_)
            | NotInvited::Taken(_)
            | NotInvited::Person(_)
            | NotInvited::TooMany
            | NotInvited::TooManyMembers(_)
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
            BadRound::Index(_) | BadRound::Disk(..) | BadRound::UnreadIndex(..) => {
                Failure::Ours(bad.to_string())
            }
        }
    }
}
