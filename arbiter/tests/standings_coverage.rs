//! Whether 95% intervals of standings hold what is true in about 95% of all tournaments.

mod standings_tools;

use arbiter::standings::{Estimate, Method, Replicates, Setup};
use standings_tools::{Chance, Duels, setup, tally};

/// In what share of the intervals the truth lay.
#[derive(Debug)]
struct Coverage {
    score: f64,
    rating: f64,
    margin: f64,
}

/// Tournaments of three bots. The cards favour a seat by more than the bots differ, so the games of
/// a deal go together; were they taken for independent, intervals would be far off.
fn coverage(deals: u64, tournaments: u64, replicates: Replicates) -> Coverage {
    let duels = Duels { strengths: vec![0.5, 0.1, -0.6], seat: 0.3, draws: 0.5, luck: 1.5 };
    let truths = [duels.scores(), duels.ratings(), duels.margins()];
    let mut held = [0u64; 3];
    for tournament in 0..tournaments {
        let games = duels.tournament(deals, &mut Chance::new(1_000_000 * deals + tournament));
        let setup = Setup { replicates, ..setup(3, 2) };
        let standings = tally(setup, &games).standings().all;
        assert_eq!(standings.method == Method::T, deals < Method::MANY_DEALS);
        for row in &standings.rows {
            let bot = usize::from(row.name.as_bytes()[0] - b'a');
            let estimates = [row.score, row.rating, row.margin];
            for ((held, estimate), truth) in held.iter_mut().zip(estimates).zip(&truths) {
                *held += u64::from(holds(estimate, truth[bot]));
            }
        }
    }
    let [score, rating, margin] = held.map(|held| held as f64 / (3 * tournaments) as f64);
    Coverage { score, rating, margin }
}

fn holds(estimate: Option<Estimate>, truth: f64) -> bool {
    let interval = estimate.and_then(|estimate| estimate.interval);
    interval.is_some_and(|interval| (interval.low..=interval.high).contains(&truth))
}

fn assert_about_95_percent(deals: u64, tournaments: u64, replicates: Replicates) {
    let coverage = coverage(deals, tournaments, replicates);
    println!("{deals} deals, {tournaments} tournaments, {replicates:?}: {coverage:.4?}");
    for share in [coverage.score, coverage.rating, coverage.margin] {
        assert!((0.93..=0.97).contains(&share), "{deals} deals: {coverage:?}");
    }
}

#[test]
fn intervals_from_few_deals_hold_the_truth() {
    assert_about_95_percent(10, 1000, Replicates::at_least(200));
    assert_about_95_percent(29, 1000, Replicates::at_least(200));
}

#[test]
fn intervals_from_many_deals_hold_the_truth() {
    assert_about_95_percent(30, 1000, Replicates::at_least(200));
    assert_about_95_percent(60, 1000, Replicates::suited(3, 2));
    assert_about_95_percent(200, 1000, Replicates::at_least(200));
}

/// `cargo test --release -p arbiter --test standings_coverage -- --ignored --nocapture`
#[test]
#[ignore = "10,000 tournaments of each size"]
fn intervals_hold_the_truth_in_ten_thousand_tournaments() {
    for deals in [5, 10, 20, 29, 30, 60, 100, 200] {
        assert_about_95_percent(deals, 10_000, Replicates::suited(3, 2));
    }
}
