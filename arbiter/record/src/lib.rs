//! Match logs: the only code that opens them. The normative description is in
//! `docs/reference/log.md`.
//!
//! A log is lines of JSON: a header, a line for each game, and an end. Every line closes with the
//! digest of the line before and its own, which shows that a line was changed, removed, doubled or
//! moved, without knowledge of any game:
//!
//! ```text
//! {"game":{…},"previous":"<sha256 of the line before>","sha256":"<…>"}
//! ```
//!
//! `sha256` is the digest of everything in its line before `,"sha256"`; `previous` repeats that
//! of the line before, 64 zeros in the first. A line is written whole. A last line without its
//! line feed is what a crash leaves, and counts for nothing.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use rules::GameRecord;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use rules::Digest;
use sandbox::file;
use series::committed_seed::CommittedSeed;
use series::{End, FORMAT, Header};

use gzip::Member;

pub mod checked_log;
pub mod compress;
pub mod fold;
mod games;
mod growing;
mod growing_gzip;
mod gzip;
mod last;
mod source;
pub mod verify;
mod writer;
mod wrong;
pub use games::Games;
pub use growing::{Followed, WholeLines};
pub use last::{LastLog, LastLogWriter};
pub use source::{LastLine, Source, length, open};
pub use writer::{LogWriter, is_compressed};
pub use wrong::{BadLine, BadLog, Wrong};

/// The longest line that is read, in bytes: more than any game can fill.
const LONGEST_LINE: u64 = 64 * 1024 * 1024;

/// One line of a log, without its place in the chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    /// The first line.
    Header(Box<Header>),
    /// One game.
    Game(Box<GameRecord>),
    /// The last line of a match that was played to its end.
    End(End),
}

/// Content of a line of a chained log. The lines of matches and tournaments are [`Line`]; other logs
/// have lines of their own in the same chain.
pub trait Content: Serialize + DeserializeOwned {
    /// The version of the format that is read.
    const FORMAT: u32;

    /// The key of the line that says which version a log has.
    const FIRST: &'static str;

    /// Returns true if the line is a game.
    fn is_game(&self) -> bool;

    /// Returns true if no line comes after it.
    fn is_last(&self) -> bool;
}

impl Content for Line {
    const FORMAT: u32 = FORMAT;
    const FIRST: &'static str = "header";

    fn is_game(&self) -> bool {
        matches!(self, Line::Game(_))
    }

    fn is_last(&self) -> bool {
        matches!(self, Line::End(_))
    }
}

/// A line of a log, unchanged and in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadLine {
    /// Its number, from 1.
    pub number: usize,
    /// Its content.
    pub line: Line,
    /// Its digest, which is the head of the log if it is the last line.
    pub digest: Digest,
}

/// Reads a log line by line, and checks the chain on the way.
#[derive(Debug)]
pub struct LogReader<R> {
    source: R,
    number: usize,
    previous: Digest,
    /// The length of all lines that were read whole, in bytes.
    whole: u64,
    /// The number of games in the lines that were parsed.
    games: u64,
}

impl<R: BufRead> LogReader<R> {
    /// Reads a log from any source.
    pub fn new(source: R) -> Self {
        LogReader { source, number: 0, previous: Digest::default(), whole: 0, games: 0 }
    }

    /// The number of the line read last, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The length of all lines read so far, in bytes.
    pub fn bytes(&self) -> u64 {
        self.whole
    }

    /// The next line; nothing at the end of the log.
    ///
    /// # Errors
    ///
    /// Fails at a line that is torn, changed, out of place or none of a log; the lines after it
    /// are not to be trusted.
    pub fn next_line(&mut self) -> Result<Option<ReadLine>, BadLine> {
        let before = self.whole;
        let Some(raw) = self.next_raw()? else { return Ok(None) };
        let line = raw.parse().and_then(formed).inspect_err(|_| self.whole = before)?;
        self.games += u64::from(line.is_game());
        Ok(Some(ReadLine { number: raw.number, line, digest: raw.digest }))
    }

    /// Reads what is left up to the last whole line.
    fn skip_the_rest(&mut self) -> Result<(), Wrong> {
        loop {
            match self.next_line() {
                Ok(Some(_)) => {}
                Ok(None) | Err(BadLine::Torn) => return Ok(()),
                Err(bad) => return Err(Wrong::line(self.number, bad)),
            }
        }
    }

    /// The next line, with only its place in the chain checked; nothing at the end of the log.
    ///
    /// # Errors
    ///
    /// Fails at a line that is torn, changed or out of place.
    pub fn next_raw(&mut self) -> Result<Option<RawLine>, BadLine> {
        let mut text = Vec::new();
        self.number += 1;
        let mut limited = (&mut self.source).take(LONGEST_LINE);
        match limited.read_until(b'\n', &mut text)? as u64 {
            0 => {
                // More may be written, and it is the number of that line then.
                self.number -= 1;
                return Ok(None);
            }
            LONGEST_LINE => return Err(BadLine::TooLong),
            _ if text.pop() != Some(b'\n') => return Err(BadLine::Torn),
            _ => {}
        }
        let text = String::from_utf8(text).map_err(|_| BadLine::NotALine("not UTF-8".into()))?;
        let (body, previous, digest) = unchained(&text).map_err(|bad| with_line_end(bad, &text))?;
        if previous != self.previous {
            return Err(BadLine::OutOfChain);
        }
        let body = body.len();
        self.previous = digest;
        self.whole += text.len() as u64 + 1;
        Ok(Some(RawLine { number: self.number, text, body, previous, digest }))
    }
}

impl LogReader<BufReader<WholeLines>> {
    /// The place behind the line read last.
    pub fn mark(&self) -> Mark {
        let member = self.source.get_ref().member();
        Mark { bytes: self.whole, number: self.number, previous: self.previous, member }
    }
}

