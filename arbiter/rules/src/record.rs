//! The record of one game in a log: the inputs, and everything that follows from them.

use serde::{Deserialize, Serialize};

use crate::cause::{FailureCause, Verdict};
use crate::clock::{ElapsedTime, MICROSECONDS};
use crate::note::Notes;
use crate::seat::{PerSeat, Score, Seat};
use crate::seed::{BotSeedKey, Digest, GameId, dealt};
use crate::text::EscapedBytes;

/// One game: a line of a log, except its place in the chain.
///
/// The inputs are authoritative. Events and result are derived from them, and verification derives
/// them again. Measurements are kept separately, since they differ from run to run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// The number of the game in its match, from 0; written `number`.
    #[serde(rename = "number")]
    pub game: u64,
    /// Number of times the game was played before, from 0: a game that is void is played again, and
    /// one that is suspect may be.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub attempt: u32,
    /// The number of the deal, from 0: games of one deal draw from the same stream of chance.
    pub deal: u64,
    /// The public name of the game.
    pub id: GameId,
    /// The names of the players, by seat.
    pub seats: Vec<String>,
    /// Key of the bots' seeds.
    pub bot_seeds: BotSeedKey,
    /// Everything that came from outside, in order.
    pub inputs: Vec<RefereeInput>,
    /// The history as the referee saw it.
    pub events: Vec<String>,
    /// What could have been drawn, a line for each draw, in a custom game: so the draws can be
    /// checked without the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pools: Vec<String>,
    /// End of the game.
    pub result: Outcome,
    /// Measurements of each answer, in order.
    pub measured: Vec<Measurements>,
    /// On which machine that was, where several play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Host>,
}

/// A game that is being played, as far as it has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameInProgress {
    /// The number of the game in its match, from 0; written `number`.
    #[serde(rename = "number")]
    pub game: u64,
    /// Number of times the game was played before, from 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub attempt: u32,
    /// The number of the deal, from 0.
    pub deal: u64,
    /// The public name of the game.
    pub id: GameId,
    /// The names of the players, by seat.
    pub seats: Vec<String>,
    /// Key of the bots' seeds.
    pub bot_seeds: BotSeedKey,
    /// Everything that came from outside so far, in order.
    pub inputs: Vec<RefereeInput>,
    /// How long each answer took, if a clock counts that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elapsed: Vec<ElapsedTime>,
}

impl GameInProgress {
    /// A record of it, which breaks off where the game stands.
    pub fn record(&self) -> GameRecord {
        let GameInProgress { game, attempt, deal, id, seats, bot_seeds, inputs, elapsed } =
            self.clone();
        let measured =
            |elapsed: ElapsedTime| Measurements { ms: elapsed.ms(), ..Measurements::default() };
        GameRecord {
            game,
            attempt,
            deal,
            id,
            seats,
            bot_seeds,
            inputs,
            events: Vec::new(),
            pools: Vec::new(),
            result: Outcome::Void { reason: "it is being played".to_owned() },
            measured: elapsed.into_iter().map(measured).collect(),
            machine: None,
        }
    }
}

/// The place of a game in its series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GamePlace {
    /// The number of the game, from 0.
    pub game: u64,
    /// Number of times the game was played before.
    pub attempt: u32,
    /// The number of the deal, from 0.
    pub deal: u64,
}

/// A machine on which games were played.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Name of the machine: by default its host name.
    pub name: String,
    /// The model of its processor, where the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processor: Option<String>,
}

impl GameRecord {
    /// Checks that every list with a value for each seat or each answer has as many values as there are seats
    /// or answers, and that only these seats answered.
    ///
    /// # Errors
    ///
    /// Names the first list of another length, in one line.
    pub fn check_form(&self, seats: usize) -> Result<(), String> {
        if self.seats.len() != seats {
            return Err(format!("heading: {seats} seats, {} names", self.seats.len()));
        }
        if let Outcome::Played { scores, out } | Outcome::Walkover { scores, out } = &self.result {
            for (count, what) in [(scores.count(), "scores"), (out.count(), "values in `out`")] {
                if count != seats {
                    return Err(format!("result: {seats} seats, {count} {what}"));
                }
            }
        }
        let answers = || self.inputs.iter().filter_map(RefereeInput::answer);
        if let Some(answer) = answers().find(|answer| answer.seat.index() >= seats) {
            return Err(format!("inputs: an answer of seat {} of {seats}", answer.seat));
        }
        match (answers().count(), self.measured.len()) {
            (answers, measured) if answers == measured => Ok(()),
            (answers, measured) => Err(format!("measured: {answers} answers, {measured} measured")),
        }
    }

