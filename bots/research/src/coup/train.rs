//! Training: trees of public paths are sampled, and what they teach is put into the store.

use std::num::NonZeroUsize;
use std::thread;

use bots::coup::expert::situation::Situation;
use clap::Args;

use crate::coup::block::{Block, ZERO};
use crate::coup::deck::Decks;
use crate::coup::node::{Node, Outcome, STRATEGY, Source, Turned};
use crate::coup::random::Random;
use crate::coup::store::{HEAD, Layout, SHARDS, Shard, Store, shard_of};

/// The most trees that a batch may have: each has a worker with room of its own.
pub const MOST_TREES: u32 = 4096;

/// The settings of a training run. They are in its checkpoints.
#[derive(Debug, Clone, Copy, PartialEq, Args)]
#[command(next_help_heading = "Settings of a new run")]
pub struct Settings {
    /// What all random choices follow from
    #[arg(long, value_name = "N", default_value_t = Settings::default().seed)]
    pub seed: u64,
    /// How many trees a batch has
    #[arg(long, value_name = "N", default_value_t = Settings::default().trees, value_parser = clap::value_parser!(u32).range(1..=MOST_TREES.into()))]
    pub trees: u32,
    /// How many paths a tree has
    #[arg(long, value_name = "N", default_value_t = Settings::default().paths)]
    pub paths: u32,
    /// How often a public event is chosen that has nothing to do with the strategies
    #[arg(long, value_name = "N", default_value_t = Settings::default().exploration)]
    pub exploration: f32,
    /// The power of its chance by which a public event is sampled: below 1, rare ones more often
    #[arg(long, value_name = "N", default_value_t = Settings::default().temper)]
    pub temper: f32,
    /// How often a choice is taken to be a slip, so that no hand is ever ruled out by a choice
    #[arg(long, value_name = "N", default_value_t = Settings::default().slip)]
    pub slip: f32,
    /// What a turn costs of a win, so that no one puts off winning
    #[arg(long, value_name = "N", default_value_t = Settings::default().discount)]
    pub discount: f32,
    /// After how many visits the rate of learning values has halved
    #[arg(long, value_name = "N", default_value_t = Settings::default().patience)]
    pub patience: f32,
    /// The least rate of learning values
    #[arg(long, value_name = "N", default_value_t = Settings::default().least_rate)]
    pub least_rate: f32,
    /// The power of its number by which a batch counts in the average
    #[arg(long, value_name = "N", default_value_t = Settings::default().power)]
    pub power: f32,
    /// The same for the number of a visit to the situation
    #[arg(long, value_name = "N", default_value_t = Settings::default().local_power)]
    pub local_power: f32,
    /// The power of the number of visits by which regrets of earlier ones count less; 0: all alike
    #[arg(long, value_name = "N", default_value_t = Settings::default().forgetting)]
    pub forgetting: f32,
    /// How much the regrets of the last visit count again, as a forecast of the next ones
    #[arg(long, value_name = "N", default_value_t = Settings::default().forecast)]
    pub forecast: f32,
    /// How much of a hand's weight does not depend on how likely it is
    #[arg(long, value_name = "N", default_value_t = Settings::default().floor)]
    pub floor: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seed: 1,
            trees: 8,
            paths: 32,
            exploration: 0.05,
            temper: 1.0,
            slip: 0.01,
            discount: 0.998,
            patience: 100.0,
            least_rate: 0.02,
            power: 2.0,
            local_power: 0.0,
            forgetting: 0.0,
            forecast: 1.0,
            floor: 0.01,
        }
    }
}

/// The most situations of a path: few games are longer.
const DEEPEST: u32 = 90;

/// A training run: where it stands.
#[derive(Debug)]
pub struct Training {
    pub settings: Settings,
    pub store: Store,
    pub batches: u64,
    pub visits: u64,
    /// The most memory that situations may take, in bytes.
    pub most_bytes: usize,
    decks: Decks,
    workers: Vec<Worker>,
}

impl Source for Store {
    fn values(&self, situation: &Situation, _: Turned) -> Option<&[f32]> {
        self.get(situation.key()).map(|record| Layout::new(situation).values(record))
    }
}

impl Training {
    /// A run that begins, or that goes on from a store.
    pub fn new(settings: Settings, store: Store, batches: u64, most_bytes: usize) -> Training {
        let workers = (0..settings.trees).map(|_| Worker::new()).collect();
        let decks = Decks::new();
        Training { settings, store, batches, visits: 0, most_bytes, decks, workers }
    }

