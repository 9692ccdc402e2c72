//! Marks at the games of a round, for pages: those that are void, and those that were played in their place.

use serde::Serialize;
use text::printable;

use crate::correction::Correction;
use crate::state::{League, Round};

/// The corrections of a round, and the marks at its games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RoundMarks {
    /// The corrections that say more than the marks of games, in sentences: they were taken back, or wait for replays.
    pub corrections: Vec<String>,
    /// The games with a mark, in order.
    pub games: Vec<MarkedGames>,
}

/// The first and the last of some games in a row, and their mark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MarkedGames(pub u64, pub u64, pub String);

impl RoundMarks {
    /// The marks of a round.
    pub fn of_round(league: &League, round: &Round) -> RoundMarks {
        let corrections = league.corrections();
        let says_more = |it: &&Correction| it.reinstated.is_some() || it.replays.waiting > 0;
        let sentences = corrections.of_round(&round.line).filter(says_more);
        let mut marks = RoundMarks {
            corrections: sentences.map(Correction::in_words).collect(),
            games: Vec::new(),
        };
        if corrections.of_round(&round.line).next().is_none() && !round.line.is_replay() {
            return marks;
        }
        for game in 0..round.line.games(league.seats()) {
            let Some(text) = of_game(league, round, game) else { continue };
            match marks.games.last_mut() {
                Some(MarkedGames(_, last, of)) if *last + 1 == game && *of == text => *last = game,
                _ => marks.games.push(MarkedGames(game, game, text)),
            }
        }
        marks
    }

    /// Returns true if there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.corrections.is_empty() && self.games.is_empty()
    }
}

fn of_game(league: &League, round: &Round, game: u64) -> Option<String> {
    let (number, seats) = (round.line.round, league.seats());
    let bots = round.line.bots_of(round.line.place_of(game, seats).1);
    let void = league.corrections().of_game(number, game, &bots);
    let void = void.map(|it| format!("void ({})", printable(&it.line.reason)));
    let replayed = league.replay_of(number, game);
    let replayed = replayed.map(|it| format!("replayed as game {} of round {}", it.game, it.round));
    let stands_for = league.replayed_by(number, game).map(|it| {
        let reason = printable(&it.reason);
        format!("replays game {} of round {} ({reason})", it.game, it.round)
    });
    let all: Vec<String> = [stands_for, void, replayed].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join(", "))
}
