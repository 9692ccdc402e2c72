//! `arbiter league events`: what has happened in a league, and what happens.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use crate::output::OutputFormat;
use bot::spelt_as_names;
use contest::tournament::folder::shown;
use league::events::{self, StoredEvent};
use league::folder::LeagueFolder;
use text::failure::Failure;
use text::system_error;

/// The time between two looks at the events.
const LOOK: Duration = Duration::from_millis(500);

/// The end of the events that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventsUntil {
    /// The last one so far.
    Now,
    /// None: new ones are written as they happen.
    Stopped,
}

/// Writes the events of a league, of one bot or of all.
pub(crate) fn events(
    path: &Path,
    bot: Option<&str>,
    until: EventsUntil,
    format: OutputFormat,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    folder.read()?;
    let bot = bot.map(spelt_as_names);
    let stop = crate::commands::stop_on_signals(|| {})?;
    let mut place = 0;
    loop {
        let read = events::read_from(&folder, place);
        let (found, next) = read.map_err(|error| {
            Failure::Ours(format!("`{}`: {}", shown(path), system_error(error)))
        })?;
        place = next;
        for StoredEvent { happened, .. } in found {
            if bot.is_some() && happened.event.bot() != bot.as_deref() {
                continue;
            }
            match format {
                OutputFormat::Text => writeln!(out, "{}", happened.event.in_words())?,
                OutputFormat::Json => {
                    writeln!(out, "{}", serde_json::to_string(&happened).unwrap_or_default())?
                }
            }
        }
        out.flush()?;
        if until == EventsUntil::Now {
            return Ok(());
        }
        if stop.set().load(Ordering::SeqCst) {
            let problem = "stopped".to_owned();
            return Err(Failure::Interrupted { problem, code: stop.exit_code() });
        }
        thread::sleep(LOOK);
    }
}
