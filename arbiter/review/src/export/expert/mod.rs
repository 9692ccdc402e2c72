//! The features `expert`, for every game: the input of the learned part of the player `expert`, a row for
//! each choice of a decision.
//!
//! The experts learn how choices compare, so one alone says little: the choice that was made stands
//! beside those that it was preferred to. Each decision is read from the text of the very request that
//! the seat was sent, by the functions by which the expert of the game reads it. So the features are
//! what the seat can know and what the expert uses, also where another player has decided.

mod coup;
mod durak;
mod tablic;

use std::fmt::Display;
use std::marker::PhantomData;

use bots::tablic::expert::position::GreedyCache;
use rules::replay::{Discrepancy, RecordPlace};
use rules::{Game, GameKind, GameRecord, Request};
use series::Series;

use crate::export::rows::{Cell, Row, place};
use crate::log_review::{AnsweredQuestion, questions};

/// The columns before the features, the same for every game.
const COMMON: &str = "log game deal seat player move choice chosen final_points place";

struct ChoiceFeatures {
    /// The move, or one of several that are the same for the expert.
    text: String,
    was_made: bool,
    features: Vec<Cell>,
}

/// A reader of decisions, with a cache that only makes it faster.
pub(super) struct DecisionReader {
    greed: GreedyCache,
}

impl DecisionReader {
    pub(super) fn new() -> DecisionReader {
        DecisionReader { greed: GreedyCache::default() }
    }

    pub(super) fn rows(
        &mut self,
        log: &str,
        series: &Series,
        game: &GameRecord,
    ) -> Result<Vec<Row>, Discrepancy> {
        let seats: Vec<usize> = (0..game.seats.len()).collect();
        let mut rows = Vec::new();
        for asked in questions(series, game, &seats)? {
            let choices = self.choices(series.kind(), &asked.request, &asked.played);
            // There are none only if the rules are broken.
            let choices = choices.ok_or_else(|| Discrepancy {
                place: RecordPlace::Move(asked.number),
                problem: "contradicts what came before".to_owned(),
            })?;
            rows.extend(choice_rows(log, game, &asked, choices));
        }
        Ok(rows)
    }

    /// The choices of a decision by its request and the move that was made; `None` where the request
    /// contradicts itself or does not have the move.
    fn choices(&mut self, kind: &GameKind, request: &str, mv: &str) -> Option<Vec<ChoiceFeatures>> {
        let choices = explained(kind)?.choices(request, mv, self)?;
        choices.iter().any(|choice| choice.was_made).then_some(choices)
    }
}

/// Returns true if games with these options have features of the expert.
pub(super) fn explains(kind: &GameKind, options: &str) -> bool {
    explained(kind).is_some_and(|game| game.explains(options))
}

/// The names of the columns, for games with this number of seats.
pub(super) fn columns(kind: &GameKind, seats: usize) -> Vec<String> {
    let own = explained(kind).map(|game| game.columns(seats)).unwrap_or_default();
    COMMON.split(' ').map(str::to_owned).chain(own).collect()
}

/// A game whose expert shows its input.
trait ExpertFeatures: Game {
    /// Returns true if games with these options have features.
    fn explains(_options: &Self::Options) -> bool {
        true
    }

    /// The names of the features, for games with this number of seats.
    fn columns(seats: usize) -> Vec<String>;

    /// The choices of a decision; `None` where the request contradicts itself.
    fn choices(
        request: &Request<Self>,
        mv: &Self::Move,
        reader: &mut DecisionReader,
    ) -> Option<Vec<ChoiceFeatures>>;
}

/// [`ExpertFeatures`] behind text.
trait ExpertFeaturesText {
    fn explains(&self, options: &str) -> bool;
    fn columns(&self, seats: usize) -> Vec<String>;
    fn choices(
        &self,
        request: &str,
        mv: &str,
        reader: &mut DecisionReader,
    ) -> Option<Vec<ChoiceFeatures>>;
}

impl<G: ExpertFeatures> ExpertFeaturesText for PhantomData<G> {
    fn explains(&self, options: &str) -> bool {
        options.parse().is_ok_and(|options| G::explains(&options))
    }

    fn columns(&self, seats: usize) -> Vec<String> {
        G::columns(seats)
    }

    fn choices(
        &self,
        request: &str,
        mv: &str,
        reader: &mut DecisionReader,
    ) -> Option<Vec<ChoiceFeatures>> {
        G::choices(&request.parse().ok()?, &mv.parse().ok()?, reader)
    }
}

fn explained(kind: &GameKind) -> Option<&'static dyn ExpertFeaturesText> {
    macro_rules! find {
        ($($game:ty),*) => {
            $(if *kind == GameKind::of::<$game>() {
                return Some(&PhantomData::<$game>);
            })*
        };
    }
    rules::games!(find);
    None
}

