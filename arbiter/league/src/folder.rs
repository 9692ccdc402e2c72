//! The folder of a league: its log, its settings, its rounds and its bots.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf, absolute};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use text::{printable, system_error};
use thiserror::Error;

use crate::calendar::{self, Calendar, CalendarSection};
use crate::line::{EnterLine, LeagueHeader, LeagueLine, RetireLine};
use crate::log::{LoadedLeague, LogStamp, ReadLimit, read_lines};
use crate::quotas::{PageSettings, Quotas};
use crate::remote::{RemoteSection, RemoteTerms};
use crate::state::{League, LeaveReason, Membership};
use crate::version::BotVersion;
use ::games::GameFiles;
use bot::manifest::BotFolder;
use bot::{BotSpec, spelt_as_names};
use contest::tournament::folder::{Lock, LockError, games, shown};
use record::{self, LineError, LogFileError, LogPosition, LogProblem, LogReader, LogWriter};
use rules::Digest;
use sandbox::file::{self, LONGEST_TEXT};
use sandbox::is_of_machine;
use sandbox::new_file::{self, NewFolder};
use text::failure::Failure;
use text::shell::word;

pub(crate) const LOG: &str = "league.jsonl";
/// The settings of its games, as TOML.
pub const SETTINGS: &str = "league.toml";
/// The lock of programs that write to the log.
const WRITING: &str = "lock";
/// The lock of programs that enter bots.
const ENTERING: &str = "entering";
/// The lock of the program that enters bots next.
const ENTERING_NEXT: &str = "entering-next";
/// The lock of `league run`.
const RUNNING: &str = "running";
/// The index, derived from the logs.
const INDEX: &str = "index.sqlite";
const REFUSED: &str = "refused";
pub(crate) const ROUNDS: &str = "rounds";
const BOTS: &str = "bots";
/// Time to wait for the log: no program holds it for longer than a few lines take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Time to wait for another run: a bot of a killed run holds the lock for a moment.
const PATIENCE_FOR_RUN: Duration = Duration::from_secs(1);
/// How often a log with an incomplete last line is read before it counts as cut off.
const ATTEMPTS: u32 = 3;
/// The time until a program that waits to enter bots looks whether it still waits.
const ATTENTION: Duration = Duration::from_millis(100);

/// The folder of a league. Clones share the state that was read last.
#[derive(Debug, Clone)]
pub struct LeagueFolder {
    path: PathBuf,
    last: Arc<Mutex<Option<CachedLeague>>>,
}

/// The state of a league by its log when that had this stamp.
#[derive(Debug)]
struct CachedLeague {
    stamp: LogStamp,
    league: Arc<League>,
    /// The place behind its last line.
    end: LogPosition,
}

/// Reason why a league cannot be used; one line.
#[derive(Debug, Error)]
pub enum LeagueError {
    /// Another program has the lock that was asked for.
    #[error("{0}")]
    Locked(String),
    #[error("`{0}`: its log: {1}")]
    Log(String, LogProblem),
    /// Something else prevents it.
    #[error(transparent)]
    Failed(Failure),
}

impl From<LeagueError> for Failure {
    fn from(problem: LeagueError) -> Failure {
        match problem {
            LeagueError::Locked(problem) => Failure::Later(problem),
            LeagueError::Log(..) => Failure::Verification(problem.to_string()),
            LeagueError::Failed(failure) => failure,
        }
    }
}

fn usage(problem: String) -> LeagueError {
    LeagueError::Failed(Failure::Usage(problem))
}

