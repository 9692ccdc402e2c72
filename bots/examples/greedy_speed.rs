//! Measures how fast the greedy player decides, on the positions of games with two seats: greedy
//! against itself, where tables stay small, and moves at random, where they grow.
//!
//! `cargo run --release -p bots --example greedy_speed`

use std::error::Error;
use std::time::Instant;

use bots::tablic::best_move;
use rules::tablic::{Move, Options, Tablic};
use rules::{CardSet, Game, Nature, Seed, Turn};

const GAMES: u64 = 2000;

/// A hand to move, and the table.
type Position = (CardSet, CardSet);

fn main() -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let greedy = positions(|position, _, _| best_move(position.0, position.1))?;
    let rate = GAMES as f64 / start.elapsed().as_secs_f64();
    println!("greedy against itself: {rate:.0} whole games a second");
    measure(&greedy);
    println!("positions of random games:");
    measure(&positions(|_, game, nature| {
        let mut moves = Vec::new();
        let _ = game.legal_moves(&mut moves);
        nature.choose(&moves).copied()
    })?);
    Ok(())
}

fn measure(positions: &[Position]) {
    for (from, to) in [(0, 4), (5, 8), (9, 12), (13, 52), (0, 52)] {
        let some: Vec<_> =
            positions.iter().filter(|(_, table)| (from..=to).contains(&table.len())).collect();
        let start = Instant::now();
        for (hand, table) in &some {
            std::hint::black_box(best_move(*hand, *table));
        }
        let rate = some.len() as f64 / start.elapsed().as_secs_f64();
        println!("{rate:>9.0} decisions a second, {} tables of {from} to {to} cards", some.len());
    }
}

/// The positions of many games between players that choose like this.
fn positions(
    choose: impl Fn(Position, &Tablic, &mut Nature) -> Option<Move>,
) -> Result<Vec<Position>, Box<dyn Error>> {
    let mut positions = Vec::new();
    let mut events = Vec::new();
    for deal in 0..GAMES {
        let mut nature = Seed([1; 32]).nature(deal);
        let mut game = Tablic::new(&Options::default());
        events.clear();
        loop {
            match game.turn() {
                Turn::Over(_) => break,
                Turn::Nature => {
                    let deal = game.sample(&mut nature).ok_or("nature is stuck")?;
                    game.happen(&deal, &mut events)?;
                }
                Turn::Seat(seat) => {
                    let position = (game.hand(seat), game.table());
                    positions.push(position);
                    let mv = choose(position, &game, &mut nature).ok_or("no move")?;
                    game.play(&mv, &mut events)?;
                }
            }
        }
    }
    Ok(positions)
}
