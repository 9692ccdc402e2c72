//! A bot as it is named on the command line: `[NAME=]COMMAND [ARGS…]` or `[NAME=]FOLDER`, with
//! `dialect=classic` before it for a program of the classic dialect, and with `resident:` before the
//! command of a program that lives for a whole game.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{self, Path, PathBuf};
use std::str::FromStr;

use rules::Dialect;
use rules::text::{printable, system_error};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::bot::fingerprint::Fingerprint;
use crate::bot::manifest::{BotFolder, MANIFEST, NotBot};
use crate::bot::mode::Mode;
use crate::process::{Limits, Program, ResolveError, SearchPath, Sight, interpreters};
use crate::text::shell;
use rules::Digest;

pub mod advice;
pub mod build;
pub mod fingerprint;
pub mod grants;
pub mod insider;
mod launched;
pub mod limits;
pub mod manifest;
pub mod mode;
mod name;
pub mod sources;
pub mod starter;
mod venv;

pub use name::is_player_name;
pub(crate) use name::{
    EXPECTED_NAME, EXPECTED_PERSON, is_name, is_person_name, name, person_name, spelt_as_names,
};

/// A bot as named on the command line: a name, if one was given, and a command.
///
/// ```
/// use arbiter::bot::BotSpec;
///
/// let bot: BotSpec = "deep=minimax --depth 5".parse()?;
/// assert_eq!(bot.words(), ["minimax", "--depth", "5"]);
/// assert!("a/b=minimax --depth 5".parse::<BotSpec>().is_err());
/// # Ok::<(), arbiter::bot::BadBot>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotSpec {
    name: Option<String>,
    command: String,
    words: Vec<String>,
    /// The way in which it is asked, where that is said.
    dialect: Option<Dialect>,
    /// How long its program lives, where that is said.
    mode: Option<Mode>,
    folder: Option<BotFolder>,
}

/// A bot that is named in no way that the referee can use.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadBot {
    /// There is no command.
    #[error("bot `{0}` has no command, expected [NAME=]COMMAND [ARGS…]")]
    NoCommand(String),
    /// There is a dialect, and no command after it.
    #[error("bot `{0}` has no command, expected dialect=DIALECT [NAME=]COMMAND [ARGS…]")]
    DialectAlone(String),
    /// The dialect is not one.
    #[error("`{0}` is not a dialect, expected dialect=native or dialect=classic")]
    NoDialect(String),
    /// The dialect comes after the name.
    #[error("bot `{0}` has its dialect after its name, expected dialect=DIALECT NAME=COMMAND")]
    DialectAfterName(String),
    /// The program is to live for a whole game, which its dialect has no words for.
    #[error(
        "bot `{0}` is of the classic dialect, which starts it for every move: expected no {RESIDENT} and no mode"
    )]
    ResidentClassic(String),
    /// What says how long the program lives comes before the name.
    #[error("bot `{0}` has {RESIDENT} before its name, expected NAME={RESIDENT}COMMAND")]
    ResidentBeforeName(String),
    /// A quote is not closed.
    #[error("bot `{0}` has an unclosed quote")]
    OpenQuote(String),
    /// The name is not one.
    #[error("`{0}` is not a valid name for a bot, {EXPECTED_NAME}")]
    BadName(String),
    /// The program's file name cannot serve as a name.
    #[error("bot `{0}` needs a name, expected NAME=COMMAND")]
    NeedsName(String),
    /// Two bots are given the same name.
    #[error("two bots are called `{0}`, expected different names")]
    SameName(String),
}

impl BotSpec {
    /// The name, if one was given.
    pub fn given_name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The command, as it was typed.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The way in which it is asked: the native one, if nothing else is said.
    pub fn dialect(&self) -> Dialect {
        self.dialect.unwrap_or_default()
    }

    /// How long its program lives: for one move, if nothing else is said.
    pub fn mode(&self) -> Mode {
        self.mode.unwrap_or_default()
    }

    /// How long its program lives, where it or its manifest says something else than is usual.
    pub fn stated_mode(&self) -> Option<Mode> {
        let own = self.folder.as_ref().map(|folder| folder.manifest.mode).unwrap_or_default();
        self.mode.filter(|mode| !(mode.is_usual() && own.is_usual()))
    }

    /// The same bot, whose program lives so long, whatever its manifest says.
    ///
    /// # Errors
    ///
    /// [`BadBot::ResidentClassic`]
    pub fn living(self, mode: Mode) -> Result<BotSpec, BadBot> {
        match self.dialect {
            Some(Dialect::Classic) if mode == Mode::Resident => {
                Err(BadBot::ResidentClassic(shown(&self.command)))
            }
            _ => Ok(BotSpec { mode: Some(mode), ..self }),
        }
    }

