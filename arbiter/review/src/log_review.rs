//! How logs are reviewed: which decisions, and what is spent on each.
//!
//! A game is reviewed by what its bots did in games of other deals: those of even deals by those of odd ones, and the
//! other way round. So no decision is valued by what followed from it, and the number of threads changes nothing.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use bots::review::{learns, reviewer};
use record::{GameReader, LogFile, LogFileError};
use rules::replay::{Discrepancy, ReplayWatcher, replay_before};
use rules::{AnswerRecord, Digest, GameKind, GameRecord, Question, Referee, Seat, Verdict};
use series::Series;
use series::game_status::GameStatus;
use text::terminal::say;
use thiserror::Error;
use workers::NoThread;

/// The most worlds of a decision, in any time.
pub const MOST_WORLDS: u32 = 1_000_000;

/// How much is spent on a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionBudget {
    /// The number of worlds that is usual for the game.
    Usual,
    /// This number of worlds. Equal logs and numbers give equal reviews.
    Worlds(u32),
    /// As many worlds as fit into this time.
    Time(Duration),
}

/// The decisions that are reviewed: all, unless a bot or a game is named.
#[derive(Debug, Clone, Default)]
pub struct ReviewScope {
    pub bot: Option<String>,
    pub game: Option<u64>,
    /// The one at this move.
    pub number: Option<u32>,
}

/// A log to review or to export.
#[derive(Debug)]
pub struct OpenedLog {
    /// Its name in messages and tables.
    pub name: String,
    /// The file, beside which the review is kept.
    pub path: PathBuf,
    pub games: GameReader<LogFile>,
}

#[derive(Debug, Clone)]
pub struct ReviewSettings {
    pub budget: DecisionBudget,
    /// Which decisions.
    pub of: ReviewScope,
    /// The number of threads.
    pub workers: NonZeroUsize,
}

/// Why logs are not reviewed; one line.
#[derive(Debug, Error)]
pub enum ReviewError {
    /// No reviewer knows the game, or not with these options.
    #[error("{0}")]
    NoReviewer(String),
    /// A log, by its place in the list, does not hold what it must.
    #[error("log {0}: {1}")]
    Log(usize, LogFileError),
    /// A program has valued none of many decisions.
    #[error("rated none of {decisions} decisions; first problem: {first}")]
    Silent {
        decisions: u32,
        /// The first of them, with the reason.
        first: String,
    },
    /// A request could not be read, or the machine failed.
    #[error("{0}")]
    Failed(String),
}

impl From<NoThread> for ReviewError {
    fn from(error: NoThread) -> ReviewError {
        ReviewError::Failed(error.to_string())
    }
}

/// The games that have a reviewer.
pub(crate) fn reviewable_games() -> String {
    let known = GameKind::ALL.iter().filter(|kind| reviewer(kind).is_some());
    known.map(GameKind::name).collect::<Vec<_>>().join(", ")
}

pub(crate) struct GameToReview {
    pub(crate) line: usize,
    pub(crate) game: Box<GameRecord>,
    pub(crate) seats: Vec<usize>,
}

/// A request, and the move that answered it.
#[derive(Debug, Clone)]
pub(crate) struct AnsweredQuestion {
    pub(crate) seat: Seat,
    /// The number of the move.
    pub(crate) number: u32,
    pub(crate) request: String,
    pub(crate) played: String,
}

/// Derives a game again, and takes what these seats were asked and answered by legal moves.
pub(crate) fn questions(
    series: &Series,
    game: &GameRecord,
    seats: &[usize],
) -> Result<Vec<AnsweredQuestion>, Discrepancy> {
    let asked = accepted_moves(series, game, |question| {
        let seat = question.seat();
        seats.contains(&seat.index()).then(|| (seat, question.number(), question.request()))
    })?;
    let answered =
        |((seat, number, request), played)| AnsweredQuestion { seat, number, request, played };
    Ok(asked.into_iter().map(answered).collect())
}

