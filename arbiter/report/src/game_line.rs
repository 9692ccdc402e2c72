//! A game as the viewer has it: its heading, its steps, and what its moves are worth.
//!
//! After each step every seat has a view, a handful of lines. Most of them are the same for all seats and the
//! same as before, so a step holds only the lines that changed, by their place in the view: first the changes
//! that all seats share, then those of single seats.
//!
//! Notes are standard error, so they come and go with it: `MeasurementLine` holds both.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroU32;
use std::ops::Not;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use bots::review::reviewer_of;
use games::{GameFiles, ViewKeys};
use rules::{
    ClassicReply, Digest, EscapedBytes, GameKind, GameRecord, HistoryLine, Measurements, Note,
    NoteKey, Outcome, PerSeat, RedactedLine, Seat, Verdict,
};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use series::Series;
use series::game_status::{GameStatus, is_suspect, who_left};

use league::replay_request::RoundMarks;
use review::{Decision, MistakeGrade, ResultBreakdown};
use text::shell::word;

#[derive(Debug, Serialize)]
pub struct GameDetails {
    #[serde(flatten)]
    pub(crate) heading: GameHeading,
    /// The public name of the game.
    id: String,
    /// The hands in its steps; none where all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    hands: Option<HandVisibility>,
    /// The luck of each seat, if it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) luck: Option<GameLuck>,
    steps: Vec<StepLine>,
}

impl GameDetails {
    /// The steps and the numbers of the legal answers.
    pub(crate) fn accepted_moves(&self) -> impl Iterator<Item = (usize, u32)> {
        let steps = self.steps.iter().enumerate();
        let answers = steps.filter_map(|(step, line)| Some((step, line.answer.as_ref()?)));
        let accepted = answers.filter(|(_, answer)| is_legal(&answer.verdict));
        accepted.map(|(step, answer)| (step, answer.number))
    }

    /// The legal answers, with their steps.
    pub(crate) fn accepted(&mut self) -> impl Iterator<Item = (usize, &mut AnswerLine)> {
        let steps = self.steps.iter_mut().enumerate();
        let answers = steps.filter_map(|(step, line)| Some((step, line.answer.as_mut()?)));
        answers.filter(|(_, answer)| is_legal(&answer.verdict))
    }

    /// The step at which a line of the history appeared; the last one, if there are not as many.
    pub(crate) fn step_of(&self, line: usize) -> usize {
        let mut told = 0;
        let appeared = self.steps.iter().position(|step| {
            told += step.events.len();
            told > line
        });
        appeared.unwrap_or(self.steps.len().saturating_sub(1))
    }

    /// A game with its steps and all hands.
    pub(crate) fn new(
        heading: GameHeading,
        game: &GameRecord,
        steps: Vec<StepLine>,
    ) -> GameDetails {
        GameDetails { heading, id: game.id.to_string(), hands: None, luck: None, steps }
    }

    /// A game with the public part of its steps.
    pub(crate) fn covered(
        heading: GameHeading,
        game: &GameRecord,
        steps: Vec<StepLine>,
    ) -> GameDetails {
        GameDetails {
            hands: Some(HandVisibility::Public),
            ..GameDetails::new(heading, game, steps)
        }
    }
}

/// An attempt at a game. They are ordered as in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct GameKey {
    pub number: u64,
    pub attempt: u32,
}

/// A game as it stands in a list.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct GameHeading {
    pub(crate) number: u64,
    pub(crate) attempt: u32,
    deal: u64,
    /// The places of the players in the list of names, by seat.
    seats: Vec<usize>,
    /// `played`, `walkover` or `void`.
    ending: &'static str,
    /// The points by seat, as text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    scores: Vec<String>,
    /// The places by seat, 1 for the best; none where the game does not count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    places: Vec<usize>,
    /// The faults by seat.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    out: Vec<Option<&'static str>>,
    /// The reason why the game is void.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The sequel, if it does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    sequel: Option<VoidGameSequel>,
    #[serde(skip_serializing_if = "Not::not")]
    suspect: bool,
    answers: usize,
}

