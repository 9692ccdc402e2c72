//! How fast the shards of a tournament are played together, and when they will be over.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use crate::tournament::folder::{self, PLAN};
use crate::tournament::sharded::survey::{Stage, Surveyed};

/// How fast the shards are played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    /// How many games were played a second, since the first shard was begun.
    pub games_a_second: f64,
    /// How long the others take at this pace.
    pub left: Duration,
}

impl Pace {
    /// The pace of these shards up to the last game that was written; none while nothing is being
    /// played, or before the first game. What machines call the time plays no part: all of it is read
    /// from files in one place.
    pub fn of(pieces: &[Surveyed]) -> Option<Pace> {
        let is_running =
            |piece: &Surveyed| matches!(piece.stage, Stage::Begun { is_running: true, .. });
        if !pieces.iter().any(is_running) {
            return None;
        }
        let changed = |path: PathBuf| fs::metadata(path).ok()?.modified().ok();
        let begun = pieces.iter().filter_map(|piece| changed(piece.path.join(PLAN))).min()?;
        let last = pieces.iter().filter_map(|piece| changed(folder::games(&piece.path))).max()?;
        let passed = last.duration_since(begun).ok()?.as_secs_f64();
        let played: u64 = pieces.iter().map(Surveyed::played).sum();
        let left: u64 = pieces.iter().map(Surveyed::left).sum();
        Pace::new(played, left, passed)
    }

    fn new(played: u64, left: u64, seconds: f64) -> Option<Pace> {
        let games_a_second = played as f64 / seconds;
        let left = Duration::try_from_secs_f64((left as f64 / games_a_second).round()).ok()?;
        (games_a_second.is_finite() && games_a_second > 0.0)
            .then_some(Pace { games_a_second, left })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_takes_as_long_as_what_was_played() {
        let pace = Pace::new(30, 60, 10.0).expect("a pace");
        assert_eq!((pace.games_a_second, pace.left), (3.0, Duration::from_secs(20)));
        assert_eq!(Pace::new(0, 60, 10.0), None);
        assert_eq!(Pace::new(10, 60, 0.0), None);
    }
}
