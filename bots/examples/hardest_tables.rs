//! Looks for the tables on which the greedy player's search works hardest, by hill-climbing, and
//! prints the worst for each played rank.
//!
//! `cargo run --release -p bots --example hardest_tables -- 20000` tries this number of tables for each
//! rank.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use bots::tablic::capture::best_from_many;
use rules::{CardSet, Nature, Rank, Seed};

/// After this number of changes in vain, the climb begins again from another table.
const PATIENCE: u32 = 400;

fn main() {
    let tries = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(5000);
    println!("played   steps      time  cards  table");
    for played in Rank::ALL {
        let (steps, table) = climb(played, tries, &mut Seed([played as u8; 32]).nature(0));
        let time = (0..5).map(|_| time(played, table)).min().unwrap_or_default();
        let cards = table.len();
        println!("{:>6} {steps:>7} {time:>9.1?} {cards:>6}  {table}", played.name());
    }
}

/// The hardest table found, and the steps it takes.
fn climb(played: Rank, tries: u32, nature: &mut Nature) -> (u64, CardSet) {
    let mut hardest = (0, CardSet::EMPTY);
    let mut here = hardest;
    let mut in_vain = PATIENCE;
    for _ in 0..tries {
        let table = if in_vain >= PATIENCE {
            in_vain = 0;
            here = (0, CardSet::EMPTY);
            let count = 20 + below(32, nature) as usize;
            nature.draw_many(&mut CardSet::PACK.clone(), count)
        } else {
            let mut table = here.1;
            for _ in 0..=below(3, nature) {
                table = toggled(table, nature);
            }
            table
        };
        let steps = best_from_many(played, table).steps;
        if steps > here.0 {
            in_vain = 0;
        }
        in_vain += 1;
        if steps >= here.0 {
            here = (steps, table);
        }
        hardest = hardest.max(here);
    }
    hardest
}

/// The table with one card more or less.
fn toggled(table: CardSet, nature: &mut Nature) -> CardSet {
    let card = nature.draw_many(&mut CardSet::PACK.clone(), 1);
    if table.contains_all(card) { table - card } else { table | card }
}

fn below(bound: u32, nature: &mut Nature) -> u32 {
    NonZeroU32::new(bound).map_or(0, |bound| nature.below(bound))
}

fn time(played: Rank, table: CardSet) -> Duration {
    let start = Instant::now();
    std::hint::black_box(best_from_many(played, std::hint::black_box(table)));
    start.elapsed()
}
