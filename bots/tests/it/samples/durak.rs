//! The sample requests of Durak: real requests of games between players at random.

use bots::programs::{RANDOM, player};
use rules::durak::Durak;
use rules::{Answer, GameKind, StopCause};

use crate::samples::coup::{offers, value};

/// Every sample request with the name of its file: one for each decision and each option.
pub(crate) fn all() -> Vec<(&'static str, String)> {
    let two = |wanted: fn(&str) -> bool| find("seats=2", wanted);
    let passed_on = "seats=3 transfer=on";
    vec![
        ("first-move.txt", two(|request| value(request, "move") == "0")),
        ("second-seat.txt", two(|request| value(request, "turn") == "1 lead")),
        ("defend.txt", two(|request| offers(request, "beat"))),
        ("must-take.txt", two(|request| is_due(request, "defend") && !offers(request, "beat"))),
        ("throw.txt", two(|request| is_due(request, "throw") && value(request, "taking") == "no")),
        ("throw-on-take.txt", two(|request| value(request, "taking") == "yes")),
        ("beat-trump.txt", two(beats_a_trump)),
        ("cards-taken-up.txt", two(|request| value(request, "known 1").len() > 12)),
        ("last-of-the-talon.txt", two(|request| value(request, "talon") == "1")),
        ("empty-talon.txt", two(|request| value(request, "talon") == "0")),
        ("last-card.txt", two(|request| value(request, "hand").len() == 2)),
        ("transfer.txt", find(passed_on, |request| offers(request, "transfer"))),
        ("two-attacks.txt", find(passed_on, is_passed_on)),
        ("3-seats-a-seat-gone.txt", find("seats=3", |request| value(request, "gone") == "1")),
        ("4-seats-24-cards.txt", find("seats=4 deck=24", |request| offers(request, "throw"))),
        ("5-seats-32-cards.txt", find("seats=5 deck=32", |request| offers(request, "throw"))),
        ("6-seats-36-cards.txt", find("seats=6", |request| value(request, "seat") == "4")),
        (
            "6-seats-52-cards.txt",
            find("seats=6 deck=52 transfer=on first-limit=5 throwers=neighbours", |request| {
                offers(request, "beat") && lines(request) > 100
            }),
        ),
        ("seat-out.txt", find_after_fault(|request| request.contains("\nout 2 timeout\n"))),
        ("longest-history.txt", find("seats=6 deck=52", |request| lines(request) > 350)),
    ]
}

/// The first request like the wanted one in games with these options.
fn find(options: &str, wanted: impl Fn(&str) -> bool) -> String {
    (0..2000)
        .find_map(|game| find_in_game(options, game, &wanted, |_| None))
        .expect("a request like this in one of many games")
}

/// Finds a request in games of three whose last seat is late with its fifth move.
fn find_after_fault(wanted: impl Fn(&str) -> bool) -> String {
    let late = |request: &str| {
        let is_late = value(request, "seat") == "2" && lines(request) > 40;
        is_late.then(|| Answer::Stopped { by: StopCause::NoExit(5000), output: Vec::new() })
    };
    (0..2000)
        .find_map(|game| find_in_game("seats=3", game, &wanted, late))
        .expect("a request like this in one of many games")
}

/// Plays a game at random but for what `instead` answers.
fn find_in_game(
    options: &str,
    game: u64,
    wanted: &impl Fn(&str) -> bool,
    instead: impl Fn(&str) -> Option<Answer>,
) -> Option<String> {
    let kind = GameKind::of::<Durak>();
    let mut random = player(&kind, RANDOM.name, &[]).expect("a built-in player");
    let answer = |text: &str| {
        let mv = random.answer(text).expect("an answer");
        instead(text).unwrap_or(Answer::Output(mv.into_bytes()))
    };
    super::find_in_game(&kind, options, (68, game), answer, wanted)
}

/// The defender holds a trump that beats the trump it is attacked with.
fn beats_a_trump(request: &str) -> bool {
    let trumps = value(request, "trump").chars().last();
    let attack = value(request, "table").split(", ").last().unwrap_or_default();
    offers(request, "beat") && attack.chars().last() == trumps && !attack.contains(' ')
}

/// Returns true if the seat is asked in this phase.
fn is_due(request: &str, phase: &str) -> bool {
    value(request, "turn").ends_with(phase)
}

/// The attack was passed on: several cards lie there, none of them beaten.
fn is_passed_on(request: &str) -> bool {
    let table = value(request, "table");
    is_due(request, "defend") && table.contains(',') && !table.replace(", ", ",").contains(' ')
}

fn lines(request: &str) -> usize {
    value(request, "history").parse().unwrap_or(0)
}
