//! `arbiter league add` and `arbiter league retire`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use rules::Seed;
use rules::text::{printable, system_error};

use crate::bot::build::{self, Builder, NotBuilt};
use crate::bot::grants::AskedIsolation;
use crate::bot::{self, BadBot, BotSpec, Contender, is_name};
use crate::check::{Setting, Step};
use crate::commands::check::{CheckPlan, Format};
use crate::commands::league::settings;
use crate::commands::setup;
use crate::failure::Failure;
use crate::league::BotVersion;
use crate::league::copy::{CopyBounds, copy};
use crate::league::entered;
use crate::league::folder::LeagueFolder;
use crate::league::line::{EnterLine, LeagueLine};
use crate::league::settings::LeagueSettings;
use crate::league::state::{League, Membership};
use crate::process::Limits;
use crate::tournament::folder::shown;

/// How many games a bot plays in its check.
const GAMES: u64 = 4;

/// Bots that are to enter.
#[derive(Debug)]
pub struct AddRequest {
    /// The folder of the league.
    pub folder: PathBuf,
    /// The bots.
    pub bots: Vec<BotSpec>,
}

/// Enters bots into a league, one after the other: each is copied, built and checked first.
///
/// # Errors
///
/// As the exit codes say, for the first bot that does not enter. Those before it have entered.
pub fn add(request: AddRequest, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(&request.folder)?;
    let _entering = folder.hold_entries()?;
    let _guard = setup::guard()?;
    let bots = setup::opened(&request.bots, folder.read()?.kind())?;
    let names = bot::names(&bots).map_err(|error| Failure::Usage(error.to_string()))?;
    if let Some(name) = names.iter().find(|name| !is_name(name)) {
        let problem = format!("two bots are called `{name}`, expected different names");
        return Err(Failure::Usage(problem.replace(name.as_str(), plain(name))));
    }
    for (name, bot) in names.into_iter().zip(bots) {
        let league = folder.read()?;
        let version = league.next_version(&name);
        let bot_version = BotVersion { bot: name, version };
        let settings = settings(&folder, &league)?;
        let entry =
            Newcomer { folder: &folder, settings: &settings, bot: &bot_version }.entry(bot)?;
        let league =
            folder.append(|_| Ok::<_, Failure>(vec![LeagueLine::Enter(Box::new(entry))]))?;
        tell_entered(&league, &bot_version, out)?;
    }
    Ok(())
}

/// A name without the number that tells it from others like it.
fn plain(name: &str) -> &str {
    name.split_once('#').map_or(name, |(name, _)| name)
}

fn tell_entered(league: &League, bot: &BotVersion, out: &mut dyn Write) -> Result<(), Failure> {
    let active = league.active().count();
    let bots = crate::text::counted(active, "bot", "bots");
    let instead = match bot.version {
        1 => String::new(),
        version => format!(" in the place of {}@{}", bot.bot, version - 1),
    };
    Ok(writeln!(out, "{bot} has entered{instead}: {bots}")?)
}

/// A version of a bot that is to enter.
struct Newcomer<'a> {
    folder: &'a LeagueFolder,
    settings: &'a LeagueSettings,
    bot: &'a BotVersion,
}

