//! The games of a log, read without deriving them again.

use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::checked_log::{CheckedLog, LogRange};
use crate::fold::FoldedGame;
use crate::private::StderrVisibility;
use crate::wrong::BadLog;
use crate::{Followed, LogReader, Source};
use series::Series;
use text::terminal::say;

/// A reader of the games of a log, which are not derived again.
#[derive(Debug)]
pub struct Games<R = Source>(CheckedLog<LogReader<R>>);

impl Games<Source> {
    /// Opens a log with the private texts beside it, and reads its header.
    pub fn open(path: &Path) -> Result<Self, BadLog> {
        let lines = LogReader::new(crate::open(path)?).with_stderr(path, StderrVisibility::Shown);
        Games::begin(lines, LogRange::SoFar)
    }
}

impl Games<BufReader<Followed>> {
    /// Opens a log that is still being written: [`next_game`](Games::next_game) waits for more lines.
    ///
    /// # Errors
    ///
    /// As for [`open`](Games::open).
    pub fn follow(path: &Path) -> Result<Self, BadLog> {
        let lines =
            LogReader::new(Followed::open(path)?).with_stderr(path, StderrVisibility::Shown);
        Games::begin(lines, LogRange::Growing)
    }
}

impl<R: BufRead> Games<R> {
    /// Reads the header of a log from any source.
    pub fn new(source: R) -> Result<Self, BadLog> {
        Games::begin(LogReader::new(source), LogRange::SoFar)
    }

    fn begin(lines: LogReader<R>, extent: LogRange) -> Result<Self, BadLog> {
        Ok(Games(CheckedLog::begin(lines, extent, None)?))
    }

    /// The games that the header describes.
    pub fn series(&self) -> &Series {
        self.0.fold().series()
    }

    /// The next game, checked to be in its place with each player on the right seat; nothing after the last
    /// whole line.
    pub fn next_game(&mut self) -> Result<Option<FoldedGame<()>>, BadLog> {
        Ok(self.0.next_game(|_, _, ()| Ok(()))?)
    }
    /// The next game, as by [`next_game`](Games::next_game), with a warning on standard error if the last
    /// line of the log, called `name`, was cut off.
    ///
    /// # Errors
    ///
    /// As for [`next_game`](Games::next_game).
    pub fn next_whole_game(&mut self, name: &str) -> Result<Option<FoldedGame<()>>, BadLog> {
        let next = self.next_game()?;
        if let (None, Some(line)) = (&next, self.0.torn()) {
            say(format!("warning: {name}: ends in the middle of line {line}, it is not finished"));
        }
        Ok(next)
    }
}
