//! A table: the state that the thread of a game shares with the pages that look at it.
//!
//! The thread tells of the game and waits for moves; pages look, and send moves. A move is checked against
//! the request, outside of the lock, before the thread gets it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use games::ViewKeys;
use rules::{GameKind, PerSeat, Seat};
use serde::Serialize;
use thiserror::Error;
use tokio::sync::watch;

use person::move_list::{MoveHint, OfferedMoves, judged};
use report::game_line::view_keys;

/// The longest time that a person may take for a move; after that they have left the game.
pub const IDLE: Duration = Duration::from_secs(600);

/// The longest time for which no page looks at a table; after that its person has left. A page that is loaded
/// again, or a phone that was put away for a moment, finds the game as it was.
pub const ABSENCE: Duration = Duration::from_secs(120);

/// The pause between two looks for a person who has left.
const LOOK: Duration = Duration::from_secs(1);

/// The time for which a table waits for its person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableTimeouts {
    /// For a move.
    pub idle: Duration,
    /// For a page that looks at the table.
    pub absence: Duration,
}

impl Default for TableTimeouts {
    fn default() -> TableTimeouts {
        TableTimeouts { idle: IDLE, absence: ABSENCE }
    }
}

/// The reason why a person has left a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableLeaveCause {
    /// They said so.
    Asked,
    /// They played nothing for too long.
    Idle,
    /// No page looked at the table for too long.
    Absent,
    Closed,
}

impl TableLeaveCause {
    pub fn text(self) -> &'static str {
        match self {
            TableLeaveCause::Asked => "you left the game",
            TableLeaveCause::Idle => "you left the game: no move for too long",
            TableLeaveCause::Absent => "you left the game: its page was closed",
            TableLeaveCause::Closed => "the game ended because the server was stopped",
        }
    }
}

/// The reason why a move is not played; one line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveError {
    /// It is another turn by now, or none of the person's.
    #[error("it is no longer your turn: see the current table")]
    Late,
    #[error("{0}")]
    Illegal(String),
}

/// A game of one person against bots.
#[derive(Debug)]
pub struct PlayTable {
    pub(super) players: TablePlayers,
    own: Option<ViewKeys>,
    patience: TableTimeouts,
    state: Mutex<TableState>,
    /// Told when the person has moved or left.
    acted: Condvar,
    changed: watch::Sender<u64>,
}

#[derive(Debug)]
struct TableState {
    stage: GameStage,
    view: Vec<String>,
    story: Vec<String>,
    events: Vec<String>,
    /// The number of turns that the person has had.
    turns: u64,
    asked: Option<PendingQuestion>,
    thinking: Option<Seat>,
    /// The time at which the time of the seat is up that is asked.
    due: Option<Instant>,
    /// The move that the thread has not taken yet.
    answer: Option<String>,
    leaving: Option<TableLeaveCause>,
    ending: Option<GameEnding>,
    why: Option<String>,
    /// The number of pages that look just now, and the time at which the last one did.
    looking: usize,
    looked: Instant,
}

#[derive(Debug, Clone)]
struct PendingQuestion {
    request: Arc<str>,
    turn: MoveQuestion,
}

/// The players of a table, and the path of its log.
#[derive(Debug, Clone)]
pub(super) struct TablePlayers {
    pub(super) kind: GameKind,
    pub(super) options: String,
    pub(super) seat: Seat,
    pub(super) names: PerSeat<String>,
    pub(super) commitment: String,
    pub(super) log: PathBuf,
    /// The bots on the other seats, by the names under which they are offered.
    pub(super) opponents: Vec<String>,
}

/// What a page has already of what is told at a table, in lines.
#[derive(Debug, Clone, Copy, Default)]
pub struct KnownLines {
    /// Of the story.
    pub story: usize,
    /// Of the events.
    pub events: usize,
}

/// The news of a table: running text, the events, and the view after them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct TableNews<'a> {
    pub(super) story: &'a str,
    pub(super) events: &'a [String],
    pub(super) view: Option<&'a str>,
}

