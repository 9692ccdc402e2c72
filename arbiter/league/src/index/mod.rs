//! The index of a league: the totals of its rounds, and where to find each game.
//!
//! The logs are the truth, and the index is a convenience: it says nothing that does not follow from
//! them. With it neither standings nor pages need to read the games of a year. It lies in the folder
//! of the league, and is made anew if it is missing, damaged, from another version, or not about
//! the rounds that the log of the league names: it holds the head of each of its rounds, and digests of its contents.
//!
//! Several programs use one index at a time. A round is added in a transaction, along with the tally
//! after it, so that a killed program leaves an index with fewer rounds, but never a wrong one.
//! If the folder cannot be written to, the index is kept in memory while the program runs.

mod queries;
mod schema;

use rules::GameRecord;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use serde_json::Value;
use series::Series;
use series::game_status::suspect_seats;
use standings::output::json;
use standings::{Entrant, Standings, Tally};
use thiserror::Error;

use self::schema::{
    IndexContents, RoundDigest, SeatRow, StoredTally, head_of, is_damage, is_near, is_of_disk,
    setup, to_i64,
};
use crate::folder::LeagueFolder;
use crate::state::{League, Round};
use crate::version::BotVersion;
use contest::playing::series_runner;
use contest::tournament::folder::shown;
use contest::tournament::read;
use contest::tournament::read::ReadError;
pub use queries::{ForfeitedGame, GameSeat, HeadToHeadGame, RatingAfterRound, RoundGame};
use text::failure::Failure;
use text::terminal::say;

/// Number of games after which a transaction is committed.
const GAMES_A_TRANSACTION: u64 = 20_000;

/// Totals of all finished rounds of a league; every version of a bot counts as a bot of its own.
#[derive(Debug)]
pub struct LeagueIndex {
    folder: LeagueFolder,
    connection: Connection,
    tally: Tally,
    /// Number of rounds in the tally.
    rounds: usize,
    revision: u64,
}

/// Reason why a round cannot be counted; one line.
#[derive(Debug, Error)]
pub enum IndexError {
    #[error("`{0}`: {1}")]
    Unreadable(String, ReadError),
    /// It was changed after it was over.
    #[error("`{0}`: its head is not the one in the log of the league: it was changed")]
    Changed(String),
    /// The file of the index cannot be read or written, for a reason that lies outside of it.
    #[error("{0}")]
    File(String),
    /// There can be no index, not even in memory.
    #[error("cannot build the index of the league: {0}")]
    Index(#[from] rusqlite::Error),
}

impl From<IndexError> for Failure {
    fn from(bad: IndexError) -> Failure {
        match bad {
            IndexError::Unreadable(_, ReadError::Log(_)) | IndexError::Changed(_) => {
                Failure::Verification(bad.to_string())
            }
            IndexError::Unreadable(..) => Failure::Usage(bad.to_string()),
            IndexError::Index(_) | IndexError::File(_) => Failure::Ours(bad.to_string()),
        }
    }
}

impl LeagueIndex {
    /// Opens the index of a league, up to its last finished round, for standings: its rows are not checked.
    pub fn open(league: &League, folder: &LeagueFolder) -> Result<LeagueIndex, IndexError> {
        let kept = schema::open(&folder.index()).map(|connection| {
            let tally = Tally::new(setup(league));
            LeagueIndex { folder: folder.clone(), connection, tally, rounds: 0, revision: 0 }
        });
        let mut index = match kept {
            Ok(index) => index,
            Err(error) if is_of_disk(&error) => return Err(of_disk(folder, error)),
            Err(_) => LeagueIndex::in_memory(league, folder)?,
        };
        index.bring_up_to(league)?;
        Ok(index)
    }

    /// Opens the index of a league likewise, to look for games and ratings in it: if its rows are not those that were
    /// written, it is made anew.
    pub fn open_checked(league: &League, folder: &LeagueFolder) -> Result<LeagueIndex, IndexError> {
        let index = LeagueIndex::open(league, folder)?;
        match schema::are_rows_known_whole(&folder.index(), &index.connection) {
            Ok(true) => Ok(index),
            Ok(false) => index.rebuilt(league),
            Err(error) if is_damage(&error) => index.rebuilt(league),
            Err(error) => Err(error.into()),
        }
    }

    /// Makes a damaged index anew, on the disk if that can be.
    fn rebuilt(self, league: &League) -> Result<LeagueIndex, IndexError> {
        let LeagueIndex { folder, connection, .. } = self;
        drop(connection);
        say_damaged(&folder);
        // It is derived from the logs, so nothing is lost.
        let _ = std::fs::remove_file(folder.index());
        let mut index = LeagueIndex::in_memory(league, &folder)?;
        if let Ok(connection) = schema::open(&folder.index()) {
            index.connection = connection;
        }
        match index.add_rounds(league) {
            Err(IndexError::Index(_)) => LeagueIndex::build_in_memory(league, &folder),
            added => added.map(|()| index),
        }
    }

