//! With more than two seats a game goes on without those who are out: the house plays their cards
//! as the protocol says, the others notice nothing but a line in the history, and the scores are
//! right.

use std::collections::BTreeMap;

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
    for keeping in Keeping::ALL {
        for (seats, failing) in &CASES {
            check(keeping, *seats, failing);
        }
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
    let ended = tests::bench::run(command.args(bots).with_keeping(keeping));
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    bench.verify(&bench.path("log"));
    let game = log::games(&bench.path("log")).remove(0);
    check_verdicts(&game, failing);
    check_house(&game, failing);
    check_scores(&game, seats, failing);
    check_histories(&game, failing);
}

fn events(game: &Value) -> Vec<&str> {
    game["events"].as_array().expect("events").iter().filter_map(Value::as_str).collect()
}

fn is_out(failing: &[Failing], seat: usize) -> bool {
    failing.iter().any(|it| it.seat == seat)
}

/// Each fails once, on its move, is never asked again, and no other bot fails.
fn check_verdicts(game: &Value, failing: &[Failing]) {
    let faults: Vec<(u64, &str)> = log::answers(game)
        .iter()
        .filter(|answer| answer["verdict"] != "ok")
        .map(|answer| (answer["seat"].as_u64().expect("a seat"), answer["verdict"].as_str()))
        .map(|(seat, verdict)| (seat, verdict.expect("a verdict")))
        .collect();
    let expected: Vec<(u64, &str)> =
        failing.iter().map(|it| (it.seat as u64, it.verdict)).collect();
    assert_eq!(faults, expected, "{game}");
    for it in failing {
        let last = log::answers(game).into_iter().rfind(|answer| answer["seat"] == it.seat);
        assert_eq!(last.expect("it was asked")["verdict"], it.verdict, "{game}");
        let before = events(game);
        let out = format!("out {} {}", it.seat, it.verdict);
        let at = before.iter().position(|event| *event == out).expect("it is told");
        let moves = before[..at].iter().filter(|event| moved(event).is_some()).count();
        assert_eq!(moves, it.number, "{out} comes too early or too late in {game}");
    }
}

/// The seat that made a move, and the move, if that is what an event tells.
fn moved(event: &str) -> Option<(usize, &str)> {
    let (seat, made) = event.split_once(' ')?;
    Some((seat.parse().ok()?, made))
}

/// The house lays down the first card of the hand in the order of the pack, and captures nothing.
fn check_house(game: &Value, failing: &[Failing]) {
    let mut hands: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    let (mut out, mut by_house) = (Vec::new(), 0);
    for event in events(game) {
        if let Some((seat, made)) = moved(event) {
            let hand = hands.entry(seat).or_default();
            let card = made.split(' ').next().unwrap_or_default();
            if out.contains(&seat) {
                let first = hand.iter().min_by_key(|card| place(card)).expect("it holds cards");
                assert_eq!(made, *first, "the move of the house for seat {seat} in {game}");
                by_house += 1;
            }
            hand.retain(|held| *held != card);
        } else if let Some(dealt) = event.strip_prefix("deal ") {
            let (to, cards) = dealt.split_once(' ').expect("cards are dealt");
            if let Ok(seat) = to.parse::<usize>() {
                hands.entry(seat).or_default().extend(cards.split(' '));
            }
        } else if let Some(told) = event.strip_prefix("out ") {
            let seat = told.split(' ').next().and_then(|seat| seat.parse::<usize>().ok());
            out.push(seat.expect("a seat"));
        }
    }
    assert_eq!(out, failing.iter().map(|it| it.seat).collect::<Vec<_>>(), "{game}");
    assert!(by_house > 0 || game["result"]["ending"] == "walkover", "the house plays: {game}");
}

/// Place of a card in the pack.
fn place(card: &str) -> (usize, usize) {
    let ranks = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
    let (rank, suit) = card.split_at(card.len() - 1);
    let rank = ranks.iter().position(|it| *it == rank).expect("a rank");
    (rank, "CDHS".find(suit).expect("a suit"))
}

/// A seat that is out has 0, the others what their cards have won; the last contender has 25 points
/// and its tablas so far.
fn check_scores(game: &Value, seats: usize, failing: &[Failing]) {
    let walkover = failing.len() + 1 == seats;
    let events = events(game);
    let won = |seat: usize| -> u64 {
        if walkover {
            let tabla = format!("tabla {seat}");
            return 25 + events.iter().filter(|event| **event == tabla).count() as u64;
        }
        let head = format!("score {seat} ");
        let told = events.iter().find_map(|event| event.strip_prefix(&head)).expect("a score");
        told.split(' ').next().and_then(|points| points.parse().ok()).expect("points")
    };
    let scores: Vec<u64> =
        (0..seats).map(|seat| if is_out(failing, seat) { 0 } else { won(seat) }).collect();
    let out: Vec<Value> = (0..seats)
        .map(|seat| {
            failing.iter().find(|it| it.seat == seat).map_or(Value::Null, |it| json!(it.verdict))
        })
        .collect();
    let ending = if walkover { "walkover" } else { "played" };
    let expected = json!({"ending": ending, "scores": scores, "out": out});
    assert_eq!(game["result"], expected, "{game}");
}

/// The history of the remaining seats says which seats are out, from the next request on.
fn check_histories(game: &Value, failing: &[Failing]) {
    let measured = game["measured"].as_array().expect("a list");
    let mut out: Vec<String> = Vec::new();
    for (answer, measured) in log::answers(game).iter().zip(measured) {
        if answer["verdict"] != "ok" {
            let (seat, verdict) = (&answer["seat"], answer["verdict"].as_str());
            out.push(format!("\\nout {seat} {}\\n", verdict.expect("a verdict")));
        }
        let seat = answer["seat"].as_u64().expect("a seat") as usize;
        if is_out(failing, seat) || seat % 2 == 1 {
            continue;
        }
        let request = measured["stderr"].as_str().expect("the request");
        assert_eq!(request.matches("\\nout ").count(), out.len(), "{request}");
        assert!(out.iter().all(|line| request.contains(line)), "{out:?} in {request}");
    }
}
