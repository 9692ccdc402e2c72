//! Decisions of matches: the winner, and how it came about.

use std::collections::BTreeMap;

use serde::Serialize;
use standings::pairing::Outcome;

use crate::stage::line::{StageMatch, StageTable, TableResult};

/// The decisions of the matches of a stage, those of a knockout by round.
#[derive(Debug, Clone, Default)]
pub struct Decisions {
    all: Vec<(StageTable, Decision)>,
    places: BTreeMap<(StageMatch, [usize; 2]), usize>,
}

impl Decisions {
    /// Returns the decision of the match of a table, which may be one of its extra deals.
    pub fn of_table(&self, table: &StageTable) -> Option<&Decision> {
        let place = self.places.get(&(table.of, table.bots))?;
        self.all.get(*place).map(|(_, decision)| decision)
    }

    /// Returns all of them, with the tables of the matches.
    pub fn all(&self) -> &[(StageTable, Decision)] {
        &self.all
    }

    pub(super) fn add(&mut self, table: &StageTable, decision: Decision) {
        self.places.insert((table.of, table.bots), self.all.len());
        self.all.push((*table, decision));
    }
}

/// The end of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Its winner by its side of the table, 0 or 1; none after a draw.
    pub side: Option<usize>,
    /// That which decided it.
    pub by: DecidedBy,
    /// The games of the match; those on extra deals if they decided it.
    pub games: TableResult,
}

/// That which decided a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DecidedBy {
    /// More games won, or a draw if both have won as many.
    Games,
    /// More games won on extra deals.
    Deciders,
    /// More points in all games.
    Points,
    /// The better seed.
    Seed,
    /// Games that the other one forfeited: in those that were played to their end, it was not behind.
    Forfeit,
    /// Every game was forfeited, by the one or the other.
    NeitherAnswered,
    /// One of the bots left the stage before the match was over, or both did.
    Withdrawal,
}

impl Decision {
    /// The decision of a match that may be a draw.
    pub(super) fn by_games(games: TableResult) -> Decision {
        let by = match side(games) {
            Some(winner) => by_play(DecidedBy::Games, games, winner),
            None if is_forfeited(games) => DecidedBy::NeitherAnswered,
            None => DecidedBy::Games,
        };
        Decision { side: side(games), by, games }
    }

    /// The decision of a match that was not over when one of its bots left, for this side, or for none.
    pub(super) fn by_withdrawal(games: TableResult, side: Option<usize>) -> Decision {
        Decision { side, by: DecidedBy::Withdrawal, games }
    }

    /// The decision of a match that must have a winner, after pairs of games on extra deals; none if another pair is
    /// played. `better` is the side of the better seed.
    pub(super) fn of_knockout(
        games: TableResult,
        extra: &[TableResult],
        deciders: u64,
        better: usize,
    ) -> Option<Decision> {
        if side(games).is_some() {
            return Some(Decision::by_games(games));
        }
        let on_extra = extra.iter().fold(TableResult::default(), |sum, it| sum + *it);
        if let Some(winner) = side(on_extra) {
            let by = by_play(DecidedBy::Deciders, on_extra, winner);
            return Some(Decision { side: Some(winner), by, games: on_extra });
        }
        if (extra.len() as u64) < deciders {
            return None;
        }
        let games = games + on_extra;
        let (winner, by) = match games.points[0].cmp(&games.points[1]) {
            _ if is_forfeited(games) => (better, DecidedBy::NeitherAnswered),
            std::cmp::Ordering::Greater => (0, DecidedBy::Points),
            std::cmp::Ordering::Less => (1, DecidedBy::Points),
            std::cmp::Ordering::Equal => (better, DecidedBy::Seed),
        };
        Some(Decision { side: Some(winner), by, games })
    }
}

/// The side with more games won.
fn side(games: TableResult) -> Option<usize> {
    match games.outcome() {
        Outcome::One => Some(0),
        Outcome::Draw => None,
        Outcome::Other => Some(1),
    }
}

/// What decided for the side with more games won: `by`, or the forfeits of the other one.
fn by_play(by: DecidedBy, games: TableResult, winner: usize) -> DecidedBy {
    let forfeited = games.forfeited.unwrap_or_default();
    let won = |side: usize| games.won[side].saturating_sub(forfeited[1 - side]);
    match won(winner) > won(1 - winner) {
        true => by,
        false => DecidedBy::Forfeit,
    }
}

fn is_forfeited(games: TableResult) -> bool {
    let all = games.won[0].saturating_add(games.won[1]).saturating_add(games.drawn);
    let forfeited = games.forfeited.unwrap_or_default();
    forfeited.iter().all(|games| *games > 0) && forfeited[0].saturating_add(forfeited[1]) >= all
}
