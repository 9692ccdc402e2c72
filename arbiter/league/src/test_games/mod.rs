//! Test games: a bot of a participant against other bots of its league, for nothing.
//!
//! # Theory of operation
//!
//! A test game is a [match](contest::playing::matches) under the conditions of the league, with a seed of its own. It is no
//! part of the league: neither its log nor its index knows it, so no standings, feed or page of the league can.
//!
//! **A queue.** A server plays several at once, and the others wait ([`queue`]): participants take turns, so one who asks
//! for many, or whose bot is slow, keeps nobody else out.
//!
//! **What is hidden stays hidden.** While the pages of a league stand still, opponents are those of that time, and after
//! the deadline they are bots of the organiser alone ([`begin()`]).
//!
//! **Bounds.** A participant has a number of test games a day ([`quotas`](crate::quotas)), each has a time in
//! which it must end ([`begin()`]), and the last ones of each participant are kept ([`record`]).
//!
//! **A participant sees their own bot.** The log of a test game has the standard error of all its bots, so it stays with
//! the organiser. [`record`] gives participants the standard error of their own bot alone.

pub mod queue;
pub mod record;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ::record::LogWriter;
use bot::manifest::ProgramMode;
use bot::{Contender, sighted, spelt_as_names};
use jiff::Timestamp;
use rules::{GameKind, VoidCause};
use sandbox::SearchPath;
use sandbox::isolation::Isolation;
use serde::Serialize;
use series::header::CommittedSeed;
use series::{Conditions, Series};

use self::record::{TestGame, TestGameOutcome, TestGameRecord, TestGameRequester};
use crate::calendar::{Calendar, SubmissionWindow, length};
use crate::folder::LeagueFolder;
use crate::line::EnterLine;
use crate::participants::Participants;
use crate::pause::PauseReason;
use crate::refusal::{Refusal, RefusalKind};
use crate::remote::NO_REMOTE_BOTS;
use crate::settings::LeagueConfig;
use crate::state::{LeagueMember, Membership};
use crate::{BotVersion, League, calendar, disk_budget};
use contest::playing::bot::{BackgroundBot, Bot, WaitPolicy};
use contest::playing::matches::{Match, no_match};
use contest::playing::remote::is_connected;
use contest::playing::series_runner::{ContestState, NoWatcher, SeriesEnd, SeriesError};
use contest::playing::{Player, matches};
use contest::setup;
use contest::tournament::folder::{Lock, LockError};
pub use record::{TestGameView, games, line};
use text::failure::Failure;
use text::shell::without_folders;
use text::{counted, printable, system_error};

/// Lock of the league that is held while a test game is kept.
const KEEPING: &str = "testing";
/// Time to wait for another program.
const PATIENCE: Duration = Duration::from_secs(5);

/// A test game that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestedTestGame {
    /// The bot by its name, which is the version that plays, or by its version.
    pub bot: String,
    /// The bots to meet, likewise, one for each other seat.
    pub against: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestGameChoices {
    /// Versions of the participant's bot whose files are there, the newest first.
    pub bots: Vec<BotVersion>,
    /// The bots that play in the league.
    pub against: Vec<BotVersion>,
    /// The number of bots to meet at once.
    pub opponents: usize,
    /// The number of test games that are left of this day.
    pub left: u32,
    /// The reason why only bots of the organiser can be met now, if there is one.
    pub limited: Option<String>,
    /// The reason why none can be played now, if there is one.
    pub closed: Option<String>,
}

/// A test game that is kept and not played yet. It waits for as long as it lives.
#[derive(Debug)]
pub struct QueuedTestGame {
    folder: LeagueFolder,
    game: TestGame,
    /// The participant whose turn it takes, whichever of their bots plays.
    participant: String,
    table: TestGameTable,
    calendar: Calendar,
    _playing: Lock,
}

