//! The games of a log, read without deriving them again.

use std::io::{BufRead, BufReader};
use std::path::Path;

use rules::GameRecord;

use super::verify::{NotVerified, check_place, in_game, series, wrong};
use crate::log::{self, BadLine, Followed, Line, LogReader, Source};
use crate::series::Series;
use crate::series::progress::Progress;

/// The games of a log, one after the other, not derived again yet.
#[derive(Debug)]
pub struct Games<R = Source> {
    reader: LogReader<R>,
    series: Series,
    progress: Progress,
    /// The number of the line that a crash has cut off, once it was reached.
    torn: Option<usize>,
}

impl Games<Source> {
    /// Opens a log and reads its header.
    ///
    /// # Errors
    ///
    /// Fails where the file cannot be read or does not begin with a header.
    pub fn open(path: &Path) -> Result<Self, NotVerified> {
        Games::new(log::open(path)?)
    }
}

impl Games<BufReader<Followed>> {
    /// Opens a log that is still being written: at its end, [`next_game`](Games::next_game) waits.
    ///
    /// # Errors
    ///
    /// As for [`open`](Games::open).
    pub fn follow(path: &Path) -> Result<Self, NotVerified> {
        Games::new(log::follow(path)?)
    }
}

impl<R: BufRead> Games<R> {
    /// Reads the header of a log from wherever it lies.
    ///
    /// # Errors
    ///
    /// Fails where it does not begin with a header.
    pub fn new(source: R) -> Result<Self, NotVerified> {
        let mut reader = LogReader::new(source);
        let read = reader.next_line().map_err(|bad| wrong(1, bad))?;
        match read.map(|read| read.line) {
            Some(Line::Header(header)) => {
                let series = series(1, *header)?;
                Ok(Games { reader, progress: Progress::new(&series), series, torn: None })
            }
            Some(_) => Err(wrong(1, "is not the header").into()),
            None => Err(wrong(1, "is missing: the log is empty").into()),
        }
    }

    /// Whether the match has stopped after the last game that was read, without an end.
    pub fn is_stopped(&self) -> bool {
        self.progress.is_void()
    }

    /// The line at which the log was found to be cut off, from 1; what a crash has left of it
    /// counts for nothing.
    pub fn torn(&self) -> Option<usize> {
        self.torn
    }

    /// The games that the header describes.
    pub fn series(&self) -> &Series {
        &self.series
    }

    /// The next game with the number of its line, in its place and with the players on their
    /// seats; nothing after the last one that is whole.
    ///
    /// # Errors
    ///
    /// Fails at a line that is not where it must be or was changed.
    pub fn next_game(&mut self) -> Result<Option<(usize, GameRecord)>, NotVerified> {
        let read = match self.reader.next_line() {
            Err(BadLine::Torn) => {
                self.torn = Some(self.reader.number());
                return Ok(None);
            }
            read => read.map_err(|bad| wrong(self.reader.number(), bad))?,
        };
        match read.map(|read| (read.number, read.line)) {
            Some((number, Line::Game(game))) => {
                check_place(&game, &self.progress, &self.series)
                    .map_err(|problem| in_game(number, &game, problem))?;
                self.progress.add(&self.series, &game);
                Ok(Some((number, *game)))
            }
            Some((number, Line::Header(_))) => Err(wrong(number, "is a header again").into()),
            Some((_, Line::End(_))) | None => Ok(None),
        }
    }
}
