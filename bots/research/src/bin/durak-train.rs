//! Learns how seats play in the trials of Durak's expert, by games of its habits against themselves,
//! and prints the weights.
//!
//! In many positions of such games every legal move is played on by the habits as they are, in the
//! world as it is, and moves that came to more become likelier: this climbs what a softmax over the
//! scores would have, all moves of a position together. The worlds are those of the games, so what a
//! seat cannot see is averaged over many positions. It begins with the weights that there are.
//!
//! `cargo run --release --manifest-path bots/research/Cargo.toml --bin durak-train -- SEED SECONDS OPTIONS…`, where the
//! seed is a number from 0 to 255 and games have each of the options in turn.

use std::num::NonZeroU32;
use std::process::ExitCode;
use std::time::Instant;

use bots::durak::expert::habits::{HabitPolicy, MoveKind};
use bots::durak::expert::weights::{CardHeights, FEATURES, STAGES, TurnView};
use bots::durak::expert::weights::{KINDS, Weights};
use bots::durak::search::cards::{Cards, Place};
use bots::durak::search::policy::{MOST_MOVES, PlayoutPolicy, RuleOfThumbPolicy, finish};
use bots::durak::search::position::{
    GameSetup, Play, Position, PositionPhase, SEATS, UnbeatenCards,
};
use bots::durak::search::tree::{WON, points};
use clap::Parser;
use research::program::{self, positive};
use rules::durak::Options;
use rules::{Nature, Seed};

/// Number of positions that one step is made from.
const BATCH: u32 = 2048;

/// Printed value of a weight of 1.
const SCALE: f32 = 200.0;

/// Size of the first steps.
const RATE: f32 = 0.01;

/// Number of decisions for each that is learned from.
const LEARNED: u32 = 6;

/// Number of decisions for each that is made at random, so that strange positions come up.
const RANDOM: u32 = 12;

/// Part of the time after which the weights of all steps are averaged.
const AVERAGED: f32 = 0.7;

/// Number of weights.
const SIZE: usize = KINDS * STAGES * FEATURES;

fn below(bound: u32, nature: &mut Nature) -> u32 {
    NonZeroU32::new(bound).map_or(0, |bound| nature.below(bound))
}

/// A deal, with the trumps where positions have them.
fn deal(options: &Options, nature: &mut Nature) -> (Position, GameSetup) {
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
        unbeaten: UnbeatenCards::default(),
        players: (1 << seats) - 1,
        first,
        attacker: first,
        defender,
        turn: first,
        phase: PositionPhase::Lead,
        attacks: 0,
        limit: most.min(6),
        drawn: 0,
        most,
    };
    (position, GameSetup::new(*options, talon, size as u8, 0))
}

/// A move of a position that is learned from.
struct Tried {
    score: f32,
    /// Result of its seat.
    had: f32,
    /// The place of its first weight.
    row: usize,
    /// Its features; none for a move without a card.
    features: Option<[i32; FEATURES]>,
}

/// The weights as they are learned, by Adam (D. Kingma and J. Ba, 2015).
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
    fn new(weights: &Weights) -> Learner {
        let zero = || vec![0.0; SIZE];
        let weights = weights.as_flattened().as_flattened();
        Learner {
            weights: weights.iter().map(|weight| f32::from(*weight) / SCALE).collect(),
            gradient: zero(),
            first: zero(),
            second: zero(),
            steps: 0,
            in_batch: 0,
            rate: RATE,
        }
    }

    /// The weights as they are printed.
    fn table(&self) -> Weights {
        let mut table = [[[0; FEATURES]; STAGES]; KINDS];
        for (slot, weight) in
            table.as_flattened_mut().as_flattened_mut().iter_mut().zip(&self.weights)
        {
            *slot = (weight * SCALE).round().clamp(-32000.0, 32000.0) as i16;
        }
        table
    }

    fn learn(
        &mut self,
        position: &Position,
        world: &GameSetup,
        habits: &HabitPolicy,
        shape: &CardHeights,
    ) {
        let seat = position.turn;
        let scene = TurnView::new(position, world);
        let mut moves = Vec::new();
        for play in position.choices(world).plays() {
            let mut next = *position;
            next.play(play, world);
            let had = points(finish(&next, world, habits), seat) as f32 / WON as f32;
            let row =
                (MoveKind::classify(play, position) as usize * STAGES + scene.stage) * FEATURES;
            let features = scene.features(position, world, shape, play);
            let score = features.map_or(0.0, |features| {
                features.iter().zip(&self.weights[row..]).map(|(x, w)| *x as f32 * w).sum()
            });
            moves.push(Tried { score, had, row, features });
        }
        let top = moves.iter().map(|tried| tried.score).fold(f32::MIN, f32::max);
        let total: f32 = moves.iter().map(|tried| (tried.score - top).exp()).sum();
        let chance = |tried: &Tried| (tried.score - top).exp() / total;
        let mean: f32 = moves.iter().map(|tried| chance(tried) * tried.had).sum();
        for tried in &moves {
            let push = chance(tried) * (tried.had - mean);
            for (slot, x) in
                self.gradient[tried.row..].iter_mut().zip(tried.features.iter().flatten())
            {
                *slot += push * *x as f32;
            }
        }
        self.count();
    }

    /// Counts a position, and makes a step once there are enough.
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

