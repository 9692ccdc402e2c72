//! The files of a game of one's own, and the digest that identifies its rules.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use conditions::bot::sources::makes_no_difference;
use rules::own::{CarrierKind, PROTOCOL, RulesId, Source};
use rules::{Digest, GameKind};
use sandbox::{Program, SearchPath, Sight, Supervisor, file};
use sha2::{Digest as _, Sha256};
use text::{printable, system_error};
use thiserror::Error;

use crate::check::RECORDED;
use crate::manifest::{MANIFEST, Manifest, ViewKeys};
use crate::module::ModuleSource;
use crate::program::{ProgramSource, USUAL_HASH_SEED};

/// The name of the folder that holds the copy of a game, in the folder of a tournament or a league.
pub const COPY: &str = "game";

/// The most bytes of a module.
const LONGEST_MODULE: u64 = 16 << 20;

/// The most bytes of all files of a program.
const LONGEST_FILES: u64 = 64 << 20;

/// The most files of a program.
const MOST_FILES: usize = 1_000;

/// The most folders in depth that are looked for files.
const DEEPEST: usize = 16;

/// Folders beside the rules that are not a part of them.
const BESIDE: [&str; 2] = ["bots", RECORDED];

/// The games that were opened, with their files.
static OPENED: RwLock<Vec<GameFiles>> = RwLock::new(Vec::new());

/// A game that cannot be opened; one line.
#[derive(Debug, Error)]
pub enum NotGame {
    /// Nothing has this name.
    #[error(
        "game `{0}` not found, expected a built-in game (`arbiter games` lists them), a folder with a \
         {MANIFEST}, a file NAME.wasm or a command such as \"python3 game.py\""
    )]
    NotFound(String),
    /// The manifest is not as it must be.
    #[error("{MANIFEST} of game `{game}`: {problem}")]
    Manifest {
        /// The game.
        game: String,
        /// The problem.
        problem: String,
    },
    /// A file cannot be read.
    #[error("cannot read `{path}` of the game: {problem}")]
    Unreadable {
        /// The file.
        path: String,
        /// The error of the system.
        problem: String,
    },
    /// The module was not built.
    #[error("`{module}` of game `{game}` is not there; build it: {build}")]
    NotBuilt {
        /// The file.
        module: String,
        /// The game.
        game: String,
        /// The command that builds it.
        build: String,
    },
    /// It is no module of the kind that carries rules.
    #[error("module of game `{game}`: {problem}")]
    Module {
        /// The game.
        game: String,
        /// The problem.
        problem: String,
    },
    /// Its program is not found.
    #[error("game `{game}`: {problem}")]
    Program {
        /// The game.
        game: String,
        /// The problem.
        problem: String,
    },
}

/// The files of a game.
#[derive(Debug, Clone)]
pub struct GameFiles {
    named: String,
    id: RulesId,
    /// The command of a program, with each of its files by its path in the game.
    command: Vec<String>,
    /// Each file by its path in the game, with the place where it lies.
    files: BTreeMap<String, (PathBuf, Digest)>,
    /// The folder of the game, if it is one.
    folder: Option<PathBuf>,
    view: ViewKeys,
}

