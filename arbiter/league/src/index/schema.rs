//! The tables of the index.
//!
//! A round has a digest of its rows, made when the round is added. The league has one of the tally and of all rounds, with
//! their digests. Standings need no more than the tally, so the rows are read to check them only before they are shown.
//! Anyone who can write the file can also recompute the digests: `arbiter verify` compares the index with the logs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use bot::manifest::ProgramMode;
use rules::{Digest, Score};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, Transaction, params};
use standings::{BootstrapSeed, OutsideHelp, ReplicateCount, StandingsSetup, Tally};

use crate::line::RoundEndLine;
use crate::state::{League, Round};

/// Format of the tables, and of the tally in them. An index of another format is made anew.
const FORMAT: i64 = 6;
/// Marks the file as an index: `arbi`.
const APPLICATION: i64 = 0x6172_6269;
/// Time to wait for other programs that write to the index: one may be making it anew.
const PATIENCE: Duration = Duration::from_secs(600);

/// Time to wait for them before a copy is given up: it can be made from the logs.
const PATIENCE_FOR_COPY: Duration = Duration::from_secs(1);

/// `played` is the number of games that count in all rounds up to this one. `digest` is that of all rows of the
/// round, and in `league` that of the tally and of all rounds: see [`contents`](super::contents). A game is in `seat`
/// once for each of its seats. `bot` is the place of a version of a bot in the order of entry; `place` is 1 for the
/// best. `suspect` is 1 for a fault that the machine may have caused. `void` is 1 for a game that does not count; `counted` is a digest of the corrections that say so.
const TABLES: &str = "
CREATE TABLE league (only INTEGER PRIMARY KEY CHECK (only = 0), origin BLOB NOT NULL, counted BLOB NOT NULL,
    tally BLOB, digest BLOB);
CREATE TABLE round (round INTEGER PRIMARY KEY, head BLOB NOT NULL, played INTEGER NOT NULL,
    digest BLOB);
CREATE TABLE seat (
    bot INTEGER NOT NULL, round INTEGER NOT NULL, game INTEGER NOT NULL, seat INTEGER NOT NULL,
    place INTEGER NOT NULL, fault TEXT, suspect INTEGER NOT NULL, void INTEGER NOT NULL, PRIMARY KEY (bot, round, game)
) WITHOUT ROWID;
CREATE INDEX fault ON seat (bot, round, game) WHERE fault IS NOT NULL;
CREATE TABLE rating (
    bot INTEGER NOT NULL, round INTEGER NOT NULL, rating REAL NOT NULL, PRIMARY KEY (bot, round)
) WITHOUT ROWID;
";

/// Opens an index, or makes an empty one if there is no usable one.
pub(super) fn open(path: &Path) -> rusqlite::Result<Connection> {
    match open_as_it_is(path) {
        Ok(connection) => Ok(connection),
        Err(error) if is_of_disk(&error) => Err(error),
        Err(_) => {
            // It is derived from the logs, so nothing is lost.
            let _ = fs::remove_file(path);
            open_as_it_is(path)
        }
    }
}

fn open_as_it_is(path: &Path) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    let known = |connection: &Connection| -> rusqlite::Result<(i64, i64)> {
        let application = connection.pragma_query_value(None, "application_id", |row| row.get(0));
        let format = connection.pragma_query_value(None, "user_version", |row| row.get(0));
        Ok((application?, format?))
    };
    if known(&connection)? == (APPLICATION, FORMAT) {
        return Ok(connection);
    }
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    // Another program may have made the tables meanwhile.
    if known(&transaction)? != (APPLICATION, FORMAT) {
        // An index of another format has tables already, so this fails.
        make(&transaction)?;
    }
    transaction.commit()?;
    Ok(connection)
}

/// Opens an index to compare it, without changing it; none if there is none, or one of another format, which is made
/// anew before it is used.
///
/// # Errors
///
/// Fails if the file is no index.
pub(super) fn open_to_compare(path: &Path) -> rusqlite::Result<Option<Connection>> {
    if path.metadata().is_ok_and(|found| found.len() == 0) || path.symlink_metadata().is_err() {
        return Ok(None);
    }
    // A writer that was killed leaves a journal, which only one that may write can take back.
    let open = |flags| Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
    let connection = open(OpenFlags::SQLITE_OPEN_READ_WRITE)
        .or_else(|_| open(OpenFlags::SQLITE_OPEN_READ_ONLY))?;
    connection.busy_timeout(PATIENCE)?;
    let application: i64 =
        connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let format: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match (application, format) {
        (APPLICATION, FORMAT) => Ok(Some(connection)),
        (APPLICATION, _) => Ok(None),
        _ => Err(rusqlite::Error::InvalidQuery),
    }
}

