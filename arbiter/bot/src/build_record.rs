//! The files that are part of a bot, and whether a source is newer than the program that plays.
//!
//! Times are not enough to tell: a build tool does not touch a program that is up to date, and a
//! copied folder has the times of the copying. So a build records the digests of the files in the
//! folder before it, and of the files it built ([`RECORD`]). As long as the program is the one in
//! the record, a source with another digest is newer. The times decide only if there is no record,
//! or someone has built another program since.
//!
//! A bot may be a stranger's, and read the record or write another one. So nothing outside of the folder
//! to which a path or a link leads is opened, and nothing is written down of it, nor of what is kept from bots.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rules::Digest;
use serde::{Deserialize, Serialize};

use crate::fingerprint::digest_of;
use crate::grants::real;
use crate::manifest::{BotFolder, MANIFEST};
use sandbox::file::{self, LONGEST_TEXT};
use sandbox::new_file;

/// File that a build leaves in the folder of a bot.
pub const RECORD: &str = ".arbiter-build.json";

/// The most entries of a folder, with those in it, to look at.
const MOST_ENTRIES: usize = 4096;
/// The most folders in depth to look into.
const DEEPEST: usize = 8;
/// The longest source, in bytes; what is longer is data.
const LONGEST_SOURCE: u64 = 8 << 20;
/// Bytes of a file that tell whether it is a text.
const LOOK: u64 = 8 << 10;
/// The coarsest tick of a file system's clock, within which no order can be told.
const TICK: Duration = Duration::from_secs(2);

/// Folders of what tools make or fetch.
const NO_SOURCE_FOLDERS: [&str; 4] = ["__pycache__", "node_modules", "target", "venv"];
/// Endings of the names of texts that nothing is built of.
const NO_SOURCE_ENDINGS: [&str; 12] =
    [".log", ".jsonl", ".md", ".txt", ".out", ".err", ".tmp", ".bak", ".orig", ".rej", ".pid", "~"];
/// Beginnings of such names.
const NO_SOURCE_BEGINNINGS: [&str; 4] = [".", "README", "LICENSE", "COPYING"];
/// A source whose name looks as if it were none.
const SOURCE_ALL_THE_SAME: &str = "CMakeLists.txt";

/// A file as it was at some time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileState {
    bytes: u64,
    /// When it was changed, in nanoseconds since 1970.
    modified: u64,
    sha256: Digest,
}

/// Files by their paths from the folder of the bot.
type FileMarks = BTreeMap<String, FileState>;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BuildRecord {
    build: Vec<String>,
    sources: FileMarks,
    made: FileMarks,
}

/// State of the folder of a bot before it is built.
#[derive(Debug)]
pub struct FolderBeforeBuild {
    sources: FileMarks,
    former: Option<BuildRecord>,
}

/// The first source of a bot, by name, that is newer than the program built from it.
///
/// There is no warning about a bot that needs no build or was never built.
pub fn newer_source(folder: &BotFolder) -> Option<String> {
    let build = folder.manifest.build.as_ref()?.words();
    let programs = programs(folder);
    match read_record(folder) {
        Some(record) if record.is_of(folder, &programs) => match record.build == build {
            true => record.changed_source(folder, &programs),
            false => Some(MANIFEST.to_owned()),
        },
        Some(record) => later_than(folder, &programs, record.sources.into_keys()),
        None => {
            let sources = sources(folder).into_keys().filter(|path| !programs.contains(path));
            later_than(folder, &programs, sources)
        }
    }
}

impl FolderBeforeBuild {
    /// Looks at a folder that is about to be built.
    ///
    /// Files kept from bots are no sources.
    pub fn build(folder: &BotFolder, kept: &[PathBuf]) -> FolderBeforeBuild {
        let mut sources = sources(folder);
        let own = real(&folder.path);
        let kept = kept.iter().map(|path| real(path)).filter(|path| !own.starts_with(path));
        let kept: Vec<PathBuf> = kept.collect();
        sources.retain(|path, _| {
            let path = real(&folder.path.join(path));
            !kept.iter().any(|kept| path.starts_with(kept))
        });
        FolderBeforeBuild { sources, former: read_record(folder) }
    }