impl GameFiles {
    /// Reads the files of a game by its folder, its module or its command.
    ///
    /// # Errors
    ///
    /// [`NotGame`]
    pub fn named(named: &str) -> Result<GameFiles, NotGame> {
        let path = Path::new(named);
        if path.is_dir() {
            return GameFiles::of_folder(named, path);
        }
        if path.extension().is_some_and(|ending| ending == "wasm") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            return GameFiles::of_module(named, name, path, None, ViewKeys::default(), None);
        }
        GameFiles::of_command(named)
    }

    /// Reads the copy of a game in the folder of a tournament or a league, if there is one.
    ///
    /// # Errors
    ///
    /// [`NotGame`]
    pub fn copy_in(folder: &Path) -> Result<Option<GameFiles>, NotGame> {
        let copy = folder.join(COPY);
        match copy.join(MANIFEST).exists() {
            true => GameFiles::of_folder(&copy.display().to_string(), &copy).map(Some),
            false => Ok(None),
        }
    }

    /// The files of a game that was opened in this process.
    pub fn of(kind: &GameKind) -> Option<GameFiles> {
        let id = kind.rules_id()?;
        let opened = OPENED.read().unwrap_or_else(PoisonError::into_inner);
        opened.iter().rev().find(|files| files.id == id).cloned()
    }

    /// The identity of its rules.
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

    /// How pages draw a view.
    pub fn view(&self) -> &ViewKeys {
        &self.view
    }

    fn of_folder(named: &str, folder: &Path) -> Result<GameFiles, NotGame> {
        let game = || printable(named);
        let path = folder.join(MANIFEST);
        if !path.exists() {
            return Err(NotGame::NotFound(game()));
        }
        let text =
            file::text(&path, file::LONGEST_TEXT).map_err(|error| unreadable(&path, error))?;
        let wrong = |problem: String| NotGame::Manifest { game: game(), problem };
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
                let words =
                    words.ok_or_else(|| wrong("`command` has no word, or an open quote".into()))?;
                let mut files = BTreeMap::new();
                gather(&folder, "", 0, &mut { LONGEST_FILES }, &mut files)?;
                let command = words.into_iter().map(|word| without_dot(&word)).collect();
                Ok(GameFiles::of_program(named, command, files, Some(folder), view))
            }
            (None, Some(module)) => {
                if Path::new(&module).file_name() != Some(module.as_ref()) {
                    let module = printable(&module);
                    return Err(wrong(format!(
                        "`module` is `{module}`, expected the name of a file in the folder"
                    )));
                }
                let path = folder.join(&module);
                GameFiles::of_module(named, module, &path, build, view, Some(folder))
            }
            (Some(_), Some(_)) | (None, None) => {
                Err(wrong("expected either `command` or `module`".to_owned()))
            }
        }
    }

    fn of_module(
        named: &str,
        name: String,
        path: &Path,
        build: Option<String>,
        view: ViewKeys,
        folder: Option<PathBuf>,
    ) -> Result<GameFiles, NotGame> {
        if let (Some(build), false) = (build, path.exists()) {
            let (module, game) = (printable(&name), printable(named));
            return Err(NotGame::NotBuilt { module, game, build: printable(&build) });
        }
        let path = std::path::absolute(path).map_err(|error| unreadable(path, error))?;
        let bytes = read(&path, LONGEST_MODULE)?;
        let digest = Digest::hash(&bytes);
        let id = RulesId { carrier: CarrierKind::Module, protocol: PROTOCOL, digest };
        let files = BTreeMap::from([(name, (path, digest))]);
        Ok(GameFiles { named: named.to_owned(), id, command: Vec::new(), files, folder, view })
    }

    /// A command: its words that are files are the files of the game, each by its name.
    fn of_command(named: &str) -> Result<GameFiles, NotGame> {
        let not_found = || NotGame::NotFound(printable(named));
        let words = shlex::split(named).filter(|words| !words.is_empty()).ok_or_else(not_found)?;
        let mut files = BTreeMap::new();
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
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let path = std::path::absolute(path).map_err(|error| unreadable(path, error))?;
            let digest = Digest::hash(&read(&path, LONGEST_FILES)?);
            let other = files.insert(name.clone(), (path.clone(), digest));
            if other.is_some_and(|(other, _)| other != path) {
                let problem = format!(
                    "two files are called `{}`, expected different names",
                    printable(&name)
                );
                return Err(NotGame::Program { game: printable(named), problem });
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
        files: BTreeMap<String, (PathBuf, Digest)>,
        folder: Option<PathBuf>,
        view: ViewKeys,
    ) -> GameFiles {
        let mut hasher = Sha256::new();
        // A word is quoted, so that no two lists of words or files have the same text.
        let quoted = |word: &str| format!("{word:?}");
        let words: Vec<String> = command.iter().map(|word| quoted(word)).collect();
        hasher.update(format!("command {}\n", words.join(" ")));
        for (path, (_, digest)) in &files {
            hasher.update(format!("{digest}  {}\n", quoted(path)));
        }
        let digest = Digest(hasher.finalize().into());
        let id = RulesId { carrier: CarrierKind::Program, protocol: PROTOCOL, digest };
        GameFiles { named: named.to_owned(), id, command, files, folder, view }
    }

    /// Returns true if no file has changed since they were read.
    pub(crate) fn are_the_same(&self) -> bool {
        let is_same = |path: &Path, digest: &Digest| {
            read(path, LONGEST_FILES).is_ok_and(|bytes| Digest::hash(&bytes) == *digest)
        };
        self.files.values().all(|(path, digest)| is_same(path, digest))
    }

    /// Writes a copy of the game into the folder of a tournament or a league.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read or written, or has changed meanwhile.
    pub fn write_copy(&self, folder: &Path) -> io::Result<()> {
        let copy = folder.join(COPY);
        for (name, (path, digest)) in &self.files {
            let to = copy.join(name);
            fs::create_dir_all(to.parent().unwrap_or(&copy))?;
            let bytes = read(path, LONGEST_FILES).map_err(io::Error::other)?;
            if Digest::hash(&bytes) != *digest {
                let problem = format!("`{}` of the game has changed", printable(name));
                return Err(io::Error::other(problem));
            }
            fs::write(&to, bytes)?;
            fs::set_permissions(&to, fs::metadata(path)?.permissions())?;
        }
        let (command, module) = match self.id.carrier {
            CarrierKind::Program => {
                let words: Vec<&str> = self.command.iter().map(String::as_str).collect();
                (Some(shlex::try_join(words).map_err(io::Error::other)?), None)
            }
            CarrierKind::Module => (None, self.files.keys().next().cloned()),
        };
        let manifest = Manifest { command, module, build: None, view: self.view.clone() };
        let text = toml::to_string(&manifest).map_err(io::Error::other)?;
        file::replace(&copy.join(MANIFEST), text.as_bytes())
    }

    /// A way to start its rules.
    ///
    /// # Errors
    ///
    /// [`NotGame`]
    pub fn source(&self, supervisor: Supervisor) -> Result<Box<dyn Source>, NotGame> {
        self.source_with(supervisor, USUAL_HASH_SEED)
    }

    /// Likewise with this value of `PYTHONHASHSEED`.
    pub(crate) fn source_with(
        &self,
        supervisor: Supervisor,
        hash_seed: &str,
    ) -> Result<Box<dyn Source>, NotGame> {
        let game = || printable(&self.named);
        match (self.id.carrier, self.files.values().next()) {
            (CarrierKind::Module, Some((path, _))) => {
                let bytes = read(path, LONGEST_MODULE)?;
                if Digest::hash(&bytes) != self.id.digest {
                    let problem = "it has changed since its digest was computed".to_owned();
                    return Err(NotGame::Module { game: game(), problem });
                }
                let source = ModuleSource::new(&bytes);
                let source = source.map_err(|problem| NotGame::Module { game: game(), problem })?;
                Ok(Box::new(source))
            }
            (CarrierKind::Module | CarrierKind::Program, _) => {
                let search = SearchPath::of_this_process(None).map_err(|error| {
                    NotGame::Program { game: game(), problem: system_error(error) }
                })?;
                let located = |word: &String| match self.files.get(word) {
                    Some((path, _)) => path.display().to_string(),
                    None => word.clone(),
                };
                let words: Vec<String> = self.command.iter().map(located).collect();
                let program = Program::resolve(&words, &search).map_err(|error| {
                    NotGame::Program { game: game(), problem: error.to_string() }
                })?;
                let sight = Sight { folder: self.folder.clone(), ..Sight::default() };
                Ok(Box::new(ProgramSource::new(
                    program,
                    sight,
                    supervisor,
                    self.clone(),
                    hash_seed,
                )))
            }
        }
    }
}

