//! Folders to start a bot from: the examples, with a name of their own.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use rules::GameKind;
use text::failure::Failure;
use text::{printable, system_error};

use crate::manifest::MANIFEST;
use crate::name::{self, EXPECTED_NAME};
use sandbox::unfinished::{self, NewFolder};

/// A bot to start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Starter {
    /// The language, as the command line names it.
    pub language: &'static str,
    /// Other names for it that the command line understands.
    pub aliases: &'static [&'static str],
    /// The language, as people write it.
    pub title: &'static str,
    /// The software that must be installed.
    pub needs: &'static str,
    /// The names and the contents of its files, in the order in which they are written: the file
    /// that makes the folder a bot is the last.
    files: &'static [(&'static str, &'static str)],
}

/// Makes a starter of an example, so that they are the same files.
macro_rules! starter {
    ($language:literal $aliases:expr, $title:literal, $needs:literal, [$($file:literal)+]) => {
        Starter {
            language: $language,
            aliases: &$aliases,
            title: $title,
            needs: $needs,
            files: &[
                $(starter!(file $language, $file),)+
                starter!(file $language, "sample.txt"),
                starter!(file $language, "README.md"),
                starter!(file $language, "bot.toml"),
            ],
        }
    };
    (file $language:literal, $file:literal) => {
        ($file, include_str!(concat!("../../../examples/bots/", $language, "/", $file)))
    };
}

/// The name of the library for bots, in each language that has one.
const LIBRARY: &str = "arbiter_bot";

/// The line that makes a bot resident, and the same as a comment.
const RESIDENT: [&str; 2] = ["\nmode = \"resident\"", "\n# mode = \"resident\""];

/// The opening of the line that names a bot.
const NAME: &str = "name = ";

/// The opening of the line that names a bot to people.
const HEADING: &str = "# ";

/// The opening of the line that names the version of a bot.
const VERSION: &str = "version = ";

impl Starter {
    pub const ALL: [Starter; 11] = [
        starter!("python" [], "Python", "`python3`", ["bot.py" "arbiter_bot.py" "test_bot.py"]),
        starter!("node"["javascript"], "JavaScript", "`node`", ["random.js" "arbiter_bot.js"]),
        starter!("c" [], "C", "a C compiler, `cc`", ["random.c"]),
        starter!("cpp"["c++"], "C++", "a C++ compiler, `c++`", ["random.cpp"]),
        starter!("java" [], "Java", "`java`, `javac` and `jar`", ["RandomBot.java"]),
        starter!("go" [], "Go", "`go`", ["random.go" "go.mod"]),
        starter!("ruby" [], "Ruby", "`ruby`", ["random.rb"]),
        starter!("perl" [], "Perl", "`perl`", ["random.pl"]),
        starter!("lua" [], "Lua", "`lua`", ["random.lua"]),
        starter!("shell"["bash"], "shell", "`sh`; Bash and dash are both fine", ["random.sh"]),
        starter!("rust" [], "Rust", "`rustc`", ["random.rs"]),
    ];

    pub fn named(language: &str) -> Option<Starter> {
        Starter::ALL
            .into_iter()
            .find(|starter| starter.language == language || starter.aliases.contains(&language))
    }

    /// The starter in the language of a source with this name.
    pub fn of_source(file: &str) -> Option<Starter> {
        let (stem, ending) = file.rsplit_once('.')?;
        Starter::ALL.into_iter().find(|starter| !stem.is_empty() && starter.ending() == ending)
    }