    /// Writes down what has become of it.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written; then times decide.
    pub fn record(self, folder: &BotFolder) -> io::Result<()> {
        let Some(build) = &folder.manifest.build else { return Ok(()) };
        let programs = programs(folder);
        let former = self.former.as_ref();
        let is_made = |path: &String, mark: &FileState| {
            programs.contains(path)
                || match former {
                    Some(former) if former.made.contains_key(path) => true,
                    // One that was edited during the build is a source anyway.
                    Some(former) if former.sources.contains_key(path) => false,
                    Some(_) | None => !is_untouched(folder, path, mark),
                }
        };
        let (made, sources): (FileMarks, FileMarks) =
            self.sources.into_iter().partition(|(path, mark)| is_made(path, mark));
        let made = programs.into_iter().chain(made.into_keys());
        let made = made.filter(|path| folder.holds(path));
        let made =
            made.filter_map(|path| Some((path.clone(), FileState::read(&folder.path.join(path))?)));
        let record = BuildRecord { build: build.words().to_vec(), sources, made: made.collect() };
        let mut file = new_file::file_in(&folder.path)?;
        file.write_all(serde_json::to_string(&record)?.as_bytes())?;
        file.persist(folder.path.join(RECORD)).map_err(|error| error.error)?;
        Ok(())
    }
}

impl BuildRecord {
    /// Returns true if the programs of the bot are those that this build has made.
    fn is_of(&self, folder: &BotFolder, programs: &[String]) -> bool {
        let is_same = |path: &String| {
            self.made.get(path).is_some_and(|mark| mark.is_still(&folder.path.join(path)))
        };
        match programs {
            [] => self.made.keys().all(is_same),
            programs => programs.iter().all(is_same),
        }
    }

    fn changed_source(&self, folder: &BotFolder, programs: &[String]) -> Option<String> {
        let path_of = |path: &String| folder.path.join(path);
        // Someone may have rebuilt the program by hand, from sources that differ in nothing that counts.
        let made_again = programs
            .iter()
            .filter_map(|path| {
                let modified = modified(&path_of(path))?;
                (modified != self.made.get(path)?.modified).then_some(modified)
            })
            .max();
        let is_newer = |(path, mark): &(&String, &FileState)| {
            let path = path_of(path);
            let is_before = |again| modified(&path).is_some_and(|source| source <= again);
            path.is_file() && !mark.is_still(&path) && !made_again.is_some_and(is_before)
        };
        self.sources.iter().find(is_newer).map(|(path, _)| path.clone())
    }
}

impl FileState {
    fn read(path: &Path) -> Option<FileState> {
        let found = fs::metadata(path).ok()?;
        let sha256 = digest_of(path).ok()?;
        Some(FileState { bytes: found.len(), modified: modified_of(&found)?, sha256 })
    }

    /// Returns true if a file is what it was; its content is read only if its time is another one.
    fn is_still(&self, path: &Path) -> bool {
        let Ok(found) = fs::metadata(path) else { return false };
        found.len() == self.bytes
            && (modified_of(&found) == Some(self.modified)
                || digest_of(path).is_ok_and(|sha256| sha256 == self.sha256))
    }
}

fn is_untouched(folder: &BotFolder, path: &str, mark: &FileState) -> bool {
    fs::metadata(folder.path.join(path))
        .is_ok_and(|found| found.len() == mark.bytes && modified_of(&found) == Some(mark.modified))
}

/// The first of these files that was changed after all programs were made.
fn later_than(
    folder: &BotFolder,
    programs: &[String],
    mut sources: impl Iterator<Item = String>,
) -> Option<String> {
    let made = programs.iter().filter_map(|path| modified(&folder.path.join(path))).max()?;
    let made = made.saturating_add(u64::try_from(TICK.as_nanos()).unwrap_or(u64::MAX));
    sources.find(|path| modified(&folder.path.join(path)).is_some_and(|time| time > made))
}

/// The files of the folder that the command of the bot names, by their paths from there.
fn programs(folder: &BotFolder) -> Vec<String> {
    let words = folder.manifest.command.words().iter().map(|word| {
        let own = Path::new(word).strip_prefix(&folder.path);
        let word = own.ok().and_then(Path::to_str).unwrap_or(word);
        word.strip_prefix("./").unwrap_or(word).to_owned()
    });
    let is_own = |word: &String| {
        !word.is_empty()
            && !Path::new(word).is_absolute()
            && folder.path.join(word).is_file()
            && folder.holds(word)
    };
    words.filter(is_own).collect()
}

