//! The totals of a match as a table, and who won it.

use crate::totals::Totals;

/// The table of totals with the most points first, and a line that names the winner.
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
    text.push_str(&match totals.winner() {
        Some(winner) => format!("\n{} wins with {} points\n", winner.name, winner.points),
        None => "\nno winner: the most points are shared\n".to_owned(),
    });
    text
}
