//! Digests of all that an index holds, so that a changed byte shows.
//!
//! A round has a digest of its rows, made when the round is added. The league has one of the tally and of all rounds, with
//! their digests. Standings need no more than the tally, so the rows are read to check them only before they are shown.
//! Whoever can write the file can make the digests anew as well: `arbiter verify` compares the index with the logs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use rules::Digest;
use rusqlite::{Connection, Row, params};

/// A seat of a game, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SeatRow {
    pub bot: i64,
    pub game: i64,
    pub seat: i64,
    pub place: i64,
    pub fault: Option<String>,
    /// True if the machine may have caused it.
    pub is_suspect: bool,
    /// True if the game does not count.
    pub is_void: bool,
}

impl SeatRow {
    /// All rows, in the order in which a [`RoundDigest`] takes them.
    const ALL: &str = "SELECT bot, round, game, seat, place, fault, suspect, void FROM seat ORDER BY bot, round, game";

    /// Reads a row of [`ALL`](SeatRow::ALL), with its round.
    fn read(row: &Row<'_>) -> rusqlite::Result<(i64, SeatRow)> {
        let (bot, game, seat) = (row.get(0)?, row.get(2)?, row.get(3)?);
        let (place, fault) = (row.get(4)?, row.get(5)?);
        let (is_suspect, is_void) = (row.get(6)?, row.get(7)?);
        Ok((row.get(1)?, SeatRow { bot, game, seat, place, fault, is_suspect, is_void }))
    }
}

/// What a round has in the index.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RoundRow {
    pub round: i64,
    pub head: Vec<u8>,
    pub played: i64,
    pub digest: Vec<u8>,
}

/// The digest of the rows of a round so far.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct RoundDigest {
    seats: Digest,
    ratings: Digest,
}

impl RoundDigest {
    /// Adds a seat; they come in the order of bots and games.
    pub(super) fn add_seat(&mut self, row: &SeatRow) {
        let mut bytes = self.seats.bytes().to_vec();
        let marks = i64::from(row.is_void) + 2 * i64::from(row.is_suspect);
        for number in [row.bot, row.game, row.seat, row.place, marks] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(row.fault.as_deref().unwrap_or_default().as_bytes());
        self.seats = Digest::hash(&bytes);
    }

    /// Adds the rating of a bot after the round; they come in the order of bots.
    pub(super) fn add_rating(&mut self, bot: i64, rating: f64) {
        let mut bytes = self.ratings.bytes().to_vec();
        bytes.extend(bot.to_le_bytes());
        bytes.extend(rating.to_bits().to_le_bytes());
        self.ratings = Digest::hash(&bytes);
    }

    /// The digest of the round with this head and number of games so far.
    pub(super) fn digest(self, round: i64, head: &[u8], played: i64) -> Digest {
        let numbers = [round, played].map(i64::to_le_bytes).concat();
        let parts = [&numbers[..], &self.seats.bytes(), &self.ratings.bytes(), head];
        Digest::hash(&parts.concat())
    }
}

/// The digest of the tally and of all rounds.
pub(super) fn of_league(connection: &Connection) -> rusqlite::Result<Digest> {
    let (mut bytes, counted, tally): (Vec<u8>, Vec<u8>, Vec<u8>) =
        connection.query_row("SELECT origin, counted, tally FROM league", [], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?;
    bytes.extend(counted);
    bytes.extend(Digest::hash(&tally).bytes());
    for RoundRow { round, head, played, digest } in rounds(connection)? {
        bytes.extend(round.to_le_bytes());
        bytes.extend(played.to_le_bytes());
        bytes.extend(Digest::hash(&head).bytes());
        bytes.extend(Digest::hash(&digest).bytes());
    }
    Ok(Digest::hash(&bytes))
}

/// All rounds, in order.
pub(super) fn rounds(connection: &Connection) -> rusqlite::Result<Vec<RoundRow>> {
    let mut rounds =
        connection.prepare("SELECT round, head, played, digest FROM round ORDER BY round")?;
    let row = |row: &Row<'_>| {
        let (round, head, played) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let digest: Option<Vec<u8>> = row.get(3)?;
        Ok(RoundRow { round, head, played, digest: digest.unwrap_or_default() })
    };
    rounds.query_map([], row)?.collect()
}

/// The contents of an index, for a comparison with another one. Numbers are compared up to what shows, since a sum
/// depends on the bots that had entered when it was made.
pub(super) struct IndexContents {
    /// The rounds, each with its head and its number of games so far.
    pub rounds: Vec<(i64, Vec<u8>, i64)>,
    /// The digest of the seats of each round.
    seats: Vec<Digest>,
    /// The ratings, each with its bot and its round.
    ratings: Vec<(i64, i64, f64)>,
}

