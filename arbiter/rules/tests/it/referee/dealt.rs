//! Games from a first deal that every test knows, with the answers that a test gives.

#![allow(dead_code, reason = "each test uses a part of it")]

use rules::record::Outcome;
use rules::referee::Question;
use rules::{
    Answer, DetailedVerdict, FailureCause, Referee, Score, Seat, Seed, Verdict, VoidCause,
};

use crate::refereed;

pub(crate) const SEED: Seed = Seed([8; 32]);

/// A first deal in which seat 0 can make a tabla with the 7 of spades.
pub(crate) const FIRST_DEAL: [&str; 5] = [
    "deal table 3H 3S 4C 4D",
    "deal 0 2C 7S 8C 9C 10C JC",
    "deal 1 2D 7D 8D 9D 10D JD",
    "deal 2 2H 7H 8H 9H 10H JH",
    "deal 3 2S 7C 8S 9S 10S JS",
];

pub(crate) fn seat(number: usize) -> Seat {
    Seat::new(number).unwrap()
}

pub(crate) fn output(text: &str) -> Answer {
    Answer::Output(text.as_bytes().to_vec())
}

pub(crate) fn stopped(verdict: Verdict, detail: &str) -> Answer {
    let cause = FailureCause::from_text(verdict, detail).expect("a verdict of a cause");
    cause.answer(b"7S 3".to_vec())
}

pub(crate) fn void(why: &str) -> Answer {
    Answer::Void(VoidCause::worded(why))
}

/// A game with the first deal above. The seats give these answers in turn, and when there are no
/// more, each lays its first card down.
pub(crate) fn game(seats: usize, answers: &[Answer]) -> (Referee, Vec<(Seat, DetailedVerdict)>) {
    let referee = refereed::referee(&format!("seats={seats}"), &SEED);
    let mut answers = answers.iter();
    finish(referee, seats, |question| match answers.next() {
        Some(answer) => answer.clone(),
        None => output(&question.legal_moves().0[0]),
    })
}

/// Plays a game with the first deal above and these answers to its end.
pub(crate) fn finish(
    mut referee: Referee,
    seats: usize,
    answer: impl FnMut(&Question<'_>) -> Answer,
) -> (Referee, Vec<(Seat, DetailedVerdict)>) {
    let mut deals = FIRST_DEAL[..=seats].iter();
    let mut nature = SEED.nature(0);
    let rulings = refereed::play(
        &mut referee,
        |draw| match deals.next() {
            Some(deal) => draw.happen(deal).unwrap(),
            None => draw.draw(&mut nature),
        },
        answer,
    );
    (referee, rulings)
}

pub(crate) fn ruling(verdict: Verdict, detail: &str) -> DetailedVerdict {
    DetailedVerdict { verdict, detail: detail.to_owned() }
}

pub(crate) fn scores(outcome: &Outcome) -> Vec<Score> {
    outcome.scores().unwrap().values().to_vec()
}

pub(crate) fn points(points: &[i32]) -> Vec<Score> {
    points.iter().copied().map(Score::points).collect()
}
