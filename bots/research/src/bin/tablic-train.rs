//! Learns what the expert of Tablić expects and believes, from games between players.
//!
//! `cargo run --release --manifest-path bots/research/Cargo.toml --bin tablic-train -- 3000 "expert --worlds 200
//! --time none" "minimax --time none"` plays 3,000 games between as many seats as there are players, fits two
//! conditional logits by Newton's method, and prints their weights as they stand in
//! `position.rs` and `beliefs.rs` of `bots/src/tablic/expert`, with the mean log-likelihood of what
//! happened, on the games that were learned from and on every tenth game, which was left out.

use std::error::Error;
use std::process::ExitCode;

use bots::Players;
use bots::tablic::Tablic;
use bots::tablic::classes::{ClassCounts, ClassMove};
use bots::tablic::expert::beliefs::{self, MoveFeatures};
use bots::tablic::expert::position::{self, DealPosition, GreedyCache};
use clap::Parser;
use research::program;
use rules::tablic::{DealDestination, Event, Move, Options, SeatCount};
use rules::{CardSet, GameTerms, Seat, Seed};
use simulation::{CompletedGame, TIME, play};

/// The seed of all games; no figure of strength comes from it.
const SEED: Seed = Seed([0xaa; 32]);

/// With fewer games some of the ends of deals have nothing to be learned from or tested on.
const FEWEST: u64 = 100;

/// Number of steps of Newton's method.
const STEPS: usize = 20;

/// Strength of the pull of weights to 0.
const RIDGE: f64 = 1e-4;

/// Learn what the expert of Tablić expects and believes, from games between players
#[derive(Debug, Parser)]
#[command(name = "tablic-train", max_term_width = 100)]
struct Arguments {
    /// How many games are played
    #[arg(value_parser = clap::value_parser!(u64).range(FEWEST..))]
    games: u64,
    /// A player for each seat, a name with options in one word
    #[arg(required = true)]
    players: Vec<String>,
}

fn main() -> ExitCode {
    program::run(|given: Arguments| train(&given).map_err(|error| error.to_string()))
}

fn train(given: &Arguments) -> Result<(), Box<dyn Error>> {
    let Arguments { games, players } = given;
    let (mut learned, mut left_out) = (Samples::default(), Samples::default());
    for game in 0..*games {
        let samples = if game % 10 == 9 { &mut left_out } else { &mut learned };
        samples.add(&played(game, players)?);
    }
    let (weights, likelihood) = fit(&learned.moves);
    let other = log_likelihood(&left_out.moves, &weights);
    println!("inclination, likelihood {likelihood:.4}, of games left out {other:.4}");
    println!("{}", row(&weights));
    for (deals, samples) in learned.ends.iter().enumerate().filter(|(_, some)| !some.is_empty()) {
        let (weights, likelihood) = fit(samples);
        let other = log_likelihood(&left_out.ends[deals], &weights);
        println!("{deals} deals left, likelihood {likelihood:.4}, of games left out {other:.4}");
        println!("({}, {deals}, {}),", players.len(), row(&weights));
    }
    Ok(())
}

fn row(weights: &[f64]) -> String {
    let weights: Vec<String> = weights.iter().map(|weight| format!("{weight:.4}")).collect();
    format!("[{}]", weights.join(", "))
}

fn played(game: u64, players: &[String]) -> Result<CompletedGame<Tablic>, Box<dyn Error>> {
    let seats = players.len();
    let options = Options { seats: SeatCount::new(seats).ok_or("not a number of seats")? };
    let terms = GameTerms::even(SEED.name(game), seats, TIME, SEED.bots(game));
    let sitting = (0..seats).map(|seat| {
        let mut words = players[(seat + game as usize) % seats].split(' ').map(str::to_owned);
        let name = words.next().unwrap_or_default();
        Tablic::player(&name, &words.collect::<Vec<_>>())
    });
    let sitting = sitting.collect::<Result<Vec<_>, _>>()?;
    Ok(play(&options, &terms, &mut SEED.nature(game), sitting)?)
}

