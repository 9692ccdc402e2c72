//! What a line of a log holds, the chain over the lines, and problems found in a log, with their place.

use std::{fmt, io};

use rules::{Digest, GameRecord};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use series::{End, FORMAT, Header};
use text::system_error;
use thiserror::Error;

/// The longest line that is read, in bytes: more than any game can fill.
pub(crate) const LONGEST_LINE: u64 = 64 * 1024 * 1024;

/// One line of a log, without its place in the chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    /// The first line.
    Header(Box<Header>),
    Game(Box<GameRecord>),
    /// The last line of a match that was played to its end.
    End(End),
}

/// Content of a line of a chained log. The lines of matches and tournaments are [`Line`]; other logs
/// have lines of their own in the same chain.
pub trait LineContent: Serialize + DeserializeOwned {
    /// The version of the format that is read.
    const FORMAT: u32;

    /// The key of the line that says which version a log has.
    const FIRST: &'static str;

    /// Returns true if the line is a game.
    fn is_game(&self) -> bool;

    /// Returns true if no line comes after it.
    fn is_last(&self) -> bool;
}

impl LineContent for Line {
    const FORMAT: u32 = FORMAT;
    const FIRST: &'static str = "header";

    fn is_game(&self) -> bool {
        matches!(self, Line::Game(_))
    }

    fn is_last(&self) -> bool {
        matches!(self, Line::End(_))
    }
}

/// A problem with a line of a log, independent of the game.
#[derive(Debug, Error)]
pub enum LineError {
    #[error("cannot be read: {}", system_error(.0))]
    Unreadable(#[from] io::Error),
    #[error("is truncated: no newline at the end")]
    Torn,
    #[error("is longer than {LONGEST_LINE} bytes")]
    TooLong,
    #[error("was modified: digest {actual}, recorded {logged}")]
    Changed { actual: Digest, logged: Digest, line: Option<Box<Line>> },
    #[error("{0}")]
    Other(String),
}

impl LineError {
    pub(crate) fn not_a_line(problem: impl fmt::Display) -> LineError {
        LineError::Other(format!("is not a line of a log: {problem}"))
    }
}

/// The first problem in a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogProblem {
    pub line: usize,
    /// The number of the game in that line, from 0, where it holds one that could be read.
    pub game: Option<u64>,
    /// The problem, in one line.
    pub problem: String,
}

impl LogProblem {
    pub fn line(line: usize, problem: impl fmt::Display) -> LogProblem {
        LogProblem { line, game: None, problem: problem.to_string() }
    }

    pub fn game(line: usize, game: &GameRecord, problem: impl fmt::Display) -> LogProblem {
        LogProblem { line, game: Some(game.game), problem: problem.to_string() }
    }
}

impl fmt::Display for LogProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        match self.game {
            Some(game) => write!(f, ", game {game}, {}", self.problem),
            None => write!(f, " {}", self.problem),
        }
    }
}

impl std::error::Error for LogProblem {}

/// The reason why a log cannot be verified or resumed.
#[derive(Debug, Error)]
pub enum LogFileError {
    #[error("cannot be opened: {}", system_error(.0))]
    Unreadable(#[from] io::Error),
    #[error(transparent)]
    Wrong(#[from] LogProblem),
}

/// A line of a log, unchanged and in its place, not parsed yet.
#[derive(Debug)]
pub struct RawLine {
    number: usize,
    text: String,
    /// The length of the text before its place in the chain.
    body: usize,
    previous: Digest,
    digest: Digest,
}

impl RawLine {
    /// The line with this number, if it is unchanged and follows the line with this digest.
    pub(crate) fn chained(number: usize, text: String, before: Digest) -> Result<Self, LineError> {
        let (body, previous, digest) = unchained(&text).map_err(|bad| with_line_end(bad, &text))?;
        if previous != before {
            let problem =
                "does not follow the previous line: a line was removed, duplicated or moved";
            return Err(LineError::Other(problem.to_owned()));
        }
        let body = body.len();
        Ok(RawLine { number, text, body, previous, digest })
    }

    pub fn number(&self) -> usize {
        self.number
    }

    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Its length in bytes.
    pub(crate) fn length(&self) -> usize {
        self.text.len()
    }

    pub fn parse<C: LineContent>(&self) -> Result<C, LineError> {
        let body = &self.text[..self.body];
        let line: C = parse(body).map_err(|error| match other_format::<C>(body) {
            Some(found) => LineError::Other(format!("has format {found}, expected {}", C::FORMAT)),
            None => LineError::not_a_line(error),
        })?;
        // A line has only the spelling that is written, so that exactly what is read is verified.
        let mut spelt = Vec::with_capacity(body.len() + 1);
        serde_json::to_writer(&mut spelt, &line).map_err(LineError::not_a_line)?;
        if spelt.strip_suffix(b"}") != Some(body.as_bytes()) {
            return Err(LineError::not_a_line("it is not in the form that logs are written in"));
        }
        let ends = [self.previous, self.digest].map(|digest| digest.to_string());
        let end = format!(",\"previous\":\"{}\",\"sha256\":\"{}\"}}", ends[0], ends[1]);
        if self.text[self.body..] != end {
            return Err(LineError::not_a_line("it is not in the form that logs are written in"));
        }
        Ok(line)
    }
}

/// Splits a line into its content without the last brace, the digest of the line before, and its own.
pub(crate) fn unchained(text: &str) -> Result<(&str, Digest, Digest), LineError> {
    let no_chain =
        || LineError::Other(r#"does not end in `,"previous":"…","sha256":"…"}`"#.to_owned());
    let (content, own) = text.rsplit_once(",\"sha256\":\"").ok_or_else(no_chain)?;
    let logged = own.strip_suffix("\"}").and_then(|own| own.parse().ok()).ok_or_else(no_chain)?;
    let actual = Digest::hash(content.as_bytes());
    if actual != logged {
        return Err(LineError::Changed { actual, logged, line: readable(content) });
    }
    let (body, previous) = content.rsplit_once(",\"previous\":\"").ok_or_else(no_chain)?;
    let previous =
        previous.strip_suffix('"').and_then(|it| it.parse().ok()).ok_or_else(no_chain)?;
    Ok((body, previous, logged))
}

/// The problem with a line, which may be its line end alone.
fn with_line_end(bad: LineError, text: &str) -> LineError {
    match text.strip_suffix('\r').map(unchained) {
        Some(Ok(_)) => {
            let problem = "ends in a carriage return: line endings were converted to CRLF";
            LineError::Other(problem.to_owned())
        }
        Some(Err(_)) | None => bad,
    }
}

/// The present content of a line that was changed.
fn readable(content: &str) -> Option<Box<Line>> {
    let (body, _) = content.rsplit_once(",\"previous\":\"")?;
    parse(body).ok().map(Box::new)
}

/// A line from its JSON without the last brace.
pub(crate) fn parse<C: LineContent>(body: &str) -> serde_json::Result<C> {
    serde_json::from_str(&format!("{body}}}"))
}

/// The format that a first line says it has, if this program does not read it: then nothing else in the
/// line need be as expected.
fn other_format<C: LineContent>(body: &str) -> Option<u64> {
    let line: serde_json::Value = serde_json::from_str(&format!("{body}}}")).ok()?;
    line.get(C::FIRST)?.get("format")?.as_u64().filter(|&format| format != u64::from(C::FORMAT))
}
