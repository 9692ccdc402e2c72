//! The totals of a match as a table, and who won it.

use crate::totals::{Fault, Totals};

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
            let games = if player.faults == 1 { "game" } else { "games" };
            text.push_str(&format!(
                "\n{}: out in {} {games} by a fault, first in game {game}: {verdict}, {detail}\n",
                player.name, player.faults
            ));
        }
    }
    text.push_str(&match totals.winner() {
        Some(winner) => format!("\n{} wins with {} points\n", winner.name, winner.points),
        None => "\nno winner: the most points are shared\n".to_owned(),
    });
    text
}
