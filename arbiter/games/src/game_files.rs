//! The files of a custom game, and the digest that identifies its rules.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use std::{fs, io};

use bot::build_record::makes_no_difference;
use rules::custom::{CustomRulesKind, PROTOCOL, RulesId};
use rules::{Digest, GameKind};
use sandbox::file;
use sandbox::new_file::{self, NewFolder};
use sha2::{Digest as _, Sha256};
use text::printable;

use crate::contents::{
    GameFile, GameOpenError, GameRoot, MANIFEST, Manifest, ViewKeys, unreadable,
};

/// The name of the folder that holds the copy of a game, in the folder of a tournament or a league.
pub const COPY: &str = "game";

/// The name of the folder that holds the later rules of a league, a folder for each by their digest.
pub const LATER: &str = "rules";

/// The most bytes of a module.
const LONGEST_MODULE: u64 = 16 << 20;

/// The most bytes of all files of a program.
const LONGEST_FILES: u64 = 64 << 20;

/// The most files of a program.
const MOST_FILES: usize = 1_000;

/// The most folders in depth that are looked for files.
const DEEPEST: usize = 16;

/// The folder of recorded games, beside the rules.
pub(crate) const RECORDED: &str = "recorded";

/// Folders beside the rules that are not a part of them.
const BESIDE: [&str; 2] = ["bots", RECORDED];

/// The games that were opened, with their files.
static OPENED: RwLock<Vec<GameFiles>> = RwLock::new(Vec::new());

type Contents = BTreeMap<String, GameFile>;

/// The files of a game, as they were when they were read.
#[derive(Debug, Clone)]
pub struct GameFiles {
    named: String,
    id: RulesId,
    /// The command of a program, with each of its files by its path in the game.
    command: Vec<String>,
    /// Each file by its path in the game.
    files: Contents,
    /// The folder of the game, if it is one.
    folder: Option<PathBuf>,
    view: ViewKeys,
}

impl GameFiles {
    /// Reads the files of a game by its folder, its module or its command.
    pub fn named(named: &str) -> Result<GameFiles, GameOpenError> {
        let path = Path::new(named);
        if path.is_dir() {
            return GameFiles::of_folder(named, path);
        }
        if path.extension().is_some_and(|ending| ending == "wasm") {
            let (around, name) = GameRoot::of_file(path)?;
            return GameFiles::of_module(named, name, &around, None, ViewKeys::default(), None);
        }
        GameFiles::of_command(named)
    }

    /// Reads the copy of a game in the folder of a tournament or a league, if there is one.
    pub fn copy_in(folder: &Path) -> Result<Option<GameFiles>, GameOpenError> {
        GameFiles::read_copy(&folder.join(COPY))
    }

    /// Reads a copy of a game, if there is one at this path.
    pub(crate) fn read_copy(copy: &Path) -> Result<Option<GameFiles>, GameOpenError> {
        match copy.join(MANIFEST).exists() {
            true => GameFiles::of_folder(&copy.display().to_string(), copy).map(Some),
            false => Ok(None),
        }
    }

    /// The files of a game that was opened in this process.
    pub fn for_game(kind: &GameKind) -> Option<GameFiles> {
        let id = kind.rules_id()?;
        let opened = OPENED.read().unwrap_or_else(PoisonError::into_inner);
        opened.iter().rev().find(|files| files.id == id).cloned()
    }

    pub fn id(&self) -> RulesId {
        self.id
    }

    /// The game as its user named it.
    pub fn named_as(&self) -> &str {
        &self.named
    }

