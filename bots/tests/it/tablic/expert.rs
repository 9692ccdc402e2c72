//! The expert of Tablić: what it believes, how it decides, and whole games.

use std::time::Instant;

use bots::options::TimeLimit;
use bots::tablic::classes::{Class, ClassCounts};
use bots::tablic::expert::position::GreedyCache;
use bots::tablic::expert::{DealKnowledge, Expert, Settings};
use bots::{Player, programs};
use rules::tablic::{Event, SeatCount, Tablic};
use rules::{BotSeed, Card, CardSet, Entry, GameKind, Request, Seat};
use search::WorldSampler;
use search::alpha_beta::{Deadline, Unlimited};

use crate::{in_process, samples};

fn expert(worlds: u32) -> Expert {
    Expert::new(Settings { worlds, time: TimeLimit::None })
}

/// The requests of a game between experts that each try few worlds.
fn requests(seats: usize, deal: u64) -> Vec<Request<Tablic>> {
    let mut requests = Vec::new();
    let mut players: Vec<_> =
        (0..seats).map(|_| in_process::player("expert --worlds 8 --time none")).collect();
    in_process::play(deal, &mut players, |request| requests.push(request.clone()));
    requests
}

#[test]
fn games_of_every_number_of_seats_are_played_legally() {
    for seats in SeatCount::ALL.map(SeatCount::get) {
        assert!(!requests(seats, 5).is_empty(), "{seats} seats");
    }
}

#[test]
fn the_answer_is_the_same_whether_the_player_was_kept_or_not() {
    for seats in [2, 3] {
        let mut kept = expert(40);
        for request in requests(seats, 6) {
            let first = kept.choose(&request);
            assert_eq!(first, expert(40).choose(&request), "{request:?}");
            assert_eq!(first, kept.choose(&request), "asked again");
        }
    }
}

#[test]
fn the_budget_in_worlds_is_kept() {
    for request in requests(2, 7) {
        let decision = expert(100).decide(&request, &mut Unlimited).expect("a move");
        let is_last_deal = request.view.talon == 0;
        match decision.found {
            Some(found) => {
                assert!((1..=100).contains(&found.worlds) && !found.was_cut, "{found:?}");
                assert!((0.0..=1.0).contains(&found.share), "{found:?}");
                assert!(!is_last_deal, "the last deal between two seats is searched");
            }
            None => assert!(is_last_deal),
        }
    }
}

#[test]
fn a_search_that_time_cut_says_so() {
    let now = || Deadline(Some(Instant::now()));
    for request in requests(3, 7) {
        let mut expert = expert(100);
        let found = expert.decide(&request, &mut now()).expect("a move").found.expect("trials");
        assert_eq!((found.worlds, found.was_cut), (0, true));
        assert!(expert.cut().is_some());
        assert!(expert.choose(&request).is_ok() && expert.cut().is_none());
    }
}

#[test]
fn a_history_without_end_takes_no_memory() {
    let mut request = requests(2, 7).swap_remove(1);
    let again = request.history.last().cloned().expect("a move");
    request.history.extend(std::iter::repeat_n(again, 100_000));
    assert!(DealKnowledge::read(&request, &mut GreedyCache::default()).is_none());
    assert!(expert(5).choose(&request).is_ok());
}

#[test]
fn a_time_that_is_up_at_once_still_gives_a_legal_move() {
    let mut players = vec![
        in_process::player("expert --time 0s"),
        in_process::player("expert --time 0s"),
        in_process::player("expert --time 1ms"),
    ];
    in_process::play(8, &mut players, |_| {});
}

/// Number of worlds, of a hundred, in which the other seat holds a card of this class.
fn worlds_holding(request: &Request<Tablic>, class: Class) -> usize {
    let known = DealKnowledge::read(request, &mut GreedyCache::default())
        .expect("a request that makes sense");
    let mut nature = BotSeed([1; 8]).nature();
    let worlds = known.worlds(100, &mut nature);
    let has = |hand: ClassCounts| hand.get(class) > 0;
    worlds.filter(|world| has(world.hands[1 - request.heading.seat.index()])).count()
}