impl QueuedTestGame {
    /// Returns false while its league is paused, or in quiet hours.
    fn may_be_played(&self) -> bool {
        PauseReason::reason_at(&self.folder, &self.calendar, calendar::now()).is_none()
    }
}

/// The bots that meet, and the conditions.
#[derive(Debug)]
struct TestGameTable {
    pub kind: GameKind,
    pub options: String,
    pub seats: usize,
    pub conditions: Conditions,
    /// The bot itself, then those that it meets.
    pub bots: Vec<EnterLine>,
}

/// Begins a test game, if one may begin now. A participant may ask for their own bots only, which the caller sees to.
///
/// # Errors
///
/// [`Refusal`], with nothing kept.
pub fn begin(
    folder: &LeagueFolder,
    terms: &LeagueConfig,
    by: TestGameRequester,
    wish: &RequestedTestGame,
) -> Result<QueuedTestGame, Refusal> {
    let now = calendar::now();
    if let Some(why) = why_closed(folder, terms, now) {
        return Err(not_available(&why));
    }
    let league = folder.read()?;
    let own_name = named(&wish.bot);
    let field = OpponentPool::read(folder, terms, &league, by, &own_name, now)?;
    let table = table(folder, terms, &field, wish)?;
    must_be_connected(folder, &table.bots)?;
    let quotas = &terms.quotas;
    let [own, others @ ..] = table.bots.as_slice() else {
        return Err(Refusal::new(RefusalKind::Invalid, "no bot: choose one"));
    };
    if by == TestGameRequester::Participant {
        if table.conditions.isolation.isolation == Isolation::Off {
            let why = "the league does not isolate bots: ask the organiser";
            return Err(not_available(why));
        }
        let most = quotas.test_games_a_day();
        let bots = field.participants.bots_beside(&own.bot.bot);
        if let Err(wait) = test_games_left(folder, &bots, most, now)? {
            let problem =
                format!("daily limit of {most} test games reached: try again in {}", length(wait));
            return Err(Refusal::new(RefusalKind::DailyLimit { wait }, problem));
        }
    }
    if !disk_budget::has_disk(folder, quotas.least_free())? {
        let problem = "the disk of the league is nearly full: try again later";
        return Err(Refusal::new(RefusalKind::NoDisk, problem));
    }
    let participant = field.participants.owner(&own.bot.bot).unwrap_or(&own.bot.bot).to_owned();
    let against = others.iter().map(|other| other.bot.clone()).collect();
    let (at, bot) = (now.as_second(), own.bot.clone());
    let record = TestGameRecord { at, begun: None, by, bot, against, outcome: None };
    let (game, playing) = {
        let _keeping = keeping(folder)?;
        record::keep(folder, record)?
    };
    let (folder, calendar) = (folder.clone(), terms.calendar().clone());
    Ok(QueuedTestGame { folder, game, participant, table, calendar, _playing: playing })
}

/// Refuses remote bots whose programs are not there.
fn must_be_connected(folder: &LeagueFolder, bots: &[EnterLine]) -> Result<(), Refusal> {
    let mut remote = bots.iter().filter(|entry| entry.mode == ProgramMode::Remote).peekable();
    if remote.peek().is_none() {
        return Ok(());
    }
    let terms = folder.remote()?.ok_or_else(|| not_available(NO_REMOTE_BOTS))?;
    let access = terms.access(folder.path());
    match remote.find(|entry| !is_connected(&access, &entry.bot.to_string())) {
        Some(EnterLine { bot, .. }) => {
            let why = format!("remote bot `{bot}` is not connected: start its client");
            Err(Refusal::new(RefusalKind::Invalid, why))
        }
        None => Ok(()),
    }
}

/// Waits until no other program keeps a test game.
fn keeping(folder: &LeagueFolder) -> Result<Lock, Refusal> {
    Lock::take(&folder.path().join(KEEPING), PATIENCE).map_err(|problem| match problem {
        LockError::Held => too_many_wait(),
        LockError::Unopened(error) | LockError::Refused(error) => error.into(),
    })
}

