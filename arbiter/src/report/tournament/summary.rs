//! What is told of a tournament in words: how it begins, what happens, and how it ended.

use std::io::{self, Write};
use std::path::Path;

use rules::Outcome;
use rules::text::printable;

use super::pace::done;
use crate::fate::Fate;
use crate::report::counted;
use crate::report::standings;
use crate::report::summary::remarks;
use crate::standings::Standings;
use crate::tournament::run::{Event, Progress};

/// How many bots are named in a line.
const NAMED: usize = 5;

/// Says what is about to be played.
pub(super) fn tell_begin(out: &mut dyn Write, progress: &Progress) -> io::Result<()> {
    let header = progress.series.header();
    let bots = header.players.len();
    let (game, options, games) = (&header.game, &header.options, header.games);
    writeln!(out, "commitment to the seed: {}", header.commitment)?;
    writeln!(out, "{game} {options}: {bots} bots, {games} games")?;
    match progress.course.played() {
        0 => writeln!(out),
        played => writeln!(out, "{played} games were played before\n"),
    }
}

/// What happened, a line each; nothing where all went as it should.
pub(super) fn tell_news(event: &Event<'_>) -> Vec<String> {
    match event {
        Event::GameOver { game, fate, progress } => {
            let mut news = Vec::new();
            for (seat, fault) in game.result.faults() {
                if let Some(name) = game.seats.get(seat.index()) {
                    news.push(format!("game {}: {name}, {fault}", game.game));
                }
            }
            if let Outcome::Void { reason } = &game.result {
                news.push(format!("game {}: void, {}", game.game, printable(reason)));
            }
            for (place, player) in progress.series.header().players.iter().enumerate() {
                if *fate == Fate::Counts && progress.course.out_after(place) == Some(game.game) {
                    let name = &player.name;
                    news.push(format!("{name} is out of the tournament: too many faults"));
                }
            }
            news
        }
        Event::Warned { name, text } => vec![format!("warning: {name}: {text}")],
        Event::Stopping { busy } => {
            vec![format!("stopping: {busy} games are being finished, Ctrl-C again stops at once")]
        }
        Event::Started(_) | Event::Tick { .. } | Event::Over { .. } => Vec::new(),
    }
}

/// The first bots with their scores, in one line.
pub(super) fn leaders(progress: &Progress) -> String {
    let standings = progress.tally.standings().all;
    let first = standings.rows.iter().take(NAMED);
    let told: Vec<String> = first
        .map(|row| match &row.score {
            Some(score) => format!("{} {:.1}%", row.name, 100.0 * score.value),
            None => row.name.clone(),
        })
        .collect();
    told.join(", ")
}

/// Tells how a tournament ended, and how it can be verified.
///
/// # Errors
///
/// Fails where `out` does.
pub fn tell_result(
    out: &mut dyn Write,
    progress: &Progress,
    found: &Standings,
    folder: &Path,
) -> io::Result<()> {
    write!(out, "{}", standings::text(found))?;
    tell_remarks(out, progress)?;
    let folder = printable(&folder.display().to_string());
    writeln!(out, "\nto verify it: arbiter verify {folder}")
}

/// Tells where a tournament stands, which may be running.
///
/// # Errors
///
/// Fails where `out` does.
pub fn tell_status(out: &mut dyn Write, progress: &Progress, running: &str) -> io::Result<()> {
    let header = progress.series.header();
    writeln!(out, "{} {}, {running}", header.game, header.options)?;
    writeln!(out, "commitment to the seed: {}", header.commitment)?;
    if let Some(shard) = header.tournament.as_ref().and_then(|line| line.schedule.shard) {
        writeln!(out, "shard {shard}")?;
    }
    writeln!(out, "{} of {} games\n", done(progress), header.games)?;
    write!(out, "{}", standings::table(&progress.tally.standings().all))?;
    tell_remarks(out, progress)
}

fn tell_remarks(out: &mut dyn Write, progress: &Progress) -> io::Result<()> {
    let mut lines = String::new();
    for (place, player) in progress.series.header().players.iter().enumerate() {
        if let Some(after) = progress.course.out_after(place) {
            let name = &player.name;
            lines.push_str(&format!("{name}: out after game {after}, for too many faults\n"));
        }
    }
    if progress.course.skipped() > 0 {
        lines.push_str(&format!("{} games were skipped\n", progress.course.skipped()));
    }
    for total in progress.totals.players() {
        if let Some(fault) = &total.first_fault {
            let (name, games) = (&total.name, counted(total.faults, "game", "games"));
            lines.push_str(&format!(
                "{name}: out in {games} by a fault, first in game {}: {}, {}\n",
                fault.game, fault.verdict, fault.detail
            ));
        }
    }
    lines.push_str(&remarks(&progress.totals));
    if lines.is_empty() { Ok(()) } else { write!(out, "\n{lines}") }
}
