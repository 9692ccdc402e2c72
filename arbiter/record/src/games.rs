//! The games of a log, read without deriving them again.

use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::checked_log::{CheckedLog, Extent};
use crate::fold::FoldedGame;
use crate::wrong::NotVerified;
use crate::{Followed, LogReader, Source};
use conditions::series::Series;

/// The games of a log, one after the other, not derived again yet.
#[derive(Debug)]
pub struct Games<R = Source>(CheckedLog<LogReader<R>>);

impl Games<Source> {
    /// Opens a log and reads its header.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or does not begin with a header.
    pub fn open(path: &Path) -> Result<Self, NotVerified> {
        Games::new(crate::open(path)?)
    }
}

impl Games<BufReader<Followed>> {
    /// Opens a log that is still being written: where more can come, [`next_game`](Games::next_game)
    /// waits for it.
    ///
    /// # Errors
    ///
    /// As for [`open`](Games::open).
    pub fn follow(path: &Path) -> Result<Self, NotVerified> {
        Games::begin(crate::follow(path)?, Extent::Growing)
    }
}

impl<R: BufRead> Games<R> {
    /// Reads the header of a log from wherever it lies.
    ///
    /// # Errors
    ///
    /// Fails if it does not begin with a header.
    pub fn new(source: R) -> Result<Self, NotVerified> {
        Games::begin(source, Extent::SoFar)
    }

    fn begin(source: R, extent: Extent) -> Result<Self, NotVerified> {
        Ok(Games(CheckedLog::begin(LogReader::new(source), extent, None)?))
    }

    /// The line at which the log was found to be cut off, from 1; what a crash has left of it
    /// counts for nothing.
    pub fn torn(&self) -> Option<usize> {
        self.0.torn()
    }

    /// The games that the header describes.
    pub fn series(&self) -> &Series {
        self.0.fold().series()
    }

    /// The next game, in its place and with the players on their seats; nothing after the last one
    /// that is whole.
    ///
    /// # Errors
    ///
    /// Fails at a line that is not where it must be or was changed.
    pub fn next_game(&mut self) -> Result<Option<FoldedGame<()>>, NotVerified> {
        Ok(self.0.next_game(|_, _, ()| Ok(()))?)
    }
}
