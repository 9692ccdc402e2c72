//! The sample requests: real requests of games that are played under the referee.

pub(crate) mod coup;
pub(crate) mod durak;
mod kinds;

use bots::Program;
use bots::programs::{GREEDY, RANDOM, player};
use rules::Request;
use rules::tablic::Tablic;
use rules::{Answer, GameKind, GameTerms, ListCompleteness, Referee, Seed, Step, StopCause};

/// Every sample request with the name of its file.
pub(crate) fn all() -> Vec<(&'static str, String)> {
    vec![
        ("first-move.txt", find(2, answers_of(&GREEDY), |_| true)),
        ("late-move.txt", find(2, answers_of(&GREEDY), |request| request.heading.number == 45)),
        ("last-move.txt", find(2, answers_of(&RANDOM), |request| request.heading.number == 47)),
        ("empty-table.txt", find(2, answers_of(&GREEDY), |request| request.view.table.is_empty())),
        ("lay-down.txt", find(2, answers_of(&GREEDY), kinds::only_lays_down)),
        ("capture-one.txt", find(2, answers_of(&RANDOM), kinds::captures_one)),
        ("capture-sum.txt", find(2, answers_of(&RANDOM), kinds::captures_a_sum)),
        ("capture-groups.txt", find(2, lays_down, kinds::captures_groups)),
        ("ace-as-1.txt", find(2, answers_of(&RANDOM), kinds::takes_an_ace_as_1)),
        ("ace-as-11.txt", find(2, answers_of(&RANDOM), kinds::takes_an_ace_as_11)),
        ("ace-captures.txt", find(2, lays_down, kinds::captures_with_an_ace)),
        (
            "10-of-diamonds.txt",
            find(2, answers_of(&RANDOM), |request| kinds::gains(request, "10D")),
        ),
        ("2-of-clubs.txt", find(2, answers_of(&RANDOM), |request| kinds::gains(request, "2C"))),
        ("tabla.txt", find(2, answers_of(&RANDOM), kinds::empties_the_table)),
        ("cut-list.txt", find(2, lays_down, |request| request.listing == ListCompleteness::Cut)),
        ("3-seats-seat-0.txt", find(3, answers_of(&RANDOM), |request| is_asked(request, 0, 12))),
        ("3-seats-seat-1.txt", find(3, answers_of(&RANDOM), |request| is_asked(request, 1, 25))),
        ("3-seats-seat-2.txt", find(3, answers_of(&RANDOM), |request| is_asked(request, 2, 38))),
        ("4-seats.txt", find(4, answers_of(&RANDOM), |request| request.heading.number == 30)),
        ("48-seats.txt", find(48, answers_of(&RANDOM), |request| request.heading.number == 40)),
        (
            "longest-history.txt",
            find(48, answers_of(&GREEDY), |request| request.heading.number == 47),
        ),
        ("seat-out.txt", find(4, times_out(2), |request| request.heading.number == 25)),
    ]
}

/// Returns true if the request asks this seat for this move.
fn is_asked(request: &Request<Tablic>, seat: usize, number: u32) -> bool {
    request.heading.seat.index() == seat && request.heading.number == number
}

/// The first request like the wanted one, in games where all seats answer like this.
fn find(
    seats: usize,
    mut answer: impl FnMut(&str) -> Answer,
    wanted: impl Fn(&Request<Tablic>) -> bool,
) -> String {
    let wanted = |text: &str| wanted(&text.parse().expect("a request reads back"));
    let (kind, options) = (GameKind::of::<Tablic>(), format!("seats={seats}"));
    (0..1000)
        .find_map(|game| find_in_game(&kind, &options, (48, game), &mut answer, &wanted))
        .expect("a request like this in one of many games")
}

/// Finds a request in a game with this number, of a seed that is 32 times a byte.
fn find_in_game(
    kind: &GameKind,
    options: &str,
    (seed, game): (u8, u64),
    mut answer: impl FnMut(&str) -> Answer,
    wanted: &impl Fn(&str) -> bool,
) -> Option<String> {
    let (seed, seats) = (Seed([seed; 32]), kind.seats(options).expect("options"));
    let terms = GameTerms::even(seed.name(game), seats, 5000, seed.bots(game));
    let mut referee = Referee::new(kind, options, terms).expect("a game");
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
                question.answer(answer(&text));
            }
            Step::Over(_) => return None,
        }
    }
}

/// Answers as a program does.
fn answers_of(program: &Program) -> impl FnMut(&str) -> Answer + use<> {
    let mut player =
        player(&GameKind::of::<Tablic>(), program.name, &[]).expect("a built-in player");
    move |request| Answer::Output(player.answer(request).expect("an answer").into_bytes())
}

/// Lays down the first card of the hand, which is the first move listed.
fn lays_down(request: &str) -> Answer {
    let request: Request<Tablic> = request.parse().expect("a request reads back");
    Answer::Output(request.legal[0].to_string().into_bytes())
}

/// Answers as `random` does, but never when this seat is asked.
fn times_out(seat: usize) -> impl FnMut(&str) -> Answer {
    let mut player = answers_of(&RANDOM);
    move |request| {
        if request.contains(&format!("\nseat {seat}\n")) {
            return Answer::Stopped { by: StopCause::NoExit(5000), output: Vec::new() };
        }
        player(request)
    }
}
