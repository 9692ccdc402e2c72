//! The trait that every game implements, and the small types it speaks in.

use std::error::Error;
use std::fmt::{self, Debug};
use std::str::FromStr;

use crate::cause::Verdict;
use crate::clock::{ClockState, TimeControl};
use crate::dialect::{ClassicCall, Dialect};
use crate::seat::{PerSeat, Score, Seat};
use crate::seed::{BotSeed, BotSeedKey, GameId, Nature};
use crate::text::{NotText, Text};

/// The rules of a card game as a state machine.
///
/// A value is one state of one game. It advances by two kinds of input only: a [`Move`] of the seat
/// whose turn it is, and a [`Chance`], what nature decides when cards are needed. It holds no
/// generator and no order of a deck, so it cannot leak the future; and it is not serialisable, so
/// that a state can never be handed to a bot.
///
/// Callers follow [`turn`](Game::turn): a call out of turn is refused or gives `None`, and never
/// panics.
///
/// [`Move`]: Game::Move
/// [`Chance`]: Game::Chance
pub trait Game: Clone + PartialEq + Debug + Send + 'static {
    /// The name of the game in requests, logs and commands.
    const NAME: &'static str;
    /// The name of the game in headings.
    const TITLE: &'static str = Self::NAME;
    /// Description of the game in one line, for a list.
    const ABOUT: &'static str;
    /// The options with their values, in one line for a list.
    const OPTIONS: &'static str;
    /// The rules in short for a person who plays: whole lines of at most 80 columns.
    const RULES: &'static str;
    /// Things that statistics count for each seat beside points, each named in the plural.
    const COUNTS: &'static [&'static str] = &[];
    /// The most points that a seat can have at the end, where the rules bound them; the least is 0.
    const MOST_POINTS: Option<i32> = None;
    /// The keys of the lines of a view that are the seat's own; all others are the same for all
    /// seats, so that all may know them.
    const OWN_LINES: &'static [&'static str] = &["hand"];
    /// The ways in which bots can be asked.
    const DIALECTS: &'static [Dialect] = &[Dialect::Native];

    /// Options of the game, as `key=value` words: `seats=2`.
    type Options: Text + Default + Clone + PartialEq + Debug + Send + Sync;
    /// A move, in one line.
    type Move: Text + Clone + Ord + Debug + Send;
    /// The rule that a move breaks.
    type Illegal: Error + Clone + PartialEq + Send;
    /// A decision of nature, in one line.
    type Chance: Text + Clone + PartialEq + Debug + Send;
    /// An event that watchers see, in one line.
    type Event: Text + Secret + Clone + PartialEq + Debug + Send;
    /// Knowledge of one seat about the state, as lines of `key value…`.
    type View: Text + Clone + PartialEq + Debug + Send;

    /// The ways in which bots can be asked in a game with these options: all [`DIALECTS`](Game::DIALECTS),
    /// unless the game says otherwise.
    fn dialects(_options: &Self::Options) -> &'static [Dialect] {
        Self::DIALECTS
    }

    /// The state before anything happened.
    fn new(options: &Self::Options) -> Self;

    /// Number of seats, at least 2.
    fn seats(&self) -> usize;

    /// The decider of the next step.
    fn turn(&self) -> Turn;

    /// Appends the legal moves of the seat to move, in canonical order; nothing out of turn.
    ///
    /// If a position has more moves than a request can list, the game appends some of them and
    /// returns [`ListCompleteness::Cut`]. It must answer in bounded time in every position.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>) -> ListCompleteness;

    /// Checks a move of the seat to move directly, never by listing the legal ones.
    fn check(&self, mv: &Self::Move) -> Result<(), Self::Illegal>;

    /// Plays a move of the seat whose turn it is, and appends what watchers learn.
    ///
    /// A move that [`check`](Game::check) refuses changes nothing.
    fn play(&mut self, mv: &Self::Move, events: &mut Vec<Self::Event>)
    -> Result<(), Self::Illegal>;

    /// The one move that the rules leave, where the game says that no one need be asked for it.
    ///
    /// The referee plays it at once, and the log does not hold it, since it follows.
    fn forced(&self) -> Option<Self::Move> {
        None
    }

    /// Move that the house plays for a seat that is out: legal whenever a seat is to move.
    fn fallback(&self) -> Option<Self::Move>;

    /// Draws what nature decides next, uniformly from a canonically ordered pool; `None` unless
    /// it is nature's turn.
    fn sample(&self, nature: &mut Nature) -> Option<Self::Chance>;

    /// Lets nature's decision happen, and appends what watchers learn.
    ///
    /// A decision that cannot be (a card that is not in the pool) changes nothing.
    fn happen(
        &mut self,
        chance: &Self::Chance,
        events: &mut Vec<Self::Event>,
    ) -> Result<(), ImpossibleChance>;

    /// The view of a seat, built field by field.
    fn view(&self, seat: Seat) -> Self::View;

    /// The call that asks what this request asks in the classic dialect, where the game has it.
    fn classic(_request: &Request<Self>) -> Option<Box<dyn ClassicCall>> {
        None
    }

    /// The current [`COUNTS`](Game::COUNTS) of a seat, in that order.
    fn counts(&self, _seat: Seat) -> Vec<u32> {
        Vec::new()
    }

    /// The points that this seat has so far and keeps, unless a fault puts it out, without those
    /// that only the end of the game decides.
    fn points_so_far(&self, _seat: Seat) -> Score {
        Score::ZERO
    }

    /// Returns true if something is still at stake for this seat.
    ///
    /// A game that lets seats finish while others still play returns `false` for those. A seat that
    /// is out by a fault is not the game's concern.
    fn contends(&self, _seat: Seat) -> bool {
        true
    }

    /// The score of a seat that is not out by a fault, where no more than one such seat still
    /// [contends](Game::contends): of that one, and of those that the game had let go before.
    fn walkover(&self, seat: Seat) -> Score;

    /// An event as running text for people: no line, one or several, told after it happened.
    fn narrate(&self, event: &Self::Event, names: &PerSeat<String>) -> String;
}

