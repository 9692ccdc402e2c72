//! Building the bot in a folder: the build command of its manifest, run once.
//!
//! A build does what its user would do by hand in that folder. So it runs there, with the user's
//! own environment, where compilers find their settings and caches. But it has limits like a bot:
//! on time, on output and on the processes it leaves running.

use std::env;
use std::time::Duration;

use rules::{Answer, Escaped};
use thiserror::Error;

use crate::bot::manifest::BotFolder;
use crate::bot::sources::Before;
use crate::process::{Limits, Observed, Program, ResolveError, SearchPath, Supervisor, judge};

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
    },
    /// The machine failed.
    #[error("cannot build: {0}")]
    Machine(String),
}

/// Runs the build command of a folder in it.
///
/// # Errors
///
/// [`NotBuilt`], with what the command had printed.
pub fn build(
    folder: &BotFolder,
    supervisor: Supervisor,
    search: &SearchPath,
    time: Duration,
) -> Result<Built, NotBuilt> {
    let Some(command) = &folder.manifest.build else { return Ok(Built::Nothing) };
    let words = folder.located(command).map_err(|word| NotBuilt::NotThere(word.to_owned()))?;
    let program = Program::resolve(&words, &search.from(&folder.path))?;
    let limits = Limits { time, ..LIMITS };
    let before = Before::build(folder);
    let program = program.with_variables(env::vars_os());
    let observed = supervisor.run_in(&folder.path, &program, b"", limits);
    match judge(&observed, &limits) {
        Answer::Output(_) | Answer::Classic { .. } => {
            // Without a record the times of the files are as good as can be had.
            let _ = before.record(folder);
            Ok(Built::In(observed.wall))
        }
        Answer::Void(why) => Err(NotBuilt::Machine(why)),
        Answer::Stopped { detail, .. } => Err(failed(detail, observed)),
    }
}

fn failed(why: String, observed: Observed) -> NotBuilt {
    let beginning = |mut bytes: Vec<u8>| {
        bytes.truncate(SHOWN);
        Escaped(bytes)
    };
    let (stdout, stderr) = (beginning(observed.stdout), beginning(observed.stderr));
    NotBuilt::Failed { why, stdout, stderr }
}
