//! House bots: those of the organiser, which belong to no participant.

use std::collections::BTreeSet;

use crate::folder::{LeagueError, LeagueFolder};
use crate::keys::LeagueKeys;
use crate::participants::Participants;
use crate::state::League;
use crate::version::BotVersion;

/// Returns true if a further round would bring nothing new: the league has participants, or takes registrations, and
/// only house bots play, each of which has played before, and no void game waits for its replay.
///
/// # Errors
///
/// [`LeagueError::Unusable`] if the participants cannot be read.
pub fn are_alone(folder: &LeagueFolder, league: &League) -> Result<bool, LeagueError> {
    let participants = Participants::read(folder)?;
    let is_open = || Ok(LeagueKeys::read(folder)?.registrations_left().is_some());
    if !league.pending_replays(&|_| true).is_empty() {
        return Ok(false);
    }
    if participants.names().next().is_none() && !is_open()? {
        return Ok(false);
    }
    let played: BTreeSet<&BotVersion> =
        league.rounds().iter().flat_map(|round| &round.line.bots).collect();
    let mut active = league.active().map(|(_, member)| &member.entry.bot);
    Ok(active.all(|bot| !participants.has(&bot.bot) && played.contains(bot)))
}
