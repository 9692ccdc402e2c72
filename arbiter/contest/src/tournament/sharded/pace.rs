//! Common speed of the shards of a tournament, and the time that they still need.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use crate::tournament::folder::{self, PLAN};
use crate::tournament::sharded::survey::{Stage, Surveyed};

/// Common speed of the shards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// Games a second, since the first shard was begun.
    pub games_a_second: f64,
    /// Time for the remaining games at this pace.
    pub left: Duration,
}

impl Pace {
    /// Returns the sum of the paces of the shards that are being played, each from its
    /// beginning to its last game. None while nothing is being played, or before the first game. The clocks
    /// of the machines play no part: all times are read from files in one place.
    pub fn of(pieces: &[Surveyed]) -> Option<Pace> {
        let changed = |path: PathBuf| fs::metadata(path).ok()?.modified().ok();
        let pace = |piece: &Surveyed| {
            let Stage::Begun { played, is_running: true } = piece.stage else { return None };
            let begun = changed(piece.path.join(PLAN))?;
            let passed = changed(folder::games(&piece.path))?.duration_since(begun).ok()?;
            Some(played as f64 / passed.as_secs_f64()).filter(|pace| pace.is_finite())
        };
        Pace::new(pieces.iter().filter_map(pace).sum(), pieces.iter().map(Surveyed::left).sum())
    }

    fn new(games_a_second: f64, left: u64) -> Option<Pace> {
        let left = Duration::try_from_secs_f64((left as f64 / games_a_second).round()).ok()?;
        (games_a_second.is_finite() && games_a_second > 0.0)
            .then_some(Pace { games_a_second, left })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_takes_as_long_as_the_pace_says() {
        let pace = Pace::new(3.0, 60).expect("a pace");
        assert_eq!((pace.games_a_second, pace.left), (3.0, Duration::from_secs(20)));
        assert_eq!(Pace::new(0.0, 60), None);
        assert_eq!(Pace::new(1e-300, 60), None);
    }
}