/// The copies that this process has begun to open.
static BEGUN: RwLock<Vec<PathBuf>> = RwLock::new(Vec::new());

/// Returns true if this copy was opened before, or could not be.
pub(crate) fn is_begun(copy: &Path) -> bool {
    let copy = copy.canonicalize().unwrap_or_else(|_| copy.to_owned());
    BEGUN.read().unwrap_or_else(PoisonError::into_inner).contains(&copy)
}

/// Notes that this copy is opened now; true if it was not before.
pub(crate) fn begin(copy: &Path) -> bool {
    let copy = copy.canonicalize().unwrap_or_else(|_| copy.to_owned());
    let mut begun = BEGUN.write().unwrap_or_else(PoisonError::into_inner);
    let is_new = !begun.contains(&copy);
    if is_new {
        begun.push(copy);
    }
    is_new
}

/// Remembers the files of a game that was opened.
pub(crate) fn remember(files: GameFiles) {
    let mut opened = OPENED.write().unwrap_or_else(PoisonError::into_inner);
    opened.push(files);
}

/// Collects the files of a program's folder, of no more than this number of bytes together.
fn gather(
    folder: &Path,
    within: &str,
    depth: usize,
    left: &mut u64,
    files: &mut BTreeMap<String, (PathBuf, Digest)>,
) -> Result<(), NotGame> {
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, error))?;
    for entry in entries {
        let entry = entry.map_err(|error| unreadable(folder, error))?;
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
            gather(&path, &format!("{inner}/"), depth + 1, left, files)?;
        } else {
            let bytes = read(&path, *left)?;
            *left -= bytes.len() as u64;
            files.insert(inner, (path.clone(), Digest::hash(&bytes)));
        }
        if files.len() > MOST_FILES {
            let problem = format!("more than {MOST_FILES} files in the folder of the game");
            return Err(unreadable(&path, io::Error::other(problem)));
        }
    }
    Ok(())
}

fn read(path: &Path, most: u64) -> Result<Vec<u8>, NotGame> {
    let read = || {
        let mut bytes = Vec::new();
        file::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
        match bytes.len() as u64 > most {
            true => Err(file::too_long(most)),
            false => Ok(bytes),
        }
    };
    read().map_err(|error| unreadable(path, error))
}

fn unreadable(path: &Path, error: io::Error) -> NotGame {
    let path = printable(&path.display().to_string());
    NotGame::Unreadable { path, problem: system_error(error) }
}

/// Returns true for a program that is installed for more than this game.
fn is_installed(path: &Path) -> bool {
    let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    folder.is_some_and(|name| ["bin", "sbin", "shims"].contains(&name))
}

fn without_dot(word: &str) -> String {
    word.strip_prefix("./").unwrap_or(word).to_owned()
}
