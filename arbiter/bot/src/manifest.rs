//! A bot as a folder: what its `bot.toml` says.

use std::path::{Component, Path, PathBuf};
use std::{fmt, fs, io};

use rules::{Dialect, GameKind};
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use text::failure::Failure;
use text::{printable, system_error};

use crate::name::{self, EXPECTED_NAME};
use sandbox::{AllowedPaths, file, or_with_suffix};

/// The file that makes a folder a bot.
pub const MANIFEST: &str = "bot.toml";

/// The most that a manifest may hold, in bytes.
const LONGEST: u64 = 64 << 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotFolder {
    pub typed: String,
    /// The folder, as an absolute path.
    pub path: PathBuf,
    /// The content of its `bot.toml`.
    pub manifest: Manifest,
}

/// The content of a `bot.toml`.
///
/// ```
/// use bot::manifest::Manifest;
///
/// let bot = Manifest::read("name = 'mine'\ncommand = 'python3 bot.py'\ngames = ['tablic']")?;
/// assert_eq!(bot.command.words(), ["python3", "bot.py"]);
/// let wrong = Manifest::read("name = 'mine'\ncommand = './bot'\ncolour = 'red'").unwrap_err();
/// assert!(wrong.to_string().starts_with("line 3: unknown key `colour`, expected one of `name`"));
/// # Ok::<(), text::failure::Failure>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The name that it has in results, unless the command line gives another.
    #[serde(deserialize_with = "name")]
    pub name: String,
    /// The command that is started for every request.
    pub command: Command,
    /// The build command, if the program has to be built.
    #[serde(default)]
    pub build: Option<Command>,
    #[serde(default)]
    pub games: GameSelection,
    #[serde(default)]
    pub author: Option<String>,
    /// Its version, in its author's own form.
    #[serde(default)]
    pub version: Option<String>,
    #[serde(default)]
    pub dialect: Dialect,
    #[serde(default)]
    pub mode: ProgramMode,
    /// True if its answers depend on earlier requests of the game.
    #[serde(default)]
    pub remembers: bool,
    /// The files and folders that it reads besides its own folder, by paths from there.
    #[serde(default)]
    pub read: Vec<PathBuf>,
    #[serde(default)]
    pub network: bool,
}

/// A program and its arguments: in a manifest a string, which is split as a shell splits words, or
/// a list of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command(Vec<String>);

impl BotFolder {
    pub fn open(typed: &str) -> Result<BotFolder, Failure> {
        let file = Path::new(typed).join(MANIFEST);
        let unreadable = |error: io::Error| {
            let (folder, hint) = (printable(typed), file::why_denied(&file, &error));
            let error = system_error(&error);
            Failure::usage(format_args!("`{folder}` is not a bot: no {MANIFEST} ({error}){hint}"))
        };
        let path = std::path::absolute(typed).map_err(unreadable)?;
        if leads_out(&path, &path.join(MANIFEST)) {
            let file = printable(&file.display().to_string());
            return Err(Failure::usage(format_args!("`{file}` is outside the bot's folder")));
        }
        let text = file::text(&file, LONGEST).map_err(unreadable)?;
        let manifest = Manifest::read(&text).map_err(|problem| {
            let file = printable(&file.display().to_string());
            Failure::usage(format_args!("{file}, {problem}"))
        })?;
        Ok(BotFolder { typed: typed.to_owned(), path, manifest })
    }

    /// Returns true if a path from the folder is there and leads to something in it.
    pub fn holds(&self, path: &str) -> bool {
        let path = self.path.join(path);
        path.exists() && !leads_out(&self.path, &path)
    }

    /// Returns true if a file is the one of another bot: one in a folder that is a bot, and not in this one.
    pub fn is_of_another(&self, path: &Path) -> bool {
        let (Ok(own), Ok(end)) = (self.path.canonicalize(), path.canonicalize()) else {
            return false;
        };
        let above = end.ancestors().skip(1).take_while(|folder| !own.starts_with(folder));
        !end.starts_with(&own)
            && above.into_iter().any(|folder| folder.join(MANIFEST).symlink_metadata().is_ok())
    }