    /// The ending of the names of sources in its language, behind the dot.
    pub fn ending(&self) -> &'static str {
        self.source().rsplit_once('.').map_or("", |(_, ending)| ending)
    }

    fn source(&self) -> &'static str {
        self.files.first().map_or("", |(file, _)| *file)
    }

    /// The files, with their contents, that a bot with this name needs besides its only source,
    /// which has this name and this content. A source that names the library of its language gets
    /// it. The bot starts for every move, for its source may read one request only.
    pub fn around(
        &self,
        source: &str,
        content: &str,
        name: &str,
    ) -> impl Iterator<Item = (&'static str, String)> {
        let has_library = content.contains(LIBRARY);
        let class = |file: &str| file.strip_suffix(".java").map(str::to_owned);
        let renamed_class = class(self.source()).zip(class(source));
        let source = source.to_owned();
        let is_needed = move |file: &str| match file {
            MANIFEST | "go.mod" => true,
            _ => has_library && file.split('.').next() == Some(LIBRARY),
        };
        let others = self.files(name).filter(move |(file, _)| is_needed(file));
        let is_other = {
            let source = source.clone();
            move |(file, _): &(&str, String)| !file.eq_ignore_ascii_case(&source)
        };
        others.filter(is_other).map(move |(file, content)| {
            if file.split('.').next() == Some(LIBRARY) {
                return (file, content);
            }
            let content = content.replace(self.source(), &source);
            let content = content.replacen(RESIDENT[0], RESIDENT[1], 1);
            match &renamed_class {
                Some((old, new)) => (file, content.replace(old.as_str(), new)),
                None => (file, content),
            }
        })
    }

    /// Writes a bot that says it plays this game into a new or an empty folder, and gives its name,
    /// which is the folder's.
    ///
    /// # Errors
    ///
    /// Nothing that was there is touched.
    pub fn write(&self, folder: &Path, game: &GameKind) -> Result<String, Failure> {
        let shown = || printable(&folder.display().to_string());
        let whole = std::path::absolute(folder).map_err(|error| unwritable(folder, &error))?;
        let name = whole.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.and_then(|name| name::name(&name)).ok_or_else(|| {
            let folder = shown();
            Failure::usage(format_args!(
                "folder name `{folder}` is not a valid bot name: {EXPECTED_NAME}"
            ))
        })?;
        let with_game = |(file, content): (&'static str, String)| match file {
            MANIFEST => (file, with_game(&content, game)),
            _ => (file, content),
        };
        write_new(folder, self.files(&name).map(with_game))?;
        Ok(name)
    }

    /// The files of a bot with this name, in the order in which they are written.
    fn files(&self, name: &str) -> impl Iterator<Item = (&'static str, String)> {
        self.files.iter().map(move |(file, content)| {
            (
                *file,
                match *file {
                    MANIFEST => renamed(content, NAME, &format!("{NAME}\"{name}\"")),
                    "README.md" => renamed(content, HEADING, &format!("{HEADING}{name}")),
                    _ => (*content).to_owned(),
                },
            )
        })
    }
}

/// Writes files into a new or an empty folder, in this order, each by its path there.
///
/// # Errors
///
/// Nothing that was there is touched.
pub fn write_new<'a>(
    folder: &Path,
    files: impl Iterator<Item = (&'a str, String)>,
) -> Result<(), Failure> {
    let unwritable = |error: io::Error| unwritable(folder, &error);
    let occupied = || {
        let folder = printable(&folder.display().to_string());
        Failure::usage(format_args!("`{folder}` exists and is not empty: choose a new folder"))
    };
    match unfinished::is_free(folder) {
        Ok(true) => {}
        Ok(false) => return Err(occupied()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Err(occupied());
        }
        Err(error) => return Err(unwritable(error)),
    }
    let new = NewFolder::for_all_at(folder).map_err(unwritable)?;
    for (file, content) in files {
        let path = new.path().join(file);
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(unwritable)?;
        let created = OpenOptions::new().write(true).create_new(true).open(path);
        created.and_then(|mut file| file.write_all(content.as_bytes())).map_err(unwritable)?;
    }
    new.put(MANIFEST).map_err(unwritable)
}

fn unwritable(folder: &Path, error: &io::Error) -> Failure {
    let (folder, error) = (printable(&folder.display().to_string()), system_error(error));
    Failure::usage(format_args!("cannot write to `{folder}`: {error}"))
}

/// A text with another line in the place of the first one that begins so.
fn renamed(text: &str, opening: &str, line: &str) -> String {
    let place = text.lines().position(|line| line.starts_with(opening));
    let lines = text.lines().enumerate();
    lines
        .map(|(number, old)| if Some(number) == place { line } else { old })
        .flat_map(|line| [line, "\n"])
        .collect()
}

/// A manifest that names one game, before the line that names the version.
fn with_game(manifest: &str, game: &GameKind) -> String {
    let all: Vec<String> = GameKind::ALL.iter().map(|kind| format!("\"{kind}\"")).collect();
    let note = match game.rules_id() {
        None => format!("# It can play all of these: {}.\n", all.join(", ")),
        Some(_) => String::new(),
    };
    let games = format!("{note}games = [\"{game}\"]\n");
    manifest.replacen(VERSION, &format!("{games}{VERSION}"), 1)
}
