//! Games of people against bots, at served pages.
//!
//! # Theory of operation
//!
//! A game of a person is a match of one game like any other ([`matches::play`]), and `arbiter play` without
//! its terminal: the person is a [`Player`], whose [`ask`] waits for a move that a page sends. It has a
//! thread of its own (`playing.rs`), which shares one [`PlayTable`] with the pages. What a page sends is checked
//! against the request before the thread gets it, so a wrong move never reaches the referee.
//!
//! The content of a page ([`TableView`]) comes from the request of that seat, from [`Referee::narrate_to`] and
//! from [`Referee::view`] of that seat. Hidden cards are told when the game is over, from its record.
//!
//! The log lies in a folder that no other user can look into, in a file for each game; [`verify`] reads it
//! when the game is over. A person leaves by saying so, by closing the page, by not moving, or when nothing
//! is served any more: the game is void, and its log has no end, as in `arbiter play`.
//!
//! A table is found by a [`TableSecret`], which stands in the address of its page and nowhere else. There is a
//! bound for the tables at which people play, of which one visitor has half at most, for those that are
//! remembered when their games are over, and for those that begin in an hour, since each leaves a log.
//!
//! [`matches::play`]: contest::playing::matches::play
//! [`Player`]: contest::playing::Player
//! [`ask`]: contest::playing::Player::ask
//! [`Referee::narrate_to`]: rules::Referee::narrate_to
//! [`Referee::view`]: rules::Referee::view
//! [`verify`]: record::verify::verify
//! [`TableView`]: table::TableView

mod game_choice;
mod page;
mod playing;
pub(super) mod routes;
mod table;
pub(super) mod table_offer;

use std::collections::VecDeque;
use std::fmt::Display;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use std::{fmt, io, thread};

use axum::http::StatusCode;
use rand::TryRng;
use rand::rngs::SysRng;
use rules::{GameKind, NotText, PerSeat};
use sandbox::file;

use crate::people::table::TablePlayers;
use crate::rate_limits::{RateLimit, RateLimiter};
use crate::reviewing::ReviewService;
use crate::shutdown::have_ended;
pub use game_choice::{GameChoice, PreparedGame};
use league::folder::LeagueFolder;
use league::settings::LastSettings;
pub use table::{
    ABSENCE, GameEnding, GameStage, IDLE, KnownLines, LogVerdict, MoveError, MoveQuestion,
    PageVisit, PlayTable, QuestionMove, TableLeaveCause, TableLines, TableTimeouts, TableView,
};
pub use table_offer::{OfferedBot, OfferedGame, TableOffer};
use text::{counted, system_error};

/// The folder with the logs, in the one that is served.
pub(super) const FOLDER: &str = "people";
/// The most people who play at once, unless an option says otherwise.
pub const MOST_TABLES: usize = 4;
/// The most tables that are remembered once their games are over.
const MOST_REMEMBERED: usize = 100;
/// The games that one address begins.
const VISITS: RateLimit = RateLimit { turns: 12, every: Duration::from_secs(60) };
/// The most games that begin in an hour: each leaves a log.
const MOST_BEGUN: usize = 240;
const HOUR: Duration = Duration::from_secs(3600);

#[derive(Debug)]
pub struct PlayService {
    most: usize,
    patience: TableTimeouts,
    tables: Mutex<OpenTables>,
    visitors: RateLimiter<IpAddr>,
}

#[derive(Debug, Clone)]
pub struct PlayFolder {
    folder: PathBuf,
    /// The settings of the folder, if it is a league.
    settings: Option<Arc<LastSettings>>,
    people: Arc<PlayService>,
    /// Makes reviews of games that are over, if players can ask for them.
    reviewing: Option<Arc<ReviewService>>,
}

#[derive(Debug, Default)]
struct OpenTables {
    /// In the order in which they were opened.
    opened: VecDeque<OpenTable>,
    /// The times at which tables were begun in the last hour.
    begun: VecDeque<Instant>,
    is_closed: bool,
}

#[derive(Debug)]
struct OpenTable {
    secret: TableSecret,
    table: Arc<PlayTable>,
    thread: JoinHandle<()>,
    visitor: Option<IpAddr>,
}

/// The reason why no table is opened: the status of the answer, and one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRefusal {
    pub status: StatusCode,
    pub why: String,
}

impl TableRefusal {
    fn new(status: StatusCode, why: impl Into<String>) -> TableRefusal {
        TableRefusal { status, why: why.into() }
    }