impl IndexContents {
    pub(super) fn read(connection: &Connection) -> rusqlite::Result<IndexContents> {
        let rounds: Vec<(i64, Vec<u8>, i64)> =
            rounds(connection)?.into_iter().map(|it| (it.round, it.head, it.played)).collect();
        let mut seats: BTreeMap<i64, RoundDigest> =
            rounds.iter().map(|(round, ..)| (*round, RoundDigest::default())).collect();
        let mut statement = connection.prepare(SeatRow::ALL)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (round, seat) = SeatRow::read(row)?;
            seats.entry(round).or_default().add_seat(&seat);
        }
        let mut statement = connection.prepare(
            "SELECT bot, round, rating FROM rating JOIN round USING (round) ORDER BY bot, round",
        )?;
        let ratings = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let ratings = ratings.collect::<rusqlite::Result<_>>()?;
        Ok(IndexContents {
            rounds,
            seats: seats.into_values().map(|it| it.seats).collect(),
            ratings,
        })
    }

    pub(super) fn is_like(&self, other: &IndexContents) -> bool {
        let is_like = |one: &(i64, i64, f64), other: &(i64, i64, f64)| {
            (one.0, one.1) == (other.0, other.1) && is_near(one.2, other.2)
        };
        self.rounds == other.rounds
            && self.seats == other.seats
            && self.ratings.len() == other.ratings.len()
            && self.ratings.iter().zip(&other.ratings).all(|(one, other)| is_like(one, other))
    }
}

/// Returns true for numbers that look the same.
pub(super) fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-6 * one.abs().max(1.0)
}

/// Returns true if all rows are those that were added with the rounds, and are found in the ways in which they are
/// looked for.
pub(super) fn are_rows_whole(connection: &Connection) -> rusqlite::Result<bool> {
    let rounds = rounds(connection)?;
    let mut found: BTreeMap<i64, RoundDigest> =
        rounds.iter().map(|round| (round.round, RoundDigest::default())).collect();
    let mut faults = Vec::new();
    let mut seats = connection.prepare(SeatRow::ALL)?;
    let mut rows = seats.query([])?;
    while let Some(row) = rows.next()? {
        let (round, row) = SeatRow::read(row)?;
        let Some(of_round) = found.get_mut(&round) else { return Ok(false) };
        of_round.add_seat(&row);
        if row.fault.is_some() {
            faults.push((row.bot, round, row.game));
        }
    }
    let mut by_fault = connection.prepare(
        "SELECT bot, round, game FROM seat INDEXED BY fault WHERE fault IS NOT NULL \
         ORDER BY bot, round, game",
    )?;
    let listed = by_fault.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    if listed.collect::<rusqlite::Result<Vec<(i64, i64, i64)>>>()? != faults {
        return Ok(false);
    }
    let mut ratings = connection.prepare(
        "SELECT bot, round, rating FROM rating JOIN round USING (round) ORDER BY bot, round",
    )?;
    let mut rows = ratings.query(params![])?;
    while let Some(row) = rows.next()? {
        let Some(of_round) = found.get_mut(&row.get(1)?) else { return Ok(false) };
        of_round.add_rating(row.get(0)?, row.get(2)?);
    }
    Ok(rounds.iter().zip(found.values()).all(|(round, of_round)| {
        of_round.digest(round.round, &round.head, round.played).bytes()[..] == round.digest
    }))
}

/// An index whose rows were found to be whole: its path, length and time of change.
type CheckedIndex = (PathBuf, u64, SystemTime);

/// The index that was checked last. A server opens one for many requests, and reads all rows only if it has changed.
static KNOWN: Mutex<Option<CheckedIndex>> = Mutex::new(None);

/// The time after a change in which another one may have the same time.
const SAME_TIME: Duration = Duration::from_secs(2);

fn known(path: &Path) -> Option<CheckedIndex> {
    let found = path.metadata().ok()?;
    let changed = found.modified().ok()?;
    let is_past = changed.elapsed().is_ok_and(|since| since > SAME_TIME);
    is_past.then(|| (path.to_owned(), found.len(), changed))
}

/// Checks the rows of an index, unless they were found to be whole in this process and it has not changed since.
pub(super) fn are_rows_known_whole(path: &Path, connection: &Connection) -> rusqlite::Result<bool> {
    let now = known(path);
    if now.is_some() && *KNOWN.lock().unwrap_or_else(PoisonError::into_inner) == now {
        return Ok(true);
    }
    let is_whole = are_rows_whole(connection)?;
    if is_whole {
        *KNOWN.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }
    Ok(is_whole)
}