impl Newcomer<'_> {
    /// Copies, builds and checks it, and gives what the log is to say of it.
    fn entry(&self, bot: BotSpec) -> Result<EnterLine, Failure> {
        let spec = match bot.folder() {
            Some(folder) => self.copied(&folder.path)?,
            None => with_whole_paths(&bot)?,
        };
        let made = self.built(&spec).and_then(|()| self.checked(&spec));
        let entry = made.and_then(|()| self.line(&spec));
        if entry.is_err() && spec.folder().is_some() {
            // Nothing but the copy was changed, and nothing refers to it.
            let _ = fs::remove_dir_all(self.place());
        }
        entry
    }

    fn place(&self) -> PathBuf {
        self.folder.path().join(LeagueFolder::bot(self.bot))
    }

    /// Copies the folder of a bot into that of the league.
    fn copied(&self, from: &Path) -> Result<BotSpec, Failure> {
        let to = self.place();
        // What is there was never entered: a crash has left it.
        if to.exists() {
            fs::remove_dir_all(&to).map_err(|error| {
                Failure::Usage(format!(
                    "`{}` cannot be removed: {}",
                    shown(&to),
                    system_error(error)
                ))
            })?;
        }
        copy(from, &to, CopyBounds::DEFAULT).map_err(|error| {
            let _ = fs::remove_dir_all(&to);
            Failure::Usage(format!("bot `{}`: {error}", self.bot.bot))
        })?;
        entered::copied(self.folder, self.bot).map_err(|error| Failure::Usage(error.to_string()))
    }

    fn kept(&self) -> Vec<PathBuf> {
        vec![self.folder.path().to_path_buf()]
    }

    fn built(&self, spec: &BotSpec) -> Result<(), Failure> {
        let Some(folder) = spec.folder() else { return Ok(()) };
        let AskedIsolation { isolation, grants } = &self.settings.settings.isolation;
        let (supervisor, search) = (setup::complete(*isolation)?, setup::search_path()?);
        let folders = [folder.path.clone()];
        let kept = self.kept();
        let (search, folders, kept, time) = (&search, &folders[..], &kept[..], build::TIME);
        let builder = Builder { supervisor, search, grants, folders, kept, time };
        let name = &self.bot.bot;
        match builder.build(folder, name) {
            Ok(_) => Ok(()),
            Err(error @ NotBuilt::Machine(_)) => {
                Err(Failure::Ours(format!("bot `{name}`: {error}")))
            }
            Err(error) => Err(Failure::Start(format!("bot `{name}` cannot be built: {error}"))),
        }
    }

    /// Checks it under the conditions of the league.
    fn checked(&self, spec: &BotSpec) -> Result<(), Failure> {
        let LeagueSettings { kind, settings, limits, .. } = self.settings;
        let plan = CheckPlan {
            bot: spec.clone(),
            name: self.bot.bot.clone(),
            settings: vec![Setting { kind: *kind, options: settings.options.clone() }],
            games: GAMES,
            // Every bot is asked the same, at every time.
            seed: Seed([0; 32]),
            limits: limits.for_bot(&self.bot.bot),
            isolation: settings.isolation.clone(),
            kept: self.kept(),
            retries: settings.retries,
        };
        let tally = plan.run(Format::Report, &mut Vec::new())?;
        match tally.first_failure {
            None => Ok(()),
            Some(Step { name, note, .. }) => Err(Failure::Check(format!(
                "bot `{}` does not pass its check, first at `{}`: {}; `arbiter check` tells all of it",
                self.bot.bot,
                printable(&name),
                printable(&note)
            ))),
        }
    }

    fn line(&self, spec: &BotSpec) -> Result<EnterLine, Failure> {
        let search = setup::search_path()?;
        let name = self.bot.to_string();
        let contender = Contender::prepare(spec, &name, Limits::DEFAULT, &search)
            .map_err(|error| Failure::Start(format!("bot `{name}`: {error}")))?;
        Ok(EnterLine {
            bot: self.bot.clone(),
            command: spec.command().to_owned(),
            files: contender.digests(),
            dialect: contender.dialect,
            mode: contender.mode,
        })
    }
}

/// A bot that is a command, with the files in it as whole paths: the league may be played from any
/// folder.
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
                        "the current folder cannot be found: {}",
                        system_error(error)
                    ))
                })?;
                whole.to_str().map(str::to_owned).ok_or_else(|| {
                    Failure::Usage(format!("`{}` is not UTF-8, expected another path", shown(path)))
                })?
            }
        });
    }
    let command = shlex::try_join(words.iter().map(String::as_str))
        .map_err(|error| Failure::Usage(format!("bot `{}`: {error}", printable(bot.command()))))?;
    let name = bot.given_name().unwrap_or_default();
    BotSpec::new(name, &command, bot.dialect(), bot.mode())
        .map_err(|error: BadBot| Failure::Usage(error.to_string()))
}

/// Lets the newest versions of these bots leave.
///
/// # Errors
///
/// As the exit codes say; no one leaves then.
pub fn retire(path: &Path, names: &[String], out: &mut dyn Write) -> Result<(), Failure> {
    let folder = LeagueFolder::open(path)?;
    let league = folder.append(|league| {
        names.iter().map(|name| newest(league, name).map(LeagueLine::Retire)).collect()
    })?;
    for name in names {
        if let Some(member) = league.newest(name) {
            writeln!(out, "{} has left", member.entry.bot)?;
        }
    }
    let active = league.active().count();
    Ok(writeln!(out, "{} left in the league", crate::text::counted(active, "bot", "bots"))?)
}

/// The newest version of a bot, which plays.
fn newest(league: &League, name: &str) -> Result<BotVersion, Failure> {
    let names = || -> Vec<String> {
        league.active().map(|(_, member)| member.entry.bot.bot.clone()).collect()
    };
    match league.newest(&bot::spelt_as_names(name)) {
        Some(member) if member.membership == Membership::Active => Ok(member.entry.bot.clone()),
        Some(member) => Err(Failure::Usage(format!("{} has left already", member.entry.bot))),
        None => Err(Failure::Usage(format!(
            "no bot `{}` in the league, expected one of: {}",
            printable(name),
            names().join(", ")
        ))),
    }
}