/// Makes an empty index that is gone when it is closed.
pub(super) fn in_memory() -> rusqlite::Result<Connection> {
    let connection = Connection::open_in_memory()?;
    make(&connection)?;
    Ok(connection)
}

/// Begins to copy the rows of an index up to this round into an empty one.
pub(super) fn copy_rounds<'a>(
    to: &'a mut Connection,
    path: &str,
    last: u64,
) -> rusqlite::Result<Transaction<'a>> {
    to.busy_timeout(PATIENCE_FOR_COPY)?;
    to.execute("ATTACH ? AS kept", params![path])?;
    let transaction = to.transaction()?;
    transaction.execute("INSERT INTO main.league SELECT * FROM kept.league", [])?;
    for table in ["round", "seat", "rating"] {
        let copy = format!("INSERT INTO main.{table} SELECT * FROM kept.{table} WHERE round <= ?");
        transaction.execute(&copy, params![to_i64(last)])?;
    }
    Ok(transaction)
}

/// Closes the index that was copied.
pub(super) fn let_go(copy: &Connection) -> rusqlite::Result<()> {
    copy.execute("DETACH kept", []).map(drop)
}

fn make(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(TABLES)?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", FORMAT)
}

/// The tally that an index holds, if it can be continued.
pub(super) enum StoredTally {
    Kept {
        tally: Box<Tally>,
        rounds: usize,
    },
    /// Nothing, or the rounds of another league, or other rounds.
    Other,
    /// It has changed since it was written.
    Damaged,
}

/// Returns what is found in an index. The rows of games are not read.
pub(super) fn stored_tally(
    connection: &Connection,
    league: &League,
    over: &[&Round],
) -> rusqlite::Result<StoredTally> {
    type Blob = Option<Vec<u8>>;
    let row = |row: &Row<'_>| -> rusqlite::Result<(Blob, Blob)> { Ok((row.get(0)?, row.get(1)?)) };
    let kept = connection.query_row("SELECT tally, digest FROM league", [], row).optional()?;
    let Some((Some(tally), digest)) = kept else { return Ok(StoredTally::Other) };
    let actual = of_league(connection)?.bytes();
    if digest.is_none_or(|digest| digest != actual) {
        return Ok(StoredTally::Damaged);
    }
    if !is_of_league(connection, league, over)? {
        return Ok(StoredTally::Other);
    }
    let rounds: i64 = connection.query_row("SELECT count(*) FROM round", [], |row| row.get(0))?;
    let rounds = usize::try_from(rounds).unwrap_or_default();
    let tally = Tally::from_bytes(setup(league), &tally);
    Ok(tally
        .map_or(StoredTally::Other, |tally| StoredTally::Kept { tally: Box::new(tally), rounds }))
}

