//! Comparison of an index with the logs.

use rusqlite::{Connection, TransactionBehavior};

use super::contents::{self, IndexContents, is_near};
use super::league_index::{IndexError, LeagueIndex};
use super::schema::{self, is_damage, setup};
use crate::folder::LeagueFolder;
use crate::state::{League, Round};
use contest::tournament::folder::shown;
use serde_json::Value;
use standings::output::json;
use standings::{Standings, Tally};

/// Returns true if the index of a league says something else than its logs, as far as it goes. It has to be made from
/// them once more for that.
pub(crate) fn differs(folder: &LeagueFolder) -> Result<bool, IndexError> {
    let mut connection = match schema::open_to_compare(&folder.index()) {
        Ok(Some(connection)) => connection,
        Ok(None) => return Ok(false),
        Err(error) => return damaged(folder, error),
    };
    let kept = match StoredIndex::read(&mut connection) {
        Ok(kept) => kept,
        Err(error) => return damaged(folder, error),
    };
    // The log of the league is read last, so that it names every round in the index.
    let Ok(league) = folder.read() else { return Ok(false) };
    let Some(kept) = kept else { return Ok(false) };
    let over: Vec<&Round> = league
        .rounds()
        .iter()
        .filter(|round| round.over.is_some())
        .take(kept.contents.rounds.len())
        .collect();
    // One that was made before the last correction is made anew before it is used.
    if kept.counted != schema::counted(&league).bytes() && kept.origin == league.origin().bytes() {
        return Ok(false);
    }
    if kept.origin != league.origin().bytes() || over.len() < kept.contents.rounds.len() {
        return Ok(true);
    }
    kept.differs_from(&league, &over, folder)
}

/// Returns true if an index is damaged.
///
/// # Errors
///
/// Fails if it cannot be read for another reason.
fn damaged(folder: &LeagueFolder, error: rusqlite::Error) -> Result<bool, IndexError> {
    match is_damage(&error) {
        true => Ok(true),
        false => Err(IndexError::UnreadIndex(shown(&folder.index()), error)),
    }
}

/// What an index holds; its rows are those of its digests.
struct StoredIndex {
    origin: Vec<u8>,
    counted: Vec<u8>,
    tally: Vec<u8>,
    contents: IndexContents,
}

impl StoredIndex {
    /// Reads an index; none if nothing was added to it yet.
    ///
    /// # Errors
    ///
    /// Fails if it is damaged, or was changed since it was written.
    fn read(connection: &mut Connection) -> rusqlite::Result<Option<StoredIndex>> {
        // Other programs may add rounds meanwhile.
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
        let leagues: i64 =
            transaction.query_row("SELECT count(*) FROM league", [], |row| row.get(0))?;
        if leagues == 0 {
            return Ok(None);
        }
        let (origin, counted, tally, digest): (_, _, _, Vec<u8>) = transaction.query_row(
            "SELECT origin, counted, tally, digest FROM league",
            [],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
        )?;
        let is_whole = contents::of_league(&transaction)?.bytes()[..] == digest
            && contents::are_rows_whole(&transaction)?;
        match is_whole {
            true => Ok(Some(StoredIndex {
                origin,
                counted,
                tally,
                contents: IndexContents::read(&transaction)?,
            })),
            false => Err(rusqlite::Error::InvalidQuery),
        }
    }

    /// Compares it with one that is made of these rounds.
    fn differs_from(
        &self,
        league: &League,
        over: &[&Round],
        folder: &LeagueFolder,
    ) -> Result<bool, IndexError> {
        // With bots that have entered since, ratings may have another model. The next command makes all of it anew then.
        let Ok(tally) = Tally::from_bytes(setup(league), &self.tally) else { return Ok(false) };
        let mut anew = LeagueIndex::in_memory(league, folder)?;
        anew.add_these(league, over)?;
        let is_like = self.contents.is_like(&IndexContents::read(&anew.connection)?);
        Ok(!is_like || !are_alike(&tally.standings(), &anew.tally.standings()))
    }
}

/// Returns true for standings that look the same.
fn are_alike(one: &Standings, other: &Standings) -> bool {
    let value = |it| json(it).ok().and_then(|text| serde_json::from_str::<Value>(&text).ok());
    value(one).zip(value(other)).is_some_and(|(one, other)| is_like(&one, &other))
}

fn is_like(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one.as_f64().zip(other.as_f64()).is_some_and(|(one, other)| is_near(one, other))
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| is_like(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, value)| other.get(key).is_some_and(|it| is_like(value, it)))
        }
        (one, other) => one == other,
    }
}
