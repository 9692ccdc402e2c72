//! Best number of shards of a tournament, where machines differ in speed and die.
//!
//! An engine for array jobs has a queue of shards. A machine that is free takes the first one and
//! plays its games one after another. If it dies, the game in progress is lost. The engine notices
//! after a while and puts the shard at the end of the queue; another machine goes on after the last
//! game that was finished. The machine comes back later. A machine here is what plays one game at a
//! time, so one of 8 cores that plays 8 games at once is 8 machines, which in truth die together.
//!
//! Few shards have a long tail: the slowest machine may take its last shard just before the queue is
//! empty. Many shards cost many starts. [`simulation`] plays this through, and [`estimate`] is a
//! formula for the same.

pub mod estimate;
pub mod simulation;
pub mod table;

use std::num::NonZeroU32;

/// Setting of a simulation. All times are in hours.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    pub machines: NonZeroU32,
    /// Into how many shards the games are divided.
    pub shards: NonZeroU32,
    /// Number of games, at least one a shard.
    pub games: u64,
    /// Time for all games if nothing is lost and no machine ever waits.
    pub ideal: f64,
    /// Ratio of the fastest machine's speed to the slowest. Between them, the logarithms of the
    /// speeds are spread evenly.
    pub spread: f64,
    /// Deaths of a machine in an hour.
    pub deaths: f64,
    /// Time until the engine has noticed a death and queued the shard again.
    pub notice: f64,
    /// Time until a dead machine works again.
    pub absence: f64,
    /// Time from the moment when a machine gets a shard to the first game.
    pub start: f64,
}

impl Setting {
    /// The speeds of the machines, the slowest first; the slowest possible one has 1.
    pub fn speeds(&self) -> Vec<f64> {
        let count = self.machines.get();
        let place = |machine: u32| (f64::from(machine) + 0.5) / f64::from(count);
        (0..count).map(|machine| self.spread.powf(place(machine))).collect()
    }

    /// All the work, in hours of a machine of speed 1.
    pub fn work(&self) -> f64 {
        self.ideal * self.speeds().iter().sum::<f64>()
    }

    /// The work of a game, in hours of a machine of speed 1.
    pub fn work_of_game(&self) -> f64 {
        self.work() / self.games as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_differ_as_they_should() {
        let setting = Setting { machines: NonZeroU32::new(1000).unwrap(), ..table::EXAMPLE };
        let speeds = setting.speeds();
        assert!(speeds.is_sorted() && speeds[0] > 1.0 && speeds[999] < 5.0);
        assert!((speeds[999] / speeds[0] - 5.0).abs() < 0.01);
        let mean = speeds.iter().sum::<f64>() / 1000.0;
        // The mean of a variable whose logarithm is spread evenly between 0 and log 5.
        assert!((mean - 4.0 / 5.0_f64.ln()).abs() < 0.001, "{mean}");
    }
}
