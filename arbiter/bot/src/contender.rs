//! A bot that can be started: its program was found, and its files were digested.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use rules::{Dialect, built_in};
use sandbox::launchers::LAUNCHERS;
use sandbox::{AllowedPath, AllowedPaths, Limits, Program, ResolveError, SearchPath, ViewRules};
use text::{shell, system_error};
use thiserror::Error;

use crate::advice::Pitfalls;
use crate::fingerprint::{FileDigest, FileFingerprint};
use crate::grants::{Grants, OutsideAccess, absolute};
use crate::launch_target::{self, REMOTE, RemoteEndpoint};
use crate::manifest::{BotFolder, CommandPathError, MANIFEST, ProgramMode};
use crate::shim::InterpreterShim;
use crate::spec::{BotSpec, display_word};

/// A bot that is ready to be started, as often as there are moves.
#[derive(Debug, Clone)]
pub struct Contender {
    /// Its name, unique in the match.
    pub name: String,
    /// Its command, as it was typed.
    pub command: String,
    pub location: Location,
    /// The interpreter that the command starts, such as `python`, if it starts one.
    pub kind: Option<&'static str>,
    /// The files in the command, as they are before the first game.
    pub files: Vec<FileFingerprint>,
    /// The interpreters that the program's first line names, which no log lists.
    pub interpreters: Vec<FileFingerprint>,
    pub dialect: Dialect,
    pub mode: ProgramMode,
    /// True if it says that its answers depend on earlier requests.
    pub remembers: bool,
    /// Limits of each of its answers.
    pub limits: Limits,
    /// Files that its programs may see besides what they need.
    pub sight: ViewRules,
    pub pitfalls: Pitfalls,
}

#[derive(Debug, Clone)]
pub enum Location {
    /// On this machine, as this program.
    Here(Program),
    /// On the machine of its author.
    Remote(RemoteEndpoint),
}

/// The variable that would change the order of Python's sets from start to start, and its value for all bots and
/// custom games. Any program may start an interpreter, so all of them get it.
pub const HASH_SEED: (&str, &str) = ("PYTHONHASHSEED", "0");

fn same_hashes() -> (OsString, OsString) {
    let (name, value) = HASH_SEED;
    (name.into(), value.into())
}

/// Why a bot cannot be made ready.
#[derive(Debug, Error)]
pub enum ContenderError {
    #[error(transparent)]
    Program(#[from] ResolveError),
    #[error("`{word}`, the command in {MANIFEST}, not found in `{folder}`")]
    NotThere { word: String, folder: String },
    #[error("`{word}` not found in `{folder}`: run `arbiter build {typed}` first")]
    NotBuilt { word: String, folder: String, typed: String },
    #[error("script `{script}` not found: paths are relative to {folder}")]
    NoScript { script: String, folder: String },
    #[error("cannot read `{word}`: {}", system_error(source))]
    Unreadable { word: String, source: std::io::Error },
    #[error("{0}")]
    Other(String),
}

impl Contender {
    /// Creates a bot that runs on the machine of its author: there are no files of it here.
    pub fn remote(name: &str, limits: Limits, access: RemoteEndpoint) -> Contender {
        Contender {
            name: name.to_owned(),
            command: REMOTE.to_owned(),
            location: Location::Remote(access),
            kind: None,
            files: Vec::new(),
            interpreters: Vec::new(),
            dialect: Dialect::Native,
            mode: ProgramMode::Remote,
            remembers: false,
            limits,
            sight: ViewRules::default(),
            pitfalls: Pitfalls::default(),
        }
    }