    /// One batch; the number of threads changes nothing but the time it takes.
    pub fn batch(&mut self, threads: NonZeroUsize) {
        let Training { settings, store, decks, workers, batches, .. } = self;
        let first = *batches * u64::from(settings.trees);
        let share = workers.len().div_ceil(threads.get());
        in_parts(threads, workers, share, |place, workers| {
            for (number, worker) in workers.iter_mut().enumerate() {
                let stream = first + (place * share + number) as u64;
                worker.grow(settings, store, decks, stream);
            }
        });
        let weight = ((*batches + 1) as f32 / 1000.0).powf(settings.power);
        let room = store.bytes() < self.most_bytes;
        let share = SHARDS.div_ceil(threads.get());
        let learnt: &[Worker] = workers;
        in_parts(threads, &mut store.shards, share, |place, shards| {
            for (number, shard) in shards.iter_mut().enumerate() {
                for worker in learnt {
                    worker.lessons[place * share + number].teach(shard, settings, weight, room);
                }
            }
        });
        *batches += 1;
        self.visits += self.workers.iter().map(|worker| worker.visits).sum::<u64>();
    }
}

/// Does something with parts of the items, each on a thread of its own if there are several.
fn in_parts<T: Send>(
    threads: NonZeroUsize,
    items: &mut [T],
    share: usize,
    job: impl Fn(usize, &mut [T]) + Sync,
) {
    if threads.get() == 1 {
        return job(0, items);
    }
    thread::scope(|scope| {
        for (place, part) in items.chunks_mut(share).enumerate() {
            let job = &job;
            scope.spawn(move || job(place, part));
        }
    });
}

/// Lessons of a number of visits about the situations of one shard.
#[derive(Debug, Default)]
struct Lessons {
    /// The keys with the number of samples.
    visits: Vec<(u64, f32)>,
    /// For each of them: values, what to add to the regrets, and to the sums of strategies.
    numbers: Vec<f32>,
}

impl Lessons {
    fn teach(&self, shard: &mut Shard, settings: &Settings, weight: f32, room: bool) {
        let mut numbers = &self.numbers[..];
        for (key, samples) in &self.visits {
            let Some(situation) = Situation::of_key(*key) else { continue };
            let layout = Layout::new(&situation);
            let (lesson, rest) = numbers.split_at(layout.lesson());
            numbers = rest;
            if !room && shard.get(*key).is_none() {
                continue;
            }
            let record = shard.get_or_new(*key, layout.len());
            let visits = record[0];
            record[0] = visits + 1.0;
            record[1] += samples;
            let Settings { patience, least_rate, .. } = *settings;
            let rate = ((patience + 1.0) / (patience + 1.0 + visits)).max(least_rate);
            let size = layout.shape.len();
            let (values, strategy) = record[HEAD..].split_at_mut(size);
            let (targets, changes) = lesson.split_at(size);
            for (value, target) in values.iter_mut().zip(targets) {
                *value += rate * (target - *value);
            }
            let weight = weight * (visits + 1.0).powf(settings.local_power);
            let (regrets, rest) = strategy.split_at_mut(layout.strategy());
            let (sums, last) = rest.split_at_mut(layout.strategy());
            let (more_regrets, more_sums) = changes.split_at(layout.strategy());
            let kept = ((visits + 1.0) / (visits + 2.0)).powf(settings.forgetting);
            for (regret, more) in regrets.iter_mut().zip(more_regrets) {
                *regret = (kept * *regret + more).max(0.0);
            }
            last[..layout.strategy()].copy_from_slice(more_regrets);
            for (sum, more) in sums.iter_mut().zip(more_sums) {
                *sum += weight * more;
            }
        }
    }
}

#[derive(Debug, Clone)]
struct Place {
    situation: Situation,
    joint: Block,
    samples: u32,
    depth: u32,
}

/// Grows one tree of a batch.
#[derive(Debug)]
struct Worker {
    lessons: Vec<Lessons>,
    visits: u64,
    node: Node,
    waiting: Vec<Place>,
    outcomes: Vec<(Outcome, f32)>,
    strategy: Vec<f32>,
    slipped: Vec<f32>,
}

impl Worker {
    fn new() -> Worker {
        Worker {
            lessons: (0..SHARDS).map(|_| Lessons::default()).collect(),
            visits: 0,
            node: Node::new(),
            waiting: Vec::new(),
            outcomes: Vec::new(),
            strategy: vec![0.0; STRATEGY],
            slipped: vec![0.0; STRATEGY],
        }
    }

