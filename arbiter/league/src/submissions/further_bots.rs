//! Further bots of a participant, in a league that takes several of each.

use std::io;

use crate::folder::LeagueFolder;
use crate::participants::{self, InviteError, Participants};
use crate::quotas::Quotas;
use crate::state::{League, Membership};
use crate::submissions::record::{Submission, by_participant};

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
    // What cannot be read may be one.
    let is_used = |bot: &str| by_participant(folder, bot).map_or(true, |own| !own.is_empty());
    participants::claim_bot(folder, participant, bot, &is_used)
}

/// Returns the number of bots of a participant that play or wait to be checked, without the one of this name.
pub(super) fn other_bots(
    folder: &LeagueFolder,
    league: &League,
    participants: &Participants,
    bot: &str,
) -> io::Result<usize> {
    let mut number = 0;
    for other in participants.bots_beside(bot).into_iter().filter(|other| *other != bot) {
        let plays = league.current(other).is_some_and(|it| it.membership == Membership::Active);
        let waits = plays || by_participant(folder, other)?.iter().any(Submission::is_waiting);
        number += usize::from(waits);
    }
    Ok(number)
}
