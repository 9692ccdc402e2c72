//! A game of one bot, for its author, also while other games of its deal are still to come.

use conditions::series::Series;
use conditions::series::game_status::GameStatus;
use record::Games;
use rules::GameRecord;

use crate::league::BotVersion;
use crate::league::faults::NotTold;
use crate::league::folder::LeagueFolder;
use crate::tournament::folder::games;

/// A game with the name of the bot in it.
#[derive(Debug)]
pub struct OwnGame {
    /// The series of the round.
    pub series: Series,
    /// The game.
    pub game: GameRecord,
    /// The bot with its version, as it sits there.
    pub bot: String,
}

/// Returns the game of this number in a round that was begun, if it counts and a version of this bot sits there.
///
/// # Errors
///
/// [`NotTold::Round`] if the log cannot be read.
pub fn of(
    folder: &LeagueFolder,
    name: &str,
    round: u64,
    number: u64,
) -> Result<Option<OwnGame>, NotTold> {
    let path = games(&folder.round(round));
    if !path.is_file() {
        return Ok(None);
    }
    let wrong = |problem| NotTold::Round(round, problem);
    let mut log = Games::open(&path).map_err(wrong)?;
    let is_own = |seat: &&String| seat.parse().is_ok_and(|it: BotVersion| it.bot == name);
    let mut found = None;
    while let Some(folded) = log.next_game().map_err(wrong)? {
        if folded.game.game > number {
            break;
        }
        if folded.game.game == number && folded.status == GameStatus::Counts {
            let bot = folded.game.seats.iter().find(is_own).cloned();
            found =
                bot.map(|bot| OwnGame { series: log.series().clone(), game: *folded.game, bot });
        }
    }
    Ok(found)
}
