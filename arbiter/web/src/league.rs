//! The pages of a league: its report, and the reports of its rounds below `rounds/N/`.
//!
//! While the standings are frozen, the league is read as it was at that time, and all pages follow from that alone. So
//! nothing on them can tell more: later rounds and the open one are not there, and no game is shown live.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use std::{fs, io};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path as AtPath, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use jiff::Timestamp;
use maud::{PreEscaped, html};
use rules::Digest;
use sandbox::file;

use crate::background::{BackgroundMistakes, BackgroundStandings, LOOK, OpenRoundTally};
use crate::changes::{ChangeCounter, ChangingSource, TextCache};
use crate::delta::CacheTime;
use crate::options::{LIVE_OF_LEAGUE, ServeOptions};
use crate::published_log::PublishedLog;
use crate::tournament::ServedTournament;
use crate::{assets, changes, delta, live, page};
use league::events::StoredEvent;
use league::folder::LeagueFolder;
use league::index::{IndexError, LeagueIndex};
use league::replay_request::RoundMarks;
use league::state::Round;
use league::{League, events};
use report::html::layout::PageLocation;
use report::league::reading::Announcements;
use report::league::{LeaguePage, LeagueReport};
use text::failure::Failure;
use text::terminal::say;

/// The most rounds that are kept once a visitor has looked at them; the oldest goes first.
const ROUNDS: usize = 4;

/// Age below which a changed folder may change once more in the same tick of the clock.
const FRESH: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub(super) struct ServedLeague {
    folder: LeagueFolder,
    published: PublishedLog,
    location: PageLocation,
    options: ServeOptions,
    read: Mutex<LeagueSnapshot>,
    rounds: Mutex<ServedRounds>,
    changes: ChangeCounter,
    cached: TextCache,
}

#[derive(Debug)]
struct LeagueSnapshot {
    /// The length of its log, to which lines are only ever added.
    log: Option<u64>,
    reading: LeagueReport,
    index: LeagueIndex,
    open: Option<OpenRoundTally>,
    problem: Option<String>,
    /// The last warning that the announcements cannot be read.
    warned: Option<String>,
    standings: BackgroundStandings,
    /// The revision of the index with which standings were asked for; none of an index that has taken its place.
    counted: Option<u64>,
    mistakes: BackgroundMistakes,
    /// The times of the last changes with which the rejections were read; none if more may have changed since.
    rejections: Option<[SystemTime; 2]>,
}

/// Rounds that are served, in the order in which they were looked at first.
#[derive(Debug, Default)]
struct ServedRounds {
    order: Vec<u64>,
    rounds: BTreeMap<u64, Arc<ServedTournament>>,
}

impl ServedLeague {
    /// Opens a league. Its index is brought up to date, which may take long if it is missing.
    pub(super) fn open(
        folder: LeagueFolder,
        location: PageLocation,
        options: ServeOptions,
    ) -> Result<Arc<ServedLeague>, Failure> {
        let (announced, warned) = match Announcements::read(&folder) {
            Ok(announced) => (announced, None),
            Err(problem) => (Announcements::unknown(), Some(warning(&problem))),
        };
        let (league, index) = as_of(&folder, announced.frozen)?;
        let mut reading = LeagueReport::new(&folder, league, index.tally(), None)
            .map_err(|error| Failure::Ours(error.to_string()))?;
        reading.announced = announced;
        let read = LeagueSnapshot {
            log: None,
            reading,
            counted: Some(index.revision()),
            index,
            open: None,
            problem: None,
            warned,
            standings: BackgroundStandings::default(),
            mistakes: BackgroundMistakes::default(),
            rejections: None,
        };
        Ok(Arc::new(ServedLeague {
            published: PublishedLog::new(folder.clone()),
            folder,
            location,
            options,
            read: Mutex::new(read),
            rounds: Mutex::default(),
            changes: ChangeCounter::default(),
            cached: TextCache::default(),
        }))
    }