    /// The folder of the game, if it is one.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    pub fn view(&self) -> &ViewKeys {
        &self.view
    }

    /// The contents of its only file, if it is a module.
    pub(crate) fn module(&self) -> Option<&GameFile> {
        let is_module = self.id.carrier == CustomRulesKind::Module;
        self.files.values().next().filter(|_| is_module)
    }

    /// The words of the command of a program.
    pub(crate) fn command(&self) -> &[String] {
        &self.command
    }

    /// Each file with its path in the game.
    pub(crate) fn contents(&self) -> impl Iterator<Item = (&String, &GameFile)> {
        self.files.iter()
    }

    /// Returns true if a word is the path of a file in the game.
    pub(crate) fn holds(&self, word: &str) -> bool {
        self.files.contains_key(word)
    }

    fn of_folder(named: &str, folder: &Path) -> Result<GameFiles, GameOpenError> {
        let game = || printable(named);
        let path = folder.join(MANIFEST);
        if !path.exists() {
            return Err(GameOpenError::not_found(&game()));
        }
        let within = GameRoot::folder(folder)?;
        let text = within.text(MANIFEST, file::LONGEST_TEXT)?;
        let wrong = |problem: String| {
            GameOpenError::Other(format!("{MANIFEST} of game `{}`: {problem}", game()))
        };
        let manifest: Manifest = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| {
                text.get(..span.start).unwrap_or_default().matches('\n').count() + 1
            });
            wrong(format!("line {line}: {}", printable(error.message())))
        })?;
        let Manifest { command, module, build, view } = manifest;
        let folder = std::path::absolute(folder).map_err(|error| unreadable(folder, error))?;
        match (command, module) {
            (Some(command), None) => {
                let words = shlex::split(&command).filter(|words| !words.is_empty());
                let words = words
                    .ok_or_else(|| wrong("`command`: empty command or unclosed quote".into()))?;
                let mut files = BTreeMap::new();
                gather(&within, "", 0, &mut { LONGEST_FILES }, &mut files)?;
                let command = words.into_iter().map(|word| without_dot(&word)).collect();
                Ok(GameFiles::of_program(named, command, files, Some(folder), view))
            }
            (None, Some(module)) => {
                if Path::new(&module).file_name() != Some(module.as_ref()) {
                    let module = printable(&module);
                    return Err(wrong(format!("`module = {module}` must be a file in the folder")));
                }
                GameFiles::of_module(named, module, &within, build, view, Some(folder))
            }
            (Some(_), Some(_)) | (None, None) => {
                Err(wrong("set either `command` or `module`".to_owned()))
            }
        }
    }

    fn of_module(
        named: &str,
        name: String,
        within: &GameRoot,
        build: Option<String>,
        view: ViewKeys,
        folder: Option<PathBuf>,
    ) -> Result<GameFiles, GameOpenError> {
        if let (Some(build), false) = (build, within.path(&name).exists()) {
            let (module, game) = (printable(&name), printable(named));
            let build = printable(&build);
            let problem = format!("game `{game}`: `{module}` not built: run {build}");
            return Err(GameOpenError::Other(problem));
        }
        let content = within.read(&name, LONGEST_MODULE)?;
        let digest = content.digest;
        let id = RulesId { carrier: CustomRulesKind::Module, protocol: PROTOCOL, digest };
        let files = Contents::from([(name, content)]);
        Ok(GameFiles { named: named.to_owned(), id, command: Vec::new(), files, folder, view })
    }

    /// A command: its words that are files are the files of the game, each by its name.
    fn of_command(named: &str) -> Result<GameFiles, GameOpenError> {
        let not_found = || GameOpenError::not_found(&printable(named));
        let words = shlex::split(named).filter(|words| !words.is_empty()).ok_or_else(not_found)?;
        let mut files = Contents::new();
        let mut read = BTreeMap::new();
        let mut command = Vec::new();
        for (place, word) in words.into_iter().enumerate() {
            let path = Path::new(&word);
            let is_own = match place {
                0 => word.contains('/') && path.is_file() && !is_installed(path),
                _ => path.is_file(),
            };
            if !is_own {
                command.push(word);
                continue;
            }
            let (around, name) = GameRoot::of_file(path)?;
            files.insert(name.clone(), around.read(&name, LONGEST_FILES)?);
            let path = around.path(&name);
            if read.insert(name.clone(), path.clone()).is_some_and(|other| other != path) {
                let problem = format!("two files are named `{}`", printable(&name));
                let game = printable(named);
                return Err(GameOpenError::Other(format!("game `{game}`: {problem}")));
            }
            command.push(name);
        }
        match files.is_empty() {
            true => Err(not_found()),
            false => Ok(GameFiles::of_program(named, command, files, None, ViewKeys::default())),
        }
    }

    fn of_program(
        named: &str,
        command: Vec<String>,
        files: Contents,
        folder: Option<PathBuf>,
        view: ViewKeys,
    ) -> GameFiles {
        let mut hasher = Sha256::new();
        // A word is quoted, so that no two lists of words or files have the same text.
        let quoted = |word: &str| format!("{word:?}");
        let words: Vec<String> = command.iter().map(|word| quoted(word)).collect();
        hasher.update(format!("command {}\n", words.join(" ")));
        for (path, GameFile { digest, .. }) in &files {
            hasher.update(format!("{digest}  {}\n", quoted(path)));
        }
        let digest = Digest(hasher.finalize().into());
        let id = RulesId { carrier: CustomRulesKind::Program, protocol: PROTOCOL, digest };
        GameFiles { named: named.to_owned(), id, command, files, folder, view }
    }

    /// Writes a copy of the game into the folder of a tournament or a league.
    pub fn write_copy(&self, folder: &Path) -> io::Result<()> {
        self.write_to(&folder.join(COPY))
    }

    /// Writes a copy of the game as the later rules of a league, under their digest. It is there as a whole or not at
    /// all, and stays if it was there. One program at a time may do this.
    pub fn write_later_copy(&self, folder: &Path) -> io::Result<()> {
        let copy = folder.join(LATER).join(self.id.digest.to_string());
        if GameFiles::read_copy(&copy).is_ok_and(|found| found.is_some_and(|it| it.id == self.id)) {
            return Ok(());
        }
        // Its files were changed, or a backup has only some of them.
        remove(&copy)?;
        file::private_folder().recursive(true).create(folder.join(LATER))?;
        let new = NewFolder::create_at(&copy)?;
        self.write_to(&new.path())?;
        if cfg!(unix) {
            // A line of the log will say that they are there.
            let mut files = self.files.keys().map(|name| fs::File::open(new.path().join(name)));
            files.try_for_each(|file| file?.sync_all())?;
        }
        new.publish(MANIFEST)
    }

    fn write_to(&self, copy: &Path) -> io::Result<()> {
        for (name, content) in &self.files {
            let to = copy.join(name);
            make_folders(copy, to.parent().unwrap_or(copy))?;
            content.write(&to)?;
        }
        let (command, module) = match self.id.carrier {
            CustomRulesKind::Program => {
                let words: Vec<&str> = self.command.iter().map(String::as_str).collect();
                (Some(shlex::try_join(words).map_err(io::Error::other)?), None)
            }
            CustomRulesKind::Module => (None, self.files.keys().next().cloned()),
        };
        let manifest = Manifest { command, module, build: None, view: self.view.clone() };
        let text = toml::to_string(&manifest).map_err(io::Error::other)?;
        make_folders(copy, copy)?;
        new_file::replace(&copy.join(MANIFEST), text.as_bytes())?;
        let written = GameFiles::read_copy(copy).map_err(io::Error::other)?;
        match written.is_some_and(|written| written.id == self.id) {
            true => Ok(()),
            false => {
                let copy = printable(&copy.display().to_string());
                Err(io::Error::other(format!(
                    "`{copy}` holds the files of different rules: remove it"
                )))
            }
        }
    }
}