    /// There may be room later.
    fn full(why: impl Into<String>) -> TableRefusal {
        TableRefusal::new(StatusCode::SERVICE_UNAVAILABLE, why)
    }

    /// One visitor asks for too much.
    fn too_many(why: impl Into<String>) -> TableRefusal {
        TableRefusal::new(StatusCode::TOO_MANY_REQUESTS, why)
    }

    /// There is no person in the game, or the game cannot be.
    fn no_person(why: impl Display) -> TableRefusal {
        TableRefusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("not a game with a person: {why}"),
        )
    }
}

impl From<io::Error> for TableRefusal {
    fn from(error: io::Error) -> TableRefusal {
        let why = format!("cannot open a table: {}", system_error(error));
        TableRefusal::new(StatusCode::INTERNAL_SERVER_ERROR, why)
    }
}

impl PlayFolder {
    pub fn new(folder: &Path, people: Arc<PlayService>) -> PlayFolder {
        let settings = LeagueFolder::find(folder).map(LastSettings::new).map(Arc::new);
        // Those that are right now hold while a later change is wrong.
        let _ = settings.as_ref().map(|settings| settings.terms());
        PlayFolder { folder: folder.to_owned(), settings, people, reviewing: None }
    }

    /// The same place, whose players can ask for reviews if `reviewing` makes some.
    pub(super) fn with_reviews(self, reviewing: Option<Arc<ReviewService>>) -> PlayFolder {
        PlayFolder { reviewing, ..self }
    }

    pub fn people(&self) -> &PlayService {
        &self.people
    }

    /// The games and opponents that this folder offers just now.
    ///
    /// # Errors
    ///
    /// A line with the fault of the league or tournament.
    pub fn offer(&self) -> Result<TableOffer, String> {
        TableOffer::read(&self.folder, self.settings.as_deref(), &self.logs())
    }

    pub fn logs(&self) -> PathBuf {
        self.folder.join(FOLDER)
    }

    /// Opens a table, begins its game, and returns the secret of its page. A visitor at one address has half
    /// of all tables at most, rounded up; a visitor without an address is at this machine, and has all.
    ///
    /// # Errors
    ///
    /// [`TableRefusal`], with nothing played.
    pub fn open(
        &self,
        cast: PreparedGame,
        visitor: Option<IpAddr>,
    ) -> Result<TableSecret, TableRefusal> {
        self.people.open(cast, &self.logs(), visitor)
    }

    /// The table with this secret, as long as it is remembered.
    pub fn table(&self, secret: TableSecret) -> Option<Arc<PlayTable>> {
        self.people.table(secret).filter(|table| table.log().starts_with(&self.folder))
    }
}

impl PlayService {
    /// A server without a game yet, with at most this many tables.
    pub fn new(most: usize, patience: TableTimeouts) -> PlayService {
        PlayService { most, patience, tables: Mutex::default(), visitors: RateLimiter::new(VISITS) }
    }

    fn open(
        &self,
        cast: PreparedGame,
        logs: &Path,
        visitor: Option<IpAddr>,
    ) -> Result<TableSecret, TableRefusal> {
        let header = &cast.header;
        let seat = cast.seat().ok_or_else(|| TableRefusal::no_person("no player is one"))?;
        let kind = GameKind::of_log(&header.game, header.rules.as_ref())
            .map_err(TableRefusal::no_person)?;
        let names: Vec<String> = header.players.iter().map(|it| it.name.clone()).collect();
        let (names, commitment) = (PerSeat::from(names), header.commitment.to_string());
        let (options, opponents) = (header.options.clone(), cast.opponents.clone());
        let mut tables = self.lock();
        tables.must_have_room(self.most, visitor)?;
        file::private_folder().recursive(true).create(logs)?;
        // The name of the log tells nothing that leads to the table.
        let log = logs.join(format!("{kind}-{}.jsonl", &TableSecret::draw()?.to_string()[..16]));
        let seating = TablePlayers { kind, options, seat, names, commitment, log, opponents };
        let (secret, table) =
            (TableSecret::draw()?, Arc::new(PlayTable::new(seating, self.patience)));
        let own = Arc::clone(&table);
        let begun = thread::Builder::new().name("table".to_owned());
        let thread = begun.spawn(move || playing::run(&own, cast))?;
        tables.begun.push_back(Instant::now());
        tables.opened.push_back(OpenTable { secret, table, thread, visitor });
        Ok(secret)
    }

