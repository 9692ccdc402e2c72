//! Machines that take shards from a queue and die, event by event.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};
use std::num::NonZeroU32;

use rules::Nature;

use super::Setting;

/// All times are in hours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// When the last shard was finished.
    pub end: f64,
    /// When 90% of the shards were finished.
    pub most: f64,
    /// When 99% of the shards were finished.
    pub nearly_all: f64,
    /// Number of machines that died while they had a shard.
    pub deaths: u64,
    /// The work of games that were not finished because of it, as a share of all work.
    pub lost: f64,
}

/// Something that happens to a machine or to a shard.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Happening {
    /// A machine finishes its shard.
    Finished { machine: usize },
    /// A machine works again, or has nothing to do.
    Free { machine: usize },
    /// The engine queues a shard again.
    Queued { shard: usize },
}

/// The earliest one is the greatest, as the heap wants it; of two at once, the one that was added first.
#[derive(Debug, PartialEq)]
struct Event {
    time: f64,
    number: u64,
    happening: Happening,
}

impl Eq for Event {}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Event) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Event {
    fn cmp(&self, other: &Event) -> Ordering {
        other.time.total_cmp(&self.time).then(other.number.cmp(&self.number))
    }
}

struct Machine {
    speed: f64,
    /// When it dies the next time.
    death: f64,
}

struct Simulation<'a> {
    setting: &'a Setting,
    chance: Nature,
    machines: Vec<Machine>,
    /// Number of games that each shard has left.
    left: Vec<u64>,
    events: BinaryHeap<Event>,
    told: u64,
    queue: VecDeque<usize>,
    free: VecDeque<usize>,
    ends: Vec<f64>,
    deaths: u64,
    lost: f64,
}

pub fn simulate(setting: &Setting, chance: Nature) -> Outcome {
    let shards = u64::from(setting.shards.get());
    let (share, more) = (setting.games / shards, setting.games % shards);
    let mut simulation = Simulation {
        setting,
        chance,
        machines: Vec::new(),
        left: (0..shards).map(|shard| share + u64::from(shard < more)).collect(),
        events: BinaryHeap::new(),
        told: 0,
        queue: (0..shards as usize).collect(),
        free: VecDeque::new(),
        ends: Vec::new(),
        deaths: 0,
        lost: 0.0,
    };
    simulation.hire();
    simulation.assign(0.0);
    while simulation.ends.len() < simulation.left.len() {
        let Some(event) = simulation.events.pop() else { break };
        match event.happening {
            Happening::Finished { machine } => {
                simulation.ends.push(event.time);
                simulation.free.push_back(machine);
            }
            Happening::Free { machine } => simulation.free.push_back(machine),
            Happening::Queued { shard } => simulation.queue.push_back(shard),
        }
        simulation.assign(event.time);
    }
    simulation.outcome()
}

impl Simulation<'_> {
    /// Makes the machines, in an order that is drawn.
    fn hire(&mut self) {
        for speed in self.setting.speeds() {
            let death = self.lifetime();
            self.machines.push(Machine { speed, death });
        }
        let mut rest: Vec<usize> = (0..self.machines.len()).collect();
        while let Some(count) = NonZeroU32::new(rest.len() as u32) {
            self.free.push_back(rest.swap_remove(self.chance.below(count) as usize));
        }
    }

    fn lifetime(&mut self) -> f64 {
        let place = (f64::from(self.chance.below(NonZeroU32::MAX)) + 0.5) / f64::from(u32::MAX);
        -place.ln() / self.setting.deaths
    }

    fn tell(&mut self, time: f64, happening: Happening) {
        self.told += 1;
        self.events.push(Event { time, number: self.told, happening });
    }

    /// Gives shards to free machines, as long as there are both.
    fn assign(&mut self, now: f64) {
        while !self.queue.is_empty() {
            let Some(machine) = self.free.pop_front() else { return };
            if self.machines[machine].death <= now {
                self.bury(machine);
                continue;
            }
            if let Some(shard) = self.queue.pop_front() {
                self.run(machine, shard, now);
            }
        }
    }

    /// Lets a machine come back after its death; it may have come back before now.
    fn bury(&mut self, machine: usize) {
        let back = self.machines[machine].death + self.setting.absence;
        self.machines[machine].death = back + self.lifetime();
        self.tell(back, Happening::Free { machine });
    }

    fn run(&mut self, machine: usize, shard: usize, now: f64) {
        let Machine { speed, death } = self.machines[machine];
        let game = self.setting.work_of_game() / speed;
        let begun = now + self.setting.start;
        let end = begun + game * self.left[shard] as f64;
        if end <= death {
            self.left[shard] = 0;
            self.tell(end, Happening::Finished { machine });
            return;
        }
        let played = (death - begun).max(0.0);
        let finished = ((played / game) as u64).min(self.left[shard] - 1);
        self.left[shard] -= finished;
        self.lost += (played - finished as f64 * game) * speed;
        self.deaths += 1;
        self.bury(machine);
        self.tell(death + self.setting.notice, Happening::Queued { shard });
    }

    /// Outcome when all shards are finished.
    fn outcome(self) -> Outcome {
        // Events come in the order of their times.
        let when = |share: f64| {
            let count = (self.ends.len() as f64 * share).ceil() as usize;
            self.ends.get(count.saturating_sub(1)).copied().unwrap_or_default()
        };
        Outcome {
            end: when(1.0),
            most: when(0.9),
            nearly_all: when(0.99),
            deaths: self.deaths,
            lost: self.lost / self.setting.work(),
        }
    }
}
