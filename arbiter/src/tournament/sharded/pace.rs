//! How fast the shards of a tournament are played together, and when they will be over.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

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
    /// The pace of these shards up to now; none while nothing is being played, or before the first game.
    pub fn of(pieces: &[Surveyed]) -> Option<Pace> {
        let is_running =
            |piece: &Surveyed| matches!(piece.stage, Stage::Begun { is_running: true, .. });
        if !pieces.iter().any(is_running) {
            return None;
        }
        let begun = pieces.iter().filter_map(|piece| begun(&piece.path)).min()?;
        let passed = SystemTime::now().duration_since(begun).ok()?.as_secs_f64();
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

/// When the folder of a shard was made.
fn begun(path: &Path) -> Option<SystemTime> {
    fs::metadata(path.join("plan.toml")).ok()?.modified().ok()
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