    /// Finds a bot's program and digests its files.
    pub fn prepare(
        bot: &BotSpec,
        name: &str,
        limits: Limits,
        search: &SearchPath,
        beyond: &OutsideAccess,
    ) -> Result<Contender, ContenderError> {
        let reach = beyond.reach(bot.folder().map(|folder| folder.path.as_path()), search);
        if bot.mode() == ProgramMode::Remote {
            return Err(ContenderError::Other(format!(
                "`{REMOTE}` runs on its author's machine: only a league, `match`, `play` or a \
                 tournament without shards can use it"
            )));
        }
        let led = InterpreterSearch { name, folder: bot.folder(), reach: &reach };
        let mut files = Vec::new();
        let program = match bot.folder() {
            Some(folder) => {
                let manifest = folder.path.join(MANIFEST);
                led.must_reach(MANIFEST, &manifest)?;
                add_file(&mut files, MANIFEST, &manifest)?;
                let program = led.program_of(folder, search)?;
                let shown_folder = display_word(&folder.typed);
                led.script_is_there(bot, &folder.path, &format!("the folder `{shown_folder}`"))
                    .map_err(|error| not_yet_built(error, folder))?;
                program
            }
            None => {
                let program = Program::resolve(bot.words(), search).map_err(|error| {
                    unquoted_path(bot, search).unwrap_or_else(|| misspelt_name(error))
                })?;
                led.script_is_there(bot, &search.folder, "the current folder")?;
                program
            }
        };
        let interpreters = led.interpreters(bot.words(), &program)?;
        let arguments = program.arguments().iter().map(Path::new);
        // A program that was looked up is where every bot may look.
        let may_look =
            |path: &Path| program.is_named() && path == program.path() || reach.allows(path);
        for (word, path) in bot.words().iter().zip([program.path()].into_iter().chain(arguments)) {
            if path.is_absolute() && may_look(path) && path.is_file() {
                add_file(&mut files, word, path)?;
            }
        }
        // One that may be started and not read cannot be looked after.
        let print = |path: &PathBuf| FileFingerprint::take(&path.display().to_string(), path).ok();
        let interpreters = interpreters.iter().filter_map(print).collect();
        let (name, command) = (name.to_owned(), bot.command().to_owned());
        let (dialect, mode, remembers) = (bot.dialect(), bot.mode(), bot.remembers());
        let folder = bot.folder().map(|folder| folder.path.clone());
        let sight = ViewRules { folder, ..ViewRules::default() };
        let pitfalls = Pitfalls::find(bot, &program, &reach);
        // The digests above are those of the shim, as in logs of earlier versions.
        let program = match InterpreterShim::find(bot, search).and_then(|shim| shim.interpreter()) {
            Some(interpreter) => program.started_as(interpreter),
            None => program,
        };
        let program = program.with_variables([same_hashes()]);
        Ok(Contender {
            name,
            command,
            location: Location::Here(program),
            kind: bot.kind(),
            files,
            interpreters,
            dialect,
            mode,
            remembers,
            limits,
            sight,
            pitfalls,
        })
    }

    /// Its folder, or else the files of its command: no other bot is to see them.
    pub fn own_paths(&self) -> Vec<PathBuf> {
        match &self.sight.folder {
            Some(folder) => vec![folder.clone()],
            None => self.program().map(Program::own_files).unwrap_or_default(),
        }
    }

    /// Its program; a remote bot has none here.
    pub fn program(&self) -> Option<&Program> {
        match &self.location {
            Location::Here(program) => Some(program),
            Location::Remote(_) => None,
        }
    }

    /// The digests of the files in the command.
    pub fn digests(&self) -> Vec<FileDigest> {
        self.files.iter().map(|file| file.digest().clone()).collect()
    }
}

/// Follows a bot's own files to the programs and interpreters that they name.
pub(super) struct InterpreterSearch<'a> {
    pub(super) name: &'a str,
    pub(super) folder: Option<&'a BotFolder>,
    pub(super) reach: &'a AllowedPaths,
}

impl InterpreterSearch<'_> {
    /// The interpreters of the program that these words stand for, if the program, they and the files among
    /// the words are what the bot may see. Nothing else is opened.
    pub(super) fn interpreters(
        &self,
        words: &[String],
        program: &Program,
    ) -> Result<Vec<PathBuf>, ContenderError> {
        let arguments = program.arguments().iter().map(Path::new);
        let is_file = |path: &Path| path.is_absolute() && self.reach.allows(path) && path.is_file();
        for (word, path) in words.iter().skip(1).zip(arguments).filter(|(_, path)| is_file(path)) {
            self.lead(word, path)?;
        }
        let word = words.first().map_or("", String::as_str);
        // A bare name is found on the referee's own `PATH`, or names a built-in bot.
        let is_own = |folder: &BotFolder| program.path().starts_with(&folder.path);
        let anywhere = AllowedPaths::default();
        let (reach, lead) = match program.is_named() && !self.folder.is_some_and(is_own) {
            true => (&anywhere, anywhere.resolve(program.path())),
            false => (self.reach, Some(self.lead(word, program.path())?)),
        };
        let Some(lead) = lead else { return Ok(Vec::new()) };
        let named = |path: &PathBuf| path.display().to_string();
        let found = reach.interpreters(lead).map_err(|path| self.out(&named(&path)))?;
        match found.iter().find(|path| self.is_of_another(path)) {
            Some(path) => Err(of_another(&named(path))),
            None => Ok(found),
        }
    }

    /// Refuses a path that leads out, before anything is looked at there.
    fn must_reach(&self, word: &str, path: &Path) -> Result<(), ContenderError> {
        if self.reach.allows(path) { Ok(()) } else { Err(self.out(word)) }
    }

    /// The program of a bot in a folder, with paths that start there.
    fn program_of(
        &self,
        folder: &BotFolder,
        search: &SearchPath,
    ) -> Result<Program, ContenderError> {
        let manifest = &folder.manifest;
        let located = folder.located(&manifest.command, self.reach);
        let words = located.map_err(|problem| {
            let word = match problem {
                CommandPathError::Outside(word) => return self.out(word),
                CommandPathError::Missing(word) => display_word(word),
            };
            let typed = shell::word(Path::new(&folder.typed));
            let folder = display_word(&folder.typed);
            match manifest.build {
                Some(_) => ContenderError::NotBuilt { word, folder, typed },
                None => ContenderError::NotThere { word, folder },
            }
        })?;
        let search = search.from(&folder.path);
        Program::resolve_within(&words, &search, self.reach).map_err(misspelt_name)
    }

    /// Refuses a command whose script is certainly not there: its interpreter would fail at every move.
    fn script_is_there(
        &self,
        bot: &BotSpec,
        from: &Path,
        folder: &str,
    ) -> Result<(), ContenderError> {
        let Some(script) = launch_target::script_of(bot.words()) else { return Ok(()) };
        let path = from.join(script);
        self.must_reach(script, &path)?;
        match path.try_exists() {
            Ok(false) => Err(ContenderError::NoScript {
                script: display_word(script),
                folder: folder.to_owned(),
            }),
            _ => Ok(()),
        }
    }

    fn lead(&self, word: &str, path: &Path) -> Result<AllowedPath, ContenderError> {
        self.must_reach(word, path)?;
        match self.is_of_another(path) {
            true => Err(of_another(word)),
            false => self.reach.resolve(path).ok_or_else(|| self.out(word)),
        }
    }

    fn is_of_another(&self, path: &Path) -> bool {
        self.folder.is_some_and(|folder| folder.is_of_another(path))
    }

    pub(super) fn out(&self, word: &str) -> ContenderError {
        let (word, name) = (display_word(word), self.name);
        ContenderError::Other(format!(
            "`{word}` is outside the bot's folder: move it inside, or pass --allow {name}:read=FOLDER"
        ))
    }
}

