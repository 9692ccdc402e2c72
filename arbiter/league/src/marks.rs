//! Marks at the games of a round, for pages: those that are void, and those that were played in their place.

use serde::Serialize;
use text::printable;

use crate::correction::Correction;
use crate::index::{IndexError, LeagueIndex, RoundGame};
use crate::replay::Counterpart;
use crate::state::{League, Round};
use standings::Entrant;

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

/// Games in a row with the same marks, for programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameMarks {
    /// The first game.
    first: u64,
    /// The last game.
    last: u64,
    /// Reason why they are void.
    void: Option<String>,
    /// The first of the games in another round that stand for them, in order.
    replayed: Option<RoundGame>,
    /// The first of the void games of another round for which they stand, in order.
    replays: Option<RoundGame>,
    /// True if a bot forfeited and the machine may have caused it.
    suspect: bool,
}

impl GameMarks {
    /// Reads the marks of a round.
    ///
    /// # Errors
    ///
    /// [`IndexError`] if the index cannot be read.
    pub fn read(
        league: &League,
        round: &Round,
        index: &LeagueIndex,
    ) -> Result<Vec<GameMarks>, IndexError> {
        let bots: Vec<Entrant> =
            round.line.bots.iter().filter_map(|bot| league.entrant(bot)).collect();
        let suspect = index.suspect_games(round.line.round, &bots)?;
        Ok(GameMarks::of_round(league, round, &suspect))
    }

    /// The marks of a round, of which these games are suspect.
    fn of_round(league: &League, round: &Round, suspect: &[u64]) -> Vec<GameMarks> {
        let is_corrected = league.corrections().of_round(&round.line).next().is_some();
        let games: Vec<u64> = match is_corrected || round.line.is_replay() {
            true => (0..round.line.games(league.seats())).collect(),
            false => suspect.to_vec(),
        };
        let mut all: Vec<GameMarks> = Vec::new();
        for game in games {
            let marks =
                GameMarks::of_game(league, round, game, suspect.binary_search(&game).is_ok());
            let Some(marks) = marks else { continue };
            match all.last_mut() {
                Some(before) if before.continues_with(&marks) => before.last = game,
                _ => all.push(marks),
            }
        }
        all
    }

    fn of_game(league: &League, round: &Round, game: u64, suspect: bool) -> Option<GameMarks> {
        let (number, seats) = (round.line.round, league.seats());
        let bots = round.line.bots_of(round.line.place_of(game, seats).1);
        let void = league.corrections().of_game(number, game, &bots);
        let other = |it: Counterpart| RoundGame { round: it.round, game: it.game };
        let marks = GameMarks {
            first: game,
            last: game,
            void: void.map(|it| it.line.reason.clone()),
            replayed: league.replay_of(number, game).map(other),
            replays: league.replayed_by(number, game).map(other),
            suspect,
        };
        let has_any = marks.void.is_some() || marks.replayed.is_some() || marks.replays.is_some();
        (has_any || suspect).then_some(marks)
    }

    /// Returns true if the marks of the next game say the same.
    fn continues_with(&self, next: &GameMarks) -> bool {
        let many = next.first - self.first;
        let in_order = |here: Option<RoundGame>, there: Option<RoundGame>| {
            here.map(|it| RoundGame { game: it.game + many, ..it }) == there
        };
        self.last + 1 == next.first
            && (&self.void, self.suspect) == (&next.void, next.suspect)
            && in_order(self.replayed, next.replayed)
            && in_order(self.replays, next.replays)
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
