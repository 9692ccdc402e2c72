//! Counting the games of a log for the standings.

use rules::{GameRecord, Outcome};

use crate::series::Series;
use crate::standings::{BootstrapSeed, Entrant, Game, Setup, Sprt, Tally};

/// No game of a tournament yet.
///
/// What the bootstrap follows from is the commitment to the seed, so that anybody who has the log
/// comes to the same intervals.
pub(crate) fn tally(series: &Series, sprt: Option<Sprt>) -> Tally {
    let header = series.header();
    let names = header.players.iter().map(|player| player.name.clone()).collect();
    let seats = series.seating(0).players.count();
    let [a, b, c, d, e, f, g, h, ..] = header.commitment.bytes();
    let seed = BootstrapSeed(u64::from_be_bytes([a, b, c, d, e, f, g, h]));
    Tally::new(Setup { sprt, seed, ..Setup::new(names, seats) })
}

/// Adds a game that counts.
///
/// # Errors
///
/// Says why it cannot be counted, one line.
pub(crate) fn add(tally: &mut Tally, series: &Series, game: &GameRecord) -> Result<(), String> {
    let (Outcome::Played { scores, .. } | Outcome::Walkover { scores, .. }) = &game.result else {
        return Ok(());
    };
    let seats = series.seating(game.game).players.map(|_, place| Entrant(*place));
    let played = Game::new(game.deal, seats, scores.clone(), &game.result.faults())
        .map_err(|problem| problem.to_string())?;
    tally.add(&played).map_err(|problem| problem.to_string())
}
