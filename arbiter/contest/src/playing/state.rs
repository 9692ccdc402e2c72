//! Where a series stands while it is played.

use rules::GameRecord;

use crate::playing::count;
use conditions::series::game_status::GameStatus;
use conditions::series::{Series, SeriesState};
use standings::{Standings, Tally};

/// Where a match or a tournament stands.
#[derive(Debug)]
pub struct State {
    /// Where its games stand.
    pub games: SeriesState,
    /// What the games say about the bots. Only tournaments have standings: counting costs time, and memory as long
    /// as a deal is not complete, which no deal of a match ever is.
    tally: Option<Tally>,
}

impl State {
    /// A match or a simulation before its first game.
    pub fn of_match(series: Series) -> State {
        State { games: SeriesState::new(series), tally: None }
    }

    /// A tournament before its first game.
    pub fn of_tournament(series: Series) -> State {
        let tally = count::tally(&[], &series);
        State::of_part(SeriesState::new(series), tally)
    }

    /// A tournament whose games stand here, with a tally that may have earlier parts as well.
    pub fn of_part(games: SeriesState, tally: Tally) -> State {
        State { games, tally: Some(tally) }
    }

    /// Adds an attempt whose turn it is, and says what becomes of it.
    ///
    /// # Errors
    ///
    /// Says why it cannot be counted, one line.
    pub fn add(&mut self, game: &GameRecord) -> Result<GameStatus, String> {
        let status = self.games.add(game);
        if let Some(tally) = self.tally.as_mut().filter(|_| status == GameStatus::Counts) {
            count::add(tally, &self.games.series, game)?;
        }
        Ok(status)
    }

    /// The standings of a tournament; those of a match have no games.
    pub fn standings(&self) -> Standings {
        match &self.tally {
            Some(tally) => tally.standings(),
            None => count::tally(&[], &self.games.series).standings(),
        }
    }

    /// The tally of a tournament.
    pub(crate) fn tally_mut(&mut self) -> Option<&mut Tally> {
        self.tally.as_mut()
    }
}
