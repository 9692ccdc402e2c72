//! Match logs: the only code that opens them. The normative description is in
//! `docs/reference/log.md`.
//!
//! A log is lines of JSON: a header, a line for each game, and an end. Every line closes with the
//! digest of the line before and its own, so that a line that was changed, removed, doubled or
//! moved is found without knowing any game:
//!
//! ```text
//! {"game":{…},"previous":"<sha256 of the line before>","sha256":"<…>"}
//! ```
//!
//! `sha256` is the digest of everything in its line before `,"sha256"`; `previous` repeats that
//! of the line before, 64 zeros in the first. A line is written whole. A last line without its
//! line feed is what a crash leaves, and counts for nothing.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use rules::GameRecord;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use text::system_error;
use thiserror::Error;

use conditions::series::{End, FORMAT, Header};
use rules::Digest;
use sandbox::file::{self, Opened};

pub mod checked_log;
pub mod cut_off;
pub mod fold;
mod follow;
mod games;
mod last;
mod mark;
mod own;
mod revealed;
pub mod verify;
mod whole_lines;
mod writer;
mod wrong;
pub use follow::{Followed, follow};
pub use games::Games;
pub use last::{LastLog, LastLogWriter};
pub use mark::Mark;
pub use revealed::{last_line_of, revealed_seed};
pub use whole_lines::WholeLines;
pub use writer::{LogWriter, NotResumed};
pub use wrong::{NotVerified, Wrong};

/// The longest line that is read, in bytes: more than any game can fill.
const LONGEST_LINE: u64 = 64 * 1024 * 1024;

/// The most that is read from a pipe, in bytes.
const LONGEST_STREAM: u64 = 64 << 30;

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

/// What a line of a chained log holds. The lines of matches and tournaments are [`Line`]; other logs
/// have lines of their own in the same chain.
pub trait Content: Serialize + DeserializeOwned {
    /// The version of the format that is read.
    const FORMAT: u32;

    /// The key of the line that says which version a log has.
    const FIRST: &'static str;

    /// Whether it is a game.
    fn is_game(&self) -> bool;
}

impl Content for Line {
    const FORMAT: u32 = FORMAT;
    const FIRST: &'static str = "header";

    fn is_game(&self) -> bool {
        matches!(self, Line::Game(_))
    }
}

/// What is wrong with a line of a log, whatever game it holds.
#[derive(Debug, Error)]
pub enum BadLine {
    /// The file cannot be read.
    #[error("cannot be read: {}", system_error(.0))]
    Unreadable(#[from] io::Error),
    /// The last line has no line feed.
    #[error("is cut off: it has no line end")]
    Torn,
    /// The line ends as on another system.
    #[error("ends in a carriage return: the line ends were changed, expected line feeds alone")]
    OtherLineEnd,
    /// The line is longer than any can be.
    #[error("is longer than {LONGEST_LINE} bytes")]
    TooLong,
    /// It does not end as every line does.
    #[error("does not end in `,\"previous\":\"…\",\"sha256\":\"…\"}}`")]
    NoChain,
    /// The line is not what it was when its digest was made.
    #[error("was changed since it was written: its digest is {actual}, the line says {logged}")]
    Changed {
        /// The digest of the line as it is.
        actual: Digest,
        /// The digest in the line.
        logged: Digest,
        /// What the line holds now, if it can still be read.
        line: Option<Box<Line>>,
    },
    /// A line is missing before it, or came from elsewhere.
    #[error("does not follow the line before: a line was removed, doubled or moved")]
    OutOfChain,
    /// It is a header of a format that this program does not read.
    #[error("has format {found}, expected {expected}")]
    OtherFormat {
        /// The format that it has.
        found: u64,
        /// The one that is read.
        expected: u32,
    },
    /// It is not one of the lines that a log has.
    #[error("is not a line of a log: {0}")]
    NotALine(String),
}

/// A line of a log that stands where it was written, unchanged.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadLine {
    /// Its number, from 1.
    pub number: usize,
    /// What it holds.
    pub line: Line,
    /// Its digest: that of the whole log, if it is the last line.
    pub digest: Digest,
}

