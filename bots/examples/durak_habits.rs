//! Learns how seats play in the trials of Durak's expert, by games against itself, and prints the
//! weights.
//!
//! In many positions of such games every legal move is played out by the policy as it is, in the
//! world as it is, and moves that came to more become likelier: the gradient of what a softmax over
//! the scores would have. The worlds are those of the games, so what a seat cannot see is averaged
//! over many positions.
//!
//! `cargo run --release -p bots --example durak_habits -- SEEDS SECONDS OPTIONS…`

use std::num::NonZeroU32;
use std::time::Instant;

use bots::durak::expert::features::{FEATURES, STAGES, Scene, Shape};
use bots::durak::expert::habits::{Habits, KINDS, Kind, Weights};
use bots::durak::search::cards::{Cards, Place};
use bots::durak::search::outcome::{WON, points};
use bots::durak::search::playout::MOST_MOVES;
use bots::durak::search::policy::Policy;
use bots::durak::search::position::{Phase, Play, Position, Queue, SEATS, World};
use rules::durak::Options;
use rules::{Nature, Seed};

const BATCH: u32 = 2048;
/// A unit of a weight in learning is so many in the printed table.
const SCALE: f32 = 200.0;
const SIZE: usize = KINDS * STAGES * FEATURES;

fn below(bound: u32, nature: &mut Nature) -> u32 {
    NonZeroU32::new(bound).map_or(0, |bound| nature.below(bound))
}

fn deal(options: &Options, nature: &mut Nature) -> (Position, World) {
    let seats = options.seats();
    let lowest = options.deck().lowest() as u8;
    let mut pack: Vec<Place> =
        (0..4).flat_map(|suit| (lowest..=12).map(move |rank| 16 * suit + rank)).collect();
    for last in (1..pack.len()).rev() {
        pack.swap(last, below(last as u32 + 1, nature) as usize);
    }
    let trumps = pack[pack.len() - 1] / 16;
    for place in &mut pack {
        let suit = match *place / 16 {
            3 => trumps,
            suit if suit == trumps => 3,
            suit => suit,
        };
        *place = 16 * suit + *place % 16;
    }
    let mut hands = [Cards::EMPTY; SEATS];
    let size = pack.len() - 6 * seats;
    for (index, place) in pack.iter().take(6 * seats).enumerate() {
        let hand = &mut hands[index % seats];
        *hand = hand.and(Cards::one(*place));
    }
    let mut talon = [0; 52];
    talon[..size].copy_from_slice(&pack[6 * seats..]);
    let lowest_trump = |seat: &usize| hands[*seat].trumps().0.trailing_zeros();
    let first = (0..seats).min_by_key(lowest_trump).unwrap_or(0) as u8;
    let defender = (first + 1) % seats as u8;
    let most = options.first_limit.get() as u8;
    let position = Position {
        hands,
        table: Cards::EMPTY,
        unbeaten: Queue::default(),
        players: (1 << seats) - 1,
        first,
        attacker: first,
        defender,
        turn: first,
        phase: Phase::Lead,
        attacks: 0,
        limit: most.min(6),
        drawn: 0,
        most,
    };
    (position, World::new(*options, talon, size as u8, 0))
}

fn finish(position: &Position, world: &World, habits: &Habits) -> u8 {
    let mut at = *position;
    for _ in 0..MOST_MOVES {
        if let Phase::Over(losers) = at.phase {
            return losers;
        }
        at.play(habits.choose(&at, world), world);
    }
    at.players
}

fn kind(position: &Position, play: Play) -> Kind {
    match (play, position.phase) {
        (Play::Transfer(_), _) => Kind::Transfer,
        (_, Phase::Lead) => Kind::Lead,
        (_, Phase::Defend) => Kind::Beat,
        (_, Phase::Throw) => Kind::Throw,
        _ => Kind::Load,
    }
}

struct Learner {
    weights: Vec<f32>,
    gradient: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
    steps: i32,
    in_batch: u32,
    rate: f32,
}

impl Learner {
    fn table(&self) -> Weights {
        let mut table = [[[0; FEATURES]; STAGES]; KINDS];
        for (slot, weight) in
            table.as_flattened_mut().as_flattened_mut().iter_mut().zip(&self.weights)
        {
            *slot = (weight * SCALE).round().clamp(-32000.0, 32000.0) as i16;
        }
        table
    }

    fn learn(&mut self, position: &Position, world: &World, habits: &Habits, shape: &Shape) {
        let seat = position.turn;
        let scene = Scene::new(position, world);
        let mut moves: Vec<(f32, f32, Option<(usize, [i32; FEATURES])>)> = Vec::new();
        for play in position.choices(world).plays() {
            let mut next = *position;
            next.play(play, world);
            let had = points(finish(&next, world, habits), seat) as f32 / WON as f32;
            let features = scene.features(position, world, shape, play);
            let row = (kind(position, play) as usize * STAGES + scene.stage) * FEATURES;
            let score = features.map_or(0.0, |features| {
                features.iter().zip(&self.weights[row..]).map(|(x, w)| *x as f32 * w).sum()
            });
            moves.push((score, had, features.map(|features| (row, features))));
        }
        if moves.iter().all(|(_, had, _)| *had == moves[0].1) {
            return self.count();
        }
        let top = moves.iter().map(|(score, ..)| *score).fold(f32::MIN, f32::max);
        let total: f32 = moves.iter().map(|(score, ..)| (score - top).exp()).sum();
        let chance = |score: f32| (score - top).exp() / total;
        let mean: f32 = moves.iter().map(|(score, had, _)| chance(*score) * had).sum();
        for (score, had, features) in &moves {
            let Some((row, features)) = features else { continue };
            let push = chance(*score) * (had - mean);
            for (slot, x) in self.gradient[*row..].iter_mut().zip(features) {
                *slot += push * *x as f32;
            }
        }
        self.count();
    }

