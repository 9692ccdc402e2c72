//! The luck of deals.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use bots::review::{AnyGameReviewer, DealLuck, NotReviewed, ReviewTextError, reviewer};
use rules::tablic::Tablic;
use rules::{Digest, GameKind, Seed};
use simulation::{BuiltInPlayer, GameText, SeatOrder, SimulatedGame, Simulation};

fn reviews() -> Box<dyn AnyGameReviewer + Send> {
    reviewer(&GameKind::of::<Tablic>()).expect("a reviewer of Tablić")
}

/// The games of greedy against itself: the events, and the points of seat 0 ahead.
fn games(seats: usize, deals: u64) -> Vec<(Vec<String>, f64)> {
    let greedy = BuiltInPlayer {
        name: "greedy".to_owned(),
        program: "greedy".to_owned(),
        options: Vec::new(),
    };
    let simulation = Simulation {
        kind: GameKind::of::<Tablic>(),
        options: format!("seats={seats}"),
        players: vec![greedy; seats],
        order: SeatOrder::Fixed,
        deals,
        seed: Seed([9; 32]),
    };
    let mut games = Vec::new();
    let make = |played: SimulatedGame, text: &dyn GameText| {
        let points: Vec<f64> = played.scores.values().iter().map(|score| score.as_f64()).collect();
        (text.events(), points[0] - points[1])
    };
    let mut take = |game| {
        games.push(game);
        ControlFlow::Continue(())
    };
    simulation.run_each(NonZeroUsize::MIN, &make, &mut take).expect("greedy plays");
    games
}

fn digest(game: usize) -> Digest {
    Digest::hash(format!("game {game}").as_bytes())
}

fn sum(luck: &[DealLuck], of: impl Fn(&DealLuck) -> f64) -> f64 {
    luck.iter().map(of).sum()
}

#[test]
fn luck_has_a_mean_of_0_and_explains_results() {
    let games = games(2, 400);
    let mut reviews = reviews();
    let mut found: Vec<(f64, f64)> = Vec::new();
    for (game, (events, ahead)) in games.iter().enumerate() {
        let luck = reviews.luck("seats=2", events, digest(game)).expect("a game");
        assert_eq!(luck.len(), 4, "a deal of six cards for each of the four times");
        found.push((sum(&luck, |deal| deal.points[0]), *ahead));
    }
    let count = found.len() as f64;
    let mean = found.iter().map(|(luck, _)| luck).sum::<f64>() / count;
    let result = found.iter().map(|(_, ahead)| ahead).sum::<f64>() / count;
    let product =
        |of: &dyn Fn(&(f64, f64)) -> f64| found.iter().map(of).sum::<f64>() / (count - 1.0);
    let variance = product(&|(luck, _)| (luck - mean).powi(2));
    let results = product(&|(_, ahead)| (ahead - result).powi(2));
    let left = product(&|(luck, ahead)| (ahead - luck - result + mean).powi(2)) / results;
    let error = (variance / count).sqrt();
    println!("mean luck {mean:.3} ± {error:.3}, {left:.3} of the variance left");
    assert!(mean.abs() < 4.0 * error, "{mean} ± {error}");
    assert!(left < 0.7, "{left} of the variance is left");
}

#[test]
fn what_cards_give_to_a_seat_they_take_from_the_other() {
    let mut reviews = reviews();
    for (game, (events, _)) in games(2, 3).iter().enumerate() {
        for deal in reviews.luck("seats=2", events, digest(game)).expect("a game") {
            let [one, two] = deal.win[..] else { panic!("two seats") };
            assert!((one + two).abs() < 1e-5 && one.abs() <= 1.0);
            let [one, two] = deal.points[..] else { panic!("two seats") };
            assert!((one + two).abs() < 1e-9);
            assert!(events[deal.line].starts_with("deal 1 "));
        }
    }
    for (game, (events, _)) in games(4, 3).iter().enumerate() {
        for deal in reviews.luck("seats=4", events, digest(game)).expect("a game") {
            let all: f64 = deal.win.iter().sum();
            assert!(deal.win.len() == 4 && all.abs() < 1e-5, "{all}");
        }
    }
}

#[test]
fn equal_digests_give_equal_luck_and_other_digests_other_luck() {
    let (events, _) = &games(2, 1)[0];
    let luck = |game| reviews().luck("seats=2", events, digest(game)).expect("a game");
    assert_eq!(luck(1), luck(1));
    assert_ne!(luck(1), luck(2));
}

#[test]
fn events_that_do_not_follow_are_refused() {
    let (events, _) = games(2, 1).remove(0);
    let mut reviews = reviews();
    let mut luck = |events: &[String]| reviews.luck("seats=2", events, digest(0));
    let mut swapped = events.clone();
    swapped.swap(0, 1);
    let hidden = [&events[..1], &["deal 0 ?? ?? ?? ?? ?? ??".to_owned()]].concat();
    let again = [&events[..3], &events[2..]].concat();
    for events in [swapped, hidden, again] {
        let found = luck(&events);
        assert!(
            matches!(found, Err(ReviewTextError::NotReviewed(NotReviewed::Events))),
            "{found:?}"
        );
    }
    assert!(matches!(luck(&["deal nowhere".to_owned()]), Err(ReviewTextError::NotText(_))));
    assert_eq!(luck(&[]).expect("nothing"), []);
    // A game that ended early has the luck of the deals that were complete.
    assert_eq!(luck(&events[..2]).expect("no complete deal"), []);
    assert_eq!(luck(&events[..5]).expect("a deal").len(), 1);
    assert!(reviews.luck("seats=5", &events, digest(0)).is_err());
}