    pub(super) fn routes(self: Arc<ServedLeague>) -> Router {
        let pages = Router::new()
            .route("/", get(first))
            .route("/events", get(events))
            .route("/feed.atom", get(feed_of_all))
            .route("/feed/{name}", get(feed_of_one))
            .route("/rounds/{round}/", get(round))
            .route("/rounds/{round}/{*path}", get(round))
            .route("/{*path}", get(page))
            .with_state(self);
        assets::routes().merge(pages)
    }

    /// A text that is made of the league, if it is not kept from an earlier request; none where it does not exist.
    pub(super) fn cached_text(
        &self,
        name: &str,
        make: impl FnOnce(&LeagueReport, &LeagueIndex) -> Result<Option<String>, IndexError>,
    ) -> Result<Option<Bytes>, String> {
        let version = changes::version(self);
        self.cached.text(version, name, || self.of_league(make))
    }

    /// A text that is made of the league and of a value that takes long to find: other pages do not wait for it.
    pub(super) fn cached_text_with<T>(
        &self,
        name: &str,
        find: impl FnOnce() -> T,
        make: impl FnOnce(&LeagueReport, &T) -> String,
    ) -> Result<Option<Bytes>, String> {
        let version = changes::version(self);
        if let Some(text) = self.cached.find(version, name) {
            return Ok(Some(text));
        }
        let found = find();
        let make = || self.of_league(|reading, _| Ok(Some(make(reading, &found))));
        self.cached.text(version, name, make)
    }

    pub(super) fn compute<T>(
        &self,
        make: impl FnOnce(&LeagueReport, &LeagueIndex) -> Result<T, IndexError>,
    ) -> Result<T, String> {
        let _ = changes::version(self);
        self.of_league(make)
    }

    fn of_league<T>(
        &self,
        make: impl FnOnce(&LeagueReport, &LeagueIndex) -> Result<T, IndexError>,
    ) -> Result<T, String> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        match &read.problem {
            Some(problem) => Err(problem.clone()),
            None => make(&read.reading, &read.index).map_err(|problem| problem.to_string()),
        }
    }

    /// The log for everybody.
    pub(super) fn published(&self) -> &PublishedLog {
        &self.published
    }

    pub(super) fn part(&self, name: &str, wanted: LeaguePage) -> Result<Option<Bytes>, String> {
        self.cached_text(name, |reading, index| reading.page(wanted, index, self.location))
    }

    /// Returns true if visitors can ask for reviews of games.
    pub(super) fn makes_reviews(&self) -> bool {
        self.options.reviewing.is_some()
    }

    fn text(&self, asked: &HeaderMap, name: &str, wanted: LeaguePage) -> Response {
        let kind = match wanted {
            LeaguePage::Standings => "application/json",
            _ => "text/html; charset=utf-8",
        };
        match self.part(name, wanted) {
            Ok(Some(text)) => delta::text(asked, kind, text, CacheTime::Asked),
            Ok(None) => page::missing(),
            Err(problem) => {
                page::message(StatusCode::INTERNAL_SERVER_ERROR, "Unreadable league", &problem)
            }
        }
    }

    fn feed(&self, bot: Option<&str>) -> Response {
        let _ = changes::version(self);
        let frozen = {
            let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
            if bot.is_some_and(|bot| read.reading.league.newest(bot).is_none()) {
                return page::missing();
            }
            read.reading.announced.frozen
        };
        // Other pages do not wait for the file.
        let events = events::latest(&self.folder, MOST, frozen, bot);
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let reading = &read.reading;
        let (title, origin) = (&reading.title, reading.league.origin());
        AtomFeed { title, origin, bot, frozen: reading.announced.frozen, reading }.response(events)
    }

    pub(super) fn open_round(&self) -> Option<live::WatchedTournament> {
        let _ = changes::version(self);
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        // A freeze may have begun which could not be read.
        if read.problem.is_some() {
            return None;
        }
        let number = read.visible_round()?.line.round;
        Some(live::WatchedTournament { folder: self.folder.round(number), round: Some(number) })
    }

    pub(super) fn round(&self, number: u64) -> Option<Arc<ServedTournament>> {
        let _ = changes::version(self);
        let marks = {
            let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
            if read.problem.is_some() || !read.shows(number) {
                return None;
            }
            let league = &read.reading.league;
            let round = league.rounds().iter().find(|round| round.line.round == number)?;
            RoundMarks::of_round(league, round)
        };
        let mut rounds = self.rounds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(round) = rounds.rounds.get(&number).filter(|it| *it.marks() == marks) {
            return Some(Arc::clone(round));
        }
        // A correction may have come since it was opened.
        rounds.order.retain(|it| *it != number);
        if rounds.order.len() >= ROUNDS {
            let oldest = rounds.order.remove(0);
            rounds.rounds.remove(&oldest);
        }
        let at = PageLocation::ROUND.with_links(&[LIVE_OF_LEAGUE]);
        let terms = self.options.read_terms_of_round(number, marks);
        let round = ServedTournament::new(&self.folder.round(number), at, terms);
        rounds.order.push(number);
        rounds.rounds.insert(number, Arc::clone(&round));
        Some(round)
    }
}

