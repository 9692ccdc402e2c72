//! A log read line by line, with each line checked by the [fold](super::fold).

use std::io::BufRead;

use rules::GameRecord;
use thiserror::Error;

use crate::fold::{Fold, FoldedGame};
use crate::line::{BadLog, LogProblem};
use crate::{BadLine, LogReader, ReadLine};
use series::committed_seed::CommittedSeed;

/// The extent of a log that its reader expects.
#[derive(Debug, Clone, PartialEq)]
pub enum LogRange {
    /// To its end, which reveals the seed.
    Whole,
    /// Up to the place from which another log continues with the same seed, which is revealed there. A last
    /// line that a crash cut off counts for nothing, and the next log says so.
    Continued(CommittedSeed),
    /// To its end, which does not reveal the seed: the log of a shard, whose seed is known from elsewhere.
    Apart(CommittedSeed),
    /// As far as it is written: a last line that was cut off counts for nothing.
    SoFar,
    /// As [`SoFar`](LogRange::SoFar), while more may be written. The reader does not wait for lines after its
    /// end, or where it had to stop without one.
    Growing,
}

impl LogRange {
    fn is_whole(&self) -> bool {
        matches!(self, LogRange::Whole | LogRange::Apart(_))
    }
}

/// A source of the lines of a log, in order.
pub trait Lines {
    /// Additional result for each line.
    type With;

    /// The next line; nothing at the end of the log. `before` is what was read up to there, unless
    /// it is the first one.
    fn next(&mut self, before: Option<&Fold>) -> Result<Option<(ReadLine, Self::With)>, BadLine>;

    /// The number of the line read last, from 1.
    fn number(&self) -> usize;
}

impl<R: BufRead> Lines for LogReader<R> {
    type With = ();

    fn next(&mut self, _before: Option<&Fold>) -> Result<Option<(ReadLine, ())>, BadLine> {
        Ok(self.next_line()?.map(|read| (read, ())))
    }

    fn number(&self) -> usize {
        LogReader::number(self)
    }
}

impl<L: Lines> Lines for &mut L {
    type With = L::With;

    fn next(&mut self, before: Option<&Fold>) -> Result<Option<(ReadLine, L::With)>, BadLine> {
        L::next(self, before)
    }

    fn number(&self) -> usize {
        L::number(self)
    }
}

/// The reason why a log cannot be read any further.
#[derive(Debug, Error)]
pub enum LogError {
    #[error("line 1 is missing: the log is empty")]
    Empty,
    #[error("line {line} {bad}")]
    Line { line: usize, bad: BadLine },
    #[error(transparent)]
    Wrong(#[from] LogProblem),
}

impl LogError {
    /// Returns true if the log has no whole line.
    pub fn is_empty(&self) -> bool {
        matches!(self, LogError::Empty | LogError::Line { line: 1, bad: BadLine::Torn })
    }
}

impl From<LogError> for LogProblem {
    fn from(broken: LogError) -> LogProblem {
        match broken {
            LogError::Empty => LogProblem::line(1, "is missing: the log is empty"),
            LogError::Line { line, bad } => LogProblem::line(line, bad),
            LogError::Wrong(wrong) => wrong,
        }
    }
}

impl From<LogError> for BadLog {
    fn from(broken: LogError) -> BadLog {
        BadLog::Wrong(broken.into())
    }
}

/// A log with each line checked against the lines before it.
#[derive(Debug)]
pub struct CheckedLog<L> {
    lines: L,
    extent: LogRange,
    fold: Fold,
    torn: Option<usize>,
}

impl<L: Lines> CheckedLog<L> {
    /// Reads the header of a log; `seed` is its seed, where that is known before.
    pub fn begin(
        mut lines: L,
        extent: LogRange,
        seed: Option<&CommittedSeed>,
    ) -> Result<Self, LogError> {
        let first = lines.next(None);
        let first = first.map_err(|bad| LogError::Line { line: lines.number(), bad })?;
        let (first, _) = first.ok_or(LogError::Empty)?;
        let fold = Fold::begin(first, seed)?;
        Ok(CheckedLog { lines, extent, fold, torn: None })
    }

    /// The next game; nothing after the last one. `check` is the reader's own check of a game.
    pub fn next_game<T>(
        &mut self,
        mut check: impl FnMut(&Fold, &GameRecord, L::With) -> Result<T, String>,
    ) -> Result<Option<FoldedGame<T>>, LogError> {
        while !(self.extent == LogRange::Growing && self.fold.is_closed()) {
            let Some((read, with)) = self.next_line()? else { break };
            let taken = self.fold.take(read, |fold, game| check(fold, game, with))?;
            if taken.is_some() {
                return Ok(taken);
            }
        }
        if self.extent.is_whole() {
            self.fold.check_whole()?;
        }
        Ok(None)
    }

    fn next_line(&mut self) -> Result<Option<(ReadLine, L::With)>, LogError> {
        match self.lines.next(Some(&self.fold)) {
            Err(BadLine::Torn) if !self.extent.is_whole() => {
                self.torn = Some(self.lines.number());
                Ok(None)
            }
            read => read.map_err(|bad| LogError::Line { line: self.lines.number(), bad }),
        }
    }

    /// The source of the lines.
    pub fn lines(&self) -> &L {
        &self.lines
    }

    /// The state after the lines read so far.
    pub fn fold(&self) -> &Fold {
        &self.fold
    }

    /// Ends reading, and returns the state after the lines read so far.
    pub fn into_fold(self) -> Fold {
        self.fold
    }

    /// The line at which the log was found to be cut off, from 1.
    pub(crate) fn torn(&self) -> Option<usize> {
        self.torn
    }
}