/// A page that looks at a table, until it is dropped.
#[derive(Debug)]
pub struct PageVisit(Arc<PlayTable>);

impl PlayTable {
    pub(super) fn new(players: TablePlayers, patience: TableTimeouts) -> PlayTable {
        let state = TableState {
            stage: GameStage::Starting,
            view: Vec::new(),
            story: Vec::new(),
            events: Vec::new(),
            turns: 0,
            asked: None,
            thinking: None,
            due: None,
            answer: None,
            leaving: None,
            ending: None,
            why: None,
            looking: 0,
            looked: Instant::now(),
        };
        let (state, acted) = (Mutex::new(state), Condvar::new());
        let (changed, _) = watch::channel(0);
        let own = view_keys(&players.kind);
        PlayTable { players, own, patience, state, acted, changed }
    }

    /// The log, which is there once the bots are ready.
    pub fn log(&self) -> &Path {
        &self.players.log
    }

    pub(super) fn person(&self) -> &str {
        &self.players.names[self.players.seat]
    }

    fn lock(&self) -> MutexGuard<'_, TableState> {
        // Nothing is left half done where a thread could panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut TableState)) {
        change(&mut self.lock());
        self.changed.send_modify(|version| *version += 1);
        self.acted.notify_all();
    }
}

/// The side of the pages.
impl PlayTable {
    pub fn look(table: &Arc<PlayTable>) -> PageVisit {
        table.lock().looking += 1;
        PageVisit(Arc::clone(table))
    }

    /// The number of pages that look at the table just now.
    pub(super) fn pages(&self) -> usize {
        self.lock().looking
    }

    /// Tells of changes, by the version of what is seen.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    pub fn stage(&self) -> GameStage {
        self.lock().stage
    }

    /// Returns true once the game is over, if its log can be loaded.
    pub(super) fn gives_log(&self) -> bool {
        let state = self.lock();
        state.stage == GameStage::Over && state.ending.as_ref().is_some_and(|it| it.can_be_loaded)
    }

    /// The content of a page that has these lines.
    pub fn sight(&self, known: KnownLines) -> TableView {
        // The version first: what changes meanwhile has a later one, and is looked at again.
        let version = *self.changed.borrow();
        let state = self.lock();
        let TablePlayers { kind, seat, names, commitment, .. } = &self.players;
        TableView {
            version,
            stage: state.stage,
            game: kind.to_string(),
            own: self.own.clone(),
            seat: seat.index(),
            names: names.values().to_vec(),
            commitment: commitment.clone(),
            view: state.view.clone(),
            story: TableLines::after(known.story, &state.story),
            events: TableLines::after(known.events, &state.events),
            turn: state.asked.as_ref().map(|asked| asked.turn.clone()),
            thinking: state.thinking.map(Seat::index),
            left_ms: state.due.map(milliseconds_until),
            ending: state.ending.clone(),
            why: state.why.clone(),
        }
    }

    /// Plays a move on a turn, and gives its text in its one spelling.
    ///
    /// # Errors
    ///
    /// [`MoveError`], with the rule that it breaks; the person may try again.
    pub fn play(&self, turn: u64, text: &str) -> Result<String, MoveError> {
        let request = self.request(turn)?;
        let played = judged(&request, text).map_err(MoveError::Illegal)?;
        let mut is_late = true;
        self.change(|state| {
            if state.is_on(turn) {
                is_late = false;
                state.answer = Some(played.clone());
                state.asked = None;
                state.due = None;
            }
        });
        if is_late { Err(MoveError::Late) } else { Ok(played) }
    }

    /// The move that the built-in `greedy` would play on this turn.
    pub fn hint(&self, turn: u64) -> Result<MoveHint, MoveError> {
        let request = self.request(turn)?;
        person::hint(&self.players.kind, &request).map_err(MoveError::Illegal)
    }

    /// Leaves the game, for good.
    pub fn leave(&self, why: TableLeaveCause) {
        self.change(|state| {
            state.leaving.get_or_insert(why);
        });
    }

    fn request(&self, turn: u64) -> Result<Arc<str>, MoveError> {
        let state = self.lock();
        let asked = state.asked.as_ref().filter(|_| state.is_on(turn));
        asked.map(|asked| Arc::clone(&asked.request)).ok_or(MoveError::Late)
    }
}

