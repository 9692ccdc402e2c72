//! Time and memory that standings take. It prints them, and asserts what does not depend on the
//! machine.
//!
//! `cargo test --release -p standings speed -- --ignored --nocapture`

use std::fs;
use std::time::Instant;

use standings::{Game, Tally};

use crate::tools::{Chance, game, setup};

/// The memory of this process in KiB, where the system tells.
fn memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// A round of every two bots in either order, or of random tables.
fn round(bots: usize, seats: usize, deal: u64, chance: &mut Chance) -> Vec<Game> {
    let mut points = |count: usize| (0..count).map(|_| chance.below(25) as i32).collect::<Vec<_>>();
    if seats == 2 {
        let all = (0..bots).flat_map(|first| (0..bots).map(move |second| [first, second]));
        let pairs = all.filter(|[first, second]| first != second);
        return pairs.map(|seats| game(deal, &seats, &points(2))).collect();
    }
    let mut order: Vec<usize> = (0..bots).collect();
    let mut tables = Vec::new();
    for _ in 0..bots {
        order.rotate_left(1);
        tables.push(game(deal, &order[..seats], &points(seats)));
    }
    chance.shuffle(&mut order);
    tables
}

#[test]
#[ignore = "minutes; it is for reading what it prints"]
fn speed_and_memory() {
    for (bots, seats, deals) in [
        (2, 2, 200_000),
        (10, 2, 4000),
        (50, 2, 100),
        (6, 4, 20_000),
        (10, 6, 2000),
        (12, 12, 200),
        (15, 12, 200),
        (50, 14, 200),
    ] {
        let setup = setup(bots, seats);
        let replicates = setup.replicates.count();
        let mut tally = Tally::new(setup);
        let mut chance = Chance::new(1);
        let mut adding = 0.0;
        let mut halfway = None;
        for deal in 0..deals {
            let games = round(bots, seats, deal, &mut chance);
            let start = Instant::now();
            games.iter().for_each(|game| tally.add(game).unwrap());
            adding += start.elapsed().as_secs_f64();
            if deal == deals / 2 {
                halfway = memory();
            }
        }
        let end = memory();
        let start = Instant::now();
        let standings = tally.standings();
        println!(
            "{bots} bots, {seats} seats, {replicates} replicates: {:.2} µs a game of {}, {:.3} s the standings, {halfway:?} KiB, then {end:?}",
            1e6 * adding / tally.games() as f64,
            tally.games(),
            start.elapsed().as_secs_f64(),
        );
        assert_eq!(standings.all.deals, deals);
        if let (Some(halfway), Some(end)) = (halfway, end) {
            assert!(end < halfway + 4096, "{halfway} KiB after half of the games, then {end}");
        }
    }
}
