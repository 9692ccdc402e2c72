//! The input of Coup's expert: the situation and the hand, from which it finds the chances of the legal
//! moves.

use bots::coup::expert::read::ActorSituation;
use bots::coup::expert::situation::Stage;
use rules::Request;
use rules::coup::{Character, Coup, CoupRules, Move, Options};

use super::{ChoiceFeatures, DecisionReader, ExpertFeatures, named};
use crate::export::rows::Cell;

impl ExpertFeatures for Coup {
    /// A situation has two seats.
    fn explains(options: &Options) -> bool {
        options.rules == CoupRules::Contest
    }

    fn columns(_seats: usize) -> Vec<String> {
        columns()
    }

    /// Every legal move, with the same features: the expert has a chance for each.
    ///
    /// Once a seat can only choose in which order it loses both cards, the game is decided, and there is
    /// no situation.
    fn choices(
        request: &Request<Coup>,
        made: &Move,
        _reader: &mut DecisionReader,
    ) -> Option<Vec<ChoiceFeatures>> {
        let features = match ActorSituation::read(request) {
            Some(reading) => features(request, reading),
            None => vec![Cell::Nothing; columns().len()],
        };
        let choice = |mv: &Move| {
            let features = features.clone();
            ChoiceFeatures { text: mv.to_string(), was_made: mv == made, features }
        };
        Some(request.legal.iter().map(choice).collect())
    }
}

fn columns() -> Vec<String> {
    let of_side = ["coins", "lost", "claim_1", "claim_2", "missing"];
    let sides = ["actor", "other"].into_iter().flat_map(|side| named(side, &of_side));
    let hand = Character::ALL.iter().map(|character| format!("hand_{character}"));
    let first = ["stage", "is_actor"].map(str::to_owned).into_iter();
    first.chain(sides).chain(["caught_without".to_owned()]).chain(hand).collect()
}

fn features(
    request: &Request<Coup>,
    ActorSituation { situation, actor }: ActorSituation,
) -> Vec<Cell> {
    let is_actor = request.heading.seat == actor;
    let stage = Cell::Text(name(situation.stage).to_owned());
    let mut features = vec![stage, Cell::Number(is_actor.into())];
    for side in [0, 1] {
        let [second, first] = situation.memory[side].claims();
        let missing = situation.memory[side].missing();
        features.push(Cell::Number(situation.coins[side].into()));
        features.extend([situation.lost[side], first, second, missing].map(character));
    }
    features.push(character(situation.missing));
    let hand = request.view.hand.cards();
    features.extend(Character::ALL.iter().map(|character| {
        Cell::Number(hand.iter().filter(|card| *card == character).count() as u64)
    }));
    features
}

/// A character by its place, counted from 1; nothing for 0.
fn character(place: u8) -> Cell {
    let found = usize::from(place).checked_sub(1).and_then(|place| Character::ALL.get(place));
    found.map_or(Cell::Nothing, |character| Cell::Text(character.to_string()))
}

/// The decision, in words.
fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::Act => "act",
        Stage::AnswerForeignAid => "answer-foreign-aid",
        Stage::AnswerTax => "answer-tax",
        Stage::AnswerAssassinate => "answer-assassinate",
        Stage::AnswerSteal => "answer-steal",
        Stage::AnswerExchange => "answer-exchange",
        Stage::AcceptDuke => "accept-duke",
        Stage::AcceptContessa => "accept-contessa",
        Stage::AcceptAmbassador => "accept-ambassador",
        Stage::AcceptCaptain => "accept-captain",
        Stage::ActorLoses => "actor-loses",
        Stage::OtherLoses => "other-loses",
        Stage::OtherLosesThenExchange => "other-loses-then-exchange",
        Stage::Exchange => "exchange",
    }
}
