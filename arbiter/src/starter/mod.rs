//! Folders to start a bot from: the examples, with a name of their own.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use rules::text::printable;
use thiserror::Error;

use crate::bot::is_name;
use crate::manifest::MANIFEST;

/// A bot to start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Starter {
    /// The language, as the command line names it.
    pub language: &'static str,
    /// Other names for it that the command line understands.
    pub aliases: &'static [&'static str],
    /// The language, as people write it.
    pub title: &'static str,
    /// What must be installed.
    pub needs: &'static str,
    /// Its `bot.toml`, the first key of which is the name.
    manifest: &'static str,
    /// The name and the content of its program.
    program: (&'static str, &'static str),
}

/// Makes a starter of an example, so that they are the same files.
macro_rules! starter {
    ($language:literal $aliases:expr, $title:literal, $program:literal, $needs:literal) => {
        Starter {
            language: $language,
            aliases: &$aliases,
            title: $title,
            needs: $needs,
            manifest: include_str!(concat!("../../../examples/bots/", $language, "/bot.toml")),
            program: (
                $program,
                include_str!(concat!("../../../examples/bots/", $language, "/", $program)),
            ),
        }
    };
}

/// The opening of the line that names a bot.
const NAME: &str = "name = ";

/// The opening of the line that says how a bot is built.
const BUILD: &str = "build = ";

/// Why no bot was started.
#[derive(Debug, Error)]
pub enum NotStarted {
    /// The folder's name cannot be that of a bot.
    #[error(
        "`{0}` is no name for a bot, expected a folder with a name of 1 to 32 of A-Z a-z 0-9 . _ -"
    )]
    BadName(String),
    /// There is something in the folder, or it is none.
    #[error("`{0}` exists and is not an empty folder, expected the name of a new one")]
    Occupied(String),
    /// The folder or a file in it cannot be written.
    #[error("cannot write to `{folder}`: {source}")]
    Unwritable {
        /// The folder.
        folder: String,
        /// What the system said.
        source: io::Error,
    },
}

impl Starter {
    /// Every starter.
    pub const ALL: [Starter; 11] = [
        starter!("python" [], "Python", "random.py", "`python3`"),
        starter!("node"["javascript"], "JavaScript", "random.js", "`node`"),
        starter!("c" [], "C", "random.c", "a C compiler, `cc`"),
        starter!("cpp"["c++"], "C++", "random.cpp", "a C++ compiler, `c++`"),
        starter!("java" [], "Java", "RandomBot.java", "`java`, `javac` and `jar`"),
        starter!("go" [], "Go", "random.go", "`go`"),
        starter!("ruby" [], "Ruby", "random.rb", "`ruby`"),
        starter!("perl" [], "Perl", "random.pl", "`perl`"),
        starter!("lua" [], "Lua", "random.lua", "`lua`"),
        starter!("shell"["bash"], "shell", "random.sh", "`sh`; Bash and dash are both fine"),
        starter!("rust" [], "Rust", "random.rs", "`rustc`"),
    ];

    /// The starter in a language, by one of its names.
    pub fn named(language: &str) -> Option<Starter> {
        Starter::ALL
            .into_iter()
            .find(|starter| starter.language == language || starter.aliases.contains(&language))
    }

    /// Writes a bot into a new or an empty folder, and gives its name, which is the folder's.
    ///
    /// # Errors
    ///
    /// [`NotStarted`]; nothing that was there is touched.
    pub fn write(&self, folder: &Path) -> Result<String, NotStarted> {
        let shown = || printable(&folder.display().to_string());
        let unwritable = |source| NotStarted::Unwritable { folder: shown(), source };
        let whole = std::path::absolute(folder).map_err(unwritable)?;
        let name = whole.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.filter(|name| is_name(name)).ok_or_else(|| NotStarted::BadName(shown()))?;
        if !is_free(folder).map_err(unwritable)? {
            return Err(NotStarted::Occupied(shown()));
        }
        fs::create_dir_all(folder).map_err(unwritable)?;
        for (file, content) in self.files(&name) {
            let path = folder.join(file);
            let created = OpenOptions::new().write(true).create_new(true).open(path);
            created.and_then(|mut file| file.write_all(content.as_bytes())).map_err(unwritable)?;
        }
        Ok(name)
    }

    /// The files of a bot with this name, in the order in which they are written.
    fn files(&self, name: &str) -> [(&'static str, String); 3] {
        let line = |line: &str| match line.starts_with(NAME) {
            true => format!("{NAME}\"{name}\"\n"),
            false => format!("{line}\n"),
        };
        let manifest = self.manifest.lines().map(line).collect();
        let (program, content) = self.program;
        let readme = include_str!("README.md")
            .replace("{name}", name)
            .replace("{language}", self.title)
            .replace("{needs}", self.needs)
            .replace("{build}", self.build())
            .replace("{program}", program);
        [(program, content.to_owned()), ("README.md", readme), (MANIFEST, manifest)]
    }

    /// A sentence on how it is built.
    fn build(&self) -> &'static str {
        match self.manifest.lines().any(|line| line.starts_with(BUILD)) {
            true => {
                "`arbiter build .` builds it, by the command in `bot.toml`: after every change."
            }
            false => "Nothing has to be built.",
        }
    }
}

/// Whether there is no such folder yet, or nothing in it.
fn is_free(folder: &Path) -> io::Result<bool> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A link that leads nowhere is there all the same.
            Ok(fs::symlink_metadata(folder).is_err())
        }
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
        Err(error) => Err(error),
    }
}
