//! The standings of games that are added up, computed once a page needs them.

use std::sync::{Arc, OnceLock};

use contest::playing::series_runner;
use rules::GameRecord;
use series::Series;
use standings::{Standings, Tally};

/// Some games, and their standings once a page has needed them: with many bots they take seconds.
///
/// Copies share both, so that whoever has one computes the standings for all, and games that come meanwhile need not
/// wait.
#[derive(Debug, Clone)]
pub(super) struct StandingsOnDemand {
    tally: Arc<Tally>,
    computed: Arc<OnceLock<Standings>>,
}

impl StandingsOnDemand {
    pub(super) fn new(tally: Tally) -> StandingsOnDemand {
        StandingsOnDemand { tally: Arc::new(tally), computed: Arc::default() }
    }

    pub(super) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Adds a game; copies stay as they are.
    pub(super) fn add(&mut self, series: &Series, game: &GameRecord) -> Result<(), String> {
        self.computed = Arc::default();
        series_runner::add(Arc::make_mut(&mut self.tally), series, game)
    }

    pub(super) fn get(&self) -> &Standings {
        self.computed.get_or_init(|| self.tally.standings())
    }
}
