//! Counting the games of a log for the standings.

use std::collections::BTreeSet;

use rules::{GameRecord, Outcome, Score};

use series::Series;
use standings::{BootstrapSeed, Entrant, Game, Setup, Tally};

/// Returns the tally of a tournament before its first game.
///
/// The bootstrap follows from the commitment to the seed, so that anyone with the log computes the same
/// intervals. The bots of earlier parts of the tournament come first.
pub fn tally(earlier: &[Series], series: &Series) -> Tally {
    let header = series.header();
    let mut names: Vec<String> = Vec::new();
    let mut online = BTreeSet::new();
    for player in earlier.iter().chain([series]).flat_map(|series| &series.header().players) {
        if !names.contains(&player.name) {
            names.push(player.name.clone());
        }
        if player.granted.network {
            online.insert(player.name.clone());
        }
    }
    let line = header.tournament.as_ref();
    let sprt = line.and_then(|line| line.sprt);
    let tie_breaks = line.map(|line| line.tie_breaks.clone()).unwrap_or_default();
    let seats = series.seating(0).players.count();
    let [a, b, c, d, e, f, g, h, ..] = header.commitment.bytes();
    let seed = BootstrapSeed(u64::from_be_bytes([a, b, c, d, e, f, g, h]));
    let widest = series.kind().most_points().map(Score::as_f64);
    Tally::new(Setup { online, sprt, tie_breaks, seed, widest, ..Setup::new(names, seats) })
}

/// Adds a game that counts.
///
/// # Errors
///
/// Says in one line why it cannot be counted.
pub fn add(tally: &mut Tally, series: &Series, game: &GameRecord) -> Result<(), String> {
    match played(tally, series, game)? {
        Some(played) => tally.add(&played).map_err(|problem| problem.to_string()),
        None => Ok(()),
    }
}

/// Converts a game for the statistics, with bots numbered as in the tally; none if it is void.
///
/// # Errors
///
/// Says in one line why it cannot be counted.
pub fn played(tally: &Tally, series: &Series, game: &GameRecord) -> Result<Option<Game>, String> {
    let (Outcome::Played { scores, .. } | Outcome::Walkover { scores, .. }) = &game.result else {
        return Ok(None);
    };
    // A bot has the same name in every part, and seldom the same place.
    let entrant = |place: &usize| {
        let name = &series.header().players[*place].name;
        let found = tally.setup().names.iter().position(|known| known == name);
        Entrant(found.unwrap_or(usize::MAX))
    };
    let seats = series.seating(game.game).players.map(|_, place| entrant(place));
    Game::new(game.deal, seats, scores.clone(), &game.result.faults())
        .map(Some)
        .map_err(|problem| problem.to_string())
}