/// Removes what a killed program has left of test games, unless one is being kept.
///
/// # Errors
///
/// Fails if the folders cannot be read.
pub(crate) fn remove_leftovers(folder: &LeagueFolder) -> io::Result<()> {
    match Lock::take(&folder.path().join(KEEPING), Duration::ZERO) {
        Ok(_keeping) => record::remove_leftovers(folder),
        Err(_) => Ok(()),
    }
}

impl TestGameChoices {
    /// Returns the test games that a bot of a participant can have now.
    ///
    /// # Errors
    ///
    /// [`Refusal`] if the league cannot be read.
    pub fn read(
        folder: &LeagueFolder,
        terms: &LeagueConfig,
        bot: &str,
    ) -> Result<TestGameChoices, Refusal> {
        let now = calendar::now();
        let closed = why_closed(folder, terms, now);
        let league = folder.read()?;
        let by = TestGameRequester::Participant;
        let field = OpponentPool::read(folder, terms, &league, by, bot, now)?;
        let own = league.members().iter().rev().filter(|it| it.entry.bot.bot == bot);
        let bots = own.filter(|it| folder.has_files(&it.entry)).map(version).collect();
        let against = field.opponents().map(version).collect();
        let limited = field.limited;
        let most = terms.quotas.test_games_a_day();
        let left =
            test_games_left(folder, &field.participants.bots_beside(bot), most, now)?.unwrap_or(0);
        let opponents = league.seats().saturating_sub(1);
        Ok(TestGameChoices { bots, against, opponents, left, limited, closed })
    }
}

/// Says why no test game may begin now; none if the league is open, and its games may begin.
fn why_closed(folder: &LeagueFolder, terms: &LeagueConfig, now: Timestamp) -> Option<String> {
    let calendar = terms.calendar();
    match PauseReason::reason_at(folder, calendar, now) {
        Some(PauseReason::Paused) => return Some("the league is paused".to_owned()),
        Some(PauseReason::Quiet(until)) => {
            return Some(format!("quiet hours until {}", calendar.time_text(until)));
        }
        None => {}
    }
    if let Some(ends) = calendar.ended(now) {
        return Some(format!("the league has ended, at {}", calendar.time_text(ends)));
    }
    match (calendar.doors(now), terms.quotas.test_games_a_day()) {
        (SubmissionWindow::NotOpen(opens), _) => {
            Some(format!("the league opens at {}", calendar.time_text(opens)))
        }
        (_, 0) => Some("this league has no test games".to_owned()),
        _ => None,
    }
}

fn not_available(why: &str) -> Refusal {
    Refusal::new(RefusalKind::Closed, format!("test games are not available: {why}"))
}

/// Very many wait, or the server ends.
fn too_many_wait() -> Refusal {
    let problem = "too many test games are queued: try again in a moment";
    Refusal::new(RefusalKind::Busy { wait: 10 }, problem)
}

fn bad_choice(problem: String) -> Refusal {
    Refusal::new(RefusalKind::Invalid, problem)
}

/// The bots that a test game can be played against.
struct OpponentPool<'a> {
    league: &'a League,
    /// The league as its public pages show it, unless the organiser asks.
    shown: Arc<League>,
    /// The name of the bot that is tested.
    own: &'a str,
    participants: Participants,
    /// The reason why only bots of the organiser can be met, if there is one.
    limited: Option<String>,
}

