//! 95% intervals of ratings hold the truth even if scores are lopsided, and deals few.
//!
//! `cargo test --release -p standings lopsided::table -- --ignored --nocapture`
//! prints how many do, for the bot with the lopsided score and for all others, in brackets how
//! many have one end, and last how many tournaments were drawn.

use std::fmt;

use standings::{Estimate, ReplicateCount, StandingsSetup};

use crate::tools::world::{Truth, World};
use crate::tools::{Chance, setup, tally};

/// Counts of intervals over many tournaments.
#[derive(Debug, Default, Clone, Copy)]
struct Held {
    intervals: u64,
    held: u64,
    one_ended: u64,
    missing: u64,
}

impl Held {
    fn add(&mut self, estimate: Option<Estimate>, truth: f64) {
        let Some(interval) = estimate.and_then(|estimate| estimate.interval) else {
            self.missing += 1;
            return;
        };
        self.intervals += 1;
        self.held += u64::from(interval.contains(truth));
        self.one_ended += u64::from(interval.low.is_none() || interval.high.is_none());
    }

    fn share(self) -> f64 {
        self.held as f64 / self.intervals as f64
    }

    /// Fails if fewer than 92% hold, by more than chance allows in this number of tournaments.
    fn assert_honest(self, tournaments: u64, what: &str) {
        let error = (0.92f64 * 0.08 / tournaments as f64).sqrt();
        assert!(self.share() >= 0.92 - 2.5 * error, "{what}: {self:?}");
    }
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = 100.0 * self.one_ended as f64 / self.intervals as f64;
        write!(f, "{:5.1}% ({open:2.0}%)", 100.0 * self.share())
    }
}

/// The ratings of the first bot and of all others in so many tournaments of so many deals.
fn ratings_held(world: &World, truth: &Truth, deals: u64, tournaments: u64) -> [Held; 2] {
    let number = |name: &str| usize::from(name.as_bytes()[0] - b'a');
    let mut held = [Held::default(); 2];
    for tournament in 0..tournaments {
        let games = world.tournament(deals, &mut Chance::new(1_000_000 * deals + tournament));
        let replicates = ReplicateCount::LEAST;
        let setup = StandingsSetup { replicates, ..setup(world.strengths.len(), world.seats) };
        let all = tally(setup, &games).standings().all;
        for row in &all.rows {
            let bot = number(&row.name);
            let group = all.groups.iter().find(|group| group.bots.contains(&row.name)).unwrap();
            let anchors = group.anchors.iter().map(|name| truth.strengths[number(name)]);
            let zero = anchors.sum::<f64>() / group.anchors.len() as f64;
            held[usize::from(bot > 0)].add(row.rating, truth.strengths[bot] - zero);
        }
    }
    held
}

/// Cards that favour a seat, in every game of the deal, and cards that suit one bot more than
/// another, in whatever seat.
fn kinds_of_luck(seats: usize) -> [(&'static str, World); 2] {
    let world = |luck, liking| World { seats, strengths: Vec::new(), seat: 0.3, luck, liking };
    [("seat", world(1.0, 0.0)), ("bot", world(0.3, 1.0))]
}

/// Prints in what share of tournaments the interval of the lopsided bot held its rating, how often
/// that had one end, and the same of the ratings of all others.
fn table(bots: usize, seats: usize) {
    let games = if seats == 2 { bots * (bots - 1) } else { bots } as u64;
    for (luck, world) in kinds_of_luck(seats) {
        for score in [0.5, 0.75, 0.9, 0.95, 0.99] {
            let world = World::with_score(bots, score, world.clone());
            let truth = world.truth((2_000_000 / games).clamp(5000, 40_000));
            for deals in [5, 10, 30, 100, 300] {
                let tournaments = (600_000 / (deals * games)).clamp(25, 1000);
                let held = ratings_held(&world, &truth, deals, tournaments);
                let what = format!(
                    "{bots:2} bots, {seats} seats, luck of the {luck:4}, {:2.0}%, {deals:3} deals",
                    100.0 * score,
                );
                println!("{what}: {} | {} | {tournaments}", held[0], held[1]);
                held.iter().for_each(|held| held.assert_honest(tournaments, &what));
            }
        }
    }
}

#[test]
#[ignore = "a minute"]
fn table_of_2_bots_at_2_seats() {
    table(2, 2);
}

#[test]
#[ignore = "a minute"]
fn table_of_6_bots_at_2_seats() {
    table(6, 2);
}

#[test]
#[ignore = "a minute"]
fn table_of_20_bots_at_2_seats() {
    table(20, 2);
}

#[test]
#[ignore = "a minute"]
fn table_of_3_bots_at_3_seats() {
    table(3, 3);
}

#[test]
#[ignore = "a minute"]
fn table_of_12_bots_at_3_seats() {
    table(12, 3);
}

#[test]
#[ignore = "a minute"]
fn table_of_4_bots_at_4_seats() {
    table(4, 4);
}

#[test]
#[ignore = "a minute"]
fn table_of_20_bots_at_4_seats() {
    table(20, 4);
}

#[test]
fn intervals_of_lopsided_ratings_hold_the_truth() {
    for (bots, seats, score, deals) in
        [(2, 2, 0.95, 30), (2, 2, 0.95, 50), (2, 2, 0.99, 10), (5, 2, 0.9, 5), (4, 4, 0.95, 10)]
    {
        for (luck, world) in kinds_of_luck(seats) {
            let world = World::with_score(bots, score, world);
            let truth = world.truth(4000);
            for held in ratings_held(&world, &truth, deals, 200) {
                let what = format!("{bots} {seats} {score} {deals} {luck}");
                assert_eq!(held.missing, 0, "{what}");
                assert!(held.share() >= 0.92, "{what}: {held:?}");
            }
        }
    }
}