/// Result of one seat of habits among seats of rules of thumb.
fn against_thumb(weights: &Weights, options: &[Options], deals: u32, nature: &mut Nature) -> f64 {
    let (mut had, mut games) = (0, 0);
    for number in 0..deals {
        let options = &options[number as usize % options.len()];
        let policy = RuleOfThumbPolicy::usual(options.deck());
        let habits = HabitPolicy::new(weights, options);
        let (position, world) = deal(options, nature);
        for seat in 0..options.seats() as u8 {
            let mut at = position;
            for _ in 0..MOST_MOVES {
                if let PositionPhase::Over(_) = at.phase {
                    break;
                }
                let play = match at.turn == seat {
                    true => habits.choose(&at, &world),
                    false => policy.choose(&at, &world),
                };
                at.play(play, &world);
            }
            let losers =
                if let PositionPhase::Over(losers) = at.phase { losers } else { at.players };
            had += points(losers, seat);
            games += 1;
        }
    }
    had as f64 / WON as f64 / f64::from(games)
}

/// Plays a game, and learns from some of its positions.
fn play(learner: &mut Learner, habits: &HabitPolicy, options: &Options, nature: &mut Nature) {
    let shape = CardHeights::new(options.deck());
    let (mut at, world) = deal(options, nature);
    for _ in 0..MOST_MOVES {
        if let PositionPhase::Over(_) = at.phase {
            return;
        }
        let plays: Vec<Play> = at.choices(&world).plays().collect();
        if plays.len() > 1 && below(LEARNED, nature) == 0 {
            learner.learn(&at, &world, habits, &shape);
        }
        let play = match below(RANDOM, nature) {
            0 => nature.choose(&plays).copied().unwrap_or(Play::Pass),
            _ => habits.choose(&at, &world),
        };
        at.play(play, &world);
    }
}

/// Learn how seats play in the trials of Durak's expert, and print the weights
#[derive(Debug, Parser)]
#[command(name = "durak-train", max_term_width = 100)]
struct Arguments {
    /// What all games follow from
    seed: u8,
    /// How long it learns
    #[arg(value_parser = positive)]
    seconds: f64,
    /// Options of the game, as `seats=2`; games have each of them in turn
    #[arg(required = true)]
    options: Vec<Options>,
}

fn main() -> ExitCode {
    program::run(|given: Arguments| {
        train(given);
        Ok(())
    })
}

fn train(given: Arguments) {
    let Arguments { seed, seconds, options } = given;
    let seed = Seed([seed; 32]);
    let seconds = seconds as f32;
    let first = &options[0];
    let mut learner = Learner::new(HabitPolicy::learned(first).weights());
    let mut sum = vec![0.0f64; SIZE];
    let (mut summed, mut step, mut told) = (0u32, -1, 0.0);
    let mut all: Vec<HabitPolicy> = Vec::new();
    let mut nature = seed.nature(1);
    let start = Instant::now();
    for game in 0.. {
        let past = start.elapsed().as_secs_f32() / seconds;
        if past >= 1.0 {
            break;
        }
        if learner.steps > step {
            step = learner.steps;
            learner.rate = RATE * (1.0 - past).max(0.02);
            all =
                options.iter().map(|options| HabitPolicy::new(&learner.table(), options)).collect();
            if past > AVERAGED {
                summed += 1;
                for (sum, weight) in sum.iter_mut().zip(&learner.weights) {
                    *sum += f64::from(*weight);
                }
            }
        }
        if past * 8.0 >= told {
            told += 1.0;
            tell(&learner, &options, &seed);
        }
        let which = game % options.len();
        play(&mut learner, &all[which], &options[which], &mut nature);
    }
    if summed > 0 {
        learner.weights = sum.iter().map(|sum| (sum / f64::from(summed)) as f32).collect();
    }
    tell(&learner, &options, &seed);
    println!("{:?}", learner.table());
}

/// Says how strong the habits are.
fn tell(learner: &Learner, options: &[Options], seed: &Seed) {
    let share = against_thumb(&learner.table(), options, 8000, &mut seed.nature(2));
    eprintln!("{} steps, {share:.4} points a game among rules of thumb", learner.steps);
}