#[test]
fn a_seat_that_left_a_king_on_the_table_is_taken_to_hold_one_less_often() {
    let (mut left, mut others) = (Vec::new(), Vec::new());
    let mut requests = Vec::new();
    for deal in 0..40 {
        let mut players = vec![in_process::player("greedy"), in_process::player("greedy")];
        in_process::play(deal, &mut players, |request| requests.push(request.clone()));
    }
    for request in requests {
        let king: Card = "KS".parse().expect("a card");
        let other = Seat::first(2).find(|seat| *seat != request.heading.seat).expect("two seats");
        let moved = request.history.iter().rev().find_map(|entry| match entry {
            Entry::Event(Event::Move { seat, mv }) if *seat == other => Some(*mv),
            _ => None,
        });
        let kings: CardSet = Class::new(king).cards();
        let unseen = kings - request.view.hand - request.view.table - request.view.taken;
        let holds = request.view.hands[other] >= 3 && request.view.talon > 0;
        let Some(mv) = moved.filter(|_| holds && unseen.len() == 2) else { continue };
        // A king that lies there now lay there when the other seat laid another card down.
        let lies = !(request.view.table & kings).is_empty();
        let is_other = mv.captured.is_empty() && Class::new(mv.card) != Class::new(king);
        let count = worlds_holding(&request, Class::new(king));
        if lies && is_other {
            left.push(count)
        } else if !lies {
            others.push(count)
        }
    }
    let mean = |counts: &[usize]| counts.iter().sum::<usize>() as f64 / counts.len().max(1) as f64;
    println!("{} and {} requests: {} and {}", left.len(), others.len(), mean(&left), mean(&others));
    assert!(left.len() >= 3 && others.len() >= 3, "{} and {}", left.len(), others.len());
    assert!(mean(&left) < 0.85 * mean(&others), "{} and {}", mean(&left), mean(&others));
}

#[test]
fn a_seat_that_plays_like_greedy_holds_nothing_that_it_would_rather_have_played() {
    let mut requests = Vec::new();
    for deal in 0..10 {
        let mut players: Vec<_> = (0..4).map(|_| in_process::player("greedy")).collect();
        in_process::play(deal, &mut players, |request| requests.push(request.clone()));
    }
    let (mut lower, mut others) = ([0, 0], [0, 0]);
    for request in requests.iter().filter(|request| request.view.talon == 0) {
        // The deal before the last one told that all play like greedy.
        let Some(Entry::Event(Event::Move { seat, mv })) = request.history.last() else { continue };
        let played = Class::new(mv.card);
        if !mv.captured.is_empty() || request.view.hands[*seat] < 3 || played > Class::TEN {
            continue;
        }
        let known = DealKnowledge::read(request, &mut GreedyCache::default())
            .expect("a request that makes sense");
        for world in known.worlds(20, &mut BotSeed([3; 8]).nature()) {
            for class in world.hands[seat.index()].cards() {
                let count =
                    if class < played && class > Class::ACE { &mut lower } else { &mut others };
                count[0] += 1;
            }
        }
        let seen = request.view.hand | request.view.table | request.view.taken;
        for class in ClassCounts::count(CardSet::PACK - seen).cards() {
            let count = if class < played && class > Class::ACE { &mut lower } else { &mut others };
            count[1] += 1;
        }
    }
    let part = |[held, unseen]: [u32; 2]| f64::from(held) / f64::from(unseen.max(1));
    println!("lower cards {lower:?}, others {others:?}");
    assert!(lower[1] >= 20, "{lower:?}");
    assert!(part(lower) < 0.2 * part(others), "{lower:?}, {others:?}");
}

