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

mod comparison;
mod contents;
mod queries;
mod schema;

use rules::{GameRecord, Score};
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior, params};
use text::terminal::say;
use thiserror::Error;

use crate::folder::LeagueFolder;
use crate::line::OverLine;
use crate::state::{League, Round};
use conditions::series::Series;
use contest::playing::count;
use contest::tournament::folder::shown;
use contest::tournament::read::{self, Unreadable};
use standings::{BootstrapSeed, Entrant, Replicates, Setup, Standings, Tally};

pub(crate) use comparison::differs;
use contents::{OfRound, SeatRow};
use schema::StoredTally;

pub use queries::{Fault, GameOfRound, RatingAfter, SeatOfGame};

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
}

/// Reason why a round cannot be counted; one line.
#[derive(Debug, Error)]
pub enum BadRound {
    /// It cannot be read.
    #[error("`{0}`: {1}")]
    Unreadable(String, Unreadable),
    /// It was changed after it was over.
    #[error("`{0}`: its head is not the one in the log of the league: it was changed")]
    Changed(String),
    /// The index cannot be written: the disk has no room for it, or fails.
    #[error("cannot write `{0}`: {1}: make room on its disk, and try again")]
    Disk(String, rusqlite::Error),
    /// The index cannot be read, for a reason that lies outside of it.
    #[error("cannot read `{0}`: {1}: make it readable, and try again")]
    UnreadIndex(String, rusqlite::Error),
    /// There can be no index, not even in memory.
    #[error("cannot build the index of the league: {0}")]
    Index(#[from] rusqlite::Error),
}

impl LeagueIndex {
    /// Opens the index of a league, up to its last finished round, for standings: its rows are not checked.
    pub fn of(league: &League, folder: &LeagueFolder) -> Result<LeagueIndex, BadRound> {
        let kept = schema::open(&folder.index()).map(|connection| {
            let tally = Tally::new(setup(league));
            LeagueIndex { folder: folder.clone(), connection, tally, rounds: 0 }
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
    pub fn of_games(league: &League, folder: &LeagueFolder) -> Result<LeagueIndex, BadRound> {
        let index = LeagueIndex::of(league, folder)?;
        match comparison::are_rows_whole(&folder.index(), &index.connection) {
            Ok(true) => Ok(index),
            Ok(false) => index.rebuilt(league),
            Err(error) if is_damage(&error) => index.rebuilt(league),
            Err(error) => Err(error.into()),
        }
    }

    /// Makes a damaged index anew, on the disk if that can be.
    fn rebuilt(self, league: &League) -> Result<LeagueIndex, BadRound> {
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
            Err(BadRound::Index(_)) => LeagueIndex::apart(league, &folder),
            added => added.map(|()| index),
        }
    }

    /// Makes an index in memory, for a league as it was at an earlier time. All of its games are read.
    pub fn apart(league: &League, folder: &LeagueFolder) -> Result<LeagueIndex, BadRound> {
        let mut index = LeagueIndex::in_memory(league, folder)?;
        index.add_rounds(league)?;
        Ok(index)
    }

    fn in_memory(league: &League, folder: &LeagueFolder) -> Result<LeagueIndex, BadRound> {
        let (folder, connection) = (folder.clone(), schema::in_memory()?);
        Ok(LeagueIndex { folder, connection, tally: Tally::new(setup(league)), rounds: 0 })
    }

    /// Adds the rounds that finished since.
    ///
    /// # Errors
    ///
    /// [`BadRound`]; the index may then have some of the new rounds.
    pub fn bring_up_to(&mut self, league: &League) -> Result<(), BadRound> {
        match self.add_rounds(league) {
            Err(BadRound::Index(error)) if is_of_disk(&error) => Err(of_disk(&self.folder, error)),
            Err(BadRound::Index(error)) => {
                let empty = LeagueIndex::in_memory(league, &self.folder)?;
                match is_damage(&error) {
                    true => *self = std::mem::replace(self, empty).rebuilt(league)?,
                    false => *self = empty,
                }
                self.add_rounds(league)
            }
            other => other,
        }
    }

    /// Adds these rounds to an empty index.
    fn add_these(&mut self, league: &League, over: &[&Round]) -> Result<(), BadRound> {
        let transaction = self.connection.transaction()?;
        schema::clear(&transaction, league)?;
        for round in over {
            add_round(&transaction, &mut self.tally, league, round, &self.folder)?;
        }
        schema::keep(&transaction, &self.tally)?;
        transaction.commit()?;
        self.rounds = over.len();
        Ok(())
    }

    fn add_rounds(&mut self, league: &League) -> Result<(), BadRound> {
        let over: Vec<&Round> =
            league.rounds().iter().filter(|round| round.over.is_some()).collect();
        while !self.is_up_to(league, &over)? {
            let transaction =
                self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let (mut tally, mut rounds) = match schema::found(&transaction, league, &over)? {
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
            schema::keep(&transaction, &tally)?;
            transaction.commit()?;
            (self.tally, self.rounds) = (tally, rounds);
        }
        Ok(())
    }

    /// Returns true if the tally has all of these rounds and bots.
    fn is_up_to(&mut self, league: &League, over: &[&Round]) -> Result<bool, BadRound> {
        if self.rounds < over.len() || !schema::is_of(&self.connection, league, over)? {
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
                Ok(true)
            }
            Err(_) => {
                // Another number of bots may need another model, with other sums.
                self.rounds = 0;
                Ok(over.is_empty())
            }
        }
    }

    /// Returns the standings of all versions of all bots.
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

/// Returns the setup of a league's standings.
///
/// The bootstrap has the same number of replicates for any number of bots, so that a new bot changes
/// no interval of others.
fn setup(league: &League) -> Setup {
    let names = league.members().iter().map(|member| member.entry.bot.to_string()).collect();
    let [a, b, c, d, e, f, g, h, ..] = league.origin().bytes();
    let seed = BootstrapSeed(u64::from_be_bytes([a, b, c, d, e, f, g, h]));
    // Games by earlier rules may have had other scores.
    let is_bounded = league.later_rules().is_empty();
    let widest = league.kind().most_points().filter(|_| is_bounded).map(Score::as_f64);
    Setup { seed, widest, replicates: Replicates::LEAST, ..Setup::new(names, league.seats()) }
}

/// Adds the games of a finished round, and the ratings after it.
fn add_round(
    transaction: &Transaction<'_>,
    tally: &mut Tally,
    league: &League,
    round: &Round,
    folder: &LeagueFolder,
) -> Result<(), BadRound> {
    let Some(over) = &round.over else { return Ok(()) };
    let path = folder.round(over.round);
    let number = whole(over.round);
    let mut seat = transaction.prepare(
        "INSERT INTO seat (bot, round, game, seat, place, fault) VALUES (?, ?, ?, ?, ?, ?)",
    )?;
    // Of the index, not of the log.
    let mut unwritten = None;
    let mut rows = Vec::new();
    let mut each = |series: &Series, game: &GameRecord| -> Result<(), String> {
        let Some(played) = count::played(tally, series, game)? else { return Ok(()) };
        tally.add(&played).map_err(|problem| problem.to_string())?;
        for ((at, bot), place) in played.seats().iter().zip(played.places().values()) {
            let fault = played.fault(at).map(|fault| fault.to_string());
            let (bot, game, at) = (bot.0 as i64, whole(game.game), at.index() as i64);
            let place = *place as i64;
            if let Err(error) = seat.execute(params![bot, number, game, at, place, fault]) {
                return Err(unwritten.insert(error).to_string());
            }
            rows.push(SeatRow { bot, game, seat: at, place, fault });
        }
        Ok(())
    };
    if let Some(head) = over.head {
        let read = read::read_log(&path, &mut each);
        let read = match (unwritten, read) {
            (Some(error), _) => return Err(error.into()),
            (None, read) => read.map_err(|it| BadRound::Unreadable(shown(&path), it))?,
        };
        if read.head != head {
            return Err(BadRound::Changed(shown(&path)));
        }
    }
    let mut of_round = OfRound::default();
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
    let (head, played) = (head_of(over), whole(tally.games()));
    let digest = of_round.digest(number, &head, played).bytes();
    transaction.execute(
        "INSERT INTO round (round, head, played, digest) VALUES (?, ?, ?, ?)",
        params![number, head, played, &digest[..]],
    )?;
    Ok(())
}

/// Returns true if the index cannot be written because of its disk. Where it cannot be written for another reason, as
/// in a folder that is read-only, it is kept in memory.
fn is_of_disk(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DiskFull, SystemIoFailure};
    matches!(error.sqlite_error_code(), Some(DiskFull | SystemIoFailure))
}

fn of_disk(folder: &LeagueFolder, error: rusqlite::Error) -> BadRound {
    BadRound::Disk(shown(&folder.index()), error)
}

/// Says that an index is not what was written.
fn say_damaged(folder: &LeagueFolder) {
    let index = shown(&folder.index());
    say(format!("note: `{index}` was changed since it was written: it is rebuilt from the logs"));
}

/// Returns true if the database itself is at fault, and not the disk or another program.
fn is_damage(error: &rusqlite::Error) -> bool {
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
fn head_of(over: &OverLine) -> Vec<u8> {
    over.head.map_or_else(Vec::new, |head| head.bytes().to_vec())
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