    /// The number of the streams of chance that this game draws from: see [`dealt`].
    pub fn dealt(&self) -> u64 {
        dealt(self.deal, self.attempt)
    }

    /// The answers, in order, each with what was measured of it.
    pub fn answers(&self) -> impl DoubleEndedIterator<Item = (&AnswerRecord, &Measurements)> {
        let answers: Vec<&AnswerRecord> =
            self.inputs.iter().filter_map(RefereeInput::answer).collect();
        answers.into_iter().zip(&self.measured)
    }

    /// The answer that put a seat out, with what was measured of it: its last one, if it is out.
    pub fn fault_of(&self, seat: Seat) -> Option<(&AnswerRecord, &Measurements)> {
        let is_out = self.result.faults().iter().any(|(out, _)| *out == seat);
        is_out.then(|| self.answers().rev().find(|(answer, _)| answer.seat == seat)).flatten()
    }
}

/// Something that came to the referee from outside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum RefereeInput {
    /// A decision of nature.
    Chance(String),
    /// The answer of a seat.
    Answer(AnswerRecord),
}

impl RefereeInput {
    /// The answer, if the input is one.
    pub fn answer(&self) -> Option<&AnswerRecord> {
        match self {
            RefereeInput::Answer(answer) => Some(answer),
            RefereeInput::Chance(_) => None,
        }
    }
}

/// An answer of a seat, and the verdict on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerRecord {
    /// The seat that was asked.
    pub seat: Seat,
    /// The digest of what it was asked, the bytes of [`Prompt::bytes`](crate::Prompt::bytes).
    pub asked: Digest,
    /// Output without one line end at the end of other text. Where there is a `classic`:
    /// what was appended to the file, or all that it holds, where its old text was changed.
    pub reply: EscapedBytes,
    /// Rest of an answer in the classic dialect; nothing if the program crashed or
    /// broke a limit, since its file is not read then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classic: Option<ClassicReply>,
    /// Verdict on the answer.
    pub verdict: Verdict,
    /// The details of a fault: the rule that was broken, the exit code, the limit.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

impl AnswerRecord {
    /// Reason why the answer failed, if that lies outside of the rules.
    pub fn cause(&self) -> Option<FailureCause> {
        FailureCause::from_text(self.verdict, &self.detail)
    }
}

/// Output as the log keeps it: all but one line end after other text, on which no ruling
/// depends, its detail included.
pub(crate) fn logged_output(mut output: Vec<u8>) -> EscapedBytes {
    if output.len() > 1 && output.last() == Some(&b'\n') {
        output.pop();
    }
    EscapedBytes(output)
}

/// Parts of an answer in the classic dialect that are not in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassicReply {
    /// Fate of the old text of the file.
    pub file: FileChange,
    /// Output without one line end at the end of other text.
    pub printed: EscapedBytes,
}

/// Fate of the old text of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileChange {
    /// It is still there, and the reply comes after it.
    Appended,
    /// It is not, and the reply is all there is.
    Rewritten,
}

/// Measurements of one answer; they do not repeat.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measurements {
    /// Time from the start of the program to its end, in milliseconds.
    pub ms: f64,
    /// CPU time of the program and of the children it waited for, in milliseconds, where the
    /// system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_ms: Option<f64>,
    /// For an answer that was late, and for each answer on a clock: how long the program waited because
    /// others had the processors, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_ms: Option<f64>,
    /// Likewise for the part of the referee that looked after the program, where it had to wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub referee_waited_ms: Option<f64>,
    /// Messages of the program for its author, up to the limit.
    #[serde(default, skip_serializing_if = "StandardError::is_empty")]
    pub stderr: StandardError,
    /// Number of bytes beyond the limit.
    #[serde(default, skip_serializing_if = "zero")]
    pub stderr_dropped: u64,
    /// Number of processes that had escaped from the program's group, and were killed afterwards.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub escaped: u32,
}

impl Measurements {
    /// The notes in what was kept of standard error.
    pub fn notes(&self) -> Notes {
        Notes::read(self.stderr.bytes(), self.stderr_dropped)
    }
}