/// A copy of a game that takes the place of the one before in a folder, which stays until then.
#[derive(Debug)]
pub struct ReplacementCopy {
    place: PathBuf,
    /// None for a built-in game, which needs no copy.
    new: Option<NewFolder>,
}

impl ReplacementCopy {
    /// Writes a copy of a game beside the one before.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn write(kind: &GameKind, folder: &Path) -> io::Result<ReplacementCopy> {
        let write = |game: GameFiles| {
            let new = NewFolder::inside(folder)?;
            game.write_to(&new.path().join(COPY))?;
            io::Result::Ok(new)
        };
        let new = GameFiles::for_game(kind).map(write).transpose()?;
        Ok(ReplacementCopy { place: folder.join(COPY), new })
    }

    /// Puts it in the place of the one before.
    ///
    /// # Errors
    ///
    /// Fails if the one before cannot be removed.
    pub fn install(self) -> io::Result<()> {
        remove(&self.place)?;
        self.new.map_or(Ok(()), |new| new.publish(COPY))
    }
}

/// Removes a folder, if it is there.
fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// The copies that this process has begun to open, with the digests of their rules once these are open.
static BEGUN: RwLock<BTreeMap<PathBuf, Option<Digest>>> = RwLock::new(BTreeMap::new());

fn same_path(copy: &Path) -> PathBuf {
    copy.canonicalize().unwrap_or_else(|_| copy.to_owned())
}

