//! Answers of rules to `new`, `happen` and `play`: events and the whole state, line by line.

use std::collections::BTreeSet;

use text::visible;

use super::fault::{
    ChancePool, LONGEST_MOVE, ProtocolError, RulesFault, is_key, is_text, scores, seat, split, text,
};
use crate::cause::Verdict;
use crate::game::{Entry, HistoryLine, ListCompleteness, RedactedLine};
use crate::seat::{PerSeat, Score, Seat};
use crate::subject::SentenceSubject;

/// The most bytes of an answer of rules.
pub const LONGEST_ANSWER: usize = 1 << 20;

/// The most moves that rules list.
const MOST_MOVES: usize = 10_000;

/// An answer that keeps to the protocol.
#[derive(Debug, Clone, PartialEq)]
pub enum RulesAnswer {
    /// The input was refused, for this reason, and nothing has changed.
    Refused(String),
    /// The input was played.
    Played {
        /// The events.
        events: Vec<HistoryLine>,
        /// The state after it.
        state: State,
    },
}

/// A state of a game, with all that seats may know of it.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// What comes next.
    pub next: Next,
    /// The lines of views, each for one seat or for all.
    pub view: Vec<(Option<Seat>, String)>,
    /// The points of each seat so far.
    pub points: Option<PerSeat<Score>>,
    /// The seats that have finished.
    pub gone: BTreeSet<Seat>,
    /// What each seat scores if all others are out.
    pub walkover: Option<PerSeat<Score>>,
}

/// What comes next in a game.
#[derive(Debug, Clone, PartialEq)]
pub enum Next {
    /// Nature decides.
    Nature(ChancePool),
    /// A seat is to move.
    Turn(SeatTurn),
    /// The game is over with these scores.
    Over(PerSeat<Score>),
}

/// The turn of a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatTurn {
    /// The seat.
    pub seat: Seat,
    /// Its moves, in the order of the rules.
    pub moves: Vec<String>,
    /// Whether these are all.
    pub listing: ListCompleteness,
    /// The move that is played for a seat that is out.
    pub fallback: String,
    /// True if the referee plays the one move without asking.
    pub forced: bool,
}

impl RulesAnswer {
    /// Reads an answer of rules for a game with this number of seats.
    ///
    /// # Errors
    ///
    /// [`ProtocolError`]
    pub fn read(text: &str, seats: usize) -> Result<RulesAnswer, ProtocolError> {
        check_text(text)?;
        if let Some(reason) = refusal(text)? {
            return Ok(RulesAnswer::Refused(reason));
        }
        let mut reader = RulesAnswerReader { seats, ..RulesAnswerReader::default() };
        text.lines().try_for_each(|line| reader.take(line))?;
        reader.played()
    }
}

/// Reads an answer to `check`: why the move would be refused, if it would be.
///
/// # Errors
///
/// [`ProtocolError`]
pub fn read_check(text: &str) -> Result<Option<String>, ProtocolError> {
    check_text(text)?;
    match (text, refusal(text)?) {
        ("ok\n", _) => Ok(None),
        (_, Some(reason)) => Ok(Some(reason)),
        (_, None) => Err(ProtocolError::of_answer("expected `ok` or `refused REASON`")),
    }
}

/// Checks that an answer is text in whole lines, and not too long.
pub(super) fn check_text(text: &str) -> Result<(), ProtocolError> {
    if text.len() > LONGEST_ANSWER {
        let problem = format!("expected at most {LONGEST_ANSWER} bytes");
        return Err(ProtocolError::of_answer(problem));
    }
    if !text.ends_with('\n') {
        return Err(ProtocolError::of_answer("expected lines that end with a line feed"));
    }
    // Nearly every answer is plain, and this is quick to see.
    if text.bytes().all(|byte| matches!(byte, b'\n' | b' '..=b'~')) {
        return Ok(());
    }
    match text.lines().find(|line| line.chars().any(char::is_control)) {
        Some(line) => Err(ProtocolError::of_line(line, "expected no control characters")),
        None => Ok(()),
    }
}