/// Derives a game again, and takes what `ask` makes of each question that was answered by a legal move, with the move.
/// `ask` gets all questions.
pub(crate) fn accepted_moves<T>(
    series: &Series,
    game: &GameRecord,
    ask: impl FnMut(&Question<'_>) -> Option<T>,
) -> Result<Vec<(T, String)>, Discrepancy> {
    let mut onlooker = AcceptedMoves { ask, due: None, made: Vec::new() };
    replay_before(series.setup(game, None), game, &mut onlooker)?;
    Ok(onlooker.made)
}

struct AcceptedMoves<T, F> {
    ask: F,
    /// The question, while its accepted answer is about to be played.
    due: Option<T>,
    made: Vec<(T, String)>,
}

impl<T, F: FnMut(&Question<'_>) -> Option<T>> ReplayWatcher for AcceptedMoves<T, F> {
    fn on_question(&mut self, question: &Question<'_>, logged: &AnswerRecord) {
        self.due = (self.ask)(question).filter(|_| logged.verdict == Verdict::Ok);
    }

    fn on_step(&mut self, referee: &Referee) {
        self.made.extend(self.due.take().zip(referee.last_move()));
    }
}

/// The most games of a bot that are learnt from, of even and of odd deals each.
const GAMES: usize = 50;

/// The most games of a log that are looked at.
const LOOKED_AT: usize = 4_000;

#[derive(Debug, Default)]
pub(crate) struct BotDecisions(BTreeMap<(String, bool), PastDecisions>);

/// The decisions of a bot in games of even or odd deals.
#[derive(Debug, Default)]
pub(crate) struct PastDecisions {
    games: usize,
    /// Its requests, and what it played.
    pub(crate) decisions: Vec<(String, String)>,
}

impl BotDecisions {
    /// Collects the decisions of the bots, if the reviewer of the game can learn from them. It does not check the log.
    pub(crate) fn read(log: &OpenedLog) -> BotDecisions {
        let mut habits = BotDecisions::default();
        if !learns(log.games.series().kind()) {
            return habits;
        }
        if !log.path.is_file() {
            let name = &log.name;
            say(format!(
                "note: {name} is a stream and can be read only once: no habits are learned from it"
            ));
            return habits;
        }
        let Ok(mut games) = GameReader::open(&log.path) else { return habits };
        for _ in 0..LOOKED_AT {
            // A log that is wrong is reported where its games are reviewed.
            let Ok(Some(folded)) = games.next_game() else { break };
            if folded.status == GameStatus::Counts {
                habits.add(games.series(), &folded.game);
            }
        }
        habits
    }

    fn add(&mut self, series: &Series, game: &GameRecord) {
        let wanted: Vec<usize> = (0..game.seats.len())
            .filter(|seat| self.0.get(&key(game, *seat)).is_none_or(|habit| habit.games < GAMES))
            .collect();
        if wanted.is_empty() {
            return;
        }
        let Ok(asked) = questions(series, game, &wanted) else { return };
        for seat in wanted {
            let habit = self.0.entry(key(game, seat)).or_default();
            habit.games += 1;
            let own = asked.iter().filter(|it| it.seat.index() == seat);
            habit.decisions.extend(own.map(|it| (it.request.clone(), it.played.clone())));
        }
    }

    /// The decisions of a seat's opponent in games of other deals; none with several opponents.
    pub(crate) fn of_opponent(&self, game: &GameRecord, seat: usize) -> Option<&PastDecisions> {
        let other = match (game.seats.len(), seat) {
            (2, 0) => 1,
            (2, 1) => 0,
            _ => return None,
        };
        let (name, is_odd) = key(game, other);
        self.0.get(&(name, !is_odd))
    }
}

impl PastDecisions {
    pub(crate) fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        for (request, played) in &self.decisions {
            digest = Digest::hash(format!("{digest}\n{request}{played}").as_bytes());
        }
        digest
    }
}

fn key(game: &GameRecord, seat: usize) -> (String, bool) {
    (game.seats[seat].clone(), game.deal % 2 == 1)
}