/// Returns true if an index is of this league, and its rounds are the first of these.
pub(super) fn is_of_league(
    connection: &Connection,
    league: &League,
    over: &[&Round],
) -> rusqlite::Result<bool> {
    let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let found: Option<(Vec<u8>, Vec<u8>)> =
        connection.query_row("SELECT origin, counted FROM league", [], row).optional()?;
    let is_found = found.is_some_and(|(origin, corrected)| {
        origin == league.origin().bytes() && corrected == counted(league).bytes()
    });
    if !is_found {
        return Ok(false);
    }
    let mut rounds = connection.prepare("SELECT round, head FROM round ORDER BY round")?;
    let mut rows = rounds.query([])?;
    let mut expected = over.iter();
    while let Some(row) = rows.next()? {
        let (round, head): (i64, Vec<u8>) = (row.get(0)?, row.get(1)?);
        let is_next = expected.next().and_then(|round| round.over.as_ref()).is_some_and(|over| {
            i64::try_from(over.round).is_ok_and(|it| it == round) && head_of(over) == head
        });
        if !is_next {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Empties the index, and makes it one of this league.
pub(super) fn clear(transaction: &Transaction<'_>, league: &League) -> rusqlite::Result<()> {
    for table in ["league", "round", "seat", "rating"] {
        transaction.execute(&format!("DELETE FROM {table}"), [])?;
    }
    let (origin, counted) = (league.origin().bytes(), counted(league).bytes());
    transaction.execute(
        "INSERT INTO league (only, origin, counted) VALUES (0, ?, ?)",
        params![&origin[..], &counted[..]],
    )?;
    Ok(())
}

/// Returns a digest of the league and of which of its games count.
pub(super) fn counted(league: &League) -> Digest {
    league.corrections().digest(league.origin())
}

/// Writes the tally of the rounds in the index.
pub(super) fn store_tally(transaction: &Transaction<'_>, tally: &Tally) -> rusqlite::Result<()> {
    transaction.execute("UPDATE league SET tally = ?", params![tally.to_bytes()])?;
    let digest = of_league(transaction)?.bytes();
    transaction.execute("UPDATE league SET digest = ?", params![&digest[..]])?;
    Ok(())
}

/// Returns the setup of a league's standings.
///
/// The bootstrap has the same number of replicates for any number of bots, so that a new bot changes
/// no interval of others.
pub(super) fn setup(league: &League) -> StandingsSetup {
    let names = league.members().iter().map(|member| member.entry.bot.to_string()).collect();
    let [a, b, c, d, e, f, g, h, ..] = league.origin().bytes();
    let seed = BootstrapSeed(u64::from_be_bytes([a, b, c, d, e, f, g, h]));
    // Games by earlier rules may have had other scores.
    let is_bounded = league.later_rules().is_empty();
    let widest = league.kind().most_points().filter(|_| is_bounded).map(Score::as_f64);
    let remote = league.members().iter().filter(|member| member.entry.mode == ProgramMode::Remote);
    let helped = remote.map(|it| (it.entry.bot.to_string(), OutsideHelp::Remote)).collect();
    let replicates = ReplicateCount::LEAST;
    StandingsSetup {
        helped,
        seed,
        widest,
        replicates,
        ..StandingsSetup::new(names, league.seats())
    }
}

/// Returns true if the index cannot be written because of its disk. Where it cannot be written for another reason, as
/// in a folder that is read-only, it is kept in memory.
pub(super) fn is_of_disk(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DiskFull, SystemIoFailure};
    matches!(error.sqlite_error_code(), Some(DiskFull | SystemIoFailure))
}

/// Returns true if the database itself is at fault, and not the disk or another program.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    match error.sqlite_error_code() {
        Some(code) => matches!(
            code,
            ErrorCode::DatabaseCorrupt
                | ErrorCode::NotADatabase
                | ErrorCode::Unknown
                | ErrorCode::ConstraintViolation
                | ErrorCode::TypeMismatch
                | ErrorCode::InternalMalfunction
        ),
        None => true,
    }
}

/// Returns the head of a round as the index has it; empty if nothing was played.
pub(super) fn head_of(over: &RoundEndLine) -> Vec<u8> {
    over.head.map_or_else(Vec::new, |head| head.bytes().to_vec())
}

pub(super) fn to_i64(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

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

    fn read(row: &Row<'_>) -> rusqlite::Result<(i64, SeatRow)> {
        let (bot, game, seat) = (row.get(0)?, row.get(2)?, row.get(3)?);
        let (place, fault) = (row.get(4)?, row.get(5)?);
        let (is_suspect, is_void) = (row.get(6)?, row.get(7)?);
        Ok((row.get(1)?, SeatRow { bot, game, seat, place, fault, is_suspect, is_void }))
    }
}

/// The entry of a round in the index.
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

/// The index that was last found whole: its path, length and time of change. A server opens one for many
/// requests, and reads all rows only if it has changed.
static KNOWN: Mutex<Option<(PathBuf, u64, SystemTime)>> = Mutex::new(None);

/// The time after a change in which another one may have the same time.
const SAME_TIME: Duration = Duration::from_secs(2);

fn cached_check(path: &Path) -> Option<(PathBuf, u64, SystemTime)> {
    let found = path.metadata().ok()?;
    let changed = found.modified().ok()?;
    let is_past = changed.elapsed().is_ok_and(|since| since > SAME_TIME);
    is_past.then(|| (path.to_owned(), found.len(), changed))
}

/// Checks the rows of an index, unless they were found to be whole in this process and it has not changed since.
pub(super) fn are_rows_known_whole(path: &Path, connection: &Connection) -> rusqlite::Result<bool> {
    let now = cached_check(path);
    if now.is_some() && *KNOWN.lock().unwrap_or_else(PoisonError::into_inner) == now {
        return Ok(true);
    }
    let is_whole = are_rows_whole(connection)?;
    if is_whole {
        *KNOWN.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }
    Ok(is_whole)
}