    /// Returns true if this folder holds a manifest, right or wrong.
    pub fn is_one(typed: &str) -> bool {
        fs::symlink_metadata(Path::new(typed).join(MANIFEST)).is_ok()
    }

    /// The words of a command of the manifest, with those that name something in the folder as
    /// absolute paths: those that begin with `./`, and the program if there is a `/` in it.
    ///
    /// A path out of this reach is not looked at, so the answer is the same whether or not anything is there.
    ///
    /// # Errors
    ///
    /// The word that names nothing, or leads out.
    pub fn located<'a>(
        &self,
        command: &'a Command,
        reach: &AllowedPaths,
    ) -> Result<Vec<String>, CommandPathError<'a>> {
        let place = |(number, word): (usize, &'a String)| {
            let is_named = word.starts_with("./") || number == 0 && word.contains('/');
            let path = self.path.join(word.strip_prefix("./").unwrap_or(word));
            let is_within = || match number {
                0 => reach.allows_program(&path),
                _ => reach.allows(&path),
            };
            if (is_named || climbs(word)) && !is_within() {
                return Err(CommandPathError::Outside(word));
            }
            if !is_named {
                return Ok(word.clone());
            }
            let path = if number == 0 { or_with_suffix(path) } else { path };
            match path.to_str() {
                Some(path_text) if path.exists() => Ok(path_text.to_owned()),
                _ => Err(CommandPathError::Missing(word)),
            }
        };
        command.words().iter().enumerate().map(place).collect()
    }
}

/// A word of a command that is not located.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandPathError<'a> {
    /// Nothing is there.
    Missing(&'a str),
    /// It leads out of what the bot may see.
    Outside(&'a str),
}

/// Returns true if a word of a command is a relative path that climbs out of the folder in which it begins.
fn climbs(word: &str) -> bool {
    let mut depth = 0_usize;
    let path = Path::new(word);
    path.is_relative()
        && path.components().any(|part| match part {
            Component::ParentDir => {
                let is_above = depth == 0;
                depth = depth.saturating_sub(1);
                is_above
            }
            Component::Normal(_) => {
                depth += 1;
                false
            }
            _ => false,
        })
}

/// Returns true if a path leads to something outside of a folder.
fn leads_out(folder: &Path, path: &Path) -> bool {
    let (own, end) = (folder.canonicalize(), path.canonicalize());
    own.is_ok_and(|own| end.is_ok_and(|end| !end.starts_with(own)))
}

impl Manifest {
    /// Reads the text of a manifest.
    ///
    /// # Errors
    ///
    /// Says the line and the key, and what was expected.
    pub fn read(text: &str) -> Result<Manifest, Failure> {
        let manifest: Manifest =
            toml::from_str(text).map_err(|error| Failure::Usage(toml_error(text, &error)))?;
        let line = |key| {
            let at = text.lines().position(|line| line.trim_start().starts_with(key));
            at.map_or_else(String::new, |at| format!("line {}, ", at + 1))
        };
        match manifest.mode {
            ProgramMode::Remote => Err(Failure::Usage(format!(
                "{}`mode`: a bot with files runs on this machine: use \"per-move\" or \"resident\"",
                line("mode")
            ))),
            ProgramMode::Resident if matches!(manifest.dialect, Dialect::Classic(_)) => {
                Err(Failure::Usage(format!(
                    "{}`mode`: classic bots are started per move: use \"per-move\"",
                    line("mode")
                )))
            }
            ProgramMode::PerMove if manifest.remembers => Err(Failure::Usage(format!(
                "{}`remembers`: a bot that is started per move remembers nothing: set mode = \
                 \"resident\"",
                line("remembers")
            ))),
            _ => Ok(manifest),
        }
    }
}

impl Command {
    /// The words, at least one.
    pub fn words(&self) -> &[String] {
        &self.0
    }
}

/// An error of the parser in one line, in the words that the rest of the program uses.
pub fn toml_error(text: &str, error: &toml::de::Error) -> String {
    let message = error.message().replace("unknown field", "unknown key");
    let message = printable(&message.replace("missing field", "missing key"));
    // A missing key has no line.
    let place = error.span().filter(|_| !message.starts_with("missing key"));
    match place.and_then(|span| text.get(..span.start)) {
        Some(before) => {
            let line = before.matches('\n').count();
            let found = text.lines().nth(line).unwrap_or_default();
            let key = found.split('=').next().unwrap_or_default().trim();
            // The key is told along, unless the message does so.
            match key.is_empty() || message.contains(&format!("`{key}`")) {
                true => format!("line {}: {message}", line + 1),
                false => format!("line {}, `{}`: {message}", line + 1, printable(key)),
            }
        }
        None => message,
    }
}

/// The games that a bot plays, by their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum GameSelection {
    /// Every game, unless its manifest says something else.
    #[default]
    Every,
    /// Those of these names, some of which may be custom games.
    Named(Vec<String>),
}