/// Reads a log line by line, and checks the chain on the way.
#[derive(Debug)]
pub struct LogReader<R> {
    source: R,
    number: usize,
    previous: Digest,
    /// How many bytes the lines have that were read whole.
    whole: u64,
    /// How many games are in those that were understood.
    games: u64,
}

/// A log that lies in a file.
pub type Source = BufReader<File>;

/// Opens a log; what comes through a pipe is copied to a file without a name first, since the seed
/// in its last line is needed for its first.
///
/// # Errors
///
/// Fails if it cannot be read, and where it is neither a regular file nor a stream that this
/// process has open.
pub fn open(path: &Path) -> io::Result<Source> {
    Ok(BufReader::new(match file::open_or_stream(path)? {
        Opened::Regular(file) => file,
        Opened::Stream(stream) => copied(stream)?,
    }))
}

/// What comes through a pipe, up to the first line that is out of the chain: nothing is read after
/// that one, and what never ends would fill the disk.
fn copied(stream: File) -> io::Result<File> {
    let mut copy = BufWriter::new(tempfile::tempfile()?);
    let mut source = BufReader::new(stream.take(LONGEST_STREAM));
    let mut previous = Digest::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        source.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        copy.write_all(&line)?;
        let text = line.strip_suffix(b"\n").and_then(|text| std::str::from_utf8(text).ok());
        match text.map(unchained) {
            Some(Ok((_, before, own))) if before == previous => previous = own,
            _ => break,
        }
    }
    if source.get_ref().limit() == 0 {
        return Err(file::too_long(LONGEST_STREAM));
    }
    let mut copy = copy.into_inner().map_err(io::IntoInnerError::into_error)?;
    copy.rewind()?;
    Ok(copy)
}

impl<R: BufRead> LogReader<R> {
    /// Reads a log from wherever it lies.
    pub fn new(source: R) -> Self {
        LogReader { source, number: 0, previous: Digest::default(), whole: 0, games: 0 }
    }

    /// The number of the line read last, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// How many bytes the lines have that were read so far.
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
        let line: Line = raw.parse().inspect_err(|_| self.whole = before)?;
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

    /// The next line as it stands, of which only its place in the chain was checked; nothing at the
    /// end of the log.
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

/// A line of a log that stands where it was written, not yet understood.
#[derive(Debug)]
pub struct RawLine {
    number: usize,
    text: String,
    /// How many bytes of it come before its place in the chain.
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

    /// How many bytes it has.
    pub fn length(&self) -> usize {
        self.text.len()
    }

    /// What it holds.
    ///
    /// # Errors
    ///
    /// Fails if it is none of the lines of a log, or spelt as none is written.
    pub fn parse<C: Content>(&self) -> Result<C, BadLine> {
        let body = &self.text[..self.body];
        let line: C = parse(body).map_err(|error| match other_format::<C>(body) {
            Some(found) => BadLine::OtherFormat { found, expected: C::FORMAT },
            None => BadLine::NotALine(error.to_string()),
        })?;
        // What is read is what is verified: no spelling of a line but the one that is written.
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

/// What a line holds without its last brace, the digest of the line before, and its own.
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

/// What is wrong with a line, which may be its line end alone.
fn with_line_end(bad: BadLine, text: &str) -> BadLine {
    match text.strip_suffix('\r').map(unchained) {
        Some(Ok(_)) => BadLine::OtherLineEnd,
        Some(Err(_)) | None => bad,
    }
}

/// What a line that was changed holds now.
fn readable(content: &str) -> Option<Box<Line>> {
    let (body, _) = content.rsplit_once(",\"previous\":\"")?;
    parse(body).ok().map(Box::new)
}

/// A line from its JSON without the last brace.
fn parse<C: Content>(body: &str) -> serde_json::Result<C> {
    serde_json::from_str(&format!("{body}}}"))
}

/// The format that a first line says it has, if it is not the one that is read: then nothing else in
/// it need be as expected.
fn other_format<C: Content>(body: &str) -> Option<u64> {
    let line: serde_json::Value = serde_json::from_str(&format!("{body}}}")).ok()?;
    line.get(C::FIRST)?.get("format")?.as_u64().filter(|&format| format != u64::from(C::FORMAT))
}