#[test]
fn before_the_first_move_every_unseen_card_is_as_likely_in_a_hand() {
    for seats in [2, 3, 6] {
        let request = requests(seats, 4).swap_remove(0);
        assert!(request.view.taken.is_empty(), "the first request");
        let known = DealKnowledge::read(&request, &mut GreedyCache::default())
            .expect("a request that makes sense");
        let unseen = ClassCounts::count(CardSet::PACK - request.view.hand - request.view.table);
        let other = (request.heading.seat.index() + 1) % seats;
        let mut held = [0; Class::COUNT];
        for world in known.worlds(2000, &mut BotSeed([4; 8]).nature()) {
            world.hands[other].cards().for_each(|class| held[class.index()] += 1);
        }
        for class in Class::all() {
            let expected = f64::from(unseen.get(class)) * 6.0 / f64::from(unseen.len());
            let mean = f64::from(held[class.index()]) / 2000.0;
            assert!((mean - expected).abs() < 0.1, "{seats} seats, {class:?}: {mean}, {expected}");
        }
    }
}

#[test]
fn worlds_fit_what_the_seat_sees() {
    for request in requests(3, 9).into_iter().chain(requests(6, 9)) {
        let known = DealKnowledge::read(&request, &mut GreedyCache::default())
            .expect("a request that makes sense");
        let seen = request.view.hand | request.view.table | request.view.taken;
        let unseen = ClassCounts::count(CardSet::PACK - seen);
        for world in known.worlds(10, &mut BotSeed([2; 8]).nature()) {
            let mut left = unseen;
            for (seat, held) in request.view.hands.iter() {
                let hand = world.hands[seat.index()];
                assert_eq!(hand.len(), *held);
                if seat != request.heading.seat {
                    assert!(left.holds(hand), "{seat} holds what was seen");
                    left = left.minus(hand);
                }
            }
        }
    }
}

#[test]
fn impossible_requests_are_answered_or_refused() {
    for (name, text) in samples::all() {
        if !text.contains("game tablic") {
            continue;
        }
        let request: Request<Tablic> = text.parse().expect("a request");
        let mut wrong = Vec::new();
        let mut change = |change: &dyn Fn(&mut Request<Tablic>)| {
            let mut changed = request.clone();
            change(&mut changed);
            wrong.push(changed);
        };
        change(&|request| request.history.clear());
        change(&|request| request.history.reverse());
        change(&|request| request.history.truncate(3));
        change(&|request| request.view.hand = CardSet::PACK);
        change(&|request| request.view.table = CardSet::PACK);
        change(&|request| request.view.talon = u32::MAX);
        change(&|request| request.view.hands = vec![u32::MAX, u32::MAX].into());
        change(&|request| request.view.hands = vec![52, 52].into());
        change(&|request| request.view.points = vec![u32::MAX, 99].into());
        change(&|request| request.view.cards = vec![52, 52].into());
        change(&|request| request.view.hands = vec![].into());
        for request in wrong {
            let hand = request.view.hand;
            if let Ok(mv) = expert(5).choose(&request) {
                assert!(hand.contains(mv.card), "{name}");
            }
        }
    }
}

#[test]
fn the_expert_wins_against_greedy() {
    let mut players =
        vec![in_process::player("expert --worlds 60 --time none"), in_process::player("greedy")];
    let mut wins = 0;
    for game in 0..60 {
        let scores = in_process::play(game / 2, &mut players, |_| {});
        let seat = game as usize % 2;
        wins += u32::from(scores.values()[seat] > scores.values()[1 - seat]);
        players.reverse();
    }
    assert!(wins >= 40, "{wins} of 60");
}

#[test]
fn bad_options_are_named() {
    let refused = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        programs::player(&GameKind::of::<Tablic>(), "expert", &words)
            .err()
            .expect("an error")
            .to_string()
    };
    assert_eq!(
        refused(&["--worlds", "0"]),
        "expected a number from 1 to 4294967295 after `--worlds`, found `0`"
    );
    assert_eq!(
        refused(&["--time=5"]),
        "expected a time as 50ms, 1.5s, 1m or none after `--time`, found `5`"
    );
    assert_eq!(refused(&["--depth", "3"]), "unknown argument `--depth`");
    assert_eq!(refused(&["--positions", "3"]), "`--positions` is an option for other games only");
}