impl GameSelection {
    /// Returns true if this game is among them.
    pub fn has(&self, kind: &GameKind) -> bool {
        match self {
            GameSelection::Every => true,
            GameSelection::Named(names) => names.iter().any(|name| name == kind.name()),
        }
    }

    pub fn built_in(&self) -> Vec<GameKind> {
        GameKind::ALL.iter().filter(|kind| self.has(kind)).cloned().collect()
    }
}

impl fmt::Display for GameSelection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameSelection::Every => f.write_str("every game"),
            GameSelection::Named(names) => f.write_str(&names.join(", ")),
        }
    }
}

impl<'de> Deserialize<'de> for GameSelection {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GameSelection, D::Error> {
        let known =
            || GameKind::ALL.iter().map(|kind| format!("`{kind}`")).collect::<Vec<_>>().join(", ");
        let names = Vec::<String>::deserialize(deserializer)?;
        if names.is_empty() {
            let problem = format!("empty list: name at least one of {}", known());
            return Err(de::Error::custom(problem));
        }
        // A misspelt name of a built-in game is more likely than a game that is called nearly like one.
        let is_name = |name: &String| {
            let is_near = |kind: &GameKind| {
                kind.name() != name && strsim::osa_distance(kind.name(), &name.to_lowercase()) <= 2
            };
            rules::custom::is_game_name(name) && !GameKind::ALL.iter().any(is_near)
        };
        match names.iter().find(|name| !is_name(name)) {
            Some(name) => Err(de::Error::custom(format!(
                "unknown game `{name}`: use {}, or the name of a custom game",
                known()
            ))),
            None => Ok(GameSelection::Named(names)),
        }
    }
}

fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    name::name(&text)
        .ok_or_else(|| de::Error::custom(format!("invalid bot name `{text}`: {EXPECTED_NAME}")))
}

impl<'de> Deserialize<'de> for Command {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CommandVisitor;
        impl<'de> Visitor<'de> for CommandVisitor {
            type Value = Vec<String>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a command, as a string or as a list of words")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Vec<String>, E> {
                shlex::split(text)
                    .ok_or_else(|| E::custom(format!("`{text}` has an unclosed quote")))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<String>, A::Error> {
                let mut words = Vec::new();
                while let Some(word) = list.next_element()? {
                    words.push(word);
                }
                Ok(words)
            }
        }
        let words = deserializer.deserialize_any(CommandVisitor)?;
        if words.first().is_none_or(String::is_empty) {
            return Err(de::Error::custom("empty command"));
        }
        Ok(Command(words))
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProgramMode {
    /// It is started anew for every move.
    #[default]
    PerMove,
    /// It is started once for each game and seat, and gets one request after the other.
    Resident,
    /// It runs on the machine of its author, and asks the server for its requests.
    Remote,
}

impl ProgramMode {
    /// Its name in a manifest and in a log: `per-move`, `resident` or `remote`.
    pub fn name(self) -> &'static str {
        match self {
            ProgramMode::PerMove => "per-move",
            ProgramMode::Resident => "resident",
            ProgramMode::Remote => "remote",
        }
    }

