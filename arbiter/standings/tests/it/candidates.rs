//! Ways to make an interval of a rating, measured against each other.
//!
//! `cargo test --release -p standings candidates -- --ignored --nocapture`

use standings::{Game, ReplicateCount, StandingsSetup, normal_cdf};

use crate::tools::world::World;
use crate::tools::{Chance, setup, tally};

/// Points of Elo for a factor of e.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Numbers of deals by result: the first bot won or lost in the first seat, and in the second.
type Deals = [f64; 4];

/// The logarithm of the odds of so many wins in so many games, with half a game won and half lost.
fn odds(won: f64, games: f64) -> f64 {
    ((won + 0.5) / (games - won + 0.5)).ln()
}

fn in_seats(deals: &Deals) -> [f64; 3] {
    let all = deals.iter().sum();
    [deals[2] + deals[3], deals[1] + deals[3], all]
}

/// The rating of the first of two bots.
fn rating(deals: &Deals) -> f64 {
    let [first, second, all] = in_seats(deals);
    ELO / 2.0 * odds(first + second, 2.0 * all)
}

/// The rating with an advantage of the seat in the model: the mean of both seats.
fn rating_with_seats(deals: &Deals) -> f64 {
    let [first, second, all] = in_seats(deals);
    ELO / 4.0 * (odds(first, all) + odds(second, all))
}

/// The standard error of the rating by deals.
fn error(deals: &Deals) -> f64 {
    let [first, second, all] = in_seats(deals);
    let share = (first + second + 0.5) / (2.0 * all + 1.0);
    let mean = (first + second) / (2.0 * all);
    let squares = deals.iter().zip([0.0, 0.5, 0.5, 1.0]);
    let variance = squares.map(|(deals, value)| deals * (value - mean).powi(2)).sum::<f64>()
        / (all - 1.0)
        / all;
    ELO / 2.0 * variance.sqrt() / (share * (1.0 - share))
}

fn resampled(deals: &Deals, chance: &mut Chance) -> Deals {
    let all: f64 = deals.iter().sum();
    let shares = deals.map(|count| count / all);
    let mut drawn = [0.0; 4];
    (0..all as usize).for_each(|_| drawn[chance.one_of(&shares)] += 1.0);
    drawn
}

fn at(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((share * values.len() as f64) as usize).min(values.len() - 1)]
}

fn percentiles(mut values: Vec<f64>) -> [f64; 2] {
    [at(&mut values, 0.025), at(&mut values, 0.975)]
}

/// The number below which a standard normal variable lies with this probability, found by halving.
fn normal_quantile(probability: f64) -> f64 {
    let (mut low, mut high) = (-10.0, 10.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        let end = if normal_cdf(middle) < probability { &mut low } else { &mut high };
        *end = middle;
    }
    low
}

/// Efron's bias-corrected and accelerated interval (1987, "Better bootstrap confidence intervals").
fn bias_corrected(deals: &Deals, mut values: Vec<f64>) -> [f64; 2] {
    let value = rating(deals);
    let count = values.len() as f64;
    let below: f64 =
        values.iter().map(|it| f64::from(*it < value) + f64::from(*it == value) / 2.0).sum();
    let bias = normal_quantile((below / count).clamp(0.5 / count, 1.0 - 0.5 / count));
    let without = |way: usize| {
        let mut fewer = *deals;
        fewer[way] -= 1.0;
        rating(&fewer)
    };
    let left: Vec<(f64, f64)> =
        (0..4).filter(|way| deals[*way] > 0.0).map(|way| (deals[way], without(way))).collect();
    let all: f64 = deals.iter().sum();
    let mean = left.iter().map(|(count, value)| count * value).sum::<f64>() / all;
    let moment =
        |power| left.iter().map(|(count, value)| count * (mean - value).powi(power)).sum::<f64>();
    let acceleration = moment(3) / (6.0 * moment(2).powf(1.5)).max(f64::MIN_POSITIVE);
    [-1.96, 1.96].map(|quantile: f64| {
        let shifted = bias + quantile;
        at(&mut values, normal_cdf(bias + shifted / (1.0 - acceleration * shifted)))
    })
}

/// The bootstrap of the number divided by its standard error.
fn studentised(deals: &Deals, drawn: &[Deals]) -> [f64; 2] {
    let value = rating(deals);
    let quotient = |drawn: &Deals| (rating(drawn) - value) / error(drawn);
    let quotients = drawn.iter().map(quotient).filter(|quotient| quotient.is_finite());
    let quotients: Vec<f64> = quotients.collect();
    if quotients.is_empty() {
        return [value, value];
    }
    let [low, high] = percentiles(quotients);
    [value - high * error(deals), value - low * error(deals)]
}

fn deals_of(games: &[Game]) -> Deals {
    let mut deals = [0.0; 4];
    for pair in games.chunks(2) {
        let has_won = |game: usize, seat: usize| {
            let points = pair[game].scores().values();
            usize::from(points[seat] > points[1 - seat])
        };
        deals[2 * has_won(0, 0) + has_won(1, 1)] += 1.0;
    }
    deals
}

/// Two bots, so that a rating and all intervals of it have a formula. Where a bot won or lost all
/// games only the profile likelihood has an interval: it alone is counted there.
#[test]
#[ignore = "a minute; it is for reading what it prints"]
fn ways_to_make_an_interval_are_compared() {
    const TOURNAMENTS: u64 = 1000;
    const DRAWN: usize = 400;
    println!(
        "score deals: percentiles with seats, percentiles, bias-corrected, studentised | profile"
    );
    for score in [0.5, 0.75, 0.9, 0.95, 0.99] {
        let world = World { seats: 2, strengths: Vec::new(), seat: 0.3, luck: 1.0, liking: 0.0 };
        let world = World::with_score(2, score, world);
        let truth = world.truth(40_000).strengths[0];
        for deals in [10, 30, 50, 100, 300] {
            let (mut intervals, mut held, mut profile) = (0u64, [0u64; 4], 0u64);
            for tournament in 0..TOURNAMENTS {
                let mut chance = Chance::new(1_000_000 * deals + tournament);
                let games = world.tournament(deals, &mut chance);
                let setup = StandingsSetup { replicates: ReplicateCount::LEAST, ..setup(2, 2) };
                let rows = tally(setup, &games).standings().all.rows;
                let row = rows.iter().find(|row| row.name == "a").unwrap();
                profile += u64::from(row.rating.unwrap().interval.unwrap().contains(truth));
                if row.won == 0 || row.lost == 0 {
                    continue;
                }
                let found = deals_of(&games);
                let drawn: Vec<Deals> =
                    (0..DRAWN).map(|_| resampled(&found, &mut chance)).collect();
                let values: Vec<f64> = drawn.iter().map(rating).collect();
                let candidates = [
                    percentiles(drawn.iter().map(rating_with_seats).collect()),
                    percentiles(values.clone()),
                    bias_corrected(&found, values),
                    studentised(&found, &drawn),
                ];
                intervals += 1;
                for (held, [low, high]) in held.iter_mut().zip(candidates) {
                    *held += u64::from((low..=high).contains(&truth));
                }
            }
            let share = |held: u64, all: u64| format!("{:5.1}%", 100.0 * held as f64 / all as f64);
            let others = held.map(|held| share(held, intervals)).join(" ");
            println!("{score:.2} {deals:3}: {others} | {}", share(profile, TOURNAMENTS));
        }
    }
}
