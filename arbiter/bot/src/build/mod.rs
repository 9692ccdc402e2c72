//! Building the bot in a folder: the build command of its manifest, run once.
//!
//! A build is kept apart like the bot itself (`isolated_build.rs`): it sees its folder, the programs of the
//! machine, and what its user grants to the bot. It works in a copy of the folder (`copied_folder.rs`). Its
//! home folder is empty, and it gets only those variables of its user that compilers need. Where nothing
//! keeps bots apart, it does what its user would do by hand: it runs in the folder itself, with the user's
//! own environment. Either way it has limits like a bot: on time, on output and on the processes it leaves
//! running.

use std::env;
use std::fmt;
use std::mem;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rules::{Answer, EscapedBytes, FailureCause};
use thiserror::Error;

use crate::build_record::FolderBeforeBuild;
use crate::contender::InterpreterSearch;
use crate::grants::{Grants, IsolationSpec, absolute};
use crate::judge::judge;
use crate::manifest::{BotFolder, CommandPathError};
use sandbox::isolation::Isolation;
use sandbox::{
    AllowedPaths, CancellationCheck, Limits, Observation, Program, SearchPath, Supervisor,
};

#[cfg(target_os = "linux")]
mod copied_folder;
#[cfg(target_os = "linux")]
mod isolated_build;
#[cfg(target_os = "linux")]
mod tree;

/// The time for a build, unless another one is given.
pub const TIME: Duration = Duration::from_secs(600);

/// Limits of a build besides its time: much wider than a bot's, because compilers are large.
const LIMITS: Limits = Limits {
    time: TIME,
    memory: 16 << 30,
    processes: 4096,
    file_bytes: 4 << 30,
    open_files: 4096,
    answer_bytes: 16 << 20,
    ..Limits::DEFAULT
};

/// The most bytes shown of each stream of a build that failed.
const SHOWN: usize = 64 << 10;

/// Why a bot is not built.
#[derive(Debug, Error)]
pub enum BuildError {
    #[error("build failed: {why}")]
    Failed { why: String, stdout: EscapedBytes, stderr: EscapedBytes, hint: Option<String> },
    /// The fault of the bot, before or after its build command ran.
    #[error("{0}")]
    Refused(String),
    #[error("cannot build: {0}")]
    Machine(String),
}

impl BuildError {
    fn refused(problem: impl fmt::Display) -> BuildError {
        BuildError::Refused(problem.to_string())
    }
}

/// Settings of builds.
#[derive(Debug, Clone, Copy)]
pub struct Builder<'a> {
    /// Starts the build commands, and isolates them.
    pub supervisor: Supervisor,
    pub search: &'a SearchPath,
    /// The grants of the bots; their builds have them, too.
    pub grants: &'a Grants,
    /// The folders of all bots of the run, which builds of others do not see.
    pub folders: &'a [PathBuf],
    pub kept: &'a [PathBuf],
    /// The most time for a build.
    pub time: Duration,
    /// Says whether the result is still wanted. A build without isolation goes on anyway.
    pub wanted: CancellationCheck<'a>,
}

impl Builder<'_> {
    /// Runs the build command of a folder, for the bot of this name. Returns how long it ran; none if the manifest has no
    /// such command.
    pub fn build(&self, folder: &BotFolder, name: &str) -> Result<Option<Duration>, BuildError> {
        let Some(command) = &folder.manifest.build else { return Ok(None) };
        let reach = self.reach(&folder.path, name);
        let led = InterpreterSearch { name, folder: Some(folder), reach: &reach };
        let located = folder.located(command, &reach);
        let words = located.map_err(|problem| match problem {
            CommandPathError::Missing(word) => {
                BuildError::Refused(format!("build command `{word}` in bot.toml not found"))
            }
            CommandPathError::Outside(word) => BuildError::refused(led.out(word)),
        })?;
        let program = Program::resolve_within(&words, &self.search.from(&folder.path), &reach)
            .map_err(BuildError::refused)?;
        led.interpreters(command.words(), &program).map(drop).map_err(BuildError::refused)?;
        let kept: Vec<PathBuf> = self.kept.iter().map(|path| absolute(path)).collect();
        let before = FolderBeforeBuild::build(folder, &kept);
        let built = match self.supervisor.isolation() {
            Isolation::Auto | Isolation::Strict if self.supervisor.has_keepers() => {
                self.build_isolated(folder, name, &words, kept)?
            }
            _ => self.build_in_place(folder, &words)?,
        };
        // Without a record the times of the files are as good as can be had.
        let _ = before.record(folder);
        Ok(Some(built))
    }

    /// What the build command may name if the folder of the bot is found here.
    fn reach(&self, folder: &Path, name: &str) -> AllowedPaths {
        let isolation = self.supervisor.isolation();
        let asked = IsolationSpec { isolation, grants: self.grants.clone() };
        asked.outside_access(name).apart_from(self.kept).reach(Some(folder), self.search)
    }

    /// Does what its user would do by hand.
    fn build_in_place(&self, folder: &BotFolder, words: &[String]) -> Result<Duration, BuildError> {
        let program = Program::resolve(words, &self.search.from(&folder.path))
            .map_err(BuildError::refused)?;
        let limits = Limits { time: self.time, ..LIMITS };
        let program = program.with_variables(env::vars_os());
        let observed = self.supervisor.run_in(&folder.path, &program, b"", limits);
        judged(observed, &limits, |_, _| None)
    }

    #[cfg(not(target_os = "linux"))]
    fn build_isolated(
        &self,
        folder: &BotFolder,
        _name: &str,
        words: &[String],
        _kept: Vec<PathBuf>,
    ) -> Result<Duration, BuildError> {
        self.build_in_place(folder, words)
    }
}

/// The length of a build that did not fail; `missed` tells what one may have missed that did.
fn judged(
    mut observed: Observation,
    limits: &Limits,
    missed: impl FnOnce(&[u8], &FailureCause) -> Option<String>,
) -> Result<Duration, BuildError> {
    let (wall, stderr) = (observed.wall, mem::take(&mut observed.stderr));
    match judge(observed, limits) {
        Answer::Output(_) | Answer::Classic { .. } => Ok(wall),
        Answer::Void(why) => Err(BuildError::Machine(why.to_string())),
        Answer::Stopped { by, output } => {
            let why = by.to_string();
            let hint = missed(&stderr, &FailureCause::Stopped(by));
            let beginning = |mut bytes: Vec<u8>| {
                bytes.truncate(SHOWN);
                EscapedBytes(bytes)
            };
            let (stdout, stderr) = (beginning(output), beginning(stderr));
            Err(BuildError::Failed { why, stdout, stderr, hint })
        }
    }
}