    /// Whether its manifest says that its answers depend on what it was asked before.
    pub fn remembers(&self) -> bool {
        self.folder.as_ref().is_some_and(|folder| folder.manifest.remembers)
    }

    /// The words of the command, at least one.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The folder that it is, once it has been [opened](BotSpec::opened).
    pub fn folder(&self) -> Option<&BotFolder> {
        self.folder.as_ref()
    }

    /// A bot of which all is known, as of one that a log names.
    ///
    /// # Errors
    ///
    /// Fails if the command is empty or has an unclosed quote.
    pub fn new(name: &str, command: &str, dialect: Dialect, mode: Mode) -> Result<BotSpec, BadBot> {
        Ok(BotSpec {
            name: Some(name.to_owned()),
            words: words_of(command, command)?,
            command: command.to_owned(),
            dialect: Some(dialect),
            mode: Some(mode),
            folder: None,
        })
    }

    /// The same bot with its manifest, if it is a folder that has one.
    ///
    /// A folder is a path as a program is: there is a `/` in it, or it is `.` or `..`.
    ///
    /// # Errors
    ///
    /// [`NotBot`], if the manifest is wrong, or says another dialect.
    pub fn opened(self) -> Result<BotSpec, NotBot> {
        let Some(first) = self.words.first().filter(|word| is_path(word)) else { return Ok(self) };
        if !BotFolder::is_one(first) {
            return Ok(self);
        }
        let folder = BotFolder::open(first)?;
        if self.words.len() > 1 {
            return Err(NotBot::Arguments(shown(first)));
        }
        let BotSpec { name, command, dialect, mode, .. } = self;
        let of_folder = BotSpec::from(folder);
        let own = of_folder.dialect();
        if let Some(given) = dialect.filter(|given| *given != own) {
            return Err(NotBot::OtherDialect { folder: shown(first), own, given });
        }
        let mode = mode.or(of_folder.mode);
        if own == Dialect::Classic && mode == Some(Mode::Resident) {
            return Err(NotBot::ResidentClassic(shown(first)));
        }
        Ok(BotSpec { name, command, mode, ..of_folder })
    }

    /// The name that was given, or else that of the manifest, or that of what the command runs: of
    /// a script rather than of its interpreter, where that can be a name.
    fn name_or_program(&self) -> Result<String, BadBot> {
        let of_folder = self.folder.as_ref().map(|folder| &folder.manifest.name);
        if let Some(name) = self.name.as_ref().or(of_folder) {
            return Ok(name.clone());
        }
        let program = self.words.get(..1).unwrap_or_default();
        [launched::name_of(&self.words), launched::name_of(program)]
            .into_iter()
            .flatten()
            .find_map(|text| name(&text))
            .ok_or_else(|| BadBot::NeedsName(shown(&self.command)))
    }
}

impl From<BotFolder> for BotSpec {
    fn from(folder: BotFolder) -> BotSpec {
        let words = folder.manifest.command.words().to_vec();
        let (command, dialect) = (folder.typed.clone(), Some(folder.manifest.dialect));
        let mode = Some(folder.manifest.mode);
        BotSpec { name: None, command, words, dialect, mode, folder: Some(folder) }
    }
}

impl FromStr for BotSpec {
    type Err = BadBot;

    fn from_str(text: &str) -> Result<Self, BadBot> {
        let (dialect, text) = dialect_of(text)?;
        let first_word = text.split([' ', '\t', '\'', '"']).next().unwrap_or(text);
        let (given, command) = match first_word.split_once('=') {
            Some((given, _)) => (Some(given), &text[given.len() + 1..]),
            None => (None, text),
        };
        let read = |given: &str| match given.starts_with(RESIDENT) {
            true => Err(BadBot::ResidentBeforeName(shown(text))),
            false => name(given).ok_or_else(|| BadBot::BadName(shown(given))),
        };
        let name = given.map(read).transpose()?;
        if name.is_some() && command.trim_start().starts_with(DIALECT) {
            return Err(BadBot::DialectAfterName(shown(text)));
        }
        let (mode, command) = match command.trim_start().strip_prefix(RESIDENT) {
            Some(command) => (Some(Mode::Resident), command),
            None => (None, command),
        };
        if mode.is_some() && dialect == Some(Dialect::Classic) {
            return Err(BadBot::ResidentClassic(shown(text)));
        }
        let words = words_of(command, text)?;
        let command = command.trim().to_owned();
        Ok(BotSpec { name, command, words, dialect, mode, folder: None })
    }
}

