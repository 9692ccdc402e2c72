//! The totals of a match as a table, and who won it.

use super::counted;
use crate::totals::{Fault, Totals};

/// The most suspect games that are named; the others are counted.
const NAMED: usize = 10;

/// The table of totals with the most points first, a line for each player that faulted, and a line
/// that names the winner.
pub fn table(totals: &Totals) -> String {
    let width = totals.players().iter().map(|player| player.name.len()).max().unwrap_or(0).max(6);
    let mut text = format!(
        "{:width$}  {:>6}  {:>4}  {:>5}  {:>4}  {:>6}\n",
        "player", "points", "won", "drawn", "lost", "faults"
    );
    for player in totals.standings() {
        text.push_str(&format!(
            "{:width$}  {:>6}  {:>4}  {:>5}  {:>4}  {:>6}\n",
            player.name, player.points, player.won, player.drawn, player.lost, player.faults
        ));
    }
    for player in totals.standings() {
        if let Some(Fault { game, verdict, detail }) = &player.first_fault {
            let games = counted(player.faults, "game", "games");
            text.push_str(&format!(
                "\n{}: out in {games} by a fault, first in game {game}: {verdict}, {detail}\n",
                player.name
            ));
        }
    }
    let remarks = remarks(totals);
    if !remarks.is_empty() {
        text.push_str(&format!("\n{remarks}"));
    }
    text.push_str(&match totals.winner() {
        Some(winner) => format!("\n{} wins with {} points\n", winner.name, winner.points),
        None => "\nno winner: the most points are shared\n".to_owned(),
    });
    text
}

/// What else a match brought, a line each: games that were played again, suspect games, processes
/// that escaped.
pub fn remarks(totals: &Totals) -> String {
    let mut text = String::new();
    if totals.played_again() > 0 {
        let games = counted(totals.played_again(), "game was", "games were");
        text.push_str(&format!("{games} void or suspect, and played again\n"));
    }
    if let count @ 1.. = totals.suspect().len() {
        let games = counted(count as u64, "game is", "games are");
        let named: Vec<String> =
            totals.suspect().iter().take(NAMED).map(ToString::to_string).collect();
        let more = if count > NAMED { ", …" } else { "" };
        text.push_str(&format!(
            "{games} suspect, for a bot was late while others had the processors: {}{more}\n",
            named.join(", ")
        ));
    }
    for player in totals.players().iter().filter(|player| player.escaped > 0) {
        let processes = counted(player.escaped, "process", "processes");
        text.push_str(&format!("{}: {processes} left running, and killed\n", player.name));
    }
    text
}
