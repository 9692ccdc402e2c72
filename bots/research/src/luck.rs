//! What duplicate deals and results adjusted for luck save, and whether adjusted results are right.

use std::fmt::Write;

use crate::ladder::players::Contender;
use crate::league::simulation::Mean;
use bots::review::DealLuck;
use review::{POINTS_WEIGHT, WIN_WEIGHT};
use standings::StudentT;

/// The number of games in each of the sets whose intervals are looked at.
const SET: usize = 100;

/// A game between two players, from the side of the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Game {
    /// The deal.
    pub deal: u64,
    /// The seat of the first player.
    pub seat: usize,
    /// A win is 1, a draw a half.
    pub win: Value,
    /// The points ahead of the second player.
    pub points: Value,
    /// For each time that cards were dealt, their luck for seat 0: parts of a win, and points.
    pub dealt: Vec<[f64; 2]>,
}

/// A result, and what luck gave to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value {
    /// The result.
    pub result: f64,
    /// The luck.
    pub luck: f64,
}

impl Game {
    /// A game with these points at both seats, and the luck of its deals, if it is measured.
    pub fn new(deal: u64, seat: usize, points: &[f64], luck: &[DealLuck]) -> Game {
        let of = |place: usize| points.get(place).copied().unwrap_or(0.0);
        let ahead = of(seat) - of(1 - seat);
        let sum = |of: fn(&DealLuck) -> &Vec<f64>| {
            luck.iter().filter_map(|deal| of(deal).get(seat)).sum::<f64>()
        };
        let win = Value {
            result: f64::midpoint(if ahead == 0.0 { 0.0 } else { ahead.signum() }, 1.0),
            luck: sum(|deal| &deal.win),
        };
        let points = Value { result: ahead, luck: sum(|deal| &deal.points) };
        let first = |of: &[f64]| of.first().copied().unwrap_or(0.0);
        let dealt = luck.iter().map(|deal| [first(&deal.win), first(&deal.points)]).collect();
        Game { deal, seat, win, points, dealt }
    }
}

/// One of the values of a game.
type OfGame = fn(&Game) -> Value;

/// The tables of the games between these two players.
pub fn table(players: &[Contender], games: &[Game]) -> String {
    let mut text = String::new();
    let single: Vec<Game> =
        games.iter().filter(|game| game.deal as usize % 2 == game.seat).cloned().collect();
    let _ = writeln!(
        text,
        "{}, {} games, {} of different deals",
        players.iter().map(ToString::to_string).collect::<Vec<_>>().join(" against "),
        games.len(),
        single.len()
    );
    let _ = writeln!(text);
    let _ = writeln!(
        text,
        "| | result | duplicate keeps | adjusted keeps | best weight, keeps | duplicate, adjusted keeps | luck of seat 0 | intervals of {SET} games, adjusted |"
    );
    let _ = writeln!(text, "| --- | --- | --- | --- | --- | --- | --- | --- |");
    let rows: [(&str, f64, OfGame); 2] =
        [("wins", WIN_WEIGHT, |game| game.win), ("points", POINTS_WEIGHT, |game| game.points)];
    for (name, weight, value) in rows {
        let _ = writeln!(text, "| {name} | {} |", Row::new(games, &single, weight, value).cells());
    }
    by_deal(&mut text, games);
    text
}

/// Adds a table of the mean luck of seat 0 in each deal of a game, over pairs of games with equal cards.
fn by_deal(text: &mut String, games: &[Game]) {
    let deals = games.iter().map(|game| game.dealt.len()).max().unwrap_or(0);
    if deals == 0 {
        return;
    }
    let _ = writeln!(text, "\n| luck of seat 0 | wins | points |\n| --- | --- | --- |");
    for deal in 0..deals {
        let cells = [0, 1].map(|value| {
            let luck = |game: &Game| game.dealt.get(deal).map_or(0.0, |luck| luck[value]);
            let pairs = games.chunks_exact(2).map(|it| f64::midpoint(luck(&it[0]), luck(&it[1])));
            let mean = mean(&pairs.collect::<Vec<f64>>());
            format!("{:+.5} ± {:.5}", mean.value, mean.error)
        });
        let _ = writeln!(text, "| deal {} | {} |", deal + 1, cells.join(" | "));
    }
}

/// The figures for one kind of results.
struct Row {
    result: Mean,
    duplicate: f64,
    adjusted: f64,
    weight: f64,
    best: f64,
    adjusted_duplicate: f64,
    luck: Mean,
    plain_coverage: Mean,
    coverage: Mean,
}

impl Row {
    fn new(games: &[Game], single: &[Game], fixed: f64, value: impl Fn(&Game) -> Value) -> Row {
        let of = |games: &[Game]| games.iter().map(&value).collect::<Vec<Value>>();
        let (all, single) = (of(games), of(single));
        // The games of a deal are side by side.
        let pairs: Vec<Value> = all
            .chunks_exact(2)
            .map(|pair| Value {
                result: f64::midpoint(pair[0].result, pair[1].result),
                luck: f64::midpoint(pair[0].luck, pair[1].luck),
            })
            .collect();
        let results =
            |values: &[Value]| values.iter().map(|value| value.result).collect::<Vec<_>>();
        let adjusted = |values: &[Value], weight: f64| {
            values.iter().map(|value| value.result - weight * value.luck).collect::<Vec<f64>>()
        };
        let alone = variance(&results(&single));
        let (weight, best) = crossed(&single);
        let truth = mean(&adjusted(&all, fixed)).value;
        Row {
            result: mean(&results(&single)),
            duplicate: 2.0 * variance(&results(&pairs)) / alone,
            adjusted: variance(&adjusted(&single, fixed)) / alone,
            weight,
            best,
            adjusted_duplicate: 2.0 * variance(&adjusted(&pairs, fixed)) / alone,
            luck: mean(&of_first_seat(games, &value)),
            plain_coverage: coverage(&results(&single), truth),
            coverage: coverage(&adjusted(&single, fixed), truth),
        }
    }