impl LeagueFolder {
    /// Creates a league in a new or an empty folder.
    pub fn create(
        path: &Path,
        settings: &str,
        founding: LeagueHeader,
        game: Option<&GameFiles>,
    ) -> Result<LeagueFolder, LeagueError> {
        let failed = |error| unusable(path, error);
        match new_file::is_free(path) {
            Ok(true) => {}
            Ok(false) if LeagueFolder::find(path).is_some() => {
                let path = shown(path);
                return Err(usage(format!("`{path}` already holds a league: choose a new folder")));
            }
            Ok(false) => {
                let path = shown(path);
                return Err(usage(format!("`{path}` is not empty: choose a new or empty folder")));
            }
            Err(error) => return Err(failed(error)),
        }
        let new = NewFolder::create_at(path).map_err(failed)?;
        let inside = |name: &str| new.path().join(name);
        for name in [ROUNDS, BOTS] {
            file::private_folder().create(inside(name)).map_err(failed)?;
        }
        if let Some(game) = game {
            game.write_copy(&new.path()).map_err(failed)?;
        }
        let written = File::create_new(inside(SETTINGS)).and_then(|mut file| {
            file.write_all(settings.as_bytes())?;
            file.sync_all()
        });
        written.map_err(failed)?;
        let begun = LogWriter::create(&inside(LOG)).and_then(|mut log| {
            log.append(&LeagueLine::League(founding))?;
            log.sync()
        });
        begun.map_err(failed)?;
        // With the log there is a league.
        new.publish(LOG).map_err(failed)?;
        Ok(LeagueFolder { path: path.to_owned(), last: Arc::default() })
    }

    /// Opens the folder of an existing league.
    ///
    /// # Errors
    ///
    /// Fails if there is none.
    pub fn open(path: &Path) -> Result<LeagueFolder, LeagueError> {
        LeagueFolder::find(path).ok_or_else(|| {
            let (folder, new) = (shown(path), word(path));
            usage(format!("no league in `{folder}`: create one with `arbiter league new {new}`"))
        })
    }

    pub fn find(path: &Path) -> Option<LeagueFolder> {
        let folder = LeagueFolder { path: path.to_owned(), last: Arc::default() };
        folder.log().exists().then_some(folder)
    }

    /// Returns the league in this folder, or the league of a round with this folder or log.
    pub fn find_enclosing(path: &Path) -> Option<LeagueFolder> {
        LeagueFolder::find(path).or_else(|| LeagueFolder::of_round(path))
    }

    pub fn of_round(path: &Path) -> Option<LeagueFolder> {
        let path = absolute(path).ok()?;
        let round = if path.is_dir() { &path } else { path.parent()? };
        let rounds = round.parent().filter(|rounds| rounds.ends_with(ROUNDS))?;
        LeagueFolder::find(rounds.parent()?)
    }