/// A choice between alternatives.
struct Choice<const N: usize> {
    /// The features of each.
    alternatives: Vec<[f32; N]>,
    /// Share of the choice for each.
    taken: Vec<f32>,
}

/// Samples from games.
#[derive(Default)]
struct Samples {
    greed: GreedyCache,
    moves: Vec<Choice<{ beliefs::FEATURES }>>,
    /// The ends of deals, by how many deals came after them.
    ends: [Vec<Choice<{ position::FEATURES }>>; 4],
}

impl Samples {
    fn add(&mut self, finished: &CompletedGame<Tablic>) {
        let seats = finished.scores.count();
        let shares = shares(finished);
        let mut at = Followed::new(seats);
        for event in &finished.events {
            match *event {
                Event::Deal { to, cards } => at.deal(to, cards.visible()),
                Event::Move { seat, mv } => {
                    if at.undealt > 0 {
                        self.add_move(&at, seat, mv);
                    }
                    at.play(seat, mv);
                    if at.undealt > 0 && at.hands.iter().all(|hand| hand.is_empty()) {
                        let of = |seat| position::features(&at.position, seat);
                        let alternatives = (0..seats).map(of).collect();
                        let choice = Choice { alternatives, taken: shares.clone() };
                        self.ends[position::deals(at.undealt, seats) as usize].push(choice);
                    }
                }
                _ => {}
            }
        }
    }

    fn add_move(&mut self, at: &Followed, seat: Seat, mv: Move) {
        let hand = ClassCounts::count(at.hands[seat.index()]);
        let unseen = ClassCounts::count(CardSet::PACK - at.table - at.taken);
        let made = ClassMove::new(mv, at.position.table);
        let inclinations = MoveFeatures::of_table(at.position.table, unseen, made, &mut self.greed);
        let features = |class| inclinations.features(class, hand);
        let is_made = |class| if class == made.played { 1.0 } else { 0.0 };
        let choice = Choice {
            alternatives: hand.classes().iter().map(features).collect(),
            taken: hand.classes().iter().map(is_made).collect(),
        };
        if choice.taken.len() > 1 {
            self.moves.push(choice);
        }
    }
}

/// Share of the win for each seat.
fn shares(finished: &CompletedGame<Tablic>) -> Vec<f32> {
    let points = finished.scores.values();
    let most = points.iter().max();
    let is_best: Vec<bool> = points.iter().map(|points| Some(points) == most).collect();
    let winners = is_best.iter().filter(|is_best| **is_best).count() as f32;
    is_best.iter().map(|is_best| if *is_best { 1.0 / winners } else { 0.0 }).collect()
}

/// A game that is followed with all hands in sight.
struct Followed {
    table: CardSet,
    taken: CardSet,
    hands: Vec<CardSet>,
    undealt: usize,
    position: DealPosition,
}

impl Followed {
    fn new(seats: usize) -> Followed {
        Followed {
            table: CardSet::EMPTY,
            taken: CardSet::EMPTY,
            hands: vec![CardSet::EMPTY; seats],
            undealt: CardSet::PACK.len(),
            position: DealPosition::new(seats),
        }
    }

    fn deal(&mut self, to: DealDestination, cards: CardSet) {
        self.undealt -= cards.len();
        match to {
            DealDestination::Table => self.table |= cards,
            DealDestination::Hand(seat) => self.hands[seat.index()] = cards,
        }
        self.position.table = ClassCounts::count(self.table);
    }

    fn play(&mut self, seat: Seat, mv: Move) {
        let made = ClassMove::new(mv, self.position.table);
        self.position.hands[seat.index()] = ClassCounts::count(self.hands[seat.index()]);
        self.position.mover = seat.index() as u8;
        self.position.play(made);
        self.hands[seat.index()].remove(mv.card);
        if mv.captured.is_empty() {
            self.table.insert(mv.card);
        } else {
            self.table -= mv.captured;
            self.taken |= mv.gained();
        }
    }
}

