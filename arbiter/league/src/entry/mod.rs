//! The entry of bots: they are found, copied, built and checked, and enter or are refused.

pub mod checks;
pub mod queue;
pub mod submission_folder;
pub mod watched_folder;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fmt, fs, io};

use bot::copying::{FolderError, copy};
use bot::manifest::ProgramMode;
use bot::{BotSpec, Contender, copying};
use sandbox::{CancellationCheck, Limits};

use self::checks::{entry_check, problem};
use self::submission_folder::BOUNDS;
use crate::events::LeagueEvent;
use crate::folder::{LeagueFolder, misplaced};
use crate::line::{EnterLine, LeagueLine, SubmittedFolder};
use crate::rejections::Rejection;
use crate::settings::LeagueSettings;
use crate::submissions::RejectionStage;
use crate::{BotVersion, disk_budget, events, rejections, remote, settings};
use check::Format;
use check::bot::{CheckPlan, GameVariant, StepName};
use contest::setup;
use contest::tournament::folder::shown;
use text::failure::Failure;
use text::shell::{for_author, word};
use text::{counted, printable, system_error};

pub struct EnteredBot {
    pub bot: BotVersion,
    /// Number of bots that play now.
    active: usize,
    pub report: Vec<u8>,
}

pub enum EntryResult {
    Entered(EnteredBot),
    Refused(RefusedBot),
}

pub struct RefusedBot {
    pub step: RejectionStage,
    failure: Failure,
    /// The reason for its author, without the places of this machine.
    pub why: String,
    /// Report of its check, if it got that far.
    pub report: Option<Vec<u8>>,
    /// File in which the league keeps the report.
    kept: PathBuf,
}

impl RefusedBot {
    pub fn into_failure(self) -> Failure {
        let RefusedBot { failure, kept, .. } = self;
        let told = format!("{failure}; see {}", word(&kept));
        match failure {
            Failure::Start(_) => Failure::Start(told),
            Failure::Check(_) => Failure::Check(told),
            _ => Failure::Usage(told),
        }
    }
}

impl fmt::Display for EnteredBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EnteredBot { bot, active, .. } = self;
        let instead = match bot.version {
            1 => String::new(),
            version => format!(", replacing {}@{}", bot.bot, version - 1),
        };
        write!(f, "{bot} has entered{instead}: {}", counted(*active, "bot", "bots"))
    }
}

/// A bot whose check has ended, or which got none because its files are wrong. It has neither entered nor been refused
/// yet.
pub struct Candidate<'a> {
    folder: &'a LeagueFolder,
    name: String,
    /// The version as which it was to be copied, unless its files were wrong before.
    version: Option<BotVersion>,
    line: Result<EnterLine, EntryFailure>,
    /// The folder from which it was copied, with the digest of its contents, if it has failed.
    handed_in: Option<SubmittedFolder>,
    report: Vec<u8>,
}

impl<'a> Candidate<'a> {
    /// Copies, builds and checks a bot. Bots with different names may be checked at once. Only one program at a time
    /// may do so, which holds the [right to it](LeagueFolder::hold_entries). If the bot is no longer wanted meanwhile, it
    /// [settles](Candidate::settle) with a failure, as if the machine had failed. The check is written to the report as it
    /// is made.
    ///
    /// # Errors
    ///
    /// Fails if the league cannot be read, or its settings are wrong.
    pub fn checked(
        folder: &'a LeagueFolder,
        name: &str,
        bot: BotSpec,
        wanted: CancellationCheck<'_>,
        report: ReportSoFar,
    ) -> Result<Candidate<'a>, Failure> {
        let league = folder.read()?;
        let version = BotVersion { bot: name.to_owned(), version: league.next_version(name) };
        let settings = settings::load(folder, &league)?;
        let from = bot.folder().map(|folder| folder.path.clone());
        let attempt = EntryAttempt { folder, settings: &settings, bot: &version, wanted };
        let line = match league.admits(&version) {
            Ok(()) => attempt.line(bot, &report).inspect_err(|_| remove_copy(folder, &version)),
            // A copy with this name might belong to another bot.
            Err(problem) => {
                Err(failed_at(RejectionStage::Name)(misplaced(folder, &problem).into()))
            }
        };
        let handed_in = from.filter(|_| line.is_err()).and_then(|from| handed_in(&from, &from));
        let (name, version, report) = (name.to_owned(), Some(version), report.content());
        Ok(Candidate { folder, name, version, line, handed_in, report })
    }

    /// A bot whose files are wrong, before it was copied.
    pub(crate) fn unusable(
        folder: &'a LeagueFolder,
        name: &str,
        handed_in: Option<SubmittedFolder>,
        (step, why): (RejectionStage, String),
    ) -> Candidate<'a> {
        let line = Err(EntryFailure { step, failure: Failure::Usage(why) });
        let (name, report) = (name.to_owned(), Vec::new());
        Candidate { folder, name, version: None, line, handed_in, report }
    }

    /// Removes its copy, because it is no longer wanted.
    pub fn abandon(self) {
        if let Ok(line) = self.line {
            remove_copy(self.folder, &line.bot);
        }
    }

    /// Enters it, or keeps the reason of its refusal. Only one thread at a time may do so. The events name the member of a
    /// team who sent it.
    ///
    /// # Errors
    ///
    /// Fails if the referee or the machine failed, which says nothing about the bot.
    pub fn settle(self, member: Option<&str>) -> Result<EntryResult, Failure> {
        let Candidate { folder, name, version, line, handed_in, report } = self;
        let EntryFailure { step, failure } = match line {
            Ok(line) => {
                let bot = line.bot.clone();
                let appended = folder.append(|_| Ok(vec![LeagueLine::Enter(Box::new(line))]));
                let league = appended.inspect_err(|_: &Failure| remove_copy(folder, &bot))?;
                disk_budget::remove_oldest(folder, &league, &bot.bot);
                events::add_of_member(folder, LeagueEvent::Entered(bot.clone()), member);
                let active = league.active().count();
                return Ok(EntryResult::Entered(EnteredBot { bot, active, report }));
            }
            Err(failed) => failed,
        };
        match failure {
            Failure::Usage(_) | Failure::Start(_) | Failure::Check(_) => {}
            ours => return Err(ours),
        }
        let report = Some(report).filter(|report| !report.is_empty());
        let mut why = failure.to_string();
        if let Some(version) = version {
            why = for_author(&why, &folder.path().join(LeagueFolder::bot(&version)));
        }
        let shown_why = printable(&why);
        let short = format!("{}: {shown_why}\n", printable(&name));
        let refusal = Rejection::new(name.clone(), handed_in, &shown_why);
        let kept =
            rejections::keep(folder, &refusal, report.as_deref().unwrap_or(short.as_bytes()));
        events::add_of_member(folder, LeagueEvent::Refused(printable(&name)), member);
        let kept = kept.map_err(|error| {
            let folder = shown(&folder.refused());
            Failure::Ours(format!("cannot write `{folder}`: {}", system_error(error)))
        })?;
        Ok(EntryResult::Refused(RefusedBot { step, failure, why, report, kept }))
    }
}

