//! With more than two seats a game goes on without those who are out. How the house plays their cards, and what the
//! others are told, the tests of the rules say; the log verifies by them.

use serde_json::{Value, json};
use tests::bench::Bench;
use tests::keeping::{Keeping, KeepingCommand};
use tests::log;

const SEED: &str = "f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0";

/// A seat that fails on a move, as a mode of the faulty bot says.
struct Failing {
    seat: usize,
    number: usize,
    mode: &'static str,
    verdict: &'static str,
}

const fn failing(seat: usize, number: usize, mode: &'static str, verdict: &'static str) -> Failing {
    Failing { seat, number, mode, verdict }
}

/// A number of seats, and who fails: one or two seats, at once or late, in any order.
const CASES: [(usize, &[Failing]); 8] = [
    (3, &[failing(0, 0, "exit-1", "crash")]),
    (3, &[failing(1, 4, "silent", "no-answer")]),
    (3, &[failing(2, 20, "nul", "malformed")]),
    (3, &[failing(2, 2, "not-held", "illegal"), failing(0, 9, "exit-1", "crash")]),
    (4, &[failing(3, 3, "huge-line", "output-limit")]),
    (4, &[failing(1, 5, "answer-segv", "crash"), failing(2, 10, "killed", "crash")]),
    (4, &[failing(0, 28, "two-answers", "malformed"), failing(3, 31, "silent", "no-answer")]),
    (
        4,
        &[
            failing(0, 0, "exit-1", "crash"),
            failing(1, 1, "exit-1", "crash"),
            failing(3, 7, "bad-sum", "illegal"),
        ],
    ),
];

#[test]
fn the_house_plays_for_seats_that_are_out() {
    // Each way of keeping bots has some of them.
    for ((seats, failing), keeping) in CASES.iter().zip(Keeping::ALL.into_iter().cycle()) {
        check(keeping, *seats, failing);
    }
}

fn check(keeping: Keeping, seats: usize, failing: &[Failing]) {
    let bench = Bench::new();
    let bots: Vec<String> = (0..seats)
        .map(|seat| match failing.iter().find(|it| it.seat == seat) {
            Some(it) => bench.faulty(&format!("only-on {} {seat} {}", it.number, it.mode)),
            // The even ones show what they were asked, the odd ones capture.
            None if seat % 2 == 0 => bench.faulty("echo"),
            None => "greedy".to_owned(),
        })
        .collect();
    let head = ["match", "--game", "tablic", "--quiet", "--seed", SEED, "--log", "log"];
    let mut command = bench.arbiter(head);
    tests::bench::run(command.args(bots).with_keeping(keeping)).without_error();
    bench.verify(&bench.path("log"));
    let game = log::games(&bench.path("log")).remove(0);
    // Each fails once, on its move, is never asked again, and no other bot fails.
    let answers = log::answers(&game);
    let faults = answers.iter().filter(|answer| answer["verdict"] != "ok");
    let faults: Vec<Value> = faults.map(|it| json!([it["seat"], it["verdict"]])).collect();
    let expected: Vec<Value> = failing.iter().map(|it| json!([it.seat, it.verdict])).collect();
    assert_eq!(faults, expected, "{game}");
    let events = game["events"].as_array().expect("events");
    for it in failing {
        let last = answers.iter().rfind(|answer| answer["seat"] == it.seat);
        assert_eq!(last.expect("it was asked")["verdict"], it.verdict, "{game}");
        let out = format!("out {} {}", it.seat, it.verdict);
        let before = events.iter().take_while(|event| **event != *out);
        let is_move =
            |event: &&Value| event.as_str().is_some_and(|it| it.starts_with(char::is_numeric));
        assert_eq!(before.filter(is_move).count(), it.number, "{out} is out of place in {game}");
    }
    let is_out = |seat| failing.iter().find(|it| it.seat == seat).map(|it| it.verdict);
    let out: Vec<Option<&str>> = (0..seats).map(is_out).collect();
    assert_eq!(game["result"]["out"], json!(out), "{game}");
    let ending = if failing.len() + 1 == seats { "walkover" } else { "played" };
    assert_eq!(game["result"]["ending"], ending, "{game}");
}
