//! One game that a learner steps through, whichever game it is, and its record for a log once it is finished.

use std::fmt::Display;

use bots::programs::NoPlayersError;
use rules::seed::dealt;
use rules::{
    Answer, GameKind, GamePlace, GameRecord, GameTerms, Measurements, NotText, Outcome, PerSeat,
    Referee, Score, Seat, Seed, Step,
};

/// Where the chance of an episode comes from: one deal of one seed, as in a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deal {
    pub seed: Seed,
    /// The number of the deal, from 0.
    pub number: u64,
}

/// A built-in player that has the seats which the learner has not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opponent {
    /// The program's name, such as `greedy`.
    pub program: String,
    pub options: Vec<String>,
    /// The learner's seat. By default, deal `n` has the learner on seat `n` modulo the number of seats.
    pub learner: Option<usize>,
}

/// The columns and actions of a game with certain options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    pub version: u32,
    /// The options in their one spelling.
    pub options: String,
    pub seats: usize,
    pub columns: Vec<String>,
    pub actions: Vec<String>,
    /// The names of the columns that tell what a move is; none where actions say it.
    pub move_columns: Vec<String>,
}

/// A game that a learner steps through. Nature and moves that the rules force are played on the way, so that
/// it is either over or a seat is to move.
pub trait Episode: Send {
    fn layout(&self) -> Layout;

    /// The seat to move; none once the game is over.
    fn to_move(&self) -> Option<Seat>;

    /// The scores, once the game is over.
    fn scores(&self) -> Option<&PerSeat<Score>>;

    /// The numbers of the legal actions, in the order of the legal moves.
    fn legal_actions(&self) -> &[u16];

    /// The text of the move that a legal action is.
    fn text(&self, action: usize) -> Option<String>;

    /// The legal action that this text is, in any spelling of the move.
    fn number(&self, text: &str) -> Option<usize>;

    /// Plays a legal action.
    ///
    /// # Errors
    ///
    /// Fails if the action is not legal, which changes nothing, or where an opponent does.
    fn act(&mut self, action: usize) -> Result<(), EpisodeError>;

    /// Begins another deal of the same seed.
    fn begin(&mut self, deal: u64) -> Result<(), EpisodeError>;

    /// Writes the observation of a seat into a row of zeros, as long as there are columns.
    fn observe(&self, seat: Seat, row: &mut [i8]);

    /// Appends a row of [`move_columns`](Layout::move_columns) for each legal action, in their order.
    fn describe_moves(&self, rows: &mut RowBuffer);

    /// All that a seat knows, as text: its view and the history as it saw it.
    fn information_state(&self, seat: Seat) -> String;

    /// The view of a seat, as a request shows it.
    fn view(&self, seat: Seat) -> String;

    /// The request that the seat to move would get under the referee; none once the game is over.
    fn request(&self) -> Option<String>;

    /// The events so far, as the referee sees them.
    fn events(&self) -> Vec<String>;

    /// The moves of seats that were to move, in order.
    fn moves(&self) -> Vec<String>;

    /// Plays a move that was played in this position before; an opponent's, too.
    ///
    /// # Errors
    ///
    /// Fails for another one.
    fn replay(&mut self, mv: &str) -> Result<(), EpisodeError>;

    /// A copy. Where `chance` is given, the deals to come are drawn from it.
    ///
    /// # Errors
    ///
    /// Fails where rules that are not compiled in do.
    fn copy(&self, chance: Option<&Deal>) -> Result<Box<dyn Episode>, EpisodeError>;

    /// A game that this seat cannot tell from this one, with hidden cards and deals to come drawn from
    /// `chance`; none if the rules find no such game.
    ///
    /// Its history is what the seat saw, so it cannot be recorded.
    fn resample(&self, seat: Seat, chance: &Deal) -> Option<Box<dyn Episode>>;

    /// The action of a built-in player for the seat to move.
    fn ask(&self, program: &str, options: &[String]) -> Result<usize, EpisodeError>;

    /// The record of the finished game under the referee, with these players by seat, as game `game` of a log.
    ///
    /// # Errors
    ///
    /// Says why there is none, in one line.
    fn record(&self, game: u64, players: &[String]) -> Result<GameRecord, String>;
}

