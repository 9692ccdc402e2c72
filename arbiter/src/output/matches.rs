//! A match: a bar while it continues, or lines where there is no terminal, and the table at its end.

use std::io::{self, Write};

use indicatif::{ProgressBar, ProgressStyle};
use rules::Outcome;

use crate::output::move_costs::MoveCosts;
use crate::output::progress_bar::GameLines;
pub(crate) use crate::output::series_lines::JsonWatcher;
use bot::sandboxed::SandboxedBots;
use contest::playing::match_text::{self, Help, KeptLog, TextWatcher};
use contest::playing::matches::stopped_after;
use contest::playing::series_runner::{SeriesEvent, Watcher};
use series::game_status::GameStatus;
use text::terminal::say;
use text::{counted, printable};

/// Shows the progress of a match, and its totals at the end.
#[derive(Debug)]
pub(crate) struct ProgressWatcher<W> {
    out: W,
    help: Help,
    bar: ProgressBar,
    lines: GameLines,
    costs: MoveCosts,
}

impl<W: Write> ProgressWatcher<W> {
    /// A watcher that writes the table to `out`, and the progress to standard error.
    pub(crate) fn new(out: W, help: Help, costs: MoveCosts) -> Self {
        // The library draws nothing if standard error is not a terminal.
        let bar = ProgressBar::no_length();
        ProgressWatcher { out, help, bar, lines: GameLines::start(0, ""), costs }
    }
}

impl<W: Write> Watcher for ProgressWatcher<W> {
    fn on(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
        match event {
            SeriesEvent::Started(state) => {
                let header = state.games.series.header();
                // Before the bar is drawn for the first time, which would stand in this line.
                writeln!(self.out, "seed commitment: {}\n", header.commitment)?;
                self.out.flush()?;
                self.bar.set_length(header.games);
                self.lines = GameLines::start(header.games, "");
                let games = counted(header.games, "game", "games");
                let style = format!("{{pos}} of {games}  {{wide_bar}}  {{per_sec}}, {{eta}} left");
                self.bar.set_style(ProgressStyle::with_template(&style).map_err(io::Error::other)?);
                Ok(())
            }
            SeriesEvent::GameOver { game, status, state } => {
                for (seat, fault) in game.result.faults() {
                    if let Some(name) = game.seats.get(seat.index()) {
                        self.bar.println(format!("game {}: {name}, {fault}", game.game));
                    }
                }
                if let Outcome::Void { reason } = &game.result {
                    self.bar.println(format!("game {}: void, {}", game.game, printable(reason)));
                }
                if status == GameStatus::Counts {
                    self.bar.inc(1);
                    let (played, games) =
                        (state.games.progress.played(), state.games.series.header().games);
                    self.lines.done(played);
                    if played == 1
                        && let Some(cost) = self.costs.line(game, games.saturating_sub(played))
                    {
                        self.bar.suspend(|| say(cost));
                    }
                }
                Ok(())
            }
            SeriesEvent::Over { state, seed } => {
                self.bar.finish_and_clear();
                let totals = &state.games.totals;
                let table = match_text::table(totals, &self.help);
                write!(self.out, "{table}\n{}\nseed: {seed}\n", match_text::winner(totals))
            }
            SeriesEvent::Stopped { state, seed } => {
                self.bar.finish_and_clear();
                let table = match_text::table(&state.games.totals, &self.help);
                let (played, games) =
                    (state.games.progress.played(), state.games.series.header().games);
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

/// Makes sure that the seed of a stopped match is shown: without it, the cards cannot be checked.
pub(crate) struct InterruptionNote<'a> {
    watcher: Box<dyn Watcher + 'a>,
    sandboxed: SandboxedBots,
}

impl<'a> InterruptionNote<'a> {
    /// If `watcher` cannot write at the end of a match, the end is shown on standard error.
    pub(crate) fn new(watcher: Box<dyn Watcher + 'a>, sandboxed: SandboxedBots) -> Self {
        InterruptionNote { watcher, sandboxed }
    }
}

impl Watcher for InterruptionNote<'_> {
    fn on(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
        let (state, seed) = match event {
            SeriesEvent::Over { state, seed } | SeriesEvent::Stopped { state, seed } => {
                (state, seed)
            }
            other => return self.watcher.on(other),
        };
        self.watcher.on(event).inspect_err(|_| {
            // If standard error is gone as well, there is nowhere left to write.
            let help = Help { log: KeptLog::Nowhere, sandboxed: self.sandboxed.clone() };
            let _ = TextWatcher::new(io::stderr(), help).on(SeriesEvent::Stopped { state, seed });
        })
    }
}

/// Shows nothing but the seed, and that only if the match does not reach its end.
#[derive(Debug)]
pub(crate) struct SeedOnly;

impl Watcher for SeedOnly {
    fn on(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
        if let SeriesEvent::Stopped { seed, .. } = event {
            say(format!("seed: {seed}"));
        }
        Ok(())
    }
}
