//! Copies of the bots that are folders, which make the folder of a tournament whole.
//!
//! They lie in `bots`, each under the name of its bot, as they were when the tournament began. The folder of a bot is
//! played where it lies, as long as it holds what its copy holds. Once it has changed or is gone, the copy is played:
//! the games are about the bot as it was.

use std::path::{Path, PathBuf};
use std::{fs, io};

use bot::BotSpec;
use bot::copying::{self, FolderBounds, copy, remove};
use bot::manifest::MANIFEST;
use sandbox::file;
use text::failure::Failure;
use text::system_error;
use text::terminal::say;

use crate::tournament::folder::{TournamentFolder, TournamentFolders, is_laid_out, shown};
use crate::tournament::plan::{Plan, PlannedBot};
use crate::tournament::sharded;

/// Folder of the copies, in that of the tournament.
const BOTS: &str = "bots";
/// That folder until all copies are in it.
const UNFINISHED: &str = ".new-bots";
/// Bounds of all copies of a tournament together.
const BOUNDS: FolderBounds = FolderBounds { entries: 50_000, bytes: 1 << 30 };

/// Copies the bots that are folders into the folder of a new tournament. Returns why bots have no copy, a line each.
///
/// # Errors
///
/// Fails if the folder of all copies cannot be written; then there are none.
pub fn make(folder: &TournamentFolder, entries: &[PlannedBot]) -> io::Result<Vec<String>> {
    let unfinished = folder.path().join(UNFINISHED);
    remove(&unfinished)?;
    let mut left = BOUNDS;
    let (mut missing, mut made) = (Vec::new(), 0);
    for entry in entries {
        let Some(own) = entry.bot.folder() else { continue };
        if made == 0 {
            file::private_folder().recursive(true).create(&unfinished)?;
        }
        let place = unfinished.join(&entry.name);
        match copy(&own.path, &place, left) {
            Ok(FolderBounds { entries, bytes }) => {
                made += 1;
                left.entries = left.entries.saturating_sub(entries);
                left.bytes = left.bytes.saturating_sub(bytes);
            }
            Err(why) => {
                remove(&place)?;
                let name = &entry.name;
                missing.push(format!(
                    "cannot copy bot `{name}`: {why}; use `--no-copies` to play from the original folders"
                ));
            }
        }
    }
    match made {
        0 => remove(&unfinished)?,
        _ => fs::rename(&unfinished, folder.path().join(BOTS))?,
    }
    Ok(missing)
}

/// Returns the copy of a bot for the tournament, the extension or the shard in this folder, if there is one.
pub fn copy_of(path: &Path, name: &str) -> Option<PathBuf> {
    let whole = sharded::whole_of(path).unwrap_or_else(|| path.to_owned());
    let parts = TournamentFolders::find(&whole).all();
    // A folder of bots beside another log is nothing of ours.
    let parts = parts.iter().rev().filter(|part| is_laid_out(part));
    parts.map(|part| part.join(BOTS).join(name)).find(|copy| is_bot(copy))
}

fn is_bot(copy: &Path) -> bool {
    fs::symlink_metadata(copy.join(MANIFEST)).is_ok()
}

/// Returns true if a program was killed while it made the copies for this folder, before it played a game.
pub fn are_unfinished(path: &Path) -> bool {
    path.join(UNFINISHED).is_dir()
}

/// Returns true if the tournament in this folder has copies of bots.
pub fn are_made(path: &Path) -> bool {
    path.join(BOTS).is_dir()
}

/// Opens the bots of a tournament that goes on in this folder: those that are folders where they lie, or their
/// copies if they have changed or are gone.
pub fn opened(plan: Plan, path: &Path) -> Result<Plan, Failure> {
    plan.opened_by(&|entry| opened_bot(entry.bot.clone(), &entry.name, path))
}

/// Opens one bot in the same way.
pub fn opened_bot(bot: BotSpec, name: &str, path: &Path) -> Result<BotSpec, Failure> {
    let copy = copy_of(path, name).filter(|copy| !is_same(&bot, copy));
    match copy.as_deref().and_then(Path::to_str) {
        Some(copy) => {
            say(format!(
                "note: bot `{name}` plays from its copy in `{}`: the original has changed or is \
                 missing",
                shown(Path::new(copy))
            ));
            bot.opened_at(copy)
        }
        None => bot.opened(),
    }
}

/// Returns true if the folder of a bot holds what its copy holds.
fn is_same(bot: &BotSpec, copy: &Path) -> bool {
    let digest = |folder: &Path| copying::digest(folder, FolderBounds::DEFAULT).ok();
    let own = bot.words().first().map(Path::new).filter(|own| is_bot(own)).and_then(digest);
    own.is_some() && own == digest(copy)
}

/// Returns the words about a folder of copies that cannot be written.
pub fn unwritten(folder: &TournamentFolder, error: &io::Error) -> String {
    let path = shown(&folder.path().join(BOTS));
    format!(
        "cannot write `{path}`: {}; use `--no-copies` to play from the original folders",
        system_error(error)
    )
}