    /// Makes an index in memory, for a league as it was at an earlier time. All of its games are read.
    pub fn build_in_memory(
        league: &League,
        folder: &LeagueFolder,
    ) -> Result<LeagueIndex, IndexError> {
        let mut index = LeagueIndex::in_memory(league, folder)?;
        index.add_rounds(league)?;
        Ok(index)
    }

    /// Returns a copy in memory for a league that has at least the finished rounds of this index, while the kept index
    /// goes on; none if it has fewer, or other corrections.
    ///
    /// # Errors
    ///
    /// [`IndexError`] if the kept index or the log of a further round cannot be read.
    pub fn copied_in_memory(&self, league: &League) -> Result<Option<LeagueIndex>, IndexError> {
        let mut over = league.rounds().iter().filter(|round| round.over.is_some());
        let shared: Vec<&Round> = over.by_ref().take(self.rounds).collect();
        let path = self.connection.path().filter(|path| !path.is_empty());
        let Some((path, last)) = path.zip(shared.last().filter(|_| shared.len() == self.rounds))
        else {
            return Ok(None);
        };
        let mut copy = LeagueIndex::in_memory(league, &self.folder)?;
        let transaction = schema::copy_rounds(&mut copy.connection, path, last.line.round)?;
        let is_same = schema::is_of_league(&transaction, league, &shared)?;
        schema::store_tally(&transaction, &self.tally)?;
        transaction.commit()?;
        if !is_same {
            return Ok(None);
        }
        schema::let_go(&copy.connection)?;
        copy.add_rounds(league)?;
        Ok(Some(copy))
    }

    fn in_memory(league: &League, folder: &LeagueFolder) -> Result<LeagueIndex, IndexError> {
        let (folder, connection) = (folder.clone(), schema::in_memory()?);
        let tally = Tally::new(setup(league));
        Ok(LeagueIndex { folder, connection, tally, rounds: 0, revision: 0 })
    }

    /// Returns a number that changes with the totals: with each round that is added, with bots that enter and with
    /// corrections.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Adds the rounds that finished since.
    ///
    /// # Errors
    ///
    /// [`IndexError`]; the index may then have some of the new rounds.
    pub fn bring_up_to(&mut self, league: &League) -> Result<(), IndexError> {
        match self.add_rounds(league) {
            Err(IndexError::Index(error)) if is_of_disk(&error) => {
                Err(of_disk(&self.folder, error))
            }
            Err(IndexError::Index(error)) => {
                let revision = self.revision + 1;
                let empty =
                    LeagueIndex { revision, ..LeagueIndex::in_memory(league, &self.folder)? };
                match is_damage(&error) {
                    true => *self = std::mem::replace(self, empty).rebuilt(league)?,
                    false => *self = empty,
                }
                self.revision = revision;
                self.add_rounds(league)
            }
            other => other,
        }
    }

    /// Adds these rounds to an empty index.
    fn add_these(&mut self, league: &League, over: &[&Round]) -> Result<(), IndexError> {
        let transaction = self.connection.transaction()?;
        schema::clear(&transaction, league)?;
        for round in over {
            add_round(&transaction, &mut self.tally, league, round, &self.folder)?;
        }
        schema::store_tally(&transaction, &self.tally)?;
        transaction.commit()?;
        self.rounds = over.len();
        Ok(())
    }

    fn add_rounds(&mut self, league: &League) -> Result<(), IndexError> {
        let over: Vec<&Round> =
            league.rounds().iter().filter(|round| round.over.is_some()).collect();
        while !self.is_up_to(league, &over)? {
            let transaction =
                self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let (mut tally, mut rounds) = match schema::stored_tally(&transaction, league, &over)? {
                StoredTally::Kept { tally, rounds } => (*tally, rounds),
                found => {
                    if matches!(found, StoredTally::Damaged) {
                        say_damaged(&self.folder);
                    }
                    schema::clear(&transaction, league)?;
                    (Tally::new(setup(league)), 0)
                }
            };
            let before = tally.games();
            for round in over.iter().skip(rounds) {
                add_round(&transaction, &mut tally, league, round, &self.folder)?;
                rounds += 1;
                if tally.games() - before >= GAMES_A_TRANSACTION {
                    break;
                }
            }
            schema::store_tally(&transaction, &tally)?;
            transaction.commit()?;
            (self.tally, self.rounds) = (tally, rounds);
            self.revision += 1;
        }
        Ok(())
    }

