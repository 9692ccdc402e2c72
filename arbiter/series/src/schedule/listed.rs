//! Tables that a schedule lists one by one.

use std::collections::BTreeMap;

use text::counted;

use super::line::{Format, ScheduleLine};

/// The most tables that can be listed for a deal.
const MOST_TABLES: usize = 10_000;

/// Checks the list of tables of a schedule, which is empty for other formats. Its messages count tables from 1 and
/// players from 0.
pub(super) fn check(line: &ScheduleLine, seats: usize, players: usize) -> Result<(), String> {
    let ScheduleLine { format, tables, listed, .. } = line;
    if (*format == Format::Listed) == listed.is_empty() {
        let problem = match format {
            Format::Listed => "no tables listed: list the players of each table",
            Format::RoundRobin | Format::Gauntlet => "listed tables need the format `listed`",
        };
        return Err(problem.to_owned());
    }
    if listed.is_empty() {
        return Ok(());
    }
    if tables.is_some() {
        return Err("drawn and listed tables cannot be combined".to_owned());
    }
    if listed.len() > MOST_TABLES {
        return Err(format!("{} listed tables: at most {MOST_TABLES}", listed.len()));
    }
    let mut known: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    let mut plays = vec![false; players];
    for (table, places) in (1..).zip(listed) {
        if places.len() != seats {
            let players = counted(places.len(), "player", "players");
            return Err(format!("table {table}: {players} for {seats} seats"));
        }
        for place in places {
            match plays.get_mut(*place) {
                Some(plays) => *plays = true,
                None => {
                    let last = players.saturating_sub(1);
                    return Err(format!("table {table}: unknown player {place} (0 to {last})"));
                }
            }
        }
        let mut sorted = places.clone();
        sorted.sort_unstable();
        let twice = sorted.iter().zip(sorted.iter().skip(1)).find(|(one, other)| one == other);
        if let Some((place, _)) = twice {
            return Err(format!("table {table}: player {place} is listed twice"));
        }
        if let Some(first) = known.insert(sorted, table) {
            return Err(format!("table {table} repeats table {first}"));
        }
    }
    match plays.iter().position(|plays| !plays) {
        Some(place) => Err(format!("player {place} is at no table")),
        None => Ok(()),
    }
}