/// All that a bot receives when it is asked for a move.
///
/// `Display` writes it as the protocol says, the line `end` included; `FromStr` reads it back and
/// skips lines whose key it does not know.
#[derive(Debug, Clone, PartialEq)]
pub struct Request<G: Game> {
    /// Options of the game.
    pub options: G::Options,
    /// The rest of the heading.
    pub heading: RequestHeading,
    /// The view of the seat.
    pub view: G::View,
    /// The history as the seat saw it.
    pub history: Vec<Entry<G::Event>>,
    /// Legal moves, in canonical order.
    pub legal: Vec<G::Move>,
    /// Completeness of `legal`.
    pub listing: ListCompleteness,
}

impl<G: Game> Request<G> {
    /// The events that the asked seat saw. The entries of seats that went out are no events.
    pub fn events(&self) -> Vec<G::Event> {
        let events = self.history.iter().filter_map(|entry| match entry {
            Entry::Event(event) => Some(event.clone()),
            Entry::Out(..) => None,
        });
        events.collect()
    }
}

/// The decider of the next step.
#[derive(Debug, Clone, PartialEq)]
pub enum Turn {
    /// Cards are needed: nature decides.
    Nature,
    /// This seat is to move.
    Seat(Seat),
    /// The game is over with these scores.
    Over(PerSeat<Score>),
}

/// Completeness of a list of legal moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum ListCompleteness {
    /// Every legal move is listed.
    Complete,
    /// There are more legal moves than those listed.
    Cut,
}

/// A chance that nature cannot have decided here; the text says why, in one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ImpossibleChance(pub String);

/// A game in which a seat's knowledge can be turned into worlds that fit it.
pub trait Resample: Game {
    /// A state that this seat cannot tell from the real one, drawn from `nature`.
    ///
    /// `view` and `history` are what one seat was shown; `None` if no state fits them.
    fn resample(
        options: &Self::Options,
        seat: Seat,
        view: &Self::View,
        history: &[Self::Event],
        nature: &mut Nature,
    ) -> Option<Self>;
}

/// The lines of the view now that are the same for all seats, as text: all but those that
/// [`OWN_LINES`](Game::OWN_LINES) names. The suite tests that they are the same.
pub(crate) fn public_lines<G: Game>(game: &G, seat: Seat) -> String {
    let view = game.view(seat).to_string();
    let is_own = |line: &str| G::OWN_LINES.iter().any(|key| line.split(' ').next() == Some(key));
    let public = view.lines().filter(|line| !is_own(line));
    public.collect::<Vec<_>>().join("\n")
}

/// Part of the time for a game that one answer may take.
const REST: u64 = 12;

/// The lines of a request that do not depend on the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestHeading {
    /// The public name of the game.
    pub id: GameId,
    /// The seat that is asked.
    pub seat: Seat,
    /// Number of moves made before in the game, those of the house included.
    pub number: u32,
    /// The time for the answer, in milliseconds.
    pub time: u64,
    /// The time for the game, if that is limited.
    pub bank: Option<ClockState>,
    /// For the bot's own randomness.
    pub seed: BotSeed,
    /// Number and reason of a second chance.
    pub retry: Option<RetryNotice>,
}

impl RequestHeading {
    /// The time for this answer in milliseconds, with enough left for the rest of a game on a clock.
    pub fn share(&self) -> u64 {
        let share = |bank: ClockState| (bank.left / REST).saturating_add(bank.increment / 2);
        self.bank.map_or(self.time, |bank| self.time.min(share(bank)))
    }
}