    /// Returns true if the tally has all of these rounds and bots.
    fn is_up_to(&mut self, league: &League, over: &[&Round]) -> Result<bool, IndexError> {
        if self.rounds < over.len() || !schema::is_of_league(&self.connection, league, over)? {
            return Ok(false);
        }
        let setup = setup(league);
        if *self.tally.setup() == setup {
            return Ok(true);
        }
        let tally = std::mem::replace(&mut self.tally, Tally::new(setup.clone()));
        match tally.continued(setup) {
            Ok(tally) => {
                self.tally = tally;
                self.revision += 1;
                Ok(true)
            }
            Err(_) => {
                // Another number of bots may need another model, with other sums.
                self.rounds = 0;
                self.revision += 1;
                Ok(over.is_empty())
            }
        }
    }

    pub fn standings(&self) -> Standings {
        self.tally.standings()
    }

    /// Returns the totals of all finished rounds.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Returns the number of games that count.
    pub fn games(&self) -> u64 {
        self.tally.games()
    }
}

/// Adds the games of a finished round, and the ratings after it.
fn add_round(
    transaction: &Transaction<'_>,
    tally: &mut Tally,
    league: &League,
    round: &Round,
    folder: &LeagueFolder,
) -> Result<(), IndexError> {
    let Some(over) = &round.over else { return Ok(()) };
    let path = folder.round(over.round);
    let number = to_i64(over.round);
    let mut seat = transaction.prepare(
        "INSERT INTO seat (bot, round, game, seat, place, fault, suspect, void) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    // Of the index, not of the log.
    let mut unwritten = None;
    let mut rows = Vec::new();
    let mut each = |series: &Series, game: &GameRecord| -> Result<(), String> {
        let Some(played) = series_runner::played(tally, series, game)? else { return Ok(()) };
        let bots: Vec<&BotVersion> = played
            .seats()
            .values()
            .iter()
            .filter_map(|bot| Some(&league.members().get(bot.0)?.entry.bot))
            .collect();
        let is_void = !league.corrections().counts(over.round, game.game, &bots);
        if !is_void {
            tally.add(&played).map_err(|problem| problem.to_string())?;
        }
        let suspects = suspect_seats(game, &series.times(game.game));
        for ((at, bot), place) in played.seats().iter().zip(played.places().values()) {
            let fault = played.fault(at).map(|fault| fault.to_string());
            let is_suspect = suspects.contains(&at);
            let (bot, game, at) = (bot.0 as i64, to_i64(game.game), at.index() as i64);
            let place = *place as i64;
            if let Err(error) =
                seat.execute(params![bot, number, game, at, place, fault, is_suspect, is_void])
            {
                return Err(unwritten.insert(error).to_string());
            }
            rows.push(SeatRow { bot, game, seat: at, place, fault, is_suspect, is_void });
        }
        Ok(())
    };
    if let Some(head) = over.head {
        let read = read::read_log(&path, &mut each);
        let read = match (unwritten, read) {
            (Some(error), _) => return Err(error.into()),
            (None, read) => read.map_err(|it| IndexError::Unreadable(shown(&path), it))?,
        };
        if read.head != head {
            return Err(IndexError::Changed(shown(&path)));
        }
    }
    let mut of_round = RoundDigest::default();
    rows.sort_unstable();
    rows.iter().for_each(|row| of_round.add_seat(row));
    let mut rating =
        transaction.prepare("INSERT INTO rating (bot, round, rating) VALUES (?, ?, ?)")?;
    let ratings = tally.ratings();
    // A bot that has not played keeps its rating.
    let mut bots: Vec<Entrant> =
        round.line.bots.iter().filter_map(|bot| league.entrant(bot)).collect();
    bots.sort_unstable();
    for Entrant(place) in bots {
        if let Some(value) = ratings.get(place).copied().flatten() {
            rating.execute(params![place as i64, number, value])?;
            of_round.add_rating(place as i64, value);
        }
    }
    let (head, played) = (head_of(over), to_i64(tally.games()));
    let digest = of_round.digest(number, &head, played).bytes();
    transaction.execute(
        "INSERT INTO round (round, head, played, digest) VALUES (?, ?, ?, ?)",
        params![number, head, played, &digest[..]],
    )?;
    Ok(())
}

fn of_disk(folder: &LeagueFolder, error: rusqlite::Error) -> IndexError {
    let index = shown(&folder.index());
    IndexError::File(format!(
        "cannot write `{index}`: {error}: make room on its disk, and try again"
    ))
}

/// Says that an index is not what was written.
fn say_damaged(folder: &LeagueFolder) {
    let index = shown(&folder.index());
    say(format!("note: `{index}` has changed since it was written: rebuilding it from the logs"));
}

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
        false => {
            let index = shown(&folder.index());
            Err(IndexError::File(format!(
                "cannot read `{index}`: {error}: make it readable, and try again"
            )))
        }
    }
}

/// The content of an index, with digests in place of its rows.
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
    /// Fails if it is damaged, or has changed since it was written.
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
        let is_whole = schema::of_league(&transaction)?.bytes()[..] == digest
            && schema::are_rows_whole(&transaction)?;
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
