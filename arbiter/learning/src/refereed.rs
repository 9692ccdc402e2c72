//! A finished game once more, under the referee: its record for a log.

use rules::seed::dealt;
use rules::{
    Answer, GameKind, GamePlace, GameRecord, Measured, Outcome, PerSeat, Referee, Score, Step,
    Terms,
};

use crate::episode::Deal;

/// A finished game as the referee needs it.
pub(crate) struct Finished<'a> {
    pub(crate) kind: &'a GameKind,
    pub(crate) options: &'a str,
    pub(crate) deal: &'a Deal,
    pub(crate) terms: Terms,
    pub(crate) scores: &'a PerSeat<Score>,
    /// The moves of seats that were to move, in order.
    pub(crate) moves: Vec<String>,
}

impl Finished<'_> {
    /// The record of the game as game `game` of a log, with these players by seat.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the names, or that the game went otherwise.
    pub(crate) fn record(self, game: u64, players: &[String]) -> Result<GameRecord, String> {
        let Finished { kind, options, deal, terms, scores, moves } = self;
        if players.len() != scores.count() {
            let (seats, names) = (scores.count(), players.len());
            return Err(format!("{names} player names for {seats} seats, expected one for each"));
        }
        let terms = Terms { id: deal.seed.name(game), ..terms };
        let mut referee =
            Referee::new(kind, options, terms).map_err(|problem| problem.to_string())?;
        let mut nature = deal.seed.nature(dealt(deal.number, 0));
        let mut moves = moves.into_iter();
        let mut measured = Vec::new();
        let result = loop {
            match referee.step() {
                Step::Moved => {}
                Step::Nature(draw) => draw.draw(&mut nature),
                Step::Ask(question) => {
                    let Some(mv) = moves.next() else {
                        return Err("the referee asks for more moves than were made".to_owned());
                    };
                    measured.push(Measured::default());
                    question.answer(Answer::Output(mv.into_bytes()));
                }
                Step::Over(outcome) => break outcome.clone(),
            }
        };
        match &result {
            Outcome::Played { scores: refereed, .. }
                if refereed == scores && result.faults().is_empty() => {}
            _ => return Err("the game went differently under the referee".to_owned()),
        }
        let place = GamePlace { game, attempt: 0, deal: deal.number };
        Ok(GameRecord::new(&referee, place, players.to_vec(), result, measured))
    }
}

/// The error for an episode that is not over.
pub(crate) const NOT_OVER: &str = "the episode is not over, expected a finished one";

/// The error for an episode whose cards were not all drawn from its deal.
pub(crate) const NOT_OF_A_DEAL: &str =
    "the episode was copied with other chance or resampled, expected one of a deal";
