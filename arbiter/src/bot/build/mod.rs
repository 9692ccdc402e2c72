//! Building the bot in a folder: the build command of its manifest, run once.
//!
//! A build is kept apart like the bot itself: it sees its folder, the programs of the machine, and what
//! its user grants to the bot. It works in a copy of the folder (`copied_folder.rs`), has a home folder that is
//! empty, and is told of its user's environment only what compilers ask for (`toolchain.rs`). Where
//! nothing keeps bots apart, it does what its user would do by hand: it runs in the folder itself, with the
//! user's own environment. Either way it has limits like a bot: on time, on output and on the processes
//! it leaves running.

use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rules::{Answer, Escaped};
use thiserror::Error;

use crate::bot::grants::{Grants, absolute};
use crate::bot::insider::Insider;
use crate::bot::manifest::BotFolder;
use crate::bot::sources::Before;
use crate::process::isolation::Isolation;
use crate::process::{
    Limits, Observed, Program, ResolveError, SearchPath, Sight, Supervisor, judge,
};
use crate::text::notice::say;

#[cfg(target_os = "linux")]
mod copied_folder;
#[cfg(target_os = "linux")]
mod toolchain;
#[cfg(target_os = "linux")]
mod tree;

#[cfg(target_os = "linux")]
use copied_folder::CopiedFolder;
#[cfg(target_os = "linux")]
use toolchain::Toolchain;

/// The time for a build, unless another one is given.
pub const TIME: Duration = Duration::from_secs(600);

/// What a build may take besides its time: much more than a bot, because compilers are large.
const LIMITS: Limits = Limits {
    time: TIME,
    memory: 16 << 30,
    processes: 4096,
    file_bytes: 4 << 30,
    open_files: 4096,
    answer_bytes: 16 << 20,
    ..Limits::DEFAULT
};

/// How much of each stream is shown of a build that failed, in bytes.
const SHOWN: usize = 64 << 10;

/// What came of a build that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Built {
    /// The manifest says no build command.
    Nothing,
    /// The command has run, for this long.
    In(Duration),
}

/// Why a bot is not built.
#[derive(Debug, Error)]
pub enum NotBuilt {
    /// A word of the build command names nothing in the folder.
    #[error("`{0}`, the build command of bot.toml, not found")]
    NotThere(String),
    /// The build command names no program.
    #[error(transparent)]
    Program(#[from] ResolveError),
    /// The command failed.
    #[error("build failed: {why}")]
    Failed {
        /// How it ended, in one line.
        why: String,
        /// What it printed, from its beginning.
        stdout: Escaped,
        /// What it wrote to standard error, from its beginning.
        stderr: Escaped,
        /// What it may have missed where it ran, for whoever runs it.
        hint: Option<String>,
    },
    /// Its folder, or what it has made, cannot be copied.
    #[error("build failed: {0}")]
    Refused(String),
    /// The machine failed.
    #[error("cannot build: {0}")]
    Machine(String),
}

/// How bots are built.
#[derive(Debug, Clone, Copy)]
pub struct Builder<'a> {
    /// Who starts the build commands, and keeps them apart.
    pub supervisor: Supervisor,
    /// Where programs are looked for.
    pub search: &'a SearchPath,
    /// What is granted to the bots; their builds have it, too.
    pub grants: &'a Grants,
    /// The folders of all bots of the run, which builds of others do not see.
    pub folders: &'a [PathBuf],
    /// What no build is to see.
    pub kept: &'a [PathBuf],
    /// How long a build may take.
    pub time: Duration,
}

