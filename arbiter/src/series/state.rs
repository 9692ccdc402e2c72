//! Where a series stands: its games, how far they are, and what they add up to.

use rules::GameRecord;

use crate::bot::insider::Insiders;
use crate::series::Series;
use crate::series::game_status::GameStatus;
use crate::series::progress::Progress;
use crate::series::totals::Totals;

/// Where a series stands.
#[derive(Debug, Clone)]
pub struct SeriesState {
    /// The games that it has.
    pub series: Series,
    /// How far it is.
    pub progress: Progress,
    /// What its games add up to.
    pub totals: Totals,
}

impl SeriesState {
    /// Before the first game.
    pub fn new(series: Series) -> SeriesState {
        let (progress, totals) = (Progress::new(&series), Totals::new(&series));
        SeriesState { series, progress, totals }
    }

    /// The same with hints for those who run these bots.
    pub fn with(self, insiders: Insiders) -> SeriesState {
        SeriesState { totals: self.totals.with(insiders), ..self }
    }

    /// Adds an attempt at the [next](Progress::next) game, and says what becomes of it.
    pub fn add(&mut self, game: &GameRecord) -> GameStatus {
        self.totals.add(game, &self.series);
        self.progress.add(&self.series, game)
    }
}
