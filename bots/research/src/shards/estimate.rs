//! A formula for the simulation.
//!
//! With M machines of speeds vᵢ, V their sum, W the work, N shards of w = W / N each, g the work of a
//! game, λ deaths an hour, an absence of r hours after each and a start of s hours for each shard:
//!
//! * A machine is there for a share a = 1 / (1 + λ r) of the time.
//! * A death costs half a game and a start. A shard costs a start, on a fast machine more often than on
//!   a slow one: the mean speed of those that start is Σvᵢ² / V.
//! * When the queue gets empty, a machine is anywhere in its shard, so half a shard is left on each. The
//!   queue is empty at
//!
//!   T₀ = (W + N s Σvᵢ² / V − a M w / 2) / (a V − λ a M (g / 2 + s V / M)).
//!
//! * After that, machine i needs a time that is spread evenly from 0 to Lᵢ = w / vᵢ + s. With the chance
//!   λ Lᵢ / 2 it dies, and its shard is finished later by the time until the engine has noticed. So Fᵢ(t),
//!   the chance that its shard is finished t hours after T₀, is known. This holds as long as λ Lᵢ is small:
//!   that another machine plays the rest, at another speed, is left out.
//! * The mean of the end is T₀ + ∫ (1 − Π Fᵢ(t)) dt, which is close to T₀ + w / v₀ with the speed v₀ of
//!   the slowest machine.
//! * When k shards are left, T₀ + t is the time for which a Σ (1 − Fᵢ(t)) = k; for more than a M of them
//!   it is before T₀, when shards end at the rate N a V / W.
//!
//! The tail without deaths is so w / v₀ − w / (2 v̄) longer than W / V, with v̄ = V / M. For it to be a share
//! ε of W / V, the machines need N = (M / ε) (v̄ / v₀ − 1/2) shards ([`enough`]). With speeds that differ
//! fivefold this is about 2 M / ε: 20 shards a machine for 10%, 40 for 5%.

use super::Setting;

/// At how many moments the integral is taken.
const STEPS: u32 = 4000;

/// All times are in hours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// When the last shard is finished.
    pub end: f64,
    /// When 90% of the shards are finished.
    pub most: f64,
    /// When 99% of the shards are finished.
    pub nearly_all: f64,
    /// The work of games that are lost, as a share of all work.
    pub lost: f64,
}

/// Estimates a setting in which machines get several shards each.
pub fn estimate(setting: &Setting) -> Estimate {
    let tail = Tail::new(setting);
    let Setting { deaths, absence, start, .. } = *setting;
    let machines = f64::from(setting.machines.get());
    let shards = f64::from(setting.shards.get());
    let work = setting.work();
    let speed: f64 = tail.speeds.iter().sum();
    let present = 1.0 / (1.0 + deaths * absence);
    let starting = tail.speeds.iter().map(|speed| speed * speed).sum::<f64>() / speed;
    let lost_in_death = setting.work_of_game() / 2.0 + start * speed / machines;
    let empty = (work + shards * start * starting - present * machines * tail.work / 2.0)
        / (present * speed - deaths * present * machines * lost_in_death);
    let step = tail.longest() / f64::from(STEPS);
    let moments = (0..STEPS).map(|number| (f64::from(number) + 0.5) * step);
    let longest: f64 = moments.map(|time| step * (1.0 - tail.chance_of_end(time))).sum();
    let end = empty + longest;
    let when = |share: f64| {
        let left = (1.0 - share) * shards;
        if left >= present * machines {
            return empty - (left - present * machines) * work / (shards * present * speed);
        }
        let mut times = (0..STEPS).map(|number| f64::from(number) * step);
        let time = times.find(|time| present * tail.unfinished(*time) <= left);
        empty + time.unwrap_or(longest).min(longest)
    };
    // The time in which machines can die is nearly all of it.
    let died = deaths * present * machines * end;
    let lost = died * setting.work_of_game() / 2.0 / work;
    Estimate { end, most: when(0.9), nearly_all: when(0.99), lost }
}

/// Number of shards that keeps the tail below a share of the ideal time.
pub fn enough(setting: &Setting, share: f64) -> f64 {
    let speeds = setting.speeds();
    let mean = speeds.iter().sum::<f64>() / speeds.len() as f64;
    let slowest = speeds.first().copied().unwrap_or(1.0);
    speeds.len() as f64 / share * (mean / slowest - 0.5)
}

/// The course after the queue is empty.
struct Tail<'a> {
    setting: &'a Setting,
    speeds: Vec<f64>,
    work: f64,
}

impl Tail<'_> {
    fn new(setting: &Setting) -> Tail<'_> {
        let work = setting.work() / f64::from(setting.shards.get());
        Tail { setting, speeds: setting.speeds(), work }
    }

    /// Time of a machine for a whole shard.
    fn whole(&self, speed: f64) -> f64 {
        self.work / speed + self.setting.start
    }

    /// The longest that it can take if no machine dies twice.
    fn longest(&self) -> f64 {
        let slowest = self.speeds.first().copied().unwrap_or(1.0);
        self.whole(slowest) + self.setting.notice
    }

    /// The chance that a machine's shard is finished after a time.
    fn finished(&self, speed: f64, time: f64) -> f64 {
        let whole = self.whole(speed);
        let death = (self.setting.deaths * whole / 2.0).min(1.0);
        let within = |time: f64| (time / whole).clamp(0.0, 1.0);
        (1.0 - death) * within(time) + death * within(time - self.setting.notice)
    }

    /// The chance that all are.
    fn chance_of_end(&self, time: f64) -> f64 {
        self.speeds.iter().map(|speed| self.finished(*speed, time)).product()
    }

    fn unfinished(&self, time: f64) -> f64 {
        self.speeds.iter().map(|speed| 1.0 - self.finished(*speed, time)).sum()
    }
}
