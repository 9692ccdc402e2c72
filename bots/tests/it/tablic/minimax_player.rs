//! The minimax player in games of every size, and asked what no referee asks.

use std::process::Command;
use std::time::{Duration, Instant};

use bots::options::{SearchSettings, TimeLimit};
use bots::tablic::minimax::Minimax;
use bots::tablic::{Greedy, best_move};
use bots::{NoMove, Player};
use rules::tablic::capture::may_capture;
use rules::tablic::{Event, Move, SeatCount, Tablic};
use rules::{BotSeed, CardSet, Entry, ListCompleteness, Request, Seat};
use search::alpha_beta::Unlimited;

use crate::{asked, in_process, samples};

const MINIMAX: &str = env!("CARGO_BIN_EXE_minimax");

const FAST: SearchSettings =
    SearchSettings { depth: 3, time: TimeLimit::Fixed(Duration::from_millis(2)) };

fn first_request() -> Request<Tablic> {
    let (_, first) = samples::all().swap_remove(0);
    first.parse().expect("a request")
}

fn set(text: &str) -> CardSet {
    text.parse().expect("a set of cards")
}

#[test]
fn games_of_every_number_of_seats_are_played_legally() {
    for seats in SeatCount::ALL.map(SeatCount::get) {
        let name = if seats < 6 { "minimax --depth 1 --time 5ms" } else { "minimax --time 2ms" };
        let mut players: Vec<_> = (0..seats).map(|_| in_process::player(name)).collect();
        let scores = in_process::play(8, &mut players, |_| {});
        assert_eq!(scores.count(), seats);
    }
}

#[test]
fn minimax_wins_against_greedy_and_random() {
    for (opponent, games, fewest) in [("greedy", 40, 20), ("random", 10, 9)] {
        let mut wins = 0;
        let mut players =
            vec![in_process::player("minimax --depth 1 --time none"), in_process::player(opponent)];
        for game in 0..games {
            let scores = in_process::play(game / 2, &mut players, |_| {});
            let seat = game as usize % 2;
            wins += u32::from(scores.values()[seat] > scores.values()[1 - seat]);
            players.reverse();
        }
        println!("minimax won {wins} of {games} games against {opponent}");
        assert!(wins >= fewest, "{wins} of {games} against {opponent}");
    }
}

#[test]
fn the_suit_is_drawn_from_the_equivalent_cards() {
    let mut request = first_request();
    request.history.clear();
    request.view.table = set("3H 4D");
    request.view.hand = set("7C 7D 7H 7S");
    request.view.hands = vec![4, 4].into();
    let mut suits = [0; 4];
    for seed in 0..60 {
        request.heading.seed = BotSeed([seed; 8]);
        let mv = Minimax::default().choose(&request).expect("a move");
        assert_eq!(mv.captured, set("3H 4D"));
        suits[mv.card.suit() as usize] += 1;
    }
    assert!(suits.iter().all(|count| *count > 4), "{suits:?}");
}

#[test]
fn tables_of_51_cards_and_other_large_ones_take_no_long_time() {
    let mut request = first_request();
    request.history.clear();
    request.view.taken = CardSet::EMPTY;
    request.listing = ListCompleteness::Cut;
    let mut nature = BotSeed([7; 8]).nature();
    let mut longest = Duration::ZERO;
    for left in (1..=30).step_by(4) {
        let mut pack = CardSet::PACK;
        request.view.hand = nature.draw_many(&mut pack, left.min(6));
        let unseen = nature.draw_many(&mut pack, left - request.view.hand.len());
        request.view.table = CardSet::PACK - unseen - request.view.hand;
        request.view.hands = vec![request.view.hand.len() as u32, 6].into();
        let start = Instant::now();
        let mv = Minimax::new(FAST).choose(&request).expect("a move");
        longest = longest.max(start.elapsed());
        assert!(request.view.hand.contains(mv.card));
        assert!(request.view.table.contains_all(mv.captured));
        assert!(may_capture(mv.card.rank(), mv.captured));
    }
    println!("{longest:.1?} at most");
    assert!(longest < Duration::from_millis(500), "{longest:.1?}");
}

