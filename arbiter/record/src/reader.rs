//! Reading a log line by line.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use rules::Digest;
use sandbox::file;
use series::header::CommittedSeed;

use crate::growing_log::WholeLines;
use crate::gzip::MemberStart;
use crate::line::{
    LONGEST_LINE, Line, LineContent, LineError, LogProblem, RawLine, parse, unchained,
};
use crate::source::{LastLineSource, LogFile};
use crate::stderr_texts::{StderrSource, StderrVisibility};

/// A line of a log, unchanged and in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct LogLine {
    pub number: usize,
    pub line: Line,
    /// Its digest, which is the head of the log if it is the last line.
    pub digest: Digest,
}

/// Reads a log line by line, and checks the chain on the way.
#[derive(Debug)]
pub struct LogReader<R> {
    pub(crate) source: R,
    number: usize,
    pub(crate) previous: Digest,
    /// The length of all lines that were read whole, in bytes.
    pub(crate) whole: u64,
    /// The number of games in the lines that were parsed.
    pub(crate) games: u64,
    stderr: StderrSource,
}

impl<R: BufRead> LogReader<R> {
    /// Reads a log from any source.
    pub fn new(source: R) -> Self {
        LogReader {
            source,
            number: 0,
            previous: Digest::default(),
            whole: 0,
            games: 0,
            stderr: StderrSource::Lines,
        }
    }

    /// The same games with what bots wrote to standard error, as far as it is in this log or beside it, or without
    /// any of it.
    #[must_use]
    pub fn with_stderr(self, log: &Path, visibility: StderrVisibility) -> Self {
        LogReader { stderr: StderrSource::for_log(log, visibility), ..self }
    }

    /// The number of the line read last, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The length of all lines read so far, in bytes.
    pub fn bytes(&self) -> u64 {
        self.whole
    }

    /// The place behind the line read last. A compressed log is read from its beginning to find it again;
    /// [`mark`](LogReader::mark) has a faster place.
    pub fn position(&self) -> LogPosition {
        let (bytes, number, previous) = (self.whole, self.number, self.previous);
        LogPosition { bytes, number, previous, member: MemberStart::default() }
    }

    /// The next line; nothing at the end of the log.
    ///
    /// # Errors
    ///
    /// Fails at a line that is torn, changed, out of place or none of a log; the lines after it
    /// are not to be trusted.
    pub fn next_line(&mut self) -> Result<Option<LogLine>, LineError> {
        let before = self.whole;
        let Some(raw) = self.next_raw()? else { return Ok(None) };
        let mut line = raw.parse().and_then(formed).inspect_err(|_| self.whole = before)?;
        if let Line::Game(game) = &mut line {
            self.stderr.apply(game);
        }
        self.games += u64::from(line.is_game());
        Ok(Some(LogLine { number: raw.number(), line, digest: raw.digest() }))
    }

    /// Reads what is left up to the last whole line.
    pub(crate) fn skip_the_rest(&mut self) -> Result<(), LogProblem> {
        loop {
            match self.next_line() {
                Ok(Some(_)) => {}
                Ok(None) | Err(LineError::Torn) => return Ok(()),
                Err(bad) => return Err(LogProblem::line(self.number, bad)),
            }
        }
    }

    /// The next line, with only its place in the chain checked; nothing at the end of the log.
    pub fn next_raw(&mut self) -> Result<Option<RawLine>, LineError> {
        let mut text = Vec::new();
        self.number += 1;
        let mut limited = (&mut self.source).take(LONGEST_LINE);
        match limited.read_until(b'\n', &mut text)? as u64 {
            0 => {
                // More may be written, and it is the number of that line then.
                self.number -= 1;
                return Ok(None);
            }
            LONGEST_LINE => return Err(LineError::TooLong),
            _ if text.pop() != Some(b'\n') => return Err(LineError::Torn),
            _ => {}
        }
        let text = String::from_utf8(text).map_err(|_| LineError::not_a_line("not UTF-8"))?;
        let raw = RawLine::chained(self.number, text, self.previous)?;
        self.previous = raw.digest();
        self.whole += raw.length() as u64 + 1;
        Ok(Some(raw))
    }
}

impl LogReader<BufReader<WholeLines>> {
    /// The place behind the line read last.
    pub fn mark(&self) -> LogPosition {
        LogPosition { member: self.source.get_ref().member(), ..self.position() }
    }
}

/// A place in a log from which it is read again without the lines before. It has the digest of the line
/// before it, which the next line must still follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogPosition {
    /// Its distance from the beginning of the log, in bytes.
    bytes: u64,
    /// The number of the line before it, from 1.
    number: usize,
    /// The digest of that line.
    previous: Digest,
    /// If the log is compressed, a member from which on the place can be found.
    member: MemberStart,
}

impl LogPosition {
    /// The number of bytes before this place.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The number of bytes between this place and a later one.
    pub fn bytes_to(&self, later: &LogPosition) -> u64 {
        later.bytes.saturating_sub(self.bytes)
    }

    /// The lines of a log from this place on.
    pub fn open(&self, path: &Path) -> io::Result<LogReader<LogFile>> {
        let LogPosition { bytes, number, previous, member } = *self;
        let source = LogFile::behind(file::open(path)?, bytes, member)?;
        Ok(LogReader {
            source,
            number,
            previous,
            whole: bytes,
            games: 0,
            stderr: StderrSource::Lines,
        })
    }
}

/// A line whose lists fit together, so that no reader meets a seat without a score or a name. Their number of seats
/// is compared with the header's when the log is [checked](crate::checked_log).
///
/// Verification derives a game before it looks at this, and then says what was changed.
fn formed(line: Line) -> Result<Line, LineError> {
    match &line {
        Line::Game(game) => game.check_form(game.seats.len()).map_err(|problem| {
            LineError::not_a_line(format_args!("in game {}, {problem}", game.game))
        })?,
        Line::Header(_) | Line::End(_) => {}
    }
    Ok(line)
}

/// The seed that the last line of a log reveals, if the line is intact. [`LogReader`] checks that the line
/// belongs there.
///
/// # Errors
///
/// Fails if the log cannot be read; it is left at its beginning.
pub fn revealed_seed(source: &mut impl LastLineSource) -> io::Result<Option<CommittedSeed>> {
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
pub fn last_line_of(source: &mut impl LastLineSource) -> io::Result<Option<Line>> {
    let last = source.last_line()?;
    let last = String::from_utf8_lossy(&last);
    Ok(unchained(&last).ok().and_then(|(body, ..)| parse(body).ok()))
}
