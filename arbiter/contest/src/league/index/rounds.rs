//! Adding a round to the index.

use rules::GameRecord;
use rusqlite::{Transaction, params};

use super::BadRound;
use crate::league::folder::LeagueFolder;
use crate::league::line::OverLine;
use crate::league::state::{League, Round};
use crate::playing::count;
use crate::tournament::folder::shown;
use crate::tournament::read;
use conditions::series::Series;
use standings::{Entrant, Tally};

/// Adds the games of a finished round, and the ratings after it.
pub(super) fn add(
    transaction: &Transaction<'_>,
    tally: &mut Tally,
    league: &League,
    round: &Round,
    folder: &LeagueFolder,
) -> Result<(), BadRound> {
    let Some(over) = &round.over else { return Ok(()) };
    let path = folder.round(over.round);
    let number = whole(over.round);
    let mut seat = transaction.prepare(
        "INSERT INTO seat (bot, round, game, seat, place, fault) VALUES (?, ?, ?, ?, ?, ?)",
    )?;
    let mut each = |series: &Series, game: &GameRecord| -> Result<(), String> {
        let Some(played) = count::played(tally, series, game)? else { return Ok(()) };
        tally.add(&played).map_err(|problem| problem.to_string())?;
        for ((at, bot), place) in played.seats().iter().zip(played.places().values()) {
            let fault = played.fault(at).map(|fault| fault.to_string());
            let row = params![
                bot.0 as i64,
                number,
                whole(game.game),
                at.index() as i64,
                *place as i64,
                fault
            ];
            seat.execute(row).map_err(|problem| problem.to_string())?;
        }
        Ok(())
    };
    if let Some(head) = over.head {
        let read = read::read_log(&path, &mut each)
            .map_err(|problem| BadRound::Unreadable(shown(&path), problem))?;
        if read.head != head {
            return Err(BadRound::Changed(shown(&path)));
        }
    }
    transaction.execute(
        "INSERT INTO round (round, head, played) VALUES (?, ?, ?)",
        params![number, head_of(over), whole(tally.games())],
    )?;
    let mut rating =
        transaction.prepare("INSERT INTO rating (bot, round, rating) VALUES (?, ?, ?)")?;
    let ratings = tally.ratings();
    // A bot that has not played keeps its rating.
    for Entrant(place) in round.line.bots.iter().filter_map(|bot| league.entrant(bot)) {
        if let Some(value) = ratings.get(place).copied().flatten() {
            rating.execute(params![place as i64, number, value])?;
        }
    }
    Ok(())
}

/// Returns the head of a round as the index has it; empty if nothing was played.
pub(super) fn head_of(over: &OverLine) -> Vec<u8> {
    over.head.map_or_else(Vec::new, |head| head.bytes().to_vec())
}

/// Converts a number for the database.
fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
