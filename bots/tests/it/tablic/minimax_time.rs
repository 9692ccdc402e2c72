//! The minimax player and time: it stops when it must, and has a good move then.

use std::time::{Duration, Instant};

use bots::options::{SearchSettings, TimeLimit};
use bots::tablic::best_move;
use bots::tablic::minimax::{Minimax, SeatKnowledge};
use bots::{AnyPlayer, Player};
use rules::Request;
use rules::tablic::Tablic;
use search::alpha_beta::{LookLimit, Unlimited};

use crate::in_process;

const DEEP: SearchSettings =
    SearchSettings { depth: 6, time: TimeLimit::Fixed(Duration::from_millis(50)) };

/// The first request of a game with this number of seats.
fn first_request(seats: usize) -> Request<Tablic> {
    let mut found = None;
    let mut players: Vec<_> = (0..seats).map(|_| in_process::player("greedy")).collect();
    in_process::play(1, &mut players, |request| {
        found.get_or_insert_with(|| request.clone());
    });
    found.expect("a request")
}

#[test]
fn the_clock_stops_a_search_that_is_not_finished() {
    for seats in [2, 4] {
        let request = first_request(seats);
        let all = SeatKnowledge::read(&request).expect("a request without contradictions").plies(6);
        assert_eq!(all as usize, 6 * seats);
        let mut clock = LookLimit { left: 4, clock: &mut Unlimited };
        let decision = Minimax::new(DEEP).decide(&request, &mut clock).expect("a move");
        let outcome = decision.outcome.expect("a search");
        assert_eq!(clock.left, 0);
        assert!((1..all).contains(&outcome.complete), "{outcome:?}");
        assert!(request.legal.contains(&decision.mv));
    }
}

#[test]
fn more_time_looks_further_ahead() {
    let request = first_request(2);
    let mut complete = Vec::new();
    for looks in [1, 30, 1000] {
        let mut clock = LookLimit { left: looks, clock: &mut Unlimited };
        let decision = Minimax::new(DEEP).decide(&request, &mut clock).expect("a move");
        complete.push(decision.outcome.expect("a search").complete);
    }
    assert!(complete.is_sorted() && complete[0] < complete[2], "{complete:?}");
}

#[test]
fn without_any_time_it_plays_as_greedy() {
    let mut players = [(); 2].map(|()| in_process::player("random"));
    in_process::play(2, &mut players, |request| {
        let mut clock = LookLimit { left: 1, clock: &mut Unlimited };
        let decision = Minimax::new(DEEP).decide(request, &mut clock).expect("a move");
        if decision.outcome.is_some_and(|outcome| outcome.line.is_none()) {
            assert_eq!(Some(decision.mv), best_move(request.view.hand, request.view.table));
        }
    });
}

#[test]
fn a_limit_of_50_ms_is_kept_at_depth_6() {
    let mut cut = Vec::new();
    let mut longest = Duration::ZERO;
    for seats in [2, 4] {
        let mut players: Vec<_> = (0..seats).map(|_| in_process::player("greedy")).collect();
        let mut minimax = Minimax::new(DEEP);
        let mut asked = 0;
        in_process::play(1, &mut players, |request| {
            asked += 1;
            if asked % 2 == 0 {
                return;
            }
            let start = Instant::now();
            let mv = minimax.choose(request).expect("a move");
            let time = start.elapsed();
            assert!(request.legal.contains(&mv));
            longest = longest.max(time);
            if minimax.cut().is_some() {
                cut.push(time);
            }
        });
    }
    cut.sort();
    assert!(cut.len() > 5, "time cut {} searches", cut.len());
    let median = cut[cut.len() / 2];
    println!("time cut {} searches, after {median:.1?}, {longest:.1?} at most", cut.len());
    // A machine with other work to do makes some answers late, but hardly half of them.
    assert!(median < Duration::from_millis(100), "{median:.1?}");
    assert!(longest < Duration::from_millis(500), "{longest:.1?}");
}

#[test]
fn half_of_the_time_of_the_request_is_the_limit() {
    let mut request = first_request(12);
    request.heading.time = 60;
    let start = Instant::now();
    Minimax::default().choose(&request).expect("a move");
    let time = start.elapsed();
    assert!((Duration::from_millis(29)..Duration::from_millis(500)).contains(&time), "{time:.1?}");
}

#[test]
fn a_request_that_time_does_not_cut_is_always_answered_the_same() {
    let mut players: Vec<AnyPlayer<Tablic>> = ["greedy", "random"].map(in_process::player).into();
    let mut kept = Minimax::default();
    in_process::play(7, &mut players, |request| {
        let fresh = Minimax::default().decide(request, &mut Unlimited);
        assert_eq!(kept.decide(request, &mut Unlimited), fresh);
        assert_eq!(Minimax::default().choose(request), kept.choose(request));
    });
}

/// A mended fault: the last deal of four seats took all time that there was, and the move hung on it.
#[test]
fn the_last_deal_of_many_seats_ends_by_work_and_not_by_time() {
    let mut last = None;
    let mut players: Vec<_> = (0..4).map(|_| in_process::player("greedy")).collect();
    in_process::play(2, &mut players, |request| {
        if request.view.talon == 0 {
            last.get_or_insert_with(|| request.clone());
        }
    });
    let request = last.expect("a request of the last deal");
    let choose = || {
        let mut minimax = Minimax::new(SearchSettings { depth: 3, time: TimeLimit::None });
        let mv = minimax.choose(&request).expect("a move");
        assert!(minimax.cut().is_none());
        assert!(minimax.short().is_some(), "it has not come to the end");
        mv
    };
    let mv = choose();
    assert!(request.legal.contains(&mv) && choose() == mv);
}

/// A mended fault: work ended searches of all deals, and no note said so.
#[test]
fn work_ends_a_search_of_many_seats_unless_time_is_given_and_a_note_says_so() {
    let mut request = first_request(4);
    request.heading.time = 100_000_000;
    let mut minimax = Minimax::new(SearchSettings::of_depth(6));
    assert!(minimax.choose(&request).is_ok() && minimax.cut().is_none());
    assert_eq!(minimax.short().map(|short| short.what), Some("plies"));
    let now = TimeLimit::Fixed(Duration::ZERO);
    let mut minimax = Minimax::new(SearchSettings { depth: 6, time: now });
    assert!(minimax.choose(&request).is_ok());
    assert!(minimax.cut().is_some() && minimax.cut() == minimax.short());
}
