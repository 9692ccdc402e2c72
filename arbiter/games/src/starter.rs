//! Folders to start a game from: the examples, with a name of their own.

use std::path::Path;

use bot::starter::write_new;
use rules::GameKind;
use rules::custom::is_game_name;
use text::failure::Failure;
use text::printable;

use crate::contents::{MANIFEST, Manifest};

/// The line of the description that names the game of the examples.
const NAME: &str = "name leduc";

/// The heading of their README.
const HEADING: &str = "# leduc";

/// A game to start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameStarter {
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
        GameStarter {
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

impl GameStarter {
    pub const ALL: [GameStarter; 4] = [
        starter!("python", "`python3`", ["game.py"]),
        starter!("c", "`clang` and `wasm-ld`", ["game.c"]),
        starter!("rust", "`rustc` with the target wasm32-unknown-unknown", ["game.rs" "abi.rs"]),
        starter!("assemblyscript", "`npx`", ["game.ts"]),
    ];

    pub fn named(language: &str) -> Option<GameStarter> {
        GameStarter::ALL.into_iter().find(|starter| starter.language == language)
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
                "folder name `{}` is not a valid game name: use up to 30 of a-z, 0-9 and -, a letter first, \
                 and no built-in name",
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
