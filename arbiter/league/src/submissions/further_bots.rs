//! Further bots of a participant, in a league that takes several of each.

use std::io;

use crate::folder::{LeagueError, LeagueFolder, unusable};
use crate::participants::{self, InviteError, Participants};
use crate::quotas::Quotas;
use crate::state::{League, Membership};
use crate::submissions::record::{Submission, by_participant};
use crate::submissions::record_lock::RecordLock;
use contest::tournament::folder::{NotLocked, shown};

/// Keeps a name for a further bot of a participant.
///
/// # Errors
///
/// [`InviteError`], with nothing changed.
pub fn claim_bot(
    folder: &LeagueFolder,
    quotas: &Quotas,
    participant: &str,
    bot: &str,
) -> Result<(), InviteError> {
    if Participants::read(folder)?.owner(bot) == Some(participant) {
        return Ok(());
    }
    if quotas.bots() == 1 {
        return Err(InviteError::OneBot);
    }
    // A file that has come is a submission, or finds its name gone.
    let _lock = RecordLock::take(folder).map_err(|problem| match problem {
        NotLocked::Held => LeagueError::Locked(shown(folder.path())),
        NotLocked::Unopened(error) | NotLocked::Refused(error) => unusable(folder.path(), error),
    })?;
    // Submissions that cannot be read may have used the name.
    let is_used = |bot: &str| by_participant(folder, bot).map_or(true, |own| !own.is_empty());
    participants::claim_bot(folder, participant, bot, &is_used)
}

/// Returns true if a bot may be sent: it plays or waits to be checked already, or fewer of its participant's bots do than
/// may at once.
pub(super) fn has_room(
    folder: &LeagueFolder,
    league: &League,
    participants: &Participants,
    (bot, most): (&str, u32),
) -> io::Result<bool> {
    let is_there = |bot: &str| -> io::Result<bool> {
        let plays = league.current(bot).is_some_and(|it| it.membership == Membership::Active);
        Ok(plays || by_participant(folder, bot)?.iter().any(Submission::is_waiting))
    };
    if is_there(bot)? {
        return Ok(true);
    }
    let mut others = 0;
    for other in participants.bots_beside(bot) {
        others += u32::from(other != bot && is_there(other)?);
    }
    Ok(others < most)
}