/// Describes the folder of a bot: its name, and the digest of `held`, which may be its copy. None if that cannot be
/// read, or the name is not text.
pub fn handed_in(folder: &Path, held: &Path) -> Option<SubmittedFolder> {
    let name = folder.file_name()?.to_str()?.to_owned();
    Some(SubmittedFolder { folder: name, contents: copying::digest(held, BOUNDS).ok()? })
}

struct EntryFailure {
    step: RejectionStage,
    failure: Failure,
}

/// Makes a failure at this stage.
fn failed_at(step: RejectionStage) -> impl FnOnce(Failure) -> EntryFailure {
    |failure| EntryFailure { step, failure }
}

/// A version of a bot that is about to enter.
struct EntryAttempt<'a> {
    folder: &'a LeagueFolder,
    settings: &'a LeagueSettings,
    bot: &'a BotVersion,
    wanted: CancellationCheck<'a>,
}

impl EntryAttempt<'_> {
    /// Copies, builds and checks it, and returns its line for the log. The check writes to the report.
    fn line(&self, bot: BotSpec, report: &ReportSoFar) -> Result<EnterLine, EntryFailure> {
        if bot.mode() == ProgramMode::Remote {
            return self.remote_line();
        }
        let (spec, handed_in) = match bot.folder() {
            None => (with_whole_paths(&bot).map_err(failed_at(RejectionStage::Command))?, None),
            Some(folder) => {
                let copied = self.copied(&folder.path);
                let spec = copied.map_err(failed_at(RejectionStage::Files))?;
                // The copy before anything is built in it, as the folder may change at any moment.
                (spec, handed_in(&folder.path, &self.place()))
            }
        };
        self.check(&spec, report)?;
        if spec.folder().is_some() {
            let quotas = self.folder.quotas();
            // A mistake of the organiser refuses no bot.
            let quotas = quotas.map_err(|failure| {
                failed_at(RejectionStage::Check)(Failure::Ours(failure.to_string()))
            })?;
            disk_budget::check_room(&self.bot.bot, &self.place(), quotas.bot_size())
                .map_err(failed_at(RejectionStage::Step(StepName::Builds)))?;
        }
        let name = self.bot.to_string();
        let contender = setup::search_path().and_then(|search| {
            let beyond = self.settings.settings.conditions.isolation.outside_access(&self.bot.bot);
            let beyond = beyond.apart_from(&[self.folder.path().to_path_buf()]);
            Contender::prepare(&spec, &name, Limits::DEFAULT, &search, &beyond)
                .map_err(|error| Failure::Start(format!("bot `{name}`: {error}")))
        });
        let contender = contender.map_err(failed_at(RejectionStage::Step(StepName::Starts)))?;
        Ok(EnterLine {
            bot: self.bot.clone(),
            command: spec.command().to_owned(),
            files: contender.digests(),
            handed_in,
            dialect: contender.dialect,
            mode: contender.mode,
        })
    }

    /// The line of a bot that runs on the machine of its author: there is nothing to copy and to check.
    fn remote_line(&self) -> Result<EnterLine, EntryFailure> {
        match self.settings.remote {
            Some(_) => Ok(remote::enter_line(self.bot.clone())),
            None => {
                let why = "the league takes no remote bots: set `allowed = true` in the table \
                           `remote` of league.toml";
                let failure = Failure::Usage(format!("bot `{}`: {why}", self.bot.bot));
                Err(failed_at(RejectionStage::Command)(failure))
            }
        }
    }

    /// Returns the place of its copy, if it was handed in as a folder.
    fn place(&self) -> PathBuf {
        self.folder.path().join(LeagueFolder::bot(self.bot))
    }

    /// Copies the folder of a bot into the folder of the league.
    fn copied(&self, from: &Path) -> Result<BotSpec, Failure> {
        let to = self.place();
        // A bot that is there never entered: a crash has left it.
        if fs::symlink_metadata(&to).is_ok() {
            fs::remove_dir_all(&to).map_err(|error| {
                let (copy, said) = (shown(&to), system_error(error));
                Failure::Ours(format!("cannot remove `{copy}`: {said}"))
            })?;
        }
        copy(from, &to, BOUNDS).map_err(|error| {
            let problem = format!("bot `{}`: {error}", self.bot.bot);
            match error {
                FolderError::Source(_) => Failure::Usage(problem),
                FolderError::Unwritten(_) => Failure::Ours(problem),
            }
        })?;
        self.folder.copied_bot(self.bot).map_err(Failure::Usage)
    }

    /// Builds and checks it under the conditions of the league.
    fn check(&self, spec: &BotSpec, report: &ReportSoFar) -> Result<(), EntryFailure> {
        let LeagueSettings { kind, settings, build_time, .. } = self.settings;
        let setting = GameVariant { kind: kind.clone(), options: settings.options.clone() };
        let seed = setup::seed_or_drawn(None).map_err(failed_at(RejectionStage::Check))?;
        let plan = CheckPlan {
            kept: vec![self.folder.path().to_path_buf()],
            build_time: *build_time,
            wanted: self.wanted,
            // The seed is new, so no bot can be written for it. The report names it.
            ..entry_check((&self.bot.bot, spec), setting, &settings.conditions, seed)
        };
        let record = plan.run(Format::Report, &mut report.clone());
        let record = record.map_err(failed_at(RejectionStage::Check))?;
        let failure = record.failures.into_iter().next();
        let Some(failed) = failure else { return Ok(()) };
        let (bot, step) = (&self.bot.bot, failed.name.clone());
        let failure = match &step {
            StepName::Builds => {
                Failure::Start(format!("cannot build bot `{bot}`: {}", printable(&failed.note)))
            }
            _ => Failure::Check(format!("bot `{bot}` {}", printable(&problem(failed)))),
        };
        Err(EntryFailure { step: RejectionStage::Step(step), failure })
    }
}

