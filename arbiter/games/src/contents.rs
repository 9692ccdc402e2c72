//! The contents of the files of a game, and why it cannot be opened. Each file is read once: what is digested is what
//! runs and what is copied.

use std::fs::{self, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bot::templates::write_new;
use rules::custom::is_game_name;
use rules::{Digest, GameKind};
use sandbox::file;
use serde::{Deserialize, Serialize};
use text::failure::Failure;
use text::{printable, system_error};
use thiserror::Error;

#[derive(Debug, Clone)]
pub(crate) struct GameFile {
    pub bytes: Arc<[u8]>,
    pub digest: Digest,
    mode: u32,
}

/// The folder that files of a game lie in. Nothing is read through a link that leads out of it.
pub(crate) struct GameRoot {
    /// Its path without links.
    real: PathBuf,
}

impl GameRoot {
    /// The folder, which its user may have named by a link.
    pub(crate) fn folder(folder: &Path) -> Result<GameRoot, GameOpenError> {
        let real = folder.canonicalize().map_err(|error| unreadable(folder, error))?;
        Ok(GameRoot { real })
    }

    /// The folder of a file that its user has named, and the name of the file.
    pub(crate) fn of_file(file: &Path) -> Result<(GameRoot, String), GameOpenError> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((GameRoot::folder(file::folder_of(file))?, name))
    }

    /// The path of a file in it.
    pub(crate) fn path(&self, inner: &str) -> PathBuf {
        self.real.join(inner)
    }

    /// Reads a file of no more than this number of bytes.
    pub(crate) fn read(&self, inner: &str, most: u64) -> Result<GameFile, GameOpenError> {
        let path = self.path(inner);
        let read = || {
            let file = file::open_within_real(&self.real, &path)?;
            let mode = mode_of(&file.metadata()?);
            let mut bytes = Vec::new();
            file.take(most + 1).read_to_end(&mut bytes)?;
            if bytes.len() as u64 > most {
                return Err(file::too_long(most));
            }
            Ok(GameFile { digest: Digest::hash(&bytes), bytes: bytes.into(), mode })
        };
        read().map_err(|error| unreadable(&path, error))
    }

    pub(crate) fn text(&self, inner: &str, most: u64) -> Result<String, GameOpenError> {
        let bytes = self.read(inner, most)?.bytes;
        let text = std::str::from_utf8(&bytes);
        let text =
            text.map_err(|_| unreadable(&self.path(inner), io::Error::other("not UTF-8")))?;
        Ok(text.to_owned())
    }

    /// The entries of a folder in it, which no link leads to.
    pub(crate) fn entries(&self, inner: &str) -> Result<fs::ReadDir, GameOpenError> {
        let path = self.path(inner.trim_end_matches('/'));
        let entries = || match path.canonicalize()? == path {
            true => fs::read_dir(&path),
            false => Err(io::Error::other("a link, not a folder")),
        };
        entries().map_err(|error| unreadable(&path, error))
    }
}

impl GameFile {
    /// Writes a copy to a path, which everybody may read, and execute if anybody may execute the original.
    /// A link that lies at the path is replaced.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => fs::File::create_new(path)?.write_all(&self.bytes)?,
        }
        set_mode(path, self.mode)
    }

    /// Writes it for a program that must see nothing of it but its name and bytes.
    pub(crate) fn write_plainly(&self, path: &Path) -> io::Result<()> {
        fs::write(path, &self.bytes)?;
        set_mode(path, EXECUTABLE)
    }
}

/// The rights on a file that anybody may execute.
const EXECUTABLE: u32 = 0o755;

#[cfg(unix)]
fn mode_of(found: &Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    if found.permissions().mode() & 0o111 == 0 { 0o644 } else { EXECUTABLE }
}

#[cfg(not(unix))]
fn mode_of(_found: &Metadata) -> u32 {
    EXECUTABLE
}

#[cfg(unix)]
pub(crate) fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
pub(crate) fn set_mode(_path: &Path, _mode: u32) -> io::Result<()> {
    Ok(())
}

pub(crate) fn unreadable(path: &Path, error: io::Error) -> GameOpenError {
    let path = printable(&path.display().to_string());
    GameOpenError::Other(format!("cannot read `{path}` of the game: {}", system_error(error)))
}

/// A game that cannot be opened; one line.
#[derive(Debug, Error)]
pub enum GameOpenError {
    #[error("module of game `{game}`: {problem}")]
    Module { game: String, problem: String },
    #[error("game `{game}`: {problem}")]
    Machine { game: String, problem: String },
    #[error("{0}")]
    Other(String),
}

impl GameOpenError {
    pub(crate) fn not_found(named: &str) -> GameOpenError {
        GameOpenError::Other(format!(
            "unknown game `{named}`: use a built-in game (see `arbiter games`), a folder with a \
             {MANIFEST}, a .wasm file or a command such as \"python3 game.py\""
        ))
    }
}