    /// Returns the folders of the rounds of which something was played, in order. The log of the league is not
    /// read, so this includes a round that the log does not name.
    pub fn begun_rounds(&self) -> Vec<PathBuf> {
        let rounds = (0..).map(|number| self.round(number));
        // A round that was broken off may have no games.
        rounds.take_while(|round| round.exists()).filter(|round| games(round).exists()).collect()
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn log(&self) -> PathBuf {
        self.path.join(LOG)
    }

    pub fn index(&self) -> PathBuf {
        self.path.join(INDEX)
    }

    pub fn refused(&self) -> PathBuf {
        self.path.join(REFUSED)
    }

    pub fn round(&self, number: u64) -> PathBuf {
        self.path.join(ROUNDS).join(number.to_string())
    }

    /// Returns the path of a copied bot, relative to the folder of the league.
    pub fn bot(bot: &BotVersion) -> PathBuf {
        Path::new(BOTS).join(bot.to_string())
    }

    /// Returns the settings of the games, as TOML.
    pub fn settings(&self) -> Result<String, LeagueError> {
        ::games::know_beside(&self.path.join(SETTINGS));
        self.settings_text()
    }

    /// Reads one table of the settings, and nothing else of them; it is empty if it is not there.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`] if the file or the table cannot be read.
    pub(crate) fn settings_table<T: DeserializeOwned + Default>(
        &self,
        key: &str,
    ) -> Result<T, Failure> {
        let text = self.settings_text()?;
        let read = toml::from_str(&text).and_then(|mut settings: toml::Table| {
            settings.remove(key).map_or_else(|| Ok(T::default()), toml::Value::try_into)
        });
        read.map_err(|error| self.wrong_setting(format!("{key}: {}", printable(error.message()))))
    }

    /// Says what is wrong in the settings, and names the file.
    pub(crate) fn wrong_setting(&self, problem: impl fmt::Display) -> Failure {
        Failure::Usage(format!("`{}/{SETTINGS}`: {problem}", shown(&self.path)))
    }

    /// Reads the calendar; the rest of the settings is not looked at.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`] if the file or the calendar cannot be read.
    pub fn calendar(&self) -> Result<Calendar, Failure> {
        let file: CalendarSection = self.settings_table("calendar")?;
        file.calendar().map_err(|error| self.wrong_setting(error))
    }

    /// Reads the bounds for what participants hand in; the rest of the settings is not looked at.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`] if the file or the bounds cannot be read.
    pub fn quotas(&self) -> Result<Quotas, Failure> {
        let quotas: Quotas = self.settings_table("quotas")?;
        quotas.checked().map_err(|error| self.wrong_setting(error))
    }

    /// Reads the terms for remote bots, if the league takes them; the rest of the settings is not looked at.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`] if the file or the table cannot be read.
    pub fn remote(&self) -> Result<Option<RemoteTerms>, Failure> {
        let file: RemoteSection = self.settings_table("remote")?;
        file.terms().map_err(|error| self.wrong_setting(error))
    }

    /// Reads what the served pages offer; the rest of the settings is not looked at.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`] if the file or the table cannot be read.
    pub fn pages(&self) -> Result<PageSettings, Failure> {
        self.settings_table("pages")
    }

    /// Returns the text of the settings; rules of a game that lie beside it stay unread.
    fn settings_text(&self) -> Result<String, LeagueError> {
        let path = self.path.join(SETTINGS);
        file::text(&path, LONGEST_TEXT).map_err(|error| unusable(&path, error))
    }

    /// Reads the state of the league; an incomplete last line, left by a crash, is ignored.
    pub fn read(&self) -> Result<Arc<League>, LeagueError> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // It is taken before: what is added meanwhile is read again.
        let stamp = self.log_stamp();
        let league = match &*last {
            Some(known) if Some(known.stamp) == stamp => Arc::clone(&known.league),
            _ => {
                let known = last.take().zip(stamp).filter(|(it, now)| now.may_continue(it.stamp));
                let read = match known.and_then(|(known, _)| self.read_on(&known)) {
                    Some(read) => read,
                    None => self.read_log(ReadLimit::Last)?,
                };
                let (league, end) = (Arc::new(read.league), read.end);
                *last = stamp.map(|stamp| CachedLeague { stamp, league: Arc::clone(&league), end });
                league
            }
        };
        drop(last);
        match league.kind().is_absent() {
            true => Ok(Arc::new(self.with_rules(League::clone(&league)))),
            false => Ok(league),
        }
    }

    /// Returns what is the same for as long as the log does not change; none if it cannot be found.
    pub fn log_stamp(&self) -> Option<LogStamp> {
        LogStamp::read(&self.log())
    }

    /// Reads the state of the league as [`read`](Self::read) does, and refuses an incomplete last line, unless a
    /// program is writing it.
    ///
    /// # Errors
    ///
    /// As `read`, and for such a line.
    pub fn read_whole(&self) -> Result<Arc<League>, LeagueError> {
        let mut attempts = 0;
        loop {
            let LoadedLeague { league, torn, .. } = self.read_lines(ReadLimit::Last)?;
            let Some(line) = torn.filter(|_| !Lock::is_held(&self.path.join(WRITING))) else {
                return Ok(Arc::new(league));
            };
            attempts += 1;
            // A program that was writing it may have been done just before its lock was looked at.
            if attempts == ATTEMPTS {
                let league = word(&self.path);
                let problem = format!(
                    "{}: if a crash left it, the next command that changes the league removes it \
                     (such as `arbiter league run {league}`); otherwise restore the log from a \
                     backup",
                    LineError::Torn
                );
                return Err(self.wrong(LogProblem::line(line, problem)));
            }
        }
    }

