//! A tournament on a terminal: its standings so far, drawn again in place.
//!
//! They are drawn on the other screen that terminals have for this, and only while games are
//! played: a window may change its size at any time, and what was there before comes back whole.

mod frame;
mod screen;

use std::collections::VecDeque;
use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use frame::{Content, frame};
pub use screen::leave_for_good;
use screen::{Size, size};

use super::pace::{Pace, done};
use super::summary::{tell_begin, tell_news, tell_result};
use crate::output::standings::{Section, rows};
use crate::playing::watcher::{SeriesEvent, Watcher};
use crate::text::colours::Colours;
use crate::text::notice::say;
use crate::tournament::run::TournamentState;

/// How often what is shown is made anew: with many bots the standings take a moment.
const EVERY: Duration = Duration::from_secs(1);

/// A tournament that is over before needs no other screen.
const AT_FIRST: Duration = Duration::from_millis(300);

/// How many of the last faults are shown.
const FAULTS: usize = 3;

/// How many warnings are told at the end.
const WARNINGS: usize = 20;

/// Shows where a tournament stands while it continues, and its result.
pub struct LiveTable<'a> {
    out: &'a mut dyn Write,
    folder: PathBuf,
    colours: Colours,
    pace: Option<Pace>,
    /// When what is shown has to be made anew.
    due: Instant,
    standings: Option<Section>,
    /// How many games the standings were made of.
    made_of: Option<u64>,
    progress: Vec<String>,
    /// What is on the screen.
    drawn: Option<(Size, Vec<String>)>,
    faults: VecDeque<String>,
    /// What is told once the screen is left.
    warnings: Vec<String>,
    more_warnings: usize,
    stage: Stage,
}

/// Whether something is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Games,
    /// The last games are being finished, or there are none.
    Left,
}

impl<'a> LiveTable<'a> {
    /// Whether standard error is a terminal on which a table can be drawn.
    pub fn can_be_seen() -> bool {
        screen::is_there()
    }

    /// A watcher that writes the result to `out`.
    pub fn new(out: &'a mut dyn Write, folder: &Path) -> Self {
        LiveTable {
            out,
            folder: folder.to_owned(),
            colours: Colours::of_stderr(),
            pace: None,
            due: Instant::now() + AT_FIRST,
            standings: None,
            made_of: None,
            progress: Vec::new(),
            drawn: None,
            faults: VecDeque::new(),
            warnings: Vec::new(),
            more_warnings: 0,
            stage: Stage::Games,
        }
    }

    /// Draws what there is in the size that the terminal has now, unless it is there already.
    fn draw(&mut self, state: &TournamentState) {
        if Instant::now() >= self.due {
            self.make_anew(state);
        }
        let Some(Section { title, table, notes }) = &self.standings else { return };
        let content = Content {
            title,
            table,
            notes,
            faults: &self.faults,
            progress: &self.progress,
            done: done(state),
            games: state.games.series.schedule().own_games(),
        };
        let size = size();
        let drawn = Some((size, frame(&content, size, self.colours)));
        if self.drawn != drawn {
            if let Some((_, lines)) = &drawn {
                screen::show(lines);
            }
            self.drawn = drawn;
        }
    }

    fn make_anew(&mut self, state: &TournamentState) {
        if self.made_of != Some(done(state)) {
            self.standings = Some(rows("standings", &state.tally.standings().all));
            self.made_of = Some(done(state));
        }
        if let Some(pace) = &self.pace {
            self.progress = pace.parts(state);
        }
        // From now on, for the standings may have taken long.
        self.due = Instant::now() + EVERY;
    }

    fn warn(&mut self, warning: String) {
        if self.warnings.len() < WARNINGS {
            self.warnings.push(warning);
        } else {
            self.more_warnings += 1;
        }
    }

    /// Goes back to the screen that was there before, and tells there what must not be lost.
    fn leave(&mut self) {
        self.stage = Stage::Left;
        screen::leave();
        mem::take(&mut self.warnings).iter().for_each(say);
        match mem::take(&mut self.more_warnings) {
            0 => {}
            more => say(format!("{more} more warnings")),
        }
    }
}

impl Watcher<TournamentState> for LiveTable<'_> {
    fn on(&mut self, event: SeriesEvent<'_, TournamentState>) -> io::Result<()> {
        match event {
            SeriesEvent::Started(state) => {
                self.pace = Some(Pace::new(state));
                tell_begin(self.out, state)?;
                self.out.flush()
            }
            SeriesEvent::Tick { state, .. } => {
                if self.stage == Stage::Games {
                    self.draw(state);
                }
                Ok(())
            }
            SeriesEvent::Over { state, found: standings } => {
                self.leave();
                tell_result(self.out, state, standings, &self.folder)
            }
            other @ (SeriesEvent::GameOver { .. } | SeriesEvent::Warned { .. }) => {
                let news = tell_news(&other);
                if matches!(other, SeriesEvent::Warned { .. }) {
                    news.iter().for_each(|warning| self.warn(warning.clone()));
                }
                self.faults.extend(news);
                while self.faults.len() > FAULTS {
                    self.faults.pop_front();
                }
                Ok(())
            }
            other @ SeriesEvent::Stopping { .. } => {
                // A second signal finds the terminal as it was.
                self.leave();
                tell_news(&other).iter().for_each(say);
                Ok(())
            }
            SeriesEvent::GameStarted(_)
            | SeriesEvent::Stepped { .. }
            | SeriesEvent::Stopped { .. } => Ok(()),
        }
    }
}

impl Drop for LiveTable<'_> {
    /// Leaves no half-drawn table where the tournament fails.
    fn drop(&mut self) {
        self.leave();
    }
}