impl GameHeading {
    /// Makes the heading of a game. `places` has the result of each seat, 1 for the best; `status` says whether the game
    /// counts.
    pub(crate) fn new(
        game: &GameRecord,
        series: &Series,
        places: Option<PerSeat<usize>>,
        status: GameStatus,
    ) -> GameHeading {
        let (ending, scores, out, reason) = match &game.result {
            Outcome::Played { scores, out } => ("played", Some(scores), Some(out), None),
            Outcome::Walkover { scores, out } => ("walkover", Some(scores), Some(out), None),
            Outcome::Void { reason } => ("void", None, None, Some(reason.clone())),
        };
        let scores = scores.map(|scores| scores.values().iter().map(ToString::to_string));
        let out = out.map(|out| out.values().iter().map(|fault| fault.map(|it| it.name())));
        GameHeading {
            number: game.game,
            attempt: game.attempt,
            deal: game.deal,
            seats: series.seating(game.game).players.values().to_vec(),
            ending,
            scores: scores.into_iter().flatten().collect(),
            places: places.map_or_else(Vec::new, |places| places.values().to_vec()),
            out: out.into_iter().flatten().collect(),
            reason,
            sequel: VoidGameSequel::new(status, who_left(game, series)),
            suspect: is_suspect(game, &series.times(game.game)),
            answers: game.answers().count(),
        }
    }

    /// The attempt that it is about.
    pub(crate) fn key(&self) -> GameKey {
        GameKey { number: self.number, attempt: self.attempt }
    }

    /// The places of the players in the list of names, by seat.
    pub(crate) fn seats(&self) -> &[usize] {
        &self.seats
    }

    pub(crate) fn counts(&self) -> bool {
        self.sequel.is_none()
    }
}

/// The sequel of a game that does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum VoidGameSequel {
    /// It is played again.
    Again,
    /// It is left out.
    GivenUp,
    /// Nothing can be played.
    Stops,
    /// A person left it, and nothing is played again.
    Left,
}

impl VoidGameSequel {
    pub(crate) fn new(status: GameStatus, left: Option<&str>) -> Option<VoidGameSequel> {
        match (status, left) {
            (GameStatus::Counts, _) => None,
            (GameStatus::Again | GameStatus::GivenUp | GameStatus::Stops, Some(_)) => {
                Some(VoidGameSequel::Left)
            }
            (GameStatus::Again, None) => Some(VoidGameSequel::Again),
            (GameStatus::GivenUp, None) => Some(VoidGameSequel::GivenUp),
            (GameStatus::Stops, None) => Some(VoidGameSequel::Stops),
        }
    }
}

/// The news of one step.
#[derive(Debug, Default, Serialize)]
pub(crate) struct StepLine {
    /// New lines of the history.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) events: Vec<EventLine>,
    /// The changes in the views of all seats.
    #[serde(skip_serializing_if = "LineChanges::is_empty")]
    pub(crate) all: LineChanges,
    /// The changes in the views of single seats, by seat.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) own: BTreeMap<usize, LineChanges>,
    /// The answer that led to it, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) answer: Option<AnswerLine>,
    /// True if no seat was asked: the house played, or the rules left one move.
    #[serde(skip_serializing_if = "Not::not")]
    pub(crate) unasked: bool,
    /// The time left for the game by seat, in milliseconds, if that has changed and there are clocks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) clocks: Vec<Option<u64>>,
}

impl StepLine {
    /// The public part of a step: these lines and these changes; none if there are neither.
    pub(crate) fn public(lines: Vec<HistoryLine>, all: LineChanges) -> Option<StepLine> {
        let is_something = !lines.is_empty() || !all.is_empty();
        let events = lines.into_iter().map(EventLine).collect();
        is_something.then(|| StepLine { events, all, ..StepLine::default() })
    }
}

/// Lines by their place; none if no line is left.
pub(crate) type LineChanges = BTreeMap<usize, Option<String>>;

#[derive(Debug)]
pub(crate) struct EventLine(pub(crate) HistoryLine);

