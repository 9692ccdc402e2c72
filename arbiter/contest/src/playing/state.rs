//! State of a series while it is played.

use rules::GameRecord;

use crate::playing::count;
use series::game_status::GameStatus;
use series::{Series, SeriesState};
use standings::{Results, Standings, Tally};

/// State of a match, tournament or simulation while it is played.
#[derive(Debug)]
pub struct State {
    pub games: SeriesState,
    /// Statistics of the bots. Only tournaments have standings: counting costs time, and memory as long
    /// as a deal is not complete, which no deal of a match ever is.
    tally: Option<Tally>,
}

impl State {
    /// Returns the state of a match or a simulation before its first game.
    pub fn of_match(series: Series) -> State {
        State { games: SeriesState::new(series), tally: None }
    }

    /// Returns the state of a tournament before its first game.
    pub fn of_tournament(series: Series) -> State {
        let tally = count::tally(&[], &series);
        State::of_part(SeriesState::new(series), tally)
    }

    /// Returns the state of a part of a tournament; the tally may include earlier parts.
    pub(crate) fn of_part(games: SeriesState, tally: Tally) -> State {
        State { games, tally: Some(tally) }
    }

    /// Adds the next attempt, and returns its status.
    ///
    /// # Errors
    ///
    /// Says in one line why it cannot be counted.
    pub fn add(&mut self, game: &GameRecord) -> Result<GameStatus, String> {
        let status = self.games.add(game);
        if let Some(tally) = self.tally.as_mut().filter(|_| status == GameStatus::Counts) {
            count::add(tally, &self.games.series, game)?;
        }
        Ok(status)
    }

    /// Returns the standings; empty for a match.
    pub fn standings(&self) -> Standings {
        match &self.tally {
            Some(tally) => tally.standings(),
            None => count::tally(&[], &self.games.series).standings(),
        }
    }

    /// Returns the bots with their games, the best score first; empty for a match. It costs little.
    pub fn results(&self) -> Vec<Results> {
        self.tally.as_ref().map_or_else(Vec::new, Tally::results)
    }

    pub(crate) fn tally_mut(&mut self) -> Option<&mut Tally> {
        self.tally.as_mut()
    }
}
