//! A match as running text, live or from its log, and its totals as a table.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rules::subject::SentenceSubject;
use rules::{GameRecord, Outcome, PerSeat, Referee, Verdict};

use super::series_runner::ContestState;
use crate::playing::matches::stopped_after;
use crate::playing::series_runner::{SeriesEvent, Watcher};
use bot::advice::FaultSymptoms;
use bot::sandboxed::{SandboxedBot, SandboxedBots, hint};
use serde::Serialize;
use series::game_status::GameStatus;
use series::game_status::{Fault, PlayerTotals, PossibleWinners, Totals};
use series::header::CommittedSeed;
use standings::OutsideHelp;
use text::columns::labelled;
use text::excerpt::{excerpt, shortened};
use text::shell::word;
use text::terminal::say;
use text::{columns, counted, printable};

/// Number of suspect games that are listed; the others are counted.
const NAMED: usize = 10;

/// Number of players that are named where games do not show which of them is best; the others are counted.
const MOST_UNDECIDED: usize = 4;

/// Writes every game as it goes, and the totals at the end.
#[derive(Debug)]
pub struct TextWatcher<W> {
    out: W,
    help: FaultContext,
}

impl<W: Write> TextWatcher<W> {
    pub fn new(out: W, help: FaultContext) -> Self {
        TextWatcher { out, help }
    }

    fn stopped(&mut self, state: &ContestState, seed: &CommittedSeed) -> io::Result<()> {
        let (played, games) = (state.games.progress.played(), state.games.series.header().games);
        if played > 0 {
            write!(self.out, "\n{}", table(&state.games.totals, &self.help))?;
        }
        write!(self.out, "\n{}\n\nseed: {seed}\n", stopped_after(played, games))
    }

    fn write_end(&mut self, state: &ContestState, seed: &CommittedSeed) -> io::Result<()> {
        let (totals, help) = (&state.games.totals, &self.help);
        if state.games.series.header().games > 1 {
            let table = table(totals, help);
            write!(self.out, "\n{table}\n{}\nseed: {seed}\n", winner(totals))
        } else {
            let faults = faults(totals, help);
            write!(self.out, "\n{faults}{}seed: {seed}\n", remarks(totals))
        }
    }
}

