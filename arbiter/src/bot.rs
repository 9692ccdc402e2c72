//! A bot as it is named on the command line: `[NAME=]COMMAND [ARGS…]`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use rules::text::printable;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::digest::Digest;
use crate::process::{Limits, Program, ResolveError, SearchPath};

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
}

/// A bot that is named in no way that the referee can use.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BadBot {
    /// There is no command.
    #[error("bot `{0}` has no command, expected [NAME=]COMMAND [ARGS…]")]
    NoCommand(String),
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
    /// The command, as it was typed.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The words of the command, at least one.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The name that was given, or else the file name of the program.
    fn name_or_program(&self) -> Result<String, BadBot> {
        if let Some(name) = &self.name {
            return Ok(name.clone());
        }
        let program = self.words.first().map(Path::new);
        let file = program.and_then(Path::file_name).map(|name| name.to_string_lossy());
        file.filter(|name| is_name(name))
            .map(|name| name.into_owned())
            .ok_or_else(|| BadBot::NeedsName(shown(&self.command)))
    }
}

impl FromStr for BotSpec {
    type Err = BadBot;

    fn from_str(text: &str) -> Result<Self, BadBot> {
        let first_word = text.split([' ', '\t', '\'', '"']).next().unwrap_or(text);
        let (name, command) = match first_word.split_once('=') {
            Some((name, _)) if is_name(name) => (Some(name.to_owned()), &text[name.len() + 1..]),
            Some((name, _)) => return Err(BadBot::BadName(shown(name))),
            None => (None, text),
        };
        let words = shlex::split(command).ok_or_else(|| BadBot::OpenQuote(shown(text)))?;
        if words.first().is_none_or(String::is_empty) {
            return Err(BadBot::NoCommand(shown(text)));
        }
        Ok(BotSpec { name, command: command.trim().to_owned(), words })
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
    /// The digests of the files in the command.
    pub files: Vec<FileDigest>,
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
        let program = Program::resolve(&bot.words, search)?;
        let mut files = Vec::new();
        let arguments = program.arguments().iter().map(Path::new);
        for (word, path) in bot.words.iter().zip([program.path()].into_iter().chain(arguments)) {
            if path.is_absolute() && path.is_file() {
                let sha256 = Digest::of_file(path)
                    .map_err(|source| NotReady::Unreadable { word: shown(word), source })?;
                files.push(FileDigest { word: word.clone(), sha256 });
            }
        }
        let (name, command) = (name.to_owned(), bot.command.clone());
        Ok(Contender { name, command, program, files, limits })
    }
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

fn is_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(allowed)
}

/// A word of the command line in an error: one line, and not too long.
fn shown(word: &str) -> String {
    let text = printable(&word.chars().take(80).collect::<String>());
    if word.chars().count() > 80 { format!("{text}…") } else { text }
}