/// Returns true if this copy was opened before, or could not be.
pub(crate) fn is_begun(copy: &Path) -> bool {
    BEGUN.read().unwrap_or_else(PoisonError::into_inner).contains_key(&same_path(copy))
}

/// Returns the digest of the rules of a copy that this process has opened.
pub(crate) fn opened_at(copy: &Path) -> Option<Digest> {
    let begun = BEGUN.read().unwrap_or_else(PoisonError::into_inner);
    begun.get(&same_path(copy)).copied().flatten()
}

/// Notes that this copy is opened now; true if it was not before.
pub(crate) fn begin(copy: &Path) -> bool {
    let mut begun = BEGUN.write().unwrap_or_else(PoisonError::into_inner);
    let is_new = !begun.contains_key(&same_path(copy));
    if is_new {
        begun.insert(same_path(copy), None);
    }
    is_new
}

/// Notes that the rules of a copy are open now.
pub(crate) fn note_opened(copy: &Path, rules: Digest) {
    BEGUN.write().unwrap_or_else(PoisonError::into_inner).insert(same_path(copy), Some(rules));
}

pub(crate) fn remember(files: GameFiles) {
    let mut opened = OPENED.write().unwrap_or_else(PoisonError::into_inner);
    opened.push(files);
}

/// Collects the files of a program's folder, of no more than this number of bytes together.
fn gather(
    folder: &GameRoot,
    within: &str,
    depth: usize,
    left: &mut u64,
    files: &mut Contents,
) -> Result<(), GameOpenError> {
    for entry in folder.entries(within)? {
        let entry = entry.map_err(|error| unreadable(&folder.path(within), error))?;
        let path = entry.path();
        let kind = entry.file_type().map_err(|error| unreadable(&path, error))?;
        let Ok(name) = entry.file_name().into_string() else {
            return Err(unreadable(&path, io::Error::other("its name is not UTF-8")));
        };
        let is_beside = depth == 0
            && (name == MANIFEST || name.ends_with(".md") || BESIDE.contains(&name.as_str()));
        if is_beside || name.starts_with('.') || makes_no_difference(&name) {
            continue;
        }
        let inner = format!("{within}{name}");
        if kind.is_dir() {
            if depth == DEEPEST {
                return Err(unreadable(&path, io::Error::other("folders too deep within folders")));
            }
            gather(folder, &format!("{inner}/"), depth + 1, left, files)?;
        } else {
            let content = folder.read(&inner, *left)?;
            *left -= content.bytes.len() as u64;
            files.insert(inner, content);
        }
        if files.len() > MOST_FILES {
            let problem = format!("more than {MOST_FILES} files in the folder of the game");
            return Err(unreadable(&path, io::Error::other(problem)));
        }
    }
    Ok(())
}

/// Makes a folder in the copy of a game, or the copy, where no link lies in the place of one.
fn make_folders(copy: &Path, folder: &Path) -> io::Result<()> {
    let inner = folder.strip_prefix(copy).unwrap_or(Path::new(""));
    let mut at = copy.to_owned();
    for part in std::iter::once(None).chain(inner.iter().map(Some)) {
        at.extend(part);
        match fs::symlink_metadata(&at) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => {
                let shown = printable(&at.display().to_string());
                return Err(io::Error::other(format!("`{shown}` is not a folder: remove it")));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir_all(&at)?,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Returns true for a program that is installed for more than this game.
fn is_installed(path: &Path) -> bool {
    let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    folder.is_some_and(|name| ["bin", "sbin", "shims"].contains(&name))
}

fn without_dot(word: &str) -> String {
    word.strip_prefix("./").unwrap_or(word).to_owned()
}

impl GameFiles {
    /// The names of the recorded games, in order.
    pub fn recorded(&self) -> Result<Vec<String>, GameOpenError> {
        let Some(folder) = self.folder() else { return Ok(Vec::new()) };
        if folder.join(RECORDED).symlink_metadata().is_err() {
            return Ok(Vec::new());
        }
        let entries = GameRoot::folder(folder)?.entries(RECORDED)?.flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".txt")).collect();
        names.sort();
        Ok(names)
    }

    pub fn read_recorded(&self, name: &str) -> Result<String, GameOpenError> {
        let folder = self.folder().ok_or_else(|| GameOpenError::not_found(self.named_as()))?;
        GameRoot::folder(folder)?.text(&format!("{RECORDED}/{name}"), file::LONGEST_TEXT)
    }
}
