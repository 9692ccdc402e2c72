//! A tournament that no one watches on a terminal: a line now and then, and the end.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::pace::Pace;
use super::summary::{leaders, tell_begin, tell_news, tell_result};
use crate::playing::watcher::{SeriesEvent, Watcher};
use crate::text::notice::say;
use crate::tournament::run::TournamentState;

/// How often a line says how far it is.
const EVERY: Duration = Duration::from_secs(10);

/// Tells how far a tournament is, every ten seconds on standard error, and its result.
pub struct Lines<'a> {
    out: &'a mut dyn Write,
    folder: PathBuf,
    pace: Option<Pace>,
    last: Instant,
}

impl<'a> Lines<'a> {
    /// A watcher that writes the result to `out`.
    pub fn new(out: &'a mut dyn Write, folder: &Path) -> Self {
        Lines { out, folder: folder.to_owned(), pace: None, last: Instant::now() }
    }
}

impl Watcher<TournamentState> for Lines<'_> {
    fn on(&mut self, event: SeriesEvent<'_, TournamentState>) -> io::Result<()> {
        match event {
            SeriesEvent::Started(state) => {
                self.pace = Some(Pace::new(state));
                tell_begin(self.out, state)?;
                self.out.flush()
            }
            SeriesEvent::Tick { state, .. } if self.last.elapsed() >= EVERY => {
                self.last = Instant::now();
                if let Some(pace) = &self.pace {
                    say(format!("{}; {}", pace.line(state), leaders(state)));
                }
                Ok(())
            }
            SeriesEvent::Over { state, found: standings } => {
                tell_result(self.out, state, standings, &self.folder)
            }
            SeriesEvent::Tick { .. } => Ok(()),
            other => {
                tell_news(&other).iter().for_each(say);
                Ok(())
            }
        }
    }
}