/// A place in a log from which it is read again without the lines before. It has the digest of the line
/// before it, which the next line must still follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Its distance from the beginning of the log, in bytes.
    bytes: u64,
    /// The number of the line before it, from 1.
    number: usize,
    /// The digest of that line.
    previous: Digest,
    /// If the log is compressed, a member from which on the place can be found.
    member: Member,
}

impl Mark {
    /// The number of bytes between this place and a later one.
    pub fn bytes_to(&self, later: &Mark) -> u64 {
        later.bytes.saturating_sub(self.bytes)
    }

    /// The lines of a log from this place on.
    ///
    /// # Errors
    ///
    /// Fails if the log cannot be opened.
    pub fn open(&self, path: &Path) -> io::Result<LogReader<Source>> {
        let Mark { bytes, number, previous, member } = *self;
        let source = Source::behind(file::open(path)?, bytes, member)?;
        Ok(LogReader { source, number, previous, whole: bytes, games: 0 })
    }
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
    /// Its number, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Its digest.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Its length in bytes.
    pub(crate) fn length(&self) -> usize {
        self.text.len()
    }

    /// Its content.
    ///
    /// # Errors
    ///
    /// Fails if it is no line of a log, or not spelt as it would be written.
    pub fn parse<C: Content>(&self) -> Result<C, BadLine> {
        let body = &self.text[..self.body];
        let line: C = parse(body).map_err(|error| match other_format::<C>(body) {
            Some(found) => BadLine::OtherFormat { found, expected: C::FORMAT },
            None => BadLine::NotALine(error.to_string()),
        })?;
        // A line has only the spelling that is written, so that exactly what is read is verified.
        let mut spelt = Vec::with_capacity(body.len() + 1);
        serde_json::to_writer(&mut spelt, &line)
            .map_err(|error| BadLine::NotALine(error.to_string()))?;
        if spelt.strip_suffix(b"}") != Some(body.as_bytes()) {
            return Err(BadLine::NotALine("it is not in the form that logs are written in".into()));
        }
        let ends = [self.previous, self.digest].map(|digest| digest.to_string());
        let end = format!(",\"previous\":\"{}\",\"sha256\":\"{}\"}}", ends[0], ends[1]);
        if self.text[self.body..] != end {
            return Err(BadLine::NotALine("it is not in the form that logs are written in".into()));
        }
        Ok(line)
    }
}

/// A line whose lists fit together, so that no reader meets a seat without a score or a name. Their number of seats
/// is compared with the header's by the [fold].
///
/// Verification derives a game before it looks at this, and then says what was changed.
fn formed(line: Line) -> Result<Line, BadLine> {
    match &line {
        Line::Game(game) => game
            .check_form(game.seats.len())
            .map_err(|problem| BadLine::NotALine(format!("in game {}, {problem}", game.game)))?,
        Line::Header(_) | Line::End(_) => {}
    }
    Ok(line)
}

/// Splits a line into its content without the last brace, the digest of the line before, and its own.
fn unchained(text: &str) -> Result<(&str, Digest, Digest), BadLine> {
    let (content, own) = text.rsplit_once(",\"sha256\":\"").ok_or(BadLine::NoChain)?;
    let logged =
        own.strip_suffix("\"}").and_then(|own| own.parse().ok()).ok_or(BadLine::NoChain)?;
    let actual = Digest::hash(content.as_bytes());
    if actual != logged {
        return Err(BadLine::Changed { actual, logged, line: readable(content) });
    }
    let (body, previous) = content.rsplit_once(",\"previous\":\"").ok_or(BadLine::NoChain)?;
    let previous =
        previous.strip_suffix('"').and_then(|it| it.parse().ok()).ok_or(BadLine::NoChain)?;
    Ok((body, previous, logged))
}

/// The problem with a line, which may be its line end alone.
fn with_line_end(bad: BadLine, text: &str) -> BadLine {
    match text.strip_suffix('\r').map(unchained) {
        Some(Ok(_)) => BadLine::OtherLineEnd,
        Some(Err(_)) | None => bad,
    }
}

/// The present content of a line that was changed.
fn readable(content: &str) -> Option<Box<Line>> {
    let (body, _) = content.rsplit_once(",\"previous\":\"")?;
    parse(body).ok().map(Box::new)
}

/// A line from its JSON without the last brace.
fn parse<C: Content>(body: &str) -> serde_json::Result<C> {
    serde_json::from_str(&format!("{body}}}"))
}

/// The format that a first line says it has, if this program does not read it: then nothing else in the
/// line need be as expected.
fn other_format<C: Content>(body: &str) -> Option<u64> {
    let line: serde_json::Value = serde_json::from_str(&format!("{body}}}")).ok()?;
    line.get(C::FIRST)?.get("format")?.as_u64().filter(|&format| format != u64::from(C::FORMAT))
}

/// The seed that the last line of a log reveals, if the line is intact. [`LogReader`] checks that the line
/// belongs there.
///
/// # Errors
///
/// Fails if the log cannot be read; it is left at its beginning.
pub fn revealed_seed(source: &mut impl LastLine) -> io::Result<Option<CommittedSeed>> {
    Ok(match last_line_of(source)? {
        Some(Line::End(end)) => end.seed,
        _ => None,
    })
}

/// The last line of a log, if it is intact. [`LogReader`] checks that it belongs there.
///
/// # Errors
///
/// Fails if the log cannot be read; it is left at its beginning.
pub fn last_line_of(source: &mut impl LastLine) -> io::Result<Option<Line>> {
    let last = source.last_line()?;
    let last = String::from_utf8_lossy(&last);
    Ok(unchained(&last).ok().and_then(|(body, ..)| parse(body).ok()))
}
