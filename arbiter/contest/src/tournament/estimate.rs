//! The time that a tournament will take, from the times of the checks of its bots.

use std::num::NonZeroUsize;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use series::Series;

/// The most games that are looked at: of more, as many that are spread over all.
const SAMPLE: u64 = 10_000;

/// The time that a bot took in whole games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamePace {
    pub games: u64,
    pub answers: u64,
    /// Time of these answers in milliseconds.
    pub ms: f64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Estimate {
    pub time: Duration,
    /// The names of the bots without a pace, whose time is missing in it.
    pub unchecked: Vec<String>,
}

/// Estimates how long a series takes, or one of `shards` equal parts of it, if `workers` games are played at once; none
/// if no bot has a pace. A game takes as long as its bots took for their answers in a game of the check.
pub fn estimate(
    series: &Series,
    paces: &[(String, GamePace)],
    shards: u64,
    workers: NonZeroUsize,
) -> Option<Estimate> {
    let players = &series.header().players;
    let pace = |name: &str| paces.iter().find(|(of, _)| of == name).map(|(_, pace)| pace);
    let seconds: Vec<Option<f64>> = players
        .iter()
        .map(|player| pace(&player.name).map(|pace| pace.ms / 1000.0 / pace.games.max(1) as f64))
        .collect();
    if seconds.iter().all(Option::is_none) {
        return None;
    }
    let games = series.header().games;
    let looked_at = games.clamp(1, SAMPLE);
    let of_game = |number: u64| -> f64 {
        // The product of two numbers below 2^30 and 10,000 fits.
        let game = number * games / looked_at;
        let seats = series.seating(game).players;
        seats.values().iter().filter_map(|place| seconds.get(*place).copied().flatten()).sum()
    };
    let mean = (0..looked_at).map(of_game).sum::<f64>() / looked_at as f64;
    let all = mean * games as f64 / shards.max(1) as f64 / workers.get() as f64;
    let time = Duration::try_from_secs_f64(all).ok()?;
    let is_unchecked = |(_, seconds): &(_, &Option<f64>)| seconds.is_none();
    let unchecked = players.iter().zip(&seconds).filter(is_unchecked);
    Some(Estimate { time, unchecked: unchecked.map(|(player, _)| player.name.clone()).collect() })
}
