//! A match as running text, live or from its log.

use std::io::{self, Write};

use rules::{GameRecord, Outcome, PerSeat, Referee};
use text::printable;

use crate::playing::matches::stopped_after;
use crate::playing::state::State;
use crate::playing::told::fault::Help;
use crate::playing::told::summary;
use crate::playing::watcher::{SeriesEvent, Watcher};
use conditions::series::committed_seed::CommittedSeed;
use conditions::series::game_status::GameStatus;
use text::terminal::say;

/// Writes every game as it goes, and the totals at the end.
#[derive(Debug)]
pub struct TextWatcher<W> {
    out: W,
    help: Help,
}

impl<W: Write> TextWatcher<W> {
    /// Creates a watcher that writes to `out`.
    pub fn new(out: W, help: Help) -> Self {
        TextWatcher { out, help }
    }

    fn stopped(&mut self, state: &State, seed: &CommittedSeed) -> io::Result<()> {
        let (played, games) = (state.games.progress.played(), state.games.series.header().games);
        if played > 0 {
            write!(self.out, "\n{}", summary::table(&state.games.totals, &self.help))?;
        }
        write!(self.out, "\n{}\n\nseed: {seed}\n", stopped_after(played, games))
    }

    fn over(&mut self, state: &State, seed: &CommittedSeed) -> io::Result<()> {
        let (totals, help) = (&state.games.totals, &self.help);
        if state.games.series.header().games > 1 {
            let table = summary::table(totals, help);
            write!(self.out, "\n{table}\n{}\nseed: {seed}\n", summary::winner(totals))
        } else {
            let faults = summary::faults(totals, help);
            write!(self.out, "\n{faults}{}seed: {seed}\n", summary::remarks(totals))
        }
    }
}

impl<W: Write> Watcher for TextWatcher<W> {
    fn on(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
        match event {
            SeriesEvent::Started(state) => {
                let commitment = state.games.series.header().commitment;
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
            SeriesEvent::Stopped { state, seed } => self.stopped(state, seed),
            SeriesEvent::Over { state, seed } => self.over(state, seed),
            SeriesEvent::Tick { .. } | SeriesEvent::Stopping { .. } => Ok(()),
        }
    }
}

/// Writes the line above a game: its number, from 0, and the players by seat.
///
/// # Errors
///
/// Fails where `out` does.
pub fn heading(out: &mut dyn Write, game: u64, seats: &[String]) -> io::Result<()> {
    let seated: Vec<String> =
        seats.iter().enumerate().map(|(seat, name)| format!("seat {seat} {name}")).collect();
    writeln!(out, "game {game}: {}\n", printable(&seated.join(", ")))
}

/// Writes the history from the line `from` on.
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

/// Writes the line below a game: the points of each player, or why the game is void.
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

/// Says what follows from a game, unless it counts.
fn consequence(status: GameStatus) -> &'static str {
    match status {
        GameStatus::Counts => "",
        GameStatus::Again => " (does not count: it is replayed)",
        GameStatus::GivenUp => " (does not count: it is given up)",
        GameStatus::Stops => " (does not count: the match stops)",
    }
}