/// The reason of a refusal, if the answer is one.
fn refusal(text: &str) -> Result<Option<String>, ProtocolError> {
    if !text.contains("refused") {
        return Ok(None);
    }
    let mut refused = text.lines().map(split).filter(|(key, _)| *key == "refused");
    let Some((_, reason)) = refused.next() else { return Ok(None) };
    match (reason.is_empty(), text.lines().count()) {
        (false, 1) => Ok(Some(reason.to_owned())),
        (false, _) => Err(ProtocolError::of_answer("expected `refused REASON` alone")),
        (true, _) => Err(ProtocolError::of_answer("expected `refused` with a reason")),
    }
}

/// Reads an answer line by line.
#[derive(Default)]
struct RulesAnswerReader {
    seats: usize,
    events: Vec<HistoryLine>,
    /// Number of lines that say what comes next.
    nexts: usize,
    pool: Option<ChancePool>,
    turn: Option<Seat>,
    over: Option<PerSeat<Score>>,
    moves: Vec<String>,
    more: bool,
    forced: bool,
    fallback: Option<String>,
    view: Vec<(Option<Seat>, String)>,
    points: Option<PerSeat<Score>>,
    gone: BTreeSet<Seat>,
    walkover: Option<PerSeat<Score>>,
}

impl RulesAnswerReader {
    fn take(&mut self, line: &str) -> Result<(), ProtocolError> {
        let (key, value) = split(line);
        let again = || ProtocolError::of_line(line, "expected this line once");
        let is_again = match key {
            "event" => {
                let full = event_text(line, value)?;
                self.events.push(HistoryLine { full, tell: None, secret: None });
                false
            }
            "secret" => {
                let (owner, rest) = split(value);
                let owner = seat(line, owner, self.seats)?;
                let full = event_text(line, rest)?;
                let secret = Some(RedactedLine { owner, public: None, tell: None });
                self.events.push(HistoryLine { full, tell: None, secret });
                false
            }
            "others" => {
                let public = event_text(line, value)?;
                match self.events.last_mut().and_then(|event| event.secret.as_mut()) {
                    Some(covered) => covered.public.replace(public).is_some(),
                    None => return Err(ProtocolError::of_line(line, "expected it after `secret`")),
                }
            }
            "tell" => match self.last_tell() {
                Some(tell) => tell.replace(visible(value)).is_some(),
                None => return Err(ProtocolError::of_line(line, "expected it after an event")),
            },
            "chance" | "draw" => {
                self.nexts += 1;
                let pool = line.parse().map_err(|error| ProtocolError::of_line(line, error))?;
                self.pool.replace(pool).is_some()
            }
            "turn" => {
                self.nexts += 1;
                self.turn.replace(seat(line, value, self.seats)?).is_some()
            }
            "over" => {
                self.nexts += 1;
                self.over.replace(scores(line, value, self.seats)?).is_some()
            }
            "move" => {
                self.moves.push(move_text(line, value)?);
                if self.moves.len() > MOST_MOVES {
                    let expected = format!("expected at most {MOST_MOVES} moves, then `more`");
                    return Err(ProtocolError::of_line(line, expected));
                }
                false
            }
            "fallback" => self.fallback.replace(move_text(line, value)?).is_some(),
            "more" if value.is_empty() => std::mem::replace(&mut self.more, true),
            "forced" if value.is_empty() => std::mem::replace(&mut self.forced, true),
            "view" => {
                let (whose, rest) = split(value);
                let whose = match whose {
                    "*" => None,
                    word => Some(seat(line, word, self.seats)?),
                };
                if !is_key(split(rest).0) || !is_text(rest) {
                    let expected =
                        "expected `view * KEY VALUE` or `view SEAT KEY VALUE` in printable ASCII";
                    return Err(ProtocolError::of_line(line, expected));
                }
                self.view.push((whose, rest.to_owned()));
                false
            }
            "points" => self.points.replace(scores(line, value, self.seats)?).is_some(),
            "walkover" => self.walkover.replace(scores(line, value, self.seats)?).is_some(),
            "gone" => !self.gone.insert(seat(line, value, self.seats)?),
            _ => return Err(ProtocolError::of_line(line, "expected a line of an answer")),
        };
        if is_again { Err(again()) } else { Ok(()) }
    }

