//! The search of the minimax player: against one without pruning, and against the rules.

use std::num::NonZeroU32;

use bots::options::{SearchSettings, TimeLimit};
use bots::tablic::classes::{Class, ClassCounts, ClassSet, pair};
use bots::tablic::minimax::{DealPlace, Minimax, SearchPosition, SeatKnowledge};
use proptest::prelude::*;
use rules::tablic::capture::points as value;
use rules::tablic::{Event, Options, Tablic};
use rules::{BotSeed, CardSet, Game, Nature, Seed, Turn};
use search::Deepening;
use search::alpha_beta::Unlimited;
use search::position::plain_best;

use crate::in_process;

fn below(bound: u32, nature: &mut Nature) -> u32 {
    NonZeroU32::new(bound).map_or(0, |bound| nature.below(bound))
}

/// A start at random that a search without pruning gets through, the hands being small.
fn random_start(seats: usize, nature: &mut Nature) -> SeatKnowledge {
    let mut pack = CardSet::PACK;
    let in_hand = 1 + below(3, nature);
    let table = 2 + below(4, nature) as usize;
    let others = seats as u32 * in_hand + below(3, nature);
    let seat = below(seats as u32, nature) as usize;
    let few = below(13, nature);
    let table = ClassCounts::count(nature.draw_many(&mut pack, table));
    let hand = ClassCounts::count(nature.draw_many(&mut pack, in_hand as usize));
    let unseen = ClassCounts::count(nature.draw_many(&mut pack, others.min(7) as usize));
    let mut assumed = vec![ClassSet::EMPTY; seats];
    for (place, assumed) in assumed.iter_mut().enumerate() {
        // Sometimes enough classes that a seat has nothing to play and lines end early.
        let classes = Class::all().filter(|_| place != seat && below(12, nature) < few);
        *assumed = classes.collect();
    }
    SeatKnowledge {
        table,
        hand,
        unseen,
        seat,
        assumed,
        points: (0..seats).map(|_| below(9, nature)).collect(),
        cards: (0..seats).map(|_| below(12, nature)).collect(),
        last: (below(4, nature) > 0).then(|| below(seats as u32, nature) as usize),
        held: (seats as u32 * in_hand - seat as u32).min(6),
        deal: if below(2, nature) == 0 { DealPlace::Earlier } else { DealPlace::Last },
    }
}

/// Compares both searches from a start, at depths of 1 to 3.
fn searches_agree(start: &SeatKnowledge) {
    for depth in 1..=3 {
        let plies = start.plies(depth);
        let (place, line) = plain_best(&mut SearchPosition::new(start), plies).expect("a move");
        let mut moves = Vec::new();
        let mut situation = SearchPosition::new(start);
        search::Position::moves(&mut situation, &mut moves);
        let mut search = Deepening::new();
        let found = search.best(&mut situation, [plies], &mut Unlimited).expect("a move");
        assert_eq!((found.best, found.line), (moves[place], Some(line)), "{start:?}");
        let deepening = search
            .best(&mut situation, start.growing_plies(depth), &mut Unlimited)
            .expect("a move");
        assert_eq!((deepening.best, deepening.line), (moves[place], Some(line)), "{start:?}");
        assert_eq!(situation.table(), start.table, "moves are taken back");
    }
}

#[test]
fn alpha_beta_answers_as_a_search_without_pruning() {
    let mut short = 0;
    for case in 0..400_u16 {
        let [high, low] = case.to_be_bytes();
        let mut nature = BotSeed([high, low, 1, 0, 0, 0, 0, 0]).nature();
        let start = random_start([2, 3, 4][usize::from(case) % 3], &mut nature);
        searches_agree(&start);
        let (_, line) =
            plain_best(&mut SearchPosition::new(&start), start.plies(3)).expect("a move");
        short += u32::from(line.plies < start.plies(3));
    }
    assert!((20..300).contains(&short), "{short} lines end early");
}

/// The position of a game of two seats that play at random, when each holds some number of cards of the
/// last deal or fewer.
fn endgame(deal: u64, held: usize) -> (Tablic, Vec<Event>) {
    let mut nature = Seed([3; 32]).nature(deal);
    let mut game = Tablic::new(&Options::default());
    let mut events = Vec::new();
    loop {
        match game.turn() {
            Turn::Nature => {
                let deal = game.sample(&mut nature).expect("nature's turn");
                game.happen(&deal, &mut events).expect("what nature drew");
            }
            Turn::Seat(seat) => {
                if game.talon().is_empty() && game.hand(seat).len() <= held {
                    return (game, events);
                }
                let mut moves = Vec::new();
                let _ = game.legal_moves(&mut moves);
                // Mostly captures, so that the table does not grow for ever.
                let captures = moves.iter().copied().filter(|mv| !mv.captured.is_empty());
                let captures: Vec<_> = captures.collect();
                let from = if captures.is_empty() || below(8, &mut nature) == 0 {
                    &moves
                } else {
                    &captures
                };
                let mv = *nature.choose(from).expect("a move");
                game.play(&mv, &mut events).expect("a legal move");
            }
            Turn::Over(_) => unreachable!("the game is not played to its end"),
        }
    }
}

