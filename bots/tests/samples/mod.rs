//! The sample requests: real requests of games that are played under the referee.

use bots::Program;
use bots::programs::{GREEDY, RANDOM, player};
use rules::tablic::Tablic;
use rules::wire::Request;
use rules::{Answer, GameKind, Listing, Referee, Seed, Step, Stop, Terms};

/// Every sample request with the name of its file.
pub(crate) fn all() -> Vec<(&'static str, String)> {
    vec![
        ("first-move.txt", find(2, by(&GREEDY), |_| true)),
        ("late-move.txt", find(2, by(&GREEDY), |request| request.heading.number == 45)),
        ("empty-table.txt", find(2, by(&GREEDY), |request| request.view.table.is_empty())),
        ("cut-list.txt", find(2, lays_down, |request| request.listing == Listing::Cut)),
        ("4-seats.txt", find(4, by(&RANDOM), |request| request.heading.number == 30)),
        ("48-seats.txt", find(48, by(&RANDOM), |request| request.heading.number == 40)),
        ("seat-out.txt", find(4, times_out(2), |request| request.heading.number == 25)),
    ]
}

/// The first request like the wanted one, in a game where all seats answer like this.
fn find(
    seats: usize,
    mut answer: impl FnMut(&str) -> Answer,
    wanted: impl Fn(&Request<Tablic>) -> bool,
) -> String {
    let seed = Seed([48; 32]);
    let terms = Terms::even(seed.name(0), seats, 5000, seed.bots(0));
    let mut referee = Referee::new(GameKind::Tablic, &format!("seats={seats}"), terms)
        .expect("a number of seats for this game");
    let mut nature = seed.nature(0);
    loop {
        match referee.step() {
            Step::Nature(draw) => draw.draw(&mut nature),
            Step::Moved => {}
            Step::Ask(question) => {
                let text = question.request();
                if wanted(&text.parse().expect("a request reads back")) {
                    return text;
                }
                question.answer(answer(&text));
            }
            Step::Over(outcome) => unreachable!("no such request before {outcome:?}"),
        }
    }
}

/// Answers as a program does.
fn by(program: &Program) -> impl FnMut(&str) -> Answer + use<> {
    let mut player = player(GameKind::Tablic, program.name, &[]).expect("a built-in player");
    move |request| Answer::Output(player.answer(request).expect("an answer").into_bytes())
}

/// Lays down the first card of the hand, which is the first move listed.
fn lays_down(request: &str) -> Answer {
    let request: Request<Tablic> = request.parse().expect("a request reads back");
    Answer::Output(request.legal[0].to_string().into_bytes())
}

/// Answers as `random` does, but never when this seat is asked.
fn times_out(seat: usize) -> impl FnMut(&str) -> Answer {
    let mut player = by(&RANDOM);
    move |request| {
        if request.contains(&format!("\nseat {seat}\n")) {
            let detail = "no exit within 5000 ms".to_owned();
            return Answer::Stopped { by: Stop::Timeout, detail, output: Vec::new() };
        }
        player(request)
    }
}