/// The side of the thread that plays.
impl PlayTable {
    /// Waits for the text of a legal move; none once the person has left.
    pub(super) fn wait_for_move(&self, request: &str) -> io::Result<Option<String>> {
        let offered = person::offered(&self.players.kind, request, &self.players.names)
            .map_err(io::Error::other)?;
        self.change(|state| {
            state.turns += 1;
            let turn = MoveQuestion::new(state.turns, offered);
            state.asked = Some(PendingQuestion { request: request.into(), turn });
            state.due = Instant::now().checked_add(self.patience.idle);
        });
        let begun = Instant::now();
        let mut state = self.lock();
        let answer = loop {
            if let Some(answer) = state.answer.take() {
                break Some(answer);
            }
            let is_idle = begun.elapsed() >= self.patience.idle;
            if state.has_left(is_idle.then_some(TableLeaveCause::Idle), &self.patience) {
                break None;
            }
            let pause = LOOK.min(self.patience.idle);
            let waited = self.acted.wait_timeout(state, pause);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        };
        drop(state);
        self.change(|state| {
            state.asked = None;
            state.due = None;
        });
        Ok(answer)
    }

    pub(super) fn has_left(&self) -> bool {
        self.lock().has_left(None, &self.patience)
    }

    /// Tells that the bot on this seat is asked, and has this time if a limit holds.
    pub(super) fn thinks(&self, seat: Seat, time: Option<Duration>) {
        self.change(|state| {
            state.thinking = Some(seat);
            state.due = time.and_then(|time| Instant::now().checked_add(time));
        });
    }

    /// Tells that no bot is asked any more.
    pub(super) fn has_thought(&self) {
        self.change(|state| {
            state.thinking = None;
            state.due = None;
        });
    }

    /// Tells that the bots are ready.
    pub(super) fn begins(&self) {
        self.change(|state| state.stage = GameStage::Playing);
    }

    /// Tells the news of the person's seat.
    pub(super) fn tell(&self, news: TableNews<'_>) {
        let TableNews { story, events, view } = news;
        self.change(|state| {
            state.events.extend_from_slice(events);
            let lines = story.lines().map(str::trim).filter(|line| !line.is_empty());
            state.story.extend(lines.map(str::to_owned));
            if let Some(view) = view {
                state.view = view.lines().map(str::to_owned).collect();
            }
        });
    }

    /// Tells how the game ended; its log is verified next.
    pub(super) fn ends(&self, ending: GameEnding) {
        self.change(|state| {
            state.ending = Some(ending);
            state.stage = GameStage::Verifying;
        });
    }

    /// Tells the seed of the game that has ended.
    pub(super) fn reveals(&self, seed: String) {
        self.change(|state| {
            if let Some(ending) = &mut state.ending {
                ending.seed = Some(seed);
            }
        });
    }

    /// Tells the proof of the log, and that nothing more happens.
    pub(super) fn is_over(&self, proof: LogVerdict) {
        self.change(|state| {
            if let Some(ending) = &mut state.ending {
                ending.proof = Some(proof);
            }
            state.stage = GameStage::Over;
        });
    }

    /// Tells that nothing more is played, since the person has left.
    pub(super) fn is_left(&self) {
        self.change(|state| {
            let why = *state.leaving.get_or_insert(TableLeaveCause::Asked);
            state.stage = GameStage::Left;
            state.why = Some(why.text().to_owned());
        });
    }

    /// Tells the reason why nothing more can be played.
    pub(super) fn fails(&self, why: String) {
        self.change(|state| {
            state.stage = GameStage::Failed;
            state.why = Some(why);
        });
    }
}

