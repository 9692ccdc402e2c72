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
    /// What must be installed.
    pub needs: &'static str,
    /// How it plays.
    plays: &'static str,
    /// Its `bot.toml`, the first key of which is the name.
    manifest: &'static str,
    /// The name and the content of its program.
    program: (&'static str, &'static str),
}

/// Makes a starter of an example, so that they are the same files.
macro_rules! starter {
    ($language:literal, $program:literal, $plays:literal, $needs:literal) => {
        Starter {
            language: $language,
            needs: $needs,
            plays: $plays,
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
    pub const ALL: [Starter; 6] = [
        starter!("python", "random.py", "a legal move at random", "`python3`"),
        starter!("c", "random.c", "a legal move at random", "a C compiler, `cc`"),
        starter!("shell", "first.sh", "the first legal move", "a POSIX shell, `sh`"),
        starter!("node", "random.js", "a legal move at random", "`node`"),
        starter!("java", "RandomBot.java", "a legal move at random", "`java`, `javac` and `jar`"),
        starter!("rust", "random.rs", "a legal move at random", "`rustc`"),
    ];

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
        let readme = include_str!("README.md")
            .replace("{name}", name)
            .replace("{plays}", self.plays)
            .replace("{needs}", self.needs);
        let (program, content) = self.program;
        [(program, content.to_owned()), ("README.md", readme), (MANIFEST, manifest)]
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
