//! State of a series while it is played.

use std::collections::BTreeMap;

use rules::{GameRecord, Outcome, Score};

use series::game_status::GameStatus;
use series::{Series, SeriesState};
use standings::{BootstrapSeed, Entrant, Game, Results, Setup, Standings, Tally};

/// State of a match, tournament or simulation while it is played.
#[derive(Debug)]
pub struct State {
    pub games: SeriesState,
    /// Statistics of the bots. Only tournaments have standings: counting costs time, and memory as long
    /// as a deal is not complete, which no deal of a match ever is.
    tally: Option<Tally>,
}

impl State {
    /// Returns the state of a match or a simulation before its first game.
    pub fn of_match(series: Series) -> State {
        State { games: SeriesState::new(series), tally: None }
    }

    /// Returns the state of a tournament before its first game.
    pub fn of_tournament(series: Series) -> State {
        let tally = tally(&[], &series);
        State::of_part(SeriesState::new(series), tally)
    }

    /// Returns the state of a part of a tournament; the tally may include earlier parts.
    pub(crate) fn of_part(games: SeriesState, tally: Tally) -> State {
        State { games, tally: Some(tally) }
    }

    /// Adds the next attempt, and returns its status.
    ///
    /// # Errors
    ///
    /// Says in one line why it cannot be counted.
    pub fn add(&mut self, game: &GameRecord) -> Result<GameStatus, String> {
        let status = self.games.add(game);
        if let Some(tally) = self.tally.as_mut().filter(|_| status == GameStatus::Counts) {
            add(tally, &self.games.series, game)?;
        }
        Ok(status)
    }

    /// Returns the standings; empty for a match.
    pub fn standings(&self) -> Standings {
        match &self.tally {
            Some(tally) => tally.standings(),
            None => tally(&[], &self.games.series).standings(),
        }
    }

    /// Returns the bots with their games, the best score first; empty for a match. It costs little.
    pub fn results(&self) -> Vec<Results> {
        self.tally.as_ref().map_or_else(Vec::new, Tally::results)
    }

    pub(crate) fn tally_mut(&mut self) -> Option<&mut Tally> {
        self.tally.as_mut()
    }
}

/// Returns the tally of a tournament before its first game.
///
/// The bootstrap follows from the commitment to the seed, so that anyone with the log computes the same
/// intervals. The bots of earlier parts of the tournament come first.
pub fn tally(earlier: &[Series], series: &Series) -> Tally {
    let header = series.header();
    let mut names: Vec<String> = Vec::new();
    let mut helped = BTreeMap::new();
    for player in earlier.iter().chain([series]).flat_map(|series| &series.header().players) {
        if !names.contains(&player.name) {
            names.push(player.name.clone());
        }
        helped.extend(player.outside_help().map(|help| (player.name.clone(), help)));
    }
    let line = header.tournament.as_ref();
    let sprt = line.and_then(|line| line.sprt);
    let tie_breaks = line.map(|line| line.tie_breaks.clone()).unwrap_or_default();
    let seats = series.seating(0).players.count();
    let [a, b, c, d, e, f, g, h, ..] = header.commitment.bytes();
    let seed = BootstrapSeed(u64::from_be_bytes([a, b, c, d, e, f, g, h]));
    let widest = series.kind().most_points().map(Score::as_f64);
    Tally::new(Setup { helped, sprt, tie_breaks, seed, widest, ..Setup::new(names, seats) })
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