impl<'a> OpponentPool<'a> {
    fn read(
        folder: &LeagueFolder,
        terms: &LeagueConfig,
        league: &'a Arc<League>,
        by: TestGameRequester,
        own: &'a str,
        now: Timestamp,
    ) -> Result<OpponentPool<'a>, Refusal> {
        let calendar = terms.calendar();
        let participants = Participants::read(folder)?;
        let (shown, limited) = match by {
            TestGameRequester::Organiser => (Arc::clone(league), None),
            TestGameRequester::Participant => {
                let participant = participants.owner(own).unwrap_or(own);
                let doors = calendar.doors_with(league.exceptions().deadline(participant), now);
                let limited = match doors {
                    SubmissionWindow::Closed(deadline) => {
                        Some(format!("the deadline passed at {}", calendar.time_text(deadline)))
                    }
                    SubmissionWindow::Open | SubmissionWindow::NotOpen(_) => None,
                };
                (folder.read_public(calendar)?, limited)
            }
        };
        Ok(OpponentPool { league, shown, own, participants, limited })
    }

    /// The bots, those of the bot's author last: they are met least often.
    fn opponents(&self) -> impl Iterator<Item = &LeagueMember> {
        let own = self.participants.bots_beside(self.own);
        let is_own = move |member: &LeagueMember| own.contains(&member.entry.bot.bot.as_str());
        let is_of_others = is_own.clone();
        let others = self.shown.active().map(|(_, member)| member);
        let others = others.filter(move |it| {
            let is_house = !self.participants.has(&it.entry.bot.bot);
            !is_of_others(it) && (self.limited.is_none() || is_house)
        });
        let own = self.league.active().map(|(_, member)| member);
        others.chain(own.filter(move |it| is_own(it)))
    }

    /// Finds a bot that can be met.
    fn opponent(&self, asked: &str) -> Result<&LeagueMember, Refusal> {
        let name = spelt_as_names(asked);
        let is_it = |member: &&LeagueMember| {
            let bot = &member.entry.bot;
            bot.bot == name || bot.to_string() == name
        };
        self.opponents().find(is_it).ok_or_else(|| {
            let plays = self.shown.active().any(|(_, member)| is_it(&member));
            let problem = match (&self.limited, self.shown.current(&name)) {
                (Some(why), _) if plays => {
                    format!("is not one of the organiser's bots, and {why}: choose one that is")
                }
                (_, Some(member)) if member.membership == Membership::Retired => {
                    "is retired: choose an active bot".to_owned()
                }
                _ => "does not play in the league: choose an active bot".to_owned(),
            };
            bad_choice(format!("`{}` {problem}", printable(asked)))
        })
    }
}

/// Returns the name of a bot without its version.
fn named(asked: &str) -> String {
    let name = spelt_as_names(asked);
    name.parse::<BotVersion>().map_or(name, |version| version.bot)
}

/// Returns the number of test games of a participant that are left of a day; if none are, the seconds until the next one.
fn test_games_left(
    folder: &LeagueFolder,
    bots: &[&str],
    most: u32,
    now: Timestamp,
) -> io::Result<Result<u32, u64>> {
    let now = now.as_second();
    let mut times: Vec<i64> = Vec::new();
    for bot in bots {
        let own = record::by_participant(folder, bot)?;
        let counted = own.iter().filter(|game| game.counts(folder, now));
        times.extend(counted.map(|game| game.record.at));
    }
    times.sort_unstable();
    match most.saturating_sub(u32::try_from(times.len()).unwrap_or(u32::MAX)) {
        0 => {
            let first = times.len().checked_sub(most as usize).and_then(|it| times.get(it));
            let until = first.copied().unwrap_or(now).saturating_add(record::DAY);
            Ok(Err(u64::try_from(until.saturating_sub(now)).unwrap_or(0).max(1)))
        }
        left => Ok(Ok(left)),
    }
}