/// The weights that make what happened likeliest, and the mean log-likelihood of it.
fn fit<const N: usize>(choices: &[Choice<N>]) -> ([f64; N], f64) {
    let mut weights = [0.0; N];
    for _ in 0..STEPS {
        let (gradient, curvature) = slopes(choices, &weights);
        let step = solve(curvature, gradient);
        for (weight, step) in weights.iter_mut().zip(step) {
            *weight += step.clamp(-1.0, 1.0);
        }
    }
    (weights, log_likelihood(choices, &weights))
}

/// The chance of each alternative.
fn chances<const N: usize>(choice: &Choice<N>, weights: &[f64; N]) -> Vec<f64> {
    let score = |features: &[f32; N]| -> f64 {
        features.iter().zip(weights).map(|(feature, weight)| f64::from(*feature) * weight).sum()
    };
    let scores: Vec<f64> = choice.alternatives.iter().map(score).collect();
    let most = scores.iter().copied().fold(f64::MIN, f64::max);
    let parts: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
    let all: f64 = parts.iter().sum();
    parts.iter().map(|part| part / all).collect()
}

fn log_likelihood<const N: usize>(choices: &[Choice<N>], weights: &[f64; N]) -> f64 {
    let of = |choice: &Choice<N>| -> f64 {
        let chances = chances(choice, weights);
        chances
            .iter()
            .zip(&choice.taken)
            .map(|(chance, taken)| f64::from(*taken) * chance.ln())
            .sum()
    };
    choices.iter().map(of).sum::<f64>() / choices.len() as f64
}

/// The gradient of the log-likelihood, and its curvature with the opposite sign.
fn slopes<const N: usize>(choices: &[Choice<N>], weights: &[f64; N]) -> ([f64; N], [[f64; N]; N]) {
    let ridge = RIDGE * choices.len() as f64;
    let mut gradient = weights.map(|weight| -ridge * weight);
    let mut curvature = [[0.0; N]; N];
    for (place, row) in curvature.iter_mut().enumerate() {
        row[place] = ridge;
    }
    for choice in choices {
        let chances = chances(choice, weights);
        let mut mean = [0.0; N];
        for (features, chance) in choice.alternatives.iter().zip(&chances) {
            for (mean, feature) in mean.iter_mut().zip(features) {
                *mean += chance * f64::from(*feature);
            }
        }
        let each = choice.alternatives.iter().zip(&chances).zip(&choice.taken);
        for ((features, chance), taken) in each {
            let apart: [f64; N] =
                std::array::from_fn(|place| f64::from(features[place]) - mean[place]);
            for (place, one) in apart.iter().enumerate() {
                gradient[place] += f64::from(*taken) * one;
                for (sum, other) in curvature[place].iter_mut().zip(&apart) {
                    *sum += chance * one * other;
                }
            }
        }
    }
    (gradient, curvature)
}

/// Solves a system of linear equations by elimination, with the largest pivots.
fn solve<const N: usize>(mut rows: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for column in 0..N {
        let size = |row: &usize| rows[*row][column].abs();
        let pivot = (column..N).max_by(|one, other| size(one).total_cmp(&size(other)));
        rows.swap(column, pivot.unwrap_or(column));
        right.swap(column, pivot.unwrap_or(column));
        let (pivot_row, pivot_right) = (rows[column], right[column]);
        for row in (0..N).filter(|row| *row != column) {
            let part = rows[row][column] / pivot_row[column];
            for (value, pivot) in rows[row].iter_mut().zip(pivot_row) {
                *value -= part * pivot;
            }
            right[row] -= part * pivot_right;
        }
    }
    std::array::from_fn(|row| right[row] / rows[row][row])
}