/// The result of the first seat in this position by perfect play: the difference of the points and
/// of the cards, where a point card that was laid down has cost its points as well.
fn exhaustive(game: &Tablic, laid_down: i32) -> (i32, i32) {
    let seat = match game.turn() {
        Turn::Seat(seat) => seat,
        Turn::Over(_) => {
            let tallies = game.tallies();
            let [first, second] = tallies.values() else { unreachable!("two seats") };
            let difference = |one: u32, other: u32| one as i32 - other as i32;
            return (
                difference(first.points, second.points) + laid_down,
                difference(first.cards, second.cards),
            );
        }
        Turn::Nature => unreachable!("no cards are left"),
    };
    let sign = if seat.index() == 0 { 1 } else { -1 };
    let mut moves = Vec::new();
    let _ = game.legal_moves(&mut moves);
    let values = moves.iter().map(|mv| {
        let mut game = game.clone();
        game.play(mv, &mut Vec::new()).expect("a legal move");
        let cost = if mv.captured.is_empty() { value(CardSet::single(mv.card)) as i32 } else { 0 };
        exhaustive(&game, laid_down - sign * cost)
    });
    let best = if sign > 0 { values.max() } else { values.min() };
    best.expect("a move")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn with_two_seats_the_last_deal_is_played_exactly(deal in any::<u64>(), held in 1_usize..=4) {
        let (game, events) = endgame(deal, held);
        let Turn::Seat(seat) = game.turn() else { unreachable!("a seat is to move") };
        // A table of many cards has too many captures for the slow search.
        prop_assume!(held < 4 || game.table().len() < 6);
        let request = in_process::request_to(&game, Options::default(), seat, &events, BotSeed([0; 8]));
        let mut player = Minimax::new(SearchSettings { depth: 1, time: TimeLimit::None });
        let decision = player.decide(&request, &mut Unlimited).expect("a move");
        let line = decision.outcome.and_then(|outcome| outcome.line).expect("a line");
        let (points, cards) = exhaustive(&game, 0);
        let sign = if seat.index() == 0 { 1 } else { -1 };
        prop_assert_eq!(line.value, pair(sign * points, sign * cards));
        let mut after = game;
        after.play(&decision.mv, &mut Vec::new()).expect("a legal move");
        let lays_down = decision.mv.captured.is_empty();
        let cost = if lays_down { value(CardSet::single(decision.mv.card)) } else { 0 };
        prop_assert_eq!(exhaustive(&after, -sign * cost as i32), (points, cards));
    }
}

#[test]
fn a_tree_ends_when_all_seats_have_moved_equally_often() {
    for (seats, depth, expected) in [
        (2, 3, vec![6, 5]),
        (2, 1, vec![2, 1]),
        (3, 1, vec![3, 2, 1]),
        (3, 2, vec![6, 5, 4]),
        (4, 1, vec![4, 3, 2, 1]),
    ] {
        let mut deepest = Vec::new();
        let mut players: Vec<_> = (0..seats).map(|_| in_process::player("greedy")).collect();
        in_process::play(4, &mut players, |request| {
            if deepest.len() == seats {
                return;
            }
            let mut player = Minimax::new(SearchSettings { depth, time: TimeLimit::None });
            let decision = player.decide(request, &mut Unlimited).expect("a move");
            deepest.push(decision.outcome.expect("a search").counts.deepest);
        });
        assert_eq!(deepest, expected, "{seats} seats, depth {depth}");
    }
}

#[test]
fn in_the_last_deal_the_tree_ends_with_the_game() {
    let mut players = [(); 2].map(|()| in_process::player("greedy"));
    in_process::play(4, &mut players, |request| {
        if request.view.talon == 0 {
            let mut player = Minimax::new(SearchSettings { depth: 1, time: TimeLimit::None });
            let decision = player.decide(request, &mut Unlimited).expect("a move");
            let held: u32 = request.view.hands.values().iter().sum();
            assert_eq!(decision.outcome.expect("a search").counts.deepest, held);
        }
    });
}
