//! A tournament on a terminal: its standings so far, drawn again in place.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::pace::{Pace, done};
use super::summary::{tell_begin, tell_news, tell_result};
use crate::report::standings;
use crate::tournament::run::{Event, Progress, Watcher};

/// How often the standings are made anew: with many bots they take a moment.
const EVERY: Duration = Duration::from_secs(1);

/// How many of the last faults are shown.
const FAULTS: usize = 3;

/// Shows where a tournament stands while it goes on, and its result.
pub struct LiveTable<'a> {
    out: &'a mut dyn Write,
    folder: PathBuf,
    bar: ProgressBar,
    pace: Option<Pace>,
    last: Option<Instant>,
    /// How many games the table was made of.
    shown: Option<u64>,
    faults: VecDeque<String>,
}

impl<'a> LiveTable<'a> {
    /// Whether standard error is a terminal, where it is drawn.
    pub fn can_be_seen() -> bool {
        !ProgressDrawTarget::stderr().is_hidden()
    }

    /// A watcher that writes the result to `out`.
    ///
    /// # Errors
    ///
    /// Never, as long as the library understands the template of the line.
    pub fn new(out: &'a mut dyn Write, folder: &Path) -> io::Result<Self> {
        let style = ProgressStyle::with_template("{msg}\n{wide_bar}").map_err(io::Error::other)?;
        let bar = ProgressBar::no_length().with_style(style);
        let folder = folder.to_owned();
        let faults = VecDeque::new();
        Ok(LiveTable { out, folder, bar, pace: None, last: None, shown: None, faults })
    }

    fn draw(&mut self, progress: &Progress) {
        let due = self.last.is_none_or(|last| last.elapsed() >= EVERY);
        if !due || self.shown == Some(done(progress)) {
            return;
        }
        self.last = Some(Instant::now());
        self.shown = Some(done(progress));
        let mut lines = standings::table(&progress.tally.standings().all);
        for fault in &self.faults {
            lines.push_str(&format!("{fault}\n"));
        }
        if let Some(pace) = &self.pace {
            lines.push_str(&pace.line(progress));
        }
        self.bar.set_position(done(progress));
        self.bar.set_message(lines);
    }
}

impl Watcher for LiveTable<'_> {
    fn on(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Started(progress) => {
                self.pace = Some(Pace::new(progress));
                self.bar.set_length(progress.series.schedule().own_games());
                self.bar.suspend(|| tell_begin(self.out, progress))?;
                self.out.flush()
            }
            Event::Tick { progress, .. } => {
                self.draw(progress);
                Ok(())
            }
            Event::Over { progress, standings } => {
                self.bar.finish_and_clear();
                tell_result(self.out, progress, standings, &self.folder)
            }
            other @ Event::GameOver { .. } => {
                self.faults.extend(tell_news(&other));
                while self.faults.len() > FAULTS {
                    self.faults.pop_front();
                }
                Ok(())
            }
            other => {
                for news in tell_news(&other) {
                    self.bar.println(news);
                }
                Ok(())
            }
        }
    }
}

impl Drop for LiveTable<'_> {
    /// Leaves no half-drawn table where the tournament fails.
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