    fn cells(&self) -> String {
        let percent =
            |mean: Mean| format!("{:.1}% ± {:.1}", 100.0 * mean.value, 100.0 * mean.error);
        [
            format!("{:.4} ± {:.4}", self.result.value, self.result.error),
            format!("{:.3}", self.duplicate),
            format!("{:.3}", self.adjusted),
            format!("{:.2}, {:.3}", self.weight, self.best),
            format!("{:.3}", self.adjusted_duplicate),
            format!("{:+.5} ± {:.5}", self.luck.value, self.luck.error),
            format!("{}, {}", percent(self.plain_coverage), percent(self.coverage)),
        ]
        .join(" | ")
    }
}

/// The mean of some values, of which there are at least two.
fn mean(values: &[f64]) -> Mean {
    Mean::of(values).unwrap_or_default()
}

/// The luck of seat 0 in each deal: over both seats it is 0, so that the first player's would show no bias of a seat.
fn of_first_seat(games: &[Game], value: impl Fn(&Game) -> Value) -> Vec<f64> {
    let luck = |game: &Game| match game.seat {
        0 => value(game).luck,
        _ => -value(game).luck,
    };
    games.chunks_exact(2).map(|pair| f64::midpoint(luck(&pair[0]), luck(&pair[1]))).collect()
}

fn variance(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0)
}

/// The mean weight of luck that leaves the smallest variance in the other four fifths, and what it leaves, as a part
/// of the variance.
fn crossed(values: &[Value]) -> (f64, f64) {
    const FOLDS: usize = 5;
    let results: Vec<f64> = values.iter().map(|value| value.result).collect();
    let mut left = Vec::with_capacity(values.len());
    let mut weights = 0.0;
    for fold in 0..FOLDS {
        let is_in = |place: usize| place % FOLDS == fold;
        let rest: Vec<Value> = values
            .iter()
            .enumerate()
            .filter(|(place, _)| !is_in(*place))
            .map(|(_, it)| *it)
            .collect();
        let count = rest.len() as f64;
        let mean = rest.iter().map(|value| value.result).sum::<f64>() / count;
        let luck = rest.iter().map(|value| value.luck).sum::<f64>() / count;
        let both: f64 = rest.iter().map(|it| (it.result - mean) * (it.luck - luck)).sum();
        let square: f64 = rest.iter().map(|it| (it.luck - luck).powi(2)).sum();
        let weight = if square > 0.0 { both / square } else { 0.0 };
        weights += weight / FOLDS as f64;
        let own = values.iter().enumerate().filter(|(place, _)| is_in(*place));
        left.extend(own.map(|(_, it)| it.result - weight * it.luck));
    }
    (weights, variance(&left) / variance(&results))
}

/// Counts how often a 95% interval by Student's t over a set of games contains the truth.
fn coverage(values: &[f64], truth: f64) -> Mean {
    let quantile = StudentT::new((SET - 1) as f64).map_or(0.0, |t| t.quantile(0.975));
    let holds = |set: &[f64]| {
        let mean = mean(set);
        if (mean.value - truth).abs() <= quantile * mean.error { 1.0 } else { 0.0 }
    };
    mean(&values.chunks_exact(SET).map(holds).collect::<Vec<f64>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn luck_that_explains_half_of_the_results_leaves_half_of_the_variance() {
        // All sums of two coins; one of them is the luck.
        let coins =
            |count: u32| (0..count).map(|bits| (f64::from(bits % 2), f64::from(bits / 2 % 2)));
        let game = |(place, (luck, rest)): (usize, (f64, f64))| Game {
            deal: place as u64 / 2,
            seat: place % 2,
            win: Value { result: luck + rest, luck },
            points: Value { result: rest, luck: 0.0 },
            dealt: vec![[luck, 0.0]],
        };
        let games: Vec<Game> = coins(4000).enumerate().map(game).collect();
        let row = Row::new(&games, &games, 1.0, |game| game.win);
        assert!((row.adjusted - 0.5).abs() < 1e-3 && (row.best - 0.5).abs() < 1e-3);
        assert!((row.weight - 1.0).abs() < 1e-3);
        let row = Row::new(&games, &games, 1.0, |game| game.points);
        assert!((row.adjusted - 1.0).abs() < 1e-9 && row.luck.value == 0.0);
        let mut text = String::new();
        by_deal(&mut text, &games);
        assert!(text.contains("| deal 1 | +0.50000 ± 0.00"), "{text}");
    }

    #[test]
    fn intervals_of_normal_results_hold_the_truth_in_95_of_100_sets() {
        // Sums of twelve uniform numbers, by a generator of 31 bits.
        let mut state = 1_u64;
        let mut uniform = || {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345) % (1 << 31);
            state as f64 / f64::from(1_u32 << 31)
        };
        let values: Vec<f64> = (0..100_000).map(|_| (0..12).map(|_| uniform()).sum()).collect();
        let coverage = coverage(&values, 6.0);
        assert!((coverage.value - 0.95).abs() < 0.03, "{coverage:?}");
    }
}