    /// What people read of the line of the history that was read last, in the form that was read last.
    fn last_tell(&mut self) -> Option<&mut Option<String>> {
        let event = self.events.last_mut()?;
        match event.secret.as_mut().filter(|covered| covered.public.is_some()) {
            Some(covered) => Some(&mut covered.tell),
            None => Some(&mut event.tell),
        }
    }

    fn played(self) -> Result<RulesAnswer, ProtocolError> {
        let is_turn = self.turn.is_some();
        if self.nexts != 1 {
            let problem = format!(
                "expected exactly one of `chance`, `draw`, `turn` and `over`, found {}",
                self.nexts
            );
            return Err(ProtocolError::of_answer(problem));
        }
        let has_moves =
            !self.moves.is_empty() || self.more || self.forced || self.fallback.is_some();
        if !is_turn && has_moves {
            return Err(ProtocolError::of_answer("expected moves only with `turn`"));
        }
        let next = match (self.pool, self.turn, self.over) {
            (Some(pool), _, _) => Next::Nature(pool),
            (_, _, Some(scores)) => Next::Over(scores),
            (_, Some(seat), _) => {
                let moves = checked_moves(self.moves)?;
                let listing =
                    if self.more { ListCompleteness::Cut } else { ListCompleteness::Complete };
                let Some(fallback) = self.fallback else {
                    return Err(ProtocolError::of_answer("expected a line `fallback` with `turn`"));
                };
                if !self.more && !moves.contains(&fallback) {
                    return Err(ProtocolError::of_line(
                        &format!("fallback {fallback}"),
                        "expected one of the moves",
                    ));
                }
                if self.forced && (moves.len() != 1 || self.more) {
                    return Err(ProtocolError::of_answer("expected `forced` with one move alone"));
                }
                Next::Turn(SeatTurn { seat, moves, listing, fallback, forced: self.forced })
            }
            (None, None, None) => {
                return Err(ProtocolError::of_answer("expected what comes next"));
            }
        };
        let RulesAnswerReader { events, view, points, gone, walkover, .. } = self;
        Ok(RulesAnswer::Played { events, state: State { next, view, points, gone, walkover } })
    }
}

fn checked_moves(moves: Vec<String>) -> Result<Vec<String>, ProtocolError> {
    if moves.is_empty() {
        return Err(ProtocolError::of_answer("expected a move with `turn`, found none"));
    }
    let mut seen = BTreeSet::new();
    match moves.iter().find(|mv| !seen.insert(mv.as_str())) {
        Some(twice) => {
            Err(ProtocolError::of_line(&format!("move {twice}"), "expected each move once"))
        }
        None => Ok(moves),
    }
}

fn event_text(line: &str, value: &str) -> Result<String, ProtocolError> {
    let value = text(line, value)?;
    match split(value).0 {
        "out" => {
            Err(ProtocolError::of_line(line, "expected an event that does not begin with `out`"))
        }
        _ => Ok(value.to_owned()),
    }
}

fn move_text(line: &str, value: &str) -> Result<String, ProtocolError> {
    let value = text(line, value)?;
    match value.len() <= LONGEST_MOVE {
        true => Ok(value.to_owned()),
        false => {
            let expected = format!("expected a move of at most {LONGEST_MOVE} characters");
            Err(ProtocolError::of_line(line, expected))
        }
    }
}

/// The most bytes of all events of a game.
pub const LONGEST_HISTORY: usize = 4 << 20;

/// The lines that a game has had so far.
#[derive(Default)]
pub(super) struct History {
    entries: Vec<Entry<HistoryLine>>,
    /// Number of bytes of its events.
    bytes: usize,
}

impl History {
    /// Adds events, unless there are too many for one game.
    pub(super) fn add_events(&mut self, events: Vec<HistoryLine>) -> Result<(), RulesFault> {
        self.bytes += events.iter().map(HistoryLine::size).sum::<usize>();
        if self.bytes > LONGEST_HISTORY {
            return Err(RulesFault::limit_exceeded(format_args!(
                "more than {LONGEST_HISTORY} bytes of events"
            )));
        }
        self.entries.extend(events.into_iter().map(Entry::Event));
        Ok(())
    }