/// The words of a command that stands in a text.
fn words_of(command: &str, text: &str) -> Result<Vec<String>, BadBot> {
    let words = shlex::split(command).ok_or_else(|| BadBot::OpenQuote(shown(text)))?;
    match words.first().is_none_or(String::is_empty) {
        true => Err(BadBot::NoCommand(shown(text))),
        false => Ok(words),
    }
}

/// What a bot begins with where its dialect is said.
const DIALECT: &str = "dialect=";

/// What a command begins with whose program lives for a whole game.
const RESIDENT: &str = "resident:";

/// The dialect that a bot begins with, if it does, and the rest.
fn dialect_of(text: &str) -> Result<(Option<Dialect>, &str), BadBot> {
    let Some(rest) = text.trim_start().strip_prefix(DIALECT) else { return Ok((None, text)) };
    let (dialect, rest) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
    let dialect = dialect.parse().map_err(|_| BadBot::NoDialect(shown(dialect)))?;
    match rest.trim_start() {
        "" => Err(BadBot::DialectAlone(shown(text))),
        rest => Ok((Some(dialect), rest)),
    }
}

/// A name for every bot: those that were given, and the programs' for the others, with `#2`, `#3`
/// and so on where one comes again.
///
/// # Errors
///
/// Fails if a name was given twice, or a program cannot give its own.
pub fn names(bots: &[BotSpec]) -> Result<Vec<String>, BadBot> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for name in bots.iter().filter_map(|bot| bot.name.clone()) {
        if seen.insert(name.clone(), 1).is_some() {
            return Err(BadBot::SameName(name));
        }
    }
    bots.iter()
        .map(|bot| {
            let name = bot.name_or_program()?;
            if bot.name.is_some() {
                return Ok(name);
            }
            let count = seen.entry(name.clone()).and_modify(|count| *count += 1).or_insert(1);
            Ok(if *count == 1 { name } else { format!("{name}#{count}") })
        })
        .collect()
}

/// A bot that is ready to be started, as often as there are moves.
#[derive(Debug, Clone)]
pub struct Contender {
    /// Its name, unique in the match.
    pub name: String,
    /// Its command, as it was typed.
    pub command: String,
    /// What is started.
    pub program: Program,
    /// The files in the command, as they are before the first game.
    pub files: Vec<Fingerprint>,
    /// The interpreters that the program's first line names, which no log lists.
    pub interpreters: Vec<Fingerprint>,
    /// The way in which it is asked.
    pub dialect: Dialect,
    /// How long its program lives.
    pub mode: Mode,
    /// Whether it says that its answers depend on what it was asked before.
    pub remembers: bool,
    /// What each of its answers may take.
    pub limits: Limits,
    /// What its programs may see besides what they need.
    pub sight: Sight,
}

/// The digest of a file that a bot's command names: the program, or a script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileDigest {
    /// The word of the command that names it.
    pub word: String,
    /// The SHA-256 digest of its content before the first game.
    pub sha256: Digest,
}

/// Why a bot cannot be made ready.
#[derive(Debug, Error)]
pub enum NotReady {
    /// Its command names nothing that can be started.
    #[error(transparent)]
    Program(#[from] ResolveError),
    /// The first word of its command is nothing, but the whole command is a file or a folder.
    #[error("`{word}` not found, but `{path}` exists, quote it: \"{quoted}\"")]
    Unquoted {
        /// The first word.
        word: String,
        /// The whole.
        path: String,
        /// The whole as one word.
        quoted: String,
    },
    /// A word of its manifest names nothing in its folder.
    #[error("`{word}`, the command of {MANIFEST}, not found in `{folder}`")]
    NotThere {
        /// The word.
        word: String,
        /// The folder.
        folder: String,
    },
    /// The same, where the manifest says how to build it.
    #[error("`{word}` not found in `{folder}`, run `arbiter build {typed}` first")]
    NotBuilt {
        /// The word.
        word: String,
        /// The folder.
        folder: String,
        /// The folder as a word for a shell.
        typed: String,
    },
    /// The script that its command runs is not there.
    #[error("script `{script}` not found, expected a path relative to {folder}")]
    NoScript {
        /// The script.
        script: String,
        /// Where its path starts.
        folder: String,
    },
    /// A file of its command cannot be read.
    #[error("cannot read `{word}`: {}", system_error(source))]
    Unreadable {
        /// The word of the command.
        word: String,
        /// What the system said.
        source: std::io::Error,
    },
}

impl Contender {
    /// Finds a bot's program and digests its files.
    ///
    /// # Errors
    ///
    /// [`NotReady`], with the word that is to blame.
    pub fn prepare(
        bot: &BotSpec,
        name: &str,
        limits: Limits,
        search: &SearchPath,
    ) -> Result<Contender, NotReady> {
        let mut files = Vec::new();
        let program = match &bot.folder {
            Some(folder) => {
                add_file(&mut files, MANIFEST, &folder.path.join(MANIFEST))?;
                let program = program_of(folder, search)?;
                let shown_folder = shown(&folder.typed);
                script_is_there(bot, &folder.path, &format!("the folder `{shown_folder}`"))
                    .map_err(|error| unbuilt(error, folder))?;
                program
            }
            None => {
                let program = Program::resolve(&bot.words, search)
                    .map_err(|error| unquoted(bot, search).unwrap_or(NotReady::Program(error)))?;
                script_is_there(bot, &search.folder, "the current folder")?;
                program
            }
        };
        let arguments = program.arguments().iter().map(Path::new);
        for (word, path) in bot.words.iter().zip([program.path()].into_iter().chain(arguments)) {
            if path.is_absolute() && path.is_file() {
                add_file(&mut files, word, path)?;
            }
        }
        // One that may be started and not read cannot be looked after.
        let print = |path: &PathBuf| Fingerprint::take(&path.display().to_string(), path).ok();
        let interpreters = interpreters(program.path()).iter().filter_map(print).collect();
        let (name, command) = (name.to_owned(), bot.command.clone());
        let (dialect, mode, remembers) = (bot.dialect(), bot.mode(), bot.remembers());
        let folder = bot.folder.as_ref().map(|folder| folder.path.clone());
        let sight = Sight { folder, ..Sight::default() };
        Ok(Contender {
            name,
            command,
            program,
            files,
            interpreters,
            dialect,
            mode,
            remembers,
            limits,
            sight,
        })
    }

