//! 95% intervals of standings hold the truth in about 95% of all tournaments.

use standings::{Estimate, Game, IntervalMethod, ReplicateCount, StandingsSetup};

use crate::tools::{Chance, Duels, Tables, setup, tally};

/// In what share of the intervals the truth lay.
#[derive(Debug)]
struct Coverage {
    score: f64,
    rating: f64,
    margin: f64,
}

/// Plays a tournament of so many deals.
type Play = dyn Fn(u64, &mut Chance) -> Vec<Game>;

/// Tournaments between bots of which it is known how they do in the long run.
struct Synthetic {
    setup: StandingsSetup,
    /// Scores, ratings and margins.
    truths: [Vec<f64>; 3],
    games: Box<Play>,
}

/// Three bots at two seats. The cards favour a seat by more than the bots differ, so the games of a
/// deal go together; were they taken for independent, intervals would be far off.
fn duels() -> Synthetic {
    let duels = Duels { strengths: vec![0.5, 0.1, -0.6], seat: 0.3, draws: 0.5, luck: 1.5 };
    Synthetic {
        setup: setup(3, 2),
        truths: [duels.scores(), duels.ratings(), duels.margins()],
        games: Box::new(move |deals, chance| duels.tournament(deals, chance)),
    }
}

/// Four bots at four seats.
fn tables() -> Synthetic {
    let tables = Tables { strengths: vec![0.6, 0.2, -0.1, -0.7] };
    Synthetic {
        setup: setup(4, 4),
        truths: [tables.scores(), tables.ratings(), tables.margins()],
        games: Box::new(move |deals, chance| tables.tournament(deals, chance)),
    }
}

impl Synthetic {
    fn coverage(&self, deals: u64, tournaments: u64, replicates: ReplicateCount) -> Coverage {
        let mut held = [0u64; 3];
        for tournament in 0..tournaments {
            let games = (self.games)(deals, &mut Chance::new(1_000_000 * deals + tournament));
            let setup = StandingsSetup { replicates, ..self.setup.clone() };
            let standings = tally(setup, &games).standings().all;
            assert_eq!(standings.method == IntervalMethod::T, deals < IntervalMethod::MANY_DEALS);
            for row in &standings.rows {
                let bot = usize::from(row.name.as_bytes()[0] - b'a');
                let estimates = [row.score, row.rating, row.margin];
                for ((held, estimate), truth) in held.iter_mut().zip(estimates).zip(&self.truths) {
                    *held += u64::from(holds(estimate, truth[bot]));
                }
            }
        }
        let all = self.setup.names.len() as f64 * tournaments as f64;
        let [score, rating, margin] = held.map(|held| held as f64 / all);
        Coverage { score, rating, margin }
    }

    fn assert_about_95_percent(&self, deals: u64, tournaments: u64, replicates: ReplicateCount) {
        let coverage = self.coverage(deals, tournaments, replicates);
        println!(
            "{} seats, {deals} deals, {tournaments} tournaments: {coverage:.4?}",
            self.setup.seats
        );
        for share in [coverage.score, coverage.margin] {
            assert!((0.93..=0.97).contains(&share), "{deals} deals: {coverage:?}");
        }
        // Of few deals ratings believe less than other numbers.
        assert!((0.93..=0.997).contains(&coverage.rating), "{deals} deals: {coverage:?}");
    }
}

fn holds(estimate: Option<Estimate>, truth: f64) -> bool {
    let interval = estimate.and_then(|estimate| estimate.interval);
    interval.is_some_and(|interval| interval.contains(truth))
}

/// They are enough for the average of thousands of intervals, and need less time.
const FEW: ReplicateCount = ReplicateCount::LEAST;

#[test]
fn intervals_from_few_deals_hold_the_truth() {
    for deals in [10, 29] {
        duels().assert_about_95_percent(deals, 1000, FEW);
        tables().assert_about_95_percent(deals, 1000, FEW);
    }
}

#[test]
fn intervals_from_many_deals_hold_the_truth() {
    duels().assert_about_95_percent(30, 1000, FEW);
    duels().assert_about_95_percent(60, 1000, ReplicateCount::suited(3, 2));
    duels().assert_about_95_percent(200, 500, FEW);
}

#[test]
fn intervals_from_many_deals_of_rankings_hold_the_truth() {
    tables().assert_about_95_percent(30, 1000, FEW);
    tables().assert_about_95_percent(100, 500, FEW);
}

/// `cargo test --release -p standings coverage -- --ignored --nocapture`
#[test]
#[ignore = "10,000 tournaments of each size"]
fn intervals_hold_the_truth_in_ten_thousand_tournaments() {
    for deals in [5, 10, 20, 29, 30, 60, 100, 200] {
        duels().assert_about_95_percent(deals, 10_000, ReplicateCount::suited(3, 2));
        tables().assert_about_95_percent(deals, 10_000, ReplicateCount::suited(4, 4));
    }
}