/// Finds the bots that are asked for.
fn table(
    folder: &LeagueFolder,
    terms: &LeagueConfig,
    field: &OpponentPool<'_>,
    wish: &RequestedTestGame,
) -> Result<TestGameTable, Refusal> {
    let league = field.league;
    let settings = &terms.settings;
    let (seats, opponents) = (league.seats(), league.seats().saturating_sub(1));
    if wish.against.len() != opponents {
        let (found, seats) =
            (counted(wish.against.len(), "bot", "bots"), counted(seats, "seat", "seats"));
        let problem = format!("{found} for {seats}: choose {opponents}, one per other seat");
        return Err(bad_choice(problem));
    }
    let mut bots: Vec<EnterLine> = vec![find_version(league, &wish.bot)?.entry.clone()];
    for name in &wish.against {
        let entry = field.opponent(name)?.entry.clone();
        if bots.iter().any(|bot| bot.bot == entry.bot) {
            let problem = format!("{} cannot play against itself", entry.bot);
            return Err(bad_choice(problem));
        }
        bots.push(entry);
    }
    if let Some(gone) = bots.iter().find(|entry| !folder.has_files(entry)) {
        let problem =
            format!("the files of {} are no longer stored: choose another version", gone.bot);
        return Err(bad_choice(problem));
    }
    // A grant to a bot is a grant to its version.
    let Conditions { isolation, .. } = &settings.settings.conditions;
    let grants = isolation.grants.renamed(&|name| {
        let versions = bots.iter().filter(|entry| entry.bot.bot == name);
        versions.map(|entry| entry.bot.to_string()).collect()
    });
    let mut conditions = settings.settings.conditions.clone();
    conditions.isolation.grants = grants;
    let (kind, options) = (settings.kind.clone(), settings.settings.options.clone());
    Ok(TestGameTable { kind, options, seats, conditions, bots })
}

/// Finds any version of a bot; without a version, the one that plays.
fn find_version<'a>(league: &'a League, asked: &str) -> Result<&'a LeagueMember, Refusal> {
    let name = spelt_as_names(asked);
    let found = match name.parse::<BotVersion>() {
        Ok(version) => league.members().iter().find(|it| it.entry.bot == version),
        Err(_) => league.current(&name),
    };
    found.ok_or_else(|| {
        let problem = format!("no bot `{}` in the league", printable(asked));
        bad_choice(problem)
    })
}

fn version(member: &LeagueMember) -> BotVersion {
    member.entry.bot.clone()
}

/// Time in which all games of a test game must be over: others wait for it.
const MOST_TIME: Duration = Duration::from_secs(10 * 60);
/// Longest reason that is kept, in characters.
const LONGEST_REASON: usize = 4 << 10;

impl QueuedTestGame {
    /// Plays it: one game, or two with the seats changed if there are two. The program must have posted a guard before.
    /// Once `stop` is set, it is cut off.
    ///
    /// # Errors
    ///
    /// Fails if it could not be played; its outcome says so, too.
    pub fn play(mut self, stop: &AtomicBool) -> Result<TestGame, Failure> {
        let unwritten =
            |error| Failure::Ours(format!("cannot store a test game: {}", system_error(error)));
        let now = calendar::now().as_second();
        self.game.begin(&self.folder, now).map_err(unwritten)?;
        let played = self.games(stop);
        let outcome = match &played {
            Ok(outcome) => outcome.clone(),
            Err(Failure::Start(why)) => {
                // The places of this machine do not help an author.
                let why = printable(&without_folders(why));
                Some(TestGameOutcome::NotStarted(why.chars().take(LONGEST_REASON).collect()))
            }
            Err(_) => Some(TestGameOutcome::Failed),
        };
        self.game.end(&self.folder, outcome).map_err(unwritten)?;
        played.map(|_| self.game)
    }