    pub(crate) fn read_lines(&self, until: ReadLimit) -> Result<LoadedLeague, LeagueError> {
        let read = self.read_log(until)?;
        Ok(LoadedLeague { league: self.with_rules(read.league), ..read })
    }

    fn read_log(&self, until: ReadLimit) -> Result<LoadedLeague, LeagueError> {
        let source = record::open(&self.log()).map_err(|error| unusable(&self.log(), error))?;
        let read = read_lines(&mut LogReader::new(source), None, until);
        read.map_err(|wrong| self.wrong(wrong))
    }

    /// Reads the lines behind a known state; none if they do not continue it, so that all has to be read.
    fn read_on(&self, known: &CachedLeague) -> Option<LoadedLeague> {
        let mut lines = known.end.open(&self.log()).ok()?;
        read_lines(&mut lines, Some(League::clone(&known.league)), ReadLimit::Last).ok()
    }

    /// Hands over each whole line of the log with its digest, in order.
    ///
    /// # Errors
    ///
    /// [`LeagueError`] if the log cannot be read.
    pub(crate) fn each_line(
        &self,
        each: &mut dyn FnMut(LeagueLine, Digest),
    ) -> Result<(), LeagueError> {
        let source = record::open(&self.log()).map_err(|error| unusable(&self.log(), error))?;
        let mut lines = LogReader::new(source);
        loop {
            let raw = match lines.next_raw() {
                Ok(Some(raw)) => raw,
                Ok(None) | Err(LineError::Torn) => return Ok(()),
                Err(bad) => return Err(self.wrong(LogProblem::line(lines.number(), bad))),
            };
            let line = raw.parse();
            let line = line.map_err(|bad| self.wrong(LogProblem::line(raw.number(), bad)))?;
            each(line, raw.digest());
        }
    }

    /// Returns the folders that lie among the rounds, in the order of their names.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be listed.
    pub fn rounds_there(&self) -> Result<Vec<PathBuf>, LeagueError> {
        let rounds = self.path.join(ROUNDS);
        let listed = fs::read_dir(&rounds).and_then(|entries| {
            entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()
        });
        let mut listed = match listed {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            listed => listed.map_err(|error| unusable(&rounds, error))?,
        };
        listed.sort_unstable();
        Ok(listed)
    }

    /// Reads the league as its public pages show it by this calendar: as it was when they began to stand still, if they
    /// do.
    pub fn read_public(&self, calendar: &Calendar) -> Result<Arc<League>, LeagueError> {
        self.read_as_of(calendar.frozen(calendar::now()))
    }

    /// Reads the league as it is, or as it was at the time at which its pages began to stand still: up to the first line
    /// of a later time. Lines without times were before.
    pub fn read_as_of(&self, frozen: Option<Timestamp>) -> Result<Arc<League>, LeagueError> {
        match frozen {
            Some(frozen) => {
                self.read_lines(ReadLimit::Time(frozen)).map(|read| Arc::new(read.league))
            }
            None => self.read(),
        }
    }

    /// Opens the rules of a league that came after its first ones.
    fn with_rules(&self, league: League) -> League {
        match league.kind().rules_id().filter(|_| league.kind().is_absent()) {
            Some(id) => {
                ::games::know_later(&self.path, id.digest);
                league.with_opened_rules()
            }
            None => league,
        }
    }

    /// Returns the state of the league after these lines, as if they were in its log.
    ///
    /// # Errors
    ///
    /// Fails if the log cannot have them now.
    pub(crate) fn trial(
        &self,
        league: &League,
        lines: Vec<LeagueLine>,
    ) -> Result<League, LeagueError> {
        let misplaced = |problem: String| misplaced(self, &problem);
        let mut trial = league.clone();
        for line in lines {
            trial.take(line, trial.head()).map_err(misplaced)?;
        }
        Ok(trial)
    }