impl LeagueSnapshot {
    /// Reads new lines, and returns true if anything has changed.
    fn look(&mut self, folder: &LeagueFolder) -> Result<bool, Failure> {
        let announced = match Announcements::read(folder) {
            Ok(announced) => {
                self.warned = None;
                announced
            }
            // The last ones that could be read still hold: a freeze does not end by a mistake in the settings.
            Err(problem) => {
                if self.warned.as_ref() != Some(&problem.to_string()) {
                    self.warned = Some(warning(&problem));
                }
                self.reading.announced.at_present()
            }
        };
        let is_announced_anew = announced != self.reading.announced;
        let log = length_of(&folder.log());
        let has_line = if announced.frozen != self.reading.announced.frozen {
            self.turn_to(folder, announced.frozen)?;
            self.log = log;
            true
        } else {
            let has_line = log != self.log || log.is_none();
            if has_line {
                let league = folder.read_as_of(announced.frozen)?;
                self.index.bring_up_to(&league)?;
                self.reading.league = league;
                self.reading.has_changed();
                self.log = log;
            }
            has_line
        };
        self.reading.announced = announced;
        let has_game = self.look_at_round(folder)?;
        let standings = self.standings.take_finished();
        let has_standings = standings.is_some();
        if let Some(standings) = standings {
            self.reading.all = standings;
            self.reading.has_changed();
        }
        let mistakes = self.mistakes.look(folder, &self.reading);
        let has_mistakes = mistakes.is_some();
        if let Some(mistakes) = mistakes {
            self.reading.mistakes = Arc::new(mistakes);
        }
        let is_running = folder.is_running();
        let has_rejection = self.look_at_rejections(folder)?;
        let reading = &mut self.reading;
        let was_running = std::mem::replace(&mut reading.is_running, is_running);
        let has_changed = has_line || has_game || has_standings || has_mistakes || has_rejection;
        Ok(has_changed || is_announced_anew || is_running != was_running)
    }

    /// Reads the league as it was when a freeze began, or as it is after the end of one.
    fn turn_to(&mut self, folder: &LeagueFolder, frozen: Option<Timestamp>) -> Result<(), Failure> {
        let league = folder.read_as_of(frozen)?;
        let copied = match frozen {
            None => None,
            // Pages wait meanwhile, and to read the games of all rounds takes long.
            Some(_) => self.index.copied_in_memory(&league).unwrap_or_default(),
        };
        self.index = match copied {
            Some(copied) => copied,
            None => index_of(folder, &league, frozen)?,
        };
        self.standings = BackgroundStandings::default();
        self.counted = None;
        // Where a freeze was set to an earlier time, the last standings tell what it hides. Otherwise everybody has seen
        // them, and at its end they hide what everybody may see, until those of now are there.
        let hides_shown = !league.heads().contains(&self.reading.league.head());
        if frozen.is_some() && hides_shown {
            self.reading.all = self.index.standings();
        }
        self.reading.league = league;
        self.reading.mistakes = Arc::default();
        self.mistakes = BackgroundMistakes::default();
        self.reading.has_changed();
        Ok(())
    }