/// Checks that it answers as greedy does, without searching.
#[track_caller]
fn plays_as_greedy(request: &Request<Tablic>) {
    let decision = Minimax::default().decide(request, &mut Unlimited).expect("a move");
    assert_eq!(decision.outcome, None, "it searched");
    assert_eq!(Some(decision.mv), best_move(request.view.hand, request.view.table));
    assert_eq!(Minimax::default().choose(request), Greedy.choose(request));
}

#[test]
fn a_request_that_contradicts_itself_is_answered_as_greedy_does() {
    let late = samples::all().into_iter().find(|(name, _)| *name == "late-move.txt");
    let (_, late) = late.expect("a sample");
    let late: Request<Tablic> = late.parse().expect("a request");
    let change = |change: &dyn Fn(&mut Request<Tablic>)| {
        let mut request = late.clone();
        change(&mut request);
        request
    };
    plays_as_greedy(&change(&|request| request.view.table = set("3H 4D 5C")));
    plays_as_greedy(&change(&|request| request.view.hand = set("2H 9D")));
    plays_as_greedy(&change(&|request| request.view.taken = CardSet::EMPTY));
    plays_as_greedy(&change(&|request| request.view.hands = vec![1, 2, 3].into()));
    plays_as_greedy(&change(&|request| request.view.points = vec![u32::MAX, 0].into()));
    plays_as_greedy(&change(&|request| request.view.last = Seat::new(5)));
    plays_as_greedy(&change(&|request| {
        request.history.truncate(30);
    }));
    plays_as_greedy(&change(&|request| {
        request.history.reverse();
    }));
    plays_as_greedy(&change(&|request| {
        let seat = Seat::new(1).expect("a seat");
        let mv = Move::lay_down("9D".parse().expect("a card"));
        request.history.push(Entry::Event(Event::Move { seat, mv }));
    }));
}

/// Without a time limit, the search of such a last deal would never end.
#[test]
fn hands_of_more_than_six_cards_are_answered_as_greedy_does() {
    let with_hands = |hands: [u32; 2], hand: CardSet| {
        let mut request = first_request();
        request.view.hands = hands.to_vec().into();
        request.view.hand = hand;
        request.view.talon = 0;
        request
    };
    let dealt = first_request().view.hand;
    let two_more = ["KH", "KS"].iter().fold(dealt, |hand, card| hand | set(card));
    assert!(two_more.len() > 6 && (two_more & first_request().view.table).is_empty());
    plays_as_greedy(&with_hands([6, 7], dealt));
    plays_as_greedy(&with_hands([6, 36], dealt));
    plays_as_greedy(&with_hands([6, 6], two_more));
}

#[test]
fn nonsense_is_answered_or_refused_but_never_a_panic() {
    let mut request = first_request();
    request.view.hand = CardSet::EMPTY;
    assert_eq!(Minimax::default().choose(&request), Err(NoMove));
    for (_, sample) in samples::all() {
        let request: Request<Tablic> = sample.parse().expect("a request");
        for hands in [vec![], vec![0; 48], vec![1; 48], vec![52; 2]] {
            for talon in [0, 3, u32::MAX] {
                let mut request = request.clone();
                request.view.hands = hands.clone().into();
                request.view.talon = talon;
                Minimax::new(FAST).choose(&request).expect("a move");
                request.history.clear();
                Minimax::new(FAST).choose(&request).expect("a move");
            }
        }
    }
}

#[test]
fn the_program_answers_every_sample_legally() {
    for (name, request) in samples::all() {
        let mut program = Command::new(MINIMAX);
        let output = asked::run(program.args(["--time", "100ms"]), request.as_bytes());
        asked::is_legal(&output, &request, &format!("minimax on {name}"));
    }
}

#[test]
fn the_program_names_its_options_and_refuses_others() {
    let run = |arguments: &[&str]| asked::run(Command::new(MINIMAX).args(arguments), b"");
    let help = String::from_utf8(run(&["--help"]).stdout).expect("text");
    for option in ["--depth N", "--time DURATION", "--threads 1"] {
        assert!(help.contains(option), "{help}");
    }
    for arguments in [&["--threads", "2"][..], &["--depth", "0"], &["--time", "soon"], &["-x"]] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8(output.stderr).expect("text");
        assert!(error.starts_with("minimax: ") && error.lines().count() == 1, "{error}");
    }
    assert!(run(&["--depth", "2", "--time", "none", "--threads", "1"]).status.success());
}
