//! A match of many games: a bar while it continues, on a terminal only, and the table at its end.

use std::io::{self, Write};
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use rules::Outcome;
use rules::text::printable;

use crate::output::summary;
use crate::playing::matches::stopped_after;
use crate::playing::watcher::{SeriesEvent, Watcher};
use crate::series::SeriesState;
use crate::series::game_status::GameStatus;
use crate::text::counted;
use crate::text::notice::say;

/// Shows how far a match is, and its totals at the end.
#[derive(Debug)]
pub struct ProgressWatcher<W> {
    out: W,
    log: Option<PathBuf>,
    bar: ProgressBar,
}

impl<W: Write> ProgressWatcher<W> {
    /// A watcher that writes the table to `out`, and the bar to standard error, of a match with this
    /// log, if it has one.
    pub fn new(out: W, log: Option<PathBuf>) -> Self {
        // The library draws nothing if standard error is not a terminal.
        ProgressWatcher { out, log, bar: ProgressBar::no_length() }
    }
}

impl<W: Write> Watcher<SeriesState> for ProgressWatcher<W> {
    fn on(&mut self, event: SeriesEvent<'_, SeriesState>) -> io::Result<()> {
        match event {
            SeriesEvent::Started(state) => {
                let header = state.series.header();
                // Before the bar is drawn for the first time, which would stand in this line.
                writeln!(self.out, "commitment to the seed: {}\n", header.commitment)?;
                self.out.flush()?;
                self.bar.set_length(header.games);
                let games = counted(header.games, "game", "games");
                let style = format!("{{pos}} of {games}  {{wide_bar}}  {{per_sec}}, {{eta}} left");
                self.bar.set_style(ProgressStyle::with_template(&style).map_err(io::Error::other)?);
                Ok(())
            }
            SeriesEvent::GameOver { game, status, .. } => {
                for (seat, fault) in game.result.faults() {
                    if let Some(name) = game.seats.get(seat.index()) {
                        self.bar.println(format!("game {}: {name}, {fault}", game.game));
                    }
                }
                if let Outcome::Void { reason } = &game.result {
                    self.bar.println(format!("game {}: void, {}", game.game, printable(reason)));
                }
                self.bar.inc(u64::from(status == GameStatus::Counts));
                Ok(())
            }
            SeriesEvent::Over { state, found: seed } => {
                self.bar.finish_and_clear();
                let totals = &state.totals;
                let table = summary::table(totals, self.log.as_deref());
                write!(self.out, "{table}\n{}\nseed: {seed}\n", summary::winner(totals))
            }
            SeriesEvent::Stopped { state, found: seed } => {
                self.bar.finish_and_clear();
                let table = summary::table(&state.totals, self.log.as_deref());
                let (played, games) = (state.progress.played(), state.series.header().games);
                writeln!(self.out, "{table}\n{}", stopped_after(played, games))?;
                write!(self.out, "\nseed: {seed}\n")
            }
            SeriesEvent::Warned { name, text } => {
                self.bar.suspend(|| say(format!("warning: {name}: {text}")));
                Ok(())
            }
            SeriesEvent::GameStarted(_)
            | SeriesEvent::Stepped { .. }
            | SeriesEvent::Tick { .. }
            | SeriesEvent::Stopping { .. } => Ok(()),
        }
    }
}
