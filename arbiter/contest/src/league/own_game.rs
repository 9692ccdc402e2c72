//! A game of one bot, for its author, also while other games of its deal are still to come.

use conditions::series::Series;
use conditions::series::game_status::GameStatus;
use record::{Games, Source};
use rules::GameRecord;

use crate::league::BotVersion;
use crate::league::faults::NotTold;
use crate::league::folder::LeagueFolder;
use crate::tournament::folder::games;

/// The log of a round, of which the header was read.
#[derive(Debug)]
pub struct RoundLog {
    round: u64,
    games: Games<Source>,
}

/// A game, and the name of the bot in it.
#[derive(Debug)]
pub struct OwnGame {
    /// The game.
    pub game: GameRecord,
    /// The bot with its version, as it sits there.
    pub bot: String,
}

impl RoundLog {
    /// Opens the log of a round; none if no game of it was played.
    ///
    /// # Errors
    ///
    /// [`NotTold::Round`] if it cannot be read.
    pub fn open(folder: &LeagueFolder, round: u64) -> Result<Option<RoundLog>, NotTold> {
        let path = games(&folder.round(round));
        if !path.is_file() {
            return Ok(None);
        }
        let games = Games::open(&path).map_err(|problem| NotTold::Round(round, problem))?;
        Ok(Some(RoundLog { round, games }))
    }

    /// The series of its games.
    pub fn series(&self) -> &Series {
        self.games.series()
    }

    /// Reads on to the game of this number, if it counts and a version of this bot sits there.
    ///
    /// # Errors
    ///
    /// Likewise.
    pub fn find(&mut self, name: &str, number: u64) -> Result<Option<OwnGame>, NotTold> {
        let is_own = |seat: &&String| seat.parse().is_ok_and(|it: BotVersion| it.bot == name);
        let mut found = None;
        let round = self.round;
        while let Some(folded) =
            self.games.next_game().map_err(|problem| NotTold::Round(round, problem))?
        {
            if folded.game.game > number {
                break;
            }
            if folded.game.game == number && folded.status == GameStatus::Counts {
                let bot = folded.game.seats.iter().find(is_own).cloned();
                found = bot.map(|bot| OwnGame { game: *folded.game, bot });
            }
        }
        Ok(found)
    }
}