    /// Adds that a seat is out.
    pub(super) fn add_out(&mut self, seat: Seat, verdict: Verdict) {
        self.entries.push(Entry::Out(seat, verdict));
    }

    /// Number of lines.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The lines from one on as the referee sees them.
    pub(super) fn full_from(&self, from: usize) -> impl Iterator<Item = SeenLine<'_>> {
        self.from(from).map(Entry::full)
    }

    /// The lines from one on that a seat sees, as it sees them.
    pub(super) fn seen_from(&self, seat: Seat, from: usize) -> impl Iterator<Item = SeenLine<'_>> {
        self.from(from).filter_map(move |entry| entry.seen_by(seat))
    }

    /// The lines from one on, each in all its forms.
    pub(super) fn lines(&self, from: usize) -> Vec<HistoryLine> {
        self.from(from).map(Entry::line).collect()
    }

    /// True if one of the lines from one on says that a seat is out.
    pub(super) fn has_out_line(&self, from: usize) -> bool {
        self.from(from).any(|entry| matches!(entry, Entry::Out(..)))
    }

    fn from(&self, from: usize) -> impl Iterator<Item = &Entry<HistoryLine>> {
        self.entries.iter().skip(from)
    }
}

impl Entry<HistoryLine> {
    /// The form that a seat sees, if it sees any.
    fn seen_by(&self, seat: Seat) -> Option<SeenLine<'_>> {
        match self {
            Entry::Event(HistoryLine { secret: Some(covered), .. }) if covered.owner != seat => {
                let text = covered.public.as_ref()?;
                Some(SeenLine::Line { text, tell: covered.tell.as_deref() })
            }
            seen => Some(seen.full()),
        }
    }

    fn full(&self) -> SeenLine<'_> {
        match self {
            Entry::Event(HistoryLine { full, tell, .. }) => {
                SeenLine::Line { text: full, tell: tell.as_deref() }
            }
            Entry::Out(seat, verdict) => SeenLine::Out(*seat, *verdict),
        }
    }

    fn line(&self) -> HistoryLine {
        match self {
            Entry::Event(event) => event.clone(),
            Entry::Out(..) => HistoryLine { full: self.full().text(), tell: None, secret: None },
        }
    }
}

/// A line as someone sees it.
pub(super) enum SeenLine<'a> {
    Line { text: &'a str, tell: Option<&'a str> },
    Out(Seat, Verdict),
}

impl SeenLine<'_> {
    /// The line in the protocol.
    pub(super) fn text(&self) -> String {
        match self {
            SeenLine::Line { text, .. } => (*text).to_owned(),
            SeenLine::Out(seat, verdict) => format!("out {seat} {verdict}"),
        }
    }

    /// The line as people read it.
    pub(super) fn narrated(&self, names: &PerSeat<String>) -> String {
        match self {
            SeenLine::Line { text, tell: None } => format!("{text}\n"),
            SeenLine::Line { tell: Some(""), .. } => String::new(),
            SeenLine::Line { tell: Some(tell), .. } => {
                format!("{}\n", with_names(tell, names))
            }
            SeenLine::Out(seat, verdict) => crate::table::narrated_out(*seat, *verdict, names),
        }
    }
}

/// A text with the names of seats in place of `{0}` and so on.
fn with_names(tell: &str, names: &PerSeat<String>) -> String {
    let mut text = String::new();
    let mut rest = tell;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let named = after.split_once('}').and_then(|(number, behind)| {
            let seat: Seat = number.parse().ok()?;
            names.has(seat).then(|| (&names[seat], behind))
        });
        match named {
            Some((name, behind)) if text.is_empty() => {
                // The words up to the next name, of which the first is the verb.
                let (own, others) = behind.split_at(behind.find('{').unwrap_or(behind.len()));
                text.push_str(&SentenceSubject::new(name).sentence(own));
                rest = others;
            }
            Some((name, behind)) => {
                text.push_str(name);
                rest = behind;
            }
            None => {
                text.push('{');
                rest = after;
            }
        }
    }
    text.push_str(rest);
    text
}
