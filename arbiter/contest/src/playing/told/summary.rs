//! The totals of a match as a table, its faults and its winner.

use rules::voice::Voice;
use text::columns;
use text::printable;

use super::fault::{Help, ShownFault};
use conditions::series::totals::{Total, Totals};
use standings::told::{ABOUT_ONLINE, ONLINE};
use text::counted;

/// Number of suspect games that are listed; the others are counted.
const NAMED: usize = 10;

/// Returns the table of totals, most points first, with the first fault of each player.
pub fn table(totals: &Totals, help: &Help) -> String {
    let name = |player: &Total| match player.network {
        true => format!("{}{ONLINE}", player.name),
        false => player.name.clone(),
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
            player.points,
            player.won,
            player.drawn,
            player.lost,
            player.faults
        ));
    }
    if totals.players().iter().any(|player| player.network) {
        text.push_str(&format!("\n{ABOUT_ONLINE}\n"));
    }
    for player in totals.standings() {
        if let Some(fault) = ShownFault::first(player, &help.insiders) {
            let ShownFault { game, verdict, detail, .. } = fault;
            let games = counted(player.faults, "game", "games");
            text.push_str(&format!(
                "\n{}: out in {games} by a fault, first in game {game}: {verdict}, {}\n",
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

/// Returns a line that names the winner of a match.
pub fn winner(totals: &Totals) -> String {
    match totals.winner() {
        Some(winner) => {
            let points = counted(winner.points, "point", "points");
            let voice = Voice::of(&winner.name);
            format!("{} {} with {points}\n", voice.subject(), voice.verb("win"))
        }
        None => "no winner: the most points are shared\n".to_owned(),
    }
}

/// Returns the faults of a game that was shown move by move.
pub fn faults(totals: &Totals, help: &Help) -> String {
    let mut text = String::new();
    for player in totals.players() {
        if let Some(fault) = ShownFault::first(player, &help.insiders) {
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
        text.push_str(&format!("{games} void or suspect, and replayed\n"));
    }
    if totals.given_up() > 0 {
        let games = counted(totals.given_up(), "game was", "games were");
        text.push_str(&format!("{games} void too often, and left out\n"));
    }
    if let count @ 1.. = totals.suspect().len() {
        let (are, games) =
            (counted(count, "game is", "games are"), if count == 1 { "game" } else { "games" });
        let named: Vec<String> =
            totals.suspect().iter().take(NAMED).map(ToString::to_string).collect();
        let more = if count > NAMED { ", …" } else { "" };
        text.push_str(&format!(
            "{are} suspect, because a bot timed out while other programs were using the CPU: \
             {games} {}{more}\n",
            named.join(", ")
        ));
    }
    for player in totals.players().iter().filter(|player| player.escaped > 0) {
        let processes = counted(player.escaped, "process", "processes");
        text.push_str(&format!("{}: {processes} left running, and killed\n", player.name));
    }
    text
}