    /// Plays the games; there is no outcome if they were stopped from outside.
    fn games(&self, stop: &AtomicBool) -> Result<Option<TestGameOutcome>, Failure> {
        let TestGameTable { kind, options, seats, conditions, .. } = &self.table;
        let supervisor = setup::complete(conditions.isolation.isolation)?;
        let mut contenders = self.table.contenders(&self.folder)?;
        // The bot itself has another seat in each further game of its author.
        let seat = (self.game.number % *seats as u64) as usize;
        contenders.rotate_right(seat);
        let plan = Match {
            kind: kind.clone(),
            options: options.clone(),
            games: if *seats == 2 { 2 } else { 1 },
            seed: setup::seed_or_drawn(None).map(CommittedSeed)?,
            conditions: conditions.clone(),
            contenders,
            supervisor: supervisor.pondering(conditions.treatment.ponder),
        };
        // It is there before the bots are, which are kept from it.
        let log = LogWriter::create(&self.game.log(&self.folder)).map_err(SeriesError::log)?;
        let series = Series::new(plan.header()).map_err(no_match)?;
        let bots = Bot::all_ready(&plan.contenders, plan.supervisor)?;
        let halt = AtomicBool::new(false);
        let patience = AnswerDeadline { stop, halt: &halt, until: Instant::now() + MOST_TIME };
        let mut players: Vec<BackgroundBot<AnswerDeadline<'_>>> =
            bots.into_iter().map(|bot| BackgroundBot::new(bot, patience)).collect();
        let players = players.iter_mut().map(|it| it as &mut dyn Player).collect();
        let state = ContestState::of_match(series);
        match matches::play(state, &plan.seed, players, Some(log), &halt, &mut NoWatcher)? {
            SeriesEnd::Over => Ok(Some(TestGameOutcome::Over)),
            SeriesEnd::Stopped { .. } if stop.load(Ordering::SeqCst) => Ok(None),
            SeriesEnd::Stopped { .. } => Ok(Some(TestGameOutcome::TooLong)),
        }
    }
}

/// An answer is wanted until the time is over, or until it is stopped from outside.
#[derive(Debug, Clone, Copy)]
struct AnswerDeadline<'a> {
    stop: &'a AtomicBool,
    /// Set once no answer is wanted.
    halt: &'a AtomicBool,
    until: Instant,
}

impl WaitPolicy for AnswerDeadline<'_> {
    fn begin(&mut self) -> Option<VoidCause> {
        if self.stop.load(Ordering::SeqCst) || Instant::now() >= self.until {
            self.halt.store(true, Ordering::SeqCst);
        }
        self.halt.load(Ordering::SeqCst).then_some(VoidCause::Stopped)
    }

    fn look(&mut self) -> io::Result<Option<VoidCause>> {
        Ok(self.begin())
    }
}

impl TestGameTable {
    /// Prepares the bots as they entered. None of them sees the folder of the league.
    fn contenders(&self, folder: &LeagueFolder) -> Result<Vec<Contender>, Failure> {
        let search = setup::search_path()?;
        let contenders: Result<Vec<Contender>, Failure> =
            self.bots.iter().map(|entry| self.contender(folder, entry, &search)).collect();
        let kept = [folder.path().to_path_buf()];
        Ok(sighted(contenders?, &self.conditions.isolation.grants, &kept))
    }

    fn contender(
        &self,
        folder: &LeagueFolder,
        entry: &EnterLine,
        search: &SearchPath,
    ) -> Result<Contender, Failure> {
        let isolation = &self.conditions.isolation;
        let name = entry.bot.to_string();
        let cannot = |problem: String| Failure::Start(format!("bot `{name}`: {problem}"));
        let bot = folder.entered_bot(entry).map_err(Failure::Start)?;
        isolation.check(&name, &bot).map_err(|error| Failure::Start(error.asked_by_author()))?;
        let limits = self.conditions.limits.for_bot(&entry.bot.bot, &bot);
        if entry.mode == ProgramMode::Remote {
            let terms = folder.remote()?.ok_or_else(|| cannot(NO_REMOTE_BOTS.to_owned()))?;
            let access = terms.access(folder.path());
            return Ok(Contender::remote(&name, terms.limits(limits), access));
        }
        let beyond = isolation.outside_access(&name).apart_from(&[folder.path().to_path_buf()]);
        let contender = Contender::prepare(&bot, &name, limits, search, &beyond)
            .map_err(|error| cannot(error.to_string()))?;
        match contender.digests() == entry.files {
            true => Ok(contender),
            false => Err(cannot("it has changed since it entered".to_owned())),
        }
    }
}
