//! A series as far as it was played.

use rules::GameRecord;

use crate::committed_seed::CommittedSeed;
use crate::game_status::GameStatus;
use crate::header::End;
use crate::progress::Progress;
use crate::series::Series;
use crate::totals::Totals;

#[derive(Debug, Clone)]
pub struct SeriesState {
    pub series: Series,
    pub progress: Progress,
    /// The sums over its games.
    pub totals: Totals,
}

impl SeriesState {
    /// Before the first game.
    pub fn new(series: Series) -> SeriesState {
        let (progress, totals) = (Progress::new(&series), Totals::new(&series));
        SeriesState { series, progress, totals }
    }

    /// Adds an attempt at the [next](Progress::next) game, and says what becomes of it.
    pub fn add(&mut self, game: &GameRecord) -> GameStatus {
        let status = self.progress.add(&self.series, game);
        self.totals.add(game, status, &self.series);
        status
    }

    /// The last line of its log, once everything is played.
    pub fn end(&self, seed: &CommittedSeed) -> End {
        End {
            games: self.progress.played(),
            points: self.totals.points(),
            seed: self.series.reveals_seed().then(|| seed.clone()),
        }
    }
}