fn choice_rows(
    log: &str,
    game: &GameRecord,
    &AnsweredQuestion { seat, number, .. }: &AnsweredQuestion,
    choices: Vec<ChoiceFeatures>,
) -> impl Iterator<Item = Row> {
    let scores = game.result.scores();
    let player = game.seats.get(seat.index()).cloned();
    let before = [
        Cell::Text(log.to_owned()),
        Cell::Number(game.game),
        Cell::Number(game.deal),
        seat.into(),
        player.map_or(Cell::Nothing, Cell::Foreign),
        number.into(),
    ];
    let after = [
        scores.map_or(Cell::Nothing, |scores| Cell::Score(scores[seat])),
        scores.map_or(Cell::Nothing, |scores| Cell::Number(place(scores, seat))),
    ];
    choices.into_iter().map(move |ChoiceFeatures { text, was_made, features }| {
        let own = [Cell::Text(text), Cell::Number(was_made.into())];
        before.iter().cloned().chain(own).chain(after.iter().cloned()).chain(features).collect()
    })
}

/// Names with something before each.
fn named<'a>(prefix: impl Display + 'a, names: &'a [&str]) -> impl Iterator<Item = String> + 'a {
    names.iter().map(move |name| format!("{prefix}_{name}"))
}

#[cfg(test)]
mod tests {
    use rules::coup::Coup;
    use rules::durak::Durak;
    use rules::tablic::Tablic;
    use rules::{Answer, GameTerms, Referee, Resample, Seed, Step};
    use search::{InformationState, WorldSampler};

    use super::*;

    /// The games, with options that have everything in them.
    const GAMES: [(GameKind, &str); 6] = [
        (GameKind::of::<Tablic>(), "seats=2"),
        (GameKind::of::<Tablic>(), "seats=4"),
        (GameKind::of::<Coup>(), "seats=2"),
        (GameKind::of::<Durak>(), "seats=2"),
        (GameKind::of::<Durak>(), "seats=3 deck=24 transfer=on"),
        (GameKind::of::<Durak>(), "seats=4"),
    ];

    /// Every request of a game of legal moves at random, with the move.
    fn decisions(kind: &GameKind, options: &str, seed: u8) -> Vec<(String, String)> {
        let options = kind.check_options(options).expect("options");
        let seed = Seed([seed; 32]);
        let seats = kind.seats(&options).expect("seats");
        let terms = GameTerms::even(seed.name(0), seats, 5000, seed.bots(0));
        let mut referee = Referee::new(kind, &options, terms).expect("a game");
        let (mut nature, mut chance) = (seed.nature(0), seed.order(0));
        let mut decisions = Vec::new();
        loop {
            match referee.step() {
                Step::Moved => {}
                Step::Nature(draw) => draw.draw(&mut nature),
                Step::Ask(question) => {
                    let (legal, _) = question.legal_moves();
                    let mv = chance.choose(&legal).expect("a legal move").clone();
                    decisions.push((question.request(), mv.clone()));
                    question.answer(Answer::Output(mv.into_bytes()));
                }
                Step::Over(_) => return decisions,
            }
        }
    }

    /// The exported choices of a decision, as text.
    fn exported(
        reader: &mut DecisionReader,
        kind: &GameKind,
        request: &str,
        mv: &str,
    ) -> Vec<String> {
        let choices = reader.choices(kind, request, mv).unwrap_or_else(|| panic!("{request}{mv}"));
        let text = |choice: &ChoiceFeatures| {
            format!("{} {} {:?}", choice.text, choice.was_made, choice.features)
        };
        choices.iter().map(text).collect()
    }

    #[test]
    fn every_decision_has_one_choice_that_was_made_and_all_columns() {
        let mut reader = DecisionReader::new();
        for (kind, options) in GAMES {
            let seats = kind.seats(&kind.check_options(options).expect("options")).expect("seats");
            let columns = columns(&kind, seats).len() - COMMON.split(' ').count();
            for (request, mv) in (0..5).flat_map(|seed| decisions(&kind, options, seed)) {
                let choices = reader.choices(&kind, &request, &mv).expect("choices");
                let made: Vec<_> = choices.iter().filter(|choice| choice.was_made).collect();
                assert_eq!(made.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(), [mv]);
                for choice in &choices {
                    assert_eq!(choice.features.len(), columns, "{request}");
                }
            }
        }
    }

    /// A decision in another world, which the seat cannot tell from the real one.
    fn elsewhere<G: Resample>(request: &str, seed: u8) -> String {
        let request: Request<G> = request.parse().expect("a request");
        let nature = &mut Seed([seed; 32]).nature(1);
        let world = InformationState::read(&request).draw(nature).expect("a world");
        let mut legal = Vec::new();
        let listing = world.legal_moves(&mut legal);
        let view = world.view(request.heading.seat);
        let mut other = Request { view, legal, listing, ..request };
        // The seed to draw with is no knowledge either.
        other.heading.seed = rules::BotSeed([seed; 8]);
        other.to_string()
    }

    #[test]
    fn what_a_seat_cannot_know_changes_nothing() {
        let mut reader = DecisionReader::new();
        for (kind, options) in GAMES {
            for (request, mv) in decisions(&kind, options, 7) {
                let here = exported(&mut reader, &kind, &request, &mv);
                for seed in [1, 2] {
                    let other = match kind.name() {
                        Tablic::NAME => elsewhere::<Tablic>(&request, seed),
                        Coup::NAME => elsewhere::<Coup>(&request, seed),
                        _ => elsewhere::<Durak>(&request, seed),
                    };
                    assert_eq!(exported(&mut reader, &kind, &other, &mv), here, "{request}");
                }
            }
        }
    }
}
