//! The gain of duplicate deals: the mean margin gets narrower for the same number of games if every
//! deal is played in both orders of seats.

use std::num::NonZeroUsize;

use rules::tablic::Tablic;
use rules::{GameKind, Seed};
use simulation::{BuiltInPlayer, SeatOrder, Simulation};

const DEALS: u64 = 500;

fn standard_error(observations: &[f64]) -> f64 {
    let count = observations.len() as f64;
    let mean = observations.iter().sum::<f64>() / count;
    let squares: f64 = observations.iter().map(|it| (it - mean).powi(2)).sum();
    (squares / (count - 1.0) / count).sqrt()
}

/// The margins of the first of two players, game by game.
fn margins(players: [&str; 2], order: SeatOrder, deals: u64) -> Vec<f64> {
    let player = |text: &str| {
        let mut words = text.split(' ').map(str::to_owned);
        let program = words.next().expect("a program");
        BuiltInPlayer { name: text.to_owned(), program, options: words.collect() }
    };
    let simulation = Simulation {
        kind: GameKind::of::<Tablic>(),
        options: "seats=2".to_owned(),
        players: players.map(player).into(),
        order,
        deals,
        seed: Seed([7; 32]),
    };
    let mut margins = Vec::new();
    let mut tell = |game: &simulation::SimulatedGame| {
        let of = |player| {
            let points = game.seating.iter().zip(game.scores.values());
            points
                .filter(|((_, place), _)| **place == player)
                .map(|(_, it)| it.as_f64())
                .sum::<f64>()
        };
        margins.push(of(0) - of(1));
    };
    simulation.run(NonZeroUsize::MIN, &mut tell).expect("the players play");
    margins
}

#[test]
fn a_mean_margin_is_nearer_to_the_truth() {
    for players in [["greedy", "random"], ["minimax --depth 1 --time none", "greedy"]] {
        let paired = margins(players, SeatOrder::Rotate, DEALS);
        let apart = margins(players, SeatOrder::Random, 2 * DEALS);
        assert_eq!(paired.len(), apart.len(), "as many games");
        let of_deals: Vec<f64> = paired.chunks(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect();
        let (with, without) = (standard_error(&of_deals), standard_error(&apart));
        println!(
            "{} against {}: ±{with:.3} with {DEALS} deals in both orders, ±{without:.3} with {} \
             deals in one order each, as {:.2} times as many games",
            players[0],
            players[1],
            2 * DEALS,
            (without / with).powi(2)
        );
        assert!(with < without, "{players:?}: {with} and {without}");
    }
}