/// The texts in a folder that something can be built of.
fn sources(folder: &BotFolder) -> FileMarks {
    let mut found = FileMarks::new();
    let mut left = vec![(PathBuf::new(), DEEPEST)];
    let mut entries = 0;
    while let Some((below, depth)) = left.pop() {
        for entry in fs::read_dir(folder.path.join(&below)).into_iter().flatten().flatten() {
            entries += 1;
            if entries > MOST_ENTRIES {
                return found;
            }
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = below.join(&name);
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder && depth > 0 && is_source_folder(&name) {
                left.push((path, depth - 1));
            } else if !is_folder
                && is_source(&name)
                && let Some(path) = path.to_str()
                && folder.holds(path)
                && let Some(mark) = text_mark(&folder.path.join(path))
            {
                found.insert(path.to_owned(), mark);
            }
        }
    }
    found
}

fn is_source_folder(name: &str) -> bool {
    !name.starts_with('.') && !NO_SOURCE_FOLDERS.contains(&name)
}

fn is_source(name: &str) -> bool {
    let is_none = name == MANIFEST
        || NO_SOURCE_BEGINNINGS.iter().any(|it| name.starts_with(it))
        || NO_SOURCE_ENDINGS.iter().any(|it| name.ends_with(it));
    name == SOURCE_ALL_THE_SAME || !is_none
}

/// The mark of a file, if it is a text and not too long for a source.
fn text_mark(path: &Path) -> Option<FileState> {
    let file = file::open(path).ok()?;
    let modified = modified_of(&file.metadata().ok()?)?;
    let mut text = Vec::new();
    (&file).take(LOOK).read_to_end(&mut text).ok()?;
    // Most files that are none end here, however long they are.
    if text.contains(&0) {
        return None;
    }
    file.take(LONGEST_SOURCE + 1 - LOOK).read_to_end(&mut text).ok()?;
    let bytes = text.len() as u64;
    (bytes <= LONGEST_SOURCE).then(|| FileState { bytes, modified, sha256: Digest::hash(&text) })
}

fn modified(path: &Path) -> Option<u64> {
    modified_of(&fs::metadata(path).ok()?)
}

fn modified_of(found: &Metadata) -> Option<u64> {
    let since = found.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    u64::try_from(since.as_nanos()).ok()
}

/// The record of the last build, if it can be read.
fn read_record(folder: &BotFolder) -> Option<BuildRecord> {
    if !folder.holds(RECORD) {
        return None;
    }
    let text = file::text(&folder.path.join(RECORD), LONGEST_TEXT).ok()?;
    let mut record: BuildRecord = serde_json::from_str(&text).ok()?;
    // A build may have written anything, also paths that lead out of the folder.
    for marks in [&mut record.sources, &mut record.made] {
        marks.retain(|path, _| folder.holds(path) || !folder.path.join(path).exists());
    }
    Some(record)
}

/// Names of files and folders that are left out wherever they lie.
const NAMES: [&str; 9] = [
    // Histories of sources.
    ".git",
    ".hg",
    ".svn",
    // Notes of desktops about a folder.
    ".DS_Store",
    "__MACOSX",
    "Thumbs.db",
    "desktop.ini",
    // Folders of editors.
    ".idea",
    ".vscode",
];

/// Beginnings and endings of names that are left out: notes of a Mac, and files that editors keep
/// beside an open one.
const AFFIXES: [(&str, &str); 6] =
    [("._", ""), (".#", ""), ("#", "#"), ("", "~"), (".", ".swp"), (".", ".swo")];

/// Folders that Python and its tools make of sources. A bot that has them starts faster, but it is
/// no other bot.
const CACHES: [&str; 5] =
    ["__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".ipynb_checkpoints"];

/// Returns true if a file or folder with this name is left out of copies of a bot's folder.
pub fn is_left_out(name: &str) -> bool {
    let fits = |(begin, end): &(&str, &str)| {
        name.len() > begin.len() + end.len() && name.starts_with(begin) && name.ends_with(end)
    };
    NAMES.contains(&name) || AFFIXES.iter().any(fits)
}

/// Returns true if a file or folder with this name makes no difference between two versions of a bot.
pub fn makes_no_difference(name: &str) -> bool {
    is_left_out(name) || CACHES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_editors_and_desktops_leave_is_no_part_of_a_bot() {
        for name in [".git", ".DS_Store", "._bot.py", ".bot.py.swp", "bot.py~", "#bot#"] {
            assert!(is_left_out(name) && makes_no_difference(name), "{name}");
        }
        for name in ["bot.py", ".env", "~", "#", "swp", "git", "bot.swp.py", ".venv", "bot.swp"] {
            assert!(!is_left_out(name) && !makes_no_difference(name), "{name}");
        }
        assert!(!is_left_out("__pycache__") && makes_no_difference("__pycache__"));
    }
}
