//! Match logs: the only code that opens them. The normative description is in `protocol.md`.
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

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use rules::{GameRecord, Score, Seed};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::bot::FileDigest;
use crate::digest::Digest;

/// The version of the format that this program writes and reads.
pub const FORMAT: u32 = 1;

/// The longest line that is read, in bytes: more than any game can fill.
const LONGEST_LINE: u64 = 64 * 1024 * 1024;

/// The longest line that ends a log, in bytes.
const LONGEST_END: u64 = 64 * 1024;

/// One line of a log, without its place in the chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    /// The first line.
    Header(Header),
    /// One game.
    Game(Box<GameRecord>),
    /// The last line of a match that was played to its end.
    End(End),
}

/// How a match was set up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the format.
    pub format: u32,
    /// The version of the program that wrote the log.
    pub version: String,
    /// The name of the game.
    pub game: String,
    /// Its options.
    pub options: String,
    /// How many games the match has.
    pub games: u64,
    /// The players: in game g, seat s is taken by player (s + g) modulo their number.
    pub players: Vec<PlayerLine>,
    /// What every answer may take.
    pub limits: LimitsLine,
    /// The digest of the seed, published before the first card.
    pub commitment: Digest,
}

/// One player of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerLine {
    /// Its name.
    pub name: String,
    /// Its command, as it was typed.
    pub command: String,
    /// The digests of the files in the command.
    pub files: Vec<FileDigest>,
}

/// What every answer may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitsLine {
    /// Wall time, in milliseconds.
    pub time_ms: u64,
    /// Standard output, in bytes.
    pub answer_bytes: u64,
    /// Standard error that is kept, in bytes.
    pub stderr_bytes: u64,
}

/// How a match ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// How many games were played.
    pub games: u64,
    /// The points of each player over all games, in the order of the header.
    pub points: Vec<Score>,
    /// The seed, now that nothing more is drawn from it.
    pub seed: Seed,
}

/// What is wrong with a line of a log, whatever game it holds.
#[derive(Debug, Error)]
pub enum BadLine {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The last line has no line feed.
    #[error("is cut off: it has no line end")]
    Torn,
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
    /// It is not one of the lines that a log has.
    #[error("is not a line of a log: {0}")]
    NotALine(String),
}

/// Writes a log, a line at a time.
#[derive(Debug)]
pub struct LogWriter {
    file: File,
    previous: Digest,
}

impl LogWriter {
    /// Starts a log in a new file.
    ///
    /// # Errors
    ///
    /// Fails where the file exists already, or cannot be written.
    pub fn create(path: &Path) -> io::Result<LogWriter> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        Ok(LogWriter { file, previous: Digest::default() })
    }

    /// Appends a line, and leaves it to the operating system before it returns.
    ///
    /// # Errors
    ///
    /// Fails where the file cannot be written; what came before is kept.
    pub fn append(&mut self, line: &Line) -> io::Result<()> {
        let (text, digest) = chained(line, self.previous)?;
        self.file.write_all(text.as_bytes())?;
        self.previous = digest;
        Ok(())
    }
}

/// A line with its place in the chain and its line end, and its digest.
fn chained(line: &Line, previous: Digest) -> io::Result<(String, Digest)> {
    let mut text = serde_json::to_string(line)?;
    text.pop();
    text.push_str(&format!(",\"previous\":\"{previous}\""));
    let digest = Digest::of(text.as_bytes());
    text.push_str(&format!(",\"sha256\":\"{digest}\"}}\n"));
    Ok((text, digest))
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
}

impl LogReader<BufReader<File>> {
    /// Opens a log.
    ///
    /// # Errors
    ///
    /// Fails where the file cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(LogReader::new(BufReader::new(File::open(path)?)))
    }
}

impl<R: BufRead> LogReader<R> {
    /// Reads a log from wherever it lies.
    pub fn new(source: R) -> Self {
        LogReader { source, number: 0, previous: Digest::default() }
    }

    /// The number of the line read last, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The next line; nothing at the end of the log.
    ///
    /// # Errors
    ///
    /// Fails at a line that is torn, changed, out of place or none of a log; the lines after it
    /// are not to be trusted.
    pub fn next_line(&mut self) -> Result<Option<ReadLine>, BadLine> {
        let mut text = Vec::new();
        self.number += 1;
        let mut limited = (&mut self.source).take(LONGEST_LINE);
        match limited.read_until(b'\n', &mut text)? as u64 {
            0 => return Ok(None),
            LONGEST_LINE => return Err(BadLine::TooLong),
            _ if text.pop() != Some(b'\n') => return Err(BadLine::Torn),
            _ => {}
        }
        let text = str::from_utf8(&text).map_err(|_| BadLine::NotALine("not UTF-8".into()))?;
        let (body, previous, digest) = unchained(text)?;
        if previous != self.previous {
            return Err(BadLine::OutOfChain);
        }
        let line = parse(body).map_err(|error| BadLine::NotALine(error.to_string()))?;
        // What is read is what is verified: no spelling of a line but the one that is written.
        if chained(&line, previous)?.0.strip_suffix('\n') != Some(text) {
            return Err(BadLine::NotALine("it is not spelt as lines are written".into()));
        }
        self.previous = digest;
        Ok(Some(ReadLine { number: self.number, line, digest }))
    }
}

/// What a line holds without its last brace, the digest of the line before, and its own.
fn unchained(text: &str) -> Result<(&str, Digest, Digest), BadLine> {
    let (content, own) = text.rsplit_once(",\"sha256\":\"").ok_or(BadLine::NoChain)?;
    let logged =
        own.strip_suffix("\"}").and_then(|own| own.parse().ok()).ok_or(BadLine::NoChain)?;
    let actual = Digest::of(content.as_bytes());
    if actual != logged {
        return Err(BadLine::Changed { actual, logged, line: readable(content) });
    }
    let (body, previous) = content.rsplit_once(",\"previous\":\"").ok_or(BadLine::NoChain)?;
    let previous =
        previous.strip_suffix('"').and_then(|it| it.parse().ok()).ok_or(BadLine::NoChain)?;
    Ok((body, previous, logged))
}

/// What a line that was changed holds now.
fn readable(content: &str) -> Option<Box<Line>> {
    let (body, _) = content.rsplit_once(",\"previous\":\"")?;
    parse(body).ok().map(Box::new)
}

/// A line from its JSON without the last brace.
fn parse(body: &str) -> serde_json::Result<Line> {
    serde_json::from_str(&format!("{body}}}"))
}

/// The seed that the last line of a log reveals, if it does and was not changed; whether the line
/// belongs there is for [`LogReader`] to find.
///
/// # Errors
///
/// Fails where the file cannot be read.
pub fn revealed_seed(path: &Path) -> io::Result<Option<Seed>> {
    let mut file = File::open(path)?;
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(LONGEST_END)))?;
    let mut tail = Vec::new();
    file.take(LONGEST_END).read_to_end(&mut tail)?;
    let tail = String::from_utf8_lossy(&tail);
    let last = tail.lines().next_back().unwrap_or_default();
    let line = unchained(last).ok().and_then(|(body, ..)| parse(body).ok());
    Ok(match line {
        Some(Line::End(end)) => Some(end.seed),
        _ => None,
    })
}
