//! A watcher that keeps the log of a match as the last one of its user.

use std::io;

use crate::playing::watcher::{SeriesEvent, Watcher};
use record::{LastLog, LastLogWriter, Line};

/// A watcher that keeps the log of a match as its user's last one, and passes on all events.
pub struct Keeping<'a> {
    watcher: &'a mut dyn Watcher,
    log: Option<LastLogWriter>,
}

impl<'a> Keeping<'a> {
    /// Keeps the log in this place, if given.
    pub fn new(watcher: &'a mut dyn Watcher, place: Option<LastLog>) -> Self {
        Keeping { watcher, log: place.map(LastLogWriter::new) }
    }

    /// Makes this log the last one of the user. Returns true on success.
    pub fn keep(self) -> bool {
        self.log.is_some_and(LastLogWriter::keep)
    }
}

impl Watcher for Keeping<'_> {
    fn on(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
        if let Some(log) = &mut self.log {
            match &event {
                SeriesEvent::Started(state) => {
                    log.append(&Line::Header(Box::new(state.games.series.header().clone())));
                }
                SeriesEvent::GameOver { game, .. } => {
                    log.append(&Line::Game(Box::new((*game).clone())));
                }
                SeriesEvent::Over { state, seed } => log.append(&Line::End(state.games.end(seed))),
                _ => {}
            }
        }
        self.watcher.on(event)
    }
}