impl TableState {
    fn is_on(&self, turn: u64) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.turn.number == turn)
    }

    /// Returns true if the person has left: before, for this reason, or since no page looks any more.
    fn has_left(&mut self, now: Option<TableLeaveCause>, patience: &TableTimeouts) -> bool {
        let is_absent = self.looking == 0 && self.looked.elapsed() >= patience.absence;
        let now = now.or(is_absent.then_some(TableLeaveCause::Absent));
        self.leaving = self.leaving.or(now);
        self.leaving.is_some()
    }
}

/// The time until then in whole milliseconds, 0 once it is over.
fn milliseconds_until(due: Instant) -> u64 {
    let left = due.saturating_duration_since(Instant::now());
    u64::try_from(left.as_millis()).unwrap_or(u64::MAX)
}

impl Drop for PageVisit {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.looking = state.looking.saturating_sub(1);
        state.looked = Instant::now();
    }
}

/// The content of the page of a table: all that the person's seat may know, and nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableView {
    /// Grows with every change.
    pub version: u64,
    pub stage: GameStage,
    pub game: String,
    /// The keys of the view that are drawn, of a custom game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own: Option<ViewKeys>,
    pub seat: usize,
    pub names: Vec<String>,
    /// The commitment of the referee, made before the first card.
    pub commitment: String,
    /// The lines of the view of the person's seat; none before the first card.
    pub view: Vec<String>,
    /// The events so far, in words.
    pub story: TableLines,
    /// The events so far, as the person's seat saw them.
    pub events: TableLines,
    pub turn: Option<MoveQuestion>,
    /// The seat of the bot that is asked, if one is.
    pub thinking: Option<usize>,
    /// The time that the seat has left that is asked, in milliseconds; none where no limit holds.
    pub left_ms: Option<u64>,
    /// The end of the game, once it is over.
    pub ending: Option<GameEnding>,
    /// The reason why nothing more is played, if the game has no end.
    pub why: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameStage {
    Starting,
    Playing,
    /// It is over, and its log is being verified.
    Verifying,
    Over,
    Left,
    Failed,
}

impl GameStage {
    /// Returns true if nothing more happens.
    pub fn is_last(self) -> bool {
        matches!(self, GameStage::Over | GameStage::Left | GameStage::Failed)
    }
}

/// A part of the events, as the person's seat was told of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableLines {
    /// The number of the first line, from 0.
    pub from: usize,
    pub lines: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MoveQuestion {
    /// The number of this turn of the person's at this table, from 1.
    pub number: u64,
    /// The question; empty where it is a matter of course.
    pub question: String,
    pub moves: Vec<QuestionMove>,
    /// True if there are more moves, which can be played, too.
    pub more: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct QuestionMove {
    #[serde(rename = "move")]
    pub text: String,
    /// The move as a sentence; of a custom game its text.
    pub words: String,
}

impl TableLines {
    /// Those of these lines that a page does not have yet.
    pub(super) fn after(known: usize, all: &[String]) -> TableLines {
        let from = known.min(all.len());
        TableLines { from, lines: all[from..].to_vec() }
    }
}

impl MoveQuestion {
    pub(super) fn new(number: u64, offered: OfferedMoves) -> MoveQuestion {
        let moves = offered.moves.into_iter();
        MoveQuestion {
            number,
            question: offered.question,
            moves: moves.map(|it| QuestionMove { text: it.text, words: it.words }).collect(),
            more: offered.has_more,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameEnding {
    /// A sentence that says if the person has won or lost.
    pub verdict: Option<String>,
    /// The points of all players, a line.
    pub result: String,
    pub scores: Vec<String>,
    /// The cards that each seat holds, by seat: all hands are open now.
    pub hands: Vec<Vec<String>>,
    /// The cards that were hidden from the person, in lines.
    pub cards: Vec<String>,
    /// The name of the log's file.
    pub log: String,
    /// False if a bot wrote to standard error, which is for its author: then the log cannot be loaded.
    pub can_be_loaded: bool,
    /// The seed, which is no longer a secret; none before the log is closed.
    pub seed: Option<String>,
    /// The verdict on the log, once it was verified.
    pub proof: Option<LogVerdict>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogVerdict {
    /// It was verified; this is its head.
    Head(String),
    /// It is wrong, for this reason.
    Wrong(String),
}