/// What a program wrote to standard error with one answer: the text, or its digest where the text is private.
///
/// The text is a string of JSON, its digest an object. A log that anybody may read holds the digest, so the text can
/// be left out, and proven by who has it:
///
/// ```
/// use rules::{EscapedBytes, StandardError};
///
/// let text = StandardError::Text(EscapedBytes(b"fail\n".to_vec()));
/// let digest = text.digest().expect("it is not empty");
/// assert_eq!(serde_json::to_string(&text).expect("JSON"), r#""fail\\n""#);
/// assert_eq!(digest.bytes, 5);
/// assert!(StandardError::Private(digest).bytes().is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StandardError {
    /// The text.
    Text(EscapedBytes),
    /// The digest of a text that lies elsewhere.
    Private(TextDigest),
}

/// The digest of a private text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextDigest {
    /// SHA-256 of the bytes.
    pub sha256: Digest,
    /// Number of bytes.
    pub bytes: u64,
}

impl TextDigest {
    /// The digest of these bytes.
    pub fn hash(text: &[u8]) -> TextDigest {
        TextDigest { sha256: Digest::hash(text), bytes: text.len() as u64 }
    }
}

impl Default for StandardError {
    fn default() -> StandardError {
        StandardError::Text(EscapedBytes::default())
    }
}

impl StandardError {
    /// The text; nothing if only its digest is here.
    pub fn bytes(&self) -> &[u8] {
        match self {
            StandardError::Text(text) => &text.0,
            StandardError::Private(_) => &[],
        }
    }

    /// The digest of the text; none if the program wrote nothing.
    pub fn digest(&self) -> Option<TextDigest> {
        match self {
            StandardError::Text(text) if text.0.is_empty() => None,
            StandardError::Text(text) => Some(TextDigest::hash(&text.0)),
            StandardError::Private(digest) => Some(*digest),
        }
    }

    /// The digest, if the text itself is not here.
    pub fn private(&self) -> Option<TextDigest> {
        match self {
            StandardError::Text(_) => None,
            StandardError::Private(digest) => Some(*digest),
        }
    }

    fn is_empty(&self) -> bool {
        matches!(self, StandardError::Text(text) if text.0.is_empty())
    }
}

impl From<Vec<u8>> for StandardError {
    fn from(text: Vec<u8>) -> StandardError {
        StandardError::Text(EscapedBytes(text))
    }
}

/// Exact for all that was measured, which has three decimals.
impl From<&Measurements> for ElapsedTime {
    fn from(measured: &Measurements) -> ElapsedTime {
        // The conversion of a number that is negative or too large is the nearest possible one.
        ElapsedTime::from_micros((measured.ms * MICROSECONDS as f64).round() as u64)
    }
}

fn zero(count: &u64) -> bool {
    *count == 0
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// End of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "ending", rename_all = "lowercase", deny_unknown_fields)]
pub enum Outcome {
    /// It was played to the end; a seat that was out scores 0.
    Played {
        /// The points of each seat.
        scores: PerSeat<Score>,
        /// The fault of each seat that was out.
        out: PerSeat<Option<Verdict>>,
    },
    /// All seats but one were out.
    Walkover {
        /// The points of each seat.
        scores: PerSeat<Score>,
        /// The fault of each seat that was out.
        out: PerSeat<Option<Verdict>>,
    },
    /// The referee or the machine failed: the game does not count.
    Void {
        /// The failure.
        reason: String,
    },
}

impl Outcome {
    /// The points of each seat, where the game counts.
    pub fn scores(&self) -> Option<&PerSeat<Score>> {
        match self {
            Outcome::Played { scores, .. } | Outcome::Walkover { scores, .. } => Some(scores),
            Outcome::Void { .. } => None,
        }
    }

    /// Reason why the game does not count, where it does not.
    pub fn cause(&self) -> Option<FailureCause> {
        match self {
            Outcome::Void { reason } => FailureCause::from_text(Verdict::Void, reason),
            Outcome::Played { .. } | Outcome::Walkover { .. } => None,
        }
    }

    /// The seats that are out, with their faults.
    pub fn faults(&self) -> Vec<(Seat, Verdict)> {
        match self {
            Outcome::Played { out, .. } | Outcome::Walkover { out, .. } => {
                out.iter().filter_map(|(seat, fault)| Some((seat, (*fault)?))).collect()
            }
            Outcome::Void { .. } => Vec::new(),
        }
    }
}
