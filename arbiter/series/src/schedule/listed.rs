//! Tables that a schedule lists one by one.

use std::collections::BTreeMap;

use text::counted;
use thiserror::Error;

use super::line::{Format, ScheduleLine};

/// The most tables that can be listed for a deal.
const MOST_TABLES: usize = 10_000;

/// Why tables cannot be listed like that; one line. Tables count from 1, players from 0.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadList {
    #[error("{}", match .0 {
        Format::Listed => "no tables listed: list the players of each table",
        Format::RoundRobin | Format::Gauntlet => "listed tables need the format `listed`",
    })]
    Format(Format),
    #[error("drawn and listed tables cannot be combined")]
    Drawn,
    #[error("{0} listed tables: at most {MOST_TABLES}")]
    TooMany(usize),
    #[error("table {table}: {} for {seats} seats", counted(players, "player", "players"))]
    Seats { table: usize, players: usize, seats: usize },
    #[error("table {table}: unknown player {place} (0 to {last})")]
    NoPlayer { table: usize, place: usize, last: usize },
    #[error("table {table}: player {place} is listed twice")]
    Twice { table: usize, place: usize },
    #[error("table {table} repeats table {first}")]
    Repeated { table: usize, first: usize },
    #[error("player {0} is at no table")]
    Idle(usize),
}

/// Checks the list of tables of a schedule, which is empty for other formats.
pub(super) fn check(line: &ScheduleLine, seats: usize, players: usize) -> Result<(), BadList> {
    let ScheduleLine { format, tables, listed, .. } = line;
    if (*format == Format::Listed) == listed.is_empty() {
        return Err(BadList::Format(*format));
    }
    if listed.is_empty() {
        return Ok(());
    }
    if tables.is_some() {
        return Err(BadList::Drawn);
    }
    if listed.len() > MOST_TABLES {
        return Err(BadList::TooMany(listed.len()));
    }
    let mut known: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    let mut plays = vec![false; players];
    for (table, places) in (1..).zip(listed) {
        if places.len() != seats {
            return Err(BadList::Seats { table, players: places.len(), seats });
        }
        for place in places {
            match plays.get_mut(*place) {
                Some(plays) => *plays = true,
                None => {
                    let last = players.saturating_sub(1);
                    return Err(BadList::NoPlayer { table, place: *place, last });
                }
            }
        }
        let mut sorted = places.clone();
        sorted.sort_unstable();
        let twice = sorted.iter().zip(sorted.iter().skip(1)).find(|(one, other)| one == other);
        if let Some((place, _)) = twice {
            return Err(BadList::Twice { table, place: *place });
        }
        if let Some(first) = known.insert(sorted, table) {
            return Err(BadList::Repeated { table, first });
        }
    }
    match plays.iter().position(|plays| !plays) {
        Some(place) => Err(BadList::Idle(place)),
        None => Ok(()),
    }
}