    fn count(&mut self) {
        self.in_batch += 1;
        if self.in_batch < BATCH {
            return;
        }
        self.in_batch = 0;
        self.steps += 1;
        for index in 0..SIZE {
            let slope = self.gradient[index] / BATCH as f32;
            self.gradient[index] = 0.0;
            self.first[index] = 0.9 * self.first[index] + 0.1 * slope;
            self.second[index] = 0.99 * self.second[index] + 0.01 * slope * slope;
            let first = self.first[index] / (1.0 - 0.9f32.powi(self.steps));
            let second = self.second[index] / (1.0 - 0.99f32.powi(self.steps));
            self.weights[index] += self.rate * first / (second.sqrt() + 1e-5);
        }
    }
}

/// What one seat of habits has among seats of rules of thumb.
fn against_thumb(habits: &Habits, options: &[Options], deals: u32, nature: &mut Nature) -> f64 {
    let (mut had, mut games) = (0, 0);
    for number in 0..deals {
        let options = &options[number as usize % options.len()];
        let policy = Policy::usual(options.deck());
        let habits = &Habits::new(habits.weights(), options);
        let (position, world) = deal(options, nature);
        for seat in 0..options.seats() as u8 {
            let mut at = position;
            for _ in 0..MOST_MOVES {
                if let Phase::Over(_) = at.phase {
                    break;
                }
                let play = match at.turn == seat {
                    true => habits.choose(&at, &world),
                    false => policy.choose(&at, &world),
                };
                at.play(play, &world);
            }
            let losers = if let Phase::Over(losers) = at.phase { losers } else { at.players };
            had += points(losers, seat);
            games += 1;
        }
    }
    had as f64 / WON as f64 / f64::from(games)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let byte = u8::from_str_radix(&words[0], 16).expect("a byte");
    let seconds: f32 = words[1].parse().expect("seconds");
    let options: Vec<Options> =
        words[2..].iter().map(|word| word.parse().expect("options")).collect();
    let seed = Seed([byte; 32]);
    let mut nature = seed.nature(1);
    let zero = || vec![0.0f32; SIZE];
    let mut learner = Learner {
        weights: zero(),
        gradient: zero(),
        first: zero(),
        second: zero(),
        steps: 0,
        in_batch: 0,
        rate: 0.01,
    };
    let start = Instant::now();
    let shapes: Vec<Shape> = options.iter().map(|options| Shape::new(options.deck())).collect();
    let mut told = 0.0;
    let mut all: Vec<Habits> = Vec::new();
    let mut step = -1;
    let mut game = 0;
    let mut mean = vec![0.0f64; SIZE];
    let mut means = 0.0;
    let (mut steps_meaned, mut states) = (-1, 0u64);
    loop {
        let past = start.elapsed().as_secs_f32() / seconds;
        if past >= 1.0 {
            break;
        }
        learner.rate = 0.01 * (1.0 - past).max(0.02);
        if learner.steps > step {
            step = learner.steps;
            all = options.iter().map(|options| Habits::new(&learner.table(), options)).collect();
            if past > 0.7 && steps_meaned != step {
                steps_meaned = step;
                means += 1.0;
                for (mean, weight) in mean.iter_mut().zip(&learner.weights) {
                    *mean += f64::from(*weight);
                }
            }
        }
        if past * 8.0 >= told {
            told += 1.0;
            let share = against_thumb(&all[0], &options, 4000, &mut seed.nature(2));
            eprintln!(
                "{past:.2} games {game} states {states} steps {} against rules of thumb {share:.4}",
                learner.steps
            );
        }
        let which = game % options.len();
        game += 1;
        let (mut at, world) = deal(&options[which], &mut nature);
        for _ in 0..MOST_MOVES {
            if let Phase::Over(_) = at.phase {
                break;
            }
            let choices = at.choices(&world);
            let count = choices.plays().count() as u32;
            if count > 1 && below(6, &mut nature) == 0 {
                states += 1;
                learner.learn(&at, &world, &all[which], &shapes[which]);
            }
            let play = match below(12, &mut nature) {
                0 => choices.plays().nth(below(count, &mut nature) as usize).unwrap_or(Play::Pass),
                _ => all[which].choose(&at, &world),
            };
            at.play(play, &world);
        }
    }
    for (weight, mean) in learner.weights.iter_mut().zip(&mean) {
        *weight = (*mean / means) as f32;
    }
    let table = learner.table();
    let habits = Habits::new(&table, &options[0]);
    let share = against_thumb(&habits, &options, 20_000, &mut seed.nature(3));
    eprintln!("at last against rules of thumb {share:.4}");
    println!("{table:?}");
}
