//! The faults of one bot, with all that its author needs to mend them.

use rules::{Seat, Verdict};
use thiserror::Error;

use crate::BotVersion;
use crate::folder::{BadLeague, LeagueFolder};
use crate::games_of_bot::for_author;
use crate::index::{BadRound, Fault, LeagueIndex};
use crate::round_log::RoundLog;
use record::BadLog;
use record::fold::FoldedGame;
use standings::Entrant;

/// A game that a bot forfeited, with its answer from the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultReport {
    /// The version of the bot.
    pub bot: BotVersion,
    /// The number of the round, from 0.
    pub round: u64,
    /// The number of the game in it, from 0.
    pub game: u64,
    /// The fault.
    pub verdict: Verdict,
    /// Details in one line; may be empty.
    pub detail: String,
    /// The kept part of its output.
    pub printed: String,
    /// The kept part of its standard error.
    pub stderr: Vec<u8>,
}

/// Reason why the faults of a bot cannot be listed; one line.
#[derive(Debug, Error)]
pub enum NotListed {
    /// The league cannot be read.
    #[error(transparent)]
    League(#[from] BadLeague),
    /// Its index cannot be used.
    #[error(transparent)]
    Index(#[from] BadRound),
    /// The log of a round cannot be read.
    #[error("the log of round {0}: {1}")]
    Round(u64, BadLog),
}

/// Returns the last games that a bot forfeited in finished rounds, over all of its versions, the last one first;
/// at most this number.
pub fn of(folder: &LeagueFolder, name: &str, most: usize) -> Result<Vec<FaultReport>, NotListed> {
    let league = folder.read()?;
    let index = LeagueIndex::of_games(&league, folder)?;
    let mut found: Vec<(BotVersion, Fault)> = Vec::new();
    for (place, member) in league.members().iter().enumerate().rev() {
        let bot = &member.entry.bot;
        if bot.bot == name && found.len() < most {
            let faults =
                index.faults(Entrant(place), most - found.len()).map_err(BadRound::from)?;
            found.extend(faults.into_iter().map(|fault| (bot.clone(), fault)));
        }
    }
    let mut told = Vec::new();
    for (bot, fault) in found {
        let told_fault = read(folder, bot, fault);
        told.extend(told_fault.map_err(|problem| NotListed::Round(fault.game.round, problem))?);
    }
    Ok(told)
}

/// Reads a fault in the log of its round; none if it is not there.
fn read(
    folder: &LeagueFolder,
    bot: BotVersion,
    fault: Fault,
) -> Result<Option<FaultReport>, BadLog> {
    let Some(seat) = Seat::new(fault.seat) else { return Ok(None) };
    let (round, number) = (fault.game.round, fault.game.game);
    let Some(mut log) = RoundLog::open(folder, round)? else { return Ok(None) };
    let Some(FoldedGame { game, .. }) = log.game(number)? else { return Ok(None) };
    let version = bot.to_string();
    Ok(game.fault_of(seat).map(|(answer, measured)| FaultReport {
        bot,
        round,
        game: number,
        verdict: answer.verdict,
        detail: for_author(folder, &version, &answer.detail),
        printed: answer.reply.to_string(),
        stderr: for_author(folder, &version, &String::from_utf8_lossy(&measured.stderr.0))
            .into_bytes(),
    }))
}