/// Removes the copy of a bot that has not entered; nothing refers to it.
fn remove_copy(folder: &LeagueFolder, bot: &BotVersion) {
    // Any rest is removed when the next one with this name and version is copied.
    let _ = fs::remove_dir_all(folder.path().join(LeagueFolder::bot(bot)));
}

/// Makes the paths in a bot's command absolute: the league may be played from any folder.
fn with_whole_paths(bot: &BotSpec) -> Result<BotSpec, Failure> {
    let mut words = Vec::new();
    for (place, word) in bot.words().iter().enumerate() {
        let path = Path::new(word);
        let is_file = path.is_relative()
            && path.is_file()
            && (place > 0 || word.contains(std::path::is_separator));
        words.push(match is_file {
            false => word.clone(),
            true => {
                let whole = std::path::absolute(path).map_err(|error| {
                    Failure::Ours(format!(
                        "cannot find the current folder: {}",
                        system_error(error)
                    ))
                })?;
                whole.to_str().map(str::to_owned).ok_or_else(|| {
                    Failure::Usage(format!("`{}` is not UTF-8: use another path", shown(path)))
                })?
            }
        });
    }
    let command = shlex::try_join(words.iter().map(String::as_str))
        .map_err(|error| Failure::Usage(format!("bot `{}`: {error}", printable(bot.command()))))?;
    let name = bot.given_name().unwrap_or_default();
    BotSpec::new(name, &command, bot.dialect(), bot.mode())
}

/// The report of a check that is being made, for those who watch it. Its clones are one report.
#[derive(Debug, Clone, Default)]
pub struct ReportSoFar(Arc<Mutex<Vec<u8>>>);

impl ReportSoFar {
    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns its text; none before anything was written.
    pub fn text(&self) -> Option<String> {
        let bytes = self.bytes();
        (!bytes.is_empty()).then(|| String::from_utf8_lossy(&bytes).into_owned())
    }

    pub(crate) fn content(&self) -> Vec<u8> {
        self.bytes().clone()
    }
}

impl Write for ReportSoFar {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
