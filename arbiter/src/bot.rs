//! A bot as it is named on the command line: `[NAME=]COMMAND [ARGS…]` or `[NAME=]FOLDER`, with
//! `dialect=classic` before it for a program of the classic dialect.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{self, Path};
use std::str::FromStr;

use rules::Dialect;
use rules::text::printable;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::fingerprint::Fingerprint;
use crate::log::PlayerLine;
use crate::manifest::{BotFolder, MANIFEST, NotBot};
use crate::process::{Limits, Program, ResolveError, SearchPath};
use rules::Digest;

/// The longest name, in characters.
const LONGEST_NAME: usize = 32;

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
    #[error("`{0}` is no dialect, expected dialect=native or dialect=classic")]
    NoDialect(String),
    /// The dialect comes after the name.
    #[error("bot `{0}` has its dialect after its name, expected dialect=DIALECT NAME=COMMAND")]
    DialectAfterName(String),
    /// A quote is not closed.
    #[error("bot `{0}` has a quote that does not end")]
    OpenQuote(String),
    /// The name is not one.
    #[error("`{0}` is no name for a bot, expected 1 to 32 of A-Z a-z 0-9 . _ -")]
    BadName(String),
    /// The program's file name cannot serve as a name.
    #[error("bot `{0}` needs a name, expected NAME=COMMAND")]
    NeedsName(String),
    /// Two bots are given the same name.
    #[error("two bots are called `{0}`, expected a name of its own for each")]
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

    /// The words of the command, at least one.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The folder that it is, once it has been [opened](BotSpec::opened).
    pub fn folder(&self) -> Option<&BotFolder> {
        self.folder.as_ref()
    }

    /// The bot that a log names.
    ///
    /// # Errors
    ///
    /// Fails where the command is none, as of a log that somebody else wrote.
    pub fn of_log(player: &PlayerLine) -> Result<BotSpec, BadBot> {
        let PlayerLine { name, command, dialect, .. } = player;
        Ok(BotSpec {
            name: Some(name.clone()),
            words: words_of(command, command)?,
            command: command.clone(),
            dialect: Some(*dialect),
            folder: None,
        })
    }

    /// The same bot with its manifest, if it is a folder that has one.
    ///
    /// A folder is a path as a program is: there is a `/` in it, or it is `.` or `..`.
    ///
    /// # Errors
    ///
    /// [`NotBot`], where the manifest is wrong, or says another dialect.
    pub fn opened(self) -> Result<BotSpec, NotBot> {
        let Some(first) = self.words.first().filter(|word| is_path(word)) else { return Ok(self) };
        if !BotFolder::is_one(first) {
            return Ok(self);
        }
        let folder = BotFolder::open(first)?;
        if self.words.len() > 1 {
            return Err(NotBot::Arguments(shown(first)));
        }
        let BotSpec { name, command, dialect, .. } = self;
        let of_folder = BotSpec::from(folder);
        let own = of_folder.dialect();
        if let Some(given) = dialect.filter(|given| *given != own) {
            return Err(NotBot::OtherDialect { folder: shown(first), own, given });
        }
        Ok(BotSpec { name, command, ..of_folder })
    }

    /// The name that was given, or else that of the manifest, or the file name of the program.
    fn name_or_program(&self) -> Result<String, BadBot> {
        let of_folder = self.folder.as_ref().map(|folder| &folder.manifest.name);
        if let Some(name) = self.name.as_ref().or(of_folder) {
            return Ok(name.clone());
        }
        let program = self.words.first().map(Path::new);
        let file = program.and_then(Path::file_name).map(|name| name.to_string_lossy());
        file.filter(|name| is_name(name))
            .map(|name| name.into_owned())
            .ok_or_else(|| BadBot::NeedsName(shown(&self.command)))
    }
}

impl From<BotFolder> for BotSpec {
    fn from(folder: BotFolder) -> BotSpec {
        let words = folder.manifest.command.words().to_vec();
        let (command, dialect) = (folder.typed.clone(), Some(folder.manifest.dialect));
        BotSpec { name: None, command, words, dialect, folder: Some(folder) }
    }
}