    fn table(&self, secret: TableSecret) -> Option<Arc<PlayTable>> {
        let tables = self.lock();
        let found = tables.opened.iter().find(|opened| opened.secret == secret);
        found.map(|opened| Arc::clone(&opened.table))
    }

    /// Counts that a visitor at this address begins a game.
    fn visits(&self, address: IpAddr) -> Result<(), TableRefusal> {
        let taken = self.visitors.take(address, Instant::now());
        taken.map_err(|problem| {
            let seconds = problem.wait.as_secs() + 1;
            TableRefusal::too_many(format!("too many new games: try again in {seconds} s"))
        })
    }

    /// Checks that a table can be opened just now.
    pub fn has_room(&self, visitor: Option<IpAddr>) -> Result<(), TableRefusal> {
        self.lock().must_have_room(self.most, visitor)
    }

    /// The number of people who play just now, and the most who can.
    pub fn occupancy(&self) -> (usize, usize) {
        (self.lock().playing(), self.most)
    }

    /// Has all people leave, opens no table any more, and returns true if every game has ended: a bot may
    /// still be thinking.
    pub fn close(&self) -> bool {
        let opened = {
            let mut tables = self.lock();
            tables.is_closed = true;
            std::mem::take(&mut tables.opened)
        };
        opened.iter().for_each(|opened| opened.table.leave(TableLeaveCause::Closed));
        have_ended(opened.iter().map(|opened| &opened.thread))
    }

    fn lock(&self) -> MutexGuard<'_, OpenTables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenTable {
    fn is_playing(&self) -> bool {
        !self.table.stage().is_last()
    }
}

impl OpenTables {
    /// The number of tables with a person, or with a bot that still thinks once its person has left.
    fn playing(&self) -> usize {
        self.opened.iter().filter(|opened| opened.is_playing()).count()
    }

    fn must_have_room(&mut self, most: usize, visitor: Option<IpAddr>) -> Result<(), TableRefusal> {
        if self.is_closed {
            return Err(TableRefusal::full("the server is shutting down"));
        }
        if self.playing() >= most {
            return Err(TableRefusal::full("all tables are in use: try again later"));
        }
        let own = self.opened.iter().filter(|it| it.visitor == visitor && it.is_playing()).count();
        if visitor.is_some() && own >= most.div_ceil(2) {
            let tables = counted(own, "table", "tables");
            return Err(TableRefusal::too_many(format!(
                "you are already playing at {tables}: finish that game first"
            )));
        }
        while self.begun.front().is_some_and(|begun| begun.elapsed() >= HOUR) {
            self.begun.pop_front();
        }
        if self.begun.len() >= MOST_BEGUN {
            return Err(TableRefusal::full(format!(
                "hourly limit of {MOST_BEGUN} games reached: try again later"
            )));
        }
        while self.opened.len() >= MOST_REMEMBERED + most {
            let over = self.opened.iter().position(|opened| opened.table.stage().is_last());
            over.and_then(|place| self.opened.remove(place));
        }
        Ok(())
    }
}

/// A random number of 128 bits, written as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableSecret(u128);

impl TableSecret {
    /// Draws a new secret; fails if the system gives no random numbers.
    fn draw() -> io::Result<TableSecret> {
        let mut bytes = [0; 16];
        SysRng.try_fill_bytes(&mut bytes).map_err(io::Error::other)?;
        Ok(TableSecret(u128::from_be_bytes(bytes)))
    }
}

impl Display for TableSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Keeps it out of messages.
impl fmt::Debug for TableSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl FromStr for TableSecret {
    type Err = NotText;

    fn from_str(text: &str) -> Result<TableSecret, NotText> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let number = match text.len() == 32 && text.bytes().all(is_digit) {
            true => u128::from_str_radix(text, 16).ok(),
            false => None,
        };
        number.map(TableSecret).ok_or_else(|| NotText::new("32 hexadecimal digits", text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_one_spelling_and_is_told_in_no_message() {
        let secret = TableSecret(0xf0);
        let text = "000000000000000000000000000000f0";
        assert_eq!((secret.to_string().as_str(), text.parse()), (text, Ok(secret)));
        assert_eq!(format!("{secret:?}"), "Secret(…)");
        for wrong in ["", "f0", &text.to_uppercase(), &format!("{text}0"), &text.replace('f', "+")]
        {
            assert!(wrong.parse::<TableSecret>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn no_two_are_the_same() {
        let drawn = [(); 3].map(|()| TableSecret::draw().expect("random numbers"));
        assert!(drawn[0] != drawn[1] && drawn[1] != drawn[2]);
    }
}