impl Builder<'_> {
    /// Runs the build command of a folder, for the bot of this name.
    ///
    /// # Errors
    ///
    /// [`NotBuilt`], with what the command had printed.
    pub fn build(&self, folder: &BotFolder, name: &str) -> Result<Built, NotBuilt> {
        let Some(command) = &folder.manifest.build else { return Ok(Built::Nothing) };
        let words = folder.located(command).map_err(|word| NotBuilt::NotThere(word.to_owned()))?;
        let kept: Vec<PathBuf> = self.kept.iter().map(|path| absolute(path)).collect();
        let before = Before::build(folder, &kept);
        let built = match self.supervisor.isolation() {
            Isolation::Auto | Isolation::Strict if self.supervisor.has_keepers() => {
                self.build_apart(folder, name, &words, kept)?
            }
            _ => self.build_in_place(folder, &words)?,
        };
        // Without a record the times of the files are as good as can be had.
        let _ = before.record(folder);
        Ok(Built::In(built))
    }

    /// Does what its user would do by hand.
    fn build_in_place(&self, folder: &BotFolder, words: &[String]) -> Result<Duration, NotBuilt> {
        let program = Program::resolve(words, &self.search.from(&folder.path))?;
        let limits = Limits { time: self.time, ..LIMITS };
        let program = program.with_variables(env::vars_os());
        let observed = self.supervisor.run_in(&folder.path, &program, b"", limits);
        judged(observed, &limits, |_, _| None)
    }

    /// Builds in a copy of the folder, and takes over what was built.
    #[cfg(target_os = "linux")]
    fn build_apart(
        &self,
        folder: &BotFolder,
        name: &str,
        words: &[String],
        kept: Vec<PathBuf>,
    ) -> Result<Duration, NotBuilt> {
        let builder = self.supervisor.owner_of_bots_files();
        let not_copied: Vec<PathBuf> = self.folders.iter().chain(&kept).cloned().collect();
        let copied = CopiedFolder::copy(&folder.path, &not_copied, builder)?;
        let built = self.build_copy(&copied, folder, name, words, kept).and_then(|time| {
            copied.take_over()?;
            Ok(time)
        });
        if let Err(left) = copied.close() {
            say(format!("warning: {left}"));
        }
        built
    }

    #[cfg(target_os = "linux")]
    fn build_copy(
        &self,
        copied: &CopiedFolder,
        folder: &BotFolder,
        name: &str,
        words: &[String],
        kept: Vec<PathBuf>,
    ) -> Result<Duration, NotBuilt> {
        let workshop = copied.workshop();
        let toolchain = Toolchain::of_this_process();
        let mut granted = self.grants.readable(name);
        granted.extend(toolchain.folders);
        let sight = Sight {
            folder: Some(folder.path.clone()),
            granted,
            hidden: self.folders.iter().chain(&kept).cloned().collect(),
            masked: kept,
            network: self.grants.network(name),
        };
        let at = self.supervisor.finds(workshop);
        let words: Vec<String> = words.iter().map(|word| moved(word, &folder.path, at)).collect();
        let program = Program::resolve(&words, &self.search.from(at))?;
        let program = program.with_variables(toolchain.variables);
        let limits = Limits { time: self.time, ..LIMITS };
        let observed = self.supervisor.run_in_workshop(workshop, &program, &sight, limits);
        // Of the copy itself it misses nothing.
        let mut sight = sight;
        sight.hidden.push(workshop.copy.clone());
        let outlook = self.supervisor.outlook(&program, &sight);
        let insider = Insider::of_build(name, folder, &program, outlook);
        judged(observed, &limits, |stderr, detail| insider.missed(stderr, detail))
    }

    #[cfg(not(target_os = "linux"))]
    fn build_apart(
        &self,
        folder: &BotFolder,
        _name: &str,
        words: &[String],
        _kept: Vec<PathBuf>,
    ) -> Result<Duration, NotBuilt> {
        self.build_in_place(folder, words)
    }
}

/// A word of a command that lies in a folder, as it is found where the folder is found.
#[cfg(target_os = "linux")]
fn moved(word: &str, folder: &Path, to: &Path) -> String {
    let moved = Path::new(word).strip_prefix(folder).map(|rest| to.join(rest));
    moved.ok().and_then(|path| path.to_str().map(str::to_owned)).unwrap_or_else(|| word.to_owned())
}

/// How long a build took that did not fail; `missed` tells what one may have missed that did.
fn judged(
    observed: Observed,
    limits: &Limits,
    missed: impl FnOnce(&[u8], &str) -> Option<String>,
) -> Result<Duration, NotBuilt> {
    match judge(&observed, limits) {
        Answer::Output(_) | Answer::Classic { .. } => Ok(observed.wall),
        Answer::Void(why) => Err(NotBuilt::Machine(why)),
        Answer::Stopped { detail: why, .. } => {
            let hint = missed(&observed.stderr, &why);
            let beginning = |mut bytes: Vec<u8>| {
                bytes.truncate(SHOWN);
                Escaped(bytes)
            };
            let (stdout, stderr) = (beginning(observed.stdout), beginning(observed.stderr));
            Err(NotBuilt::Failed { why, stdout, stderr, hint })
        }
    }
}

#[cfg(target_os = "linux")]
impl From<copied_folder::NotCopied> for NotBuilt {
    fn from(error: copied_folder::NotCopied) -> NotBuilt {
        match error.is_of_machine() {
            true => NotBuilt::Machine(error.to_string()),
            false => NotBuilt::Refused(error.to_string()),
        }
    }
}