    /// Appends lines that `next` makes from the state of the league, and returns the new state. All of it is on
    /// the disk when this returns.
    ///
    /// # Errors
    ///
    /// [`LeagueError`] or an error of `next`, with nothing appended.
    pub fn append<E: From<LeagueError>>(
        &self,
        next: impl FnOnce(&League) -> Result<Vec<LeagueLine>, E>,
    ) -> Result<Arc<League>, E> {
        let _lock = self.lock(WRITING, PATIENCE, IS_WRITTEN)?;
        let resumed = LogWriter::resume(&self.log(), |lines| {
            read_lines(lines, None, ReadLimit::Last)
                .map(|read| read.league)
                .map_err(LogFileError::Wrong)
        });
        let (mut log, mut league) = resumed.map_err(|problem| match problem {
            LogFileError::Wrong(wrong) => self.wrong(wrong),
            LogFileError::Unreadable(error) => unusable(&self.log(), error),
        })?;
        league = self.with_rules(league);
        let mut lines = next(&league)?;
        // A calendar that cannot be read just now may have a freeze.
        let is_timed = self.calendar().map_or(true, |calendar| calendar.has_freeze());
        if !lines.is_empty() && is_timed {
            lines.insert(0, LeagueLine::Time(calendar::now().as_second()));
        }
        self.trial(&league, lines.clone())?;
        let misplaced = |problem: String| misplaced(self, &problem);
        // A command that is killed leaves all of its lines, or none: it can be repeated as it was.
        let digests = log.append_all(&lines).map_err(|error| unusable(&self.log(), error))?;
        for (line, digest) in lines.into_iter().zip(digests) {
            league.take(line, digest).map_err(misplaced)?;
        }
        log.sync().map_err(|error| unusable(&self.log(), error))?;
        Ok(Arc::new(league))
    }

    /// Lets the versions of these bots that play leave, and returns the league after that: all of them, or none if it
    /// fails.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`] if one of them does not play.
    pub fn retire(
        &self,
        names: &[String],
        why: Option<&LeaveReason>,
    ) -> Result<Arc<League>, Failure> {
        let is_disqualified = why.is_some_and(|why| why.disqualified);
        let line = |bot: BotVersion| match why {
            None => RetireLine::Bot(bot),
            Some(LeaveReason { reason, disqualified }) => {
                RetireLine::Reason { bot, reason: reason.clone(), disqualified: *disqualified }
            }
        };
        self.append(|league| {
            let lines = names.iter().map(|name| match league.current(&spelt_as_names(name)) {
                // A bot that has left can still be disqualified.
                Some(member)
                    if is_disqualified && !league.is_disqualified(&member.entry.bot.bot) =>
                {
                    Ok(member.entry.bot.clone())
                }
                _ => playing(league, name),
            });
            lines.map(|bot| Ok(LeagueLine::Retire(line(bot?)))).collect()
        })
    }

    /// Takes the lock of `league run`.
    ///
    /// # Errors
    ///
    /// [`LeagueError::Locked`], or a failure of the system.
    pub fn hold(&self) -> Result<Lock, LeagueError> {
        let held = |league: &str| {
            format!("`{league}` is locked by another `run`, `plan-round` or `take-round`")
        };
        self.lock(RUNNING, PATIENCE_FOR_RUN, held)
    }

    /// Takes the lock of programs that enter bots, which fixes the number of the next version of a bot. Waits
    /// for other programs as long as `waits` returns true, which is asked ten times a second. One of those that wait
    /// has it next, and the holder can see that.
    ///
    /// # Errors
    ///
    /// [`LeagueError::Locked`], or a failure of the system.
    pub fn hold_entries(&self, waits: &mut dyn FnMut() -> bool) -> Result<Lock, LeagueError> {
        let mut lock = |name| loop {
            let held = |league: &str| format!("`{league}`: another process is adding bots");
            match self.lock(name, ATTENTION, held) {
                Err(LeagueError::Locked(_)) if waits() => {}
                taken => return taken,
            }
        };
        let _next = lock(ENTERING_NEXT)?;
        lock(ENTERING)
    }

