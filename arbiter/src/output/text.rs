//! A match as running text, the same while it is played and from its log.

use std::io::{self, Write};
use std::path::PathBuf;

use rules::text::printable;
use rules::{GameRecord, Outcome, PerSeat, Referee};

use crate::output::summary;
use crate::playing::matches::stopped_after;
use crate::playing::watcher::{SeriesEvent, Watcher};
use crate::series::SeriesState;
use crate::series::committed_seed::CommittedSeed;
use crate::series::game_status::GameStatus;
use crate::text::notice::say;

/// Tells every game as it goes, and the totals at the end.
#[derive(Debug)]
pub struct TextWatcher<W> {
    out: W,
    log: Option<PathBuf>,
}

impl<W: Write> TextWatcher<W> {
    /// A watcher that writes to `out`, of a match with this log, if it has one.
    pub fn new(out: W, log: Option<PathBuf>) -> Self {
        TextWatcher { out, log }
    }

    fn stopped(&mut self, state: &SeriesState, seed: &CommittedSeed) -> io::Result<()> {
        let (played, games) = (state.progress.played(), state.series.header().games);
        if played > 0 {
            write!(self.out, "\n{}", summary::table(&state.totals, self.log.as_deref()))?;
        }
        write!(self.out, "\n{}\n\nseed: {seed}\n", stopped_after(played, games))
    }

    fn over(&mut self, state: &SeriesState, seed: &CommittedSeed) -> io::Result<()> {
        let (totals, log) = (&state.totals, self.log.as_deref());
        if state.series.header().games > 1 {
            let table = summary::table(totals, log);
            write!(self.out, "\n{table}\n{}\nseed: {seed}\n", summary::winner(totals))
        } else {
            let faults = summary::faults(totals, log);
            write!(self.out, "\n{faults}{}seed: {seed}\n", summary::remarks(totals))
        }
    }
}

impl<W: Write> Watcher<SeriesState> for TextWatcher<W> {
    fn on(&mut self, event: SeriesEvent<'_, SeriesState>) -> io::Result<()> {
        match event {
            SeriesEvent::Started(state) => {
                let commitment = state.series.header().commitment;
                writeln!(self.out, "commitment to the seed: {commitment}\n")
            }
            SeriesEvent::GameStarted(setup) => {
                heading(&mut self.out, setup.game, setup.seats.values())
            }
            SeriesEvent::Stepped { setup, referee, from } => {
                step(&mut self.out, referee, from, &setup.seats)
            }
            SeriesEvent::GameOver { game, status, .. } => result(&mut self.out, game, status),
            SeriesEvent::Warned { name, text } => {
                say(format!("warning: {name}: {text}"));
                Ok(())
            }
            SeriesEvent::Stopped { state, found: seed } => self.stopped(state, seed),
            SeriesEvent::Over { state, found: seed } => self.over(state, seed),
            SeriesEvent::Tick { .. } | SeriesEvent::Stopping { .. } => Ok(()),
        }
    }
}

/// The line above a game: its number, from 0, and who sits where.
///
/// # Errors
///
/// Fails where `out` does.
pub fn heading(out: &mut dyn Write, game: u64, seats: &[String]) -> io::Result<()> {
    let seated: Vec<String> =
        seats.iter().enumerate().map(|(seat, name)| format!("seat {seat} {name}")).collect();
    writeln!(out, "game {game}: {}\n", printable(&seated.join(", ")))
}

/// What a step brought: the history from the line `from` on.
///
/// # Errors
///
/// Fails where `out` does.
pub fn step(
    out: &mut dyn Write,
    referee: &Referee,
    from: usize,
    names: &PerSeat<String>,
) -> io::Result<()> {
    write!(out, "{}", referee.narrate(from, names))
}

/// The line below a game: who has how many points, and whose fault it was.
///
/// # Errors
///
/// Fails where `out` does.
pub fn result(out: &mut dyn Write, game: &GameRecord, status: GameStatus) -> io::Result<()> {
    let points = |scores: &PerSeat<rules::Score>| {
        let each = scores.values().iter().zip(&game.seats);
        each.map(|(score, name)| format!("{name} {score}")).collect::<Vec<_>>().join(", ")
    };
    let text = match &game.result {
        Outcome::Played { scores, .. } => points(scores),
        Outcome::Walkover { scores, .. } => format!("{} (walkover)", points(scores)),
        Outcome::Void { reason } => format!("void, {reason}"),
    };
    // Names and reasons may come from a log that anyone wrote.
    writeln!(out, "\nresult: {}{}", printable(&text), consequence(status))
}

/// What becomes of a game, where that is not a matter of course.
fn consequence(status: GameStatus) -> &'static str {
    match status {
        GameStatus::Counts => "",
        GameStatus::Again => " (does not count: it is played again)",
        GameStatus::GivenUp => " (does not count: it is given up)",
        GameStatus::Stops => " (does not count: the match stops)",
    }
}