    /// Reads the rejections, if they or the participants may have changed, and returns true if they have.
    fn look_at_rejections(&mut self, folder: &LeagueFolder) -> Result<bool, Failure> {
        let times = [settled(folder.path()), settled(&folder.refused())];
        let times = times[0].zip(times[1]).map(|(one, other)| [one, other]);
        if times.is_some() && times == self.rejections {
            return Ok(false);
        }
        let refused = league::rejections::for_everyone(folder)
            .map_err(|error| Failure::Ours(error.to_string()))?;
        self.rejections = times;
        let has_changed = refused != self.reading.refused;
        self.reading.refused = refused;
        Ok(has_changed)
    }

    /// The open round, unless pages stand still.
    fn visible_round(&self) -> Option<&Round> {
        let is_frozen = self.reading.announced.frozen.is_some();
        self.reading.league.open_round().filter(|_| !is_frozen)
    }

    /// Tells whether the pages of a round may be seen.
    fn shows(&self, number: u64) -> bool {
        let mut rounds = self.reading.league.rounds().iter();
        let round = rounds.find(|round| round.line.round == number);
        round.is_some_and(|round| round.over.is_some() || self.visible_round() == Some(round))
    }

    /// Reads the games of the round that is open, and asks for standings if there are new games or bots.
    fn look_at_round(&mut self, folder: &LeagueFolder) -> Result<bool, Failure> {
        let number = self.visible_round().map(|round| round.line.round);
        let is_same = self.open.as_ref().map(|open| open.number) == number;
        let revision = Some(self.index.revision());
        let has_totals = self.counted != revision;
        let is_new = !is_same || has_totals;
        if is_new {
            self.open =
                number.map(|number| OpenRoundTally::new(number, self.index.tally().clone()));
        }
        // One that is read anew is read to its end, so that standings never go back.
        let time = if is_new { Duration::MAX } else { LOOK };
        let has_game = match &mut self.open {
            Some(open) => open.read_on(folder, time)?,
            None => false,
        };
        if has_game || has_totals {
            let tally = self.open.as_ref().map_or(self.index.tally(), |open| &open.tally);
            self.standings.ask(tally.clone());
            self.counted = revision;
        }
        self.reading.open = self.open.as_ref().map(|open| open.games);
        Ok(has_game)
    }
}

/// Warns the organiser that the calendar cannot be read, and returns the problem.
fn warning(problem: &Failure) -> String {
    say(format!("warning: {problem}; still using the last valid calendar"));
    problem.to_string()
}

fn as_of(
    folder: &LeagueFolder,
    frozen: Option<Timestamp>,
) -> Result<(Arc<League>, LeagueIndex), Failure> {
    let league = folder.read_as_of(frozen)?;
    let index = index_of(folder, &league, frozen)?;
    Ok((league, index))
}

fn index_of(
    folder: &LeagueFolder,
    league: &League,
    frozen: Option<Timestamp>,
) -> Result<LeagueIndex, IndexError> {
    match frozen {
        None => LeagueIndex::open_checked(league, folder),
        // The kept index goes on meanwhile.
        Some(_) => LeagueIndex::build_in_memory(league, folder),
    }
}

/// The time of the last change of a folder, the earliest one if there is no folder; none if a further change might not
/// show, or the folder cannot be looked at.
fn settled(folder: &Path) -> Option<SystemTime> {
    let changed = match fs::metadata(folder).and_then(|found| found.modified()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => SystemTime::UNIX_EPOCH,
        found => found.ok()?,
    };
    SystemTime::now().duration_since(changed).ok().filter(|age| *age > FRESH).map(|_| changed)
}

fn length_of(path: &Path) -> Option<u64> {
    let found = file::open(path).and_then(|file| file.metadata()).ok()?;
    Some(found.len())
}

impl ChangingSource for ServedLeague {
    fn changes(&self) -> &ChangeCounter {
        &self.changes
    }

    fn look(&self) -> bool {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let problem = match read.look(&self.folder) {
            Ok(has_changed) => {
                let was_wrong = read.problem.take().is_some();
                return has_changed || was_wrong;
            }
            Err(problem) => Some(problem.to_string()),
        };
        let is_new = read.problem != problem;
        read.problem = problem;
        is_new
    }
}

/// Sends `changed` with the number of changes, at the beginning and after each one.
pub(super) async fn events(State(league): State<Arc<ServedLeague>>) -> Response {
    changes::events(league)
}

