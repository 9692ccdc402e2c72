//! A bot as it is named on the command line: `[NAME=]COMMAND [ARGS…]` or `[NAME=]FOLDER`, with
//! `dialect=classic` or `dialect=classic lenient=on` before it for a program of the classic dialect, and
//! with `resident:` before the command of a resident program. `remote:NAME` is a bot that runs on
//! the machine of its author.

use std::collections::BTreeMap;
use std::path;
use std::str::FromStr;

use rules::Dialect;
use text::failure::Failure;
use text::printable;

use crate::launch_target::{self, REMOTE};
use crate::manifest::{BotFolder, MANIFEST, ProgramMode};
use crate::name::{EXPECTED_NAME, name};

/// A bot as named on the command line: a name, if one was given, and a command.
///
/// ```
/// use bot::BotSpec;
///
/// let bot: BotSpec = "deep=minimax --depth 5".parse()?;
/// assert_eq!(bot.words(), ["minimax", "--depth", "5"]);
/// assert!("a/b=minimax --depth 5".parse::<BotSpec>().is_err());
/// # Ok::<(), text::failure::Failure>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotSpec {
    name: Option<String>,
    command: String,
    words: Vec<String>,
    /// The way in which it is asked, where that is said.
    dialect: Option<Dialect>,
    /// The life of its program, if it is stated.
    mode: Option<ProgramMode>,
    folder: Option<BotFolder>,
}

impl BotSpec {
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

    /// The life of its program: one move, unless stated otherwise.
    pub fn mode(&self) -> ProgramMode {
        self.mode.unwrap_or_default()
    }

    /// The life of its program, if it or its manifest states another than the usual one.
    pub fn stated_mode(&self) -> Option<ProgramMode> {
        let own = self.folder.as_ref().map(|folder| folder.manifest.mode).unwrap_or_default();
        self.mode.filter(|mode| !(mode.is_usual() && own.is_usual()))
    }

    /// This bot in another mode than that of its manifest.
    pub fn living(self, mode: ProgramMode) -> Result<BotSpec, Failure> {
        match self.dialect {
            Some(Dialect::Classic(_)) if mode == ProgramMode::Resident => {
                Err(resident_classic(&self.command))
            }
            _ if (self.mode == Some(ProgramMode::Remote)) != (mode == ProgramMode::Remote) => {
                Err(problem(&self.command, "runs elsewhere: its mode cannot be chosen here"))
            }
            _ => Ok(BotSpec { mode: Some(mode), ..self }),
        }
    }

    /// Returns true if its manifest says that its answers depend on what it was asked before.
    pub fn remembers(&self) -> bool {
        self.folder.as_ref().is_some_and(|folder| folder.manifest.remembers)
    }

