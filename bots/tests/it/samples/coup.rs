//! The sample requests of Coup: real requests of games between players at random.

use bots::programs::{RANDOM, player};
use rules::coup::Coup;
use rules::{Answer, GameKind};

/// Every sample request with the name of its file: one for each decision there is.
pub(crate) fn all() -> Vec<(&'static str, String)> {
    vec![
        ("first-move.txt", find(|request| value(request, "move") == "0")),
        ("second-seat.txt", find(|request| acts(request) && value(request, "seat") == "1")),
        ("assassinate.txt", find(|request| acts(request) && offers(request, "assassinate"))),
        ("coup.txt", find(|request| acts(request) && offers(request, "coup"))),
        ("foreign-aid.txt", find(|request| answers(request, "foreign-aid"))),
        ("tax.txt", find(|request| answers(request, "tax"))),
        ("exchange.txt", find(|request| answers(request, "exchange"))),
        ("stolen-from.txt", find(|request| answers(request, "steal"))),
        ("assassinated.txt", find(|request| answers(request, "assassinate"))),
        ("blocked-aid.txt", find(|request| accepts(request, "foreign-aid"))),
        ("blocked-steal.txt", find(|request| accepts(request, "steal"))),
        ("blocked-assassin.txt", find(|request| accepts(request, "assassinate"))),
        ("lie-found-out.txt", find(|request| owes(request, "prove") && offers(request, "lose"))),
        ("lose-a-card.txt", find(|request| owes(request, "lose"))),
        ("keep-two.txt", find(|request| owes(request, "keep") && cards(request) == 4)),
        ("keep-one.txt", find(|request| owes(request, "keep") && cards(request) == 3)),
        ("one-card-left.txt", find(|request| acts(request) && value(request, "hands") == "1 1")),
        ("longest-history.txt", find_in_game(0, exchanges, &is_last).expect("a long game")),
    ]
}

/// Every sample request at a court, likewise.
pub(crate) fn court() -> Vec<(&'static str, String)> {
    let other =
        |request: &str| value(request, "action").split(' ').nth(1) != Some(value(request, "seat"));
    let own = |request: &str| value(request, "turn") == value(request, "seat");
    let gone =
        |request: &str| value(request, "hands").split(' ').filter(|cards| *cards == "0").count();
    let at = |seats: usize, wanted: &dyn Fn(&str) -> bool| find_at_court(seats, wanted);
    vec![
        ("first-move.txt", at(3, &|request| value(request, "move") == "0")),
        ("tax.txt", at(3, &|request| answers(request, "tax"))),
        ("exchange.txt", at(4, &|request| answers(request, "exchange"))),
        ("foreign-aid.txt", at(3, &|request| answers(request, "foreign-aid"))),
        (
            "target-of-assassin.txt",
            at(3, &|request| answers(request, "assassinate") && !other(request)),
        ),
        ("target-of-steal.txt", at(4, &|request| answers(request, "steal") && !other(request))),
        ("steal-from-another.txt", at(4, &|request| answers(request, "steal") && other(request))),
        ("own-block.txt", at(3, &|request| accepts(request, "steal") && own(request))),
        (
            "block-of-another.txt",
            at(4, &|request| accepts(request, "foreign-aid") && !own(request)),
        ),
        (
            "proven-assassin.txt",
            at(3, &|request| owes(request, "block") && offers(request, "lose")),
        ),
        ("proven-steal.txt", at(3, &|request| owes(request, "block") && offers(request, "pass"))),
        ("lie-found-out.txt", at(5, &|request| owes(request, "prove") && offers(request, "lose"))),
        ("lose-a-card.txt", at(3, &|request| owes(request, "lose"))),
        ("keep-two.txt", at(3, &|request| owes(request, "keep") && cards(request) == 4)),
        ("seats-gone.txt", at(5, &|request| acts(request) && gone(request) == 2)),
        ("6-seats.txt", at(6, &|request| acts(request) && offers(request, "assassinate"))),
        (
            "longest-history.txt",
            court_game(3, 0, exchanges, &|request| number(request, "decisions") > 296)
                .expect("a long game"),
        ),
    ]
}

/// The first request like the wanted one at a court of this size.
fn find_at_court(seats: usize, wanted: &dyn Fn(&str) -> bool) -> String {
    let found = (0..20_000).find_map(|game| court_game(seats, game, at_random(), wanted));
    found.expect("a request like this in one of many games")
}

fn court_game(
    seats: usize,
    game: u64,
    mut answer: impl FnMut(&str) -> String,
    wanted: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let answer = |text: &str| Answer::Output(answer(text).into_bytes());
    let options = format!("seats={seats} rules=court");
    super::find_in_game(&GameKind::of::<Coup>(), &options, (68, game), answer, &wanted)
}

/// The first request like the wanted one.
fn find(wanted: impl Fn(&str) -> bool) -> String {
    (0..20_000)
        .find_map(|game| find_in_game(game, at_random(), &wanted))
        .expect("a request like this in one of many games")
}

fn find_in_game(
    game: u64,
    mut answer: impl FnMut(&str) -> String,
    wanted: &impl Fn(&str) -> bool,
) -> Option<String> {
    let answer = |text: &str| Answer::Output(answer(text).into_bytes());
    super::find_in_game(&GameKind::of::<Coup>(), "", (67, game), answer, wanted)
}

/// Answers as `random` does.
fn at_random() -> impl FnMut(&str) -> String {
    let mut player = player(&GameKind::of::<Coup>(), RANDOM.name, &[]).expect("a built-in player");
    move |request| player.answer(request).expect("an answer")
}

/// Exchanges whenever it can and doubts no one, so that the game goes on to its last decision.
fn exchanges(request: &str) -> String {
    let legal: Vec<&str> = legal(request).collect();
    let wanted = legal.iter().find(|mv| matches!(**mv, "exchange" | "pass"));
    wanted.or(legal.first()).map(ToString::to_string).unwrap_or_default()
}

/// The game ends soon after this request.
fn is_last(request: &str) -> bool {
    number(request, "decisions") > 196
}

/// A seat begins its turn.
fn acts(request: &str) -> bool {
    owes(request, "act")
}

/// A seat answers the action of the other.
fn answers(request: &str, action: &str) -> bool {
    owes(request, "answer") && value(request, "action").starts_with(action)
}

/// A seat answers the block of its action.
fn accepts(request: &str, action: &str) -> bool {
    owes(request, "accept") && value(request, "action").starts_with(action)
}

/// Returns true if the debt that is due begins with this word.
fn owes(request: &str, debt: &str) -> bool {
    value(request, "owed").split(' ').next() == Some(debt)
}

/// A move that begins with this word is legal.
pub(super) fn offers(request: &str, verb: &str) -> bool {
    legal(request).any(|line| line.split(' ').next() == Some(verb))
}

fn legal(request: &str) -> impl Iterator<Item = &str> {
    let lines = request.lines().skip_while(|line| !line.starts_with("legal ")).skip(1);
    lines.take_while(|line| *line != "end")
}

fn cards(request: &str) -> usize {
    value(request, "hand").split(' ').count()
}

fn number(request: &str, key: &str) -> usize {
    value(request, key).parse().unwrap_or(0)
}

/// The text after a key on the first line that begins with it.
pub(super) fn value<'a>(request: &'a str, key: &str) -> &'a str {
    let value = |line: &'a str| line.strip_prefix(key)?.strip_prefix(' ');
    request.lines().find_map(value).unwrap_or_default()
}