/// A second chance, after an answer that was illegal or malformed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryNotice {
    /// The number of this chance, from 1.
    pub number: u32,
    /// The rule that the previous answer broke, in one line of printable ASCII.
    pub reason: String,
}

/// Terms of a game that its requests tell beside the game itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameTerms {
    /// The public name of the game.
    pub id: GameId,
    /// The time of each seat.
    pub times: PerSeat<TimeControl>,
    /// The number of further chances of a seat after an illegal or malformed answer.
    pub retries: u32,
    /// The way in which each seat is asked.
    pub dialects: PerSeat<Dialect>,
    /// Key of the bots' seeds.
    pub bot_seeds: BotSeedKey,
}

impl GameTerms {
    /// Terms with the same time for every answer of some seats, in milliseconds, the native dialect
    /// and no second chances.
    pub fn even(id: GameId, seats: usize, time: u64, bot_seeds: BotSeedKey) -> GameTerms {
        let times = PerSeat::new(seats, |_| TimeControl::even(time));
        let dialects = PerSeat::new(seats, |_| Dialect::Native);
        GameTerms { id, times, retries: 0, dialects, bot_seeds }
    }
}

/// One line of the history.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry<E> {
    /// Something happened in the game.
    Event(E),
    /// A seat faulted and is out; from here on the house plays its cards. Written `out SEAT
    /// VERDICT`, and known to everyone.
    Out(Seat, Verdict),
}

impl<E: Secret + Clone> Entry<E> {
    /// The form of the line that a seat sees, if it sees any.
    pub fn seen_by(&self, seat: Seat) -> Option<Entry<E>> {
        match self {
            Entry::Event(event) => seen_by(event, seat).map(Entry::Event),
            Entry::Out(out, verdict) => Some(Entry::Out(*out, *verdict)),
        }
    }
}

impl<E: fmt::Display> fmt::Display for Entry<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entry::Event(event) => event.fmt(f),
            Entry::Out(seat, verdict) => write!(f, "out {seat} {verdict}"),
        }
    }
}

impl<E: Text> FromStr for Entry<E> {
    type Err = NotText;

    fn from_str(text: &str) -> Result<Self, NotText> {
        match text.strip_prefix("out ").and_then(|rest| rest.split_once(' ')) {
            Some((seat, verdict)) => Ok(Entry::Out(seat.parse()?, verdict.parse()?)),
            None => text.parse().map(Entry::Event),
        }
    }
}

/// A line of the history as text, in all the forms in which seats saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryLine {
    /// The line in full.
    pub full: String,
    /// The line as people read it, with `{0}` for the name of seat 0, where the rules of a custom game say so.
    pub tell: Option<String>,
    /// The redaction, if not every seat saw all of it.
    pub secret: Option<RedactedLine>,
}

/// A line that one seat saw in full, and the others in part or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedactedLine {
    /// The one seat that saw all of it.
    pub owner: Seat,
    /// The form that the others saw; `None` if they saw nothing at all.
    pub public: Option<String>,
    /// That form as people read it, as in [`HistoryLine`].
    pub tell: Option<String>,
}

impl HistoryLine {
    pub(crate) fn new<E: Secret + Clone + fmt::Display>(entry: &Entry<E>) -> HistoryLine {
        let secret = match entry {
            Entry::Event(event) => event.owner().map(|owner| RedactedLine {
                owner,
                public: event.public().map(|public| public.to_string()),
                tell: None,
            }),
            Entry::Out(..) => None,
        };
        HistoryLine { full: entry.to_string(), tell: None, secret }
    }

    /// The form that a seat saw, if it saw any.
    pub fn seen_by(&self, seat: Seat) -> Option<&str> {
        match &self.secret {
            Some(redacted) if redacted.owner != seat => redacted.public.as_deref(),
            Some(_) | None => Some(&self.full),
        }
    }

    /// Number of bytes of all its forms, with a line feed each.
    pub fn size(&self) -> usize {
        let length = |line: &str, tell: &Option<String>| {
            line.len() + tell.as_ref().map_or(0, String::len) + 1
        };
        let redacted = self.secret.as_ref();
        let public = redacted.and_then(|it| Some(length(it.public.as_ref()?, &it.tell)));
        length(&self.full, &self.tell) + public.unwrap_or_default()
    }
}

/// Something that not every seat may know.
pub trait Secret: Sized {
    /// The one seat that may know all of it; `None` if everyone may.
    fn owner(&self) -> Option<Seat>;

    /// The form that the others see; `None` if they see nothing at all.
    fn public(&self) -> Option<Self>;
}

/// Redacts an event for a seat: the only redaction in the project.
pub fn seen_by<E: Secret + Clone>(event: &E, seat: Seat) -> Option<E> {
    match event.owner() {
        Some(owner) if owner != seat => event.public(),
        _ => Some(event.clone()),
    }
}