impl<W: Write> Watcher for TextWatcher<W> {
    fn on_event(&mut self, event: SeriesEvent<'_>) -> io::Result<()> {
        match event {
            SeriesEvent::Started(state) => {
                let commitment = state.games.series.header().commitment;
                writeln!(self.out, "seed commitment: {commitment}\n")
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
            SeriesEvent::Over { state, seed } => self.write_end(state, seed),
            SeriesEvent::Tick { .. } | SeriesEvent::Stopping { .. } => Ok(()),
        }
    }
}

/// Writes the line above a game: its number, from 0, and the players by seat.
pub fn heading(out: &mut dyn Write, game: u64, seats: &[String]) -> io::Result<()> {
    let seated: Vec<String> =
        seats.iter().enumerate().map(|(seat, name)| format!("seat {seat} {name}")).collect();
    writeln!(out, "game {game}: {}\n", printable(&seated.join(", ")))
}

/// Writes the history from the line `from` on.
pub fn step(
    out: &mut dyn Write,
    referee: &Referee,
    from: usize,
    names: &PerSeat<String>,
) -> io::Result<()> {
    write!(out, "{}", referee.narrate(from, names))
}

/// Writes the line below a game: the points of each player, or why the game is void.
pub fn result(out: &mut dyn Write, game: &GameRecord, status: GameStatus) -> io::Result<()> {
    let points = |scores: &PerSeat<rules::Score>| {
        let each = scores.values().iter().zip(&game.seats);
        each.map(|(score, name)| format!("{name} {}", score.decimal()))
            .collect::<Vec<_>>()
            .join(", ")
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
        GameStatus::Again => " (unrated: replayed)",
        GameStatus::GivenUp => " (unrated: abandoned)",
        GameStatus::Stops => " (unrated: the match stops)",
    }
}

/// Returns the table of totals, most points first, with the first fault of each player.
pub fn table(totals: &Totals, help: &FaultContext) -> String {
    let name = |player: &PlayerTotals| {
        format!("{}{}", player.name, player.help.map_or("", OutsideHelp::mark))
    };
    let widths = totals.players().iter().map(|player| columns::width(&name(player)));
    let width = widths.max().unwrap_or(0).max(6);
    let mut text = format!(
        "{:width$}  {:>6}  {:>4}  {:>5}  {:>4}  {:>6}\n",
        "player", "points", "won", "drawn", "lost", "faults"
    );
    for player in totals.standings() {
        text.push_str(&format!(
            "{}  {:>6}  {:>4}  {:>5}  {:>4}  {:>6}\n",
            columns::padded(&name(player), width),
            player.points.decimal(),
            player.won,
            player.drawn,
            player.lost,
            player.faults
        ));
    }
    for help in OutsideHelp::ALL {
        if totals.players().iter().any(|player| player.help == Some(help)) {
            text.push_str(&format!("\n{}\n", help.meaning()));
        }
    }
    for player in totals.standings() {
        if let Some(fault) = ShownFault::first_fault(player, &help.sandboxed) {
            let ShownFault { game, verdict, detail, .. } = fault;
            let games = counted(player.faults, "game", "games");
            text.push_str(&format!(
                "\n{}: forfeited {games}, first game {game}: {verdict}, {}\n",
                player.name,
                printable(detail)
            ));
            text.push_str(&fault.details(&help.log));
        }
    }
    let remarks = remarks(totals);
    if !remarks.is_empty() {
        text.push_str(&format!("\n{remarks}"));
    }
    text
}

/// Returns a line that names the winner of a match, or says that several games do not show who is best.
pub fn winner(totals: &Totals) -> String {
    if let Some(undecided) = totals.undecided()
        && let games @ 2.. = games_of(undecided.players[0])
    {
        return noise(&undecided, games);
    }
    match totals.winner() {
        Some(winner) => {
            let points = counted(winner.points.decimal(), "point", "points");
            let voice = SentenceSubject::new(&winner.name);
            format!("{} {} with {points}\n", voice.subject(), voice.verb("win"))
        }
        None => "no winner: tied for most points\n".to_owned(),
    }
}

fn games_of(player: &PlayerTotals) -> u64 {
    player.won + player.drawn + player.lost
}

/// Says that these games do not show which of some players is best, and how many more would.
fn noise(undecided: &PossibleWinners<'_>, games: u64) -> String {
    let players = &undecided.players;
    let (named, others) = players.split_at(players.len().min(MOST_UNDECIDED));
    let named: Vec<String> =
        named.iter().map(|player| format!("{} {}", player.name, player.points.decimal())).collect();
    let others = match others.len() {
        0 => " points".to_owned(),
        others => format!(" points and {}", counted(others, "other", "others")),
    };
    let best = if players.len() == 2 { "better" } else { "best" };
    let more = match undecided.more_games {
        Some(more) => format!("; about {more} more would"),
        None => String::new(),
    };
    format!("{}{others}: these {games} games do not show who is {best}{more}\n", named.join(", "))
}

/// Returns the faults of a game that was shown move by move.
pub fn faults(totals: &Totals, help: &FaultContext) -> String {
    let mut text = String::new();
    for player in totals.players() {
        if let Some(fault) = ShownFault::first_fault(player, &help.sandboxed) {
            let ShownFault { verdict, detail, .. } = fault;
            let line = format!("{}: {verdict}, {}\n", player.name, printable(detail));
            text.push_str(&format!("{line}{}\n", fault.details(&help.log)));
        }
    }
    text
}

/// Returns other remarks on a match, a line each: games that were replayed or left out, suspect games, processes
/// that escaped.
pub fn remarks(totals: &Totals) -> String {
    let mut text = String::new();
    if totals.played_again() > 0 {
        let games = counted(totals.played_again(), "game was", "games were");
        text.push_str(&format!("{games} void or suspect, replayed\n"));
    }
    if totals.given_up() > 0 {
        let games = counted(totals.given_up(), "game was", "games were");
        text.push_str(&format!("{games} abandoned after repeated void attempts\n"));
    }
    if let count @ 1.. = totals.suspect().len() {
        let (are, games) =
            (counted(count, "game is", "games are"), if count == 1 { "game" } else { "games" });
        let named: Vec<String> =
            totals.suspect().iter().take(NAMED).map(ToString::to_string).collect();
        let more = if count > NAMED { ", …" } else { "" };
        text.push_str(&format!(
            "{are} suspect (timeout under CPU contention): {games} {}{more}\n",
            named.join(", ")
        ));
    }
    for player in totals.players().iter().filter(|player| player.escaped > 0) {
        let processes = counted(player.escaped, "process", "processes");
        text.push_str(&format!("{}: killed {processes} left running\n", player.name));
    }
    text
}

/// Width of a label.
const LABEL: usize = 7;

/// Number of printed lines shown.
const PRINTED_LINES: usize = 5;

/// Number of lines of standard error shown.
const STDERR_LINES: usize = 20;

/// Number of lines of standard error shown for each bot of a tournament.
const LINES_IN_TOURNAMENT: usize = 6;

/// Place of the log of a match, which has more about a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogLocation {
    /// A file that the user named.
    Named(PathBuf),
    /// The log of the last match, which commands read if no file is named.
    Last,
    /// No log is kept.
    Nowhere,
}