    /// Its folder, or else the files of its command: no other bot is to see them.
    pub(crate) fn own_paths(&self) -> Vec<PathBuf> {
        match &self.sight.folder {
            Some(folder) => vec![folder.clone()],
            None => self.program.own_files(),
        }
    }

    /// The digests of the files in the command.
    pub fn digests(&self) -> Vec<FileDigest> {
        self.files.iter().map(|file| file.digest().clone()).collect()
    }
}

/// The program of a bot in a folder, with paths that start there.
fn program_of(folder: &BotFolder, search: &SearchPath) -> Result<Program, NotReady> {
    let manifest = &folder.manifest;
    let words = folder.located(&manifest.command).map_err(|word| {
        let typed = shell::word(Path::new(&folder.typed));
        let (word, folder) = (shown(word), shown(&folder.typed));
        match manifest.build {
            Some(_) => NotReady::NotBuilt { word, folder, typed },
            None => NotReady::NotThere { word, folder },
        }
    })?;
    Ok(Program::resolve(&words, &search.from(&folder.path))?)
}

/// Refuses a command whose script is certainly not there: its interpreter would fail at every move.
fn script_is_there(bot: &BotSpec, from: &Path, folder: &str) -> Result<(), NotReady> {
    match launched::script_of(&bot.words) {
        Some(script) if matches!(from.join(script).try_exists(), Ok(false)) => {
            Err(NotReady::NoScript { script: shown(script), folder: folder.to_owned() })
        }
        _ => Ok(()),
    }
}

/// A script that is not there may be what the build of the folder makes.
fn unbuilt(error: NotReady, folder: &BotFolder) -> NotReady {
    match error {
        NotReady::NoScript { script, .. } if folder.manifest.build.is_some() => {
            NotReady::NotBuilt {
                word: script,
                folder: shown(&folder.typed),
                typed: shell::word(Path::new(&folder.typed)),
            }
        }
        other => other,
    }
}

/// What is wrong with a command that names a file or a folder with a blank in its path.
fn unquoted(bot: &BotSpec, search: &SearchPath) -> Option<NotReady> {
    let [word, _, ..] = bot.words.as_slice() else { return None };
    let quoted = shlex::try_quote(&bot.command).ok()?;
    let is_there = search.folder.join(&bot.command).exists();
    is_there.then(|| NotReady::Unquoted {
        word: shown(word),
        path: shown(&bot.command),
        quoted: shown(&quoted),
    })
}

fn add_file(files: &mut Vec<Fingerprint>, word: &str, path: &Path) -> Result<(), NotReady> {
    let file = Fingerprint::take(word, path)
        .map_err(|source| NotReady::Unreadable { word: shown(word), source })?;
    files.push(file);
    Ok(())
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Whether a word of the command line is a path, and not a name to look up.
fn is_path(word: &str) -> bool {
    matches!(word, "." | "..") || word.contains(path::is_separator)
}

/// A word of the command line in an error: one line, and not too long.
fn shown(word: &str) -> String {
    let text = printable(&word.chars().take(80).collect::<String>());
    if word.chars().count() > 80 { format!("{text}…") } else { text }
}