    pub fn is_usual(&self) -> bool {
        *self == ProgramMode::default()
    }
}

impl fmt::Display for ProgramMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(line: &str) -> String {
        let text = format!("name = 'mine'\ncommand = './bot'\n{line}\n");
        Manifest::read(&text).map_or_else(|error| error.to_string(), |_| "none".to_owned())
    }

    #[test]
    fn a_command_is_a_string_or_a_list() {
        for text in ["'python3 \"my bot.py\"'", "['python3', 'my bot.py']"] {
            let bot = Manifest::read(&format!("name = 'a'\ncommand = {text}")).expect("a manifest");
            assert_eq!(bot.command.words(), ["python3", "my bot.py"]);
            assert_eq!(bot.games, GameSelection::Every);
            assert_eq!(bot.dialect, Dialect::Native);
        }
    }

    #[test]
    fn whatever_else_is_told_with_its_line() {
        let cases = [
            ("colour = 1", "line 3: unknown key `colour`, expected one of `name`, `command`"),
            ("build = ''", "line 3, `build`: empty command"),
            ("build = []", "line 3, `build`: empty command"),
            ("build = 3", "line 3, `build`: invalid type: integer `3`, expected a command, as"),
            ("build = \"'\"", "line 3, `build`: `'` has an unclosed quote"),
            ("games = ['durek']", "line 3, `games`: unknown game `durek`: use `tab"),
            ("games = ['My Game']", "line 3, `games`: unknown game `My Game`: use"),
            ("games = []", "line 3, `games`: empty list: name at least one of `tablic`"),
            ("games = 'tablic'", "line 3, `games`: invalid type: string \"tablic\", expected a"),
            ("version = 1", "line 3, `version`: invalid type: integer `1`, expected a string"),
            (
                "dialect = 'foreign'",
                "line 3, `dialect`: expected the dialect `native`, `classic` or ",
            ),
            ("name = 'b'", "line 3, `name`: duplicate key"),
            ("read = 'data'", "line 3, `read`: invalid type: string \"data\", expected a"),
            (
                "mode = 'remote'",
                "line 3, `mode`: a bot with files runs on this machine: use \"per-move\" or",
            ),
            (
                "mode = 'daily'",
                "line 3, `mode`: unknown variant `daily`, expected one of `per-move`, `res",
            ),
            ("remembers = true", "line 3, `remembers`: a bot that is started per move rem"),
            ("network = 1", "line 3, `network`: invalid type: integer `1`, expected a boolean"),
            ("what is this", "line 3, `what is this`: "),
            ("[games]", "line 3, `[games]`: invalid type: map, expected a sequence"),
        ];
        for (line, expected) in cases {
            let problem = problem(line);
            assert!(problem.starts_with(expected), "{line}: {problem}");
            assert!(!problem.contains('\n'), "{problem:?}");
        }
    }

    #[test]
    fn a_name_is_as_on_the_command_line() {
        for name in ["", "a b", "a=b", "a#2", "a/b", "Ši me", "\\u001b[2J"] {
            let text = format!("name = \"{name}\"\ncommand = './bot'");
            let problem = Manifest::read(&text).expect_err(name).to_string();
            assert!(problem.contains("invalid bot name"), "{problem}");
            assert!(problem.is_ascii() || name == "Ši me", "{problem:?}");
        }
        let problem = Manifest::read("command = './bot'").expect_err("no name").to_string();
        assert_eq!(problem, "missing key `name`");
    }
}