    /// Returns true while a program waits for the lock of programs that enter bots.
    pub(crate) fn is_entry_awaited(&self) -> bool {
        Lock::is_held(&self.path.join(ENTERING_NEXT))
    }

    /// Opens a bot as it entered. If it was handed in as a folder, its command starts at the folder of the league.
    pub fn entered_bot(&self, entry: &EnterLine) -> Result<BotSpec, String> {
        if is_copied(&entry.command) {
            return self.copied_bot(&entry.bot);
        }
        let EnterLine { bot, command, dialect, mode, .. } = entry;
        BotSpec::new(&bot.bot, command, *dialect, *mode)
            .map_err(|error| format!("bot `{bot}`: {error}"))
    }

    /// Returns false for a copied bot whose files were removed.
    pub fn has_files(&self, entry: &EnterLine) -> bool {
        !is_copied(&entry.command) || self.path.join(LeagueFolder::bot(&entry.bot)).is_dir()
    }

    /// Opens the league's copy of a bot that was handed in as a folder.
    pub fn copied_bot(&self, bot: &BotVersion) -> Result<BotSpec, String> {
        let failed = |problem: String| format!("bot `{bot}`: {problem}");
        let typed = LeagueFolder::bot(bot);
        let path = absolute(self.path.join(&typed)).map_err(|error| failed(system_error(error)))?;
        let text = path.to_str().ok_or_else(|| {
            failed("the path of the league is not UTF-8: use another path".to_owned())
        })?;
        let opened = BotFolder::open(text).map_err(|error| failed(error.to_string()))?;
        Ok(BotSpec::from(BotFolder { typed: typed.display().to_string(), ..opened }))
    }

    /// Returns true while `league run` plays the league.
    pub fn is_running(&self) -> bool {
        Lock::is_held(&self.path.join(RUNNING))
    }

    pub(crate) fn lock(
        &self,
        name: &str,
        patience: Duration,
        held: fn(&str) -> String,
    ) -> Result<Lock, LeagueError> {
        let path = self.path.join(name);
        Lock::take(&path, patience).map_err(|problem| match problem {
            LockError::Held => LeagueError::Locked(held(&shown(&self.path))),
            LockError::Unopened(error) | LockError::Refused(error) => unusable(&path, error),
        })
    }

    fn wrong(&self, wrong: LogProblem) -> LeagueError {
        LeagueError::Log(shown(&self.path), wrong)
    }
}

/// The version of a bot that plays; fails if none does.
fn playing(league: &League, name: &str) -> Result<BotVersion, Failure> {
    let names = || -> Vec<String> {
        league.active().map(|(_, member)| member.entry.bot.bot.clone()).collect()
    };
    match league.current(&spelt_as_names(name)) {
        Some(member) if member.membership == Membership::Active => Ok(member.entry.bot.clone()),
        Some(member) => {
            let bot = &member.entry.bot;
            let how = if league.is_disqualified(&bot.bot) { "disqualified" } else { "retired" };
            Err(Failure::Usage(format!("{bot} is already {how}")))
        }
        None => Err(Failure::Usage(format!(
            "no bot `{}`: use one of {}",
            printable(name),
            names().join(", ")
        ))),
    }
}

/// Returns true if this is the command of a copied bot, which was handed in as a folder.
pub fn is_copied(command: &str) -> bool {
    command.split_once('/').is_some_and(|(first, _)| first == BOTS)
}

pub(crate) fn unusable(path: &Path, source: io::Error) -> LeagueError {
    let problem = format!("cannot use `{}`: {}", shown(path), system_error(&source));
    LeagueError::Failed(match is_of_machine(&source) {
        true => Failure::Ours(problem),
        false => Failure::Usage(problem),
    })
}

/// The log cannot have the next line.
pub(crate) fn misplaced(folder: &LeagueFolder, problem: &str) -> LeagueError {
    usage(format!("`{}`: the next line {problem}", shown(folder.path())))
}

/// The message for a program that waits while another one writes a file.
pub(crate) const IS_WRITTEN: fn(&str) -> String =
    |league| format!("`{league}` is being written to by another program");