impl FromStr for BotSpec {
    type Err = BadBot;

    fn from_str(text: &str) -> Result<Self, BadBot> {
        let (dialect, text) = dialect_of(text)?;
        let first_word = text.split([' ', '\t', '\'', '"']).next().unwrap_or(text);
        let (name, command) = match first_word.split_once('=') {
            Some((name, _)) if is_name(name) => (Some(name.to_owned()), &text[name.len() + 1..]),
            Some((name, _)) => return Err(BadBot::BadName(shown(name))),
            None => (None, text),
        };
        if name.is_some() && command.trim_start().starts_with(DIALECT) {
            return Err(BadBot::DialectAfterName(shown(text)));
        }
        let words = words_of(command, text)?;
        Ok(BotSpec { name, command: command.trim().to_owned(), words, dialect, folder: None })
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
/// Fails where a name was given twice, or a program cannot give its own.
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
    /// The way in which it is asked.
    pub dialect: Dialect,
    /// What each of its answers may take.
    pub limits: Limits,
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
    /// A word of its manifest names nothing in its folder.
    #[error("`{word}`, the command of {MANIFEST}, not found in `{folder}`")]
    NotThere {
        /// The word.
        word: String,
        /// The folder.
        folder: String,
    },
    /// The same, where the manifest says how to build it.
    #[error("`{word}` not found in `{folder}`, run `arbiter build {folder}` first")]
    NotBuilt {
        /// The word.
        word: String,
        /// The folder.
        folder: String,
    },
    /// A file of its command cannot be read.
    #[error("cannot read `{word}`: {source}")]
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
                program_of(folder, search)?
            }
            None => Program::resolve(&bot.words, search)?,
        };
        let arguments = program.arguments().iter().map(Path::new);
        for (word, path) in bot.words.iter().zip([program.path()].into_iter().chain(arguments)) {
            if path.is_absolute() && path.is_file() {
                add_file(&mut files, word, path)?;
            }
        }
        let (name, command) = (name.to_owned(), bot.command.clone());
        Ok(Contender { name, command, program, files, dialect: bot.dialect(), limits })
    }

    /// The digests of the files in the command.
    pub fn digests(&self) -> Vec<FileDigest> {
        self.files.iter().map(|file| file.digest().clone()).collect()
    }

    /// What a log says of it.
    pub fn line(&self) -> PlayerLine {
        PlayerLine {
            name: self.name.clone(),
            command: self.command.clone(),
            files: self.digests(),
            dialect: self.dialect,
            limits: self.limits.into(),
        }
    }
}

/// The program of a bot in a folder, with paths that start there.
fn program_of(folder: &BotFolder, search: &SearchPath) -> Result<Program, NotReady> {
    let manifest = &folder.manifest;
    let words = folder.located(&manifest.command).map_err(|word| {
        let (word, folder) = (shown(word), shown(&folder.typed));
        match manifest.build {
            Some(_) => NotReady::NotBuilt { word, folder },
            None => NotReady::NotThere { word, folder },
        }
    })?;
    Ok(Program::resolve(&words, &search.from(&folder.path))?)
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

/// Whether this can be the name of a player in a match: a name, perhaps with `#2` and so on.
pub fn is_player_name(name: &str) -> bool {
    match name.split_once('#') {
        Some((name, number)) => is_name(name) && number.parse::<u8>().is_ok_and(|it| it > 1),
        None => is_name(name),
    }
}

/// Whether this can be the name of a bot.
pub(crate) fn is_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(allowed)
}

/// Whether a word of the command line is a path, and no name to be looked for.
fn is_path(word: &str) -> bool {
    matches!(word, "." | "..") || word.contains(path::is_separator)
}

/// A word of the command line in an error: one line, and not too long.
fn shown(word: &str) -> String {
    let text = printable(&word.chars().take(80).collect::<String>());
    if word.chars().count() > 80 { format!("{text}…") } else { text }
}
