//! Games of one's own: opening, running, copying and checking rules that come with a contest.
//!
//! # Theory of operation
//!
//! A game is named by a folder with a `game.toml`, by a file `NAME.wasm`, or by a command such as
//! `python3 game.py`. [`GameFiles`] reads it, and computes the digest that identifies its rules. From
//! these files rules are started as often as games are played side by side: a module by an interpreter
//! within this process (`module.rs`), a program by the crate `sandbox`, isolated as bots are
//! (`program.rs`), on a copy that holds the files of the digest and no others (`running_copy.rs`). The crate `rules` speaks with both in the same way, and trusts neither.
//!
//! A game that was opened is known to this process by its name and digest from then on, so that logs
//! find it. A tournament or a league keeps a copy of its game, in a folder `game` beside its log.

#![forbid(unsafe_code)]

use std::path::Path;

use conditions::failure::Failure;
use rules::GameKind;
use rules::own::{Fault, OwnGame};
use sandbox::isolation::Isolation;
use sandbox::{Supervisor, file};
use text::terminal::say;
use thiserror::Error;

pub mod check;
mod contents;
mod game_files;
mod manifest;
mod module;
mod program;
mod running_copy;
pub mod starter;

pub use game_files::{COPY, GameFiles, NotGame};
pub use manifest::{MANIFEST, ViewKeys};

/// The number of bytes of a log that are searched for the digest of its rules, which stands near the beginning.
const FIRST_LOOK: u64 = 4 << 10;

/// The folder that holds the rounds of a league.
const ROUNDS: &str = "rounds";

/// The folder that holds the games of people, in that of a tournament or a league.
const PEOPLE: &str = "people";

/// A game of one's own that cannot be opened; one line.
#[derive(Debug, Error)]
pub enum NotOpened {
    /// It is no game, or its files cannot be read.
    #[error(transparent)]
    NotGame(#[from] NotGame),
    /// Its rules do not start, or do not describe a game.
    #[error("game `{game}`: {fault}")]
    Fault {
        /// The game, as it was named.
        game: String,
        /// The fault.
        fault: Fault,
    },
}

/// Opens a game by its folder, its module or its command, and makes it known to this process.
///
/// # Errors
///
/// [`NotOpened`]
pub fn open(named: &str, supervisor: Supervisor) -> Result<GameKind, NotOpened> {
    open_files(GameFiles::named(named)?, supervisor)
}

/// Opens the copy of a game that lies in the folder of a tournament or a league, if there is one.
///
/// # Errors
///
/// [`NotOpened`]
pub fn open_copy(folder: &Path, supervisor: Supervisor) -> Result<Option<GameKind>, NotOpened> {
    match GameFiles::copy_in(folder)? {
        Some(files) => open_files(files, supervisor).map(Some),
        None => Ok(None),
    }
}

impl From<NotOpened> for Failure {
    fn from(error: NotOpened) -> Failure {
        let problem = error.to_string();
        match error {
            NotOpened::NotGame(_) => Failure::Usage(problem),
            NotOpened::Fault { fault, .. } if fault.is_of_machine() => Failure::Ours(problem),
            NotOpened::Fault { .. } => Failure::Rules(problem),
        }
    }
}

/// Opens the copy of a game beside a log, in the folder of the log or, for a round of a league or a game of
/// people, in the folder that holds it, so that the log finds its rules. A copy that cannot be opened is reported.
pub fn know_beside(log: &Path) {
    let folder = log.parent().map(|folder| match folder == Path::new("") {
        true => Path::new("."),
        false => folder,
    });
    let is_round = |folder: &&Path| {
        folder.parent().and_then(Path::file_name).is_some_and(|name| name == ROUNDS)
    };
    let league = folder.filter(is_round).and_then(|folder| folder.parent()?.parent());
    let is_of_people = |folder: &&Path| folder.file_name().is_some_and(|name| name == PEOPLE);
    let around = folder.filter(is_of_people).and_then(Path::parent);
    for folder in [folder, league, around].into_iter().flatten() {
        if let Err(problem) = know_copy(folder, log) {
            say(format!("warning: {problem}"));
        }
    }
}

/// Opens the copy of a game in a folder if a file names its rules: what lies beside a log by chance is not run.
fn know_copy(folder: &Path, file: &Path) -> Result<(), NotOpened> {
    let copy = folder.join(COPY);
    if !copy.join(MANIFEST).exists() || game_files::is_begun(&copy) {
        return Ok(());
    }
    let files = GameFiles::copy_in(folder).inspect_err(|_| {
        // It is reported once.
        game_files::begin(&copy);
    })?;
    let Some(files) = files.filter(|files| names_rules(file, files)) else { return Ok(()) };
    if !game_files::begin(&copy) {
        return Ok(());
    }
    // Without a supervisor nothing is run, and the command that asks for one says so.
    match Supervisor::from_env(Isolation::Auto) {
        Ok(supervisor) => open_files(files, supervisor).map(drop),
        Err(_) => Ok(()),
    }
}

/// Returns true for a log whose first line has the digest of these rules, and for a plan or settings, which name
/// their game by its name.
fn names_rules(file: &Path, files: &GameFiles) -> bool {
    if file.extension().is_some_and(|ending| ending == "toml") {
        return true;
    }
    let beginning = file::open(file).and_then(|file| file::beginning(file, FIRST_LOOK));
    let digest = files.id().digest.to_string();
    beginning.is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(&digest))
}

fn open_files(files: GameFiles, supervisor: Supervisor) -> Result<GameKind, NotOpened> {
    let failed = |fault| NotOpened::Fault { game: text::printable(files.named_as()), fault };
    let source = files.source(supervisor)?;
    let kind = OwnGame::open(files.id(), source).map_err(failed)?.into_kind();
    kind.make_known();
    game_files::remember(files);
    Ok(kind)
}
