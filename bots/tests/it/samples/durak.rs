//! The sample requests of Durak: real requests of games between players at random.

use bots::programs::{RANDOM, player};
use rules::durak::Durak;
use rules::{Answer, GameKind, Referee, Seed, Step, Stop, Terms};

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

/// The same in games of three where the last seat is late with its fifth move.
fn find_after_fault(wanted: impl Fn(&str) -> bool) -> String {
    let late = |request: &str| {
        let is_late = value(request, "seat") == "2" && lines(request) > 40;
        is_late.then(|| Answer::Stopped { by: Stop::NoExit(5000), output: Vec::new() })
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
    let seed = Seed([68; 32]);
    let seats = GameKind::of::<Durak>().seats(options).expect("options");
    let terms = Terms::even(seed.name(game), seats, 5000, seed.bots(game));
    let mut referee = Referee::new(&GameKind::of::<Durak>(), options, terms).expect("a game");
    let mut random = player(&GameKind::of::<Durak>(), RANDOM.name, &[]).expect("a built-in player");
    let mut nature = seed.nature(game);
    loop {
        match referee.step() {
            Step::Nature(draw) => draw.draw(&mut nature),
            Step::Moved => {}
            Step::Ask(question) => {
                let text = question.request();
                if wanted(&text) {
                    return Some(text);
                }
                let mv = random.answer(&text).expect("an answer");
                question.answer(instead(&text).unwrap_or(Answer::Output(mv.into_bytes())));
            }
            Step::Over(_) => return None,
        }
    }
}

/// The defender holds a trump that beats the trump it is attacked with.
fn beats_a_trump(request: &str) -> bool {
    let trumps = value(request, "trump").chars().last();
    let attack = value(request, "table").split(", ").last().unwrap_or_default();
    offers(request, "beat") && attack.chars().last() == trumps && !attack.contains(' ')
}

/// What the seat is asked for.
fn is_due(request: &str, phase: &str) -> bool {
    value(request, "turn").ends_with(phase)
}

/// A move that begins with this word is legal.
fn offers(request: &str, verb: &str) -> bool {
    let lines = request.lines().skip_while(|line| !line.starts_with("legal ")).skip(1);
    lines.take_while(|line| *line != "end").any(|line| line.split(' ').next() == Some(verb))
}

/// The attack was passed on: several cards lie there, none of them beaten.
fn is_passed_on(request: &str) -> bool {
    let table = value(request, "table");
    is_due(request, "defend") && table.contains(',') && !table.replace(", ", ",").contains(' ')
}

/// How long the history is.
fn lines(request: &str) -> usize {
    value(request, "history").parse().unwrap_or(0)
}

/// What stands behind a key on the first line that begins with it.
fn value<'a>(request: &'a str, key: &str) -> &'a str {
    let value = |line: &'a str| line.strip_prefix(key)?.strip_prefix(' ');
    request.lines().find_map(value).unwrap_or_default()
}
