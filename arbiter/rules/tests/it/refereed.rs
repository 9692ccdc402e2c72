//! Games through the referee, in text, with chance and answers from a script.

#![allow(dead_code, reason = "each test uses a part of it")]

use rules::record::Outcome;
use rules::referee::{PendingChance, Question};
use rules::replay::ReplaySetup;
use rules::tablic::Tablic;
use rules::{
    Answer, DetailedVerdict, Dialect, GameKind, GameRecord, GameTerms, Measurements, PerSeat,
    Referee, RefereeInput, Seat, Seed, Step, TimeControl,
};

/// The time for each answer, in milliseconds.
const TIME: u64 = 1000;

/// A game of Tablić that follows from a seed, but for the answers.
pub(crate) fn referee(options: &str, seed: &Seed) -> Referee {
    referee_with_retries(options, seed, 0)
}

/// The same game with second chances.
pub(crate) fn referee_with_retries(options: &str, seed: &Seed, retries: u32) -> Referee {
    let seats = GameKind::of::<Tablic>().seats(options).unwrap();
    let terms = GameTerms { retries, ..GameTerms::even(seed.name(0), seats, TIME, seed.bots(0)) };
    Referee::new(&GameKind::of::<Tablic>(), options, terms).unwrap()
}

/// The setup that replays a game of this file.
pub(crate) fn setup<'a>(options: &'a str, seed: Option<&'a Seed>) -> ReplaySetup<'a> {
    // Options that are wrong are for the replay to refuse.
    let seats = GameKind::of::<Tablic>().seats(options).unwrap_or(0);
    let times = PerSeat::new(seats, |_| TimeControl::even(TIME));
    let dialects = PerSeat::new(seats, |_| Dialect::Native);
    ReplaySetup { kind: GameKind::of::<Tablic>(), options, times, dialects, retries: 0, seed }
}

/// Plays to the end, and gives back what every answer was worth.
pub(crate) fn play(
    referee: &mut Referee,
    mut chance: impl FnMut(PendingChance<'_>),
    mut answer: impl FnMut(&Question<'_>) -> Answer,
) -> Vec<(Seat, DetailedVerdict)> {
    let mut rulings = Vec::new();
    loop {
        match referee.step() {
            Step::Nature(draw) => chance(draw),
            Step::Ask(question) => {
                let (seat, answer) = (question.seat(), answer(&question));
                rulings.push((seat, question.answer(answer)));
            }
            Step::Moved => {}
            Step::Over(_) => return rulings,
        }
    }
}

/// The outcome of a game that is over.
pub(crate) fn outcome(referee: &mut Referee) -> Outcome {
    match referee.step() {
        Step::Over(outcome) => outcome.clone(),
        _ => panic!("the game is not over"),
    }
}

/// The record of a game that is over.
pub(crate) fn record(referee: &mut Referee, seed: &Seed) -> GameRecord {
    let result = outcome(referee);
    let answers = referee.inputs().iter().filter(|input| matches!(input, RefereeInput::Answer(_)));
    GameRecord {
        game: 0,
        attempt: 0,
        deal: 0,
        id: seed.name(0),
        seats: Seat::first(referee.seats()).map(|seat| format!("player {seat}")).collect(),
        bot_seeds: seed.bots(0),
        inputs: referee.inputs().to_vec(),
        events: referee.history(0),
        pools: referee.pools().to_vec(),
        result,
        measured: answers.map(|_| Measurements::default()).collect(),
        machine: None,
    }
}