    /// The words of the command, at least one.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The interpreter that its command starts, without folder and version, such as `java`; nothing for a
    /// program of its own.
    pub fn kind(&self) -> Option<&'static str> {
        launch_target::kind_of(&self.words)
    }

    /// The folder that it is, once it has been [opened](BotSpec::opened).
    pub fn folder(&self) -> Option<&BotFolder> {
        self.folder.as_ref()
    }

    /// A bot of which all is known, as of one that a log names.
    pub fn new(
        name: &str,
        command: &str,
        dialect: Dialect,
        mode: ProgramMode,
    ) -> Result<BotSpec, Failure> {
        Ok(BotSpec {
            name: Some(name.to_owned()),
            words: words_of(command, command)?,
            command: command.to_owned(),
            dialect: Some(dialect),
            mode: Some(mode),
            folder: None,
        })
    }

    /// A bot that runs on the machine of its author: `NAME=remote:` or `remote:NAME`.
    fn remote(
        text: &str,
        given: Option<String>,
        dialect: Option<Dialect>,
        rest: &str,
    ) -> Result<BotSpec, Failure> {
        let name = match (given, rest) {
            (Some(name), "") => name,
            (None, rest) if !rest.is_empty() => {
                name(rest).ok_or_else(|| bad_name(&display_word(rest)))?
            }
            _ => return Err(problem(text, "runs elsewhere: write remote:NAME without a command")),
        };
        if dialect.is_some_and(|dialect| dialect != Dialect::Native) {
            return Err(problem(text, "runs elsewhere: remove dialect="));
        }
        BotSpec::new(&name, REMOTE, Dialect::Native, ProgramMode::Remote)
    }

    /// Reads the manifest of the bot, if it is a folder that has one.
    ///
    /// A folder is a path as a program is: there is a `/` in it, or it is `.` or `..`.
    pub fn opened(self) -> Result<BotSpec, Failure> {
        let Some(first) = self.words.first().filter(|word| is_path(word)) else { return Ok(self) };
        if !BotFolder::is_one(first) {
            return Ok(self);
        }
        let folder = BotFolder::open(first)?;
        self.of_folder(folder)
    }

    /// Reads the manifest in this copy of the folder that the bot is. The bot keeps its command.
    pub fn opened_at(self, copy: &str) -> Result<BotSpec, Failure> {
        let folder = BotFolder::open(copy)?;
        let typed = self.words.first().cloned().unwrap_or_default();
        self.of_folder(BotFolder { typed, ..folder })
    }

    fn of_folder(self, folder: BotFolder) -> Result<BotSpec, Failure> {
        let typed = display_word(&folder.typed);
        if self.words.len() > 1 {
            return Err(Failure::usage(format_args!(
                "arguments after bot folder `{typed}`: put them in `command` of its {MANIFEST}"
            )));
        }
        let BotSpec { name, command, dialect, mode, .. } = self;
        let of_folder = BotSpec::from(folder);
        let own = of_folder.dialect();
        if let Some(given) = dialect.filter(|given| *given != own) {
            return Err(Failure::usage(format_args!(
                "`{typed}`: dialect={given} contradicts dialect={own} in {MANIFEST}"
            )));
        }
        let mode = mode.or(of_folder.mode);
        if matches!(own, Dialect::Classic(_)) && mode == Some(ProgramMode::Resident) {
            return Err(Failure::usage(format_args!(
                "`{typed}` speaks the classic dialect and is started per move: remove resident:"
            )));
        }
        Ok(BotSpec { name, command, mode, ..of_folder })
    }

    /// The name that was given, or else that of the manifest, or that of what the command runs: of
    /// a script rather than of its interpreter, where that can be a name.
    fn name_or_program(&self) -> Result<String, Failure> {
        let of_folder = self.folder.as_ref().map(|folder| &folder.manifest.name);
        if let Some(name) = self.name.as_ref().or(of_folder) {
            return Ok(name.clone());
        }
        let program = self.words.get(..1).unwrap_or_default();
        [launch_target::name_of(&self.words), launch_target::name_of(program)]
            .into_iter()
            .flatten()
            .find_map(|text| name(&text))
            .ok_or_else(|| problem(&self.command, "needs a name: write NAME=COMMAND"))
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
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let (dialect, text) = dialect_of(text)?;
        let first_word = text.split([' ', '\t', '\'', '"']).next().unwrap_or(text);
        let (given, command) = match first_word.split_once('=') {
            Some((given, _)) => (Some(given), &text[given.len() + 1..]),
            None => (None, text),
        };
        let read = |given: &str| match given.starts_with(RESIDENT) {
            true => {
                let problem = format_args!("put {RESIDENT} after the name: NAME={RESIDENT}COMMAND");
                Err(Failure::usage(format_args!("bot `{}`: {problem}", display_word(text))))
            }
            false => name(given).ok_or_else(|| bad_name(&display_word(given))),
        };
        let name = given.map(read).transpose()?;
        if let Some(rest) = command.trim().strip_prefix(REMOTE) {
            return BotSpec::remote(text, name, dialect, rest);
        }
        if name.is_some() && command.trim_start().starts_with(DIALECT) {
            return Err(Failure::usage(format_args!(
                "bot `{}`: put the dialect before the name: dialect=DIALECT NAME=COMMAND",
                display_word(text)
            )));
        }
        let (mode, command) = match command.trim_start().strip_prefix(RESIDENT) {
            Some(command) => (Some(ProgramMode::Resident), command),
            None => (None, command),
        };
        if mode.is_some() && matches!(dialect, Some(Dialect::Classic(_))) {
            return Err(resident_classic(text));
        }
        let words = words_of(command, text)?;
        let command = command.trim().to_owned();
        Ok(BotSpec { name, command, words, dialect, mode, folder: None })
    }
}

