//! The log of a league: the state that follows from its lines, and what tells that it has changed.

use std::fs;
use std::io::BufRead;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use jiff::Timestamp;
use record::{LineError, LogPosition, LogProblem, LogReader};

use crate::line::LeagueLine;
use crate::state::League;

/// A log has not changed while this is the same. Lines are only ever added to it, but a backup may be put in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LogStamp {
    length: u64,
    file: (u64, u64),
    changed: (i64, i64),
}

impl LogStamp {
    /// True if lines may have been added to the log since then, and nothing else.
    pub(crate) fn may_continue(self, earlier: LogStamp) -> bool {
        self.file == earlier.file && self.length > earlier.length
    }

    /// The stamp of a log now; none if it cannot be found.
    pub(crate) fn read(log: &Path) -> Option<LogStamp> {
        let found = fs::metadata(log).ok()?;
        let (file, changed) = ((found.dev(), found.ino()), (found.ctime(), found.ctime_nsec()));
        Some(LogStamp { length: found.len(), file, changed })
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum ReadLimit {
    /// The last whole line.
    Last,
    /// The last line before one of a later time.
    Time(Timestamp),
    /// The last line before this round was announced.
    Round(u64),
}

impl ReadLimit {
    fn is_before(self, line: &LeagueLine) -> bool {
        match (self, line) {
            (ReadLimit::Time(time), LeagueLine::Time(at)) => time.as_second() < *at,
            (ReadLimit::Round(number), LeagueLine::Round(round)) => round.round == number,
            _ => false,
        }
    }
}

#[derive(Debug)]
pub(crate) struct LoadedLeague {
    pub league: League,
    /// The number of an incomplete last line.
    pub torn: Option<usize>,
    /// The place behind the last line.
    pub end: LogPosition,
}

/// Reads the log of a league, or what is left of it after the lines that made this state.
pub(crate) fn read_lines<R: BufRead>(
    lines: &mut LogReader<R>,
    mut league: Option<League>,
    until: ReadLimit,
) -> Result<LoadedLeague, LogProblem> {
    let (mut torn, mut end) = (None, lines.position());
    loop {
        let raw = match lines.next_raw() {
            Ok(Some(raw)) => raw,
            Ok(None) => break,
            Err(LineError::Torn) => {
                torn = Some(lines.number());
                break;
            }
            Err(bad) => return Err(LogProblem::line(lines.number(), bad)),
        };
        let line = raw.parse().map_err(|bad| LogProblem::line(raw.number(), bad))?;
        if until.is_before(&line) {
            break;
        }
        let taken = match &mut league {
            None => League::begin(line, raw.digest()).map(|begun| league = Some(begun)),
            Some(league) => league.take(line, raw.digest()),
        };
        taken.map_err(|problem| LogProblem::line(raw.number(), problem))?;
        end = lines.position();
    }
    let league = league.ok_or_else(|| LogProblem::line(1, "is missing: the log is empty"))?;
    Ok(LoadedLeague { league, torn, end })
}