/// The name of the file that describes a game.
pub const MANIFEST: &str = "game.toml";

/// A `game.toml`: the program or module with the rules of a game, and how pages draw its view.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    /// The command of a program, with paths relative to the folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) command: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) module: Option<String>,
    /// The command that builds it, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) build: Option<String>,
    /// How pages draw a view.
    #[serde(default, skip_serializing_if = "ViewKeys::is_empty")]
    pub(crate) view: ViewKeys,
}

/// The keys of a view whose values are drawn as cards or numbers, rather than as text.
///
/// A key may be of several kinds: `pile` and `seat` is a pile of each seat, `hand` and `seat` an open card of each, `hand`
/// and `mark` are open cards of the seat that the line names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ViewKeys {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hand: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub table: Vec<String>,
    /// Cards in a pile, or their number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pile: Vec<String>,
    /// The number of cards in the hand of each seat, which others see from the back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub back: Vec<String>,
    /// One word per seat, for example its points or its bid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seat: Vec<String>,
    /// A seat and its words, for example the leader of a trick.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mark: Vec<String>,
    /// Numbers, such as a pot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub number: Vec<String>,
}

impl ViewKeys {
    /// Returns true if a line with this key stands beside the seats: it has a word for each of them, or names one.
    pub fn is_of_seats(&self, key: &str) -> bool {
        [&self.seat, &self.back, &self.mark].into_iter().flatten().any(|named| named == key)
    }

    /// Returns true if a line with this key has the hand of the seat that sees it.
    pub fn is_own_hand(&self, key: &str) -> bool {
        self.hand.iter().any(|named| named == key) && !self.is_of_seats(key)
    }

    /// Returns true if pages draw everything as text.
    pub fn is_empty(&self) -> bool {
        *self == ViewKeys::default()
    }
}

/// The line of the description that names the game of the examples.
const NAME: &str = "name leduc";

/// The heading of their README.
const HEADING: &str = "# leduc";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameTemplate {
    /// The language, as the command line names it.
    pub language: &'static str,
    /// The software that must be installed.
    pub needs: &'static str,
    /// The names and the contents of its files, in the order in which they are written: the file
    /// that makes the folder a game is the last.
    files: &'static [(&'static str, &'static str)],
}

/// Makes a starter of an example, so that they are the same files.
macro_rules! starter {
    ($language:literal, $needs:literal, [$($file:literal)+]) => {
        GameTemplate {
            language: $language,
            needs: $needs,
            files: &[
                $(starter!(file $language, $file),)+
                starter!(file $language, "recorded/fold.txt"),
                starter!(file $language, "recorded/showdown.txt"),
                starter!(file $language, "README.md"),
                starter!(file $language, "game.toml"),
            ],
        }
    };
    (file $language:literal, $file:literal) => {
        ($file, include_str!(concat!("../../../examples/games/leduc/", $language, "/", $file)))
    };
}

impl GameTemplate {
    pub const ALL: [GameTemplate; 4] = [
        starter!("python", "`python3`", ["game.py"]),
        starter!("c", "`clang` and `wasm-ld`", ["game.c"]),
        starter!("rust", "`rustc` with the target wasm32-unknown-unknown", ["game.rs" "abi.rs"]),
        starter!("assemblyscript", "`npx`", ["game.ts"]),
    ];

    pub fn named(language: &str) -> Option<GameTemplate> {
        GameTemplate::ALL.into_iter().find(|starter| starter.language == language)
    }

    /// Writes a game into a new or an empty folder, and gives its name, which is the folder's.
    ///
    /// # Errors
    ///
    /// Nothing that was there is touched.
    pub fn write(&self, folder: &Path) -> Result<String, Failure> {
        let shown = || printable(&folder.display().to_string());
        let whole = std::path::absolute(folder).ok();
        let name = whole.as_deref().and_then(Path::file_name).and_then(|name| name.to_str());
        let is_free = |name: &&str| {
            is_game_name(name) && GameKind::ALL.iter().all(|kind| kind.name() != *name)
        };
        let name = name.filter(is_free).ok_or_else(|| {
            Failure::usage(format_args!(
                "folder name `{}` is not a valid game name: use up to 30 of a-z, 0-9 and -, starting \
                 with a letter, and not the name of a built-in game",
                shown()
            ))
        })?;
        let named = |(file, content): &(&'static str, &str)| {
            let content = match *file {
                "README.md" => content.replacen(HEADING, &format!("# {name}"), 1),
                _ => content.replacen(NAME, &format!("name {name}"), 1),
            };
            (*file, content)
        };
        write_new(folder, self.files.iter().map(named))?;
        Ok(name.to_owned())
    }

    /// The command that builds it in its folder, if it must be built.
    pub fn build(&self) -> Option<String> {
        let (_, manifest) = self.files.iter().find(|(file, _)| *file == MANIFEST)?;
        toml::from_str::<Manifest>(manifest).ok()?.build
    }
}
