//! The log of a round, read on to one game.

use record::fold::FoldedGame;
use record::{BadLog, Games, Source};
use series::Series;

use crate::folder::LeagueFolder;
use contest::tournament::folder::games;

/// The log of a round, of which the header was read.
#[derive(Debug)]
pub struct RoundLog(Games<Source>);

impl RoundLog {
    /// Opens the log of a round; none if no game of it was played.
    ///
    /// # Errors
    ///
    /// Fails if the log cannot be read.
    pub fn open(folder: &LeagueFolder, round: u64) -> Result<Option<RoundLog>, BadLog> {
        let path = games(&folder.round(round));
        match path.is_file() {
            true => Games::open(&path).map(|games| Some(RoundLog(games))),
            false => Ok(None),
        }
    }

    /// The series of its games.
    pub fn series(&self) -> &Series {
        self.0.series()
    }

    /// Reads the next game, in one of its attempts; none after the last one.
    ///
    /// # Errors
    ///
    /// Likewise.
    pub fn next_game(&mut self) -> Result<Option<FoldedGame<()>>, BadLog> {
        self.0.next_game()
    }

    /// Reads on to the game of this number, and returns its last attempt; none if it is not there.
    ///
    /// # Errors
    ///
    /// Likewise.
    pub fn game(&mut self, number: u64) -> Result<Option<FoldedGame<()>>, BadLog> {
        let mut found = None;
        while let Some(folded) = self.0.next_game()? {
            if folded.game.game > number {
                break;
            }
            if folded.game.game == number {
                found = Some(folded);
            }
        }
        Ok(found)
    }
}