    /// Samples a tree of paths, and notes what is to be learnt.
    fn grow(&mut self, settings: &Settings, store: &Store, decks: &Decks, stream: u64) {
        let mut random = Random::new(settings.seed, stream);
        for lessons in &mut self.lessons {
            lessons.visits.clear();
            lessons.numbers.clear();
        }
        self.visits = 0;
        self.waiting.push(Place {
            situation: Situation::START,
            joint: decks.start,
            samples: settings.paths,
            depth: 0,
        });
        while let Some(place) = self.waiting.pop() {
            self.visit(&place, settings, store, decks);
            self.go_on(&place, settings, decks, &mut random);
        }
    }

    /// Learns what a situation teaches.
    fn visit(&mut self, place: &Place, settings: &Settings, store: &Store, decks: &Decks) {
        let node = &mut self.node;
        self.visits += 1;
        node.look(&place.situation, &place.joint, decks, settings.discount, store);
        let key = place.situation.key();
        let layout = node.layout;
        match_regrets(node, store.get(key), settings.forecast, &mut self.strategy);
        let lessons = &mut self.lessons[shard_of(key)];
        lessons.visits.push((key, place.samples as f32));
        let start = lessons.numbers.len();
        lessons.numbers.resize(start + layout.lesson(), 0.0);
        let (values, changes) = lessons.numbers[start..].split_at_mut(layout.shape.len());
        let mut block = ZERO;
        node.values(&self.strategy, decks, &mut block);
        values.copy_from_slice(&block[..values.len()]);
        let (regrets, sums) = changes.split_at_mut(layout.strategy());
        self.slipped[..layout.strategy()].fill(0.0);
        for hand in 0..node.hands() {
            let chance = node.marginal[hand];
            if chance <= 1e-12 {
                continue;
            }
            let options = node.options(hand);
            let weight = place.samples as f32 * (chance + settings.floor);
            let mut mean = 0.0;
            for choice in 0..options {
                let at = node.place(choice, hand);
                mean += self.strategy[at] * node.gains[at];
            }
            let slip = settings.slip / options as f32;
            for choice in 0..options {
                let at = node.place(choice, hand);
                regrets[at] = weight / chance * (node.gains[at] - mean);
                sums[at] = weight * self.strategy[at];
                self.slipped[at] = (1.0 - settings.slip) * self.strategy[at] + slip;
            }
        }
    }

    /// Chooses how the samples go on.
    fn go_on(&mut self, place: &Place, settings: &Settings, decks: &Decks, random: &mut Random) {
        if place.depth >= DEEPEST {
            return;
        }
        self.node.outcomes(&self.slipped, &mut self.outcomes);
        let possible = self.outcomes.iter().filter(|(_, chance)| *chance > 0.0).count();
        for (_, chance) in &mut self.outcomes {
            *chance = chance.max(0.0).powf(settings.temper);
        }
        let total: f32 = self.outcomes.iter().map(|(_, chance)| chance).sum();
        if possible == 0 || total <= 0.0 {
            return;
        }
        let blind = settings.exploration / possible as f32;
        let start = random.unit();
        let samples = place.samples as f32;
        let (mut passed, mut taken) = (0.0, 0);
        for place_of in 0..self.outcomes.len() {
            let (outcome, chance) = self.outcomes[place_of];
            if chance <= 0.0 {
                continue;
            }
            passed += (1.0 - settings.exploration) * chance / total + blind;
            let until = ((passed * samples + start) as u32).min(place.samples);
            let count = until.saturating_sub(taken);
            taken = taken.max(until);
            if count == 0 {
                continue;
            }
            if let Some((situation, _, joint)) = self.node.child(outcome, &self.slipped, decks) {
                let depth = place.depth + 1;
                self.waiting.push(Place { situation, joint, samples: count, depth });
            }
        }
    }
}

/// The strategy of a record's regrets: each choice in proportion to what it is regretted, or will be
/// if the next visit is like the last one.
fn match_regrets(node: &Node, record: Option<&[f32]>, forecast: f32, strategy: &mut [f32]) {
    let size = node.layout.strategy();
    match record {
        Some(record) => {
            let regrets = node.layout.regrets(record).iter();
            let last = node.layout.forecasts(record);
            for ((to, regret), last) in strategy.iter_mut().zip(regrets).zip(last) {
                *to = (regret + forecast * last).max(0.0);
            }
        }
        None => strategy[..size].fill(0.0),
    }
    for hand in 0..node.hands() {
        let options = node.options(hand);
        let total: f32 = (0..options).map(|choice| strategy[node.place(choice, hand)]).sum();
        for choice in 0..options {
            let at = node.place(choice, hand);
            strategy[at] = match total > 0.0 {
                true => strategy[at] / total,
                false => 1.0 / options as f32,
            };
        }
    }
}