/// Facts that help users to understand faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultContext {
    pub log: LogLocation,
    /// The files hidden from each bot.
    pub sandboxed: SandboxedBots,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownFault<'a> {
    pub game: u64,
    pub verdict: Verdict,
    /// The details, one line.
    pub detail: &'a str,
    /// The first and the last printed lines.
    printed: Vec<String>,
    /// The first and the last lines of standard error with this answer.
    stderr: Vec<String>,
    /// Advice for the author, if the fault looks like a common one.
    hint: Option<Cow<'static, str>>,
}

impl<'a> ShownFault<'a> {
    /// Returns the first fault of a player, with a hint for the users who run these bots.
    pub fn first_fault(
        total: &'a PlayerTotals,
        sandboxed: &SandboxedBots,
    ) -> Option<ShownFault<'a>> {
        let sandboxed = sandboxed.get(&total.name);
        total.first_fault.as_ref().map(|fault| ShownFault::new(fault, sandboxed))
    }

    fn new(fault: &'a Fault, sandboxed: Option<&SandboxedBot>) -> ShownFault<'a> {
        let Fault { game, answer, measured } = fault;
        let mut stderr = excerpt(measured.stderr.bytes(), STDERR_LINES);
        if measured.stderr_dropped > 0 {
            stderr.push(format!("… {} more bytes discarded", measured.stderr_dropped));
        }
        let cause = answer.cause();
        let seen = FaultSymptoms::in_record(answer, cause.as_ref(), measured);
        ShownFault {
            game: *game,
            verdict: answer.verdict,
            detail: &answer.detail,
            printed: excerpt(seen.printed, PRINTED_LINES),
            stderr,
            hint: hint(sandboxed, seen),
        }
    }

    /// Returns the lines below the one that names the fault: output, standard error, hint, and the next command.
    fn details(&self, log: &LogLocation) -> String {
        let game = self.game;
        let next = match log {
            LogLocation::Named(log) => vec![command(log, game)],
            LogLocation::Last => vec![format!("arbiter explain --game {game}")],
            LogLocation::Nowhere => vec![
                "replay with --log FILE and the seed below, then".to_owned(),
                format!("arbiter explain FILE --game {game}"),
            ],
        };
        self.text(&self.stderr, &next)
    }

    /// Returns fewer such lines, as there may be many bots. The log is in the folder of a tournament.
    pub fn details_in_tournament(&self, folder: &Path) -> String {
        let stderr: Vec<&str> = self.stderr.iter().map(String::as_str).collect();
        let stderr = shortened(&stderr, LINES_IN_TOURNAMENT);
        self.text(&stderr, &[command(folder, self.game)])
    }

    fn text(&self, stderr: &[impl AsRef<str>], next: &[String]) -> String {
        let parts = [
            labelled("printed", LABEL, &self.printed),
            labelled("stderr", LABEL, stderr),
            labelled("hint", LABEL, self.hint.as_slice()),
            labelled("next", LABEL, next),
        ];
        parts.concat().iter().map(|line| format!("  {line}\n")).collect()
    }
}

fn command(log: &Path, game: u64) -> String {
    format!("arbiter explain {} --game {game}", word(log))
}