fn of_another(word: &str) -> ContenderError {
    let word = display_word(word);
    ContenderError::Other(format!(
        "`{word}` is in another bot's folder: copy the program into this bot's own folder"
    ))
}

/// A script that is not there may be what the build of the folder makes.
fn not_yet_built(error: ContenderError, folder: &BotFolder) -> ContenderError {
    match error {
        ContenderError::NoScript { script, .. } if folder.manifest.build.is_some() => {
            ContenderError::NotBuilt {
                word: script,
                folder: display_word(&folder.typed),
                typed: shell::word(Path::new(&folder.typed)),
            }
        }
        other => other,
    }
}

/// The fault of a command that names a file or a folder with a blank in its path.
fn unquoted_path(bot: &BotSpec, search: &SearchPath) -> Option<ContenderError> {
    let [word, _, ..] = bot.words() else { return None };
    let quoted = shlex::try_quote(bot.command()).ok()?;
    let is_there = search.folder.join(bot.command()).exists();
    is_there.then(|| {
        let [word, path, quoted] = [word, bot.command(), &quoted].map(display_word);
        ContenderError::Other(format!(
            "`{word}` not found; for the file `{path}`, quote it: \"{quoted}\""
        ))
    })
}

/// The error for a bare name that is not found, with the name that is nearly the same if there is one.
fn misspelt_name(error: ResolveError) -> ContenderError {
    let ResolveError::NotFound { name, .. } = &error else { return ContenderError::Program(error) };
    let near = |known: &&str| {
        let most = if known.len() < 6 { 1 } else { 2 };
        strsim::osa_distance(&name.to_lowercase(), known) <= most
    };
    // A file of that name is what was meant.
    let is_path = name.contains(std::path::is_separator) || Path::new(name).exists();
    let languages = LAUNCHERS.iter().filter(|launcher| !launcher.scripts.is_empty());
    let interpreters = languages.flat_map(|launcher| launcher.programs).copied();
    match built_in::NAMES.into_iter().chain(interpreters).find(near) {
        Some(meant) if !is_path && meant != name => {
            ContenderError::Other(format!("program `{name}` not found, did you mean `{meant}`?"))
        }
        _ => ContenderError::Program(error),
    }
}

/// The contenders of one run, each with what it may see: what it was granted, and nothing of the
/// others and of what is kept from all of them.
pub fn sighted(
    mut contenders: Vec<Contender>,
    grants: &Grants,
    kept: &[PathBuf],
) -> Vec<Contender> {
    let own: Vec<Vec<PathBuf>> = contenders.iter().map(Contender::own_paths).collect();
    for (place, contender) in contenders.iter_mut().enumerate() {
        let others = own.iter().enumerate().filter(|(other, _)| *other != place);
        let others = others.flat_map(|(_, paths)| paths).filter(|path| !own[place].contains(path));
        let hidden = others.cloned().chain(kept.iter().map(|path| absolute(path)));
        contender.sight.hidden = hidden.collect();
        contender.sight.masked = kept.iter().map(|path| absolute(path)).collect();
        contender.sight.granted = grants.readable(&contender.name);
        contender.sight.devices = grants.devices(&contender.name);
        contender.sight.network = grants.network(&contender.name);
    }
    contenders
}

fn add_file(
    files: &mut Vec<FileFingerprint>,
    word: &str,
    path: &Path,
) -> Result<(), ContenderError> {
    let file = FileFingerprint::take(word, path)
        .map_err(|source| ContenderError::Unreadable { word: display_word(word), source })?;
    files.push(file);
    Ok(())
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
