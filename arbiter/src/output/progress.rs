//! A match of many games: a bar while it continues, on a terminal only, and the table at its end.

use std::io::{self, Write};
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use rules::Outcome;
use rules::text::printable;

use crate::output::summary;
use crate::playing::matches::{Event, Watcher, stopped_after};
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

impl<W: Write> Watcher for ProgressWatcher<W> {
    fn on(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::MatchStarted(header) => {
                self.bar.set_length(header.games);
                let games = counted(header.games, "game", "games");
                let style = format!("{{pos}} of {games}  {{wide_bar}}  {{per_sec}}, {{eta}} left");
                self.bar.set_style(ProgressStyle::with_template(&style).map_err(io::Error::other)?);
                writeln!(self.out, "commitment to the seed: {}\n", header.commitment)
            }
            Event::GameOver { game, status, .. } => {
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
            Event::MatchOver { totals, seed } => {
                self.bar.finish_and_clear();
                let table = summary::table(totals, self.log.as_deref());
                write!(self.out, "{table}\n{}\nseed: {seed}\n", summary::winner(totals))
            }
            Event::MatchStopped { played, games, totals, seed } => {
                self.bar.finish_and_clear();
                let table = summary::table(totals, self.log.as_deref());
                writeln!(self.out, "{table}\n{}", stopped_after(played, games))?;
                write!(self.out, "\nseed: {seed}\n")
            }
            Event::Warned { name, text } => {
                self.bar.suspend(|| say(format!("warning: {name}: {text}")));
                Ok(())
            }
            Event::GameStarted(_) | Event::Stepped { .. } => Ok(()),
        }
    }
}