impl Serialize for EventLine {
    /// A text, or `[text, owner, what the others saw]`; where people read something else, that follows, for those
    /// who saw all of it and for the others.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let HistoryLine { full, tell, secret } = &self.0;
        match (secret, tell) {
            (None, None) => full.serialize(serializer),
            (None, Some(tell)) => (full, None::<Seat>, full, tell).serialize(serializer),
            (Some(RedactedLine { owner, public, tell: None }), None) => {
                (full, owner, public).serialize(serializer)
            }
            (Some(RedactedLine { owner, public, tell: others }), tell) => {
                (full, owner, public, tell, others).serialize(serializer)
            }
        }
    }
}

/// An answer, with its measurements. What most answers share is left out, since a page has hundreds of them;
/// [`add_left_out`] adds it for other programs.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct AnswerLine {
    /// The number of the move, as requests and commands have it.
    #[serde(rename = "move")]
    pub(crate) number: u32,
    /// The number of the second chance; none for the first answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retry: Option<NonZeroU32>,
    #[serde(flatten)]
    pub(crate) output: AnswerOutput,
    #[serde(serialize_with = "as_base64")]
    pub(crate) asked: Digest,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) classic: Option<ClassicReply>,
    #[serde(skip_serializing_if = "is_legal")]
    pub(crate) verdict: Verdict,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) detail: String,
    /// None while the game is being played.
    #[serde(flatten)]
    pub(crate) measured: Option<MeasurementLine>,
    /// What its moves are worth, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) review: Option<AnswerReview>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub(crate) enum AnswerOutput {
    /// The first event of the step is the seat and the output.
    InEvent {
        #[serde(skip)]
        seat: Seat,
    },
    Own {
        seat: Seat,
        reply: EscapedBytes,
    },
}

impl AnswerOutput {
    pub(crate) fn seat(&self) -> Seat {
        let (AnswerOutput::InEvent { seat } | AnswerOutput::Own { seat, .. }) = self;
        *seat
    }
}

fn is_legal(verdict: &Verdict) -> bool {
    *verdict == Verdict::Ok
}

/// Two thirds of what hexadecimal digits take.
fn as_base64<S: Serializer>(digest: &Digest, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD_NO_PAD.encode(digest.0))
}