/// The words of a command that stands in a text.
fn words_of(command: &str, text: &str) -> Result<Vec<String>, Failure> {
    let words = shlex::split(command).ok_or_else(|| problem(text, "has an unclosed quote"))?;
    match words.first().is_none_or(String::is_empty) {
        true => Err(problem(text, "has no command: write [NAME=]COMMAND [ARGS…]")),
        false => Ok(words),
    }
}

/// Beginning of a bot with a dialect.
const DIALECT: &str = "dialect=";

/// Beginning of an option of a dialect, the word after it.
const LENIENT: &str = "lenient=";

/// Beginning of a command of a resident program.
const RESIDENT: &str = "resident:";

/// The dialect that a bot begins with, if it does, and the rest.
fn dialect_of<'a>(text: &'a str) -> Result<(Option<Dialect>, &'a str), Failure> {
    let Some(rest) = text.trim_start().strip_prefix(DIALECT) else { return Ok((None, text)) };
    let first_word = |text: &'a str| text.find(char::is_whitespace).unwrap_or(text.len());
    let (name, rest) = rest.split_at(first_word(rest));
    let (dialect, rest) = match rest.trim_start() {
        option if option.starts_with(LENIENT) => {
            let (option, rest) = option.split_at(first_word(option));
            (format!("{name} {option}"), rest)
        }
        rest => (name.to_owned(), rest),
    };
    let dialect = dialect.parse().map_err(|_| {
        Failure::usage(format_args!(
            "unknown dialect `{}`: use dialect=native, dialect=classic or dialect=classic lenient=on",
            display_word(&dialect)
        ))
    })?;
    match rest.trim_start() {
        "" => Err(problem(text, "has no command: write dialect=DIALECT [NAME=]COMMAND [ARGS…]")),
        rest => Ok((Some(dialect), rest)),
    }
}

/// A name for every bot: those that were given, and the programs' for the others, with `#2`, `#3`
/// and so on where one comes again.
pub fn names(bots: &[BotSpec]) -> Result<Vec<String>, Failure> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for name in bots.iter().filter_map(|bot| bot.name.clone()) {
        if seen.insert(name.clone(), 1).is_some() {
            return Err(same_name(&name));
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

fn problem(bot: &str, problem: &str) -> Failure {
    Failure::usage(format_args!("bot `{}` {problem}", display_word(bot)))
}

fn resident_classic(bot: &str) -> Failure {
    let start = "speaks the classic dialect and is started per move";
    problem(bot, &format!("{start}: remove {RESIDENT} and `mode`"))
}

pub fn bad_name(name: &str) -> Failure {
    Failure::usage(format_args!("invalid bot name `{name}`: {EXPECTED_NAME}"))
}

/// The message about a name that was given to two bots.
pub fn same_name(name: &str) -> Failure {
    Failure::usage(format_args!("two bots are named `{name}`: rename one with NAME=COMMAND"))
}

/// Returns true if a word of the command line is a path, and not a name to look up.
pub(crate) fn is_path(word: &str) -> bool {
    matches!(word, "." | "..") || word.contains(path::is_separator)
}

/// A word of the command line in an error: one line, and not too long.
pub(crate) fn display_word(word: &str) -> String {
    let text = printable(&word.chars().take(80).collect::<String>());
    if word.chars().count() > 80 { format!("{text}…") } else { text }
}