async fn first(State(league): State<Arc<ServedLeague>>, asked: HeaderMap) -> Response {
    page::read(move || league.text(&asked, "", LeaguePage::Overview)).await
}

async fn page(
    State(league): State<Arc<ServedLeague>>,
    AtPath(path): AtPath<String>,
    asked: HeaderMap,
) -> Response {
    match LeaguePage::named(&path) {
        Some(wanted) => page::read(move || league.text(&asked, &path, wanted)).await,
        None => page::missing(),
    }
}

async fn feed_of_all(State(league): State<Arc<ServedLeague>>) -> Response {
    page::read(move || league.feed(None)).await
}

async fn feed_of_one(
    State(league): State<Arc<ServedLeague>>,
    AtPath(name): AtPath<String>,
) -> Response {
    let Some(name) = name.strip_suffix(".atom").map(str::to_owned) else { return page::missing() };
    page::read(move || league.feed(Some(&name))).await
}

async fn round(State(league): State<Arc<ServedLeague>>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let number = path.strip_prefix("/rounds/").and_then(|rest| rest.split_once('/'));
    let Some((number, rest)) = number else { return page::missing() };
    let Some(number) = number.parse::<u64>().ok().filter(|it| it.to_string() == number) else {
        // Not a round: `rounds/index.html` has no slash behind it.
        return page::missing();
    };
    let rest = rest.to_owned();
    match tokio::task::spawn_blocking(move || league.round(number)).await {
        Ok(Some(round)) => page::nested(round.routes(), &rest, request).await,
        _ => page::missing(),
    }
}

/// Most entries of a feed.
pub(super) const MOST: usize = 50;

#[derive(Debug, Clone, Copy)]
struct AtomFeed<'a> {
    /// The title of the league.
    pub(super) title: &'a str,
    /// The digest of the first line of the league's log, which names it everywhere.
    pub(super) origin: Digest,
    /// The bot that it is about, if it is not about all.
    pub(super) bot: Option<&'a str>,
    /// The time after which no results are told.
    pub(super) frozen: Option<Timestamp>,
    /// The pages that the entries lead to.
    pub(super) reading: &'a LeagueReport,
}

impl AtomFeed<'_> {
    /// The feed with these events, the newest first. A freeze may have begun since they were read.
    pub(super) fn response(self, events: io::Result<Vec<StoredEvent>>) -> Response {
        match events {
            Ok(mut events) => {
                let is_hidden = |at| self.frozen.is_some_and(|frozen| at > frozen.as_second());
                events.retain(|event| !is_hidden(event.happened.at));
                let kind = (header::CONTENT_TYPE, "application/atom+xml; charset=utf-8");
                (StatusCode::OK, [kind], self.text(&events)).into_response()
            }
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    }

    fn text(self, events: &[StoredEvent]) -> String {
        let AtomFeed { title, origin, bot, reading, .. } = self;
        let time = |at: i64| Timestamp::from_second(at).unwrap_or_default().to_string();
        let title = bot.map_or_else(|| title.to_owned(), |bot| format!("{bot} in {title}"));
        let id = |place: &str| format!("tag:arbiter,2026:{origin}:{place}");
        let updated = events.first().map_or(0, |event| event.happened.at);
        // Relative to the feed, so it holds behind any proxy.
        let root = if bot.is_some() { "../" } else { "./" };
        let link =
            |page: &str| PreEscaped(format!("<link rel=\"alternate\" href=\"{root}{page}\"/>"));
        let body = html! {
            feed xmlns="http://www.w3.org/2005/Atom" {
                title { (title) }
                id { (id(bot.unwrap_or("all"))) }
                updated { (time(updated)) }
                author { name { "arbiter" } }
                (link(""))
                @for StoredEvent { place, happened } in events {
                    entry {
                        title { (happened.event.in_words()) }
                        id { (id(&place.to_string())) }
                        updated { (time(happened.at)) }
                        (link(&reading.page_of(&happened.event)))
                        content type="text" { (happened.event.in_words()) }
                    }
                }
            }
        };
        format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n{}\n", body.into_string())
    }
}