/// Adds to the answers of a game what its files leave out, for programs other than the viewer: the keys are then those of
/// the log.
pub(crate) fn add_left_out(game: &mut Value) {
    let steps = game["steps"].as_array_mut().into_iter().flatten();
    for step in steps.filter(|step| step["answer"].is_object()) {
        let event = &step["events"][0];
        let event = event.as_str().or_else(|| event[0].as_str()).unwrap_or_default();
        let (seat, reply) = event.split_once(' ').unwrap_or_default();
        let told = json!({ "seat": seat.parse::<u8>().ok(), "reply": reply });
        let answer = &mut step["answer"];
        let digest = STANDARD_NO_PAD.decode(answer["asked"].as_str().unwrap_or_default());
        let digest = digest.ok().and_then(|bytes| bytes.try_into().ok()).map(Digest);
        answer["asked"] = json!(digest);
        if answer["reply"].is_null() {
            for key in ["seat", "reply"] {
                answer[key] = told[key].clone();
            }
        }
        if answer["verdict"].is_null() {
            answer["verdict"] = json!(Verdict::Ok);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum HandVisibility {
    /// None.
    Public,
    /// All, with the output of bots.
    Open,
}

/// What the moves of an answer are worth.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct AnswerReview {
    #[serde(flatten)]
    pub(crate) decision: Decision,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mark: Option<MistakeGrade>,
}

/// The luck of each deal of a game, with luck, skill and rest in its results.
#[derive(Debug, Serialize)]
pub(crate) struct GameLuck {
    pub(crate) deals: Vec<StepLuck>,
    pub(crate) accounts: Vec<SeatBreakdown>,
}

/// The luck of a deal, which was complete after a step.
#[derive(Debug, Serialize)]
pub(crate) struct StepLuck {
    pub(crate) step: usize,
    /// The part of a win that it gave to each seat.
    pub(crate) win: Vec<f64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct SeatBreakdown {
    #[serde(flatten)]
    pub(crate) account: ResultBreakdown,
    pub(crate) rest: Option<f64>,
}

/// The measurements of an answer, with the notes in its standard error.
#[derive(Debug, Clone, Serialize)]
pub(super) struct MeasurementLine {
    #[serde(flatten)]
    measured: Measurements,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<NoteLine>,
}

#[derive(Debug, Clone)]
struct NoteLine(Note);

impl MeasurementLine {
    pub(super) fn new(measured: Measurements) -> MeasurementLine {
        let notes = measured.notes().iter().cloned().map(NoteLine).collect();
        MeasurementLine { measured, notes }
    }

    pub(super) fn ms(&self) -> f64 {
        self.measured.ms
    }

    pub(super) fn has_notes(&self) -> bool {
        !self.notes.is_empty()
    }

    fn numbers(&self) -> impl Iterator<Item = (&NoteKey, f64)> {
        self.notes.iter().filter_map(|NoteLine(note)| Some((&note.key, note.value.number()?)))
    }
}

impl Serialize for NoteLine {
    /// `[key, text]`, or `[key, text, number]`: an object would not keep the order, and some keys have a meaning
    /// of their own in scripts.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Note { key, value } = &self.0;
        match value.number() {
            Some(number) => (key.as_str(), value.as_str(), number).serialize(serializer),
            None => (key.as_str(), value.as_str()).serialize(serializer),
        }
    }
}

/// The numbers that a bot noted, by key, in the order in which it first wrote the keys.
#[derive(Debug, Clone, Default)]
pub(super) struct BotNotes(Vec<(NoteKey, NoteStatistics)>);

/// The numbers of one key.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NoteStatistics {
    /// The number of answers that have one.
    pub(super) answers: u64,
    pub(super) mean: f64,
    pub(super) least: f64,
    pub(super) most: f64,
}

impl BotNotes {
    /// The most keys of a bot: the first ones. It may write others with each answer.
    pub(super) const MOST: usize = 64;

    pub(super) fn add(&mut self, answer: &MeasurementLine) {
        for (key, number) in answer.numbers() {
            if let Some((_, numbers)) = self.0.iter_mut().find(|(known, _)| known == key) {
                numbers.add(number);
            } else if self.0.len() < BotNotes::MOST {
                self.0.push((key.clone(), NoteStatistics::new(number)));
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if further keys are left out.
    pub(super) fn is_full(&self) -> bool {
        self.0.len() == BotNotes::MOST
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = &(NoteKey, NoteStatistics)> {
        self.0.iter()
    }
}

impl NoteStatistics {
    fn new(number: f64) -> NoteStatistics {
        NoteStatistics { answers: 1, mean: number, least: number, most: number }
    }

    fn add(&mut self, number: f64) {
        self.answers += 1;
        // The difference of two large numbers need not be finite, so each is divided.
        let all = self.answers as f64;
        self.mean += number / all - self.mean / all;
        self.least = self.least.min(number);
        self.most = self.most.max(number);
    }
}

/// A number in at most ten characters or so.
pub(super) fn short_number(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-3..1e9).contains(&size) {
        return format!("{number:.2e}");
    }
    let decimals = match size {
        100_000.0.. => 0,
        100.0.. => 1,
        10.0.. => 2,
        _ => 3,
    };
    let text = format!("{number:.decimals$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// The most games of a piece, and of a page of the list.
pub(super) const GAMES: usize = 100;

/// Reviews of games that a visitor asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReviewAvailability {
    /// There are none.
    Never,
    /// They are made when they are asked for.
    Asked {
        /// The address of reviews of one's own moves while hands are hidden, for participants of a league.
        own: Option<String>,
    },
}

/// The script that a page needs before it loads anything else. It has the path of the log, the number of
/// games, the number and the attempt of the first game of each piece, and of a custom game the keys of its
/// view that are drawn. A server that reviews games says so. In a league, games that are void or replayed have marks.
pub(super) fn index(
    series: &Series,
    log: &Path,
    games: usize,
    pieces: &[(u64, u32)],
    reviews: &ReviewAvailability,
    marks: &RoundMarks,
) -> String {
    let header = series.header();
    let mut index = json!({
        "game": header.game,
        "options": header.options,
        "names": header.players.iter().map(|player| &player.name).collect::<Vec<_>>(),
        "log": word(log),
        "games": games,
        "page": GAMES,
        "pieces": pieces,
    });
    if !marks.games.is_empty() {
        index["marks"] = json!(marks.games);
    }
    if let Some(keys) = view_keys(series.kind()) {
        index["own"] = json!(keys);
    }
    let reviewer = reviewer_of(series.kind(), &series.header().options);
    if let (ReviewAvailability::Asked { own }, Some(_)) = (reviews, reviewer) {
        index["reviews"] = json!({ "own": own });
    }
    format!("arbiter.takeIndex({index});\n")
}

/// The keys of a view that are drawn, of a custom game; all others have scripts of their own.
pub fn view_keys(kind: &GameKind) -> Option<ViewKeys> {
    let keys = || GameFiles::for_game(kind).map(|files| files.view().clone()).unwrap_or_default();
    kind.rules_id().map(|_| keys())
}

/// The script with a page of the list of games.
pub(super) fn list(page: usize, rows: &[GameHeading]) -> io::Result<String> {
    let rows = serde_json::to_string(rows)?;
    Ok(format!("arbiter.takeList({page}, {rows});\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(stderr: &str) -> MeasurementLine {
        let stderr = stderr.as_bytes().to_vec().into();
        MeasurementLine::new(Measurements { ms: 1.0, stderr, ..Measurements::default() })
    }

    fn json(line: &MeasurementLine) -> String {
        serde_json::to_string(line).expect("JSON")
    }

    #[test]
    fn notes_are_shown_beside_standard_error() {
        let line = answer("note eval 0.50\nnote __proto__ x\n");
        let notes = r#""notes":[["eval","0.50",0.5],["__proto__","x"]]"#;
        assert!(json(&line).ends_with(&format!("{notes}}}")), "{}", json(&line));
    }

    #[test]
    fn numbers_have_their_mean_and_bounds() {
        let mut noted = BotNotes::default();
        for stderr in ["note a 1\nnote b x\n", "note b 5\n", "note a 4\n", "note a -2\nnote a 1\n"]
        {
            noted.add(&answer(stderr));
        }
        let found: Vec<_> = noted.keys().map(|(key, numbers)| (key.as_str(), *numbers)).collect();
        let a = NoteStatistics { answers: 3, mean: 2.0, least: 1.0, most: 4.0 };
        assert_eq!(found, [("a", a), ("b", NoteStatistics::new(5.0))]);
    }

    #[test]
    fn the_largest_numbers_have_a_mean() {
        let mut noted = BotNotes::default();
        for number in [f64::MAX, f64::MIN, f64::MAX, f64::MAX] {
            noted.add(&answer(&format!("note a {number:e}")));
        }
        let (_, numbers) = noted.keys().next().expect("a key");
        assert!((numbers.mean / f64::MAX - 0.5).abs() < 1e-9, "{numbers:?}");
    }

    #[test]
    fn a_bot_has_no_more_than_so_many_keys() {
        let mut noted = BotNotes::default();
        for key in 0..1000 {
            noted.add(&answer(&format!("note k{key} 1\nnote k0 1\n")));
        }
        assert_eq!((noted.keys().count(), noted.is_full()), (BotNotes::MOST, true));
        assert_eq!(noted.keys().next().map(|(_, numbers)| numbers.answers), Some(1000));
    }

    #[test]
    fn numbers_are_short() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (100.0, "100"),
            (0.61234, "0.612"),
            (-12.345, "-12.35"),
            (1234.56, "1234.6"),
            (123_456.7, "123457"),
            (1e8, "100000000"),
            (1.5e9, "1.50e9"),
            (-0.000_012, "-1.20e-5"),
            (f64::MAX, "1.80e308"),
        ] {
            assert_eq!(short_number(number), text);
        }
    }
}