/// Rows of columns that lie one behind the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowBuffer {
    pub values: Vec<i8>,
    pub count: usize,
}

/// The most games at once in a batch.
pub(crate) const MOST_GAMES: usize = 1 << 20;

/// Reason why an episode does not begin or go on; one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EpisodeError(pub String);

impl From<NoPlayersError> for EpisodeError {
    fn from(none: NoPlayersError) -> EpisodeError {
        EpisodeError(none.to_string())
    }
}

impl From<NotText> for EpisodeError {
    fn from(problem: NotText) -> EpisodeError {
        EpisodeError(problem.to_string())
    }
}

/// The most legal actions that an error names.
const NAMED: usize = 12;

/// The most letters of a move in an error.
const SHOWN: usize = 60;

impl EpisodeError {
    /// The failure of an action that is not legal now; no action is once the game is over.
    pub fn not_legal(action: usize, legal: &[u16]) -> EpisodeError {
        if legal.is_empty() {
            return EpisodeError("the game is over, expected no action".to_owned());
        }
        let named: Vec<String> = legal.iter().take(NAMED).map(ToString::to_string).collect();
        let more = if legal.len() > NAMED { ", …" } else { "" };
        let named = named.join(", ");
        EpisodeError(format!("action {action} is not legal here, expected one of {named}{more}"))
    }

    /// The failure of a move of an earlier game that cannot be played again.
    pub(crate) fn not_replayed(mv: &str, problem: &str) -> EpisodeError {
        let shown: String = mv.chars().take(SHOWN).flat_map(char::escape_debug).collect();
        EpisodeError::not_restored(format_args!("move `{shown}` {problem}"))
    }

    pub(crate) fn not_restored(problem: impl Display) -> EpisodeError {
        EpisodeError(format!("cannot restore the game: {problem}"))
    }

    /// The failure of a built-in player, or of what it was asked.
    pub(crate) fn of_player(program: &str, problem: impl Display) -> EpisodeError {
        EpisodeError(format!("player `{program}`: {problem}"))
    }

    /// The failure of rules that are not compiled in.
    pub(crate) fn of_rules(problem: &str) -> EpisodeError {
        EpisodeError(format!("the rules failed: {problem}"))
    }
}

/// A finished game as the referee needs it.
pub(crate) struct FinishedGame<'a> {
    pub(crate) kind: &'a GameKind,
    pub(crate) options: &'a str,
    pub(crate) deal: &'a Deal,
    pub(crate) terms: GameTerms,
    pub(crate) scores: &'a PerSeat<Score>,
    /// The moves of seats that were to move, in order.
    pub(crate) moves: Vec<String>,
}

impl FinishedGame<'_> {
    /// The record of the game as game `game` of a log, with these players by seat.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the names, or that the game went otherwise.
    pub(crate) fn record(self, game: u64, players: &[String]) -> Result<GameRecord, String> {
        let FinishedGame { kind, options, deal, terms, scores, moves } = self;
        if players.len() != scores.count() {
            let (seats, names) = (scores.count(), players.len());
            return Err(format!("{names} player names for {seats} seats, expected one for each"));
        }
        let terms = GameTerms { id: deal.seed.name(game), ..terms };
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
                    measured.push(Measurements::default());
                    question.answer(Answer::Output(mv.into_bytes()));
                }
                Step::Over(outcome) => break outcome.clone(),
            }
        };
        match &result {
            Outcome::Played { scores: refereed, .. }
                if refereed == scores && result.faults().is_empty() => {}
            _ => return Err("the game played out differently under the referee".to_owned()),
        }
        let place = GamePlace { game, attempt: 0, deal: deal.number };
        Ok(GameRecord::new(&referee, place, players.to_vec(), result, measured))
    }
}

pub(crate) const NOT_OVER: &str = "the episode is not over, expected a finished one";

/// The error for an episode whose cards were not all drawn from its deal.
pub(crate) const NOT_OF_A_DEAL: &str =
    "the episode was copied with other chance or resampled, expected one of a deal";
